//! Whole matches through the binary: sound engines, and engines that do everything wrong.
#![allow(clippy::unwrap_used, reason = "helpers outside test functions may fail loudly too")]

#[path = "common/folder.rs"]
mod folder;

use std::path::Path;
use std::process::{Command, Output};

use movegen::{ChessRules, GameRecord, MakhosRules, Position, Variant, chess, makhos};
use search::internals::random_network;

use folder::Folder;

const HANUMAN: &str = env!("CARGO_BIN_EXE_hanuman");
const MOCK: &str = env!("CARGO_BIN_EXE_mock_engine");

fn mock(name: &str, arguments: &str) -> String {
    format!("cmd=\"{MOCK}\" {arguments},name={name}")
}

/// Runs a match between two engines; `more` is split at blanks.
fn play(engines: [&str; 2], more: &str) -> Output {
    let mut command = Command::new(HANUMAN);
    command.args(["match", "--engine", engines[0], "--engine", engines[1]]);
    command.args(more.split_whitespace()).output().unwrap()
}

/// Runs a match that must succeed, and gives its last line.
fn last_line(engines: [&str; 2], more: &str) -> String {
    let output = play(engines, more);
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{engines:?} {more}\n{out}\n{err}");
    out.lines().last().unwrap_or_default().to_owned()
}

/// Runs a match that must fail, and gives the error.
fn error(engines: [&str; 2], more: &str) -> String {
    let output = play(engines, more);
    let (out, err) = texts(&output);
    assert!(!output.status.success(), "{engines:?} {more}\n{out}\n{err}");
    assert!(!err.contains("panicked"), "{err}");
    err
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// A game read back from a file.
struct ReadGame {
    tags: Vec<(String, String)>,
    moves: Vec<String>,
    result: String,
}

impl ReadGame {
    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Plays the moves through the reader of game notation and compares what the rules say.
    fn replay<P: Position>(&self, rules: P::Rules) {
        let start = match self.tag("FEN") {
            Some(fen) => P::from_fen(fen, rules).unwrap(),
            None => P::start(rules),
        };
        let mut record = GameRecord::new(start);
        for text in &self.moves {
            assert_eq!(record.outcome(), None, "the game went on after its end");
            let m = record.position().parse_notation(text).unwrap();
            record.play(m);
        }
        assert_eq!(self.tag("Result"), Some(self.result.as_str()));
        assert_eq!(self.tag("PlyCount"), Some(self.moves.len().to_string().as_str()));
        match record.outcome() {
            Some(outcome) => {
                assert_eq!(self.tag("Termination"), Some("normal"));
                assert_eq!(outcome.score_text(), self.result);
            }
            None => assert_ne!(self.tag("Termination"), Some("normal")),
        }
    }

    fn replay_as(&self, game: &str) {
        match game {
            "makruk" => {
                assert_eq!(self.tag("Variant"), Some("Makruk"));
                self.replay::<chess::MakrukBoard>(ChessRules::STANDARD);
            }
            "asean" => {
                assert_eq!(self.tag("Variant"), Some("Asean"));
                self.replay::<chess::AseanBoard>(ChessRules::STANDARD);
            }
            _ => {
                assert_eq!(self.tag("GameType"), Some("31,W,8,8,N2,0"));
                self.replay::<makhos::Board>(MakhosRules::STANDARD);
            }
        }
    }
}

fn read_games(path: &Path) -> Vec<ReadGame> {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.lines().all(|line| line.len() <= 80 || line.starts_with('[')), "long line");
    let mut games = Vec::new();
    let mut tags = Vec::new();
    for block in text.split("\n\n").filter(|block| !block.trim().is_empty()) {
        if block.starts_with('[') {
            for line in block.lines() {
                let (name, value) = line.trim_matches(['[', ']']).split_once(' ').unwrap();
                tags.push((name.to_owned(), value.trim_matches('"').to_owned()));
            }
            continue;
        }
        let mut comment = false;
        let mut moves = Vec::new();
        for word in block.split_whitespace() {
            let inside = comment || word.starts_with('{');
            comment = inside && !word.ends_with('}');
            let is_number = word.ends_with('.') && word.starts_with(|c: char| c.is_ascii_digit());
            if !inside && !is_number {
                moves.push(word.to_owned());
            }
        }
        let result = moves.pop().unwrap();
        games.push(ReadGame { tags: std::mem::take(&mut tags), moves, result });
    }
    games
}

