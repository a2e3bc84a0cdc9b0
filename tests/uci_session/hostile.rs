//! Input that no well-behaved program sends.

use crate::harness::{Engine, assert_uci_line, notes};

const GAMES: [&str; 3] = ["makruk", "asean", "makhos"];

/// FENs that are no position of the game.
fn bad_fens(game: &str) -> Vec<String> {
    let mut fens: Vec<String> =
        ["", " ", "startpos", "garbage", "8", "/", "////////", "\u{fffd}\u{1f600}", "w", "-"]
            .map(str::to_owned)
            .to_vec();
    fens.push("x".repeat(100_000));
    fens.push("8/".repeat(50_000));
    fens.push("k".repeat(100_000));
    fens.push("9".repeat(1000));
    fens.push(format!("W:W{}", "1,".repeat(50_000)));
    if game == "makhos" {
        fens.extend(
            [
                "W:W1:B2",
                "W:W33:B2",
                "W:W0:B2",
                "W:Wa2:Bb8",
                "W:WK5,K5:B2",
                "W:W5:B5",
                "X:W20:B2",
                "W:W20:B29",
                "W:W20:B2:Hx",
                "W:W13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29:B1",
                "b1b1b1b1/8/8/8/8/8/8/w1w1w1w1 w",
                "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
            ]
            .map(str::to_owned),
        );
    } else {
        fens.extend(
            [
                "8/8/8/8/8/8/8/3KR3 w - - 0 1",
                "3k4/8/8/8/8/8/8/4R3 w - - 0 1",
                "8/8/8/8/8/8/8/8 w - - 0 1",
                "3kk3/8/8/8/8/8/8/3K4 w - - 0 1",
                "3k4/8/8/8/8/8/8/3KK3 w - - 0 1",
                "3k4/8/8/8/8/8/8/3K4 x - - 0 1",
                "3k4/8/8/8/8/8/8/3K4",
                "3k4/8/8/8/8/8/8/3K3 w - - 0 1",
                "3k4/8/8/8/8/8/8/3K5 w - - 0 1",
                "3k4/8/8/8/8/8/3K4 w - - 0 1",
                "3k4/8/8/8/8/8/8/8/3K4 w - - 0 1",
                "3k4/8/8/8/8/8/8/3Kz3 w - - 0 1",
                "3k4/8/8/8/8/8/8/3K4 w - - 0 1 extra words here",
                "3k4/8/8/8/8/8/8/3KR3 w - - x 1",
                "rrrrkrrr/rrrrrrrr/rrrrrrrr/8/8/8/8/3K4 w - - 0 1",
                "W:W25:B1",
            ]
            .map(str::to_owned),
        );
    }
    fens
}

#[test]
fn s06_a_bad_fen_costs_one_note_and_leaves_the_position() {
    for game in GAMES {
        let mut engine = Engine::playing(game);
        let opening = if game == "makhos" { "b2c3" } else { "e3e4" };
        engine.send(&format!("position startpos moves {opening}"));
        let good = engine.fen();
        for fen in bad_fens(game) {
            let said = engine.ask(&format!("position fen {fen}"));
            assert_eq!(said.len(), 1, "{game} '{}': {said:#?}", &fen[..fen.len().min(60)]);
            assert_eq!(notes(&said).len(), 1);
            assert_uci_line(&said[0].replace(|c: char| !c.is_ascii(), "?"));
            assert!(said[0].len() < 1200);
        }
        assert_eq!(engine.fen(), good);
        let answer = engine.go("go depth 2");
        assert!(engine.legal_moves().contains(&answer.best));
        engine.send("position startpos");
        let answer = engine.go("go depth 2");
        assert!(engine.legal_moves().contains(&answer.best));
    }
}

#[test]
fn s06_every_fault_of_a_fen_is_named() {
    let mut engine = Engine::playing("makruk");
    let said = engine.ask("position fen 8/8/8/3z4/8/8/8/3KR4 x - - 0 1");
    for fault in ["'z' is no piece", "9 squares", "Black has 0 kings", "'x'"] {
        assert!(said[0].contains(fault), "{fault}: {said:#?}");
    }
}

#[test]
fn a_set_up_check_against_the_waiting_side_is_no_fault() {
    for (game, board, takes_king) in [
        ("makruk", "3kR3/8/8/8/8/8/8/3K4", "e8d8"),
        ("makruk", "3k4/3K4/8/8/8/8/8/7R", "d7d8"),
        ("asean", "3kR3/8/8/8/8/8/8/3K4", "e8d8"),
    ] {
        let mut engine = Engine::playing(game);
        engine.send(&format!("position fen {board} w - - 0 1"));
        let answer = engine.go("go depth 3");
        assert!(!answer.notes().iter().any(|note| note.contains("FEN")), "{answer:?}");
        assert_ne!(answer.best, takes_king, "{game} {board}");
        assert!(engine.legal_moves().contains(&answer.best), "{game} {board}: {answer:?}");
    }
}

