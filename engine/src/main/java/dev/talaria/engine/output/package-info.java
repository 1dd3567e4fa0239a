/// The step clean of the route: nothing leaves the engine without it.
///
/// Raw output becomes text that is safe and cheap to read: decoded from UTF-8, carriage returns
/// obeyed as a terminal would, escape sequences removed, secrets masked, capped. A spill file keeps
/// the part that the cap left out.
///
/// [OutputCapture] takes one stream of a run, [LiveLines] shows it while it runs. Every result value
/// passes through [ResultCleaner] and [ResultCap].
@NullMarked
package dev.talaria.engine.output;

import org.jspecify.annotations.NullMarked;