const SOUND: &str = "0 illegal moves, 0 time losses, 0 crashes, 0 hangs";

#[test]
fn all_games_in_pairs_and_read_back() {
    let folder = Folder::new();
    let (a, b) = (mock("A", ""), mock("B", "style=last"));
    for game in ["makruk", "asean", "makhos"] {
        let file = folder.file(game);
        let arguments = format!(
            "--variant {game} --nodes 1 --games 6 --concurrency 2 --max-moves 100 --pgn {} --seed 5",
            file.display()
        );
        let line = last_line([&a, &b], &arguments);
        assert!(line.starts_with("A v B: W "), "{line}");
        assert!(line.contains(&format!("A: {SOUND}; B: {SOUND}")), "{line}");

        let games = read_games(&file);
        assert_eq!(games.len(), 6);
        for (i, game) in games.iter().enumerate() {
            assert_eq!(game.tag("Round"), Some(format!("{}.{}", i / 2 + 1, i % 2 + 1).as_str()));
            assert_eq!(game.tag("White"), Some(if i % 2 == 0 { "A" } else { "B" }));
        }
        for pair in games.chunks(2) {
            assert_eq!(pair[0].tag("FEN"), pair[1].tag("FEN"));
        }
        assert_ne!(games[0].tag("FEN"), games[2].tag("FEN"));
        for read in &games {
            read.replay_as(game);
        }

        // Another match is appended.
        last_line([&a, &b], &arguments);
        assert_eq!(read_games(&file).len(), 12);
    }
}

/// This program against itself, at fixed nodes: every game legal to its end, the same each time.
#[test]
fn against_itself() {
    let folder = Folder::new();
    for game in ["makruk", "asean", "makhos"] {
        let played = |concurrency: u32| {
            let file = folder.file(&format!("{game}-{concurrency}"));
            let arguments = format!(
                "--variant {game} --nodes 200 --games 4 --concurrency {concurrency} --hash 1 \
                 --max-moves 120 --pgn {}",
                file.display()
            );
            let line = last_line(["name=A", "cmd=self,name=B,option.Threads=1"], &arguments);
            assert!(line.ends_with(&format!("A: {SOUND}; B: {SOUND}")), "{line}");
            let games = read_games(&file);
            for read in &games {
                read.replay_as(game);
            }
            games.into_iter().map(|read| read.moves).collect::<Vec<_>>()
        };
        assert_eq!(played(1), played(2), "{game}");
    }
}

#[test]
fn results_do_not_depend_on_scheduling() {
    let folder = Folder::new();
    let (a, b) = (mock("A", ""), mock("B", "style=last"));
    let played = |concurrency: u32| {
        let file = folder.file(&concurrency.to_string());
        let arguments = format!(
            "--variant makhos --depth 1 --games 21 --concurrency {concurrency} --pgn {}",
            file.display()
        );
        let line = last_line([&a, &b], &arguments);
        let games: Vec<_> = read_games(&file)
            .into_iter()
            .map(|game| (game.tag("FEN").map(str::to_owned), game.moves, game.result))
            .collect();
        assert_eq!(games.len(), 21);
        (line, games)
    };
    let one = played(1);
    assert_eq!(one, played(3));
    // 10 pairs and a single game.
    let pairs = one.0.split("pairs ").nth(1).unwrap().split(';').next().unwrap();
    let pairs: u32 = pairs.split('-').map(|n| n.parse::<u32>().unwrap()).sum();
    assert_eq!(pairs, 10);
}

