//! How long to think. Pure arithmetic: whoever owns the clock passes the time in.

use std::time::Duration;

use movegen::Color;

use crate::{Clock, Limits, SearchOptions};

/// The least time a search on a clock gets.
const MINIMUM_MS: f64 = 1.0;

/// Milliseconds to spend: `soft` between iterations (before scaling), `hard` at any moment.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Budget {
    soft: f64,
    hard: f64,
}

/// What the main thread has seen so far, for the decision whether to go on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Progress {
    /// Iterations finished.
    pub(crate) depth: i32,
    /// Iterations since the best move last changed.
    pub(crate) stability: u32,
    /// Part of this thread's nodes spent on the best move, 0 to 1.
    pub(crate) best_share: f64,
    /// Centipawns by which the score lies below the average of the last iterations.
    pub(crate) drop: i32,
    /// Times this iteration failed low.
    pub(crate) fail_lows: u32,
}

/// Decides when a search must end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TimeManager {
    /// Exact time, and nothing else to decide.
    fixed: Option<f64>,
    budget: Option<Budget>,
}

impl TimeManager {
    /// For a search of `color` under `limits`; `horizon` is the number of moves that a side
    /// usually still has to make.
    pub(crate) fn new<M>(
        limits: &Limits<M>,
        options: &SearchOptions,
        color: Color,
        horizon: u32,
    ) -> Self {
        let overhead = milliseconds(options.move_overhead);
        let fixed = limits.move_time.map(|time| {
            let time = milliseconds(time);
            // A tiny move time is all overhead; half of it is then ours.
            (time - overhead).max(time / 2.0).max(MINIMUM_MS)
        });
        let budget = limits
            .clock
            .as_ref()
            .and_then(|clock| budget(clock, color, overhead, f64::from(horizon)));
        Self { fixed, budget }
    }

    /// Whether the search is played on a clock, so that saving time makes sense.
    pub(crate) fn on_clock(&self) -> bool {
        self.budget.is_some()
    }

    /// Whether time is up at once. `elapsed` counts from the moment the clock runs.
    pub(crate) fn must_stop(&self, elapsed: Duration) -> bool {
        let elapsed = milliseconds(elapsed);
        self.fixed.is_some_and(|time| elapsed >= time)
            || self.budget.is_some_and(|budget| elapsed >= budget.hard)
    }

    /// Whether another iteration should not be begun. `elapsed` counts from the start of the
    /// search, pondering included.
    pub(crate) fn should_stop(&self, elapsed: Duration, progress: &Progress) -> bool {
        let Some(budget) = self.budget else { return false };
        let scale = if progress.depth >= 5 { scale(progress) } else { 1.0 };
        // An iteration usually takes longer than all before it together.
        milliseconds(elapsed) >= (0.55 * budget.soft * scale).min(budget.hard)
    }
}

