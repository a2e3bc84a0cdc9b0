//! Playing stored games again.

use movegen::Position;
use thiserror::Error;

use super::games::StoredGame;

/// A stored game cannot be played by these rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ReplayError {
    /// A move is not legal.
    #[error("game {number}: ply {ply} is no legal move")]
    Illegal {
        /// Number of the game.
        number: u32,
        /// Plies before the move.
        ply: usize,
    },
    /// The moves lead to another position than they did.
    #[error("game {number}: its moves lead to another position than they did")]
    OtherEnd {
        /// Number of the game.
        number: u32,
    },
}

/// Plays a game again and shows every position with the move played there, its score (see
/// [`StoredPly`](super::games::StoredPly)) and its ply.
///
/// # Errors
/// If a move is illegal, or the last position is another than the game's. The positions before
/// have been shown by then, so collect first and use them if all went well.
pub fn replay<P: Position>(
    game: &StoredGame,
    rules: P::Rules,
    mut show: impl FnMut(&P, P::Move, i16, usize),
) -> Result<(), ReplayError> {
    let mut position = P::start(rules);
    for (ply, stored) in game.plies.iter().enumerate() {
        let Some(m) = position.move_from_tag(stored.tag) else {
            return Err(ReplayError::Illegal { number: game.number, ply });
        };
        show(&position, m, stored.score, ply);
        position = position.play_unchecked(m);
    }
    if position.key() as u32 != game.last_key {
        return Err(ReplayError::OtherEnd { number: game.number });
    }
    Ok(())
}
