//! The Universal Chess Interface.

use std::fmt::Write as _;

use movegen::Variant;
use search::{Bound, ScoreKind};

use super::{Parsed, Protocol, Rendered, engine_name};
use crate::command::{BenchRequest, Command, GoRequest, PositionRequest, StartPosition, Topic};
use crate::options::{OPTIONS, OptionKind, parse_number};
use crate::report::{Report, SearchReport, one_line};

/// The protocol that front ends for chess variants speak.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uci;

/// Longest note in characters; hostile input must not come back at full length.
const MAX_NOTE: usize = 1000;
/// Deepest perft. A deeper one would never end, except where both sides have a single move, and
/// there it would only be a long walk.
const MAX_PERFT_DEPTH: i64 = 64;

impl Protocol for Uci {
    fn parse(&mut self, line: &str) -> Parsed {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else {
            return Parsed::default();
        };
        match first {
            "uci" => Command::Handshake.into(),
            "isready" => Command::Ping.into(),
            "ucinewgame" => Command::NewGame.into(),
            "setoption" => parse_set_option(line),
            "position" => parse_position(words),
            "go" => parse_go(&words.collect::<Vec<_>>()),
            "stop" => Command::Stop.into(),
            "ponderhit" => Command::PonderHit.into(),
            "quit" => Command::Quit.into(),
            "d" => Command::Show(Topic::Board).into(),
            "eval" => Command::Show(Topic::Evaluation).into(),
            "moves" => Command::Show(Topic::Moves).into(),
            "count" => Command::Show(Topic::Count).into(),
            "help" => Command::Show(Topic::Help).into(),
            "flip" => Command::Flip.into(),
            "bench" => parse_bench(words),
            "debug" => match words.next() {
                Some("on") => Command::Debug(true).into(),
                Some("off") => Command::Debug(false).into(),
                _ => Parsed::nothing_but("debug needs on or off"),
            },
            // GUIs send these to every engine.
            "register" => Parsed::default(),
            unknown => Parsed::nothing_but(format!(
                "unknown command '{}'; 'help' lists the commands",
                one_line(unknown, 40)
            )),
        }
    }

    fn render(&mut self, report: &Report) -> Rendered {
        let text = match report {
            Report::Handshake => handshake(),
            Report::Ready => "readyok".to_owned(),
            Report::Note(text) | Report::Fault(text) => {
                format!("info string {}", one_line(text, MAX_NOTE))
            }
            Report::Text(text) => text.clone(),
            // UCI2WB and Fairy-Stockfish's front ends read this line.
            Report::GameChosen { variant: Variant::Makhos, start } => {
                format!("info string variant makhos startpos {start}")
            }
            Report::GameChosen { variant, start } => format!(
                "info string variant {} files 8 ranks 8 pocket 0 template makruk startpos {start}",
                variant.name()
            ),
            Report::Search(search) => search_line(search),
            Report::CurrentMove { depth, text, number } => {
                format!("info depth {depth} currmove {text} currmovenumber {number}")
            }
            Report::BestMove { best, ponder } => {
                let mut line = format!("bestmove {}", best.as_deref().unwrap_or("(none)"));
                if let (Some(_), Some(ponder)) = (best, ponder) {
                    line.push_str(" ponder ");
                    line.push_str(ponder);
                }
                line
            }
            Report::PerftMove { text, leaves } => format!("{text}: {leaves}"),
            Report::PerftTotal(leaves) => format!("\nNodes searched: {leaves}"),
        };
        text.into()
    }
}

fn handshake() -> String {
    let mut text = introduction();
    text.push_str("uciok");
    text
}

