//! Hub, version 2: the protocol of draughts engines (F. Letouzey's Scan), here for Makhos under the
//! variant names `thai` and `makhos`.
//!
//! Squares are numbered row by row from White's far left corner (b8 = 1, a7 = 5, g1 = 32), whatever
//! numbering the rule set has for game files.

use std::collections::VecDeque;
use std::fmt::Write as _;

use movegen::makhos::{Board, Move, Square, squares};
use movegen::{Color, MakhosRules, Numbering, Position, RuleSet, Variant};
use search::{Bound, ScoreKind};

use super::{Parsed, Protocol, Rendered, default_text, engine_name, options_except, plies_to_end};
use crate::command::{Command, GoRequest, PositionRequest, StartPosition};
use crate::dispatch::GameRules;
use crate::options::{self, OptionKind, find};
use crate::referee::{AnyGame, PositionFault, Referee};
use crate::report::{Report, SearchReport, one_line};
use crate::settings::Settings;

/// Options that the protocol has other words for, or no use.
const HIDDEN: &[&str] = &[
    "UCI_Variant",
    "UCI_AnalyseMode",
    "UCI_ShowWDL",
    "Ponder",
    "MultiPV",
    "PawnCapture",
    "CountingRule",
    "FiftyMoveRule",
    "DeadPosition",
    "AseanPromotion",
    "BoardCountStart",
    "Repetition",
];
/// What a search without a level gets.
const FALLBACK_MS: u64 = 1000;
/// Longest message.
const MAX_MESSAGE: usize = 300;
/// Score of a game that is won, in men, less a hundredth for every ply to its end.
const DECIDED: f64 = 100.0;
/// No other score is higher: front ends take what is above 90 for the end of the game.
const UNDECIDED: f64 = 89.0;

/// The protocol of draughts front ends.
#[derive(Debug)]
pub struct Hub {
    /// What the session's settings are, for the rules.
    settings: Settings,
    game: Referee<Board>,
    level: GoRequest,
    /// The positions of the searches that have not answered, oldest first.
    roots: VecDeque<Board>,
}

impl Default for Hub {
    fn default() -> Self {
        let mut settings = Settings::default();
        settings.choose_game(Variant::Makhos);
        let game = game_of(&settings);
        Self { settings, game, level: GoRequest::default(), roots: VecDeque::new() }
    }
}

/// A game by the rules of the settings, at its start, with the squares as Hub numbers them.
fn game_of(settings: &Settings) -> Referee<Board> {
    let rules = match settings.game_rules() {
        GameRules::Makhos(rules) => rules,
        _ => MakhosRules::STANDARD,
    };
    let rules = MakhosRules { numbering: Numbering::Pdn, ..rules };
    Referee::new(GameRules::Makhos(rules), rules)
}

impl Protocol for Hub {
    fn parse(&mut self, line: &str) -> Parsed {
        let Some((word, pairs)) = read_line(line) else {
            return Parsed::nothing_but("a quote is never closed");
        };
        let value = |name: &str| pairs.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
        let given = |name: &str| pairs.iter().any(|(n, _)| n == name);
        match word.as_str() {
            "" => Parsed::default(),
            // Params come before `init`, and rules are those of a game.
            "hub" => play_makhos(introduction()),
            "init" => play_makhos("ready".to_owned()),
            "set-param" => match (value("name"), value("value")) {
                (Some("variant"), Some("thai" | "makhos")) => Parsed::default(),
                (Some("variant"), _) => Parsed::nothing_but("the variant is thai"),
                (Some(name), value) if find(name).is_some() => {
                    options::set(&mut self.settings, name, value);
                    self.change_rules();
                    let (name, value) = (name.to_owned(), value.map(str::to_owned));
                    Command::SetOption { name, value }.into()
                }
                (Some(name), _) => {
                    Parsed::nothing_but(format!("there is no param '{}'", one_line(name, 40)))
                }
                (None, _) => Parsed::nothing_but("set-param needs name= and value="),
            },
            "new-game" => Command::NewGame.into(),
            "pos" => self.position(
                value("pos").filter(|_| !given("start")),
                value("moves").unwrap_or_default(),
            ),
            // Words that others know are no fault.
            "level" => match level(&pairs) {
                Ok(level) => {
                    self.level = level;
                    Parsed::default()
                }
                Err(fault) => Parsed::nothing_but(fault),
            },
            "go" => {
                let mut request = self.level.clone();
                if request.is_endless() {
                    match given("analyze") {
                        true => request.infinite = true,
                        false => request.move_time_ms = Some(FALLBACK_MS),
                    }
                }
                request.ponder = given("ponder");
                self.roots.push_back(*self.game.position());
                Command::Go(request).into()
            }
            "stop" => Command::Stop.into(),
            "ponder-hit" => Command::PonderHit.into(),
            "ping" => Parsed::answer("pong"),
            "quit" => Command::Quit.into(),
            unknown => {
                Parsed::nothing_but(format!("unknown command '{}' of Hub", one_line(unknown, 40)))
            }
        }
    }

