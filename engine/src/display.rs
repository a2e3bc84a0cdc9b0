//! Positions drawn for people.

use std::fmt::Write as _;

use crate::referee::BoardView;

/// The board with its ranks and files, then the lines `Fen:`, `Key:` and `Result:`.
pub fn board(view: &BoardView) -> String {
    const LINE: &str = " +---+---+---+---+---+---+---+---+\n";
    let mut text = String::from(LINE);
    for (rank, row) in view.cells.iter().enumerate().rev() {
        for cell in row {
            let _ = write!(text, " | {}", cell.unwrap_or(' '));
        }
        let _ = writeln!(text, " | {}", rank + 1);
        text.push_str(LINE);
    }
    text.push_str("   a   b   c   d   e   f   g   h\n\n");
    let result = view.outcome.map_or("ongoing", |outcome| outcome.describe());
    let _ = write!(text, "Fen: {}\nKey: {:016X}\nResult: {result}", view.fen, view.key);
    text
}

/// The commands of UCI, for people.
pub(crate) const HELP: &str = "\
uci                    name, author and options
setoption name N [value V]
                       change an option, such as UCI_Variant asean or Hash 64
position startpos [moves M ...], position fen F [moves M ...]
                       a bad FEN leaves the position as it was,
                       an illegal move ends the list
go [depth N] [nodes N] [mate N] [movetime MS] [wtime MS] [btime MS] [winc MS]
   [binc MS] [movestogo N] [ponder] [infinite] [searchmoves M ...]
                       search; without a limit until stop; if searchmoves
                       names no legal move, all are searched
go perft N             count the move tree below each move
stop, ponderhit, isready, ucinewgame, debug on|off, quit
d                      draw the board
moves                  legal moves
count                  the running count in words
eval                   static evaluation
flip                   exchange the colors
bench [DEPTH] [GAME]   fixed benchmark
hanuman --help         (in a shell) everything else";