/// The arbiter favours no side: exchanged engines play the same games, and the score is mirrored.
#[test]
fn exchanged_engines_mirror_the_score() {
    let folder = Folder::new();
    let engines = ["name=A,nodes=100", "name=B,nodes=120"];
    let played = |engines: [&str; 2], name: &str| {
        let file = folder.file(name);
        let arguments = format!(
            "--variant makhos --games 12 --concurrency 2 --hash 1 --seed 3 --pgn {}",
            file.display()
        );
        let line = last_line(engines, &arguments);
        let score = line.split("pairs ").nth(1).unwrap().split(';').next().unwrap();
        let pairs: Vec<u32> = score.split('-').map(|n| n.parse().unwrap()).collect();
        let moves: Vec<_> = read_games(&file).into_iter().map(|game| game.moves).collect();
        (pairs, moves)
    };
    let (pairs, moves) = played(engines, "first");
    let (mut mirrored, exchanged) = played([engines[1], engines[0]], "second");
    mirrored.reverse();
    assert_eq!(pairs, mirrored);
    for (pair, other) in moves.chunks(2).zip(exchanged.chunks(2)) {
        assert_eq!([&pair[0], &pair[1]], [&other[1], &other[0]]);
    }
}

#[test]
fn repeated_openings_are_told() {
    let engines = [&mock("A", ""), &mock("B", "")];
    let arguments = "--games 4 --nodes 1 --max-moves 2 --opening-plies 0";
    let (_, err) = texts(&play(engines.map(String::as_str), arguments));
    assert!(err.contains("2 pairs of games, but only 1 openings: they repeat"), "{err}");
}

/// The bad engine loses every game, is restarted, and the offence is counted on its side alone.
#[test]
fn every_offence_loses_and_the_match_goes_on() {
    const ILLEGAL: &str = "4 illegal moves, 0 time losses, 0 crashes, 0 hangs";
    const LATE: &str = "0 illegal moves, 4 time losses, 0 crashes, 0 hangs";
    const CRASH: &str = "0 illegal moves, 0 time losses, 4 crashes, 0 hangs";
    const HANG: &str = "0 illegal moves, 0 time losses, 0 crashes, 4 hangs";
    let cases = [
        ("dies", "nodes=1", CRASH),
        ("dies@3", "nodes=1", CRASH),
        ("illegal@2", "nodes=1", ILLEGAL),
        ("nonsense", "nodes=1", ILLEGAL),
        ("none", "nodes=1", ILLEGAL),
        ("bare", "nodes=1", ILLEGAL),
        ("late", "movetime=200", LATE),
        ("late", "tc=0.2+0.01", LATE),
        ("waits", "tc=5/0.2", LATE),
        ("hangs", "movetime=100", HANG),
        ("hangs", "nodes=1", HANG),
        ("floods", "movetime=100", HANG),
        ("deaf@2", "nodes=1", HANG),
    ];
    let check = |(fault, limit, offences): (&str, &str, &str)| {
        let (good, bad) = (mock("Good", "style=last,nodes=1"), mock("Bad", fault));
        let bad = format!("{bad},{limit}");
        let line = last_line(
            [&good, &bad],
            "--games 4 --concurrency 2 --answer-timeout 4000 --search-timeout 4",
        );
        assert!(line.starts_with("Good v Bad: W 4 D 0 L 0 (100.0 %)"), "{fault}: {line}");
        assert!(line.ends_with(&format!("Good: {SOUND}; Bad: {offences}")), "{fault}: {line}");
    };
    // They mostly wait, so they may do it together.
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(move || check(case));
        }
    });
}

#[test]
fn noise_is_survived() {
    let a = mock("A", "style=last");
    for fault in ["chatters", "chatters@4"] {
        let line = last_line([&a, &mock("B", fault)], "--games 2 --nodes 1 --max-moves 6");
        assert!(line.ends_with(&format!("A: {SOUND}; B: {SOUND}")), "{line}");
    }
}

/// A second answer is not taken for the answer to the next question.
#[test]
fn stray_answers_are_no_answers() {
    let engines = [&mock("A", ""), &mock("B", "repeats")];
    let line = last_line(engines.map(String::as_str), "--games 2 --nodes 1 --max-moves 9");
    assert!(line.ends_with(&format!("A: {SOUND}; B: {SOUND}")), "{line}");
}