#[test]
fn s07_moves_stop_before_the_first_that_is_not_legal() {
    let start = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
    for (game, fen, moves, bad) in [
        ("makruk", start, "b3b4 a1a8", "b3b4"),
        ("makruk", start, "h8h7 a1a8", "h8h7"),
        ("makruk", start, "a1b2 a1a8", "a1b2"),
        ("makruk", start, "a1a9 a1a8", "a1a9"),
        ("makruk", start, "g6h7 a1a8", "g6h7"),
        ("makruk", start, "0000 a1a8", "0000"),
        ("makruk", start, "a1a8m", "a1a8m"),
        ("makruk", start, "a1 a1a8", "a1"),
        ("makruk", start, "\u{e9}\u{e9} a1a8", "\u{e9}\u{e9}"),
        ("makruk", start, "a1a8a1a8a1a8a1a8a1a8a1a8a1a8a1a8", "a1a8a1a8"),
        ("asean", start, "b3b4 a1a8", "b3b4"),
        ("makhos", "W:Wc3:Bb8", "c3c4", "c3c4"),
        ("makhos", "W:Wc3:Bd4", "c3b4", "c3b4"),
        ("makhos", "W:Wd4:Bb8", "d4c3", "d4c3"),
    ] {
        let mut engine = Engine::playing(game);
        engine.send(&format!("position fen {fen}"));
        let before = engine.fen();
        let said = engine.ask(&format!("position fen {fen} moves {moves}"));
        assert_eq!(said.len(), 1, "{moves}: {said:#?}");
        assert!(notes(&said)[0].contains(bad), "{said:#?}");
        assert_eq!(engine.fen(), before, "{moves}");
        let answer = engine.go("go depth 2");
        assert!(engine.legal_moves().contains(&answer.best));
        if fen == start {
            assert_eq!(answer.best, "a1a8");
        }
    }
}

#[test]
fn s07_the_moves_before_an_illegal_one_are_played() {
    let mut engine = Engine::playing("makruk");
    let said = engine.ask("position startpos moves e3e4 e6e5 e4e5 d6d5");
    assert_eq!(notes(&said).len(), 1);
    assert!(notes(&said)[0].contains("e4e5"), "{said:#?}");
    let reached = engine.fen();
    engine.send("position startpos moves e3e4 e6e5");
    assert_eq!(engine.fen(), reached);
}

