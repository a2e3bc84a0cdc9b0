//! The life cycle of a search: it answers when it should, once, and not before.

use std::thread;
use std::time::Duration;

use crate::harness::{Engine, PATIENCE, answers, assert_search_info};

const GAMES: [&str; 3] = ["makruk", "asean", "makhos"];
/// Few pieces, one legal move (a8b8).
const ONE_MOVE: &str = "k7/2R5/1K6/8/8/8/8/7R b - - 0 1";
/// White mates with h1h8.
const MATE_IN_ONE: &str = "k7/8/K7/8/8/8/8/1R5R w - - 0 1";
const A_WHILE: Duration = Duration::from_millis(700);

/// Everything that the program says to a script that ends.
fn piped(script: &str) -> Vec<String> {
    let mut engine = Engine::start();
    engine.send_bytes(script.as_bytes());
    engine.finish()
}

#[test]
fn s01_a_piped_script_gets_its_search() {
    for game in GAMES {
        let lines = piped(&format!(
            "uci\nsetoption name UCI_Variant value {game}\nposition startpos\ngo depth 8\n"
        ));
        assert_eq!(answers(&lines), 1, "{lines:#?}");
        assert!(lines.last().unwrap().starts_with("bestmove "));
        assert!(lines.iter().any(|line| line.starts_with("info depth 8 ")), "{lines:#?}");
    }
}

#[test]
fn s01_every_bounded_search_ends_by_itself_after_the_input() {
    for go in [
        "go nodes 2000",
        "go movetime 300",
        "go wtime 2000 btime 2000 winc 10 binc 10",
        "go depth 3 movetime 100000",
        "go mate 1",
        "go searchmoves e3e4 depth 2",
    ] {
        // No line end after the last line: scripts forget it.
        let lines = piped(&format!("position fen {MATE_IN_ONE}\n{go}"));
        assert_eq!(answers(&lines), 1, "{go}: {lines:#?}");
    }
}

#[test]
fn s01_a_script_may_search_several_times() {
    let lines = piped(
        "position startpos\ngo depth 3\nposition startpos moves e3e4\ngo depth 3\n\
         setoption name UCI_Variant value makhos\ngo depth 4\nd\ngo perft 3\n",
    );
    assert_eq!(answers(&lines), 3, "{lines:#?}");
    assert_eq!(lines.last().unwrap(), "Nodes searched: 392");
}

#[test]
fn s01_an_endless_search_stops_with_the_input() {
    for (go, expected) in
        [("go infinite", 1), ("go ponder wtime 1000 btime 1000", 1), ("go", 1), ("", 0)]
    {
        let lines = piped(&format!("position startpos\n{go}\n"));
        assert_eq!(answers(&lines), expected, "{go}: {lines:#?}");
    }
    let lines = piped("position startpos\ngo depth 2\ngo infinite\n");
    assert_eq!(answers(&lines), 2, "{lines:#?}");
}

#[test]
fn s02_a_finished_game_is_answered_and_survived() {
    for (game, fen, moves, score) in [
        ("makruk", MATE_IN_ONE, "moves h1h8", "mate 0"),
        ("makruk", "k7/1R6/2K5/8/8/8/8/8 b - - 0 1", "", "cp 0"),
        ("asean", MATE_IN_ONE, "moves h1h8", "mate 0"),
        ("makhos", "W:W29:B25,22", "", "mate 0"),
        ("makhos", "W:W:B1,2", "", "mate 0"),
    ] {
        let mut engine = Engine::playing(game);
        for go in ["go depth 6", "go movetime 200", "go wtime 100 btime 100", "go infinite"] {
            let before = engine.transcript.len();
            engine.send(&format!("position fen {fen} {moves}"));
            engine.send(go);
            if go == "go infinite" {
                engine.expect_no_answer(A_WHILE);
                engine.send("stop");
            }
            let answer = engine.answer();
            assert_eq!(answer.best, "(none)", "{game} {fen} {go}");
            let said = engine.transcript[before..].iter().filter(|l| l.starts_with("info depth"));
            assert_eq!(said.collect::<Vec<_>>(), [&format!("info depth 0 score {score}")], "{go}");
        }
        engine.send("position startpos");
        let answer = engine.go("go depth 3");
        assert!(engine.legal_moves().contains(&answer.best));
    }
}

