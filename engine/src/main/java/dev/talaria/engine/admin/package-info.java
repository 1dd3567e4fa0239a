/// What people and programs see and change from outside of calls: processes, sandboxes, approvals, copies.
@NullMarked
package dev.talaria.engine.admin;

import org.jspecify.annotations.NullMarked;
