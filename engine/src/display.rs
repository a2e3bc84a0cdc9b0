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