    fn render(&mut self, report: &Report) -> Rendered {
        let text = match report {
            Report::Fault(text) => message("error", text),
            // Nothing in Hub has room for it but a line that front ends skip.
            Report::Note(text) => message("info", text),
            Report::Search(search) if search.bound == Bound::Exact => self.info(search),
            Report::BestMove { best, ponder } => {
                let line: Vec<&str> = best.iter().chain(ponder).map(String::as_str).collect();
                let mut moves = self.line(&line).into_iter();
                self.roots.pop_front();
                let mut text = "done".to_owned();
                for (name, m) in ["move", "ponder"].iter().zip(moves.by_ref()) {
                    let _ = write!(text, " {name}={m}");
                }
                text
            }
            Report::Handshake
            | Report::Ready
            | Report::Text(_)
            | Report::GameChosen { .. }
            | Report::Search(_)
            | Report::CurrentMove { .. }
            | Report::PerftMove { .. }
            | Report::PerftTotal(_) => String::new(),
        };
        text.into()
    }
}

impl Hub {
    /// Sets the position up and says it in the words of the session.
    fn position(&mut self, board: Option<&str>, moves: &str) -> Parsed {
        let start = match board.map(fen_of) {
            None => StartPosition::Fen(self.game.standard_start()),
            Some(Some(fen)) => StartPosition::Fen(fen),
            Some(None) => {
                return Parsed::nothing_but("pos= needs W or B and 32 of w, b, W, B and e");
            }
        };
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        let request = PositionRequest { start: start.clone(), moves };
        let fault = match self.game.set_position(&request) {
            Ok(()) => None,
            Err(fault @ PositionFault::Fen(_)) => return Parsed::nothing_but(fault.to_string()),
            Err(fault @ PositionFault::Move { .. }) => Some(fault.to_string()),
        };
        let request = PositionRequest { start, moves: self.game.moves() };
        Parsed { commands: vec![Command::Position(request)], fault, ..Parsed::default() }
    }

    fn info(&self, search: &SearchReport) -> String {
        let mut text = format!("info depth={}", search.depth);
        let score = match search.score {
            ScoreKind::Centipawns(cp) => (f64::from(cp) / 100.0).clamp(-UNDECIDED, UNDECIDED),
            ScoreKind::Mate(moves) if moves > 0 => DECIDED - f64::from(plies_to_end(moves)) / 100.0,
            ScoreKind::Mate(moves) => -DECIDED - f64::from(plies_to_end(moves)) / 100.0,
        };
        let (seconds, speed) = (search.time.as_secs_f64(), search.nps as f64 / 1e6);
        let _ = write!(
            text,
            " score={score:.2} nodes={} time={seconds:.3} nps={speed:.3}",
            search.nodes
        );
        let line: Vec<&str> = search.pv.iter().map(String::as_str).collect();
        let line = self.line(&line);
        if !line.is_empty() {
            let _ = write!(text, " pv=\"{}\"", line.join(" "));
        }
        text
    }

