//! Where each man attacks from each square of an otherwise empty or given board.
//!
//! All tables are worked out by the compiler: nothing is initialised or checked at run time.

use super::{Bitboard, Square};
use crate::Color;

/// Squares one king's step away.
#[inline(always)]
pub const fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Squares one step away diagonally.
#[inline(always)]
pub const fn met_attacks(square: Square) -> Bitboard {
    MET[square.index()]
}

/// Squares one step away diagonally or straight forward.
#[inline(always)]
pub const fn khon_attacks(color: Color, square: Square) -> Bitboard {
    KHON[color.index()][square.index()]
}

/// Squares a knight's leap away.
#[inline(always)]
pub const fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// Squares that a pawn with diagonal captures attacks.
#[inline(always)]
pub fn diagonal_pawn_attacks(color: Color, square: Square) -> Bitboard {
    DIAGONAL_PAWN[color.index()][square.index()]
}

/// The square straight ahead: where a pawn steps, and what it attacks under straight captures.
#[inline(always)]
pub fn forward_step(color: Color, square: Square) -> Bitboard {
    FORWARD[color.index()][square.index()]
}

/// Squares that a rook attacks when `occupied` squares block it; the first man on each line is
/// attacked, whoever owns it.
#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let magic = &ROOK_MAGICS[square.index()];
    let index = (occupied.0 & magic.mask).wrapping_mul(magic.factor) >> magic.shift;
    // The mask is a no-op (every index is below the table's length, see the test); it lets the
    // compiler see that no access can be out of bounds.
    Bitboard(ROOK_TABLE[(magic.offset as usize + index as usize) & (ROOK_TABLE_LEN - 1)])
}

/// The rank and the file through a square, without the square itself.
#[inline(always)]
pub const fn rook_lines(square: Square) -> Bitboard {
    Bitboard(rank_of(square.index()) ^ file_of(square.index()))
}

/// The squares strictly between two squares of one rank or file; nothing for other pairs.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

const fn rank_of(square: usize) -> u64 {
    0xFF << (square & 56)
}

const fn file_of(square: usize) -> u64 {
    0x0101_0101_0101_0101 << (square & 7)
}

/// The squares that are `steps` (file, rank) away, as far as they are on the board.
const fn leaps(square: usize, steps: &[(i32, i32)]) -> Bitboard {
    let (file, rank) = ((square % 8) as i32, (square / 8) as i32);
    let mut out = 0;
    let mut i = 0;
    while i < steps.len() {
        let (f, r) = (file + steps[i].0, rank + steps[i].1);
        if f >= 0 && f < 8 && r >= 0 && r < 8 {
            out |= 1 << (r * 8 + f);
        }
        i += 1;
    }
    Bitboard(out)
}

const fn leap_table(steps: &[(i32, i32)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = leaps(square, steps);
        square += 1;
    }
    table
}

static KING: [Bitboard; 64] =
    leap_table(&[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]);
static MET: [Bitboard; 64] = leap_table(&[(-1, -1), (1, -1), (-1, 1), (1, 1)]);
static KHON: [[Bitboard; 64]; 2] = [
    leap_table(&[(-1, -1), (1, -1), (-1, 1), (1, 1), (0, 1)]),
    leap_table(&[(-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1)]),
];
static KNIGHT: [Bitboard; 64] =
    leap_table(&[(-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)]);
static DIAGONAL_PAWN: [[Bitboard; 64]; 2] =
    [leap_table(&[(-1, 1), (1, 1)]), leap_table(&[(-1, -1), (1, -1)])];
static FORWARD: [[Bitboard; 64]; 2] = [leap_table(&[(0, 1)]), leap_table(&[(0, -1)])];
static BETWEEN: [[Bitboard; 64]; 64] = between_table();

const fn between_table() -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            let step = if low / 8 == high / 8 {
                1
            } else if low % 8 == high % 8 {
                8
            } else {
                64
            };
            let mut square = low + step;
            while square < high {
                table[a][b].0 |= 1 << square;
                square += step;
            }
            b += 1;
        }
        a += 1;
    }
    table
}