#[test]
fn s03_infinite_never_answers_by_itself() {
    let asked = ["go", "go infinite", "go depth 2 infinite", "go nodes 10 infinite"];
    for go in asked.into_iter().chain(["go infinite mate 1"]) {
        let mut engine = Engine::playing("makruk");
        engine.send(&format!("position fen {ONE_MOVE}"));
        engine.send(go);
        engine.expect_no_answer(A_WHILE);
        engine.send("stop");
        assert_eq!(engine.answer().best, "a8b8");
        assert_eq!(answers(&engine.finish()), 0, "one answer is enough");
    }
}

#[test]
fn s04_isready_is_answered_while_anything_runs() {
    for work in
        ["go infinite", "go movetime 100000", "go ponder movetime 1", "go perft 40", "bench 60"]
    {
        for game in GAMES {
            let mut engine = Engine::playing(game);
            engine.send("position startpos");
            engine.send(work);
            for _ in 0..20 {
                let before = engine.sync();
                assert_eq!(answers(&before), 0, "{work}: {before:#?}");
            }
            engine.send("stop");
            if work.starts_with("go") && !work.contains("perft") {
                engine.answer();
            }
            engine.send("d");
            engine.wait_for("Fen: ");
            engine.send("quit");
            let (status, lines) = engine.wait_exit();
            assert!(status.success());
            assert_eq!(answers(&lines), 0);
        }
    }
}

#[test]
fn s05_a_pondering_search_waits_for_ponderhit_or_stop() {
    for word in ["ponderhit", "stop"] {
        let mut engine = Engine::playing("makruk");
        engine.send("setoption name Ponder value true");
        engine.send(&format!("position fen {MATE_IN_ONE}"));
        engine.send("go ponder wtime 300 btime 300");
        engine.expect_no_answer(A_WHILE);
        engine.send(word);
        assert_eq!(engine.answer().best, "h1h8");
        assert_eq!(answers(&engine.finish()), 0);
    }
}

#[test]
fn s05_ponderhit_and_stop_out_of_place_do_nothing() {
    let mut engine = Engine::playing("asean");
    engine.send("ponderhit");
    engine.send("stop");
    engine.send("position startpos");
    engine.send("go ponder depth 1");
    engine.expect_no_answer(A_WHILE);
    engine.send("ponderhit");
    engine.send("ponderhit");
    engine.answer();
    engine.send("stop");
    engine.send("stop");
    engine.go("go depth 2");
    assert_eq!(answers(&engine.finish()), 0);
}

#[test]
fn a_ponderhit_is_for_the_search_that_was_asked_for_last() {
    let mut engine = Engine::playing("makruk");
    // The ponder search has to wait, and its hit comes before it has begun.
    engine.send_bytes(b"go perft 5\ngo ponder depth 3\nponderhit\n");
    engine.wait_for("Nodes searched: ");
    engine.wait_for("bestmove ");
}

#[test]
fn a_ponder_move_is_legal_after_the_best_move() {
    for game in GAMES {
        let mut engine = Engine::playing(game);
        engine.send("position startpos");
        let answer = engine.go("go depth 6");
        let ponder = answer.ponder.unwrap();
        engine.send(&format!("position startpos moves {}", answer.best));
        assert!(engine.legal_moves().contains(&ponder), "{game} {} {ponder}", answer.best);
    }
}

#[test]
fn stop_at_any_moment_brings_one_answer() {
    for game in GAMES {
        let mut engine = Engine::playing(game);
        for round in 0..25 {
            engine.send("position startpos");
            engine.send(
                ["go infinite", "go ponder wtime 9000 btime 9000", "go movetime 60000"][round % 3],
            );
            thread::sleep(Duration::from_micros(700 * (round as u64).pow(2)));
            engine.send("stop");
            let answer = engine.answer();
            answer
                .before
                .iter()
                .filter(|l| l.starts_with("info depth"))
                .for_each(|l| assert_search_info(l));
            assert!(!answer.exact_infos().is_empty(), "{game} round {round}");
            assert!(engine.legal_moves().contains(&answer.best));
        }
        assert_eq!(answers(&engine.finish()), 0);
    }
}