    /// Keeps the game under other rules, as far as they allow its moves.
    fn change_rules(&mut self) {
        let game = game_of(&self.settings);
        if game.rules() == self.game.rules() {
            return;
        }
        let start = StartPosition::Fen(self.game.start_fen());
        let request = PositionRequest { start, moves: self.game.moves() };
        let begun =
            !request.moves.is_empty() || self.game.start_fen() != self.game.standard_start();
        self.game = game;
        if begun {
            // What is no longer legal ends the game there.
            let _ = self.game.set_position(&request);
        }
    }

    /// A line of moves from the position of the search that answers next, up to the first one that is
    /// not legal there.
    fn line(&self, moves: &[&str]) -> Vec<String> {
        let mut position = *self.roots.front().unwrap_or_else(|| self.game.position());
        let mut line = Vec::with_capacity(moves.len());
        for text in moves {
            let Ok(m) = position.parse_move(text) else { break };
            line.push(hub_text(m));
            position = position.play_unchecked(m);
        }
        line
    }
}

/// `32-28`, or from, to and all captured squares: `15x29x11x25`.
fn hub_text(m: Move) -> String {
    let number = |square: Square| square.number(Numbering::Pdn);
    if m.captured() == 0 {
        return format!("{}-{}", number(m.from()), number(m.to()));
    }
    let mut text = format!("{}x{}", number(m.from()), number(m.to()));
    for square in squares(m.captured()) {
        let _ = write!(text, "x{}", number(square));
    }
    text
}

/// The FEN of a position as Hub writes it: the side to move and a letter for each square.
fn fen_of(text: &str) -> Option<String> {
    let mut letters = text.chars();
    let side = letters.next().filter(|side| matches!(side, 'W' | 'B'))?;
    let mut lists = [Vec::new(), Vec::new()];
    let mut number = 0;
    for letter in letters {
        number += 1;
        let square = Square::from_number(number, Numbering::Pdn)?;
        let (color, king) = match letter {
            'w' => (Color::White, ""),
            'b' => (Color::Black, ""),
            'W' => (Color::White, "K"),
            'B' => (Color::Black, "K"),
            'e' => continue,
            _ => return None,
        };
        // Squares by name: numbers would depend on the rule set's numbering.
        lists[color.index()].push(format!("{king}{square}"));
    }
    let [white, black] = lists.map(|list| list.join(","));
    (number == 32).then(|| format!("{side}:W{white}:B{black}"))
}

/// A level: depth, nodes, move-time, or moves, time and inc; times are seconds.
fn level(pairs: &[(String, String)]) -> Result<GoRequest, String> {
    let mut level = GoRequest::default();
    for (name, value) in pairs {
        let fault = || format!("level: '{}' is no value for {name}", one_line(value, 24));
        let whole = || value.parse::<u64>().map_err(|_| fault());
        let seconds = || {
            let seconds: f64 = value.parse().map_err(|_| fault())?;
            if seconds.is_finite() { Ok((seconds * 1000.0) as i64) } else { Err(fault()) }
        };
        match name.as_str() {
            "infinite" => level.infinite = true,
            "depth" => level.depth = Some(u32::try_from(whole()?).unwrap_or(u32::MAX).max(1)),
            "nodes" => level.nodes = Some(whole()?.max(1)),
            "move-time" => level.move_time_ms = Some(seconds()?.max(0).unsigned_abs()),
            "moves" => level.moves_to_go = Some(u32::try_from(whole()?).unwrap_or(0)),
            "time" => level.remaining_ms = [Some(seconds()?.max(0)); 2],
            "inc" => level.increment_ms = [Some(seconds()?.max(0)); 2],
            _ => {}
        }
    }
    // The time is that before the increment for the move was added.
    for (time, increment) in level.remaining_ms.iter_mut().zip(level.increment_ms) {
        *time = time.map(|time| time.saturating_add(increment.unwrap_or(0)));
    }
    Ok(level)
}

