//! `hanuman book`, `doctor`, `completions` and `man`, as people use them.
#![allow(clippy::unwrap_used)]

#[path = "common/folder.rs"]
mod folder;
#[path = "common/program.rs"]
mod program;

use folder::Folder;
use program::{run, text};

fn good(args: &[&str]) -> String {
    let output = run(args, "");
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn bad(args: &[&str]) -> String {
    let output = run(args, "");
    let error = text(&output.stderr);
    assert!(!output.status.success() && !error.contains("panicked"), "{args:?}: {error}");
    error
}

#[test]
fn a_book_of_games_has_what_was_played() {
    let folder = Folder::new();
    let games = folder.file("games.pgn");
    // e4 has won twice, d4 has lost once, c4 was played once, and one game cannot be read.
    let lines = [
        ("1. e4 e5 2. d4", "1-0"),
        ("1. e4 d5", "1-0"),
        ("1. d4 e5", "0-1"),
        ("1. d4 d5", "1/2-1/2"),
        ("1. c4", "1-0"),
        ("1. e9", "1-0"),
        ("1. h4", "*"),
    ];
    let content: String =
        lines.map(|(moves, result)| format!("[White \"x\"]\n\n{moves} {result}\n\n")).concat();
    std::fs::write(&games, content).unwrap();
    let book = folder.file("my.book");
    let (games, book) = (games.to_str().unwrap(), book.to_str().unwrap());
    let output = run(&["book", "build", games, "--out", book], "");
    let complaints = text(&output.stderr);
    assert!(!output.status.success() && complaints.contains("2 of 7 games were left out"));
    assert!(complaints.contains("line 21: move 1.e9") && complaints.contains("no result"));
    assert!(text(&output.stdout).contains("2 moves of 1 position\n"));
    let shown = good(&["book", "show", "--book", book]);
    let lines: Vec<Vec<&str>> = shown.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["e3e4", "e4", "80.0", "%"], "{shown}");
    assert_eq!(lines[1], ["d3d4", "d4", "20.0", "%"], "{shown}");
    assert!(bad(&["book", "show", "--variant", "asean", "--book", book]).contains("makruk"));
    let unknown =
        good(&["book", "show", "--book", book, "--fen", "8/3k4/8/3K4/8/8/R7/8 w - - 0 1"]);
    assert!(unknown.contains("does not know"), "{unknown}");
}

#[test]
fn a_grown_book_is_the_same_for_any_number_of_threads() {
    let folder = Folder::new();
    let grow = |name: &str, threads: &str| {
        let path = folder.file(name);
        let out = path.to_str().unwrap();
        let limits = ["--plies", "3", "--nodes", "500", "--width", "3", "--threads", threads];
        good(&[&["book", "build", "--variant", "makhos", "--out", out], &limits[..]].concat());
        std::fs::read(path).unwrap()
    };
    let book = grow("one", "1");
    assert_eq!(book, grow("three", "3"));
    assert!(book.len() > 16 * 4);
}

#[test]
fn a_book_of_too_few_games_says_what_decides() {
    let folder = Folder::new();
    let (games, book) = (folder.file("games.pgn"), folder.file("my.book"));
    std::fs::write(&games, "[White \"x\"]\n\n1. e4 e5 1-0\n\n").unwrap();
    let (games, book) = (games.to_str().unwrap(), book.to_str().unwrap());
    let error = bad(&["book", "build", games, "--out", book]);
    assert!(error.contains("--min-games 2 of 1 game"), "{error}");
    good(&["book", "build", games, "--out", book, "--min-games", "1"]);
}

#[test]
fn books_that_are_none_are_refused() {
    let folder = Folder::new();
    let path = folder.file("x");
    std::fs::write(&path, "1. e4 e5").unwrap();
    let name = path.to_str().unwrap();
    assert!(bad(&["book", "show", "--book", name]).contains("not a book"));
    assert!(bad(&["book", "show", "--book", "/no/such/book"]).contains("/no/such/book"));
    assert!(bad(&["book", "build", "/no/such/game", "--out", name]).contains("/no/such/game"));
    std::fs::write(&path, "").unwrap();
    assert!(
        bad(&["book", "build", name, "--out", name]).contains("there is no game to make a book of")
    );
}

#[test]
fn an_installation_is_examined() {
    let said = good(&["doctor"]);
    assert!(said.contains("All is well.") && said.contains("Endgame tables: "), "{said}");
    let output = run(&["doctor", "--network", "/no/such/file", "--tables", "/no/such/folder"], "");
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("2 faults found"));
    assert_eq!(text(&output.stdout).matches("FAULT: ").count(), 2);
}

#[test]
fn shells_and_manuals_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = good(&["completions", shell]);
        assert!(script.contains("annotate") && script.contains("protocol"), "{shell}");
    }
    assert!(good(&["man"]).contains(".TH hanuman 1"));
    let folder = Folder::new();
    good(&["man", "--dir", folder.name()]);
    for page in ["hanuman.1", "hanuman-annotate.1", "hanuman-tables-probe.1"] {
        assert!(folder.file(page).exists(), "{page}");
    }
    assert!(bad(&["man", "--dir", "/dev/null/x"]).contains("/dev/null/x"));
    assert!(bad(&["completions", "tcsh"]).contains("tcsh"));
    assert!(bad(&["--protocol", "telepathy"]).contains("telepathy"));
}
