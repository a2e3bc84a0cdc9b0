//! Limits and clocks: every word of `go`, and clocks as bad arbiters send them.

use std::time::{Duration, Instant};

use crate::harness::{Engine, answers, assert_search_info, words_after};

const GAMES: [&str; 3] = ["makruk", "asean", "makhos"];
/// An answer "at once" on a slow machine under load.
const AT_ONCE: Duration = Duration::from_secs(10);

#[test]
fn s11_clocks_below_zero_are_answered_at_once() {
    for game in GAMES {
        let mut engine = Engine::playing(game);
        engine.send("position startpos");
        let legal = engine.legal_moves();
        for go in [
            "go wtime -37 btime 50 winc 0 binc 0",
            "go wtime 0 btime 0",
            "go wtime -37 btime -37",
            "go btime 5",
            "go wtime -9223372036854775808 btime 9223372036854775807",
            "go wtime -99999999999999999999999999 btime 1",
            "go wtime 1 btime 1 movestogo 1",
            "go wtime -5 btime -5 winc -5 binc -5 movestogo -5",
            "go wtime 1 movestogo 0",
            "go winc 0",
            "go movestogo 3",
            "go movetime 0",
            "go movetime -100",
            "go movetime 1",
            "go ponder wtime -1 btime -1",
        ] {
            let begun = Instant::now();
            engine.send(go);
            if go.contains("ponder") {
                engine.send("ponderhit");
            }
            let answer = engine.answer();
            assert!(begun.elapsed() < AT_ONCE, "{game} {go}");
            assert!(legal.contains(&answer.best), "{game} {go}: {}", answer.best);
            assert!(!answer.exact_infos().is_empty(), "{game} {go}");
        }
    }
}

#[test]
fn s12_the_last_move_before_the_control_keeps_to_the_clock() {
    for game in GAMES {
        let mut engine = Engine::playing(game);
        engine.send("position startpos");
        for go in ["go wtime 1000 btime 1000 movestogo 1", "go wtime 1000 btime 1000 movestogo 0"] {
            let answer = engine.go(go);
            let info = answer.last_info();
            let time: u64 = words_after(info, "time", 1).parse().unwrap();
            assert!(time < 1000, "{game} {go}: {info}");
            assert!(!info.starts_with("info depth 0"), "{info}");
        }
    }
}

#[test]
fn s13_every_answer_follows_an_exact_score() {
    for (position, go) in [
        ("position fen 8/5n1k/5rm1/PP6/1NM5/1K6/8/6R1 w - - 0 1", "go wtime 100"),
        ("position startpos moves e3e4", "go btime 100"),
        ("position startpos moves e3e4", "go wtime 100"),
        ("position startpos", "go nodes 1"),
        ("position startpos", "go nodes 3000"),
        ("position startpos", "go depth 1"),
        ("position startpos", "go depth 5"),
        ("position startpos", "go movetime 1"),
        ("position startpos", "go movetime 150"),
    ] {
        let mut engine = Engine::playing("makruk");
        engine.send(position);
        let answer = engine.go(go);
        for line in &answer.before {
            if !line.starts_with("info string") {
                assert_search_info(line);
            }
        }
        let info = answer.last_info();
        assert_eq!(words_after(info, "pv", 1), answer.best, "{go}: {info}");
        for word in ["depth", "seldepth", "nodes", "nps", "hashfull", "tbhits", "time"] {
            assert!(info.contains(&format!(" {word} ")), "{info}");
        }
    }
}

#[test]
fn every_limit_is_kept() {
    for game in GAMES {
        let mut engine = Engine::playing(game);
        engine.send("position startpos");
        let last = |answer: &crate::harness::Answer, word: &str| -> u64 {
            words_after(answer.last_info(), word, 1).parse().unwrap()
        };
        assert_eq!(last(&engine.go("go depth 4"), "depth"), 4);
        assert!(last(&engine.go("go nodes 5000"), "nodes") < 50_000);
        assert!(last(&engine.go("go movetime 100"), "time") < 10_000);
        assert_eq!(last(&engine.go("go depth 4 nodes 100000000 movetime 1000000"), "depth"), 4);
        drop(engine);
    }
}

#[test]
fn a_mate_is_found_and_ends_the_search() {
    let mut engine = Engine::playing("makruk");
    engine.send("position fen k7/8/K7/8/8/8/8/1R5R w - - 0 1");
    for go in ["go mate 1", "go mate 5", "go depth 4", "go nodes 20000"] {
        let answer = engine.go(go);
        assert_eq!(answer.best, "h1h8", "{go}");
        assert_eq!(answer.score(), "mate 1", "{go}");
    }
}

#[test]
fn malformed_numbers_are_named_and_never_hang() {
    let mut engine = Engine::playing("makruk");
    engine.send("position startpos");
    // The first search also says which evaluation is used.
    engine.go("go depth 1");
    for go in [
        "go depth x",
        "go depth",
        "go nodes 1e6",
        "go movetime soon",
        "go wtime 1.5",
        "go wtime",
        "go mate ?",
        "go depth nodes",
    ] {
        let answer = engine.go(go);
        assert_eq!(answer.notes().len(), 1, "{go}: {answer:?}");
    }
    let answer = engine.go("go depth x nodes 500 fast");
    assert_eq!(answer.notes().len(), 1);
    assert_eq!(answers(&engine.finish()), 0);
}

#[test]
fn nodestime_counts_in_nodes() {
    let mut engine = Engine::playing("makruk");
    engine.send("setoption name nodestime value 100");
    engine.send("position startpos");
    let answer = engine.go("go movetime 50");
    let nodes: u64 = words_after(answer.last_info(), "nodes", 1).parse().unwrap();
    assert!(nodes < 50_000, "{}", answer.last_info());
}