/// The first word of a line, and the `name=value` pairs after it; a bare word is a name without a
/// value. Values in quotes may hold blanks. `None` if a quote is not closed.
fn read_line(line: &str) -> Option<(String, Vec<(String, String)>)> {
    let mut rest = line.trim_start();
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let word = rest[..end].to_owned();
    rest = rest[end..].trim_start();
    let mut pairs = Vec::new();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        rest = &rest[end..];
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix('=') {
            if let Some(quoted) = after.strip_prefix('"') {
                let end = quoted.find('"')?;
                value = quoted[..end].to_owned();
                rest = &quoted[end + 1..];
            } else {
                let end = after.find(char::is_whitespace).unwrap_or(after.len());
                value = after[..end].to_owned();
                rest = &after[end..];
            }
        }
        pairs.push((name, value));
        rest = rest.trim_start();
    }
    Some((word, pairs))
}

/// Front ends take every `=` for the end of a name, in quotes or not.
fn message(kind: &str, text: &str) -> String {
    let text = one_line(text, MAX_MESSAGE).replace('"', "'").replace('=', ":");
    format!("{kind} message=\"{text}\"")
}

/// A value, in quotes if it has to be.
fn quoted(text: &str) -> String {
    let plain = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == '"');
    if plain { text.to_owned() } else { format!("\"{text}\"") }
}

fn play_makhos(answer: String) -> Parsed {
    let name = "UCI_Variant".to_owned();
    let value = Some(Variant::Makhos.name().to_owned());
    Parsed { commands: vec![Command::SetOption { name, value }], answer, fault: None }
}

