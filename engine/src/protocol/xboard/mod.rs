//! The Chess Engine Communication Protocol, version 2, of XBoard and WinBoard.
//!
//! Unlike the others it has the engine keep the game: sides, clocks, moves taken back. All of that is
//! here; the session is told positions and limits, as from UCI.

mod clock;
mod words;

use std::collections::VecDeque;
use std::time::Instant;

use movegen::{Color, Outcome, Variant};
use search::{Bound, ScoreKind};

use self::clock::GameClock;
use super::{Parsed, Protocol, Rendered};
use crate::book::Books;
use crate::command::{Command, PositionRequest, StartPosition};
use crate::options;
use crate::referee::{AnyGame, new_game};
use crate::report::{Report, SearchReport, one_line};
use crate::settings::Settings;

/// Longest text that comes back from what was sent.
const MAX_ECHO: usize = 60;
/// What a front end takes for a mate in 0 moves.
const MATE: i32 = 100_000;

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Nobody: moves are only recorded.
    Force,
    /// The engine plays this side.
    Playing(Color),
    /// The engine thinks about every position until told otherwise.
    Analysis,
}

/// What a search is for that has been asked for and has not answered yet.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Search {
    /// A move of the game.
    Move,
    /// Thinking on the opponent's time, in the hope of this move of his.
    Ponder(String),
    /// Analysis.
    Analysis,
    /// Nobody waits for its answer any more.
    Dropped,
}

/// The protocol of XBoard.
pub struct XBoard {
    /// What the session's settings are.
    settings: Settings,
    game: Box<dyn AnyGame>,
    mode: Mode,
    /// Searches that have not answered, oldest first.
    searches: VecDeque<Search>,
    clock: GameClock,
    /// The engine may think on the opponent's time.
    ponders: bool,
    /// Thinking is shown.
    posts: bool,
    /// The last line of thinking, and the number of the root move that is looked at.
    last_line: Option<SearchReport>,
    current_move: Option<(String, usize)>,
    /// The move that is expected of the opponent.
    hint: Option<String>,
    /// Answers that wait for the engine's move.
    pongs: Vec<String>,
    /// The position that was to be set up last was none.
    unset: bool,
    /// When the search for the present move began.
    begun: Instant,
}

impl Default for XBoard {
    fn default() -> Self {
        let settings = Settings::default();
        let game = new_game(settings.game_rules());
        Self {
            settings,
            game,
            mode: Mode::Playing(Color::Black),
            searches: VecDeque::new(),
            clock: GameClock::default(),
            ponders: false,
            posts: false,
            last_line: None,
            current_move: None,
            hint: None,
            pongs: Vec::new(),
            unset: false,
            begun: Instant::now(),
        }
    }
}

impl Protocol for XBoard {
    fn parse(&mut self, line: &str) -> Parsed {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let mut turn = Turn::default();
        self.take(word, rest.trim(), &mut turn);
        Parsed { commands: turn.commands, fault: None, answer: turn.lines.join("\n") }
    }

    fn render(&mut self, report: &Report) -> Rendered {
        let mut turn = Turn::default();
        match report {
            Report::Search(search) => self.thinking(search, &mut turn),
            Report::CurrentMove { text, number, .. } => {
                self.current_move = Some((text.clone(), *number));
            }
            Report::BestMove { best, ponder } => {
                self.answered(best.as_deref(), ponder.clone(), &mut turn);
            }
            Report::Note(text) | Report::Fault(text) => {
                turn.say(format!("# {}", one_line(text, 300)));
            }
            Report::Text(text) => turn.say(text),
            // Asked for by no command of this protocol.
            Report::Handshake
            | Report::Ready
            | Report::GameChosen { .. }
            | Report::PerftMove { .. }
            | Report::PerftTotal(_) => {}
        }
        Rendered { text: turn.lines.join("\n"), commands: turn.commands }
    }
}

/// What comes of one line or report.
#[derive(Default)]
struct Turn {
    lines: Vec<String>,
    commands: Vec<Command>,
}

