//! One training position in 32 bytes.

use movegen::Color;

/// Most men that a record can hold.
pub const MAX_MEN: usize = 32;

/// A quiet position, what the search thought of it and how the game ended.
///
/// The men are kept as *planes*, the sets of squares from which the network's inputs are made
/// (White's kinds first, then Black's): a record is as good for one game as for another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// Occupied squares.
    occupied: u64,
    /// Plane of each man in the order of the squares, two to a byte, the lower half first.
    men: [u8; MAX_MEN / 2],
    /// Score of the search in centipawns, from the mover's side.
    score: i16,
    /// 1 the mover won, 0 draw, -1 the mover lost.
    result: i8,
    /// Whether Black is to move.
    black: bool,
    /// Plies left of a running clock, 65,535 if none runs.
    remaining: u16,
    /// Plies since the start of the game.
    ply: u16,
}

/// What a record says beside the men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    /// Who moves.
    pub mover: Color,
    /// Score of the search in centipawns, from the mover's side.
    pub score: i16,
    /// 1 the mover won, 0 draw, -1 the mover lost.
    pub result: i8,
    /// Plies left of a running clock, 65,535 if none runs.
    pub remaining: u16,
    /// Plies since the start of the game.
    pub ply: u16,
}

impl Record {
    /// Bytes of a record in a file.
    pub const BYTES: usize = 32;

    /// Packs a position. `None` if there are more than 16 planes, more than [`MAX_MEN`] men, or two
    /// on one square.
    pub fn new(planes: &[u64], label: Label) -> Option<Self> {
        let occupied = planes.iter().fold(0, |all, plane| all | plane);
        let men: u32 = planes.iter().map(|plane| plane.count_ones()).sum();
        if planes.len() > 16 || men as usize > MAX_MEN || men != occupied.count_ones() {
            return None;
        }
        let mut record = Self {
            occupied,
            men: [0; MAX_MEN / 2],
            score: label.score,
            result: label.result,
            black: label.mover == Color::Black,
            remaining: label.remaining,
            ply: label.ply,
        };
        for (i, square) in squares(occupied).enumerate() {
            let plane = planes.iter().position(|plane| plane >> square & 1 != 0)?;
            record.men[i / 2] |= (plane as u8) << (i % 2 * 4);
        }
        Some(record)
    }

    /// Each man's plane and square, in the order of the squares.
    #[inline(always)]
    pub fn men(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        squares(self.occupied).enumerate().map(|(i, square)| (self.plane_of_man(i), square))
    }

    /// Plane of the man on the `i`-th occupied square.
    #[inline(always)]
    fn plane_of_man(&self, i: usize) -> usize {
        // The remainder changes nothing (i < MAX_MEN) and spares a bounds check.
        usize::from(self.men[i / 2 % (MAX_MEN / 2)] >> (i % 2 * 4) & 15)
    }

    /// Number of men.
    #[inline(always)]
    pub fn men_count(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// Who moves.
    #[inline(always)]
    pub fn mover(&self) -> Color {
        if self.black { Color::Black } else { Color::White }
    }

    /// Score of the search in centipawns, from the mover's side.
    #[inline(always)]
    pub fn score(&self) -> i16 {
        self.score
    }

    /// 1 the mover won, 0 draw, -1 the mover lost.
    #[inline(always)]
    pub fn result(&self) -> i8 {
        self.result
    }

    /// Plies since the start of the game.
    #[inline(always)]
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// The planes that the record was made of.
    #[inline(always)]
    pub fn planes<T: Default + AsMut<[u64]>>(&self) -> T {
        let mut planes = T::default();
        for (plane, square) in self.men() {
            if let Some(plane) = planes.as_mut().get_mut(plane) {
                *plane |= 1 << square;
            }
        }
        planes
    }

    /// The record as it stands in files, little-endian.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.men);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.result.to_le_bytes()[0];
        bytes[27] = u8::from(self.black);
        bytes[28..30].copy_from_slice(&self.remaining.to_le_bytes());
        bytes[30..].copy_from_slice(&self.ply.to_le_bytes());
        bytes
    }

    /// Reads what [`Record::to_bytes`] wrote. `None` if it is no position of a game with `planes`
    /// planes and `squares` squares.
    pub fn from_bytes(bytes: &[u8; Self::BYTES], planes: usize, squares: usize) -> Option<Self> {
        let (occupied, rest) = bytes.split_first_chunk()?;
        let (men, rest) = rest.split_first_chunk()?;
        let &[s0, s1, result, black, r0, r1, p0, p1] = rest else { return None };
        let record = Self {
            occupied: u64::from_le_bytes(*occupied),
            men: *men,
            score: i16::from_le_bytes([s0, s1]),
            result: i8::from_le_bytes([result]),
            black: black != 0,
            remaining: u16::from_le_bytes([r0, r1]),
            ply: u16::from_le_bytes([p0, p1]),
        };
        let sound = record.men_count() <= MAX_MEN
            && record.men().all(|(plane, square)| plane < planes && square < squares)
            && (record.men_count()..MAX_MEN).all(|i| record.plane_of_man(i) == 0)
            && (-1..=1).contains(&record.result)
            && black <= 1;
        sound.then_some(record)
    }
}

/// The squares of a set, lowest first.
#[inline(always)]
fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (square < 64).then_some(square)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABEL: Label =
        Label { mover: Color::Black, score: -123, result: -1, remaining: 77, ply: 40 };

    #[test]
    fn a_record_is_32_bytes_and_comes_back() {
        assert_eq!(size_of::<Record>(), Record::BYTES);
        let planes = [1 | 1 << 63, 0, 2, 1 << 40, 0b11_1000, 0, 0, 0, 0, 0, 0, 1 << 7];
        let record = Record::new(&planes, LABEL).unwrap();
        assert_eq!(record.planes::<[u64; 12]>(), planes);
        assert_eq!(record.men_count(), 8);
        assert_eq!((record.mover(), record.score(), record.result()), (Color::Black, -123, -1));
        let bytes = record.to_bytes();
        assert_eq!(Record::from_bytes(&bytes, 12, 64), Some(record));
        // Other games have fewer planes and squares.
        assert_eq!(Record::from_bytes(&bytes, 11, 64), None);
        assert_eq!(Record::from_bytes(&bytes, 12, 63), None);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(Record::new(&[1, 1], LABEL), None);
        assert_eq!(Record::new(&[0x1_ffff_ffff], LABEL), None);
        assert!(Record::new(&[0xffff_ffff], LABEL).is_some());
        assert_eq!(Record::new(&[0; 17], LABEL), None);
        let mut bytes = Record::new(&[1, 2], LABEL).unwrap().to_bytes();
        bytes[26] = 2;
        assert_eq!(Record::from_bytes(&bytes, 2, 64), None);
        bytes[26] = 1;
        // A man on no square.
        bytes[20] = 1;
        assert_eq!(Record::from_bytes(&bytes, 2, 64), None);
    }
}
