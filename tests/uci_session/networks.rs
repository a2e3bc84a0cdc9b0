//! `EvalFile`: networks from files, and what happens to files that are none.

use std::fs;
use std::path::{Path, PathBuf};

use movegen::Variant;
use search::internals::random_network;

use crate::harness::{Engine, notes};
use crate::options::temporary_file;

/// A file that is gone when the test ends.
struct Gone(PathBuf);

impl Gone {
    fn with(name: &str, content: &[u8]) -> Self {
        let path = temporary_file(name);
        fs::write(&path, content).unwrap();
        Self(path)
    }

    /// A network with random weights.
    fn network(variant: Variant, seed: u64) -> Self {
        let bytes = random_network(variant, 32, seed).unwrap().to_bytes();
        Self::with(&format!("{}-{seed}.nnue", variant.name()), &bytes)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Gone {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn eval_file(value: &Path) -> String {
    format!("setoption name EvalFile value {}", value.display())
}

/// The static evaluation of a middle game.
fn evaluation(engine: &mut Engine) -> String {
    engine.send("position fen 2sm4/4k2r/n1pp1s2/pr2P1R1/1PP2n2/P1S1PPS1/R1K5/1N2M3 b - - 2 23");
    engine.ask("eval").join("\n")
}

/// What the first search says about the evaluation.
fn said_by_search(engine: &mut Engine) -> Vec<String> {
    engine.send("position startpos");
    let about = |note: &&str| note.contains(" evaluation");
    engine.go("go depth 2").notes().into_iter().filter(about).map(str::to_owned).collect()
}

#[test]
fn the_evaluation_in_use_is_said_once() {
    let network = Gone::network(Variant::Makruk, 1);
    let using = format!("NNUE evaluation using {} (768 -> 2 x 32 -> 8)", network.path().display());
    let mut engine = Engine::playing("makruk");
    assert_eq!(said_by_search(&mut engine).len(), 1);
    assert_eq!(said_by_search(&mut engine), [""; 0]);
    assert_eq!(engine.ask(&eval_file(network.path())), [""; 0]);
    assert_eq!(said_by_search(&mut engine), [using.as_str()]);
    assert_eq!(said_by_search(&mut engine), [""; 0]);
    engine.ask("setoption name EvalFile value none");
    assert_eq!(said_by_search(&mut engine), ["classical evaluation"]);
    // Another game has another evaluation, another rule set has not.
    engine.ask("setoption name RuleSet value federation");
    assert_eq!(said_by_search(&mut engine), [""; 0]);
    engine.ask("setoption name UCI_Variant value makhos");
    assert_eq!(said_by_search(&mut engine).len(), 1);
}

#[test]
fn networks_are_used_and_left_again() {
    let (first, second) = (Gone::network(Variant::Makruk, 2), Gone::network(Variant::Makruk, 3));
    let mut engine = Engine::playing("makruk");
    let built_in = evaluation(&mut engine);
    engine.ask("setoption name EvalFile value none");
    let by_hand = evaluation(&mut engine);
    let with = |engine: &mut Engine, file: &Gone| {
        assert_eq!(engine.ask(&eval_file(file.path())), [""; 0]);
        evaluation(engine)
    };
    let values = [with(&mut engine, &first), with(&mut engine, &second)];
    assert!(values[0] != values[1] && !values.contains(&by_hand), "{values:?}, {by_hand}");
    assert_eq!(with(&mut engine, &first), values[0]);
    // It stays through other rules, new games and searches, and while one is running.
    engine.ask("setoption name CountingRule value none");
    engine.ask("setoption name PawnCapture value straight");
    engine.ask("ucinewgame");
    assert_eq!(evaluation(&mut engine), values[0]);
    engine.send("go infinite");
    assert_eq!(engine.ask("eval").iter().filter(|l| **l == values[0]).count(), 1);
    engine.send("stop");
    engine.answer();
    engine.ask("setoption name EvalFile value <built-in>");
    engine.ask("setoption name PawnCapture value diagonal");
    assert_eq!(evaluation(&mut engine), built_in);
    with(&mut engine, &first);
    engine.ask("setoption name EvalFile value");
    assert_eq!(evaluation(&mut engine), built_in);
}

#[test]
fn files_that_are_no_networks_change_nothing() {
    let network = Gone::network(Variant::Makruk, 4);
    let bytes = fs::read(network.path()).unwrap();
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 4;
    let mut future = bytes.clone();
    future[5] = 9;
    let files = [
        (Gone::with("cut.nnue", &bytes[..bytes.len() - 1]), "truncated"),
        (Gone::with("cut-early.nnue", &bytes[..9]), "truncated"),
        (Gone::with("long.nnue", &[&bytes[..], b"x"].concat()), "instead of"),
        (Gone::with("changed.nnue", &changed), "checksum"),
        (Gone::with("future.nnue", &future), "version 9"),
        (Gone::with("other.nnue", b"\x2d\x0a\xf3\x7aFeatures=..."), "no network file"),
        (Gone::with("empty.nnue", b""), "no network file"),
        (Gone::with("huge.nnue", &vec![0; (8 << 20) + 1]), "more than"),
    ];
    let mut engine = Engine::playing("makruk");
    engine.ask(&eval_file(network.path()));
    let value = evaluation(&mut engine);
    let missing = temporary_file("missing.nnue");
    let folder = std::env::temp_dir();
    let cases = files.iter().map(|(file, fault)| (file.path(), *fault));
    for (path, fault) in cases.chain([(&*missing, "cannot be read"), (&*folder, "is no file")]) {
        let said = engine.ask(&eval_file(path));
        let [note] = notes(&said)[..] else { panic!("{path:?}: {said:#?}") };
        assert!(note.contains(&path.display().to_string()), "{note}");
        assert!(note.contains(fault) && note.contains("stays"), "{note}");
        assert_eq!(evaluation(&mut engine), value);
    }
    assert_eq!(said_by_search(&mut engine).len(), 1);
}

#[test]
fn a_network_waits_for_its_game() {
    let (makruk, makhos) = (Gone::network(Variant::Makruk, 5), Gone::network(Variant::Makhos, 6));
    let mut engine = Engine::playing("makruk");
    engine.ask(&eval_file(makruk.path()));
    let value = evaluation(&mut engine);
    let said = engine.ask(&eval_file(makhos.path()));
    let [note] = notes(&said)[..] else { panic!("{said:#?}") };
    assert!(note.contains("is a network for Makhos") && note.contains("Makruk stays"), "{note}");
    assert!(note.contains(&makhos.path().display().to_string()), "{note}");
    assert_eq!(evaluation(&mut engine), value);
    engine.ask("setoption name UCI_Variant value makhos");
    let [using] = &said_by_search(&mut engine)[..] else { panic!() };
    assert!(using.contains("(128 -> 2 x 32 -> 8)"), "{using}");
    engine.ask("setoption name UCI_Variant value asean");
    let [using] = &said_by_search(&mut engine)[..] else { panic!() };
    assert!(!using.contains(".nnue"), "{using}");
    engine.ask("setoption name UCI_Variant value makruk");
    assert_eq!(evaluation(&mut engine), value);
}
