//! The command line of the real program.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/program.rs"]
mod program;

use std::process::Stdio;

use serde_json::Value;

use program::{hanuman, run, text};

/// Standard output of a run that must succeed and say nothing on standard error.
fn good(args: &[&str]) -> String {
    let output = run(args, "");
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{args:?}");
    text(&output.stdout)
}

/// Standard error of a run that must fail and say nothing on standard output.
fn bad(args: &[&str]) -> String {
    let output = run(args, "");
    assert!(!output.status.success(), "{args:?}");
    assert_eq!(text(&output.stdout), "", "{args:?}");
    let error = text(&output.stderr);
    assert!(!error.is_empty() && !error.contains("panicked"), "{args:?}: {error}");
    error
}

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

const COMMANDS: [&str; 12] = [
    "bench",
    "perft",
    "analyse",
    "annotate",
    "play",
    "match",
    "datagen",
    "tables",
    "book",
    "doctor",
    "completions",
    "man",
];

#[test]
fn help_and_version_are_given() {
    let help = good(&["--help"]);
    for word in ["UCI", "bench", "perft", "analyse"] {
        assert!(help.contains(word), "{word}");
    }
    for command in COMMANDS {
        assert!(good(&[command, "--help"]).contains("Usage"), "{command}");
    }
    assert!(good(&["--version"]).starts_with("hanuman "));
}

