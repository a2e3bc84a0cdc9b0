//! Rules as the program shows them: counts, promotions, captures, results.

use crate::harness::{Engine, notes};

fn fen_after(engine: &mut Engine, position: &str) -> String {
    let said = engine.ask(&format!("position fen {position}"));
    assert_eq!(said, [""; 0], "{position}");
    engine.fen()
}

#[test]
fn s18_no_count_while_pawns_remain() {
    let mut engine = Engine::playing("makruk");
    for (position, fen) in [
        ("4k3/8/8/3n4/3R4/P7/8/3K4 w - - 0 1 moves d4d5", "4k3/8/8/3R4/8/P7/8/3K4 b - - 0 1"),
        ("4k3/8/8/3n4/3R4/8/8/3K4 w - - 0 1 moves d4d5", "4k3/8/8/3R4/8/8/8/3K4 b - 32 6 1"),
        // The last pawn promotes against a bare king: the count begins.
        ("4k3/8/8/3R4/P7/8/8/3K4 w - - 0 1 moves a4a5 e8e7", "8/4k3/8/P2R4/8/8/8/3K4 w - - 1 2"),
        ("4k3/8/8/P2R4/8/8/8/3K4 w - - 0 1 moves a5a6m", "4k3/8/M7/3R4/8/8/8/3K4 b - 32 8 1"),
    ] {
        assert_eq!(fen_after(&mut engine, position), fen, "{position}");
    }
    engine.send("position fen 4k3/8/8/3n4/3R4/P7/8/3K4 w - - 0 1 moves d4d5");
    let answer = engine.go("go depth 8");
    let score = answer.score();
    let lost = score.starts_with("mate -")
        || score.strip_prefix("cp -").is_some_and(|cp| cp.parse::<i32>().unwrap() > 300);
    assert!(lost, "Black is lost: {score}");
}

#[test]
fn s19_the_smallest_limit_counts() {
    let mut engine = Engine::playing("makruk");
    for (position, end) in [
        ("4k3/8/8/3n4/8/2N1S3/4N3/3K4 w - - 0 1 moves c3d5", " b - 64 10 1"),
        ("4k3/8/8/3n4/8/2N5/8/R2K3R w - - 0 1 moves c3d5", " b - 16 10 1"),
        ("4k3/8/8/3n4/8/2N5/4S3/R2K4 w - - 0 1 moves c3d5", " b - 32 10 1"),
        ("4k3/8/8/3n4/8/2N1SS2/8/3K4 w - - 0 1 moves c3d5", " b - 44 10 1"),
    ] {
        let fen = fen_after(&mut engine, position);
        assert!(fen.ends_with(end), "{position}: {fen}");
    }
}

#[test]
fn s20_asean_counts_from_nothing_needs_no_met_and_no_pawns() {
    let mut engine = Engine::playing("asean");
    for (position, fen) in [
        ("4k3/3r4/2K5/8/3R4/8/8/8 w - - 0 1 moves d4d7", "4k3/3R4/2K5/8/8/8/8/8 b - 32 0 1"),
        ("4k3/3r4/2K5/8/3R4/1P6/8/8 w - - 0 1 moves d4d7", "4k3/3R4/2K5/8/8/1P6/8/8 b - - 0 1"),
        ("8/8/4K3/3Q4/1k1N4/5b2/8/8 w - - 0 1 moves d4f3", "8/8/4K3/3Q4/1k6/5N2/8/8 b - 128 0 1"),
    ] {
        assert_eq!(fen_after(&mut engine, position), fen, "{position}");
    }
}

#[test]
fn s20_cutechess_counts_asean_as_before_the_clarification() {
    let mut engine = Engine::playing("asean");
    engine.send("setoption name RuleSet value cutechess");
    engine.send("position fen 4k3/3r4/2K5/8/3R4/1P6/8/8 w - - 0 1 moves d4d7");
    let words = engine.ask("count").join("\n");
    assert!(words.contains("128 plies"), "{words}");
}

