//! Perft that can be interrupted and spread over threads.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use movegen::{MoveList, Position};
use rayon::prelude::*;

/// What to count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerftRequest {
    /// Plies.
    pub depth: u32,
    /// Threads that share the work.
    pub threads: usize,
    /// List the moves of the last ply instead of counting them: slower, as a search does it.
    pub listing: bool,
}

/// Who watches a perft, and may end it.
pub struct Watch<'a> {
    /// Whether to give up.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
    /// Called with the pieces of work done so far and their number, from any thread.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

impl<'a> Watch<'a> {
    /// Only a way to give up.
    pub fn until(stopped: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { stopped, progress: &|_, _| {} }
    }
}

/// Trees of this depth are counted without looking up: a few milliseconds at most.
const UNINTERRUPTED: u32 = 3;
/// From this depth on, work is worth sharing; each piece of it is two plies shallower.
const SHARED_FROM: u32 = 4;

/// Counts the leaves below each legal move, reports them in generation order and returns their
/// sum, or `None` if it was stopped. At depth 0 there is one leaf and no move.
pub fn divide<P: Position>(
    position: &P,
    request: PerftRequest,
    watch: &Watch<'_>,
    each: &dyn Fn(&str, u64),
) -> Option<u64> {
    if request.depth == 0 {
        return Some(1);
    }
    let moves = position.legal_moves();
    if request.threads > 1
        && request.depth >= SHARED_FROM
        && let Some(leaves) = shared(position, &moves, request, watch)
    {
        let leaves = leaves?;
        for (&m, &below) in moves.iter().zip(&leaves) {
            each(&position.move_text(m), below);
        }
        return Some(leaves.iter().sum());
    }
    let mut total = 0;
    for (index, &m) in moves.iter().enumerate() {
        let child = position.play_unchecked(m);
        let below = count(&child, request.depth - 1, request.listing, watch.stopped)?;
        (watch.progress)(index + 1, moves.len());
        each(&position.move_text(m), below);
        total += below;
    }
    Some(total)
}

/// The leaves below each of `moves`, counted by several threads: `Some(None)` if stopped, `None` if
/// the threads cannot be had.
fn shared<P: Position>(
    position: &P,
    moves: &[P::Move],
    request: PerftRequest,
    watch: &Watch<'_>,
) -> Option<Option<Vec<u64>>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(request.threads).build().ok()?;
    // Positions after two plies are many and small enough to keep all threads busy to the end.
    let mut work: Vec<(usize, P)> = Vec::new();
    for (index, &m) in moves.iter().enumerate() {
        let child = position.play_unchecked(m);
        work.extend(child.legal_moves().iter().map(|&reply| (index, child.play_unchecked(reply))));
    }
    let leaves: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let done = AtomicUsize::new(0);
    let finished = pool.install(|| {
        work.par_iter().with_max_len(1).try_for_each(|(index, grandchild)| {
            let below = count(grandchild, request.depth - 2, request.listing, watch.stopped)?;
            (watch.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, work.len());
            if let Some(sum) = leaves.get(*index) {
                sum.fetch_add(below, Ordering::Relaxed);
            }
            Some(())
        })
    });
    Some(finished.map(|()| leaves.into_iter().map(AtomicU64::into_inner).collect()))
}

/// Leaves at `depth`, or `None` if stopped.
fn count<P: Position>(
    position: &P,
    depth: u32,
    listing: bool,
    stopped: &(dyn Fn() -> bool + Sync),
) -> Option<u64> {
    if stopped() {
        return None;
    }
    if depth <= UNINTERRUPTED {
        return Some(if listing {
            movegen::perft_listing(position, depth)
        } else {
            movegen::perft(position, depth)
        });
    }
    let mut moves = MoveList::new();
    position.generate(&mut moves);
    let mut total = 0;
    for &m in &moves {
        total += count(&position.play_unchecked(m), depth - 1, listing, stopped)?;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use movegen::{MakhosRules, makhos};

    use super::*;

    fn run(depth: u32, threads: usize, listing: bool) -> (Option<u64>, Vec<(String, u64)>) {
        let position = makhos::Board::start(MakhosRules::STANDARD);
        let parts = RefCell::new(Vec::new());
        let request = PerftRequest { depth, threads, listing };
        let total = divide(&position, request, &Watch::until(&|| false), &|text, leaves| {
            parts.borrow_mut().push((text.to_owned(), leaves));
        });
        (total, parts.into_inner())
    }

    #[test]
    fn threads_and_listing_change_nothing() {
        for depth in 0..=7 {
            let alone = run(depth, 1, false);
            assert_eq!(
                alone.1.iter().map(|(_, n)| n).sum::<u64>(),
                if depth == 0 { 0 } else { alone.0.unwrap() }
            );
            assert_eq!(alone, run(depth, 3, false), "depth {depth}");
            assert_eq!(alone, run(depth, 1, true), "depth {depth}");
        }
    }

    #[test]
    fn it_stops_when_told() {
        let position = makhos::Board::start(MakhosRules::STANDARD);
        for threads in [1, 2] {
            let request = PerftRequest { depth: 40, threads, listing: false };
            assert_eq!(divide(&position, request, &Watch::until(&|| true), &|_, _| {}), None);
        }
    }
}