#[test]
fn illegal_main_lines_are_told() {
    let output =
        play([&mock("A", ""), &mock("B", "bad-line")], "--games 1 --nodes 1 --max-moves 4");
    let (_, err) = texts(&output);
    assert!(err.contains("B reported 3 main lines with an illegal move"), "{err}");
}

#[test]
fn engines_that_cannot_play_are_refused_before_the_match() {
    let good = mock("Good", "");
    let bad = |fault: &str| mock("Bad", fault);
    let cases = [
        (bad("chess-only"), "engine Bad: does not play makruk"),
        (bad("never-uciok"), "engine Bad: no uciok in time"),
        (bad("dies-at-start"), "engine Bad: disconnected (exit "),
        ("cmd=/no/such/engine,name=Bad".into(), "engine Bad: cannot be started: /no/such/engine"),
        (bad("") + ",option.Hsah=16", "engine Bad: has no option 'Hsah'"),
        (bad("") + ",option.Hash=65", "option Hash must be a number from 1 to 64"),
        (bad("") + ",option.Style=odd", "option Style must be one of first, last"),
    ];
    for (bad, expected) in cases {
        for engines in [[&good, &bad], [&bad, &good]] {
            let err = error(engines.map(String::as_str), "--nodes 1 --answer-timeout 1500");
            assert!(err.contains(expected), "{bad}: {err}");
        }
    }
}

#[test]
fn options_and_engines_of_one_game() {
    let a = mock("A", "game=asean");
    let b = mock("B", "game=asean") + ",option.style=last,option.Press=,option.hash=64";
    let output =
        play([&a, &b], "--variant asean --nodes 1 --games 2 --max-moves 4 --hash 8 --threads 1");
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{err}");
    assert!(err.contains("A has no option UCI_Variant; it is taken to play asean"), "{err}");
    assert!(err.contains("has no option Threads"), "{err}");
    assert!(out.contains(&format!("A: {SOUND}; B: {SOUND}")), "{out}");
}

#[test]
fn networks_are_compared_by_file() {
    let folder = Folder::new();
    let network = folder.file("a.nnue");
    let bytes = random_network(Variant::Makruk, 32, 1).unwrap().to_bytes();
    std::fs::write(&network, bytes).unwrap();
    let with = |name: &str, value: &str| format!("cmd=self,name={name},option.EvalFile={value}");
    let more = "--games 2 --nodes 200 --max-moves 6 --seed 1 --concurrency 1";
    let log = folder.file("log");
    let path = network.display().to_string();
    let engines = [with("new", &path), with("old", "none")];
    let output = play([&engines[0], &engines[1]], &format!("{more} --log {}", log.display()));
    let (_, err) = texts(&output);
    assert!(output.status.success() && !err.contains("warning"), "{err}");
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains(&format!("NNUE evaluation using {path}")), "{log}");
    assert!(log.contains("classical evaluation"), "{log}");

    let missing = folder.file("b.nnue").display().to_string();
    let output = play([&with("new", &missing), &with("old", "none")], more);
    let (_, err) = texts(&output);
    assert!(output.status.success(), "{err}");
    assert!(err.contains("warning: new says: EvalFile") && err.contains(&missing), "{err}");
}

#[test]
fn rules_are_applied_and_told() {
    let folder = Folder::new();
    let (log, file) = (folder.file("log"), folder.file("games"));
    let arguments = format!(
        "--variant makhos --rule-set mak-hos --option MakhosQuietPlies=4 --nodes 50 --games 2 \
         --opening-plies 0 --log {} --pgn {}",
        log.display(),
        file.display()
    );
    last_line(["name=A", "name=B"], &arguments);
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.contains("> setoption name RuleSet value mak-hos"), "{text}");
    assert!(text.contains("> setoption name MakhosQuietPlies value 4"), "{text}");
    for game in read_games(&file) {
        assert_eq!(game.tag("RuleSet"), Some("mak-hos MakhosQuietPlies=4"));
        // Black begins, so that b8 = 1 is the bottom right square of the beginner.
        assert_eq!(game.tag("GameType"), Some("31,B,8,8,N1,0"));
        assert!(game.tag("FEN").unwrap().starts_with("B:"));
        let rules = MakhosRules { quiet_plies: 4, ..MakhosRules::STANDARD };
        game.replay::<makhos::Board>(rules);
    }
}

