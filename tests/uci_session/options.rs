//! The handshake and the options.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::harness::{Engine, assert_search_info, assert_uci_line, notes, words_after};

/// One line of the handshake, taken apart.
struct Declared {
    name: String,
    kind: String,
    default: String,
    range: Option<(i64, i64)>,
    vars: Vec<String>,
}

fn declared(lines: &[String]) -> Vec<Declared> {
    let parse = |line: &str| {
        let rest = line.strip_prefix("option name ")?;
        let (name, rest) = rest.split_once(" type ").unwrap();
        let bound = |word| words_after(line, word, 1).parse().ok();
        let vars = rest.split(" var ").skip(1).map(str::to_owned).collect();
        Some(Declared {
            name: name.to_owned(),
            kind: rest.split(' ').next().unwrap().to_owned(),
            default: words_after(rest, "default", 1),
            range: bound("min").zip(bound("max")),
            vars,
        })
    };
    lines.iter().filter_map(|line| parse(line)).collect()
}

pub(crate) fn temporary_file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("hanuman-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn the_handshake_declares_what_front_ends_look_for() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.wait_for("uciok");
    assert!(lines[0].starts_with("id name Hanuman"));
    assert!(lines[1].starts_with("id author "));
    assert_eq!(lines.last().unwrap(), "uciok");
    lines.iter().for_each(|line| assert_uci_line(line));
    for wanted in [
        "option name Debug Log File type string default <empty>",
        "option name Threads type spin default 1 min 1 max ",
        "option name Hash type spin default 16 min 1 max ",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max ",
        "option name Skill Level type spin default 20 min -20 max 20",
        "option name Move Overhead type spin default 10 min 0 max 5000",
        "option name nodestime type spin default 0 min 0 max 10000",
        "option name UCI_Variant type combo default makruk var makruk var asean var makhos",
        "option name UCI_AnalyseMode type check default false",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default ",
        "option name UCI_ShowWDL type check default false",
        "option name EvalFile type string default <built-in>",
        "option name RuleSet type combo default standard var standard ",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(wanted)), "{wanted}");
    }
    let known_uci =
        ["UCI_Variant", "UCI_AnalyseMode", "UCI_LimitStrength", "UCI_Elo", "UCI_ShowWDL"];
    for option in declared(&lines) {
        // Some front ends hide every other option with this beginning.
        assert!(!option.name.starts_with("UCI_") || known_uci.contains(&option.name.as_str()));
        assert!(["check", "spin", "combo", "button", "string"].contains(&option.kind.as_str()));
        if let Some((min, max)) = option.range {
            let default: i64 = option.default.parse().unwrap();
            assert!((min..=max).contains(&default), "{}", option.name);
        }
        assert_eq!(option.kind == "combo", !option.vars.is_empty());
        assert!(option.vars.is_empty() || option.vars.contains(&option.default));
    }
    // Twice is allowed, and nothing follows.
    engine.send("uci");
    assert_eq!(engine.wait_for("uciok"), lines);
    assert_eq!(engine.sync(), [""; 0]);
}

#[test]
fn s14_an_impossible_hash_is_brought_down_and_named() {
    for value in
        ["33554432", "99999999", "0", "-1", "99999999999999999999", "-99999999999999999999"]
    {
        let mut engine = Engine::playing("makruk");
        let said = engine.ask(&format!("setoption name Hash value {value}"));
        assert!(!notes(&said).is_empty(), "{value}: {said:#?}");
        assert!(said.iter().any(|line| line.contains("Hash")), "{said:#?}");
        engine.send("position startpos");
        engine.go("go depth 3");
        assert_eq!(engine.ask("setoption name Hash value 64"), [""; 0], "{value}");
        engine.go("go depth 3");
    }
}

