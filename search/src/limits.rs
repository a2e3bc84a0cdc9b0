use std::time::Duration;

/// The clocks of both players, as a protocol reports them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Milliseconds left for White and Black; may be negative (a late arbiter).
    pub remaining_ms: [Option<i64>; 2],
    /// Milliseconds added per move.
    pub increment_ms: [i64; 2],
    /// Moves to the next time control, `None` for sudden death.
    pub moves_to_go: Option<u32>,
}

/// What one search was asked to do. Everything unset is unlimited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits<M> {
    /// Stop after this depth.
    pub depth: Option<u32>,
    /// Stop after about this many nodes.
    pub nodes: Option<u64>,
    /// Stop when a mate in this many moves is found.
    pub mate: Option<u32>,
    /// Use exactly this much time.
    pub move_time: Option<Duration>,
    /// Play on these clocks.
    pub clock: Option<Clock>,
    /// Do not answer before `stop`.
    pub infinite: bool,
    /// Do not answer before `ponderhit` or `stop`; the clocks count from `ponderhit` on.
    pub ponder: bool,
    /// Only these root moves; empty for all.
    pub search_moves: Vec<M>,
}

impl<M> Default for Limits<M> {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            mate: None,
            move_time: None,
            clock: None,
            infinite: false,
            ponder: false,
            search_moves: Vec::new(),
        }
    }
}

/// Settings that stay from search to search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
    /// Threads that search.
    pub threads: usize,
    /// Number of best lines to report.
    pub multi_pv: usize,
    /// Time to keep back for the way to the arbiter, per move.
    pub move_overhead: Duration,
    /// Count time in nodes: so many per millisecond; 0 = off.
    pub nodes_time: u64,
    /// Skill level -20 (weakest) to 20 (full strength).
    pub skill_level: i32,
    /// Play at about this Elo instead of full strength.
    pub limit_elo: Option<u32>,
    /// The search is an analysis: no time is saved on forced moves.
    pub analyse: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            hash_mib: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            nodes_time: 0,
            skill_level: 20,
            limit_elo: None,
            analyse: false,
        }
    }
}
