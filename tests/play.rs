//! `hanuman play`, as a person at a terminal uses it.
#![allow(clippy::unwrap_used)]

#[path = "common/folder.rs"]
mod folder;
#[path = "common/program.rs"]
mod program;

use std::io::{Read, Write};
use std::process::Stdio;

use folder::Folder;
use program::{hanuman, run, text};

/// What is said when these lines are typed.
fn play(args: &[&str], typed: &str) -> String {
    let output = run(&[&["play"], args].concat(), typed);
    let error = text(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{args:?}: {error}");
    let said = text(&output.stdout);
    assert!(!said.contains('\u{1b}'), "no colors but on a terminal");
    said
}

/// Positions of every game with a move that ends it, and how it is told.
const ENDS: [(&str, &str, &str, &str); 6] = [
    ("makruk", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "Ra8", "1-0 White wins: checkmate"),
    ("asean", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8", "1-0 White wins: checkmate"),
    ("makruk", "8/8/8/8/8/2k5/2R5/K7 b - - 0 1", "Kxc2", "1/2-1/2 Draw: nobody can win"),
    ("makruk", "7k/8/5K2/8/8/8/R7/8 w - 32 32 60", "Ra1", "1/2-1/2 Draw: the count has run out"),
    ("makhos", "W:W18:B15", "18x11", "1-0 White wins: the other side has no move"),
    ("makhos", "W:WK4,K12:BK29,K21:H49:F60", "4-8", "1/2-1/2 Draw: too many moves"),
];

#[test]
fn games_end_by_every_rule_and_say_why() {
    for (variant, fen, last, told) in ENDS {
        let args = ["--variant", variant, "--side", "both", "--fen", fen];
        let said = play(&args, &format!("{last}\n{last}\n"));
        assert!(said.contains(told), "{variant} {fen}: {said}");
        // Another move is no longer possible.
        assert_eq!(said.matches("The game is over").count(), 2, "{said}");
    }
}

#[test]
fn the_engine_answers_and_mates() {
    let args = ["--side", "black", "--fen", "7k/8/5K2/8/8/8/R7/8 w - - 0 1"];
    let said = play(&args, "Kg8\nundo\nKg8\nquit\n");
    assert!(said.contains("Hanuman (White) plays "), "{said}");
    assert!(said.contains("1-0 White wins: checkmate"), "{said}");
    assert!(said.contains("Pieces' honour") || said.contains("Count "), "{said}");
}

#[test]
fn the_commands_do_what_help_says() {
    let said = play(
        &["--level", "1"],
        "help\ne9\ne5\nmoves\nfen\ncount\nlevel 11\nlevel 5\nundo\nsave\nflip\ne4\nundo\nfen\nresign\nhint\nundo\nfen\n",
    );
    assert!(said.contains("what Hanuman would play in your place"));
    assert!(said.contains("'moves' lists the legal moves"));
    assert!(said.contains("Kc2 ") || said.contains("Kd2"), "{said}");
    assert!(said.contains("No count runs."));
    assert!(said.contains("level needs a number from 1 to 10"));
    assert!(said.contains("Hanuman plays at level 5 of 10."));
    assert!(said.contains("There is no move to take back."));
    assert!(said.contains("save needs the name of a file"));
    assert!(said.contains("White resigns, Black wins."));
    let start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
    assert_eq!(said.matches(start).count(), 3, "{said}");
}

/// After every end nothing is said about plies that are left, not even on request.
#[test]
fn an_ended_game_has_no_count_left() {
    for lang in ["en", "th"] {
        for (variant, fen, last, _) in ENDS {
            let args = ["--variant", variant, "--side", "both", "--lang", lang, "--fen", fen];
            let said = play(&args, &format!("{last}\ncount\n"));
            // All that comes after the last move: the board, the end, the answer to `count`.
            let prompt = if lang == "en" { "to move> " } else { "เดิน> " };
            let after = said.split_once(prompt).unwrap().1;
            let left = ["draw in", "up to the draw", "เหลือ "];
            assert!(!left.iter().any(|words| after.contains(words)), "{variant} {fen}: {said}");
        }
    }
}

/// Without colors the two sides are told apart by letters; other men are drawn where they are
/// wanted.
#[test]
fn boards_without_colors_show_whose_men_are_whose() {
    for (variant, [white, black]) in
        [("makruk", ["R", "r"]), ("asean", ["R", "r"]), ("makhos", ["w", "b"])]
    {
        let said = play(&["--variant", variant], "");
        let rank = |number: &str| said.lines().find(|line| line.trim_start().starts_with(number));
        assert!(rank("1 ").is_some_and(|line| line.contains(white)), "{said}");
        assert!(rank("8 ").is_some_and(|line| line.contains(black)), "{said}");
        assert!(said.is_ascii(), "{said}");
        assert!(!play(&["--variant", variant, "--pieces", "unicode"], "").is_ascii());
    }
}

/// A move that the help names can be played as it stands there.
#[test]
fn the_moves_that_help_names_are_legal() {
    for args in [
        &["--variant", "makruk"][..],
        &["--variant", "asean"],
        &["--variant", "makhos"],
        &["--variant", "makhos", "--numbers", "mak-hos"],
    ] {
        let args = [args, &["--side", "both"]].concat();
        let said = play(&args, "help\n");
        let named = said.split_once("here for example ").unwrap().1.split_once(';').unwrap().0;
        let moves: Vec<&str> = named.split(" or ").collect();
        assert_eq!(moves.len(), 2, "{said}");
        for m in moves {
            let said = play(&args, &format!("{m}\n"));
            assert!(said.ends_with("Black to move> \n"), "{m}: {said}");
        }
        assert!(!play(&args, "resign\nhelp\n").contains("for example"));
    }
    for (variant, fen, last, _) in ENDS {
        let args = ["--variant", variant, "--side", "both", "--fen", fen];
        let said = play(&args, &format!("{last}\nhelp\n"));
        assert!(said.contains("MOVE ") && !said.contains("for example"), "{said}");
    }
}

#[test]
fn games_are_saved_for_other_programs() {
    let folder = Folder::new();
    let file = folder.file("games");
    let path = file.to_str().unwrap();
    play(&["--side", "both"], &format!("e4\ne5\nsave {path}\n"));
    let args = ["--side", "both", "--variant", "makhos", "--numbers", "mak-hos"];
    play(&args, &format!("28-24\nsave {path}\nsave /no/such/folder/x\n"));
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.contains("[Variant \"Makruk\"]") && saved.contains("1. e4 e5 *"), "{saved}");
    assert!(saved.contains("[GameType \"31,W,8,8,N3,0\"]"), "{saved}");
    assert!(saved.contains("1. 28-24 *"), "{saved}");
}

#[test]
fn everything_is_said_in_thai_too() {
    let typed = "help\nxx\nmoves\ncount\nhint\nlevel 2\nundo\nRa8\nresign\nquit\n";
    let fen = ["--fen", "7k/8/6K1/8/8/8/8/R7 w - 32 8 60"];
    let said = play(&[&["--lang", "th", "--pieces", "thai"], &fen[..]].concat(), typed);
    assert!(said.contains("หมากรุกไทย") && said.contains("1-0 ฝ่ายขาวชนะ: รุกจน"), "{said}");
    assert!(said.contains("นับศักดิ์หมาก"), "{said}");
    // Nothing but names, moves and the commands themselves is left in English.
    let english = ["White", "Black", "move.", "Draw", "takes", "There is"];
    assert!(!english.iter().any(|word| said.contains(word)), "{said}");
}

#[test]
fn clocks_run_out() {
    let args = ["--side", "both", "--time", "0.001+0"];
    let mut child = hanuman()
        .arg("play")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut said = Vec::new();
    while !said.ends_with(b"to move> ") {
        let mut byte = [0];
        stdout.read_exact(&mut byte).unwrap();
        said.push(byte[0]);
    }
    // The clock runs for longer than it had, whatever is typed meanwhile.
    std::thread::sleep(std::time::Duration::from_millis(100));
    stdin.write_all(b"count\nmoves\nundo\ne5\ne4\nmoves\nundo\ne4\n").unwrap();
    drop(stdin);
    let mut said = String::new();
    stdout.read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(said.contains("White has run out of time, Black wins."), "{said}");
    // There are no moves any more.
    assert_eq!(said.matches("Nd2").count(), 1, "{said}");
    assert!(said.contains("without clocks") && said.contains("Black to move> "), "{said}");
}

#[test]
fn wrong_wishes_are_refused() {
    for (args, named) in [
        (vec!["--fen", "nonsense"], "bad FEN"),
        (vec!["--level", "0"], "--level"),
        (vec!["--level", "3", "--elo", "1500"], "--elo"),
        (vec!["--time", "soon"], "5+3"),
        (vec!["--time", "0+0"], "no time"),
        (vec!["--numbers", "roman"], "pdn and mak-hos"),
        (vec!["--variant", "chess"], "makruk, asean and makhos"),
    ] {
        let output = hanuman().arg("play").args(&args).stdin(Stdio::null()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(named), "{args:?}: {error}");
    }
}