/// Name, author and options, a line each.
pub(super) fn introduction() -> String {
    let mut text = format!("id name {}\nid author {}\n", engine_name(), env!("CARGO_PKG_AUTHORS"));
    for option in OPTIONS {
        let _ = write!(text, "option name {} type ", option.name);
        let _ = match option.kind {
            OptionKind::Check { default, .. } => writeln!(text, "check default {default}"),
            OptionKind::Spin { default, min, max, .. } => {
                writeln!(text, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, values, .. } => {
                let vars: String = values().iter().map(|v| format!(" var {v}")).collect();
                writeln!(text, "combo default {default}{vars}")
            }
            OptionKind::Text { default: "", .. } => writeln!(text, "string default <empty>"),
            OptionKind::Text { default, .. } => writeln!(text, "string default {default}"),
            OptionKind::Button { .. } => writeln!(text, "button"),
        };
    }
    #[cfg(feature = "tune")]
    text.push_str(&crate::tuning::declarations());
    text
}

pub(super) fn search_line(search: &SearchReport) -> String {
    let SearchReport { depth, sel_depth, multi_pv, .. } = search;
    let score = score_text(search.score);
    if *depth == 0 {
        return format!("info depth 0 score {score}");
    }
    let mut line =
        format!("info depth {depth} seldepth {sel_depth} multipv {multi_pv} score {score}");
    match search.bound {
        Bound::Exact => {}
        Bound::Lower => line.push_str(" lowerbound"),
        Bound::Upper => line.push_str(" upperbound"),
    }
    if let Some([win, draw, loss]) = search.wdl {
        let _ = write!(line, " wdl {win} {draw} {loss}");
    }
    let _ = write!(
        line,
        " nodes {} nps {} hashfull {} tbhits {} time {}",
        search.nodes,
        search.nps,
        search.hash_full,
        search.table_hits,
        search.time.as_millis()
    );
    if !search.pv.is_empty() {
        line.push_str(" pv ");
        line.push_str(&search.pv.join(" "));
    }
    line
}

/// `cp 31` or `mate -4`.
pub(crate) fn score_text(score: ScoreKind) -> String {
    match score {
        ScoreKind::Centipawns(cp) => format!("cp {cp}"),
        ScoreKind::Mate(moves) => format!("mate {moves}"),
    }
}

/// Splits a line at the first word equal to `keyword` (any case): the text before and after it.
fn split_at_word<'a>(text: &'a str, keyword: &str) -> Option<(&'a str, &'a str)> {
    text.split_whitespace().find(|word| word.eq_ignore_ascii_case(keyword)).map(|word| {
        // `word` is a slice of `text`, so the difference of their addresses is its place.
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        let (before, rest) = text.split_at(at);
        (before, &rest[word.len()..])
    })
}

fn parse_set_option(line: &str) -> Parsed {
    let Some((_, after_name)) = split_at_word(line, "name") else {
        return Parsed::nothing_but("setoption without a name");
    };
    let (name, value) = match split_at_word(after_name, "value") {
        Some((name, value)) => (name, Some(value.trim().to_owned())),
        None => (after_name, None),
    };
    if name.trim().is_empty() {
        return Parsed::nothing_but("setoption without a name");
    }
    Command::SetOption { name: name.trim().to_owned(), value }.into()
}

fn parse_position<'a>(mut words: impl Iterator<Item = &'a str>) -> Parsed {
    let mut fault = None;
    let start = match words.next() {
        Some("startpos") => {
            // Other engines skip anything but `moves` here, too.
            while let Some(word) = words.next().filter(|&word| word != "moves") {
                fault.get_or_insert_with(|| {
                    format!("position: '{}' is not 'moves' and skipped", one_line(word, 24))
                });
            }
            StartPosition::Standard
        }
        Some("fen") => {
            let fen: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
            StartPosition::Fen(fen.join(" "))
        }
        _ => return Parsed::nothing_but("position needs startpos or fen"),
    };
    let moves = words.map(str::to_owned).collect();
    let commands = vec![Command::Position(PositionRequest { start, moves })];
    Parsed { commands, fault, ..Parsed::default() }
}

