//! A UCI engine that misbehaves on demand; the match runner's tests play against it.
//!
//! ```text
//! mock_engine [FAULT[@N]] [game=NAME] [style=first|last]
//! ```
//!
//! It plays the first (or last) legal move. From its `N`-th `go` on (default 1, counted from the
//! start of the process) it commits the fault. `game=` makes an engine of one game without
//! `UCI_Variant`.

#![allow(clippy::expect_used, reason = "a test helper")]

use std::io::{Write, stdin, stdout};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use movegen::{ChessRules, GameRecord, MakhosRules, Position, Variant, chess, makhos};

struct Mock {
    fault: String,
    at: u32,
    searches: u32,
    fixed: bool,
    last: bool,
    variant: Variant,
    position: String,
}

fn main() {
    let mut mock = Mock {
        fault: String::new(),
        at: 1,
        searches: 0,
        fixed: false,
        last: false,
        variant: Variant::Makruk,
        position: "position startpos".into(),
    };
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("game", name)) => {
                mock.fixed = true;
                mock.variant = Variant::parse(name).expect("a game");
            }
            Some(("style", style)) => mock.last = style == "last",
            _ => match argument.split_once('@') {
                Some((fault, at)) => {
                    mock.fault = fault.into();
                    mock.at = at.parse().expect("a number");
                }
                None => mock.fault = argument,
            },
        }
    }
    if mock.fault == "dies-at-start" {
        exit(3);
    }
    while let Some(line) = hear() {
        mock.obey(&line);
    }
}

fn hear() -> Option<String> {
    let mut line = String::new();
    match stdin().read_line(&mut line) {
        Ok(n) if n > 0 => Some(line.trim_end().into()),
        _ => None,
    }
}

fn say(text: &str) {
    let mut out = stdout().lock();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

fn forever() -> ! {
    loop {
        sleep(Duration::from_secs(1));
    }
}

impl Mock {
    fn obey(&mut self, line: &str) {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "uci" if self.fault == "never-uciok" => {}
            "uci" => {
                say("id name Mock");
                if !self.fixed {
                    let games = if self.fault == "chess-only" {
                        "chess"
                    } else {
                        "makruk var asean var thai"
                    };
                    say(&format!(
                        "option name UCI_Variant type combo default chess var chess var {games}"
                    ));
                }
                say("option name Hash type spin default 16 min 1 max 64");
                say("option name Style type combo default first var first var last");
                say("option name Press type button");
                say("uciok");
            }
            "setoption" => match rest.split_once(" value ") {
                Some(("name UCI_Variant", value)) => {
                    self.variant = Variant::parse(value).unwrap_or(self.variant);
                }
                Some(("name Style", value)) => self.last = value == "last",
                _ => {}
            },
            "isready" => {
                if self.fault == "deaf" && self.searches + 1 >= self.at {
                    forever();
                }
                say("readyok");
            }
            "position" => self.position = line.into(),
            "go" => self.go(),
            "quit" => exit(0),
            _ => {}
        }
    }

    fn go(&mut self) {
        self.searches += 1;
        if self.searches >= self.at {
            match self.fault.as_str() {
                // Never answers and does not read either.
                "hangs" => forever(),
                "dies" => exit(7),
                "illegal" => return say("bestmove a1h8"),
                "nonsense" => return say("bestmove \u{1f600}\u{0}"),
                "none" => return say("bestmove (none)"),
                "bare" => return say("bestmove"),
                // Answers only when stopped.
                "waits" => return self.wait_for_stop(),
                "late" => sleep(Duration::from_millis(700)),
                "chatters" => {
                    for i in 0..30_000 {
                        say(&format!("info string {i} \u{fffd} bestmove a1a2"));
                    }
                    let mut out = stdout().lock();
                    let _ = out.write_all(&[0xff; 100_000]);
                    let _ = out.write_all(b"\ninfo depth x score cp\ninfo\n\n\r\nreadyok\nuciok\n");
                    eprintln!("{}", "noise ".repeat(100_000));
                }
                "floods" => loop {
                    say("info string I never stop");
                },
                "bad-line" => say("info depth 9 score cp 12 pv a1h8 h8a1"),
                "resigns" => say("info depth 9 score cp -2000"),
                "level" => say("info depth 9 score cp 3"),
                "sees-mate" => say("info depth 9 score mate -4"),
                _ => {}
            }
        }
        let best = match self.variant {
            Variant::Makruk => self.best::<chess::MakrukBoard>(ChessRules::STANDARD),
            Variant::Asean => self.best::<chess::AseanBoard>(ChessRules::STANDARD),
            Variant::Makhos => self.best::<makhos::Board>(MakhosRules::STANDARD),
        };
        say(&format!("bestmove {best}"));
        if self.fault == "repeats" && self.searches >= self.at {
            say("bestmove a1h8");
        }
    }

    fn wait_for_stop(&self) {
        while let Some(line) = hear() {
            match line.as_str() {
                "stop" => return say("bestmove a1a1"),
                "quit" => exit(0),
                _ => {}
            }
        }
        exit(0);
    }

    fn best<P: Position>(&self, rules: P::Rules) -> String {
        let words: Vec<&str> = self.position.split_whitespace().collect();
        let moves = words.iter().position(|w| *w == "moves").unwrap_or(words.len());
        let start = match words.get(1) {
            Some(&"fen") => P::from_fen(&words[2..moves].join(" "), rules).expect("a position"),
            _ => P::start(rules),
        };
        let mut record = GameRecord::new(start);
        for text in words.iter().skip(moves + 1) {
            record.play_text(text).expect("a legal move");
        }
        let position = record.position();
        let legal = position.legal_moves();
        let best = if self.last { legal.last() } else { legal.first() };
        best.map_or("(none)".into(), |m| position.move_text(*m))
    }
}
