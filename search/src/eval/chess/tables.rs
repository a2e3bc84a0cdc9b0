//! Values of men and squares, worked out by the compiler from a few formulas.
//!
//! Seen from White: index 0 is a1. Phase: [`PHASE`] per man, [`FULL_PHASE`] at the start.

use movegen::chess::{PieceType, Rules};

use super::super::taper::{Taper, taper};

/// Weight of a man in the game phase, by [`PieceType`].
pub(super) const PHASE: [i32; PieceType::COUNT] = [0, 1, 2, 2, 4, 0];
/// Phase of the start position: for each side a met, two khons, two knights and two rooks.
pub(super) const FULL_PHASE: i32 = 34;

/// Value of a met in the endgame, the yardstick for "a small lead".
pub(super) const MET_ENDGAME: i32 = 215;

/// Men's values, by [`PieceType`]. In ASEAN a pawn can become a rook, in Makruk only a met.
pub(super) const fn material(promotes_to_all: bool) -> [Taper; PieceType::COUNT] {
    let pawn = if promotes_to_all { taper(70, 115) } else { taper(70, 95) };
    [pawn, taper(200, MET_ENDGAME), taper(315, 310), taper(375, 410), taper(640, 695), Taper::ZERO]
}

/// Tables for one set of rules.
pub(super) trait Tables {
    /// Material plus square, by kind and square.
    const SQUARES: &'static [[Taper; 64]; PieceType::COUNT];
}

impl<R: Rules> Tables for R {
    const SQUARES: &'static [[Taper; 64]; PieceType::COUNT] = &squares(R::PROMOTES_TO_ALL);
}

const fn squares(promotes_to_all: bool) -> [[Taper; 64]; PieceType::COUNT] {
    let values = material(promotes_to_all);
    let mut out = [[Taper::ZERO; 64]; PieceType::COUNT];
    let mut square = 0;
    while square < 64 {
        let file = (square & 7) as i32;
        let rank = (square >> 3) as i32;
        let mut kind = 0;
        while kind < PieceType::COUNT {
            out[kind][square] = values[kind].plus(square_value(kind, file, rank, promotes_to_all));
            kind += 1;
        }
        square += 1;
    }
    out
}

/// Distance of a file or rank from the nearer edge, 0-3.
pub(super) const fn inwards(line: i32) -> i32 {
    if line < 4 { line } else { 7 - line }
}

const fn square_value(kind: usize, file: i32, rank: i32, promotes_to_all: bool) -> Taper {
    const PAWN: usize = PieceType::Pawn as usize;
    const MET: usize = PieceType::Met as usize;
    const KHON: usize = PieceType::Khon as usize;
    const KNIGHT: usize = PieceType::Knight as usize;
    const ROOK: usize = PieceType::Rook as usize;
    let centre = inwards(file) + inwards(rank);
    match kind {
        PAWN => {
            let wing = taper(2 * inwards(file) - 3, 0);
            let steps = if rank > 2 { rank - 2 } else { 0 };
            let advance = if promotes_to_all {
                taper(3 * steps, 3 * steps * steps)
            } else {
                taper(6 * steps, 10 * steps)
            };
            wing.plus(advance)
        }
        // Slow men need the middle of the board more than anything: the one square table that
        // has been measured to matter in Makruk.
        MET => taper(9 * (centre - 3), 9 * (centre - 3)),
        KHON => {
            let forward = if rank >= 2 && rank <= 4 { 6 } else { 0 };
            taper(9 * (centre - 3) + forward, 9 * (centre - 3) + forward)
        }
        KNIGHT => {
            let forward = if rank >= 3 && rank <= 5 { 6 } else { 0 };
            taper(8 * (centre - 3) + forward, 8 * (centre - 3))
        }
        ROOK => match rank {
            5 => taper(15, 25),
            6 => taper(12, 25),
            _ => taper(inwards(file), 0),
        },
        _ => {
            let shelter = match rank {
                0 | 1 => 12,
                2 => -10,
                _ => -35,
            };
            let off_centre = if inwards(file) == 3 { -4 } else { 4 };
            taper(shelter + off_centre, 12 * (centre - 3))
        }
    }
}