fn parse_bench<'a>(words: impl Iterator<Item = &'a str>) -> Parsed {
    let mut request = BenchRequest::default();
    for word in words {
        if let Some(variant) = Variant::parse(word) {
            request.variant = Some(variant);
        } else if let Some(depth @ 1..=100) = parse_number(word) {
            request.depth = u32::try_from(depth).ok();
        } else {
            return Parsed::nothing_but("bench takes a depth (1-100) and a game");
        }
    }
    Command::Bench(request).into()
}

const GO_WORDS: [&str; 13] = [
    "depth",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

/// The words of a `go` line, and what was wrong with them.
struct GoWords<'a> {
    words: &'a [&'a str],
    faults: Vec<String>,
}

impl<'a> GoWords<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    fn fault(&mut self, text: String) {
        // A few examples are enough for people; a hostile line may hold a million.
        if self.faults.len() < 5 {
            self.faults.push(text);
        }
    }

    /// The number after `word`. Another keyword in its place is left alone.
    fn number(&mut self, word: &str, min: i64) -> Option<i64> {
        let Some(text) = self.words.first().copied().filter(|next| !GO_WORDS.contains(next)) else {
            self.fault(format!("no number after {word}"));
            return None;
        };
        self.words = &self.words[1..];
        let number = parse_number(text);
        if number.is_none() {
            self.fault(format!("'{}' after {word} is no whole number", one_line(text, 24)));
        }
        number.map(|n| {
            if n < min {
                self.fault(format!("{word} {n} is too small, {min} it is"));
            }
            n.max(min)
        })
    }

    fn limit(&mut self, word: &str, min: i64, go: &mut GoRequest) -> Option<u64> {
        let number = self.number(word, min);
        go.unreadable_limit |= number.is_none();
        number.map(i64::unsigned_abs)
    }

    fn clock(&mut self, word: &str, go: &mut GoRequest) -> Option<i64> {
        let number = self.number(word, i64::MIN);
        go.unreadable_limit |= number.is_none();
        number
    }
}

fn parse_go(words: &[&str]) -> Parsed {
    let mut words = GoWords { words, faults: Vec::new() };
    let mut go = GoRequest::default();
    let mut perft = None;
    while let Some(word) = words.next() {
        match word {
            "depth" => go.depth = words.limit(word, 1, &mut go).map(to_u32),
            "nodes" => go.nodes = words.limit(word, 1, &mut go),
            "mate" => go.mate = words.limit(word, 1, &mut go).map(to_u32),
            "movetime" => go.move_time_ms = words.limit(word, 0, &mut go),
            "wtime" => go.remaining_ms[0] = words.clock(word, &mut go),
            "btime" => go.remaining_ms[1] = words.clock(word, &mut go),
            "winc" => go.increment_ms[0] = words.number(word, 0),
            "binc" => go.increment_ms[1] = words.number(word, 0),
            "movestogo" => {
                go.moves_to_go = words.number(word, 0).map(|n| to_u32(n.unsigned_abs()));
            }
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                while let Some(next) = words.words.first().filter(|next| !GO_WORDS.contains(next)) {
                    go.search_moves.push((*next).to_owned());
                    words.words = &words.words[1..];
                }
            }
            "perft" => match words.number(word, 0) {
                Some(depth) => perft = Some(to_u32(depth.min(MAX_PERFT_DEPTH).unsigned_abs())),
                None => return Parsed::nothing_but("go perft needs a depth"),
            },
            unknown => {
                // It may have been meant as a limit.
                go.unreadable_limit = true;
                words.fault(format!("unknown word '{}'", one_line(unknown, 24)));
            }
        }
    }
    let fault = (!words.faults.is_empty()).then(|| format!("go: {}", words.faults.join("; ")));
    let commands = vec![perft.map_or(Command::Go(go), Command::Perft)];
    Parsed { commands, fault, ..Parsed::default() }
}