#[test]
fn s21_the_last_pawn_is_taken_only_with_a_mate_in_sight() {
    let mut engine = Engine::playing("makruk");
    assert_eq!(engine.ask("position fen 8/8/5k2/7p/6SS/8/3K4/8 w 0 1"), [""; 0]);
    assert_eq!(engine.legal_moves().len(), 16);
    let answer = engine.go("go movetime 2000");
    let score = answer.score();
    assert!(!score.contains('-') && score != "cp 0", "White is better: {score}");
    if matches!(answer.best.as_str(), "h4h5" | "g4h5") {
        assert!(score.starts_with("mate "), "{} {score}", answer.best);
        let said =
            |note: &&str| note.starts_with(&answer.best) && note.contains("begins the count");
        assert!(answer.notes().iter().any(said), "{answer:?}");
    }
}

#[test]
fn s22_promotions_are_written_in_small_letters_and_never_missed() {
    let pawn = "4k3/8/8/P7/8/8/8/4K3 w - - 0 1";
    let mut engine = Engine::playing("makruk");
    engine.send(&format!("position fen {pawn}"));
    let moves = engine.legal_moves();
    assert_eq!(moves.len(), 6);
    assert!(moves.contains(&"a5a6m".to_owned()));
    let promoted = fen_after(&mut engine, &format!("{pawn} moves a5a6m"));
    assert!(promoted.starts_with("4k3/8/M7/8/8/8/8/4K3 b "), "{promoted}");
    assert_eq!(fen_after(&mut engine, &format!("{pawn} moves a5a6M")), promoted);
    for text in ["a5a6", "a5a6q"] {
        let said = engine.ask(&format!("position fen {pawn} moves {text}"));
        let fen = engine.fen();
        // Either the only promotion or a refusal, never a pawn on a6.
        assert!(
            fen == promoted && said.is_empty() || fen == pawn && notes(&said).len() == 1,
            "{text} {fen}"
        );
    }
    let mut engine = Engine::playing("asean");
    engine.send("position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    let moves = engine.legal_moves();
    assert_eq!(moves.len(), 9);
    for text in ["a7a8r", "a7a8n", "a7a8b", "a7a8q"] {
        assert!(moves.contains(&text.to_owned()), "{text}");
        let fen = fen_after(&mut engine, &format!("4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves {text}"));
        assert!(fen.starts_with(&text[4..].to_uppercase()), "{fen}");
    }
    for text in ["a7a8", "a7a8k", "a7a8p", "a7a8m"] {
        let said = engine.ask(&format!("position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves {text}"));
        assert_eq!(notes(&said).len(), 1, "{text}");
        assert!(engine.fen().starts_with("4k3/P7/"), "{text}");
    }
}

#[test]
fn s23_a_man_that_crowns_in_a_capture_stops() {
    let mut engine = Engine::playing("makhos");
    // The report names squares of the color that is not played on, which is read as its mirror
    // image; the second form is the same position by its square numbers.
    for (fen, capture, stays) in [
        ("W:Wc6:Bd7,f7", "f6d8", "B6"),
        ("W:W10:B7,8", "d6f8", "B8"),
        ("B:W25,26:B23", "e3c1", "W25"),
    ] {
        engine.send(&format!("position fen {fen}"));
        assert_eq!(engine.legal_moves(), [capture], "{fen}");
        let after = fen_after(&mut engine, &format!("{fen} moves {capture}"));
        assert!(after.contains('K') && after.contains(stays), "{fen}: {after}");
    }
}

#[test]
fn s24_two_captures_with_the_same_ends_are_told_apart() {
    let mut engine = Engine::playing("makhos");
    engine.send("position fen W:Wd2:Bc3,e3,c5,e5");
    let mut moves = engine.legal_moves();
    moves.sort();
    assert_eq!(moves, ["d2b4d6", "d2f4d6"]);
    let ends: Vec<String> = moves
        .iter()
        .map(|text| fen_after(&mut engine, &format!("W:Wd2:Bc3,e3,c5,e5 moves {text}")))
        .collect();
    assert_ne!(ends[0], ends[1]);
    for text in ["d2d6", "d2xd6", "d2b4", "d2b4d6f8"] {
        let said = engine.ask(&format!("position fen W:Wd2:Bc3,e3,c5,e5 moves {text}"));
        assert_eq!(notes(&said).len(), 1, "{text}: {said:#?}");
        assert!(engine.fen().contains("W:W"), "{text}");
    }
    let answer = engine.go("go depth 3");
    assert!(moves.contains(&answer.best), "{}", answer.best);
    // From and to are enough where they are unique.
    let long = fen_after(&mut engine, "W:Wd2:Bc3,c5 moves d2b4d6");
    assert_eq!(fen_after(&mut engine, "W:Wd2:Bc3,c5 moves d2d6"), long);
}

#[test]
fn makhos_fens_of_every_form_are_read() {
    let mut engine = Engine::playing("makhos");
    let start = engine.fen();
    for fen in [
        "W:W25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8",
        "W:W25-32:B1-8",
        "W:W25-32:B1-8.",
        "W:Wa1,c1,e1,g1,b2,d2,f2,h2:Bb8,d8,f8,h8,a7,c7,e7,g7",
        "1b1b1b1b/b1b1b1b1/8/8/8/8/1w1w1w1w/w1w1w1w1 w",
        "b1b1b1b1/1b1b1b1b/8/8/8/8/w1w1w1w1/1w1w1w1w w",
    ] {
        assert_eq!(fen_after(&mut engine, fen), start, "{fen}");
    }
    assert_eq!(engine.legal_moves().len(), 7);
}

#[test]
fn the_result_of_every_kind_of_game_is_shown() {
    let shuffle = |cycle: &str, n: usize| vec![cycle; n].join(" ");
    let knights = shuffle("b1d2 b8d7 d2b1 d7b8", 2);
    let kings = shuffle("a1b2 b8a7 b2a1 a7b8", 2);
    for (game, options, position, result) in [
        ("makruk", "", "startpos".to_owned(), "ongoing"),
        ("makruk", "", "fen k7/8/K7/8/8/8/8/1R5R w - - 0 1 moves h1h8".into(), "checkmate"),
        ("makruk", "", "fen k7/1R6/2K5/8/8/8/8/8 b - - 0 1".into(), "stalemate"),
        ("makhos", "", "fen W:W29:B25,22".into(), "no moves"),
        ("makruk", "", "fen 8/8/3k4/8/8/8/R7/K7 w - 32 33 60".into(), "draw: counting"),
        ("makruk", "CountingRule none", "fen 8/8/3k4/8/8/8/R7/K7 w - 32 33 60".into(), "ongoing"),
        ("makruk", "", format!("startpos moves {knights}"), "draw: repetition"),
        ("makruk", "Repetition off", format!("startpos moves {knights}"), "ongoing"),
        ("asean", "", format!("startpos moves {knights}"), "draw: repetition"),
        ("asean", "", "fen 8/8/3kr3/8/8/8/R6P/K7 w - - 100 80".into(), "draw: n-move rule"),
        (
            "asean",
            "FiftyMoveRule false",
            "fen 8/8/3kr3/8/8/8/R6P/K7 w - - 100 80".into(),
            "ongoing",
        ),
        ("makhos", "", "fen W:WK1,K3:BK29,K30:H50:F40".into(), "draw: n-move rule"),
        ("makhos", "MakhosQuietPlies 0", "fen W:WK1,K3:BK29,K30:H50:F40".into(), "ongoing"),
        ("makruk", "", "fen 8/8/3k4/8/8/8/8/K7 w - - 0 1".into(), "draw: dead position"),
        ("makruk", "DeadPosition off", "fen 8/8/3k4/8/8/8/8/K7 w - - 0 1".into(), "ongoing"),
        ("makhos", "", "fen W:WK2:BK27".into(), "draw: lone kings"),
        ("makhos", "MakhosKK play", "fen W:WK2:BK27".into(), "ongoing"),
        ("makhos", "", format!("fen W:WKa1,Kc1:BKb8,Kd8 moves {kings}"), "draw: repetition"),
        (
            "makhos",
            "MakhosRepetition 0",
            format!("fen W:WKa1,Kc1:BKb8,Kd8 moves {kings}"),
            "ongoing",
        ),
        (
            "makruk",
            "MaxGameMoves 2",
            "startpos moves e3e4 e6e5 d3d4 d6d5".into(),
            "draw: game length",
        ),
        ("makruk", "MaxGameMoves 3", "startpos moves e3e4 e6e5 d3d4 d6d5".into(), "ongoing"),
    ] {
        let mut engine = Engine::playing(game);
        if let Some((name, value)) = options.split_once(' ') {
            assert_eq!(engine.ask(&format!("setoption name {name} value {value}")), [""; 0]);
        }
        let said = engine.ask(&format!("position {position}"));
        assert_eq!(said, [""; 0], "{game} {position}");
        assert_eq!(engine.result(), result, "{game} {options} {position}");
        // A drawn game may still be searched: an arbiter may play on.
        let legal = engine.legal_moves();
        let answer = engine.go("go depth 2");
        assert!(legal.contains(&answer.best) || legal.is_empty() && answer.best == "(none)");
    }
}

#[test]
fn the_board_is_drawn_and_flipped() {
    for (game, position) in [
        ("makruk", "fen 4k3/8/8/P7/8/8/8/R3K3 w - - 3 7"),
        ("asean", "fen 8/2k5/8/3B4/2BQ4/3K4/8/8 b - 88 10 60"),
        ("makhos", "fen W:W20,21,28,29,K31:B10,11"),
    ] {
        let mut engine = Engine::playing(game);
        engine.send(&format!("position {position}"));
        let lines = engine.ask("d");
        for label in ["a   b   c   d   e   f   g   h", " 8", " 1"] {
            assert!(lines.iter().any(|line| line.contains(label)), "{label}");
        }
        let key = engine.shown("Key:");
        assert!(!key.is_empty() && key.chars().all(|c| c.is_ascii_hexdigit()), "{key}");
        let before = (engine.fen(), engine.legal_moves().len());
        engine.send("flip");
        assert_ne!(engine.fen(), before.0);
        assert_eq!(engine.legal_moves().len(), before.1);
        engine.send("flip");
        assert_eq!((engine.fen(), engine.legal_moves().len()), before);
        assert_eq!(engine.shown("Key:"), key);
        assert_eq!(engine.ask("moves")[0].split(' ').count(), before.1);
        assert!(engine.ask("eval")[0].starts_with("Evaluation:"));
    }
    let mut engine = Engine::playing("makruk");
    engine.send("position fen 8/8/3k4/8/8/3K4/8/8 w - - 0 1");
    assert!(engine.ask("eval")[0].contains("the game is over: 1/2-1/2"));
}

#[test]
fn perft_shows_each_move_and_the_sum() {
    for (game, counts) in [
        ("makruk", [1, 23, 529, 12_012]),
        ("asean", [1, 23, 529, 12_012]),
        ("makhos", [1, 7, 49, 392]),
    ] {
        for threads in [1, 2] {
            let mut engine = Engine::playing(game);
            engine.send(&format!("setoption name Threads value {threads}"));
            for (depth, count) in counts.iter().enumerate() {
                engine.send(&format!("go perft {depth}"));
                let lines = engine.wait_for("Nodes searched: ");
                assert_eq!(*lines.last().unwrap(), format!("Nodes searched: {count}"));
                let parts = lines.iter().filter_map(|line| line.split_once(": "));
                let sum: u64 = parts
                    .filter(|(text, _)| *text != "Nodes searched")
                    .map(|(_, n)| n.parse::<u64>().unwrap())
                    .sum();
                assert!(sum == *count || depth == 0, "{game} {depth}");
            }
        }
    }
}

#[test]
fn the_count_is_explained() {
    for (game, position, words) in [
        ("makruk", "startpos", &["No count runs"][..]),
        (
            "makruk",
            "fen 4k3/8/8/3R4/8/8/8/3K4 b - 32 6 1",
            &["pieces' honour", "Black", "16 moves (32 plies)", "3 moves (6 plies)", "27 plies"],
        ),
        (
            "makruk",
            "fen 3s4/8/7k/4r3/S7/4M3/8/7K w - 128 35 56",
            &["board's honour", "64 moves (128 plies)", "(35 plies)", "94 plies"],
        ),
        (
            "makruk",
            "fen 8/8/8/4k3/8/8/R7/K7 w - 32 1 2",
            &[
                "half a move (1 ply)",
                "drawn at ply 33",
                "32 plies up to the draw: White makes 16 of them, Black 16",
            ],
        ),
        ("asean", "fen 4k3/3R4/2K5/8/8/8/8/8 b - 32 0 1", &["16 moves (32 plies)", "Black"]),
        ("asean", "startpos", &["50-move rule", "100 plies", "No count of an ending runs"]),
        ("makhos", "fen W:WK1,K3:BK29,K30:H20:F40", &["quiet-move rule", "(20 plies)", "30 plies"]),
    ] {
        let mut engine = Engine::playing(game);
        engine.send(&format!("position {position}"));
        let text = engine.ask("count").join("\n");
        assert!(!(text.contains("Rule:") && text.contains("No count runs")), "{text}");
        assert!(!text.contains("(1 plies)") && !text.contains(" 1 plies"), "{text}");
        for word in words {
            assert!(text.contains(word), "{game} {position}: no '{word}' in\n{text}");
        }
    }
}

/// A game that has ended has no plies left.
#[test]
fn nothing_is_left_of_a_count_when_the_game_is_over() {
    for (game, position, protects) in [
        ("makruk", "fen 7k/8/6K1/8/8/8/8/R7 w - 32 8 60 moves a1a8", true),
        ("makruk", "fen 7k/8/5K2/8/8/8/R7/8 w - 32 32 60 moves a2a1", true),
        // Of two bare kings neither counts.
        ("makruk", "fen 8/8/8/8/8/2k5/2R5/K7 b - 32 11 1 moves c3c2", false),
        ("asean", "fen 7k/8/6K1/8/8/8/8/R7 w - 32 8 60 moves a1a8", true),
        ("makhos", "fen W:W18:B15 moves d4f6", false),
        ("makhos", "fen W:WK4,K12:BK29,K21:H49:F60 moves h8g7", false),
    ] {
        let mut engine = Engine::playing(game);
        engine.send(&format!("position {position}"));
        let text = engine.ask("count").join("\n");
        assert!(text.contains("Left: nothing, the game is over."), "{position}: {text}");
        assert!(!text.contains("up to the draw"), "{text}");
        assert_eq!(text.contains("whom the count protects"), protects, "{position}: {text}");
    }
}

#[test]
fn the_federation_count_is_explained_as_it_is_played() {
    const FEN: &str = "position fen 3s4/8/7k/4r3/S7/4M3/8/7K w - 128 0 50";
    let mut engine = Engine::playing("makruk");
    engine.send("setoption name RuleSet value federation");
    engine.send(FEN);
    let text = engine.ask("count").join("\n");
    assert!(text.contains("Who counts: nobody, before a player starts it"), "{text}");
    engine.send("setoption name BoardCountStart value 100");
    engine.send(&format!("{FEN} moves h1g1 h6g6"));
    let text = engine.ask("count").join("\n");
    assert!(text.contains("Who counts: Black"), "{text}");
    assert!(text.contains("mate by him is a draw"), "{text}");
}

#[test]
fn a_search_under_a_count_says_so_once() {
    let mut engine = Engine::playing("makruk");
    engine.send("position fen 4k3/8/8/3R4/8/8/8/3K4 b - 32 6 1");
    let answer = engine.go("go depth 3");
    let counts = answer.notes().iter().filter(|note| note.starts_with("count 3/16")).count();
    assert_eq!(counts, 1, "{answer:?}");
    engine.send("position startpos");
    assert_eq!(engine.go("go depth 3").notes(), [""; 0]);
}
