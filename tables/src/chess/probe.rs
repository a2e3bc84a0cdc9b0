//! Looking positions up.

use movegen::chess::{Board, PieceType, Rules};
use movegen::{Color, Position as _, Variant};

use super::Class;
use super::class::MAX_MEN;
use super::table::ChessTable;
use crate::{Tables, Value};

/// The men of both sides beside their kings in a number, three bits a kind.
pub(crate) type Signature = u32;

/// The signature of a board, or that of the board with its colors exchanged.
#[inline]
fn signature<R: Rules>(board: &Board<R>) -> Signature {
    let mut signature = 0;
    for color in Color::ALL {
        for piece in &PieceType::ALL[..5] {
            signature = signature << 3 | board.of(color, *piece).len();
        }
    }
    signature
}

/// The signatures of a class: as it is, and with the colors exchanged.
pub(crate) fn signatures(class: &Class) -> [Signature; 2] {
    let count = |color: Color, piece: PieceType| {
        class.pieces(color).iter().filter(|&&p| p == piece).count() as u32
    };
    [[Color::White, Color::Black], [Color::Black, Color::White]].map(|colors| {
        let mut signature = 0;
        for color in colors {
            for piece in &PieceType::ALL[..5] {
                signature = signature << 3 | count(color, *piece);
            }
        }
        signature
    })
}

impl Tables {
    /// The table of a board and whether the board must be turned for it.
    #[inline]
    fn chess_table<R: Rules>(&self, board: &Board<R>) -> Option<(&ChessTable, bool)> {
        let men = board.occupied().len() as usize;
        if men > self.chess_men || !(3..=MAX_MEN).contains(&men) {
            return None;
        }
        let tables = match R::VARIANT {
            Variant::Makruk => &self.makruk,
            Variant::Asean => &self.asean,
            Variant::Makhos => return None,
        };
        let &(table, turned) = tables.get(&signature(board))?;
        Some((self.chess.get(table)?, turned))
    }

    /// The table of a board, if it holds under its rules, and the value that it gives.
    #[inline]
    fn chess_value<R: Rules>(&self, board: &Board<R>) -> Option<(&ChessTable, Value)> {
        let (table, turned) = self.chess_table(board)?;
        if !table.holds_under::<R>(board.rules()) {
            return None;
        }
        Some((table, table.value(&self.blocks, board, turned)?))
    }

    /// What a table says about a position whatever has been counted so far: see [`Value`]. Kings
    /// alone are a draw.
    ///
    /// `None` if there is no table, or none for this rule set, or the position is not in it (the
    /// waiting side in check, a pawn behind its first rank).
    #[inline]
    pub fn chess_distance<R: Rules>(&self, board: &Board<R>) -> Option<Value> {
        if board.occupied().len() == 2 {
            return Some(Value::Draw);
        }
        self.chess_value(board).map(|(_, value)| value)
    }

    /// The result of a position under the count and the clocks that run, exact under its rule set
    /// as far as that knows no repetition.
    ///
    /// `None` where [`Tables::chess_distance`] has none, or if a count is about to begin and one
    /// cannot say yet how far it reaches.
    #[inline]
    pub fn chess_result<R: Rules>(&self, board: &Board<R>) -> Option<Value> {
        if board.occupied().len() == 2 {
            return Some(Value::Draw);
        }
        let (table, value) = self.chess_value(board)?;
        table.settle(board, value)
    }
}