#[test]
fn s15_empty_values_are_unset_and_unknown_options_cost_one_note() {
    let mut engine = Engine::playing("makruk");
    for (line, most) in [
        ("setoption name EvalFile value", 0),
        ("setoption name EvalFile value <empty>", 0),
        ("setoption name EvalFile value <built-in>", 0),
        ("setoption name EvalFile value none", 0),
        ("setoption name Debug Log File value", 0),
        ("setoption name Debug Log File value <empty>", 0),
        ("setoption name Debug Log File", 0),
        ("setoption name NoSuchOption value 3", 1),
        ("setoption name NoSuchOption", 1),
        ("setoption name Hash", 1),
        ("setoption name Hash value", 1),
        ("setoption name UCI_Variant value", 1),
        ("setoption name UCI_ShowWDL value", 1),
        ("setoption name UCI_ShowWDL value maybe", 1),
        ("setoption name RuleSet value", 1),
        ("setoption name Clear Hash value", 0),
        ("setoption name UCI_Chess960 value false", 0),
        ("setoption name Use NNUE value true", 0),
        ("setoption name SyzygyPath value", 0),
        ("setoption name EvalFile value no/such/file.nnue", 1),
    ] {
        let said = engine.ask(line);
        assert!(said.len() <= most, "{line}: {said:#?}");
        said.iter().for_each(|line| assert_uci_line(line));
    }
    assert_eq!(engine.legal_moves().len(), 23);
}

#[test]
fn s15_every_default_may_be_sent_back() {
    let mut engine = Engine::start();
    engine.send("uci");
    let options = declared(&engine.wait_for("uciok"));
    for option in &options {
        let value = if option.default == "<empty>" { "" } else { &option.default };
        let said = engine.ask(&format!("setoption name {} value {value}", option.name));
        assert!(said.iter().all(|line| line.starts_with("info string variant ")), "{said:#?}");
    }
    assert_eq!(engine.legal_moves().len(), 23);
}

#[test]
fn every_declared_value_is_taken() {
    let mut engine = Engine::start();
    engine.send("uci");
    for option in declared(&engine.wait_for("uciok")) {
        let mut values = option.vars.clone();
        if let Some((min, max)) = option.range {
            // The largest tables and teams are tested elsewhere.
            let max = if ["Hash", "Threads"].contains(&option.name.as_str()) { 8 } else { max };
            values.extend([min.to_string(), max.to_string(), option.default.clone()]);
        }
        if option.kind == "check" {
            values.extend(["true".to_owned(), "false".to_owned(), option.default.clone()]);
        }
        for value in values {
            for name in [option.name.to_lowercase(), option.name.to_uppercase()] {
                let said =
                    engine.ask(&format!("setoption name {name} value {}", value.to_uppercase()));
                // Rule sets of other games are refused.
                let refusal = option.name == "RuleSet";
                let fine = |line: &String| line.starts_with("info string variant ") || refusal;
                assert!(said.iter().all(fine), "{name} {value}: {said:#?}");
            }
            engine.send("position startpos");
            let answer = engine.go("go depth 2");
            assert!(engine.legal_moves().contains(&answer.best), "{} {value}", option.name);
        }
        engine.send("setoption name UCI_Variant value makruk");
    }
}

#[test]
fn s16_the_game_that_was_chosen_is_played() {
    let mut engine = Engine::start();
    engine.send("uci");
    engine.wait_for("uciok");
    engine.send("setoption name UCI_Variant value makruk");
    engine.send("position startpos");
    assert_eq!(engine.legal_moves().len(), 23);
    engine.send("position startpos moves e3e4");
    engine.send("setoption name uci_variant value ASEAN");
    // Before any position command: the new game's start.
    assert!(engine.fen().starts_with("rnbqkbnr/"));
    let answer = engine.go("go depth 2");
    assert!(engine.legal_moves().contains(&answer.best));
    for refused in ["nosuchgame", "chess", "makruk2", ""] {
        let said = engine.ask(&format!("setoption name UCI_Variant value {refused}"));
        assert_eq!(notes(&said).len(), 1, "{refused}: {said:#?}");
        engine.send("position startpos");
        assert_eq!(engine.legal_moves().len(), 23);
        assert!(engine.fen().starts_with("rnbqkbnr/"), "{refused}");
    }
    engine.send("setoption name UCI_Variant value thai");
    assert_eq!(engine.legal_moves().len(), 7);
    // The same game again keeps the position: runners send it before every game.
    engine.send("position startpos moves b2c3");
    let fen = engine.fen();
    engine.send("setoption name UCI_Variant value makhos");
    assert_eq!(engine.fen(), fen);
}

