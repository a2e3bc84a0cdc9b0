//! Checking tables: every block, and positions against the rules.

use movegen::chess::{Board, Rules};
use movegen::{ChessRules, CountingRule, DeadPosition, Outcome, Variant};

use crate::chess::ChessTable;
use crate::tabulated::{Tabulated, after_move};
use crate::{Tables, Value};

/// The value of a position as it follows from those of the positions after its moves, which are made
/// and judged by the rules themselves; `None` if a table is missing.
///
/// If this is the table's value at every position of a class, then the whole class is right: each win
/// leads to a loss that is nearer, and no draw to any.
pub fn derived_value<P: Tabulated>(tables: &Tables, position: &P) -> Option<Value> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return Some(match position.no_moves_outcome() {
            Outcome::Win(..) => Value::Loss(0),
            Outcome::Draw(_) => Value::Draw,
        });
    }
    let mut best: Option<Value> = None;
    for m in moves {
        let value = after(tables, position, m)?;
        if best.is_none_or(|best| value.rank() > best.rank()) {
            best = Some(value);
        }
    }
    best
}

/// The value of a move for its mover, on the distance of the position before it.
fn after<P: Tabulated>(tables: &Tables, position: &P, m: P::Move) -> Option<Value> {
    after_move(position, m, 1, |next, goes_on| {
        if goes_on { next.table_distance(tables) } else { next.table_result(tables) }
    })
}

/// A position whose value in a table is not what follows from its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The position.
    pub fen: String,
    /// What the table says.
    pub table: Value,
    /// What follows from the moves.
    pub derived: Value,
}

/// How a position compares with what follows from its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Check {
    /// It is as it should be.
    Right,
    /// It is not.
    Wrong(Difference),
    /// A table that its moves lead to is missing or cannot be read.
    Unknown,
}

/// Rules under which a table of bare kings is checked: no count and no clock in the way.
const UNCOUNTED: ChessRules = ChessRules {
    counting: CountingRule::None,
    fifty_move_rule: false,
    dead_position: DeadPosition::Off,
    ..ChessRules::STANDARD
};

impl Tables {
    /// Checks a position of the table with this number (see [`Tables::files`]): the one at `at`, of
    /// [`Tables::positions`]. `None` if there is no such position.
    ///
    /// Those that cannot be read are also reported as faults: see [`Tables::take_faults`].
    pub fn check(&self, number: usize, at: u64) -> Option<Check> {
        if let Some(table) = self.chess.get(number) {
            return if table.family().serves(Variant::Makruk) {
                self.check_chess::<movegen::chess::Makruk>(table, at)
            } else {
                self.check_chess::<movegen::chess::Asean>(table, at)
            };
        }
        Some(self.compare(&self.makhos_board(number, at)?))
    }

    /// Places for positions in the table with this number; some are empty.
    pub fn positions(&self, number: usize) -> u64 {
        self.files().nth(number).map_or(0, |file| file.header().bytes)
    }

    /// The position at a place of the chess table with this number, with no count begun. `None` if there
    /// is none, or the table is of another game.
    pub fn chess_board<R: Rules>(
        &self,
        number: usize,
        at: u64,
        rules: ChessRules,
    ) -> Option<Board<R>> {
        let table = self.chess.get(number)?;
        if table.family().serves(R::VARIANT) { table.board(at, rules) } else { None }
    }

    /// The position at a place of the Makhos database with this number.
    pub fn makhos_board(&self, number: usize, at: u64) -> Option<movegen::makhos::Board> {
        self.makhos.get(number.checked_sub(self.chess.len())?)?.board(at)
    }

    fn check_chess<R: Rules>(&self, table: &ChessTable, at: u64) -> Option<Check> {
        let rules = if table.class().is_bare() { UNCOUNTED } else { ChessRules::STANDARD };
        Some(self.compare(&table.board::<R>(at, rules)?))
    }

    fn compare<P: Tabulated>(&self, position: &P) -> Check {
        match (position.table_distance(self), derived_value(self, position)) {
            (Some(table), Some(derived)) if table == derived => Check::Right,
            (Some(table), Some(derived)) => {
                Check::Wrong(Difference { fen: position.fen(), table, derived })
            }
            _ => Check::Unknown,
        }
    }
}
