/// The benchmark kit behind `./talaria bench`: one class per row of the speed table, each with its floor.
///
/// `Main` picks rows and prints; a `Row` measures; `Pairs` runs floor and ours by turns; `Table` shows what came of it.
@NullMarked
package dev.talaria.bench;

import org.jspecify.annotations.NullMarked;
