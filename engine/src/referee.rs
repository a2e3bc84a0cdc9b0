//! The game at the table: its moves, its position and how it ended, for whichever game was chosen at
//! run time. It knows no search.

use movegen::{Clock, Color, FenError, GameRecord, MoveError, Outcome, PawnCapture, Position};
use search::Game;
use thiserror::Error;

use crate::book::Book;
use crate::command::{PositionRequest, StartPosition};
use crate::dispatch::{GameRules, GameVisitor, PosOf, RulesOf, with_game};

/// A position as people want to see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardView {
    /// Letters by rank and file, `cells[0][0]` = a1.
    pub cells: [[Option<char>; 8]; 8],
    /// Who moves.
    pub side: Color,
    /// Canonical FEN.
    pub fen: String,
    /// Zobrist key.
    pub key: u64,
    /// How the game ended, if it has.
    pub outcome: Option<Outcome>,
}

/// What was wrong with a [`PositionRequest`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PositionFault {
    /// Nothing was changed.
    #[error("bad FEN, the position stays as it was: {0}")]
    Fen(#[from] FenError),
    /// The moves before this one were played.
    #[error("move {number}: {error}; the position is the one before it")]
    Move {
        /// Number of the move in the list, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
}

/// A game of whichever kind was chosen. Moves are UCI text throughout.
pub trait AnyGame: Send {
    /// The game and its rules.
    fn rules(&self) -> GameRules;
    /// FEN of the game's start position.
    fn standard_start(&self) -> String;
    /// FEN of the position that this game began at.
    fn start_fen(&self) -> String;
    /// Sets up a position. A FEN with faults leaves the game as it was; a move that is not legal ends
    /// the list before it.
    ///
    /// # Errors
    /// What was wrong.
    fn set_position(&mut self, request: &PositionRequest) -> Result<(), PositionFault>;
    /// Plays a move that is given as UCI text or as the game files of this game write it.
    ///
    /// # Errors
    /// What is wrong with the text as UCI.
    fn play(&mut self, text: &str) -> Result<(), MoveError>;
    /// Takes the last move back; `false` if there is none.
    fn undo(&mut self) -> bool;
    /// The moves played.
    fn moves(&self) -> Vec<String>;
    /// The moves played, as game files write them.
    fn notation(&self) -> Vec<String>;
    /// A line of moves from here as game files write it, up to the first one that is not legal.
    fn line_notation(&self, line: &[String]) -> Vec<String>;
    /// The current position.
    fn board(&self) -> BoardView;
    /// Who moves.
    fn side_to_move(&self) -> Color;
    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;
    /// The running clocks of the rules.
    fn clocks(&self) -> Vec<Clock>;
    /// The legal moves.
    fn legal_moves(&self) -> Vec<String>;
    /// The position with the colors exchanged and the board turned, as a FEN.
    fn flipped_fen(&self) -> String;
    /// What a book says about the position: legal moves and their weights. Nothing if the game is
    /// over, or its rules are too far from those of the book.
    fn book_moves(&self, book: &Book) -> Vec<(String, u16)>;
}

/// A game under these rules, at its start position.
pub fn new_game(rules: GameRules) -> Box<dyn AnyGame> {
    struct Open(GameRules);
    impl GameVisitor for Open {
        type Output = Box<dyn AnyGame>;
        fn visit<G: Game>(self, rules: RulesOf<G>) -> Self::Output {
            Box::new(Referee::<PosOf<G>>::new(self.0, rules))
        }
    }
    with_game(rules, Open(rules))
}

/// A game with positions of this kind.
#[derive(Clone, Debug)]
pub struct Referee<P: Position> {
    game_rules: GameRules,
    rules: P::Rules,
    record: GameRecord<P>,
}

impl<P: Position> Referee<P> {
    /// A game at its start position. `game_rules` and `rules` say the same.
    pub fn new(game_rules: GameRules, rules: P::Rules) -> Self {
        Self { game_rules, rules, record: GameRecord::new(P::start(rules)) }
    }

    /// The record.
    pub fn record(&self) -> &GameRecord<P> {
        &self.record
    }

    /// The current position.
    pub fn position(&self) -> &P {
        self.record.position()
    }

    /// What `text` writes for each move, which is given the position before it.
    fn written(&self, text: impl Fn(&P, P::Move) -> String) -> Vec<String> {
        let mut position = self.record.start().clone();
        let moves = self.record.moves().iter();
        moves
            .map(|&m| {
                let written = text(&position, m);
                position = position.play_unchecked(m);
                written
            })
            .collect()
    }
}

impl<P: Position> AnyGame for Referee<P> {
    fn rules(&self) -> GameRules {
        self.game_rules
    }

    fn standard_start(&self) -> String {
        P::start(self.rules).fen()
    }

    fn start_fen(&self) -> String {
        self.record.start().fen()
    }

    fn set_position(&mut self, request: &PositionRequest) -> Result<(), PositionFault> {
        let start = match &request.start {
            StartPosition::Standard => P::start(self.rules),
            StartPosition::Fen(fen) => P::from_fen(fen, self.rules)?,
        };
        self.record = GameRecord::new(start);
        for (index, text) in request.moves.iter().enumerate() {
            self.record
                .play_text(text)
                .map_err(|error| PositionFault::Move { number: index + 1, error })?;
        }
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), MoveError> {
        let position = self.record.position();
        let m = position
            .parse_move(text)
            .or_else(|error| position.parse_notation(text).map_err(|_| error))?;
        self.record.play(m);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let Some((_, before)) = self.record.moves().split_last() else { return false };
        let mut record = GameRecord::new(self.record.start().clone());
        before.iter().for_each(|&m| record.play(m));
        self.record = record;
        true
    }

    fn moves(&self) -> Vec<String> {
        self.written(P::move_text)
    }

    fn notation(&self) -> Vec<String> {
        self.written(P::notation)
    }

    fn line_notation(&self, line: &[String]) -> Vec<String> {
        line_notation(self.position(), line)
    }

    fn board(&self) -> BoardView {
        let position = self.position();
        let mut cells = [[None; 8]; 8];
        for (rank, row) in (0..).zip(&mut cells) {
            for (file, cell) in (0..).zip(row) {
                *cell = position.letter_at(file, rank);
            }
        }
        BoardView {
            cells,
            side: position.side_to_move(),
            fen: position.fen(),
            key: position.key(),
            outcome: self.record.outcome(),
        }
    }

    fn side_to_move(&self) -> Color {
        self.position().side_to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.record.outcome()
    }

    fn clocks(&self) -> Vec<Clock> {
        self.position().clocks()
    }

    fn legal_moves(&self) -> Vec<String> {
        let position = self.position();
        position.legal_moves().iter().map(|&m| position.move_text(m)).collect()
    }

    fn flipped_fen(&self) -> String {
        self.position().flipped().fen()
    }

    fn book_moves(&self, book: &Book) -> Vec<(String, u16)> {
        let other_game = matches!(self.game_rules,
            GameRules::Makruk(rules) if rules.pawn_capture == PawnCapture::Straight);
        if other_game || book.variant() != P::VARIANT || self.outcome().is_some() {
            return Vec::new();
        }
        let position = self.position();
        let moves = book.moves(position.key()).iter();
        moves
            .filter_map(|m| Some((position.move_text(position.move_from_tag(m.tag)?), m.weight)))
            .collect()
    }
}

/// A line of UCI moves from a position as game files write it, up to the first one that is not legal.
pub(crate) fn line_notation<P: Position>(root: &P, line: &[String]) -> Vec<String> {
    let mut position = root.clone();
    let mut written = Vec::with_capacity(line.len());
    for text in line {
        let Ok(m) = position.parse_move(text) else { break };
        written.push(position.notation(m));
        position = position.play_unchecked(m);
    }
    written
}

#[cfg(test)]
mod tests {
    use movegen::Variant;

    use super::*;

    fn game(variant: Variant) -> Box<dyn AnyGame> {
        new_game(GameRules::standard(variant))
    }

    #[test]
    fn moves_are_read_in_either_spelling_and_taken_back() {
        let mut makruk = game(Variant::Makruk);
        let before = makruk.board();
        assert!(!makruk.undo());
        makruk.play("e3e4").unwrap();
        makruk.play("Nd7").unwrap();
        assert_eq!(makruk.moves(), ["e3e4", "b8d7"]);
        assert_eq!(makruk.notation(), ["e4", "Nd7"]);
        assert!(makruk.play("e4e6").is_err() && makruk.play("Ke9").is_err());
        assert_eq!(makruk.line_notation(&["d3d4".into(), "a1a9".into()]), ["d4"]);
        assert!(makruk.undo() && makruk.undo() && !makruk.undo());
        assert_eq!(makruk.board(), before);

        let mut makhos = game(Variant::Makhos);
        let first = makhos.legal_moves()[0].clone();
        makhos.play(&first).unwrap();
        let written = makhos.notation()[0].clone();
        assert!(makhos.undo());
        makhos.play(&written).unwrap();
        assert_eq!(makhos.moves(), [first]);
    }

    #[test]
    fn a_game_may_begin_anywhere_and_end() {
        let mut game = game(Variant::Makruk);
        let fen = "8/8/8/8/8/1k6/2R5/K7 b - - 0 1".to_owned();
        let start = StartPosition::Fen(fen.clone());
        let request = PositionRequest { start, moves: vec!["b3c2".into(), "a1a2".into()] };
        game.set_position(&request).unwrap();
        assert_eq!(game.start_fen(), fen);
        assert!(matches!(game.outcome(), Some(Outcome::Draw(_))), "kings alone");
        let bad = PositionRequest { start: StartPosition::Fen("x".into()), moves: Vec::new() };
        assert!(matches!(game.set_position(&bad), Err(PositionFault::Fen(_))));
        assert_eq!(game.start_fen(), fen);
    }
}
