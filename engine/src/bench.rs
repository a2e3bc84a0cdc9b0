//! The fixed benchmark: how many nodes the search needs for positions of each game.
//!
//! The node counts are a signature of the search and the evaluation: any change of behaviour shows
//! in them, on every machine alike. `tests/data/bench.nodes` holds the expected ones.

use std::cell::Cell;
use std::time::Instant;

use movegen::{GameRecord, Position, Variant};
use search::{Game, Limits, NoObserver, SearchOptions, Searcher, Signals};

use crate::command::BenchRequest;
use crate::dispatch::{GameRules, GameVisitor, PosOf, RulesOf, with_game};

/// Openings, middle games and endings with every kind of count.
const MAKRUK: &str = include_str!("../bench/makruk.fen");
const ASEAN: &str = include_str!("../bench/asean.fen");
const MAKHOS: &str = include_str!("../bench/makhos.fen");

/// The depth that a game is searched to when none is asked for.
const fn standard_depth(variant: Variant) -> u32 {
    match variant {
        Variant::Makruk | Variant::Asean => 11,
        Variant::Makhos => 15,
    }
}

fn positions(variant: Variant) -> impl Iterator<Item = &'static str> {
    match variant {
        Variant::Makruk => MAKRUK,
        Variant::Asean => ASEAN,
        Variant::Makhos => MAKHOS,
    }
    .lines()
}

/// Runs the benchmark, or as much of it as there is time for before `signals` stops it, and hands
/// out a line for each game. `progress` hears how many positions of how many are done. Returns the
/// last line, `<total> nodes <nps> nps`.
pub fn run(
    request: BenchRequest,
    signals: &Signals,
    line: &dyn Fn(String),
    progress: &dyn Fn(usize, usize),
) -> String {
    let begun = Instant::now();
    let mut total = 0;
    let games = || Variant::ALL.into_iter().filter(|v| request.variant.is_none_or(|o| o == *v));
    let all = games().map(|variant| positions(variant).count()).sum();
    let done = Cell::new(0);
    let step = || {
        done.set(done.get() + 1);
        progress(done.get(), all);
    };
    for variant in games() {
        let depth = request.depth.unwrap_or(standard_depth(variant));
        let nodes =
            with_game(GameRules::standard(variant), BenchGame { depth, signals, step: &step });
        if signals.stopped() {
            return "bench was stopped".to_owned();
        }
        line(format!("{}: {nodes} nodes", variant.name()));
        total += nodes;
    }
    let nanos = begun.elapsed().as_nanos().max(1);
    let nps = u128::from(total) * 1_000_000_000 / nanos;
    format!("{total} nodes {nps} nps")
}

struct BenchGame<'a> {
    depth: u32,
    signals: &'a Signals,
    /// A position is done.
    step: &'a dyn Fn(),
}

impl GameVisitor for BenchGame<'_> {
    type Output = u64;

    fn visit<G: Game>(self, rules: RulesOf<G>) -> u64 {
        let mut searcher = Searcher::<G>::new(SearchOptions::default());
        let mut nodes = 0;
        for fen in positions(<PosOf<G>>::VARIANT) {
            if self.signals.stopped() {
                break;
            }
            let Ok(position) = <PosOf<G>>::from_fen(fen, rules) else { continue };
            searcher.clear();
            let limits = Limits { depth: Some(self.depth), ..Limits::default() };
            let record = GameRecord::new(position);
            nodes += searcher.search(&record, &limits, self.signals, &mut NoObserver).info.nodes;
            (self.step)();
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Check;

    impl GameVisitor for Check {
        type Output = ();

        fn visit<G: Game>(self, rules: RulesOf<G>) {
            let mut count = 0;
            for fen in positions(<PosOf<G>>::VARIANT) {
                let position = <PosOf<G>>::from_fen(fen, rules).unwrap();
                assert!(position.has_legal_move(), "{fen}");
                count += 1;
            }
            assert_eq!(count, 15);
        }
    }

    #[test]
    fn every_position_can_be_searched() {
        for variant in Variant::ALL {
            with_game(GameRules::standard(variant), Check);
        }
    }
}