fn to_u32(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn go(line: &str) -> (GoRequest, Option<String>) {
        let mut parsed = Uci.parse(line);
        let Some(Command::Go(go)) = parsed.commands.pop() else { panic!("{line} is no search") };
        (go, parsed.fault)
    }

    #[test]
    fn every_word_of_go_is_read() {
        let (request, fault) =
            go("go ponder wtime 1000 btime -37 winc 10 binc 20 movestogo 40 depth 9 nodes 500 \
             mate 3 movetime 250 searchmoves e3e4 d3d4 infinite");
        assert_eq!(fault, None);
        assert_eq!(
            request,
            GoRequest {
                depth: Some(9),
                nodes: Some(500),
                mate: Some(3),
                move_time_ms: Some(250),
                remaining_ms: [Some(1000), Some(-37)],
                increment_ms: [Some(10), Some(20)],
                moves_to_go: Some(40),
                infinite: true,
                ponder: true,
                search_moves: vec!["e3e4".into(), "d3d4".into()],
                unreadable_limit: false,
            }
        );
    }

    #[test]
    fn words_after_searchmoves_are_not_moves() {
        let (request, _) = go("go searchmoves e3e4 depth 3");
        assert_eq!(request.search_moves, ["e3e4"]);
        assert_eq!(request.depth, Some(3));
    }

    #[test]
    fn bad_numbers_are_named_and_bound_the_search() {
        for line in [
            "go depth x",
            "go depth",
            "go depth 1.5",
            "go nodes -",
            "go wtime soon",
            "go foo 3",
            "go movtime 1000",
        ] {
            let (request, fault) = go(line);
            assert!(fault.is_some(), "{line}");
            assert!(request.is_bounded(), "{line} must not search for ever");
        }
        let (request, fault) = go("go depth nodes 100");
        assert_eq!((request.depth, request.nodes), (None, Some(100)));
        assert_eq!(fault.as_deref(), Some("go: no number after depth"));
        let (request, fault) = go("go movetime 99999999999999999999999 depth -4");
        assert_eq!(request.move_time_ms, Some(i64::MAX.unsigned_abs()));
        assert_eq!(request.depth, Some(1));
        assert_eq!(fault.as_deref(), Some("go: depth -4 is too small, 1 it is"));
        assert_eq!(go("go movestogo 0 winc 0 wtime -5").1, None);
    }

    #[test]
    fn only_limits_bound_a_search() {
        for (line, bounded) in [
            ("go", false),
            ("go infinite", false),
            ("go depth 5 infinite", false),
            ("go searchmoves e3e4", false),
            ("go depth 5", true),
            ("go mate 2", true),
            ("go winc 10", true),
            ("go movestogo 0", true),
        ] {
            assert_eq!(go(line).0.is_bounded(), bounded, "{line}");
        }
    }

    #[test]
    fn positions_are_split_into_fen_and_moves() {
        for (line, start, moves) in [
            ("position startpos", None, vec![]),
            ("position startpos moves", None, vec![]),
            ("position  startpos\tmoves e3e4  e6e5 ", None, vec!["e3e4", "e6e5"]),
            ("position fen 8/8 w 0 1", Some("8/8 w 0 1"), vec![]),
            ("position fen 8/8 w - - moves", Some("8/8 w - -"), vec![]),
            ("position fen W:Wa1:Bb8 moves a1b2", Some("W:Wa1:Bb8"), vec!["a1b2"]),
            ("position fen", Some(""), vec![]),
        ] {
            let start =
                start.map_or(StartPosition::Standard, |fen| StartPosition::Fen(fen.to_owned()));
            let moves = moves.into_iter().map(str::to_owned).collect();
            let expected = Command::Position(PositionRequest { start, moves });
            assert_eq!(Uci.parse(line), expected.into(), "{line}");
        }
        let skipped = Uci.parse("position startpos e3e4 e6e5");
        assert_eq!(skipped.commands, Uci.parse("position startpos").commands);
        assert_eq!(skipped.fault.as_deref(), Some("position: 'e3e4' is not 'moves' and skipped"));
        for line in ["position", "position moves e3e4", "position e3e4"] {
            assert_eq!(Uci.parse(line).commands, []);
            assert!(Uci.parse(line).fault.is_some());
        }
    }

    #[test]
    fn option_names_and_values_may_hold_blanks() {
        let set = |line: &str| match Uci.parse(line).commands.pop() {
            Some(Command::SetOption { name, value }) => Some((name, value)),
            _ => None,
        };
        let pair =
            |name: &str, value: Option<&str>| Some((name.to_owned(), value.map(str::to_owned)));
        assert_eq!(set("setoption name Hash value 64"), pair("Hash", Some("64")));
        assert_eq!(set("setoption name Clear Hash"), pair("Clear Hash", None));
        assert_eq!(set("setoption name EvalFile value"), pair("EvalFile", Some("")));
        assert_eq!(
            set("setoption Name Debug Log File Value  /a b/c  d "),
            pair("Debug Log File", Some("/a b/c  d"))
        );
        for line in ["setoption", "setoption name", "setoption name value 3", "setoption Hash 3"] {
            assert_eq!(set(line), None, "{line}");
            assert!(Uci.parse(line).fault.is_some());
        }
    }

    #[test]
    fn faults_do_not_repeat_hostile_input() {
        let long = "x".repeat(1_000_000);
        for line in [long.clone(), format!("go {long}"), format!("go {}", "x ".repeat(500_000))] {
            let fault = Uci.parse(&line).fault.unwrap();
            assert!(fault.chars().count() < 300, "{}", fault.len());
        }
    }

    #[test]
    fn handshake_lines_have_the_form_that_front_ends_parse() {
        let text = Uci.render(&Report::Handshake).text;
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("id name Hanuman "));
        assert!(lines[1].starts_with("id author "));
        assert_eq!(*lines.last().unwrap(), "uciok");
        for line in &lines {
            assert_eq!(line.trim(), *line);
        }
        for wanted in [
            "option name Debug Log File type string default <empty>",
            "option name Threads type spin default 1 min 1 max 512",
            "option name Hash type spin default 16 min 1 max 33554432",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name Skill Level type spin default 20 min -20 max 20",
            "option name UCI_Variant type combo default makruk var makruk var asean var makhos",
            "option name PawnCapture type combo default diagonal var diagonal var straight",
        ] {
            assert!(lines.contains(&wanted), "{wanted}");
        }
    }

    #[test]
    fn search_lines_are_integers_in_the_usual_order() {
        let mut search = SearchReport {
            depth: 7,
            sel_depth: 11,
            multi_pv: 1,
            score: ScoreKind::Centipawns(-31),
            bound: Bound::Lower,
            wdl: Some([200, 500, 300]),
            nodes: 12_345,
            nps: 1_000_000,
            hash_full: 3,
            table_hits: 0,
            time: Duration::from_micros(12_345),
            pv: vec!["e3e4".into(), "e6e5".into()],
        };
        assert_eq!(
            Uci.render(&Report::Search(search.clone())).text,
            "info depth 7 seldepth 11 multipv 1 score cp -31 lowerbound wdl 200 500 300 \
             nodes 12345 nps 1000000 hashfull 3 tbhits 0 time 12 pv e3e4 e6e5"
        );
        search.depth = 0;
        search.score = ScoreKind::Mate(0);
        assert_eq!(Uci.render(&Report::Search(search)).text, "info depth 0 score mate 0");
    }

    #[test]
    fn notes_stay_on_one_line() {
        let note = Uci.render(&Report::Note("a\nbestmove e3e4\r\0".to_owned())).text;
        assert_eq!(note, "info string a bestmove e3e4");
    }
}
