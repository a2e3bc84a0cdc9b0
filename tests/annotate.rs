//! `hanuman annotate`: games go in and come out the same, with remarks.
#![allow(clippy::unwrap_used)]

#[path = "common/folder.rs"]
mod folder;
#[path = "common/program.rs"]
mod program;

use std::path::Path;

use engine::game_text::{Game, Reader};
use folder::Folder;
use program::{hanuman, run, text};
use serde_json::Value;

/// Annotates games from standard input, quickly, and gives what comes out and what is complained of.
fn annotate(args: &[&str], games: &str) -> (String, String) {
    let output =
        run(&[&["annotate", "-", "--option", "Hash=1", "--nodes", "3000"], args].concat(), games);
    (text(&output.stdout), text(&output.stderr))
}

fn read(text: &str) -> Vec<Game> {
    Reader::new(text.as_bytes()).map(|game| game.unwrap().unwrap()).collect()
}

fn words(game: &Game) -> Vec<&str> {
    game.moves.iter().map(|m| m.text.as_str()).collect()
}

/// Games of each kind; the shipped program plays them in seconds.
const GAMES: usize = if cfg!(debug_assertions) { 20 } else { 100 };

/// Plays games of the program against itself and writes them to a file.
fn play(variant: &str, rules: &str, path: &Path) {
    let openings = format!("{}/../tests/data/openings/{variant}.epd", env!("CARGO_MANIFEST_DIR"));
    let openings: &[&str] = match variant {
        "makhos" => &["--opening-plies", "5"],
        _ => &["--openings", &openings, "--opening-order", "random"],
    };
    let match_args = [
        "match",
        "--engine",
        "name=A,option.Hash=1",
        "--engine",
        "name=B,option.Hash=1",
        "--nodes",
        "60",
        "--games",
        &GAMES.to_string(),
        "--variant",
        variant,
        "--rule-set",
        rules,
        "--pgn",
        path.to_str().unwrap(),
    ];
    let output = hanuman().args([&match_args, openings].concat()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn a_hundred_games_of_each_kind_come_out_as_they_went_in() {
    let folder = Folder::new();
    for (variant, rules) in [
        ("makruk", "standard"),
        ("asean", "standard"),
        ("makhos", "standard"),
        ("makhos", "mak-hos"),
    ] {
        let path = folder.file(&format!("{variant}-{rules}"));
        play(variant, rules, &path);
        let games = read(&std::fs::read_to_string(&path).unwrap());
        assert_eq!(games.len(), GAMES);
        let out = folder.file(&format!("{variant}-{rules}-out"));
        let names = [path.to_str().unwrap(), "--out", out.to_str().unwrap()];
        let args = [&["annotate", "--option=Hash=1", "--nodes=20"], &names[..]].concat();
        let output = run(&args, "");
        assert!(output.status.success(), "{}", text(&output.stderr));
        let annotated = read(&std::fs::read_to_string(&out).unwrap());
        assert_eq!(annotated.len(), GAMES);
        for (game, annotated) in games.iter().zip(&annotated) {
            assert_eq!(words(game), words(annotated));
            assert_eq!(game.result, annotated.result);
            let kept = &annotated.tags[..game.tags.len()];
            assert_eq!(game.tags, kept);
        }
        // A game that the rules have ended has the same end on the board.
        let again = run(&[&args[..3], &[out.to_str().unwrap(), "--json"]].concat(), "");
        let lines = text(&again.stdout);
        assert_eq!(lines.lines().count(), GAMES);
        for (line, game) in lines.lines().zip(&games) {
            let report: Value = serde_json::from_str(line).unwrap();
            assert_eq!(report["moves"].as_array().unwrap().len(), game.moves.len());
            let outcome = report["outcome"].as_str().unwrap_or("broken off");
            let decisive = ["checkmate", "no moves"].contains(&outcome);
            assert_eq!(decisive, game.result != "1/2-1/2", "{outcome} {}", game.result);
        }
        // A run that was interrupted goes on where it stopped.
        let whole = std::fs::read_to_string(&out).unwrap();
        std::fs::write(&out, &whole[..whole.len() * 2 / 3]).unwrap();
        let output = run(&args, "");
        assert!(text(&output.stderr).contains(" done before"));
        assert_eq!(words_of_all(&std::fs::read_to_string(&out).unwrap()), words_of_all(&whole));
    }
}

fn words_of_all(text: &str) -> Vec<Vec<String>> {
    read(text).iter().map(|g| words(g).iter().map(|&w| w.to_owned()).collect()).collect()
}

#[test]
fn files_of_other_programs_are_understood() {
    for (game, moves) in [
        // PyChess, with the name in capitals; WinBoard, with a short FEN.
        ("[Variant \"MAKRUK\"]\n\n1. e4 e5 2. Nd2 *", 3),
        ("[Variant \"makruk\"]\n[FEN \"8/8/8/7p/5kSS/8/3K4/8 w 0 1\"]\n\n1. Ke2 Ke5 *", 2),
        ("[Variant \"Asean\"]\n\n1. e3e4 e6e5 {coordinates} *", 2),
        ("[Variant \"cambodian\"]\n\n1. e4 *", 0),
        // Black begins, squares counted from his side: literally, and as others do.
        ("[GameType \"31,B,8,8,N2,0\"]\n\n1. 25-22 5-9 *", 2),
        ("[GameType \"31,W,8,8,N2,0\"]\n\n1. 25-22 7-11 2. c3-d4 *", 3),
        ("[GameType \"31,W,8,8,N2,0\"]\n[FEN \"W:Wa1,Kc1:Bb8\"]\n\n1. a1-b2 *", 1),
        ("[GameType \"20,W,10,10,N2,0\"]\n\n1. 32-28 *", 0),
    ] {
        let (said, fault) = annotate(&[], game);
        if moves == 0 {
            assert!(fault.contains("game 1, line 1: ") && fault.contains("1 of 1"), "{fault}");
            continue;
        }
        assert_eq!(fault, "", "{game}");
        assert_eq!(read(&said)[0].moves.len(), moves, "{said}");
    }
}

#[test]
fn bad_moves_are_marked_and_better_ones_shown() {
    // A rook is given away.
    let game = "[Variant \"Makruk\"]\n[FEN \"8/8/3k4/8/1r6/8/R2K4/8 w - - 0 1\"]\n\n\
                {before} 1. Ra4 {why?} Rxa4 *";
    let (said, _) = annotate(&[], game);
    let game = &read(&said)[0];
    assert_eq!(game.comment, "before");
    assert_eq!(game.moves[0].nags, [4], "{said}");
    assert!(game.moves[0].variations[0].starts_with("1. "), "{said}");
    assert!(game.moves[0].comment.starts_with("[%eval ") && game.moves[0].comment.contains("why?"));
    // Annotated again, nothing is there twice.
    let (again, _) = annotate(&[], &said);
    assert_eq!(again.matches("%eval").count(), 2, "{again}");
    assert_eq!(again.matches("$4").count(), 1, "{again}");
    let (third, _) = annotate(&[], &again);
    assert_eq!(third, again);
}

/// A man is given away: what is better is told in the squares of the file.
#[test]
fn better_moves_of_makhos_have_the_numbers_of_the_game() {
    for (tag, first, better) in [
        ("31,W,8,8,N2,0", "22-18", ["22-17"]),
        ("31,B,8,8,N2,0", "11-15", ["11-16"]),
        ("31,W,8,8,N3,0", "23-19", ["23-20"]),
    ] {
        let fen = match tag {
            "31,W,8,8,N2,0" => "W:W22,30:B15,6",
            "31,B,8,8,N2,0" => "W:W11,3:B18,27",
            _ => "W:W23,31:B14,7",
        };
        let game = format!("[GameType \"{tag}\"]\n[FEN \"{fen}\"]\n\n1. {first} *");
        let (said, fault) = annotate(&[], &game);
        assert_eq!(fault, "", "{tag}");
        let annotated = &read(&said)[0].moves[0];
        let variation = annotated.variations.first().map_or("", String::as_str);
        let words: Vec<&str> = variation.split(' ').collect();
        assert!(
            words.len() > 1 && better.contains(&words[1]) || annotated.nags.is_empty(),
            "{said}"
        );
        let (json, _) = annotate(&["--json"], &game);
        let report: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(report["moves"][0]["notation"], first, "{tag}");
    }
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = Folder::new();
    let (games, out) = (folder.file("a.pgn"), folder.file("out"));
    std::fs::write(&games, "[White \"x\"]\n\n1. e4 e5 *\n").unwrap();
    let other = folder.file("b.pgn");
    std::fs::write(&other, "[White \"z\"]\n\n1. d4 d5 *\n").unwrap();
    let annotate = |input: &Path, more: &[&str]| {
        let names = [input.to_str().unwrap(), "--out", out.to_str().unwrap()];
        run(&[&["annotate", "--nodes=50", "--option=Hash=1"], &names[..], more].concat(), "")
    };
    // What was there stays, even without a last line end; two sources are told apart.
    std::fs::write(&out, "[White \"mine\"]\n\n1. c4 c5 *").unwrap();
    for input in [&games, &other, &games, &other] {
        assert!(annotate(input, &[]).status.success());
    }
    let written = std::fs::read_to_string(&out).unwrap();
    let firsts: Vec<String> = read(&written).iter().map(|g| g.moves[0].text.clone()).collect();
    assert_eq!(firsts, ["c4", "e4", "d4"], "{written}");
    // A file of the other kind, and the source itself, are refused.
    for (input, more, named) in
        [(&games, vec!["--json"], "no JSON"), (&out, vec![], "read and written at once")]
    {
        let output = annotate(input, &more);
        assert!(text(&output.stderr).contains(named), "{}", text(&output.stderr));
        assert_eq!(std::fs::read_to_string(&out).unwrap(), written);
    }
    std::fs::write(&out, "{\"game\":1}\n").unwrap();
    assert!(text(&annotate(&games, &[]).stderr).contains("holds JSON"));
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "{\"game\":1}\n");
}

#[test]
fn a_count_that_decided_is_named() {
    let game = "[Variant \"Makruk\"]\n[FEN \"7k/8/5K2/8/8/8/R7/8 w - 32 31 60\"]\n\n\
                1. Ra1 Kh7 2. Ra2 1/2-1/2";
    let (said, _) = annotate(&[], game);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("The game ends: draw: counting."), "{said}");
    assert!(said.contains("The count decided: without it White mates in "), "{said}");
    let begins = "[Variant \"Makruk\"]\n[FEN \"7k/8/5K2/8/8/8/R5p1/8 w - - 0 1\"]\n\n1. Rxg2 *";
    let (said, _) = annotate(&[], begins);
    assert!(said.contains("the count begins: pieces' honour, Black counts"), "{said}");
}

