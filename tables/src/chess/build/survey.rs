//! What the moves of one position amount to, before anything is known about its class.

use movegen::Color;
use movegen::Position as _;
use movegen::chess::{Board, Rules};

use super::super::moves::{Placement, Step};
use super::grid::Grid;
use crate::exits::Exits;
use crate::{TableError, Value};

/// All moves of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Survey {
    /// Moves that stay in the class and leave the pawns alone.
    pub(super) within: u8,
    /// The others.
    pub(super) exits: Exits,
    /// The mover has no move and is mated.
    pub(super) mated: bool,
    /// The mover has no move and is not in check.
    pub(super) stalemated: bool,
}

impl<R: Rules> Grid<'_, R> {
    /// Surveys a legal position of `us` to move.
    pub(super) fn survey(&self, placement: &Placement, us: Color) -> Result<Survey, TableError> {
        let mut within = 0_u8;
        let mut exits = Exits::default();
        let mut board = None;
        let mut fault = None;
        placement.each_move::<R>(&self.layout, us, self.promotions, |step| match step {
            Step::Within => within += 1,
            Step::Advance(squares) => exits.add_fresh(self.advanced(&squares, us)),
            Step::Out(m) => {
                if board.is_none() {
                    board = placement.board::<R>(&self.layout, us, self.rules);
                }
                let Some(board) = &board else { return };
                match self.outside(&board.play_unchecked(m), &mut exits) {
                    Ok(()) => {}
                    Err(error) => fault = Some(error),
                }
            }
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
        let stuck = within == 0 && exits.win.is_none() && !exits.draw && exits.loss.is_none();
        let mated = stuck && placement.in_check::<R>(&self.layout, us);
        Ok(Survey { within, exits, mated, stalemated: stuck && !mated })
    }

    /// The value, for the opponent of `us`, of a position that a pawn's step has led to.
    fn advanced(&self, squares: &super::super::layout::Squares, us: Color) -> Value {
        let them = us.opposite();
        let value = self.layout.index(squares).and_then(|index| self.value(them, index));
        // The 50-move rule, where there is one, has just begun anew.
        value.unwrap_or(Value::Draw).within(self.fresh_plies)
    }

    /// Adds what a position outside the class is worth.
    fn outside(&self, next: &Board<R>, exits: &mut Exits) -> Result<(), TableError> {
        let Some(value) = self.tables.chess_distance(next) else {
            let needed = super::super::class::Class::of(next)
                .map_or_else(|| "KvK".to_owned(), |(class, _)| class.to_string());
            return Err(TableError::Needs { name: self.class.to_string(), needed });
        };
        if self.runs_on(next) {
            exits.add_running(value);
        } else {
            // Where the tables cannot say, nothing is forced.
            exits.add_fresh(self.tables.chess_result(next).unwrap_or(Value::Draw));
        }
        Ok(())
    }

    /// Whether the count goes on after a capture that has led to `next`.
    fn runs_on(&self, next: &Board<R>) -> bool {
        if self.class.is_bare() {
            return true;
        }
        R::VARIANT == movegen::Variant::Makruk
            && !self.class.has_pawns()
            && !Color::ALL.into_iter().any(|color| next.is_bare(color))
    }
}
