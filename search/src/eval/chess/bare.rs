//! What it takes to mate: which sets of men can, how many moves they need against a bare king,
//! and what a running count leaves of an advantage.
//!
//! The estimates of moves were fitted by least squares to exact distance-to-mate tables of every
//! ending named below (defender to move, won positions, count ignored): R, RR, RM, RS, SS, SM, SN
//! against a bare king, with errors of 1.7 to 4.9 moves. Khons step back with difficulty, so they and
//! their king belong behind the bare king.

use movegen::chess::{Bitboard, Board, PieceType, Rules, Square};
use movegen::{Color, Countdown};

use super::reach::DARK;
use super::tables::inwards;

/// Full strength of a scale factor.
pub(super) const FULL: i32 = 64;

/// What a running count leaves at least: enough to tell progress from none, for the estimate may be
/// wrong.
const LEAST_SHARE: i32 = 12;

/// How a set of men fares against a bare king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Conversion {
    /// Chances without a count, 0 (none) to [`FULL`].
    pub(super) chances: i32,
    /// Weights of the estimate of moves to mate.
    estimate: Estimate,
}

/// A linear estimate of the attacker's moves to mate, in sixteenths of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Estimate {
    constant: i32,
    /// Per step of the bare king from the edge: the nearer edge, then the farther one.
    edge: [i32; 2],
    /// Per step between the kings.
    kings: i32,
    /// Per step between the bare king and a khon, or another man.
    men: [i32; 2],
    /// Per rank, at most 3, by which the bare king is ahead of a khon, or of the other king.
    ahead: [i32; 2],
    /// Standard error of the estimate.
    error: i32,
}

impl Estimate {
    const ROOKS: Self = Self::of(35, [12, 6], 8, [0, 0], [0, 0], 40);
    const ROOK: Self = Self::of(42, [28, 20], 17, [0, 2], [0, 0], 29);
    const ROOK_AND_MORE: Self = Self::of(18, [26, 17], 16, [5, 3], [-3, 0], 28);
    const KHONS: Self = Self::of(184, [36, 24], 16, [9, 0], [-13, -14], 71);
    const KHON_MET: Self = Self::of(327, [34, 23], 16, [10, 4], [-17, -17], 78);
    const KHON_KNIGHT: Self = Self::of(190, [28, 20], 15, [9, 1], [-10, -7], 48);
    /// Three men or more without a rook: a little quicker than two khons. A guess that has stood the
    /// test: on the tables of SSM and SNM its error is 98 and its bias 0, the best fit has 94, and
    /// attacks fewer kings in time (`docs/strength.md`).
    const MANY: Self = Self::of(150, [30, 20], 15, [7, 3], [-8, -10], 70);
    /// Hardly ever won.
    const HOPELESS: Self = Self::of(500, [30, 30], 20, [6, 6], [0, 0], 80);

    const fn of(
        constant: i32,
        edge: [i32; 2],
        kings: i32,
        men: [i32; 2],
        ahead: [i32; 2],
        error: i32,
    ) -> Self {
        Self { constant, edge, kings, men, ahead, error }
    }
}

/// What `color` could mate with if the enemy king were bare. With `promoting`, its pawns count as
/// what they can become: mets, or rooks where pawns promote to anything; otherwise not at all.
pub(super) fn conversion<R: Rules>(board: &Board<R>, color: Color, promoting: bool) -> Conversion {
    let count = |piece| board.of(color, piece).len();
    let pawns = if promoting { count(PieceType::Pawn) } else { 0 };
    let (new_rooks, new_mets) = if board.all_promotions() { (pawns, 0) } else { (0, pawns) };
    let rooks = count(PieceType::Rook) + new_rooks;
    let khons = count(PieceType::Khon);
    let knights = count(PieceType::Knight);
    let mets = count(PieceType::Met) + new_mets;
    let minors = khons + knights + mets;
    let (chances, estimate) = match (rooks, khons, knights, mets) {
        (2.., ..) => (FULL, Estimate::ROOKS),
        (1, ..) if minors == 0 => (FULL, Estimate::ROOK),
        (1, ..) => (FULL, Estimate::ROOK_AND_MORE),
        (_, 2, 0, 0) => (44, Estimate::KHONS),
        (_, 1, 0, 1) => (44, Estimate::KHON_MET),
        (_, 1, 1, 0) => (52, Estimate::KHON_KNIGHT),
        (_, 0, 0, _) if new_mets == 0 && one_color(board.of(color, PieceType::Met)) => {
            (0, Estimate::HOPELESS)
        }
        _ if minors >= 3 && khons > 0 => (56, Estimate::MANY),
        _ if minors >= 3 && knights > 0 => (44, Estimate::MANY),
        _ if minors >= 3 => (24, Estimate::MANY),
        _ if minors == 2 => (4, Estimate::HOPELESS),
        _ => (1, Estimate::HOPELESS),
    };
    Conversion { chances, estimate }
}

