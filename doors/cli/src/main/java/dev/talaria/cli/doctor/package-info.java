/// `talaria doctor`: what works here, proved by trying it.
@NullMarked
package dev.talaria.cli.doctor;

import org.jspecify.annotations.NullMarked;
