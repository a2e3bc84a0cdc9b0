//! Any lines at all make a session that goes on: every search is answered, nothing hangs or panics.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/edits.rs"]
mod edits;
#[path = "common/tame.rs"]
mod tame;

use std::io::{self, Write};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use edits::{edited, edits};
use engine::protocol::Name;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A protocol, lines of it that are right, to be damaged, and a question with its answer.
struct Language {
    name: Name,
    lines: &'static [&'static str],
    ping: [&'static str; 2],
}

const UCI: Language = Language {
    name: Name::Uci,
    lines: &[
        "uci",
        "isready",
        "ucinewgame",
        "debug on",
        "position startpos",
        "position startpos moves e3e4 e6e5 d1e2",
        "position startpos moves b2c3 g7f6",
        "position fen 8/8/4k3/8/8/2RMK3/8/8 b - 32 20 60 moves e6d6 c3c4",
        "position fen W:WK1,25,26:B5,K32 moves b8c7",
        "setoption name UCI_Variant value asean",
        "setoption name UCI_Variant value makhos",
        "setoption name RuleSet value cutechess",
        "setoption name RuleSet value federation",
        "setoption name BoardCountStart value 12",
        "setoption name MultiPV value 3",
        "setoption name UCI_ShowWDL value true",
        "setoption name Clear Hash",
        "go depth 3 searchmoves e3e4 e4e5",
        "go wtime 1000 btime 1000 winc -10 binc 10 movestogo 1",
        "go ponder infinite mate 3",
        "go perft 2",
        "ponderhit",
        "stop",
        "d",
        "eval",
        "count",
        "moves",
        "flip",
    ],
    ping: ["isready", "readyok"],
};

const USI: Language = Language {
    name: Name::Usi,
    lines: &[
        "usi",
        "usinewgame",
        "position startpos moves 4f4e 4c4d",
        "position sfen 8/8/4k3/P7/8/8/8/4K3 b - 1 moves 8d8cm",
        "setoption name USI_Variant value asean",
        "setoption name UCI_Variant value makhos",
        "go btime 1000 wtime 1000 byoyomi 500",
        "go ponder btime 0 wtime 0 byoyomi 10",
        "go infinite",
        "go mate 1000",
        "ponderhit",
        "stop",
        "gameover win",
    ],
    ping: ["isready", "readyok"],
};

const XBOARD: Language = Language {
    name: Name::Xboard,
    lines: &[
        "xboard",
        "protover 2",
        "accepted ping",
        "new",
        "variant makruk",
        "variant asean",
        "variant makhos",
        "level 40 5:30 0.5",
        "st 1",
        "sd 9",
        "time 598",
        "otim 30000",
        "post",
        "hard",
        "easy",
        "usermove e3e4",
        "usermove e2e3",
        "d2e3",
        "usermove c2d3,d3e4",
        "go",
        "playother",
        "force",
        "setboard 8/8/4k3/8/8/4K3/8/R7 w - - 0 1",
        "analyze",
        ".",
        "exit",
        "undo",
        "remove",
        "?",
        "ping 3",
        "hint",
        "bk",
        "memory 1",
        "cores 1",
        "option MultiPV=2",
        "option RuleSet=cutechess",
        "option FiftyMoveRule=0",
        "result 1/2-1/2 {draw}",
    ],
    ping: ["force\nping 77", "pong 77"],
};

const HUB: Language = Language {
    name: Name::Hub,
    lines: &[
        "hub",
        "init",
        "set-param name=variant value=thai",
        "set-param name=MakhosRemoval value=after",
        "set-param name=RuleSet value=mak-hos",
        "new-game",
        "pos",
        "pos pos=Wbbbbbbbbeeeeeeeeeeeeeeeewwwwwwww",
        "pos pos=Wbbbbbbbbeeeeeeeeeeeeeeeewwwwwwww moves=\"25-22 7-11\"",
        "pos pos=BeeeeBeeeeeeewwweeeeeeeeeeeeeeeee moves=\"5x23x14\"",
        "level depth=3",
        "level move-time=0.1",
        "level moves=40 time=12.5 inc=0.1",
        "level infinite",
        "go think",
        "go ponder",
        "go analyze",
        "ponder-hit",
        "stop",
    ],
    ping: ["ping", "pong"],
};

const LANGUAGES: [Language; 4] = [UCI, USI, XBOARD, HUB];

/// A sink that can be read afterwards.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn check_session(language: &Language, name: Name, text: &str) {
    let heard = Heard::default();
    let [ping, pong] = language.ping;
    let counts = tame::run(name.open(), &format!("{text}\n{ping}\n"), heard.clone());
    let said = String::from_utf8(heard.0.lock().unwrap().clone()).unwrap();
    let number = |count: &std::sync::atomic::AtomicUsize| count.load(Ordering::SeqCst);
    assert_eq!(number(&counts.answered), number(&counts.asked), "{text:?}");
    assert!(said.lines().any(|line| line == pong), "{name:?}: {text:?}: {said}");
    assert!(said.len() < 1_000_000, "{} bytes for {text:?}", said.len());
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(debug_assertions) { 200 } else { 600 },
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2026),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_a_session(text in any::<String>(), language in 0..LANGUAGES.len()) {
        let language = &LANGUAGES[language];
        check_session(language, language.name, &text);
    }

    #[test]
    fn damaged_lines_are_a_session(
        language in 0..LANGUAGES.len(),
        greeted in any::<bool>(),
        chosen in proptest::collection::vec((any::<usize>(), edits(), any::<bool>()), 1..20)
    ) {
        let language = &LANGUAGES[language];
        let lines = language.lines;
        let mut text = String::new();
        if greeted {
            text += lines[0];
            text.push('\n');
        }
        for (line, edits, damaged) in &chosen {
            let line = lines[line % lines.len()];
            text += &if *damaged { edited(line, edits) } else { line.to_owned() };
            text.push('\n');
        }
        // The first line alone tells the protocol as well.
        check_session(language, if greeted { Name::Auto } else { language.name }, &text);
    }
}
