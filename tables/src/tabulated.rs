//! What a player does with tables: the value of a move, and the moves that are best.

use movegen::chess::{Board, Rules};
use movegen::makhos::Board as MakhosBoard;
use movegen::{Color, Outcome, Position, Variant};

use crate::{Tables, Value};

/// A position that there may be a table for.
pub trait Tabulated: Position {
    /// Whether tables may know the position, or one a move away.
    fn is_near(&self, tables: &Tables) -> bool;

    /// The result for the mover under the clocks that run; `None` if the tables do not say. The rules
    /// that end a game at once (no legal move, repetition, dead positions) come before it.
    fn table_result(&self, tables: &Tables) -> Option<Value>;

    /// What a table says whatever has been counted so far.
    fn table_distance(&self, tables: &Tables) -> Option<Value>;

    /// Whether the distances of this position's table lead to mate.
    fn leads_to_mate(&self) -> bool;

    /// Whether the distance goes on after a legal move to `next`, rather than being that of an event
    /// which the move has been.
    fn distance_goes_on(&self, m: Self::Move, next: &Self) -> bool;
}

/// Whether there is neither a pawn nor a piece beside one of the kings.
#[inline]
fn is_bare<R: Rules>(board: &Board<R>) -> bool {
    board.of_type(movegen::chess::PieceType::Pawn).is_empty()
        && Color::ALL.into_iter().any(|color| board.is_bare(color))
}

impl<R: Rules> Tabulated for Board<R> {
    fn is_near(&self, tables: &Tables) -> bool {
        self.occupied().len() as usize <= tables.chess_men + 1
    }

    #[inline]
    fn table_result(&self, tables: &Tables) -> Option<Value> {
        tables.chess_result(self)
    }

    fn table_distance(&self, tables: &Tables) -> Option<Value> {
        tables.chess_distance(self)
    }

    #[inline]
    fn leads_to_mate(&self) -> bool {
        is_bare(self)
    }

    fn distance_goes_on(&self, m: Self::Move, next: &Self) -> bool {
        let runs_on = R::VARIANT == Variant::Makruk && !is_bare(next);
        is_bare(self)
            || !self.is_irreversible(m)
            || self.is_capture(m) && runs_on && !has_pawns(self)
    }
}

fn has_pawns<R: Rules>(board: &Board<R>) -> bool {
    !board.of_type(movegen::chess::PieceType::Pawn).is_empty()
}

impl Tabulated for MakhosBoard {
    fn is_near(&self, tables: &Tables) -> bool {
        // A move may take all of the other side's pieces.
        let fewer = self.pieces(self.side_to_move()).count_ones() as usize + 1;
        fewer <= tables.makhos_pieces
    }

    #[inline]
    fn table_result(&self, tables: &Tables) -> Option<Value> {
        tables.makhos_result(self)
    }

    fn table_distance(&self, tables: &Tables) -> Option<Value> {
        tables.makhos_distance(self)
    }

    fn leads_to_mate(&self) -> bool {
        false
    }

    fn distance_goes_on(&self, m: Self::Move, _: &Self) -> bool {
        !self.is_irreversible(m)
    }
}

/// What a legal move is worth to the mover. `occurrences` is how often the position after it will
/// then have been on the board. `None` if the tables do not say.
pub fn value_of_move<P: Tabulated>(
    tables: &Tables,
    position: &P,
    m: P::Move,
    occurrences: u32,
) -> Option<Value> {
    after_move(position, m, occurrences, |next, _| next.table_result(tables))
}

/// What a legal move is worth to the mover as [`value_of_move`] has it, but whatever has been counted
/// so far. A move that ends the game, by the count too, is worth what it makes of it. `None` if there
/// is no table of what it leads to.
pub fn distance_of_move<P: Tabulated>(
    tables: &Tables,
    position: &P,
    m: P::Move,
    occurrences: u32,
) -> Option<Value> {
    after_move(position, m, occurrences, |next, _| next.table_distance(tables))
}

/// The result of a position for the mover: what its table says, or where that cannot say (a count is
/// about to begin) what its moves are worth. `None` if neither is known.
pub fn result_of<P: Tabulated>(tables: &Tables, position: &P) -> Option<Value> {
    if let Some(value) = position.table_result(tables) {
        return Some(value);
    }
    let moves = position.legal_moves().into_iter();
    let values: Option<Vec<_>> = moves.map(|m| value_of_move(tables, position, m, 1)).collect();
    values?.into_iter().max_by_key(|value| value.rank())
}

/// What a legal move is worth to the mover if `ask` says what the position after it is worth to the
/// other side, unless the game is over there. `ask` is told whether the distance goes on.
pub(crate) fn after_move<P: Tabulated>(
    position: &P,
    m: P::Move,
    occurrences: u32,
    ask: impl FnOnce(&P, bool) -> Option<Value>,
) -> Option<Value> {
    let next = position.play_unchecked(m);
    if !next.has_legal_move() {
        return Some(match next.no_moves_outcome() {
            Outcome::Win(color, _) if color == position.side_to_move() => Value::Win(1),
            Outcome::Win(..) => Value::Loss(1),
            Outcome::Draw(_) => Value::Draw,
        });
    }
    if next.draw_reason(occurrences).is_some() {
        return Some(Value::Draw);
    }
    let goes_on = position.distance_goes_on(m, &next);
    Some(ask(&next, goes_on)?.seen_by_mover(goes_on))
}

/// The moves that are as good as any: the quickest wins, else all that may not lose, else the slowest
/// losses. Moves without a value are dropped only where another one wins.
pub fn best_moves<M: Copy>(moves: &[(M, Option<Value>)]) -> Vec<M> {
    let values = || moves.iter().filter_map(|&(_, value)| value);
    let quickest =
        values().filter(|value| matches!(value, Value::Win(_))).filter_map(Value::distance).min();
    let slowest =
        values().filter(|value| matches!(value, Value::Loss(_))).filter_map(Value::distance).max();
    let all_lose = moves.iter().all(|(_, value)| matches!(value, Some(Value::Loss(_))));
    let keeps = |value: Option<Value>| match (quickest, value) {
        (Some(best), value) => value == Some(Value::Win(best)),
        (None, Some(Value::Loss(plies))) => all_lose && Some(plies) == slowest,
        (None, _) => true,
    };
    moves.iter().filter(|&&(_, value)| keeps(value)).map(|&(m, _)| m).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_moves_are_kept() {
        let best = |values: &[Option<Value>]| {
            let moves: Vec<_> = values.iter().copied().enumerate().collect();
            best_moves(&moves)
        };
        let (win, draw, loss) =
            (|n| Some(Value::Win(n)), Some(Value::Draw), |n| Some(Value::Loss(n)));
        assert_eq!(best(&[draw, win(5), win(3), None, win(3)]), [2, 4]);
        assert_eq!(best(&[draw, loss(4), None]), [0, 2]);
        assert_eq!(best(&[loss(4), loss(8), loss(8)]), [1, 2]);
        assert_eq!(best(&[loss(4), None]), [1]);
        assert_eq!(best(&[None, None]), [0, 1]);
        assert_eq!(best(&[]), Vec::<usize>::new());
    }
}
