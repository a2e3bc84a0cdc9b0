//! The game between a person and the engine, one line at a time.

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use movegen::{Color, Numbering, Outcome};

use super::PlayError;
use super::args::{Language, PlayArgs, TimeControl, skill_of};
use super::draw::{Style, legend, squares_of};
use super::opponent::Opponent;
use crate::command::{PositionRequest, StartPosition};
use crate::dispatch::GameRules;
use crate::game_text::{Game, GameFile, Move, date};
use crate::report::{capitalised, one_line};

/// How a game ended otherwise than by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Surrender {
    Resigned(Color),
    OutOfTime(Color),
}

impl Surrender {
    fn winner(self) -> Color {
        match self {
            Self::Resigned(winner) | Self::OutOfTime(winner) => winner,
        }
    }
}

/// Whether the game goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    Go,
    Quit,
}

/// The table.
pub(super) struct Table<I, O> {
    opponent: Opponent,
    /// Which sides the person plays.
    yours: [bool; 2],
    style: Style,
    language: Language,
    start: PositionRequest,
    /// The rules, for the file.
    rule_set: String,
    time: Option<TimeControl>,
    left: [Duration; 2],
    /// When the turn of whoever is to move began: his clock runs from there, whatever else he types.
    turn: Instant,
    surrender: Option<Surrender>,
    /// Hanuman's name in files.
    name: String,
    input: I,
    out: O,
}

impl<I: BufRead, O: Write> Table<I, O> {
    pub(super) fn new(args: &PlayArgs, color: bool, input: I, out: O) -> Result<Self, PlayError> {
        let settings = args.settings()?;
        let rules = args.rules(&settings);
        let mut opponent = Opponent::new(&settings, rules)?;
        let start = args
            .fen
            .as_ref()
            .map_or(StartPosition::Standard, |fen| StartPosition::Fen(fen.clone()));
        let start = PositionRequest { start, moves: Vec::new() };
        opponent.new_game(&start)?;
        let yours = args.sides();
        let below = if yours[0] { Color::White } else { Color::Black };
        let numbering = match rules {
            GameRules::Makhos(rules) => rules.numbering,
            _ => Numbering::Pdn,
        };
        let style = Style {
            variant: settings.variant,
            pieces: args.pieces(color),
            numbering,
            color,
            below,
        };
        let strength = match (args.level, args.elo) {
            (Some(level), _) => format!(" level {level}"),
            (None, Some(elo)) => format!(" Elo {elo}"),
            (None, None) => String::new(),
        };
        Ok(Self {
            opponent,
            yours,
            style,
            language: args.lang,
            start,
            rule_set: args.game.rules_text(),
            time: args.time,
            left: [args.time.map_or(Duration::ZERO, |time| time.base); 2],
            turn: Instant::now(),
            surrender: None,
            name: format!("Hanuman {}{strength}", env!("CARGO_PKG_VERSION")),
            input,
            out,
        })
    }

    pub(super) fn play(mut self) -> Result<(), PlayError> {
        let language = self.language;
        let name = language.game(self.style.variant);
        writeln!(self.out, "{name}. {}", language.greeting())?;
        writeln!(self.out, "{}", legend(&self.style, language))?;
        self.begin_turn()?;
        self.end()?;
        loop {
            let side = self.side();
            if !self.is_over() && !self.yours[side.index()] {
                self.engine_moves()?;
                continue;
            }
            let prompt = if self.is_over() { "> ".to_owned() } else { language.prompt(side) };
            write!(self.out, "{prompt}")?;
            self.out.flush()?;
            let mut bytes = Vec::new();
            if self.input.read_until(b'\n', &mut bytes)? == 0 {
                writeln!(self.out)?;
                return Ok(());
            }
            let line = String::from_utf8_lossy(&bytes).into_owned();
            if self.take(line.trim())? == Next::Quit {
                return Ok(());
            }
        }
    }

    fn side(&self) -> Color {
        self.opponent.game().side_to_move()
    }

    fn is_over(&self) -> bool {
        self.surrender.is_some() || self.opponent.game().outcome().is_some()
    }

