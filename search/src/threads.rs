//! The vote of the threads.

use crate::Bound;
use crate::score::{INFINITE, is_decisive};

/// What one thread stands by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vote<M> {
    pub(crate) m: M,
    pub(crate) depth: i32,
    pub(crate) score: i32,
    pub(crate) bound: Bound,
}

/// Index of the thread whose line is played. The first vote is the main thread's; it stands
/// unless another is clearly better. A proven win counts most, the shorter the better; otherwise
/// each thread adds its depth, weighted by its score, to its move.
pub(crate) fn elect<M: PartialEq>(votes: &[Vote<M>]) -> usize {
    let exact = |v: &&Vote<M>| v.bound == Bound::Exact;
    let best_exact = votes.iter().filter(exact).map(|v| v.score).max().unwrap_or(-INFINITE);
    if best_exact > 0 && is_decisive(best_exact) {
        return votes
            .iter()
            .position(|v| v.bound == Bound::Exact && v.score == best_exact)
            .unwrap_or(0);
    }
    let lowest = votes.iter().map(|v| v.score).min().unwrap_or(0);
    let weight = |v: &Vote<M>| i64::from(v.score - lowest + 10) * i64::from(v.depth);
    let support = |m: &M| votes.iter().filter(|v| v.m == *m).map(weight).sum::<i64>();
    let mut winner = 0;
    for (i, vote) in votes.iter().enumerate().skip(1) {
        // A bound is no ground to overrule the main thread.
        if vote.bound == Bound::Exact && support(&vote.m) > support(&votes[winner].m) {
            winner = i;
        }
    }
    winner
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vote(m: char, depth: i32, score: i32) -> Vote<char> {
        Vote { m, depth, score, bound: Bound::Exact }
    }

    #[test]
    fn majority_and_depth_count() {
        assert_eq!(elect(&[vote('a', 10, 20)]), 0);
        assert_eq!(elect(&[vote('a', 10, 20), vote('b', 10, 20)]), 0);
        assert_eq!(elect(&[vote('a', 10, 20), vote('b', 10, 25), vote('b', 11, 25)]), 1);
        assert_eq!(elect(&[vote('a', 12, 20), vote('b', 9, 20)]), 0);
    }

    #[test]
    fn the_shortest_mate_wins() {
        assert_eq!(elect(&[vote('a', 20, 31_980), vote('b', 5, 31_990), vote('a', 20, 100)]), 1);
    }

    #[test]
    fn bounds_overrule_nobody() {
        let bound = Vote { bound: Bound::Lower, ..vote('b', 30, 500) };
        assert_eq!(elect(&[vote('a', 5, 0), bound]), 0);
    }
}