#[test]
fn help_fits_an_ordinary_terminal() {
    let mut pages = vec![good(&["--help"]), text(&run(&[], "help\n").stdout)];
    pages.extend(COMMANDS.map(|command| good(&[command, "--help"])));
    let tables = ["build", "verify", "info", "probe", "sample"];
    pages.extend(tables.map(|command| good(&["tables", command, "--help"])));
    pages.extend(["build", "show"].map(|command| good(&["book", command, "--help"])));
    for line in pages.iter().flat_map(|page| page.lines()) {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn the_readme_lists_every_option() {
    let readme = include_str!("../README.md");
    let rows = || readme.lines().filter(|line| line.starts_with("| `"));
    let handshake = text(&run(&[], "uci\n").stdout);
    let options: Vec<&str> = handshake
        .lines()
        .filter_map(|line| line.strip_prefix("option name ")?.split(" type ").next())
        .collect();
    assert!(options.len() > 20);
    for option in options {
        let quoted = format!("`{option}`");
        assert!(rows().any(|row| row.contains(&quoted)), "{option} is not in the README");
    }
}

#[test]
fn wrong_arguments_are_explained() {
    for (args, word) in [
        (&["nonsense"][..], "nonsense"),
        (&["perft"], "depth"),
        (&["perft", "--depth", "x"], "x"),
        (&["perft", "--depth", "3", "--variant", "chess"], "makruk"),
        (&["perft", "--depth", "3", "--fen", "8/8/8"], "ranks"),
        (&["perft", "--depth", "3", "--rule-set", "nosuch"], "standard"),
        (&["perft", "--depth", "3", "--variant", "asean", "--rule-set", "yeeqia"], "yeeqia"),
        (&["perft", "--depth", "3", "--option", "Nonsense=1"], "Nonsense"),
        (&["perft", "--depth", "3", "--option", "CountingRule"], "NAME=VALUE"),
        (&["perft", "--depth", "3", "--option", "CountingRule=x"], "CountingRule"),
        (&["analyse", "--epd", "no/such/file.epd"], "file.epd"),
        (&["analyse", "--fen", "x", "--epd", "y"], "cannot"),
        (&["bench", "--depth", "0"], "0"),
    ] {
        let error = bad(args);
        assert!(error.contains(word), "{args:?}: {error}");
    }
}

#[test]
fn perft_counts_every_game() {
    for (args, nodes) in [
        (&["--depth", "4"][..], 273_026),
        (&["--depth", "4", "--threads", "2"], 273_026),
        (&["--depth", "3", "--listing"], 12_012),
        (&["--variant", "asean", "--depth", "4"], 273_026),
        (&["--variant", "makhos", "--depth", "2"], 49),
        (&["--variant", "makhos", "--depth", "2", "--fen", "W:WK15:BK11,K25"], 0),
        (&["--depth", "0"], 1),
    ] {
        let mut full = vec!["perft"];
        full.extend(args);
        let out = good(&full);
        assert!(
            out.lines().any(|line| line == format!("Nodes searched: {nodes}")),
            "{args:?}: {out}"
        );
        full.push("--divide");
        let divided = good(&full);
        let sum: u64 = divided
            .lines()
            .take_while(|line| !line.is_empty())
            .map(|line| line.split_once(": ").unwrap().1.parse::<u64>().unwrap())
            .sum();
        assert!(sum == nodes || args.contains(&"0"), "{args:?}");
    }
}

#[test]
fn perft_heeds_the_rules() {
    let fen = "4k3/8/8/8/3pp3/3P4/8/4K3 w - - 0 1";
    let divide = |more: &[&str]| {
        let mut args = vec!["perft", "--depth", "1", "--divide", "--fen", fen];
        args.extend(more);
        good(&args)
    };
    assert!(divide(&[]).contains("d3e4: 1"));
    assert!(divide(&["--rule-set", "yeeqia"]).contains("d3d4: 1"));
    assert!(divide(&["--option", "PawnCapture=straight"]).contains("d3d4: 1"));
}

#[test]
fn analyse_answers_in_json() {
    let out =
        good(&["analyse", "--depth", "4", "--json", "--fen", "k7/8/K7/8/8/8/8/1R5R w - - 0 1"]);
    let answer = json(out.trim());
    assert_eq!(answer["variant"], "makruk");
    assert_eq!(answer["bestmove"], "h1h8");
    assert_eq!(answer["result"], "ongoing");
    assert_eq!(answer["lines"][0]["score"]["mate"], 1);
    assert_eq!(answer["lines"][0]["pv"][0], "h1h8");
    assert!(answer["nodes"].as_u64().unwrap() > 0);

    let out = good(&["analyse", "--depth", "3", "--json", "--multipv", "3", "--variant", "makhos"]);
    let answer = json(out.trim());
    assert_eq!(answer["lines"].as_array().unwrap().len(), 3);

    let out = good(&[
        "analyse",
        "--depth",
        "3",
        "--json",
        "--variant",
        "makhos",
        "--fen",
        "W:W29:B25,22",
    ]);
    let answer = json(out.trim());
    assert_eq!(answer["result"], "no moves");
    assert_eq!(answer["bestmove"], Value::Null);
}

#[test]
fn analyse_answers_for_people() {
    let out = good(&["analyse", "--nodes", "3000", "--fen", "k7/8/K7/8/8/8/8/1R5R w - - 0 1"]);
    assert!(out.contains("mate 1") && out.contains("best h1h8"), "{out}");
    assert!(good(&["analyse", "--movetime", "50", "--variant", "asean"]).contains("best "));
}

#[test]
fn a_list_is_answered_in_its_order() {
    let fens = [
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
        "k7/8/K7/8/8/8/8/1R5R w - - id \"mate in one\"; bm h1h8;",
        "7k/8/6K1/8/8/8/8/R7 w - -",
        "8/8/8/4k3/8/8/R7/K7 w - 32 hmvc 7; fmvn 2;",
    ];
    let list = format!("# a comment\n\n{}\n", fens.join("\r\n"));
    for threads in ["1", "3"] {
        let args = ["analyse", "--depth", "3", "--json", "--threads", threads, "-"];
        let output = run(&args, &list);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let answers: Vec<Value> = text(&output.stdout).lines().map(json).collect();
        assert_eq!(answers.len(), fens.len());
        for (answer, fen) in answers.iter().zip(fens) {
            let board = fen.split(' ').next().unwrap();
            assert!(answer["fen"].as_str().unwrap().starts_with(board), "{answer} {fen}");
        }
        assert_eq!(answers[1]["id"], "mate in one");
        assert!(answers[3]["fen"].as_str().unwrap().ends_with(" w - 32 7 2"));
        assert!(answers[3]["count"].is_string());
    }
}

#[test]
fn a_bad_line_is_named_and_the_others_are_answered() {
    let list =
        "# lines are counted with comments and blank ones\n\n8/8/8 w\n7k/8/6K1/8/8/8/8/R7 w - -\n";
    let output = run(&["analyse", "--depth", "2", "-"], list);
    assert!(text(&output.stdout).contains("line 3: bad FEN: "), "{output:?}");
    let output = run(&["analyse", "--depth", "2", "--json", "-"], list);
    assert!(!output.status.success());
    let answers: Vec<Value> = text(&output.stdout).lines().map(json).collect();
    assert_eq!(answers[0]["line"], 3);
    assert!(answers[0]["error"].as_str().unwrap().contains("ranks"));
    assert_eq!(answers[1]["bestmove"], "a1a8");
    assert!(text(&output.stderr).contains("1 of the positions"));
}

#[test]
fn bench_gives_the_same_nodes_twice() {
    let bench = || {
        let out = good(&["bench", "--depth", "4"]);
        let lines: Vec<String> = out.lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), 4, "{out}");
        for (line, game) in lines.iter().zip(["makruk", "asean", "makhos"]) {
            assert!(line.starts_with(&format!("{game}: ")) && line.ends_with(" nodes"), "{line}");
        }
        let last: Vec<&str> = lines[3].split(' ').collect();
        assert!(matches!(last[..], [_, "nodes", _, "nps"]), "{}", lines[3]);
        let total: u64 = last[0].parse().unwrap();
        let parts = lines[..3].iter().map(|l| l.split(' ').nth(1).unwrap().parse::<u64>().unwrap());
        assert_eq!(parts.sum::<u64>(), total);
        lines[..3].to_vec()
    };
    assert_eq!(bench(), bench());
    let alone = good(&["bench", "--depth", "4", "--variant", "makhos"]);
    assert_eq!(alone.lines().count(), 2);
}

#[test]
fn a_reader_that_goes_away_is_no_accident() {
    for args in [
        &["perft", "--depth", "3", "--divide"][..],
        &["analyse", "--depth", "2", "--json"],
        &["bench", "--depth", "1"],
    ] {
        let mut child = hanuman()
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(&output.stderr), "", "{args:?}");
    }
}