    /// How moves are written, by one that can be played here if there is any.
    fn examples(&self) -> Vec<String> {
        let game = self.opponent.game();
        let moves = if self.is_over() { Vec::new() } else { game.legal_moves() };
        let Some(uci) = moves.get(moves.len() / 2) else { return Vec::new() };
        let mut written = game.line_notation(std::slice::from_ref(uci));
        written.push(uci.clone());
        written
    }

    fn say(&mut self, text: impl AsRef<str>) -> Result<Next, PlayError> {
        writeln!(self.out, "{}", text.as_ref())?;
        Ok(Next::Go)
    }

    /// Does what the person has typed.
    fn take(&mut self, line: &str) -> Result<Next, PlayError> {
        let language = self.language;
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_lowercase().as_str() {
            "" => Ok(Next::Go),
            "quit" | "exit" | "q" => Ok(Next::Quit),
            "help" | "?" => {
                let help = language.help(self.style.variant, &self.examples());
                self.say(help)
            }
            "board" | "d" => self.show_board().map(|()| Next::Go),
            "fen" => {
                let fen = self.opponent.game().board().fen;
                self.say(fen)
            }
            "moves" if !self.is_over() => {
                let game = self.opponent.game();
                let moves = game.legal_moves();
                let written: Vec<String> = moves
                    .iter()
                    .flat_map(|m| game.line_notation(std::slice::from_ref(m)))
                    .collect();
                self.say(written.join(" "))
            }
            "count" => {
                let game = self.opponent.game();
                let side = game.side_to_move();
                let text = language.count(&game.clocks(), game.rules(), side, self.is_over());
                self.say(text)
            }
            "flip" => {
                self.style.below = !self.style.below;
                self.show_board().map(|()| Next::Go)
            }
            "level" => match rest.parse::<u8>() {
                Ok(level @ 1..=10) => {
                    self.opponent.set_skill(skill_of(level));
                    self.name = format!("Hanuman {} level {level}", env!("CARGO_PKG_VERSION"));
                    self.say(language.level(level))
                }
                _ => self.say(language.needs_level()),
            },
            "save" if rest.is_empty() => self.say(language.needs_file()),
            "save" => {
                let saved = self.save(Path::new(rest));
                let text = match saved {
                    Ok(()) => language.saved(rest),
                    Err(error) => language.not_saved(rest, &error.to_string()),
                };
                self.say(text)
            }
            "new" => {
                self.opponent.new_game(&self.start)?;
                self.surrender = None;
                self.left = [self.time.map_or(Duration::ZERO, |time| time.base); 2];
                self.begin_turn().map(|()| Next::Go)
            }
            "undo" => self.undo(),
            _ if self.is_over() => self.say(language.over()),
            "hint" => {
                let thought = self.opponent.hint();
                let text = self.written(thought.best);
                let text = text.map_or_else(
                    || language.no_move().to_owned(),
                    |text| language.hint(&text, thought.score),
                );
                self.say(text)
            }
            "go" => {
                let side = self.side();
                self.yours = [side == Color::Black, side == Color::White];
                Ok(Next::Go)
            }
            "resign" => {
                self.surrender = Some(Surrender::Resigned(!self.side()));
                self.end().map(|()| Next::Go)
            }
            _ => self.person_moves(line),
        }
    }

    fn person_moves(&mut self, text: &str) -> Result<Next, PlayError> {
        let side = self.side();
        if let Err(error) = self.opponent.game_mut().play(text) {
            let text =
                self.language.not_understood(&one_line(text, 20), &capitalised(&error.to_string()));
            return self.say(text);
        }
        if !self.use_time(side, self.turn.elapsed()) {
            self.opponent.game_mut().undo();
            return self.end().map(|()| Next::Go);
        }
        self.after_move()?;
        Ok(Next::Go)
    }

    fn engine_moves(&mut self) -> Result<(), PlayError> {
        let side = self.side();
        self.turn = Instant::now();
        let clocks = self.time.map(|time| (self.left, time.increment));
        let thought = self.opponent.think(clocks);
        let text = self.written(thought.best.clone());
        let (Some(best), Some(text)) = (thought.best, text) else {
            // The engine found none although there is one: the person goes on for it.
            self.yours = [true; 2];
            writeln!(self.out, "{}", self.language.no_move())?;
            return Ok(());
        };
        if !self.use_time(side, self.turn.elapsed()) {
            return self.end();
        }
        // It comes from the list of legal moves.
        let _ = self.opponent.game_mut().play(&best);
        writeln!(self.out, "{}", self.language.plays(side, &text))?;
        self.after_move()
    }