#[test]
fn quit_at_any_moment_ends_the_program() {
    for (work, delays) in [
        ("", [0, 5, 50]),
        ("go infinite", [0, 5, 50]),
        ("go ponder", [0, 5, 50]),
        ("go depth 60", [0, 5, 50]),
        ("go movetime 60000", [0, 5, 50]),
        // Right behind these, quit belongs to a script.
        ("go perft 40", [250, 300, 400]),
        ("bench 60", [250, 300, 400]),
    ] {
        for delay in delays {
            let mut engine = Engine::playing("makruk");
            engine.send("position startpos");
            engine.send(work);
            thread::sleep(Duration::from_millis(delay));
            engine.send("quit");
            let (status, lines) = engine.wait_exit();
            assert!(status.success(), "{work}: {status}");
            let search = work.starts_with("go") && !work.contains("perft");
            assert_eq!(answers(&lines), usize::from(search), "{lines:#?}");
        }
    }
}

#[test]
fn quit_right_behind_perft_or_bench_lets_them_finish() {
    let lines = piped("position startpos\ngo perft 5\nquit\n");
    assert_eq!(lines.last().unwrap(), "Nodes searched: 6223994");
    let lines = piped("bench 3 makhos\nquit\n");
    assert!(lines.last().unwrap().ends_with(" nps"), "{lines:#?}");
    // Not even twice, and a search is no tally.
    let lines = piped("go perft 40\nquit\nquit\n");
    assert!(!lines.iter().any(|line| line.starts_with("Nodes searched")));
}

#[test]
fn a_second_go_waits_for_a_bounded_search_and_ends_an_endless_one() {
    for (first, number) in [("go depth 5", 2), ("go infinite", 2), ("go ponder", 2)] {
        let mut engine = Engine::playing("makruk");
        engine.send("position startpos");
        engine.send(first);
        engine.send("position startpos moves e3e4");
        engine.send("go depth 2");
        let (one, two) = (engine.answer(), engine.answer());
        assert_eq!(answers(&engine.sync()) + 2, number);
        assert!(engine.legal_moves().contains(&two.best), "{first}");
        engine.send("position startpos");
        assert!(engine.legal_moves().contains(&one.best), "{first}");
    }
}

#[test]
fn stop_means_every_search_sent_before_it() {
    let mut engine = Engine::playing("makruk");
    engine.send("position startpos\ngo movetime 100000\ngo movetime 100000\ngo infinite\nstop");
    for _ in 0..3 {
        engine.answer();
    }
    assert_eq!(answers(&engine.finish()), 0);
}

#[test]
fn options_and_positions_wait_for_the_search() {
    let mut engine = Engine::playing("makruk");
    engine.send("position startpos");
    engine.send("go infinite");
    engine.send("setoption name Hash value 32");
    engine.send("setoption name UCI_Variant value asean");
    engine.send("position startpos moves e3e4");
    engine.expect_no_answer(A_WHILE);
    assert!(engine.sync().is_empty() || answers(&engine.transcript) == 0);
    engine.send("stop");
    engine.answer();
    assert_eq!(engine.fen(), "rnbqkbnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNBQKBNR b - - 0 1");
}

#[test]
fn a_new_game_in_the_middle_of_a_search_is_survived() {
    let mut engine = Engine::playing("makhos");
    for _ in 0..5 {
        engine.send("position startpos");
        engine.send("go infinite");
        engine.send("ucinewgame");
        engine.answer();
    }
    engine.sync();
    assert_eq!(answers(&engine.finish()), 0);
}

#[test]
fn a_reader_that_goes_away_ends_the_program() {
    let mut child = crate::harness::hanuman()
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, b"uci\nposition startpos\ngo depth 60\n").unwrap();
    drop(stdin);
    let deadline = std::time::Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        assert!(std::time::Instant::now() < deadline, "it does not end");
        thread::sleep(Duration::from_millis(5));
    }
}
