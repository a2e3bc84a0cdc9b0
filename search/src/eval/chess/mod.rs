//! Hand-written evaluation of Makruk and ASEAN Chess.
//!
//! Middlegame and endgame values of every term are blended by the men left. How much an advantage
//! is worth depends on whether the stronger side could still mate a bare king; once a king is bare
//! only that is judged. Weights are round numbers after published ones for these games; no match
//! has tuned them yet.

mod bare;
mod reach;
mod side;
mod tables;

use movegen::chess::{Board, CountKind, Rules};
use movegen::{Color, CountingRule, Position, Variant};

use self::bare::{Conversion, FULL, conversion, share_of_many};
pub(crate) use self::reach::attacked;
use self::side::Side;
use self::tables::{FULL_PHASE, MET_ENDGAME};
use super::{Evaluator, Guide, bounded};

/// For the side to move.
const TEMPO: i32 = 12;
/// Worth of an unpromoted pawn against a bare king, beyond its value: no count runs meanwhile.
const NO_COUNT_YET: i32 = 30;
/// Plies before a draw from which on an advantage counts less, with men on both sides.
const MAKRUK_WINDOW: i32 = 128;
/// The same for ASEAN's 50 moves.
const ASEAN_WINDOW: i32 = 60;

/// Hand-written evaluation of Makruk and ASEAN Chess. It keeps no state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChessEval;

impl<R: Rules> Evaluator<Board<R>> for ChessEval {
    fn evaluate_raw(&mut self, position: &Board<R>) -> i32 {
        let mover = position.side_to_move();
        let white = white_value(position, mover);
        bounded(if mover == Color::White { white } else { -white })
    }

    fn apply_count(&self, position: &Board<R>, raw: i32) -> i32 {
        scaled(position, raw, position.countdown().remaining)
    }
}

impl<R: Rules> Guide<Board<R>> for ChessEval {
    /// Bare kings: what counts is how to mate them in time.
    #[inline]
    fn known(&self, position: &Board<R>) -> Option<i32> {
        let white = bare_value(position)?;
        Some(if position.side_to_move() == Color::White { white } else { -white })
    }

    #[inline]
    fn tempered(&self, position: &Board<R>, value: i32) -> i32 {
        let mover = position.side_to_move();
        let strong = if value >= 0 { mover } else { !mover };
        hardly_won(position, strong, value).unwrap_or(value)
    }
}

/// The value from White's side if a king is bare.
#[inline]
fn bare_value<R: Rules>(board: &Board<R>) -> Option<i32> {
    let against =
        |bare: Color| against_bare(board, &Side::new(board, !bare), &Side::new(board, bare));
    match (board.is_bare(Color::White), board.is_bare(Color::Black)) {
        (false, false) => None,
        (true, true) => Some(0),
        (false, true) => Some(against(Color::Black)),
        (true, false) => Some(-against(Color::White)),
    }
}

/// What is left of a value if the stronger side has hardly any men to mate with.
fn hardly_won<R: Rules>(board: &Board<R>, strong: Color, value: i32) -> Option<i32> {
    let chances = conversion(board, strong, true).chances;
    (chances <= 4).then(|| value * chances.max(2) / FULL)
}

/// The value from White's side, before any count.
fn white_value<R: Rules>(board: &Board<R>, mover: Color) -> i32 {
    if let Some(value) = bare_value(board) {
        return value;
    }
    let mut white = Side::new(board, Color::White);
    let mut black = Side::new(board, Color::Black);
    white.add_men(&black);
    black.add_men(&white);
    white.add_relations(&black);
    black.add_relations(&white);
    let score = white.score - black.score;
    let phase = (white.phase + black.phase).min(FULL_PHASE);
    let (middlegame, endgame) = (score.middlegame(), score.endgame());
    let tempo = if mover == Color::White { TEMPO } else { -TEMPO };
    let value = (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE + tempo;
    let (strong, weak) = if value >= 0 { (&white, &black) } else { (&black, &white) };
    if let Some(value) = hardly_won(board, strong.color, value) {
        return value;
    }
    let endgame_scale = endgame_scale(strong, weak, endgame.abs());
    value * (phase * FULL + (FULL_PHASE - phase) * endgame_scale) / (FULL_PHASE * FULL)
}

/// How much of an endgame advantage is worth keeping, 0 to [`FULL`]: pawns win games, and without
/// any a small lead among few men is a draw.
fn endgame_scale<R: Rules>(strong: &Side<'_, R>, weak: &Side<'_, R>, lead: i32) -> i32 {
    let pawns = strong.pawns.len().cast_signed();
    let few = strong.all.len() <= 4 && weak.all.len() <= 4;
    if pawns == 0 && few && lead <= MET_ENDGAME { 16 } else { (36 + 7 * pawns).min(FULL) }
}

/// The value for the attacker of a bare king; never negative.
fn against_bare<R: Rules>(board: &Board<R>, attacker: &Side<'_, R>, bare: &Side<'_, R>) -> i32 {
    let (conversion, chances) = best_conversion(board, attacker.color);
    let needed = conversion.moves_needed(board, attacker.color, attacker.king, bare.king);
    let progress = (60 * 16 - needed).max(0) / 2;
    let pawns = if attacker.pawns.is_empty() { 0 } else { NO_COUNT_YET };
    let value = attacker.endgame_material() + attacker.pawn_chances(bare) + pawns + progress;
    value.max(0) * chances / FULL
}

/// How an attacker will mate, and its chances. Men that still have to be made count less than those
/// on the board, so that promoting is progress where it is needed.
fn best_conversion<R: Rules>(board: &Board<R>, attacker: Color) -> (Conversion, i32) {
    let now = conversion(board, attacker, false);
    let later = conversion(board, attacker, true);
    let later_chances = later.chances * 3 / 4;
    if now.chances >= later_chances { (now, now.chances) } else { (later, later_chances) }
}

/// `raw` (of the side to move) with `plies` left before a draw.
fn scaled<R: Rules>(board: &Board<R>, raw: i32, plies: u16) -> i32 {
    let share = match (board.is_bare(Color::White), board.is_bare(Color::Black)) {
        (true, true) => return 0,
        (true, false) => bare_share(board, Color::Black, plies),
        (false, true) => bare_share(board, Color::White, plies),
        (false, false) if counts_for_himself(board, raw) => share_of_many(plies, MAKRUK_WINDOW) / 8,
        (false, false) => match R::VARIANT {
            Variant::Asean => share_of_many(plies, ASEAN_WINDOW),
            Variant::Makruk | Variant::Makhos => share_of_many(plies, MAKRUK_WINDOW),
        },
    };
    raw * share / 256
}

/// Whether the side that `raw` favours is counting the board's honour under the federation's rule,
/// by which its own mate is a draw: it can only win by baring the other king first.
fn counts_for_himself<R: Rules>(board: &Board<R>, raw: i32) -> bool {
    let mover = board.side_to_move();
    let ahead = if raw >= 0 { mover } else { !mover };
    let count = board.count();
    board.rules().counting == CountingRule::Federation
        && count.kind == CountKind::Board
        && count.counting == Some(ahead)
}

fn bare_share<R: Rules>(board: &Board<R>, attacker: Color, plies: u16) -> i32 {
    let (own, bare) = (board.king(attacker), board.king(!attacker));
    let (conversion, _) = best_conversion(board, attacker);
    let needed = conversion.moves_needed(board, attacker, own, bare);
    conversion.share_of_bare(plies, needed)
}
