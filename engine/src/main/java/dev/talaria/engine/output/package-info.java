/// Step 6 of the route, "clean": nothing leaves the engine without it.
///
/// Raw output becomes text that is safe and cheap to read: UTF-8 decoded, carriage returns played as a
/// terminal would, escape sequences removed, secrets masked, capped, and what the cap left out kept in a
/// spill file.
///
/// [OutputCapture] takes one stream of a run, [LiveLines] shows it while it runs, [ResultCleaner] and
/// [ResultCap] are the choke point that every result value passes.
@NullMarked
package dev.talaria.engine.output;

import org.jspecify.annotations.NullMarked;
