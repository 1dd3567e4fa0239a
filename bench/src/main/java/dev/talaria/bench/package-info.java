/// The benchmark kit behind `./talaria bench`: one class per row of the speed table, each with its
/// floor.
///
/// `Main` chooses rows and prints; a `Row` measures; `Pairs` runs floor and ours by turns; `Table`
/// shows the outcomes.
@NullMarked
package dev.talaria.bench;

import org.jspecify.annotations.NullMarked;
