use crate::{DrawReason, MoveError, Outcome, Position};

/// A game from its start position on: the moves, and the keys that repetition needs.
#[derive(Clone, Debug)]
pub struct GameRecord<P: Position> {
    start: P,
    current: P,
    moves: Vec<P::Move>,
    /// Keys of all positions so far, the current one last.
    keys: Vec<u64>,
    /// Index into `keys` of the first position that can still come back.
    reversible_from: usize,
}

impl<P: Position> GameRecord<P> {
    /// A game that begins at `start`.
    pub fn new(start: P) -> Self {
        let keys = vec![start.key()];
        Self { current: start.clone(), start, moves: Vec::new(), keys, reversible_from: 0 }
    }

    /// Where the game began.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// Where the game stands.
    pub fn position(&self) -> &P {
        &self.current
    }

    /// The moves played so far.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// Keys of the positions that can still be repeated, oldest first, the current one last.
    pub fn reversible_keys(&self) -> &[u64] {
        &self.keys[self.reversible_from..]
    }

    /// Plays a move that must be legal.
    pub fn play(&mut self, m: P::Move) {
        debug_assert!(self.current.is_legal(m));
        if self.current.is_irreversible(m) {
            self.reversible_from = self.keys.len();
        }
        self.current = self.current.play_unchecked(m);
        self.moves.push(m);
        self.keys.push(self.current.key());
    }

    /// Reads a move in UCI text and plays it.
    ///
    /// # Errors
    /// If the text names no legal move; the game is then unchanged.
    pub fn play_text(&mut self, text: &str) -> Result<P::Move, MoveError> {
        let m = self.current.parse_move(text)?;
        self.play(m);
        Ok(m)
    }

    /// How often the current position has occurred, itself included.
    pub fn occurrences(&self) -> u32 {
        let key = self.current.key();
        let count = self.reversible_keys().iter().filter(|&&k| k == key).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// How the game has ended, or `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.current.has_legal_move() {
            return Some(self.current.no_moves_outcome());
        }
        self.draw_reason().map(Outcome::Draw)
    }

    fn draw_reason(&self) -> Option<DrawReason> {
        self.current.draw_reason(self.occurrences())
    }
}
