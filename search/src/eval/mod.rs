//! Static evaluation, behind one trait.

mod chess;
mod guided;
mod makhos;
pub mod nnue;
mod taper;

use std::sync::Arc;

pub use chess::ChessEval;
pub(crate) use chess::attacked;
pub use guided::{Guide, Guided};
pub use makhos::MakhosEval;
use movegen::Position;

use self::nnue::{Network, NetworkError};
use crate::Score;

/// Keeps an evaluation out of the range of proven results.
fn bounded(value: i32) -> i32 {
    value.clamp(-Score::EVAL_LIMIT.0, Score::EVAL_LIMIT.0)
}

/// Judges positions without searching.
///
/// One evaluator belongs to one search thread. The search calls [`Evaluator::push`] and
/// [`Evaluator::pop`] around every move, so that an evaluator may keep incremental state; the
/// default does nothing. All values are centipawns from the mover's side within
/// [`Score::EVAL_LIMIT`](crate::Score::EVAL_LIMIT).
pub trait Evaluator<P: Position>: Clone + Default + Send + 'static {
    /// The value of the board alone, without regard to any running count. This is what a
    /// transposition table may keep, because it is the same for every count.
    fn evaluate_raw(&mut self, position: &P) -> i32;

    /// `raw` with the count applied: for the side that can win it never falls when more plies
    /// remain, and it is 0 when none remain.
    fn apply_count(&self, position: &P, raw: i32) -> i32;

    /// Uses this network from now on, or none.
    ///
    /// The default is an evaluator that never uses one.
    ///
    /// # Errors
    /// If the network plays another game; nothing is changed then.
    fn set_network(&mut self, network: Option<Arc<Network>>) -> Result<(), NetworkError> {
        let _ = network;
        Ok(())
    }

    /// The value of the position with its count.
    #[inline]
    fn evaluate(&mut self, position: &P) -> i32 {
        let raw = self.evaluate_raw(position);
        self.apply_count(position, raw)
    }

    /// A search begins at `root`: incremental state starts from here.
    #[inline]
    fn reset(&mut self, root: &P) {
        let _ = root;
    }

    /// `m` leads from `before` to `after`; `None` is the null move.
    #[inline]
    fn push(&mut self, before: &P, m: Option<P::Move>, after: &P) {
        let _ = (before, m, after);
    }

    /// Takes the last [`Evaluator::push`] back.
    #[inline]
    fn pop(&mut self) {}
}
