//! What endgame tables do in a search: they choose among the moves at the root and end the tree where
//! they know the result.

use movegen::GameRecord;
use tables::{Tables, Tabulated, Value, best_moves, distance_of_move, value_of_move};

use crate::Score;
use crate::game::Game;
use crate::score::is_decisive;
use crate::worker::Worker;

/// The root moves that tables leave, and what they know about the root.
pub(crate) struct RootChoice<M> {
    pub(crate) moves: Vec<M>,
    /// The best result of any move, if the tables know that of every move.
    pub(crate) value: Option<Value>,
    /// Moves whose result is known.
    pub(crate) hits: u64,
}

/// Leaves, of `moves`, those that are as good as any by the tables. Works without any search, and
/// heeds repetitions of the game.
///
/// Where a clock alone makes a draw of it, those are left that are best without it: who could win
/// keeps his men and nears the mate, so that a fault of the defender still loses; and a defender takes
/// a draw that needs no clock, or the longest way to the loss.
pub(crate) fn choose_root_moves<P: Tabulated>(
    tables: &Tables,
    record: &GameRecord<P>,
    moves: &[P::Move],
) -> RootChoice<P::Move> {
    let root = record.position();
    if !root.is_near(tables) {
        return RootChoice { moves: moves.to_vec(), value: None, hits: 0 };
    }
    let occurrences = |m: P::Move| {
        let key = root.play_unchecked(m).key();
        let before = if root.is_irreversible(m) {
            0
        } else {
            record.reversible_keys().iter().filter(|&&k| k == key).count()
        };
        u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
    };
    let valued: Vec<_> =
        moves.iter().map(|&m| (m, value_of_move(tables, root, m, occurrences(m)))).collect();
    let known = valued.iter().filter(|(_, value)| value.is_some()).count();
    let mut kept = best_moves(&valued);
    let first = kept.first().and_then(|&first| valued.iter().find(|(m, _)| *m == first));
    let value = first.and_then(|&(_, value)| value);
    let settled = known == valued.len() || matches!(value, Some(Value::Win(_)));
    if settled && value == Some(Value::Draw) {
        // All that are kept draw.
        let uncounted: Vec<_> =
            kept.iter().map(|&m| (m, distance_of_move(tables, root, m, occurrences(m)))).collect();
        kept = best_moves(&uncounted);
    }
    RootChoice { moves: kept, value: value.filter(|_| settled), hits: known as u64 }
}

/// The score of a table's value at `ply`.
fn score_of(value: Value, to_mate: bool, ply: usize) -> i32 {
    // Farther off than a search reaches, a result is a result without a number of moves.
    let plies = |distance: u16| ply as i32 + i32::from(distance);
    let win = |distance: u16| match plies(distance) {
        plies if to_mate && plies < Score::MAX_PLY => Score::mate_in(plies).0,
        plies => Score::TABLE_WIN.0 - plies.min(Score::MAX_PLY - 1),
    };
    match value {
        Value::Win(distance) => win(distance),
        Value::Draw => Score::DRAW.0,
        Value::Loss(distance) => -win(distance),
    }
}

impl<G: Game> Worker<'_, G> {
    /// The score of a position that the tables decide. The rules that end a game come first.
    #[inline]
    pub(crate) fn table_score(&mut self, position: &G::Pos, ply: usize) -> Option<i32> {
        let value = position.table_result(self.shared.tables?)?;
        self.table_hits += 1;
        Some(score_of(value, position.leads_to_mate(), ply))
    }

    /// Goes on with the lines that are decided as long as tables know the way, so that a mate is shown
    /// to its end. Main thread only: the others show nothing.
    pub(crate) fn extend_lines(&mut self, root: &G::Pos, lines: usize) {
        let Some(tables) = self.shared.tables.filter(|_| self.control.is_some()) else { return };
        for root_move in self.root_moves.iter_mut().take(lines) {
            if is_decisive(root_move.score) {
                extend(tables, root, &mut root_move.pv);
            }
        }
    }
}

fn extend<P: Tabulated>(tables: &Tables, root: &P, pv: &mut Vec<P::Move>) {
    let mut position = root.clone();
    for &m in pv.iter() {
        if !position.is_legal(m) {
            return;
        }
        position = position.play_unchecked(m);
    }
    while pv.len() < Score::MAX_PLY as usize {
        let decided = |value: &Value| *value != Value::Draw;
        if position.table_result(tables).filter(decided).is_none() {
            return;
        }
        let moves: Vec<_> = position
            .legal_moves()
            .into_iter()
            .map(|m| (m, value_of_move(tables, &position, m, 1)))
            .collect();
        let Some(&m) = best_moves(&moves).first() else { return };
        pv.push(m);
        position = position.play_unchecked(m);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::plies_to_mate;

    #[test]
    fn scores_tell_results_and_distances() {
        let score = |value, to_mate| score_of(value, to_mate, 4);
        assert_eq!(plies_to_mate(score(Value::Win(9), true)), Some(13));
        assert_eq!(score(Value::Loss(9), true), -score(Value::Win(9), true));
        assert_eq!(score(Value::Draw, true), 0);
        assert!(score(Value::Win(9), false) > score(Value::Win(10), false));
        for distance in [1, 100, 240, 250, 500] {
            for to_mate in [true, false] {
                let score = score(Value::Win(distance), to_mate);
                assert!(is_decisive(score) && score < Score::MATE.0, "{distance}");
            }
        }
        assert_eq!(plies_to_mate(score(Value::Win(9), false)), None);
    }
}
