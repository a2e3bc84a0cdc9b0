//! The main thread's connection to the outside: clock, signals, observer.

use std::time::{Duration, Instant};

use movegen::Color;

use crate::time::{Progress, TimeManager};
use crate::{Limits, Observer, SearchInfo, SearchOptions, Signals};

/// Current moves are reported only after this time.
const REPORT_MOVES_AFTER: Duration = Duration::from_secs(3);

/// Decides when to end, and reports.
pub(crate) struct Control<'a, M> {
    signals: &'a Signals,
    observer: &'a mut dyn Observer<M>,
    manager: TimeManager,
    /// End after this many nodes of all threads.
    pub(crate) node_limit: Option<u64>,
    started: Instant,
    /// When and at how many nodes the clock began to run: later than the search after pondering.
    clock_from: (Instant, u64),
    /// The opponent has not moved yet.
    pondering: bool,
    infinite: bool,
    /// The search is an analysis: it takes all its time.
    analyse: bool,
    /// Nodes that count as a millisecond, 0 for real time.
    nodes_time: u64,
}

impl<'a, M: Copy> Control<'a, M> {
    pub(crate) fn new(
        limits: &Limits<M>,
        options: &SearchOptions,
        color: Color,
        horizon: u32,
        signals: &'a Signals,
        observer: &'a mut dyn Observer<M>,
        started: Instant,
    ) -> Self {
        Self {
            signals,
            observer,
            manager: TimeManager::new(limits, options, color, horizon),
            node_limit: limits.nodes,
            started,
            clock_from: (started, 0),
            pondering: limits.ponder,
            infinite: limits.infinite,
            analyse: options.analyse,
            nodes_time: options.nodes_time,
        }
    }

    /// Real time since the search began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time on the clock (or what stands for it) since the given moment and node count.
    fn clock_time(&self, from: (Instant, u64), nodes: u64) -> Duration {
        match nodes.saturating_sub(from.1).checked_div(self.nodes_time) {
            Some(ms) => Duration::from_millis(ms),
            None => from.0.elapsed(),
        }
    }

    /// Notices a ponder hit; true while the answer must be kept back.
    fn held_back(&mut self, nodes: u64) -> bool {
        if self.pondering && self.signals.ponder_was_hit() {
            self.pondering = false;
            self.clock_from = (Instant::now(), nodes);
        }
        self.pondering || self.infinite
    }

    /// Whether the search must end at once.
    pub(crate) fn must_stop(&mut self, nodes: u64) -> bool {
        if self.signals.stopped() || self.node_limit.is_some_and(|limit| nodes >= limit) {
            return true;
        }
        !self.held_back(nodes) && self.manager.must_stop(self.clock_time(self.clock_from, nodes))
    }

    /// Whether another iteration is not worth while.
    pub(crate) fn should_stop(&mut self, nodes: u64, progress: &Progress) -> bool {
        !self.held_back(nodes)
            && self.manager.should_stop(self.clock_time((self.started, 0), nodes), progress)
    }

    /// Whether time can be saved by an early answer.
    pub(crate) fn saves_time(&mut self, nodes: u64) -> bool {
        self.manager.on_clock() && !self.analyse && !self.held_back(nodes)
    }

    /// Waits until the answer may be given.
    pub(crate) fn wait_for_release(&mut self, nodes: u64) {
        while self.held_back(nodes) && !self.signals.stopped() {
            self.signals.wait(Duration::from_millis(100));
        }
    }

    /// Shows a line.
    pub(crate) fn report(&mut self, info: &SearchInfo<M>) {
        self.observer.on_info(info);
    }

    /// Shows which root move is searched, in a long search.
    pub(crate) fn report_move(&mut self, depth: i32, m: M, number: usize) {
        if self.elapsed() >= REPORT_MOVES_AFTER {
            self.observer.on_current_move(depth.unsigned_abs(), m, number);
        }
    }

    /// Whether bounds and other details are worth showing already.
    pub(crate) fn is_long(&self) -> bool {
        self.elapsed() >= REPORT_MOVES_AFTER
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoObserver;

    /// With time counted in nodes: what was searched before the hit is on the opponent's clock.
    #[test]
    fn the_clock_runs_from_the_ponder_hit() {
        let limits: Limits<()> = Limits {
            move_time: Some(Duration::from_millis(1_000)),
            ponder: true,
            ..Limits::default()
        };
        let options = SearchOptions { nodes_time: 1, ..SearchOptions::default() };
        let (signals, mut observer) = (Signals::new(), NoObserver);
        let mut control = Control::new(
            &limits,
            &options,
            Color::White,
            45,
            &signals,
            &mut observer,
            Instant::now(),
        );
        assert!(!control.must_stop(5_000));
        signals.ponder_hit();
        assert!(!control.must_stop(6_000));
        assert!(!control.must_stop(6_900));
        assert!(control.must_stop(7_000));
    }
}