#[test]
fn s08_short_fens_and_empty_move_lists_are_read() {
    let mut engine = Engine::playing("makruk");
    for position in [
        "position fen 7k/8/6K1/8/8/8/8/R7 w - - moves",
        "position fen 7k/8/6K1/8/8/8/8/R7 w - - moves ",
        "position fen 7k/8/6K1/8/8/8/8/R7 w - -",
        "position fen 7k/8/6K1/8/8/8/8/R7 w - - 0",
        "position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1 moves",
        "position fen 7k/8/6K1/8/8/8/8/R7 w - 0 0 1",
        "position fen 7k/8/6K1/8/8/8/8/R7 w 0 1",
        "position   fen  7k/8/6K1/8/8/8/8/R7   w\t-  - ",
    ] {
        engine.send("position startpos");
        assert_eq!(engine.ask(position), [""; 0], "{position}");
        assert_eq!(engine.fen(), "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "{position}");
        let answer = engine.go("go depth 2");
        assert_eq!((answer.best.as_str(), answer.score().as_str()), ("a1a8", "mate 1"));
    }
    for position in ["position startpos moves", "position startpos"] {
        assert_eq!(engine.ask(position), [""; 0]);
        assert_eq!(engine.legal_moves().len(), 23);
    }
}

#[test]
fn s09_very_long_games_are_read_to_the_end() {
    for (game, start, cycle) in [
        ("makruk", "startpos", "b1d2 b8d7 d2b1 d7b8"),
        ("asean", "startpos", "b1d2 b8d7 d2b1 d7b8"),
        ("makhos", "fen W:WKa1:BKb8", "a1b2 b8a7 b2a1 a7b8"),
    ] {
        let mut engine = Engine::playing(game);
        engine.send(&format!("position {start}"));
        let legal = engine.legal_moves();
        for plies in [1600, 4000] {
            let moves = vec![cycle; plies / 4].join(" ");
            assert_eq!(engine.ask(&format!("position {start} moves {moves}")), [""; 0]);
            assert_eq!(engine.legal_moves(), legal, "{game} {plies}");
            let answer = engine.go("go depth 3");
            assert!(legal.contains(&answer.best));
            let rest = format!("position {start} moves {moves} {}", answer.best);
            assert_eq!(engine.ask(&rest), [""; 0]);
        }
    }
}

#[test]
fn s10_searchmoves_that_are_no_moves_are_named() {
    let mut engine = Engine::playing("makruk");
    engine.send("position startpos");
    let all = engine.legal_moves();
    let answer = engine.go("go depth 3 searchmoves e3e5");
    assert!(all.contains(&answer.best));
    assert!(answer.notes().iter().any(|note| note.contains("e3e5")), "{answer:?}");
    let answer = engine.go("go depth 3 searchmoves e3e4 zz99 e3e5");
    assert_eq!(answer.best, "e3e4");
    for bad in ["zz99", "e3e5"] {
        assert!(answer.notes().iter().any(|note| note.contains(bad)), "{answer:?}");
    }
    let answer = engine.go("go searchmoves depth 2");
    assert!(all.contains(&answer.best));
    for m in ["a3a4", "b1d2"] {
        for go in ["depth 4", "nodes 3000", "movetime 50"] {
            assert_eq!(engine.go(&format!("go {go} searchmoves {m}")).best, m);
            assert_eq!(engine.go(&format!("go searchmoves {m} {go}")).best, m);
        }
    }
    let answer = engine.go(&format!("go depth 1 searchmoves {}", "q9q9 ".repeat(20_000)));
    assert!(answer.before.len() < 50, "{}", answer.before.len());
}

#[test]
fn unknown_lines_cost_at_most_one_note() {
    let mut engine = Engine::playing("makruk");
    for line in [
        "",
        " ",
        "\t",
        "\u{0}",
        "xyzzy",
        "Go depth 3",
        "position",
        "position e3e4",
        "setoption",
        "setoption name",
        "debug",
        "debug on",
        "debug off",
        "register later",
        "bestmove e3e4",
        "info string",
        "go perft",
        "go perft x",
        "bench x",
        "\u{1b}[31m",
        "uciok",
        "perft 3",
    ] {
        let said = engine.ask(line);
        assert!(said.len() <= 1, "'{line}': {said:#?}");
        said.iter().for_each(|line| assert_uci_line(line));
    }
    for length in [100, 10_000, 1_000_000, 20_000_000] {
        engine.send_bytes(&vec![b'x'; length]);
        engine.send("");
        let said = engine.sync();
        assert_eq!(said.len(), 1, "{length}");
        assert!(said[0].len() < 200);
    }
    engine.send_bytes(b"\xff\xfe\xfd position startpos\nisready\r\nposition startpos\r\n");
    engine.wait_for("readyok");
    assert_eq!(engine.legal_moves().len(), 23);
}

/// Lines put together at random from the words of UCI, always the same ones.
#[test]
fn random_sessions_are_survived() {
    const WORDS: &[&str] = &[
        "uci",
        "isready",
        "ucinewgame",
        "setoption",
        "name",
        "value",
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "depth",
        "3",
        "nodes",
        "100",
        "mate",
        "2",
        "movetime",
        "5",
        "wtime",
        "btime",
        "-1",
        "winc",
        "binc",
        "movestogo",
        "0",
        "infinite",
        "ponder",
        "searchmoves",
        "perft",
        "1",
        "stop",
        "ponderhit",
        "d",
        "eval",
        "flip",
        "moves",
        "count",
        "debug",
        "on",
        "off",
        "help",
        "Hash",
        "Threads",
        "MultiPV",
        "UCI_Variant",
        "makruk",
        "asean",
        "makhos",
        "RuleSet",
        "cutechess",
        "yeeqia",
        "site",
        "CountingRule",
        "e3e4",
        "e6e5",
        "b2c3",
        "a1a8",
        "zz",
        "",
        "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
        "W:WKa1,c3:Bb8,Kh8",
        "8/8/8",
        "99999999999999999999",
        "\u{e9}",
    ];
    let mut engine = Engine::start();
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    let starts = [
        "position startpos",
        "position fen",
        "go",
        "setoption name",
        "stop",
        "d",
        "flip",
        "go depth 2",
    ];
    for _ in 0..1500 {
        let mut line =
            if random(4) == 0 { String::new() } else { starts[random(starts.len())].to_owned() };
        for _ in 0..random(7) {
            line.push(' ');
            line.push_str(WORDS[random(WORDS.len())]);
        }
        // Some lines allocate or think for long; they have tests of their own.
        if line.contains("9999") && (line.contains("Hash") || line.contains("Threads")) {
            continue;
        }
        engine.send(&line);
    }
    engine.send("stop");
    engine.sync();
    engine.send("quit");
    let (status, _) = engine.wait_exit();
    assert!(status.success(), "{status}");
}