impl Turn {
    fn say(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn error(&mut self, what: &str, text: &str) {
        self.say(format!("Error ({what}): {}", one_line(text, MAX_ECHO)));
    }
}

impl XBoard {
    fn take(&mut self, word: &str, rest: &str, turn: &mut Turn) {
        match word {
            // A comment, or nothing; and what needs no answer.
            "" | "#" | "xboard" | "accepted" | "rejected" | "random" | "name" | "rating"
            | "ics" | "computer" | "draw" | "white" | "black" | "nps" | "egtpath" => {}
            "protover" => turn.say(words::features()),
            "quit" => turn.commands.push(Command::Quit),
            "new" => self.new_game(turn),
            "variant" => self.choose_variant(rest, turn),
            "setboard" => self.set_board(rest, turn),
            "force" | "result" => self.change_mode(Mode::Force, turn),
            "analyze" => self.change_mode(Mode::Analysis, turn),
            "exit" if self.mode == Mode::Analysis => self.change_mode(Mode::Force, turn),
            "exit" => turn.error("not analysing", word),
            "go" => {
                self.change_mode(Mode::Playing(self.game.side_to_move()), turn);
                self.think(turn);
            }
            "playother" => {
                self.change_mode(Mode::Playing(self.game.side_to_move().opposite()), turn);
            }
            "usermove" => self.user_move(rest, turn),
            "undo" => self.take_back(1, turn),
            "remove" => self.take_back(2, turn),
            "?" => {
                if self.searches.back() == Some(&Search::Move) {
                    turn.commands.push(Command::Stop);
                }
            }
            "ping" => self.ping(rest, turn),
            "level" | "st" | "sd" | "time" | "otim" => {
                if self.clock.take(word, rest).is_none() {
                    turn.error("bad number", &format!("{word} {rest}"));
                }
            }
            "post" => self.posts = true,
            "nopost" => self.posts = false,
            "hard" => self.ponders = true,
            "easy" => {
                self.ponders = false;
                if matches!(self.searches.back(), Some(Search::Ponder(_))) {
                    self.drop_searches(turn);
                }
            }
            "hint" => {
                if let Some(hint) = &self.hint {
                    turn.say(format!("Hint: {hint}"));
                }
            }
            "bk" => self.show_book(turn),
            "." => self.state_of_analysis(turn),
            "memory" => self.set_option("Hash", Some(rest), turn),
            "cores" => self.set_option("Threads", Some(rest), turn),
            "option" => self.user_option(rest, turn),
            _ if rest.is_empty() && words::looks_like_move(word) => self.user_move(word, turn),
            _ => turn.error("unknown command", word),
        }
    }

    fn new_game(&mut self, turn: &mut Turn) {
        self.drop_searches(turn);
        // "Normal" for an engine that does not play chess. Another game follows by name.
        if self.settings.variant != Variant::Makruk {
            self.choose_game(Variant::Makruk, turn);
        }
        self.game = new_game(self.settings.game_rules());
        turn.commands.push(Command::NewGame);
        self.clock.new_game();
        self.hint = None;
        self.unset = false;
        if self.mode == Mode::Analysis {
            self.analyse(turn);
        } else {
            self.mode = Mode::Playing(Color::Black);
        }
    }

    fn choose_variant(&mut self, name: &str, turn: &mut Turn) {
        let Some(variant) = Variant::parse(name) else {
            turn.error("unknown variant", name);
            return;
        };
        self.drop_searches(turn);
        self.choose_game(variant, turn);
        self.unset = false;
        if variant == Variant::Makhos {
            // No front end knows it by itself.
            turn.say(words::MAKHOS_SETUP);
        }
        self.go_on(turn);
    }

    fn choose_game(&mut self, variant: Variant, turn: &mut Turn) {
        self.set_option("UCI_Variant", Some(variant.name()), turn);
    }

    fn set_board(&mut self, fen: &str, turn: &mut Turn) {
        let fen = match self.settings.variant {
            Variant::Makhos => words::makhos_fen(fen),
            _ => fen.to_owned(),
        };
        let request = PositionRequest { start: StartPosition::Fen(fen), moves: Vec::new() };
        self.drop_searches(turn);
        self.hint = None;
        match self.game.set_position(&request) {
            Ok(()) => {
                self.unset = false;
                self.go_on(turn);
            }
            Err(fault) => {
                self.unset = true;
                turn.say(format!(
                    "tellusererror Illegal position: {}",
                    one_line(&fault.to_string(), 200)
                ));
            }
        }
    }

    fn take_back(&mut self, moves: usize, turn: &mut Turn) {
        if self.game.moves().len() < moves {
            turn.error("no move to take back", if moves == 1 { "undo" } else { "remove" });
            return;
        }
        self.drop_searches(turn);
        for _ in 0..moves {
            self.game.undo();
        }
        self.hint = None;
        self.go_on(turn);
    }

    /// The position has changed otherwise than by a move: analysis begins anew.
    fn go_on(&mut self, turn: &mut Turn) {
        if self.mode == Mode::Analysis {
            self.analyse(turn);
        }
    }

    fn change_mode(&mut self, mode: Mode, turn: &mut Turn) {
        self.drop_searches(turn);
        self.mode = mode;
        self.go_on(turn);
    }