/// How much more (or less) time than usual the position deserves.
fn scale(progress: &Progress) -> f64 {
    const STABILITY: [f64; 5] = [2.2, 1.2, 0.95, 0.85, 0.78];
    let nodes = (1.6 - progress.best_share.clamp(0.0, 1.0)) * 1.4;
    let stability = STABILITY[(progress.stability as usize).min(STABILITY.len() - 1)];
    let drop = (1.0 + f64::from(progress.drop) / 80.0).clamp(0.6, 1.7);
    let fail_lows = 1.3_f64.powi(progress.fail_lows.min(2) as i32);
    nodes * stability * drop * fail_lows
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The plan for one move. `None` if the clock says nothing about either player.
fn budget(clock: &Clock, color: Color, overhead: f64, horizon: f64) -> Option<Budget> {
    // If only the opponent's clock is known, ours is taken to be like it.
    let own = clock.remaining_ms[color.index()];
    let remaining = own.or(clock.remaining_ms[color.opposite().index()])?;
    // Far beyond any real clock, and still harmless in arithmetic.
    let time = remaining.clamp(0, 1 << 40) as f64;
    let increment = clock.increment_ms[color.index()].clamp(0, 1 << 40) as f64;
    let (soft, hard) = match clock.moves_to_go.filter(|&moves| moves > 0) {
        Some(1) => {
            let soft = 0.7 * time - overhead;
            (soft, (0.8 * time - overhead).max(soft))
        }
        Some(moves) => {
            let n = f64::from(moves.min(50));
            let soft = 0.88 * (time + increment * (n - 1.0) - overhead * (n + 2.0)) / n;
            (soft, (soft * (1.3 + 0.11 * n)).min(0.8 * time - overhead))
        }
        None => {
            let n = horizon;
            let soft = 0.75 * (time + increment * (n - 1.0) - overhead * (n + 2.0)) / n;
            let soft = soft.min(0.2 * time);
            (soft, (5.0 * soft).min(0.75 * time - overhead))
        }
    };
    // When the overhead eats everything up, a move is still due: take a sliver of what is left.
    let hard = hard.max((0.02 * time).min(5.0)).max(MINIMUM_MS);
    Some(Budget { soft: soft.clamp(MINIMUM_MS, hard), hard })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Color = Color::White;

    fn limits(clock: Clock) -> Limits<()> {
        Limits { clock: Some(clock), ..Limits::default() }
    }

    fn manager(clock: Clock) -> TimeManager {
        TimeManager::new(&limits(clock), &SearchOptions::default(), WHITE, 45)
    }

    fn clock(time: i64, increment: i64, moves_to_go: Option<u32>) -> Clock {
        Clock { remaining_ms: [Some(time), Some(time)], increment_ms: [increment; 2], moves_to_go }
    }

    /// The latest moment at which the manager lets the search run, in milliseconds.
    fn hard(manager: &TimeManager) -> i64 {
        (0..20_000_000).find(|&ms| manager.must_stop(Duration::from_millis(ms as u64))).unwrap()
    }

    /// The planned time, in milliseconds.
    fn soft(manager: &TimeManager) -> i64 {
        manager.budget.unwrap().soft.ceil() as i64
    }

    #[test]
    fn tiny_and_negative_clocks_get_almost_nothing() {
        for time in [i64::MIN, -37, 0, 1, 10] {
            for to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                assert!(hard(&manager(clock(time, 0, to_go))) <= 5, "{time} {to_go:?}");
            }
        }
        assert!(hard(&manager(clock(50, 0, None))) < 40);
        assert!(hard(&manager(clock(200, 0, None))) < 190);
    }

    #[test]
    fn the_whole_clock_is_never_used() {
        for time in [20, 50, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 100, 60_000] {
                for to_go in [None, Some(0), Some(1), Some(2), Some(10), Some(1000)] {
                    let used = hard(&manager(clock(time, increment, to_go)));
                    assert!(used <= (time - 10).max(5), "{time}+{increment} {to_go:?}: {used}");
                }
            }
        }
    }

    #[test]
    fn the_last_move_of_a_control_uses_most_of_it() {
        let used = hard(&manager(clock(1_000, 0, Some(1))));
        assert!((600..=900).contains(&used), "{used}");
    }

    /// Plays whole games on a fake clock: every fifth move takes all that is allowed, the others
    /// what is planned, and every way to the arbiter nearly the whole overhead.
    #[test]
    fn no_game_is_lost_on_time() {
        for (start, increment, session) in [
            (1_000, 10, None),
            (100, 10, None),
            (2_000, 0, None),
            (10_000, 0, Some(40)),
            (1_000, 0, Some(40)),
            (60_000, 0, None),
            (60_000, 600, None),
        ] {
            let mut left = start;
            // Without increment the way to the arbiter alone bounds the length of a game.
            let moves = if increment == 0 && session.is_none() { start / 30 } else { 2_000 };
            for number in 0..moves.min(200) {
                let to_go = session.map(|n| n - number as u32 % n);
                let manager = manager(clock(left, increment, to_go));
                let used = if number % 5 == 0 { hard(&manager) } else { soft(&manager) } + 9;
                left -= used;
                assert!(left > 0, "{start}+{increment} {session:?}: move {number}, {used} used");
                left += increment;
                if to_go == Some(1) {
                    left += start;
                }
            }
        }
    }

    #[test]
    fn only_the_own_clock_counts() {
        for (own, other) in [(100, 60_000), (60_000, 100)] {
            let unequal = Clock { remaining_ms: [Some(own), Some(other)], ..Clock::default() };
            assert_eq!(hard(&manager(unequal)), hard(&manager(clock(own, 0, None))), "{own}");
        }
    }

    #[test]
    fn an_unknown_own_clock_is_taken_from_the_opponent() {
        let clock = Clock { remaining_ms: [None, Some(1_000)], ..Clock::default() };
        assert!(hard(&manager(clock)) < 1_000);
        assert!(!manager(Clock::default()).on_clock());
    }

    #[test]
    fn a_fixed_time_keeps_the_overhead_back() {
        let limits: Limits<()> =
            Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
        let manager = TimeManager::new(&limits, &SearchOptions::default(), WHITE, 45);
        assert_eq!(hard(&manager), 90);
        let limits: Limits<()> =
            Limits { move_time: Some(Duration::from_millis(4)), ..Limits::default() };
        assert_eq!(hard(&TimeManager::new(&limits, &SearchOptions::default(), WHITE, 45)), 2);
    }

    #[test]
    fn trouble_gets_more_time() {
        let calm = Progress { depth: 8, stability: 6, best_share: 0.9, drop: 0, fail_lows: 0 };
        for trouble in [
            Progress { stability: 0, ..calm },
            Progress { best_share: 0.3, ..calm },
            Progress { drop: 60, ..calm },
            Progress { fail_lows: 1, ..calm },
        ] {
            assert!(scale(&trouble) > scale(&calm), "{trouble:?}");
        }
    }
}