#[test]
fn paths_with_blanks_and_commas() {
    let folder = Folder::new();
    let directory = folder.file("a b, c=d");
    std::fs::create_dir_all(&directory).unwrap();
    let copy = directory.join(format!("my engine{}", std::env::consts::EXE_SUFFIX));
    std::fs::copy(MOCK, &copy).unwrap();
    let quoted = format!("cmd=\"{}\" style=last,name='A, \"the first\"'", copy.display());
    let line = last_line([&quoted, &mock("B", "")], "--games 1 --depth 1 --max-moves 2");
    assert!(line.starts_with("A, \"the first\" v B: "), "{line}");
}

#[test]
fn adjudication() {
    let ended = |fault: &str, rule: &str| {
        let arguments = format!("--games 2 --nodes 1 {rule}");
        texts(&play([&mock("A", fault), &mock("B", fault)], &arguments)).0
    };
    let out = ended("resigns", "--resign moves=3,score=900");
    assert!(out.contains("adjudication: resigned 2; 5.0 plies a game"), "{out}");
    let out = ended("sees-mate", "--resign moves=1,score=900");
    assert!(out.contains("adjudication: resigned 2; 1.0 plies a game"), "{out}");
    let out = ended("level", "--draw number=1,count=3,score=5");
    assert!(out.contains("adjudication: draw 2; 6.0 plies a game"), "{out}");
    // Openings have two plies, so the fourth full move ends after six more.
    let out = ended("", "--max-moves 4");
    assert!(out.contains("adjudication: move limit 2; 6.0 plies a game"), "{out}");
}

#[test]
fn a_sequential_test_ends_the_match() {
    let run = |first: &str, second: &str| {
        let arguments = "--nodes 1 --games 1000 --concurrency 3 --sprt elo0=0,elo1=400";
        texts(&play([&mock("A", first), &mock("B", second)], arguments)).0
    };
    // Every pair won gives ln(0.909 / 0.5) = 0.598: five pairs pass 2.94.
    let out = run("", "illegal");
    assert!(out.contains("H1 accepted"), "{out}");
    assert!(out.contains("A v B: W 10 D 0 L 0 (100.0 %)"), "{out}");
    // Every pair lost gives ln(0.091 / 0.5) = -1.70: two pairs pass -2.94.
    let out = run("illegal", "");
    assert!(out.contains("H0 accepted"), "{out}");
    assert!(out.contains("A v B: W 0 D 0 L 4 (0.0 %)"), "{out}");
}

#[test]
fn openings_from_a_file() {
    let folder = Folder::new();
    let (book, file) = (folder.file("book.epd"), folder.file("games.pgn"));
    // Fairy-Stockfish's and cutechess's spelling, a running count by operations, a comment.
    std::fs::write(
        &book,
        "# three\n\
         rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR b - - 0 1\n\
         rnsmksnr/8/1ppppppp/p7/P7/1PPPPPPP/8/RNSKMSNR w - 0\n\
         4k3/8/8/8/8/8/8/R2K4 w - 32 hmvc 8; fmvn 40; id \"rook\";\n",
    )
    .unwrap();
    let (a, b) = (mock("A", ""), mock("B", ""));
    let arguments = format!(
        "--nodes 1 --games 8 --openings {} --max-moves 50 --pgn {}",
        book.display(),
        file.display()
    );
    last_line([&a, &b], &arguments);
    let games = read_games(&file);
    let expected = [
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR b - - 0 1",
        "rnsmksnr/8/1ppppppp/p7/P7/1PPPPPPP/8/RNSKMSNR w - - 0 1",
        "4k3/8/8/8/8/8/8/R2K4 w - 32 8 40",
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR b - - 0 1",
    ];
    assert_eq!(games.len(), 8);
    for (i, game) in games.iter().enumerate() {
        assert_eq!(game.tag("FEN"), Some(expected[i / 2]));
        game.replay_as("makruk");
    }

    std::fs::write(&book, "rnsmksnr/8/8 w\n\n4k3/8/8/8/8/8/8/3K4 x - - 0 1\n").unwrap();
    let err = error([&a, &b], &arguments);
    assert!(err.contains("line 1: ") && err.contains("line 3: "), "{err}");
    std::fs::remove_file(&book).unwrap();
    assert!(error([&a, &b], &arguments).contains("book.epd"));
}