    fn user_move(&mut self, text: &str, turn: &mut Turn) {
        // Captures of several pieces are sent leg by leg.
        let legs = words::join_legs(text);
        let refused = if self.unset {
            Some("no legal position")
        } else if self.game.outcome().is_some() && matches!(self.mode, Mode::Playing(_)) {
            Some("game is over")
        } else {
            None
        };
        if let Some(why) = refused {
            turn.say(format!("Illegal move ({why}): {}", one_line(text, MAX_ECHO)));
            return;
        }
        if self.game.play(&legs).is_err() {
            turn.say(format!("Illegal move: {}", one_line(text, MAX_ECHO)));
            return;
        }
        let played = self.game.moves().pop();
        match self.mode {
            Mode::Force => {}
            Mode::Analysis => {
                self.drop_searches(turn);
                self.analyse(turn);
            }
            Mode::Playing(side) => {
                let expected = match self.searches.back() {
                    Some(Search::Ponder(expected)) => Some(expected.clone()),
                    _ => None,
                };
                if side == self.game.side_to_move() && expected.is_some() && expected == played {
                    if let Some(search) = self.searches.back_mut() {
                        *search = Search::Move;
                    }
                    self.begun = Instant::now();
                    turn.commands.push(Command::PonderHit);
                    return;
                }
                self.drop_searches(turn);
                if self.claim(turn) {
                    return;
                }
                if side == self.game.side_to_move() {
                    self.think(turn);
                }
            }
        }
    }

    /// Says how the game ended, if it has.
    fn claim(&mut self, turn: &mut Turn) -> bool {
        let Some(outcome) = self.game.outcome() else { return false };
        turn.say(result(outcome));
        true
    }

    fn position(&self) -> Command {
        let start = StartPosition::Fen(self.game.start_fen());
        Command::Position(PositionRequest { start, moves: self.game.moves() })
    }

    /// Begins to think about the engine's move, unless the game is over.
    fn think(&mut self, turn: &mut Turn) {
        if self.claim(turn) {
            return;
        }
        let side = self.game.side_to_move();
        let limits = self.clock.limits(side, self.game.moves().len());
        turn.commands.extend([self.position(), Command::Go(limits)]);
        self.begun = Instant::now();
        self.start(Search::Move);
    }

    /// Begins to think on the opponent's time about the position after the move that is expected.
    fn ponder(&mut self, expected: String, turn: &mut Turn) {
        if self.game.play(&expected).is_err() {
            return;
        }
        let over = self.game.outcome().is_some();
        let position = self.position();
        let side = self.game.side_to_move();
        let mut limits = self.clock.limits(side, self.game.moves().len());
        self.game.undo();
        if over {
            return;
        }
        limits.ponder = true;
        turn.commands.extend([position, Command::Go(limits)]);
        self.start(Search::Ponder(expected));
    }

    fn analyse(&mut self, turn: &mut Turn) {
        let limits = crate::command::GoRequest { infinite: true, ..Default::default() };
        turn.commands.extend([self.position(), Command::Go(limits)]);
        self.start(Search::Analysis);
    }

    fn start(&mut self, search: Search) {
        self.last_line = None;
        self.current_move = None;
        self.searches.push_back(search);
    }

    /// Nobody waits any longer for the searches that have not answered.
    fn drop_searches(&mut self, turn: &mut Turn) {
        let mut any = false;
        for search in &mut self.searches {
            any |= *search != Search::Dropped;
            *search = Search::Dropped;
        }
        if any {
            turn.commands.push(Command::Stop);
        }
        turn.lines.append(&mut self.pongs);
    }

    /// A search has answered.
    fn answered(&mut self, best: Option<&str>, ponder: Option<String>, turn: &mut Turn) {
        if self.searches.pop_front() != Some(Search::Move) {
            return;
        }
        self.clock.used(self.begun.elapsed());
        match best {
            Some(best) if self.game.play(best).is_ok() => {
                turn.say(format!("move {}", words::move_text(best, self.settings.variant)));
                turn.lines.append(&mut self.pongs);
                self.hint.clone_from(&ponder);
                if !self.claim(turn)
                    && self.ponders
                    && let Some(expected) = ponder
                {
                    self.ponder(expected, turn);
                }
            }
            _ => {
                turn.lines.append(&mut self.pongs);
                self.claim(turn);
            }
        }
    }