#[test]
fn s17_nothing_but_uci_is_said() {
    let mut engine = Engine::start();
    assert_eq!(engine.listen(Duration::from_millis(300)), [""; 0]);
    for line in [
        "uci",
        "setoption name Hash value 32",
        "setoption name Threads value 2",
        "setoption name UCI_Variant value asean",
        "isready",
        "ucinewgame",
        "isready",
        "position startpos moves e3e4 nonsense",
        "position fen nonsense",
        "nonsense",
    ] {
        engine.send(line);
    }
    engine.sync();
    engine.go("go depth 5");
    engine.send("quit");
    engine.transcript.iter().for_each(|line| assert_uci_line(line));
    assert!(engine.wait_exit().0.success());
}

#[test]
fn the_log_holds_input_and_output() {
    let path = temporary_file("log.txt");
    let mut engine = Engine::playing("makruk");
    let name = path.display();
    engine.send(&format!("setoption name Debug Log File value {name}"));
    engine.send("position startpos");
    engine.go("go depth 1");
    engine.send("setoption name Debug Log File value");
    engine.sync();
    engine.send("debug on");
    engine.sync();
    let log = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(log.contains(">> position startpos\n>> go depth 1\n"), "{log}");
    assert!(log.contains("<< bestmove "), "{log}");
    assert!(!log.contains("debug on"), "{log}");
}

#[test]
fn a_log_that_cannot_be_written_is_named_and_play_goes_on() {
    let mut engine = Engine::playing("makruk");
    let folder = std::env::temp_dir().join("no-such-folder").join("log.txt");
    let said = engine.ask(&format!("setoption name Debug Log File value {}", folder.display()));
    assert_eq!(notes(&said).len(), 1, "{said:#?}");
    engine.send("position startpos");
    engine.go("go depth 1");
}

#[test]
fn multipv_shows_as_many_lines_as_there_are_moves() {
    for (game, position, asked, shown) in [
        ("makruk", "startpos", 3, 3),
        ("asean", "startpos", 500, 23),
        ("makhos", "startpos", 4, 4),
        ("makruk", "fen k7/2R5/1K6/8/8/8/8/7R b - - 0 1", 5, 1),
    ] {
        let mut engine = Engine::playing(game);
        engine.send(&format!("setoption name MultiPV value {asked}"));
        engine.send(&format!("position {position}"));
        let answer = engine.go("go depth 3");
        let last: Vec<&str> = answer
            .before
            .iter()
            .map(String::as_str)
            .filter(|l| l.starts_with("info depth 3 "))
            .collect();
        let mut firsts = Vec::new();
        for number in 1..=shown {
            let line = last.iter().rfind(|l| l.contains(&format!(" multipv {number} ")));
            let line = line.unwrap_or_else(|| panic!("{game}: no line {number}: {last:#?}"));
            assert_search_info(line);
            firsts.push(words_after(line, "pv", 1));
        }
        assert!(!last.iter().any(|l| l.contains(&format!(" multipv {} ", shown + 1))));
        assert_eq!(firsts[0], answer.best);
        let legal = engine.legal_moves();
        assert!(firsts.iter().all(|m| legal.contains(m)));
        firsts.sort();
        firsts.dedup();
        assert_eq!(firsts.len(), shown);
    }
}

#[test]
fn chances_are_shown_when_wanted() {
    let mut engine = Engine::playing("makruk");
    engine.send("position startpos");
    assert!(!engine.go("go depth 3").last_info().contains(" wdl "));
    engine.send("setoption name UCI_ShowWDL value true");
    let answer = engine.go("go depth 3");
    assert!(answer.last_info().contains(" wdl "));
    answer
        .before
        .iter()
        .filter(|l| !l.starts_with("info string"))
        .for_each(|l| assert_search_info(l));
}