    /// A move of the engine as game files write it.
    fn written(&self, uci: Option<String>) -> Option<String> {
        self.opponent.game().line_notation(&[uci?]).pop()
    }

    /// Takes the time of a move off the clock; `false` if there was too little.
    fn use_time(&mut self, side: Color, took: Duration) -> bool {
        let Some(time) = self.time else { return true };
        let left = &mut self.left[side.index()];
        match left.checked_sub(took) {
            Some(rest) => *left = rest + time.increment,
            None => {
                *left = Duration::ZERO;
                self.surrender = Some(Surrender::OutOfTime(!side));
            }
        }
        self.surrender.is_none()
    }

    fn after_move(&mut self) -> Result<(), PlayError> {
        self.begin_turn()?;
        if self.is_over() { self.end() } else { Ok(()) }
    }

    /// Says how the game ended.
    fn end(&mut self) -> Result<(), PlayError> {
        let text = match (self.surrender, self.opponent.game().outcome()) {
            (Some(Surrender::Resigned(winner)), _) => self.language.resigns(winner),
            (Some(Surrender::OutOfTime(winner)), _) => self.language.out_of_time(winner),
            (None, Some(outcome)) => self.language.outcome(outcome),
            (None, None) => return Ok(()),
        };
        writeln!(self.out, "{text}\n{}", self.language.over())?;
        Ok(())
    }

    /// Takes moves back until it is the person's turn again.
    fn undo(&mut self) -> Result<Next, PlayError> {
        // Who has given up takes back that.
        if let Some(surrender) = self.surrender.take() {
            if matches!(surrender, Surrender::OutOfTime(_)) {
                // There is no time left to play with.
                self.time = None;
                writeln!(self.out, "{}", self.language.no_clocks())?;
            }
            return self.begin_turn().map(|()| Next::Go);
        }
        if !self.opponent.game_mut().undo() {
            return self.say(self.language.nothing_to_undo());
        }
        while !self.yours[self.side().index()] && self.opponent.game_mut().undo() {}
        self.begin_turn().map(|()| Next::Go)
    }

    fn begin_turn(&mut self) -> Result<(), PlayError> {
        self.show_board()?;
        self.turn = Instant::now();
        Ok(())
    }

    fn show_board(&mut self) -> Result<(), PlayError> {
        let game = self.opponent.game();
        let last = game.moves().pop().map_or_else(Vec::new, |m| squares_of(&m));
        let board = self.style.board(&game.board(), &last);
        writeln!(self.out, "\n{board}")?;
        let note = self.language.count_note(&self.opponent.game().clocks());
        if let Some(note) = note.filter(|_| !self.is_over()) {
            writeln!(self.out, "{note}")?;
        }
        if self.time.is_some() {
            writeln!(self.out, "{}", self.language.clocks(self.left.map(|left| left.as_secs())))?;
        }
        Ok(())
    }

    /// Adds the game to a file.
    fn save(&self, path: &Path) -> std::io::Result<()> {
        let game = self.opponent.game();
        let result = match (self.surrender, game.outcome()) {
            (Some(surrender), _) => match surrender.winner() {
                Color::White => "1-0",
                Color::Black => "0-1",
            },
            (None, Some(outcome)) => Outcome::score_text(outcome),
            (None, None) => "*",
        };
        let mut text = Game { result: result.to_owned(), first_number: 1, ..Game::default() };
        let you = self.language.you();
        let name = |color: Color| if self.yours[color.index()] { you } else { &self.name };
        text.set_tag("Event", "Hanuman play");
        text.set_tag("Site", "?");
        text.set_tag("Date", date(SystemTime::now()));
        text.set_tag("Round", "-");
        text.set_tag("White", name(Color::White));
        text.set_tag("Black", name(Color::Black));
        text.set_tag("Result", result);
        text.set_position(game, &self.rule_set);
        text.moves.extend(game.notation().into_iter().map(|text| Move { text, ..Move::default() }));
        GameFile::append(path)?.write(&text.to_string())
    }
}
