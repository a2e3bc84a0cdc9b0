//! Searches with a network: the same every time, and the hand-written evaluation without one.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/searching.rs"]
mod searching;

use std::sync::Arc;

use movegen::{GameRecord, Position, Variant};
use search::eval::Evaluator;
use search::eval::nnue::{Network, NetworkError, built_in};
use search::internals::random_network;
use search::{
    AseanGame, Game, MakhosGame, MakrukGame, MakrukStraightGame, SearchOptions, Searcher,
};
use searching::{MAKHOS, MAKRUK, record, run, small, to_depth};

fn network(variant: Variant) -> Arc<Network> {
    Arc::new(random_network(variant, 64, 31).unwrap())
}

/// Nodes and best move of a fixed search from a fresh memory.
fn result<G: Game>(searcher: &mut Searcher<G>, record: &GameRecord<G::Pos>) -> (u64, String) {
    searcher.clear();
    let (answer, _) = run(searcher, record, &to_depth(6));
    (answer.info.nodes, record.position().move_text(answer.best.unwrap()))
}

fn check<G: Game>(fen: &str, rules: <G::Pos as Position>::Rules) {
    let variant = G::Pos::VARIANT;
    let record = record::<G>(fen, rules);
    let mut searcher = Searcher::<G>::new(small());
    assert_eq!(searcher.network().is_some(), built_in(variant).is_some());
    searcher.set_network(None).unwrap();
    let by_hand = result(&mut searcher, &record);

    searcher.set_network(Some(network(variant))).unwrap();
    let with_network = result(&mut searcher, &record);
    assert_ne!(with_network.0, by_hand.0);
    assert_eq!(result(&mut searcher, &record), with_network);
    let mut eval = G::Eval::default();
    eval.set_network(Some(network(variant))).unwrap();
    let position = record.position();
    assert_eq!(searcher.evaluate(position).0, eval.evaluate(position));

    // Another game's network changes nothing.
    let others = Variant::ALL.into_iter().filter(|&other| other != variant);
    for other in others {
        let error = searcher.set_network(Some(network(other))).unwrap_err();
        let (found, wanted) = (other.name(), variant.name());
        assert_eq!(error, NetworkError::WrongGame { found, wanted });
        assert_eq!(searcher.network().unwrap().variant(), variant);
    }
    assert_eq!(result(&mut searcher, &record), with_network);

    // Threads that come later have the network too, and the first thread keeps it.
    searcher.set_options(SearchOptions { threads: 3, ..small() });
    for _ in 0..3 {
        result(&mut searcher, &record);
    }
    searcher.set_options(small());
    assert_eq!(result(&mut searcher, &record), with_network);

    searcher.set_network(None).unwrap();
    assert_eq!(result(&mut searcher, &record), by_hand);
}

#[test]
fn networks_are_used_kept_and_left() {
    let middle_game = "2sm4/4k2r/n1pp1s2/pr2P1R1/1PP2n2/P1S1PPS1/R1K5/1N2M3 b - - 2 23";
    check::<MakrukGame>(middle_game, MAKRUK);
    check::<MakrukStraightGame>(middle_game, MAKRUK);
    check::<AseanGame>("1r2k1n1/P1P3P1/8/3p4/4P3/8/p1p3p1/1R2K1N1 w - - 0 1", MAKRUK);
    check::<MakhosGame>("W:W17,22,29,31,32:B1,4,6,7,8,14,24,28", MAKHOS);
}

/// What the table remembers was said by the evaluation in use.
#[test]
fn a_new_network_starts_from_an_empty_memory() {
    let fen = "2sm4/4k2r/n1pp1s2/pr2P1R1/1PP2n2/P1S1PPS1/R1K5/1N2M3 b - - 2 23";
    let record = record::<MakrukGame>(fen, MAKRUK);
    let mut searcher = Searcher::<MakrukGame>::new(small());
    searcher.set_network(Some(network(Variant::Makruk))).unwrap();
    let fresh = result(&mut searcher, &record);
    searcher.set_network(None).unwrap();
    run(&mut searcher, &record, &to_depth(6));
    searcher.set_network(Some(network(Variant::Makruk))).unwrap();
    let (answer, _) = run(&mut searcher, &record, &to_depth(6));
    assert_eq!(answer.info.nodes, fresh.0);
}
