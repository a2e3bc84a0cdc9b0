use std::time::Duration;

use crate::Score;

/// Whether a score is exact or only a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true score.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

impl Bound {
    /// What a search with the window `(alpha, beta)` knows about the value when it finds `score`.
    #[inline]
    pub(crate) const fn of(score: i32, alpha: i32, beta: i32) -> Self {
        if score >= beta {
            Self::Lower
        } else if score <= alpha {
            Self::Upper
        } else {
            Self::Exact
        }
    }
}

/// One finished (or interrupted) iteration for one line.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchInfo<M> {
    /// Nominal depth in plies; 0 if the root has no legal move.
    pub depth: u32,
    /// Deepest ply reached.
    pub sel_depth: u32,
    /// 1 for the best line, 2 for the second, ...
    pub multi_pv: usize,
    /// From the mover's side.
    pub score: Score,
    /// Whether `score` is exact.
    pub bound: Bound,
    /// Win, draw and loss chances in permille for the mover.
    pub wdl: [u16; 3],
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Part of the transposition table in use, permille.
    pub hash_full: u32,
    /// Table probes that answered.
    pub table_hits: u64,
    /// The line, legal from the root position on.
    pub pv: Vec<M>,
}

impl<M> SearchInfo<M> {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        let nanos = self.time.as_nanos().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
    }
}

/// The answer of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct BestMove<M> {
    /// The move to play; `None` if the root has no legal move.
    pub best: Option<M>,
    /// The reply to think about meanwhile.
    pub ponder: Option<M>,
    /// The last exact report on the best line (depth 0 if the game is over).
    pub info: SearchInfo<M>,
}

/// Somebody who watches a search. Called on the thread that runs it.
pub trait Observer<M> {
    /// An iteration is done, or a bound is worth showing.
    fn on_info(&mut self, info: &SearchInfo<M>);
    /// The main thread has begun root move number `number` (from 1); called only after 3 seconds.
    fn on_current_move(&mut self, depth: u32, m: M, number: usize) {
        let _ = (depth, m, number);
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl<M> Observer<M> for NoObserver {
    fn on_info(&mut self, _info: &SearchInfo<M>) {}
}