#[test]
fn impossible_arguments() {
    let a = mock("A", "");
    for (arguments, expected) in [
        ("--games 2", "every engine needs a limit"),
        ("--nodes 0", "--nodes: "),
        ("--tc x", "--tc: "),
        ("--tc 1 --movetime 5", "cannot be used with"),
        ("--nodes 1 --variant chess", "the games are makruk, asean and makhos"),
        ("--nodes 1 --rule-set mak-hos", "--option: "),
        ("--nodes 1 --option Hash=1", "--option: 'Hash' is no rule"),
        ("--nodes 1 --option Repetition=perhaps", "--option: "),
        ("--nodes 1 --option UCI_Variant=asean", "--option: "),
        ("--nodes 1 --sprt elo0=5,elo1=0", "--sprt: "),
        ("--nodes 1 --resign moves=1", "--resign: "),
        ("--nodes 1 --draw score=1", "--draw: "),
        ("--nodes 1 --games 0", "--games: "),
        ("--nodes 1 --concurrency 0", "--concurrency: "),
        ("--nodes 1 --opening-plies 30", "--opening-plies: "),
        ("--nodes 1 --pgn /no/such/folder/x.pgn", "cannot write /no/such/folder/x.pgn"),
        ("--nodes 1 --engine name=third", "--engine: give it exactly twice"),
    ] {
        let err = error([&a, &a], arguments);
        assert!(err.contains(expected), "{arguments}: {err}");
    }
    assert!(error([&a, "x"], "--nodes 1").contains("--engine: 'x'"));
}

#[test]
fn two_engines_of_one_name_and_a_log() {
    let folder = Folder::new();
    let log = folder.file("talk.log");
    let engine = format!("cmd=\"{MOCK}\"");
    let arguments = format!("--games 2 --tc 60 --max-moves 3 --log {}", log.display());
    let line = last_line([&engine, &engine], &arguments);
    assert!(line.starts_with("Mock (1) v Mock (2): "), "{line}");
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.contains("Mock (1)#1 > go wtime 60000 btime 60000"), "{text}");
    assert!(text.contains("Mock (2)#1 < bestmove "), "{text}");
    assert!(text.contains("> setoption name UCI_Variant value makruk"), "{text}");
}

#[test]
#[cfg(unix)]
fn an_interrupted_match_sums_up() {
    use std::io::{BufRead, BufReader};
    use std::os::unix::process::CommandExt;
    use std::process::Stdio;
    let (a, b) = (mock("A", ""), mock("B", "style=last"));
    let mut child = Command::new(HANUMAN)
        .args(["match", "--engine", &a, "--engine", &b, "--nodes", "1", "--games", "1000"])
        .args(["--report-every", "2"])
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let standing = lines.next().unwrap().unwrap();
    assert!(standing.contains("/1000 games: A v B: "), "{standing}");
    // As a terminal does it: the engines are interrupted too, which is no crash of theirs.
    let group = format!("-{}", child.id());
    assert!(Command::new("kill").args(["-INT", "--", &group]).status().unwrap().success());
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    let output = child.wait_with_output().unwrap();
    let (out, _) = texts(&output);
    assert!(!output.status.success());
    assert!(out.lines().last().unwrap().contains(&format!("A: {SOUND}; B: {SOUND}")), "{out}");
    assert!(rest.last().unwrap().contains("interrupted; games played to their end: "), "{rest:?}");
}