#[test]
fn bad_games_are_named_and_the_rest_goes_on() {
    let games = "[White \"x\"]\n\n1. e4 e5 2. Ke9 *\n\n[White \"y\"]\n\n1. e4 {open\n";
    let good = "[White \"z\"]\n\n1. e4 e5 *\n\n";
    let (said, fault) = annotate(&[], &format!("{good}{games}"));
    assert_eq!(read(&said).len(), 1);
    assert!(fault.contains("game 2, line 5: move 2.Ke9: "), "{fault}");
    assert!(fault.contains("game 3, line 11: a comment without an end"), "{fault}");
    assert!(fault.contains("2 of 3 games were left out"), "{fault}");
}

#[test]
fn pictures_are_drawn() {
    let folder = Folder::new();
    let pictures = folder.file("pictures");
    let game = "[Variant \"Makruk\"]\n[White \"A & B\"]\n[FEN \"7k/8/5K2/8/8/8/R7/8 w - 32 21 60\"]\n\n1. Kf7 *";
    annotate(&["--svg", pictures.to_str().unwrap()], game);
    let picture = std::fs::read_to_string(pictures.join("game-1.svg")).unwrap();
    assert!(picture.contains("<svg") && picture.contains("moves left"), "{picture}");
    assert!(picture.contains("A &amp; B"), "{picture}");
}

#[test]
fn wrong_wishes_are_refused() {
    for (args, named) in [
        (vec!["annotate"], "FILE"),
        (vec!["annotate", "/no/such/file"], "/no/such/file"),
        (vec!["annotate", "-", "--nodes", "0"], "--nodes"),
        (vec!["annotate", "-", "--out", "/no/such/folder/x"], "/no/such/folder/x"),
        (vec!["annotate", "-", "--svg", "/dev/null/x"], "/dev/null/x"),
    ] {
        let output = run(&args, "1. e4 *");
        let error = text(&output.stderr);
        assert!(!output.status.success() && error.contains(named), "{args:?}: {error}");
        assert!(!error.contains("panicked"), "{error}");
    }
}