/// How to find a rook's attacks from one square: the men on `mask`, multiplied by `factor`, have
/// their index into the table in the top bits ("magic bitboards").
#[derive(Clone, Copy)]
struct Magic {
    mask: u64,
    factor: u64,
    offset: u32,
    shift: u32,
}

/// Entries in use; [`ROOK_TABLE_LEN`] is the next power of two.
const ROOK_ENTRIES: usize = 4 * (1 << 12) + 24 * (1 << 11) + 36 * (1 << 10);
const ROOK_TABLE_LEN: usize = ROOK_ENTRIES.next_power_of_two();

/// Squares whose men matter to a rook: its rank and file without their last squares.
const fn rook_mask(square: usize) -> u64 {
    const INNER_FILES: u64 = 0x7E7E_7E7E_7E7E_7E7E;
    const INNER_RANKS: u64 = 0x00FF_FFFF_FFFF_FF00;
    (rank_of(square) & INNER_FILES | file_of(square) & INNER_RANKS) & !(1 << square)
}

const fn rook_magics() -> [Magic; 64] {
    let mut magics = [Magic { mask: 0, factor: 0, offset: 0, shift: 0 }; 64];
    let mut offset = 0;
    let mut square = 0;
    while square < 64 {
        let mask = rook_mask(square);
        let bits = mask.count_ones();
        magics[square] = Magic { mask, factor: ROOK_FACTORS[square], offset, shift: 64 - bits };
        offset += 1 << bits;
        square += 1;
    }
    magics
}

/// What a rook on `place` (0-7) of a line attacks, for the eight squares of the line as bits.
const fn line_attacks(place: usize, occupied: u64) -> u64 {
    let mut out = 0;
    let mut i = place;
    while i < 7 {
        i += 1;
        out |= 1 << i;
        if occupied >> i & 1 != 0 {
            break;
        }
    }
    i = place;
    while i > 0 {
        i -= 1;
        out |= 1 << i;
        if occupied >> i & 1 != 0 {
            break;
        }
    }
    out
}

/// Eight bits spread over the squares of the a-file.
const fn spread(bits: u64) -> u64 {
    let mut out = 0;
    let mut i = 0;
    while i < 8 {
        out |= (bits >> i & 1) << (8 * i);
        i += 1;
    }
    out
}

#[allow(long_running_const_eval)]
const fn rook_table() -> [u64; ROOK_TABLE_LEN] {
    let mut along_rank = [[0u64; 256]; 8];
    let mut along_file = [[0u64; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut line = 0;
        while line < 256 {
            along_rank[place][line] = line_attacks(place, line as u64);
            along_file[place][line] = spread(along_rank[place][line]);
            line += 1;
        }
        place += 1;
    }
    let mut table = [0; ROOK_TABLE_LEN];
    let magics = rook_magics();
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square & 7, square >> 3);
        let magic = magics[square];
        let file_mask = magic.mask & file_of(square);
        // Every set of men on the rank, with every set on the file (the subsets of a mask are
        // counted through by subtraction).
        let mut line = 0;
        while line < 256 {
            let men_on_rank = (line as u64) << (8 * rank) & magic.mask & rank_of(square);
            if men_on_rank >> (8 * rank) == line as u64 {
                let rank_part = along_rank[file][line] << (8 * rank);
                let mut men_on_file = 0u64;
                loop {
                    let a_file = men_on_file >> file;
                    // The product gathers the a-file in the top byte, first rank lowest.
                    let column = (a_file.wrapping_mul(0x0102_0408_1020_4080) >> 56) as usize;
                    let occupied = men_on_rank | men_on_file;
                    let index = occupied.wrapping_mul(magic.factor) >> magic.shift;
                    table[magic.offset as usize + index as usize] =
                        rank_part | along_file[rank][column] << file;
                    men_on_file = men_on_file.wrapping_sub(file_mask) & file_mask;
                    if men_on_file == 0 {
                        break;
                    }
                }
            }
            line += 1;
        }
        square += 1;
    }
    table
}

static ROOK_MAGICS: [Magic; 64] = rook_magics();
static ROOK_TABLE: [u64; ROOK_TABLE_LEN] = rook_table();

