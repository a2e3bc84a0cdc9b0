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
const MAKRUK: &[&str] = &[
    "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
    "rns3nr/2mk1s2/ppp1pppp/3p4/P4P2/1PPPP1PP/8/RNSKMSNR w - - 0 6",
    "1ns1k1nr/2r1m1s1/pppppppp/8/7P/PPPPPPP1/R4MS1/1NSK2NR w - - 0 7",
    "rnsm1snr/4k3/p2p1ppp/1pp1p3/8/PPPPPPPP/3S3R/RN1KMSN1 w - - 0 6",
    "rn1m1snr/1s2k3/p1pp2p1/1p2pp2/PP1PP2p/2P2PPP/2KSN2R/RN2MS2 b - - 1 12",
    "2sm4/4k2r/n1pp1s2/pr2P1R1/1PP2n2/P1S1PPS1/R1K5/1N2M3 b - - 2 23",
    "2r1k2r/3n4/1p1p1n2/P1P1P3/1p3p1p/P1N3P1/3S4/R2K3R w - - 0 1",
    "3m4/3s1M2/2Mk3r/pP5p/2n1R1P1/6S1/R2N1M2/2K5 w - - 5 50",
    "8/5n1k/5rm1/PP6/1NM5/1K6/8/6R1 w - - 0 1",
    "8/8/2sSs3/3s4/3k4/2s1s3/2SS4/4K3 b - - 0 1",
    "8/8/5k2/7p/6SS/8/3K4/8 w - - 0 1",
    "3s4/8/7k/4r3/S7/4M3/8/7K w - 128 35 56",
    "8/2k5/8/3S4/2SM4/3K4/8/8 b - 44 10 60",
    "8/8/8/4k3/8/8/R7/K7 w - 32 7 2",
    "8/8/3k4/8/8/8/8/RR2K3 w - - 0 1",
];
const ASEAN: &[&str] = &[
    "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1",
    "rnb3nr/2qk1b2/ppp1pppp/3p4/P4P2/1PPPP1PP/8/RNBQKBNR w - - 0 6",
    "r1bqk1n1/3nb2r/pppppp1p/6p1/7P/PPPPPPP1/RB2B3/1N1QK1NR w - - 0 7",
    "rn1qkbn1/2b4r/p1ppp1pp/1p3p2/4P1P1/PPPP1P1P/8/RNBQKBNR w - - 0 6",
    "r1bqkbnr/3n4/pppppppp/8/8/PPPPPPPP/1BQ5/RN2KBNR b - - 3 2",
    "rnb1k3/2q1nbr1/3pp3/Pp3p1p/3pP1PP/1PR2P2/3R4/2BQ1K1B b - - 1 31",
    "1r2k1n1/P1P3P1/8/3p4/4P3/8/p1p3p1/1R2K1N1 w - - 0 1",
    "1r1q2kr/2b1P2b/1p6/2ppP1pp/1nPP2PP/PQ6/R3N2R/1NBK1B2 w - - 4 23",
    "4r2n/5Q2/pb1p4/1p2p1k1/PPN1P2N/2q4b/R1p5/6K1 b - - 1 65",
    "8/4R3/5n2/p1k3B1/5R1N/7P/b1QK3N/8 w - - 3 47",
    "3k4/2b1b3/2b1b3/3b4/3B4/2B1B3/2B1B3/3K4 w - - 0 1",
    "8/6q1/2Q2k2/8/2K5/8/8/8 b - - 35 73",
    "8/2k5/8/3B4/2BQ4/3K4/8/8 b - 88 10 60",
    "8/8/3K4/8/7k/8/6R1/8 w - 32 5 79",
    "4k3/3r4/2K5/8/3R4/1P6/8/8 w - - 0 1",
];
const MAKHOS: &[&str] = &[
    "W:W25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8",
    "B:W25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8",
    "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    "W:W17,22,29,31,32:B1,4,6,7,8,14,24,28",
    "W:W19,24,25,26,27,29,30:B1,3,4,5,6,8,22",
    "W:W22,23,24,30,32:B2,3,5,6,12,14",
    "W:W20,21,28,29,K31:B10,11",
    "W:WK1,23,24,26,28,29,30,32:B3,4,5,6,11,15",
    "W:WK10,K16:BK6,14,K19,27",
    "W:W9,K27,28:B10,11,17,18,19,24,25,26",
    "W:W7,10:B22,27",
    "W:WK1,K2,K3:BK29",
    "W:WK1,K2:BK31",
    "W:WK5:B6,7,8",
    "W:W17,18:B13,16",
];

/// The depth that a game is searched to when none is asked for.
const fn standard_depth(variant: Variant) -> u32 {
    match variant {
        Variant::Makruk | Variant::Asean => 11,
        Variant::Makhos => 15,
    }
}

const fn positions(variant: Variant) -> &'static [&'static str] {
    match variant {
        Variant::Makruk => MAKRUK,
        Variant::Asean => ASEAN,
        Variant::Makhos => MAKHOS,
    }
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
    let all = games().map(|variant| positions(variant).len()).sum();
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
            let positions = positions(<PosOf<G>>::VARIANT);
            assert_eq!(positions.len(), 15);
            for fen in positions {
                let position = <PosOf<G>>::from_fen(fen, rules).unwrap();
                assert!(position.has_legal_move(), "{fen}");
            }
        }
    }

    #[test]
    fn every_position_can_be_searched() {
        for variant in Variant::ALL {
            with_game(GameRules::standard(variant), Check);
        }
    }
}