/// Whether all squares of the set have one color: such mets can never mate.
fn one_color(set: Bitboard) -> bool {
    (set & DARK).is_empty() || (set & !DARK).is_empty()
}

impl Conversion {
    /// Estimated moves that `attacker` needs to mate the king on `bare`, in sixteenths.
    pub(super) fn moves_needed<R: Rules>(
        &self,
        board: &Board<R>,
        attacker: Color,
        king: Square,
        bare: Square,
    ) -> i32 {
        let weights = self.estimate;
        let rank_of = |square: Square| i32::from(square.relative(attacker).rank());
        let ahead_of = |square: Square| (rank_of(bare) - rank_of(square)).clamp(-3, 3);
        let (file, rank) = (inwards(i32::from(bare.file())), inwards(i32::from(bare.rank())));
        let mut sum = weights.constant
            + weights.edge[0] * file.min(rank)
            + weights.edge[1] * file.max(rank)
            + weights.kings * steps(king, bare)
            + weights.ahead[1] * ahead_of(king);
        for khon in board.of(attacker, PieceType::Khon).squares() {
            sum += weights.men[0] * steps(khon, bare) + weights.ahead[0] * ahead_of(khon);
        }
        for piece in [PieceType::Met, PieceType::Knight, PieceType::Rook] {
            for square in board.of(attacker, piece).squares() {
                sum += weights.men[1] * steps(square, bare);
            }
        }
        sum.max(16)
    }

    /// Share, in 256ths, of an advantage that is left if mate is needed within `plies` and `needed`
    /// sixteenths of a move are the estimate: 0 at 0 plies, never falling as `plies` grows.
    pub(super) fn share_of_bare(&self, plies: u16, needed: i32) -> i32 {
        match plies {
            0 => 0,
            Countdown::UNLIMITED => 256,
            _ => {
                let allowed = 8 * i32::from(plies);
                let width = 2 * self.estimate.error;
                (128 + (allowed - needed) * 128 / width).clamp(LEAST_SHARE, 256)
            }
        }
    }
}

/// Share, in 256ths, of an advantage that is left `plies` before a draw while both sides still
/// have men: all of it at `window` and beyond, falling faster and faster to 0 at 0 plies.
pub(super) fn share_of_many(plies: u16, window: i32) -> i32 {
    let missing = (window - i32::from(plies)).max(0);
    256 - missing * missing * 256 / (window * window)
}

/// King moves between two squares of an empty board.
pub(super) fn steps(a: Square, b: Square) -> i32 {
    i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_rise_with_the_plies() {
        for estimate in [Estimate::ROOK, Estimate::ROOKS, Estimate::KHONS, Estimate::HOPELESS] {
            let conversion = Conversion { chances: FULL, estimate };
            for needed in (16..1000).step_by(7) {
                let mut last = 0;
                for plies in 0..=u16::MAX {
                    let share = conversion.share_of_bare(plies, needed);
                    assert!(share >= last && (plies != 0 || share == 0) && share <= 256);
                    last = share;
                }
                assert_eq!(last, 256);
            }
        }
        for window in [60, 128] {
            let mut last = 0;
            for plies in 0..=u16::MAX {
                let share = share_of_many(plies, window);
                assert!(share >= last && (plies != 0 || share == 0) && share <= 256);
                last = share;
            }
            assert_eq!(last, 256);
        }
    }
}
