//! Moves that leave the positions which are being solved together.

use crate::Value;

/// What the moves that leave a position's class, or that move a pawn, are worth to the mover.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Exits {
    /// Fewest plies of a win.
    pub(crate) win: Option<u16>,
    /// Whether one leads to a draw.
    pub(crate) draw: bool,
    /// Most plies of a loss.
    pub(crate) loss: Option<u16>,
}

impl Exits {
    /// A move that begins a new count: `value` is the opponent's in the position after it.
    pub(crate) fn add_fresh(&mut self, value: Value) {
        match value {
            Value::Loss(_) => self.add_win(1),
            Value::Draw => self.draw = true,
            Value::Win(_) => self.add_loss(1),
        }
    }

    /// A move after which the present count runs on.
    pub(crate) fn add_running(&mut self, value: Value) {
        match value {
            Value::Loss(plies) => self.add_win(plies + 1),
            Value::Draw => self.draw = true,
            Value::Win(plies) => self.add_loss(plies + 1),
        }
    }

    /// The value of a position that has no other moves, but has some.
    pub(crate) fn value(&self) -> Value {
        match (self.win, self.loss) {
            (Some(plies), _) => Value::Win(plies),
            (None, Some(plies)) if !self.draw => Value::Loss(plies),
            _ => Value::Draw,
        }
    }

    fn add_win(&mut self, plies: u16) {
        self.win = Some(self.win.map_or(plies, |known| known.min(plies)));
    }

    fn add_loss(&mut self, plies: u16) {
        self.loss = Some(self.loss.map_or(plies, |known| known.max(plies)));
    }
}
