//! Looking positions up.

use movegen::makhos::Board;
use movegen::{Position as _, Removal};

use super::QUIET_PLIES;
use super::class::{Class, Slice};
use super::table::{self, MakhosTable};
use crate::{Tables, Value};

/// What the set of tables finds a database by.
pub(crate) type Key = (Class, Removal);

impl Tables {
    /// What a database says about a position whatever quiet plies there have been: see [`Value`]. A
    /// side without pieces has lost.
    ///
    /// `None` if there is no database, or none for these rules.
    #[inline]
    pub fn makhos_distance(&self, board: &Board) -> Option<Value> {
        if board.occupied().count_ones() as usize > self.makhos_pieces
            || !table::hold_under(board.rules())
        {
            return None;
        }
        let removal = board.rules().removal;
        let find = |slice: Slice| -> Option<(&MakhosTable, usize)> {
            let (class, side) = slice.class()?;
            let &number = self.makhos_index.get(&(class, removal))?;
            Some((self.makhos.get(number)?, side))
        };
        table::value(&find, &self.blocks, board)
    }

    /// The result of a position with the quiet plies that it has, exact under its rule set as far as
    /// that knows no repetition. `None` as for [`Tables::makhos_distance`].
    #[inline]
    pub fn makhos_result(&self, board: &Board) -> Option<Value> {
        let value = self.makhos_distance(board)?;
        let limit = board.rules().quiet_plies;
        // Among five pieces there are wins that take more quiet plies than the standard rules allow.
        // With another limit, what depends on them may be no draw.
        let pieces = board.occupied().count_ones();
        if value == Value::Draw && u32::from(limit) != QUIET_PLIES && pieces > 4 {
            return None;
        }
        if limit == 0 {
            return Some(value);
        }
        Some(value.within(u32::from(limit).saturating_sub(board.quiet_plies())))
    }
}
