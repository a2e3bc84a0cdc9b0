//! `hanuman tables`, as people use it.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A folder that is gone when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("hanuman-cli-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn tables(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hanuman")).arg("tables").args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
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
    let folder = Folder::new("build");
    let dir = ["--dir", folder.name()];
    let build = |more: &[&str]| good(&[&["build"], &dir[..], more].concat());
    let plan = build(&["--dry-run", "KRvK", "KPvK"]);
    assert!(plan.contains("chess-KRvK.table") && plan.contains("in all:"), "{plan}");
    assert!(!folder.0.join("chess-KRvK.table").exists());

    // What a pawn becomes is made first.
    let made = build(&["KRvK", "KPvK"]);
    assert!(made.contains("makruk-KPvK.table: ") && made.contains("3 made, 3 there"), "{made}");
    assert!(folder.0.join("chess-KMvK.table").exists());
    let again = build(&["--variant", "makruk", "--men", "3"]);
    assert!(again.contains("2 made, 5 there"), "{again}");
    let made = build(&["--variant", "makhos", "--men", "2", "--removal", "after"]);
    assert!(made.contains("makhos-after-KvK.table"), "{made}");
    // What takes more memory than it may is left out.
    let little = build(&["--memory", "1", "KRRvK"]);
    assert!(little.contains("left out") && little.contains("--memory"), "{little}");

    let checked = good(&[&["verify"], &dir[..], &["--all-of", "KPvK"]].concat());
    assert!(checked.contains("8 tables, 0 wrong"), "{checked}");
    let listed = good(&[&["info"], &dir[..]].concat());
    assert!(
        listed.lines().any(|line| line.starts_with("KRvK ") && line.contains("(16)")),
        "{listed}"
    );

    // A table that was cut off is made again; a damaged one is found.
    let path = folder.0.join("chess-KRvK.table");
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
    assert!(text(&output.stderr).contains("1 tables are wrong"));
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
}

#[test]
fn samples_have_the_result_that_was_asked_for() {
    let folder = Folder::new("sample");
    let dir = folder.name();
    let sample = |args: &[&str]| good(&[&["sample", "--dir", dir, "--number", "5"], args].concat());
    for (result, wanted) in [("win", "\"win\""), ("draw", "\"draw\"")] {
        for fen in sample(&["KRvK", "--result", result]).lines() {
            let known = good(&["probe", "--json", "--dir", dir, "--fen", fen]);
            assert!(known.contains(&format!("\"result\":{wanted},\"plies\"")), "{known}");
        }
    }
    assert_eq!(sample(&["KRvK"]), sample(&["KRvK"]));
    assert_eq!(sample(&["--variant", "makhos", "KKvK"]).lines().count(), 5);
}

#[test]
fn wrong_wishes_are_refused() {
    assert!(bad(&["build", "KXvK", "--dry-run"]).contains("names no class"));
    assert!(bad(&["build", "KRRNvKR", "--dry-run"]).contains("names no class"));
    assert!(bad(&["build", "--variant", "makhos", "KRvK", "--dry-run"]).contains("names no class"));
    assert!(bad(&["verify", "--dir", "/tmp", "--all-of", "KXvK"]).contains("no table of KXvK"));
    assert!(bad(&["probe", "--fen", "nonsense"]).contains("bad FEN"));
    assert!(bad(&["sample", "KSSvK", "--dir", "/no/such/folder"]).contains("no table of KSSvK"));
    assert!(bad(&["info", "--dir", "/no/such/folder"]).contains("/no/such/folder"));
    assert!(
        bad(&["build", "KSSSvK", "KRvK", "--memory", "1", "--dir", "/dev/null/x"])
            .contains("/dev/null/x")
    );
}