#[test]
fn weak_levels_play_legal_moves() {
    for option in [
        "setoption name Skill Level value -20",
        "setoption name Skill Level value 0",
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 500",
    ] {
        for game in ["makruk", "asean", "makhos"] {
            let mut engine = Engine::playing(game);
            engine.send(option);
            let mut moves = String::new();
            for _ in 0..12 {
                engine.send(&format!("position startpos moves{moves}"));
                let answer = engine.go("go movetime 20");
                let legal = engine.legal_moves();
                if legal.is_empty() {
                    break;
                }
                assert!(legal.contains(&answer.best), "{moves}");
                assert!(!answer.exact_infos().is_empty());
                moves.push(' ');
                moves.push_str(&answer.best);
            }
        }
    }
}

#[test]
fn threads_can_be_changed_between_searches() {
    let mut engine = Engine::playing("asean");
    engine.send("position startpos");
    for threads in [2, 1, 4, 3] {
        engine.send(&format!("setoption name Threads value {threads}"));
        let answer = engine.go("go depth 5");
        assert!(engine.legal_moves().contains(&answer.best));
        engine.send("go infinite");
        engine.send("stop");
        engine.answer();
    }
}

#[test]
fn rule_sets_are_refused_where_they_do_not_exist() {
    for (game, set) in [("makruk", "laws2011"), ("asean", "yeeqia"), ("makhos", "cutechess")] {
        let mut engine = Engine::playing(game);
        let said = engine.ask(&format!("setoption name RuleSet value {set}"));
        assert_eq!(notes(&said).len(), 1, "{said:#?}");
        assert!(said[0].contains(set) && said[0].contains("standard"), "{said:#?}");
    }
}

#[test]
fn rules_take_effect_on_the_position_at_hand() {
    let mut engine = Engine::playing("makruk");
    // Pawns on d3 and e4: by straight captures only, d3xd4 is one.
    engine.send("position fen 4k3/8/8/8/3pp3/3P4/8/4K3 w - - 0 1");
    let diagonal = engine.legal_moves();
    assert!(diagonal.contains(&"d3e4".to_owned()) && !diagonal.contains(&"d3d4".to_owned()));
    engine.send("setoption name RuleSet value yeeqia");
    let straight = engine.legal_moves();
    assert!(straight.contains(&"d3d4".to_owned()) && !straight.contains(&"d3e4".to_owned()));
    engine.send("setoption name PawnCapture value diagonal");
    assert_eq!(engine.legal_moves(), diagonal);
    // By way of a game that has no such rule set: the standard one again.
    engine.send("setoption name UCI_Variant value asean");
    engine.send("setoption name UCI_Variant value makruk");
    engine.send("position fen 4k3/8/8/8/3pp3/3P4/8/4K3 w - - 0 1");
    assert_eq!(engine.legal_moves(), diagonal);

    // The moves before an illegal one stay played.
    engine.send("position startpos moves e3e4 e3e4 d6d5");
    let played = engine.fen();
    engine.send("setoption name MaxGameMoves value 200");
    assert_eq!(engine.fen(), played);

    let mut engine = Engine::playing("makhos");
    engine.send("setoption name MakhosFirst value black");
    assert!(engine.fen().starts_with("B:"), "{}", engine.fen());
    engine.send("setoption name RuleSet value thai-draughts");
    assert!(engine.fen().starts_with("B:"), "single options come after the rule set");
}

#[test]
fn clear_hash_and_a_new_game_forget_what_was_searched() {
    for forget in ["setoption name Clear Hash", "ucinewgame"] {
        let mut engine = Engine::playing("makruk");
        let mut nodes = || words_after(engine.go("go depth 7").last_info(), "nodes", 1);
        let (first, second) = (nodes(), nodes());
        assert_ne!(first, second, "the table helps");
        engine.send(forget);
        assert_eq!(words_after(engine.go("go depth 7").last_info(), "nodes", 1), first, "{forget}");
    }
}
