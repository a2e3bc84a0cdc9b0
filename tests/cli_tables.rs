//! `hanuman tables`, as people use it.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/folder.rs"]
mod folder;
#[path = "common/program.rs"]
mod program;

use std::process::Output;

use serde_json::Value;

use folder::Folder;
use program::{run, text};

fn tables(args: &[&str]) -> Output {
    run(&[&["tables"], args].concat(), "")
}

fn good(args: &[&str]) -> String {
    let output = tables(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn bad(args: &[&str]) -> String {
    let output = tables(args);
    assert!(!output.status.success(), "{args:?}");
    let error = text(&output.stderr);
    assert!(!error.is_empty() && !error.contains("panicked"), "{args:?}: {error}");
    error
}

#[test]
fn tables_are_built_kept_checked_and_listed() {
    let folder = Folder::new();
    let dir = ["--dir", folder.name()];
    let build = |more: &[&str]| good(&[&["build"], &dir[..], more].concat());
    let plan = build(&["--dry-run", "KRvK", "KPvK"]);
    assert!(plan.contains("chess-KRvK.table") && plan.contains("in all:"), "{plan}");
    assert!(!folder.file("chess-KRvK.table").exists());

    // What a pawn becomes is made first.
    let made = build(&["KRvK", "KPvK"]);
    assert!(
        made.contains("makruk-KPvK.table: ") && made.contains("3 made, 0 already there"),
        "{made}"
    );
    assert!(folder.file("chess-KMvK.table").exists());
    let again = build(&["--variant", "makruk", "--men", "3"]);
    assert!(again.contains("2 made, 3 already there"), "{again}");
    let made = build(&["--variant", "makhos", "--men", "2", "--removal", "after"]);
    assert!(made.contains("makhos-after-KvK.table"), "{made}");
    // What takes more memory than it may is left out.
    let little = build(&["--memory", "1", "--men", "3", "--dry-run"]);
    assert!(!little.contains("left out"), "{little}");
    let little = build(&["--memory", "0", "--variant", "asean", "--men", "3"]);
    assert!(little.contains("left out") && little.contains("--memory"), "{little}");
    let little = ["--memory", "1", "KRRvK"];
    assert!(build(&[&little[..], &["--dry-run"]].concat()).contains("left out"));
    // ... but not without a word to who asked for it by name.
    assert!(bad(&[&["build"], &dir[..], &little].concat()).contains("--memory"));

    let checked = good(&[&["verify"], &dir[..], &["--all-of", "KPvK"]].concat());
    assert!(checked.contains("8 tables, 0 wrong, 0 not checked in full"), "{checked}");
    let listed = good(&[&["info"], &dir[..]].concat());
    assert!(
        listed.lines().any(|line| line.starts_with("KRvK ") && line.contains("(16)")),
        "{listed}"
    );

    // A table that was cut off is made again; a damaged one is found.
    let path = folder.file("chess-KRvK.table");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let output = tables(&[&["verify"], &dir[..]].concat());
    assert!(!output.status.success());
    assert!(text(&output.stdout).contains("cut off"));
    assert!(build(&["KRvK"]).contains("1 made"));
    assert_eq!(std::fs::read(&path).unwrap(), whole);
    let mut changed = whole.clone();
    let last = changed.len() - 1;
    changed[last] ^= 1;
    std::fs::write(&path, changed).unwrap();
    let output = tables(&[&["verify"], &dir[..]].concat());
    assert!(text(&output.stdout).contains("damaged"), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("1 table wrong"));

    // A table whose captures lead nowhere is not wrong, but cannot be checked.
    std::fs::write(&path, whole).unwrap();
    build(&["--variant", "asean", "KPvK"]);
    std::fs::remove_file(&path).unwrap();
    let output = tables(&[&["verify"], &dir[..]].concat());
    let (listed, error) = (text(&output.stdout), text(&output.stderr));
    assert!(listed.contains("asean-KPvK.table: not checked at "), "{listed}");
    assert!(listed.contains("0 wrong, 1 not checked in full"), "{listed}");
    assert!(error.contains("hanuman tables build"), "{error}");
    // A file with another table in it is made again.
    std::fs::copy(folder.file("chess-KNvK.table"), &path).unwrap();
    assert!(build(&["KRvK"]).contains("1 made"));
}

#[test]
fn positions_are_explained() {
    let probe = |args: &[&str]| good(&[&["probe", "--dir", "<built-in>"], args].concat());
    let won = probe(&["--fen", "8/3k4/8/3K4/8/8/R7/8 w - 32 8 50"]);
    assert!(won.contains("White to move: White mates in 7; 13 moves left"), "{won}");
    assert!(won.contains("in time"), "{won}");
    let late = probe(&["--fen", "8/3k4/8/3K4/8/8/R7/8 w - 32 31 50"]);
    assert!(late.contains("1 move left on the pieces' honour: draw."), "{late}");
    let quiet = probe(&["--variant", "makhos", "--fen", "W:WK2,K9:BK30"]);
    assert!(quiet.contains("White wins, settled in 3 moves"), "{quiet}");
    assert!(quiet.lines().any(|line| line.ends_with("draws")), "{quiet}");
    // A count that has not begun may be too short; of the bare king's moves one can say so too.
    let begins = probe(&["--fen", "K7/8/8/8/4k3/8/8/6R1 w - - 0 1"]);
    assert!(begins.contains("White mates in 16, but the count that begins"), "{begins}");
    let bare = probe(&["--fen", "8/3k4/8/3K4/8/8/R7/8 b - - 0 1"]);
    assert!(bare.contains("White mates in 8."), "{bare}");
    // A promotion that wins is no mate.
    let promotes = ["--variant", "asean", "--fen", "8/P2k4/8/3K4/8/8/8/8 w - - 0 1"];
    let promotes = probe(&promotes);
    assert!(promotes.lines().any(|line| line.starts_with("  a8=R") && line.ends_with("at once")));
    let unknown = probe(&["--fen", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"]);
    assert!(unknown.contains("no table knows this position"), "{unknown}");

    let json: Value =
        serde_json::from_str(&probe(&["--json", "--fen", "8/3k4/8/3K4/8/8/R7/8 w - 32 8 50"]))
            .unwrap();
    assert_eq!((&json["result"], &json["plies"]), (&"win".into(), &13.into()));
    assert_eq!((&json["to_mate"], &json["plies_left"]), (&true.into(), &25.into()));
    let moves = json["moves"].as_array().unwrap();
    assert_eq!(moves[0]["result"], "win");
    assert_eq!(moves[0]["plies"], json["plies"]);
    assert_eq!(json["game_over"], Value::Null);
    let mated = probe(&["--json", "--fen", "k1R5/8/1K6/8/8/8/8/8 b - 32 8 50"]);
    assert_eq!(serde_json::from_str::<Value>(&mated).unwrap()["game_over"], "checkmate");
    let cutechess = ["--rule-set", "cutechess", "--fen", "8/3k4/8/3K4/8/3p4/R7/8 w - - 0 1"];
    assert!(probe(&cutechess).contains("no table"), "{}", probe(&cutechess));
}

#[test]
fn samples_have_the_result_that_was_asked_for() {
    let folder = Folder::new();
    let dir = folder.name();
    let sample = |args: &[&str]| good(&[&["sample", "--dir", dir, "--number", "5"], args].concat());
    for (result, wanted) in [("win", "\"win\""), ("draw", "\"draw\"")] {
        for fen in sample(&["KRvK", "--result", result]).lines() {
            let known = good(&["probe", "--json", "--dir", dir, "--fen", fen]);
            assert!(known.contains(&format!("\"result\":{wanted},\"plies\"")), "{known}");
        }
    }
    assert_eq!(sample(&["KRvK"]), sample(&["KRvK"]));
    // The side named first moves, and what is rare is found too.
    assert!(sample(&["KRvK"]).lines().all(|fen| fen.contains(" w ")));
    assert!(sample(&["KvKR", "--result", "draw"]).lines().all(|fen| fen.contains(" b ")));
    assert!(sample(&["KvKR", "--result", "loss"]).lines().all(|fen| fen.contains(" b ")));
    let lone = sample(&["--variant", "makhos", "KvKK", "--result", "loss"]);
    for fen in lone.lines() {
        let white = fen.split(':').find(|part| part.starts_with("WK")).unwrap();
        assert_eq!(white.matches('K').count(), 1, "{fen}");
    }
    let many = sample(&["--variant", "makhos", "KKvK", "--result", "win"]);
    for fen in many.lines() {
        let white = fen.split(':').find(|part| part.starts_with("WK")).unwrap();
        assert_eq!(white.matches('K').count(), 2, "{fen}");
    }
    let none = bad(&["sample", "--dir", dir, "KvKR", "--result", "win"]);
    assert!(none.contains("KvKR has only 0 such positions"), "{none}");
    assert_eq!(sample(&["--variant", "makhos", "KKvK"]).lines().count(), 5);
}

#[test]
fn wrong_wishes_are_refused() {
    assert!(bad(&["build", "KXvK", "--dry-run"]).contains("names no class"));
    assert!(bad(&["build", "KRRNvKR", "--dry-run"]).contains("five men at most"));
    let makhos = ["build", "--variant", "makhos", "--dry-run"];
    assert!(bad(&[&makhos[..], &["KRvK"]].concat()).contains("written like KKMvKM"));
    assert!(bad(&[&makhos[..], &["KKKKKvMMM"]].concat()).contains("seven pieces at most"));
    assert!(bad(&["build", "KRvK", "--removal", "after", "--dry-run"]).contains("Makhos"));
    assert!(bad(&["sample", "KRvK", "--number", "0"]).contains("--number"));
    assert!(bad(&["verify", "--dir", "/no/such/folder"]).contains("no folder /no/such/folder"));
    let folder = Folder::new();
    let verify = bad(&["verify", "--dir", folder.name(), "--all-of", "KXvK"]);
    assert!(verify.contains("no table of KXvK"), "{verify}");
    let file = folder.file("file");
    std::fs::write(&file, "").unwrap();
    for command in ["build", "verify", "info"] {
        assert!(bad(&[command, "--dir", file.to_str().unwrap()]).contains("not a folder"));
    }
    assert!(bad(&["probe", "--fen", "nonsense"]).contains("bad FEN"));
    assert!(bad(&["sample", "KSSvK", "--dir", "/no/such/folder"]).contains("no table of KSSvK"));
    assert!(bad(&["info", "--dir", "/no/such/folder"]).contains("/no/such/folder"));
    assert!(
        bad(&["build", "KSSSvK", "KRvK", "--memory", "1", "--dir", "/dev/null/x"])
            .contains("/dev/null/x")
    );
}