fn introduction() -> String {
    let mut text = format!(
        "id name=\"{}\" version={} author=\"{}\" country=\"\"\n\
         param name=variant value=thai type=enum values=\"thai makhos\"\n",
        engine_name(),
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_AUTHORS")
    );
    for option in options_except(HIDDEN) {
        let Some(value) = default_text(&option.kind) else { continue };
        let (name, value) = (quoted(option.name), quoted(&value));
        let _ = write!(text, "param name={name} value={value} type=");
        let _ = match option.kind {
            OptionKind::Check { .. } => writeln!(text, "bool"),
            OptionKind::Spin { min, max, .. } => writeln!(text, "int min={min} max={max}"),
            OptionKind::Combo { values, .. } => {
                let taken = |value: &&str| {
                    option.name != "RuleSet"
                        || RuleSet::parse(value).is_some_and(|set| set.exists_in(Variant::Makhos))
                };
                let values: Vec<&str> = values().into_iter().filter(taken).collect();
                writeln!(text, "enum values=\"{}\"", values.join(" "))
            }
            OptionKind::Text { .. } | OptionKind::Button { .. } => writeln!(text, "string"),
        };
    }
    text.push_str("wait");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "Wbbbbbbbbeeeeeeeeeeeeeeeewwwwwwww";

    #[test]
    fn lines_are_split_into_pairs() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            read_line("  pos pos=Wee moves=\"25-22 7-11\"  x "),
            Some((
                "pos".to_owned(),
                vec![pair("pos", "Wee"), pair("moves", "25-22 7-11"), pair("x", "")]
            ))
        );
        assert_eq!(read_line(""), Some((String::new(), vec![])));
        assert_eq!(read_line("pos moves=\"25-22"), None);
    }

    #[test]
    fn positions_and_moves_are_translated() {
        let mut hub = Hub::default();
        let mut parsed = hub.parse(&format!("pos pos={START} moves=\"25-22 7-11\""));
        let Some(Command::Position(request)) = parsed.commands.pop() else { panic!("no position") };
        assert_eq!(request.moves, ["b2c3", "e7f6"]);
        assert_eq!(parsed.fault, None);
        let text = hub
            .render(&Report::BestMove { best: Some("c3d4".into()), ponder: Some("f6g5".into()) })
            .text;
        assert_eq!(text, "done move=22-18 ponder=11-16");
        // The board of the kings: captures name what they capture.
        hub.parse("pos pos=WeeeeeeeeeeeeebeeeeeeWeeeeeeeeeee");
        let legal = hub.game.legal_moves();
        assert!(legal.iter().all(|m| hub.line(&[m]).len() == 1));
    }

    #[test]
    fn answers_belong_to_the_position_of_their_search() {
        let mut hub = Hub::default();
        let done = |hub: &mut Hub, best: &str| {
            hub.render(&Report::BestMove { best: Some(best.into()), ponder: None }).text
        };
        hub.parse(&format!("pos pos={START} moves=\"25-22 7-11\""));
        hub.parse("set-param name=Hash value=64");
        hub.parse("go think");
        // Another position before the answer.
        hub.parse(&format!("pos pos={START}"));
        hub.parse("go think");
        assert_eq!(done(&mut hub, "c3d4"), "done move=22-18");
        assert_eq!(done(&mut hub, "b2c3"), "done move=25-22");
        // No level is no reason to think for ever, and a level bounds analysis too.
        let go = |hub: &mut Hub, line: &str| match hub.parse(line).commands.pop() {
            Some(Command::Go(go)) => go,
            other => panic!("{other:?}"),
        };
        assert!(go(&mut hub, "go think").is_bounded() && !go(&mut hub, "go analyze").is_bounded());
        hub.parse("level depth=5");
        assert_eq!(go(&mut hub, "go analyze").depth, Some(5));
        // Rules may come before the game is set up.
        hub.parse("set-param name=RuleSet value=mak-hos");
        assert_eq!(hub.game.side_to_move(), Color::Black);
    }

    #[test]
    fn positions_with_faults_are_named() {
        let mut hub = Hub::default();
        for line in ["pos pos=W", "pos pos=Xeeee", &format!("pos pos={START}e")] {
            let parsed = hub.parse(line);
            assert!(parsed.fault.is_some() && parsed.commands.is_empty(), "{line}");
        }
        let parsed = hub.parse(&format!("pos pos={START} moves=\"25-22 1-2\""));
        assert!(parsed.fault.is_some_and(|fault| fault.contains("move 2")));
        assert_eq!(parsed.commands.len(), 1);
    }

    #[test]
    fn levels_bound_the_search() {
        let level = |line: &str| {
            let mut hub = Hub::default();
            let fault = hub.parse(line).fault;
            (hub.level, fault)
        };
        let request = level("level moves=40 time=12.5 inc=0.1").0;
        assert_eq!(request.remaining_ms, [Some(12_600); 2]);
        assert_eq!((request.increment_ms, request.moves_to_go), ([Some(100); 2], Some(40)));
        assert_eq!(level("level move-time=0.25").0.move_time_ms, Some(250));
        assert_eq!(level("level depth=0").0.depth, Some(1));
        assert_eq!(level("level move-time=0.25 speed=3").0.move_time_ms, Some(250));
        for line in ["level depth=x", "level time=nan", "level time=1e999"] {
            assert!(level(line).1.is_some(), "{line}");
        }
    }

    #[test]
    fn params_are_declared_and_set() {
        let mut hub = Hub::default();
        let text = hub.parse("hub").answer;
        assert!(text.contains("\nparam name=Hash value=16 type=int min=1 max="), "{text}");
        assert!(
            text.lines().all(|line| {
                ["id ", "param ", "wait"].iter().any(|start| line.starts_with(start))
            })
        );
        let set = hub.parse("set-param name=Hash value=64").commands;
        assert!(matches!(&set[..], [Command::SetOption { name, value: Some(value) }]
            if name == "Hash" && value == "64"));
        assert!(hub.parse("set-param name=variant value=killer").fault.is_some());
        assert!(hub.parse("set-param name=x value=1").fault.is_some());
        assert_eq!(hub.parse("ping").answer, "pong");
        let text = hub.render(&Report::Note("a = \"b\"\nc".to_owned())).text;
        assert_eq!(text, "info message=\"a : 'b' c\"");
    }

    #[test]
    fn ends_of_games_are_told_in_plies() {
        let hub = Hub::default();
        let score = |score| {
            let line = SearchReport { score, ..SearchReport::of_move("b2c3".to_owned()) };
            hub.info(&line).split(' ').find_map(|word| word.strip_prefix("score=")?.parse().ok())
        };
        assert_eq!(score(ScoreKind::Mate(2)), Some(99.97));
        assert_eq!(score(ScoreKind::Mate(-2)), Some(-99.96));
        assert_eq!(score(ScoreKind::Centipawns(29_990)), Some(89.0));
        assert_eq!(score(ScoreKind::Centipawns(-131)), Some(-1.31));
    }
}