    /// A line of thinking: depth, score, centiseconds, nodes and the moves.
    fn thinking(&mut self, search: &SearchReport, turn: &mut Turn) {
        let shown = match self.searches.front() {
            Some(Search::Move | Search::Ponder(_)) => self.posts,
            Some(Search::Analysis) => true,
            Some(Search::Dropped) | None => return,
        };
        if search.bound != Bound::Exact || search.depth == 0 {
            return;
        }
        if search.multi_pv == 1 {
            self.last_line = Some(search.clone());
        }
        if shown {
            let score = match search.score {
                ScoreKind::Centipawns(cp) => cp,
                ScoreKind::Mate(moves) if moves > 0 => MATE + moves,
                ScoreKind::Mate(moves) => moves - MATE,
            };
            let line: Vec<String> =
                search.pv.iter().map(|m| words::move_text(m, self.settings.variant)).collect();
            let centiseconds = search.time.as_millis() / 10;
            let SearchReport { depth, nodes, .. } = search;
            turn.say(format!("{depth} {score} {centiseconds} {nodes} {}", line.join(" ")));
        }
    }

    /// The answer to `.` while analysing: time, nodes, depth, root moves left and in all, and the one
    /// that is looked at.
    fn state_of_analysis(&self, turn: &mut Turn) {
        let Some(line) = self.last_line.as_ref().filter(|_| self.mode == Mode::Analysis) else {
            if self.mode != Mode::Analysis {
                turn.error("not analysing", ".");
            }
            return;
        };
        let total = self.game.legal_moves().len();
        let centiseconds = line.time.as_millis() / 10;
        let mut text = format!("stat01: {centiseconds} {} {}", line.nodes, line.depth);
        let (name, number) = self.current_move.clone().unwrap_or_default();
        text += &format!(" {} {total} {name}", total.saturating_sub(number));
        turn.say(text.trim_end());
    }

    fn ping(&mut self, number: &str, turn: &mut Turn) {
        let pong = format!("pong {}", one_line(number, 20));
        match self.searches.back() {
            // No answer before the move that is being thought about ...
            Some(Search::Move) => self.pongs.push(pong),
            // ... but at once where the thinking has no end ...
            Some(Search::Ponder(_) | Search::Analysis) => turn.say(pong),
            // ... and otherwise after everything that was asked for before.
            Some(Search::Dropped) | None => turn.commands.push(Command::Echo(pong)),
        }
    }

    /// The book moves of the position, a line each, and an empty line.
    fn show_book(&self, turn: &mut Turn) {
        let books = Books::open(&self.settings.book_file).unwrap_or_default();
        let book = books.of(self.settings.variant);
        let moves = book.map_or_else(Vec::new, |book| self.game.book_moves(book));
        let total: u32 = moves.iter().map(|&(_, weight)| u32::from(weight)).sum();
        for (text, weight) in &moves {
            turn.say(format!(" {text} {}%", 100 * u32::from(*weight) / total.max(1)));
        }
        if moves.is_empty() {
            turn.say(" no book move");
        }
        turn.say("");
    }

    fn user_option(&mut self, text: &str, turn: &mut Turn) {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (text.trim(), None),
        };
        let Some(option) = options::find(name) else {
            turn.error("unknown option", name);
            return;
        };
        let value = words::option_value(&option.kind, value);
        self.set_option(option.name, value, turn);
    }

    /// Changes an option here and in the session. Thinking that has no end begins anew, because the
    /// session changes nothing before it has.
    fn set_option(&mut self, name: &str, value: Option<&str>, turn: &mut Turn) {
        let endless = matches!(self.searches.back(), Some(Search::Ponder(_) | Search::Analysis));
        if endless {
            self.drop_searches(turn);
        }
        let before = self.settings.variant;
        options::set(&mut self.settings, name, value);
        let rules = self.settings.game_rules();
        let changed = rules != self.game.rules();
        // A move that is thought about by other rules may be none.
        let thinking = changed && self.searches.back() == Some(&Search::Move);
        if thinking {
            self.drop_searches(turn);
        }
        let (name, value) = (name.to_owned(), value.map(str::to_owned));
        turn.commands.push(Command::SetOption { name, value });
        if changed {
            let start = StartPosition::Fen(self.game.start_fen());
            let request = PositionRequest { start, moves: self.game.moves() };
            self.game = new_game(rules);
            if before == self.settings.variant {
                // Moves that other rules forbid end the game there.
                let _ = self.game.set_position(&request);
            }
        }
        if endless {
            self.go_on(turn);
        } else if thinking && before == self.settings.variant {
            self.think(turn);
        }
    }
}

/// `1-0 {White mates}`
fn result(outcome: Outcome) -> String {
    let reason = match outcome {
        Outcome::Win(color, _) => format!("{color} wins: {}", outcome.describe()),
        Outcome::Draw(_) => outcome.describe().to_owned(),
    };
    format!("{} {{{reason}}}", outcome.score_text())
}

#[cfg(test)]
mod tests;