/// Found by trying sparse random numbers until no two different attack sets met in one entry.
#[rustfmt::skip]
const ROOK_FACTORS: [u64; 64] = [
    0x0080002050884000, 0x2040084420001000, 0x11000B0011200040, 0x0100041000292100,
    0x0300030008000410, 0x0600020008104411, 0x0C80220010804900, 0x0200010041840232,
    0x0000800020814000, 0x4400402010004000, 0x060A002042005080, 0x2231002019100100,
    0x1480804800803400, 0x044C800201800400, 0x9001000100040200, 0x2000800C45000080,
    0x4002898000624000, 0x0000414000201000, 0x0810828010012000, 0x0480090021100102,
    0x0000808004008800, 0x4211010004000208, 0x0000840001082270, 0x2200020003008844,
    0x0000401080016080, 0x0000200080400080, 0x0800408200220014, 0x2000180080801000,
    0x0800080080800400, 0x03040080800A0004, 0x4000100400088201, 0x00C801020020C084,
    0x8000400482800021, 0xD001804000802000, 0x5004802000801001, 0x2004210D01001000,
    0x03480C0801001100, 0x0022000402005009, 0x0008800200804B00, 0xC00290408200010C,
    0x9440400080228000, 0x1004810A08420020, 0x801A004180220010, 0x9006610010010008,
    0x8828000400808008, 0x0202000400090100, 0x60204B0002008080, 0x14001090C4120001,
    0x0100C00820800080, 0x2801400181082100, 0x8501002000184100, 0x2000100080880080,
    0x1050310008001500, 0x8002001014080600, 0x0090081250034400, 0x30208000C1000080,
    0x0003001200448422, 0x5040082300108041, 0x4010200091004009, 0x0000102200402606,
    0x0081000800108605, 0x0885000802040009, 0x0300020810008104, 0x0800018444050126,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn slow_rook(square: Square, occupied: u64) -> u64 {
        let mut out = 0;
        for (df, dr) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (mut f, mut r) = (i32::from(square.file()) + df, i32::from(square.rank()) + dr);
            while (0..8).contains(&f) && (0..8).contains(&r) {
                let bit = 1u64 << (r * 8 + f);
                out |= bit;
                if occupied & bit != 0 {
                    break;
                }
                (f, r) = (f + df, r + dr);
            }
        }
        out
    }

    #[test]
    fn rook_attacks_for_every_set_of_blockers() {
        for square in Bitboard::ALL.squares() {
            let mask = rook_mask(square.index());
            let mut men = 0u64;
            loop {
                // The men on the edge and off the lines must not matter.
                for noise in [0, !mask & 0x55AA_55AA_55AA_55AA, !mask] {
                    let got = rook_attacks(square, Bitboard(men | noise));
                    assert_eq!(got.0, slow_rook(square, men), "{square} {men:x}");
                }
                men = men.wrapping_sub(mask) & mask;
                if men == 0 {
                    break;
                }
            }
            let magic = ROOK_MAGICS[square.index()];
            assert!(magic.offset as usize + (1 << (64 - magic.shift)) <= ROOK_ENTRIES);
        }
    }

    #[test]
    fn khons_and_pawns_depend_on_color() {
        let e4 = Square::new(4, 3);
        let set = |names: &[&str]| {
            names
                .iter()
                .filter_map(|n| Square::parse(n))
                .fold(Bitboard::EMPTY, |s, q| s | Bitboard::of(q))
        };
        assert_eq!(khon_attacks(Color::White, e4), set(&["d3", "f3", "d5", "f5", "e5"]));
        assert_eq!(khon_attacks(Color::Black, e4), set(&["d3", "f3", "d5", "f5", "e3"]));
        assert_eq!(diagonal_pawn_attacks(Color::Black, e4), set(&["d3", "f3"]));
        assert_eq!(forward_step(Color::White, Square::new(0, 7)), Bitboard::EMPTY);
        assert_eq!(between(e4, Square::new(4, 7)), set(&["e5", "e6", "e7"]));
        assert_eq!(between(e4, Square::new(7, 7)), Bitboard::EMPTY);
    }
}
