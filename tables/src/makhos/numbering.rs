//! Numbers for the positions of a slice, without gaps.
//!
//! The mover's men move up the board and become kings on squares 0-3 (as White's do); positions with
//! Black to move are turned by 180 degrees. A number counts, from the slowest to the fastest: the
//! mover's men, the other side's men on the squares that are left to them, the mover's kings on the
//! squares that are then left, the other side's kings on the rest. Sets of equal size are numbered in
//! the order of their bits.

use movegen::makhos::{RANK_1, RANK_8, squares};

use super::class::{Force, Slice};

/// `CHOOSE[n][k]`: sets of `k` of `n` squares.
static CHOOSE: [[u32; 9]; 33] = {
    let mut table = [[0; 9]; 33];
    let mut n = 0;
    while n <= 32 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 9 && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Sets of `k` of `n` squares; 0 for sizes that no class has.
pub(super) fn choose(n: u32, k: u8) -> usize {
    CHOOSE.get(n as usize).and_then(|row| row.get(usize::from(k))).map_or(0, |&c| c as usize)
}

/// The number of a set among the sets of its size within `room`.
#[inline]
fn rank(set: u32, room: u32) -> usize {
    let mut rest = set;
    let mut sum = 0;
    let mut k = 1;
    while rest != 0 {
        let below = room & ((rest & rest.wrapping_neg()) - 1);
        sum += CHOOSE[below.count_ones() as usize & 31][k & 7] as usize;
        k += 1;
        rest &= rest - 1;
    }
    sum
}

/// All sets of `k` of the squares of `room`, in the order of their numbers.
pub(super) fn sets(room: u32, k: u8) -> impl Iterator<Item = u32> {
    let places: Vec<u32> = squares(room).map(movegen::makhos::Square::bit).collect();
    let n = places.len() as u32;
    let mut next = (u32::from(k) <= n).then_some((1_u64 << k) - 1);
    std::iter::from_fn(move || {
        let set = next?;
        // The next larger number with as many bits.
        next = if set == 0 {
            None
        } else {
            let low = set & set.wrapping_neg();
            let carried = set + low;
            let following = carried | ((set ^ carried) / low) >> 2;
            (following < 1 << n).then_some(following)
        };
        let mut rest = set;
        let mut spread = 0;
        while rest != 0 {
            spread |= places[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        Some(spread)
    })
}

/// What stands where, as the mover sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sets {
    pub(crate) own_men: u32,
    pub(crate) own_kings: u32,
    pub(crate) other_men: u32,
    pub(crate) other_kings: u32,
}

impl Sets {
    /// As the other side sees it.
    #[inline(always)]
    pub(crate) fn turned(self) -> Self {
        Self {
            own_men: self.other_men.reverse_bits(),
            own_kings: self.other_kings.reverse_bits(),
            other_men: self.own_men.reverse_bits(),
            other_kings: self.own_kings.reverse_bits(),
        }
    }

    #[inline(always)]
    pub(super) fn occupied(self) -> u32 {
        self.own_men | self.own_kings | self.other_men | self.other_kings
    }

    /// The slice it belongs to.
    #[inline]
    pub(crate) fn slice(self) -> Slice {
        let force =
            |men: u32, kings: u32| Force::new(men.count_ones() as u8, kings.count_ones() as u8);
        Slice {
            own: force(self.own_men, self.own_kings),
            other: force(self.other_men, self.other_kings),
        }
    }
}

/// The men of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Men {
    pub(super) own: u32,
    pub(super) other: u32,
}

impl Men {
    /// As the other side sees them.
    pub(super) fn turned(self) -> Self {
        Self { own: self.other.reverse_bits(), other: self.own.reverse_bits() }
    }

    /// Squares that kings can stand on.
    pub(super) fn room(self) -> u32 {
        !(self.own | self.other)
    }

    /// Steps that all men together are away from becoming kings.
    pub(super) fn steps_left(self) -> u32 {
        let own: u32 = squares(self.own).map(|square| square.index() as u32 / 4).sum();
        let other: u32 = squares(self.other).map(|square| 7 - square.index() as u32 / 4).sum();
        own + other
    }
}

/// The numbers of one slice.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    slice: Slice,
    /// Number of the first placement of the other side's men, by placement of the mover's.
    starts: Vec<u32>,
    /// Placements of the kings for each of the men.
    kings: usize,
    /// Placements of the other side's kings for each of the mover's.
    other_kings: usize,
}

/// Squares for the mover's men.
const OWN_ROOM: u32 = !RANK_8;
/// Squares for the other side's men.
const OTHER_ROOM: u32 = !RANK_1;

impl Numbering {
    pub(super) fn new(slice: Slice) -> Self {
        let (own, other) = (slice.own, slice.other);
        let mut starts = vec![0];
        let mut sum = 0;
        for men in sets(OWN_ROOM, own.men()) {
            sum += choose((OTHER_ROOM & !men).count_ones(), other.men()) as u32;
            starts.push(sum);
        }
        let free = 32 - u32::from(own.men() + other.men());
        let other_kings = choose(free - u32::from(own.kings()), other.kings());
        let kings = choose(free, own.kings()) * other_kings;
        Self { slice, starts, kings, other_kings }
    }

    /// Positions of the slice.
    pub(super) fn len(&self) -> usize {
        self.placements() * self.kings
    }

    /// Placements of the men.
    pub(super) fn placements(&self) -> usize {
        self.starts.last().map_or(0, |&sum| sum as usize)
    }

    /// Positions with the same men.
    pub(super) fn per_placement(&self) -> usize {
        self.kings
    }

    /// The number of a placement of the men.
    pub(super) fn placement(&self, men: Men) -> usize {
        let first = self.starts.get(rank(men.own, OWN_ROOM)).map_or(0, |&start| start as usize);
        first + rank(men.other, OTHER_ROOM & !men.own)
    }

    /// The number of a position among those with the same men.
    #[inline]
    pub(super) fn within(&self, room: u32, own_kings: u32, other_kings: u32) -> usize {
        rank(own_kings, room) * self.other_kings + rank(other_kings, room & !own_kings)
    }

    /// The number of a position.
    #[inline]
    pub(super) fn index(&self, sets: &Sets) -> usize {
        let men = Men { own: sets.own_men, other: sets.other_men };
        self.placement(men) * self.kings + self.within(men.room(), sets.own_kings, sets.other_kings)
    }

    /// The position with a number.
    pub(super) fn sets(&self, index: usize) -> Option<Sets> {
        let (placement, kings) = (index / self.kings, index % self.kings);
        let first = self.starts.partition_point(|&start| start as usize <= placement) - 1;
        let own_men = sets(OWN_ROOM, self.slice.own.men()).nth(first)?;
        let rest = placement - self.starts[first] as usize;
        let other_men = sets(OTHER_ROOM & !own_men, self.slice.other.men()).nth(rest)?;
        let room = !(own_men | other_men);
        let own_kings = sets(room, self.slice.own.kings()).nth(kings / self.other_kings)?;
        let rest = kings % self.other_kings;
        let other_kings = sets(room & !own_kings, self.slice.other.kings()).nth(rest)?;
        Some(Sets { own_men, own_kings, other_men, other_kings })
    }

    /// All placements of the men, in the order of their numbers.
    pub(super) fn each_placement(&self) -> impl Iterator<Item = Men> {
        let other = self.slice.other.men();
        sets(OWN_ROOM, self.slice.own.men()).flat_map(move |own| {
            sets(OTHER_ROOM & !own, other).map(move |other| Men { own, other })
        })
    }

    /// All positions with these men, in the order of their numbers.
    pub(super) fn each_position(&self, men: Men) -> impl Iterator<Item = Sets> {
        let slice = self.slice;
        let room = men.room();
        sets(room, slice.own.kings()).flat_map(move |own_kings| {
            sets(room & !own_kings, slice.other.kings()).map(move |other_kings| Sets {
                own_men: men.own,
                own_kings,
                other_men: men.other,
                other_kings,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::class::Class;
    use super::*;

    #[test]
    fn positions_are_numbered_without_gaps() {
        for name in ["KvK", "KMvM", "MMvMM", "KMvKM", "KKvMM", "MMMvM"] {
            for slice in Class::parse(name).unwrap().slices() {
                let numbering = Numbering::new(slice);
                let mut expected = 0;
                for (placement, men) in numbering.each_placement().enumerate() {
                    assert_eq!(numbering.placement(men), placement, "{name}");
                    for sets in numbering.each_position(men) {
                        assert_eq!(numbering.index(&sets), expected, "{name} {sets:?}");
                        assert_eq!(numbering.sets(expected), Some(sets));
                        assert_eq!(sets.slice(), slice);
                        assert_eq!(sets.turned().turned(), sets);
                        expected += 1;
                    }
                }
                assert_eq!(expected, numbering.len());
            }
        }
    }

    /// The numbers of positions in the project's notes on Makhos databases, each side to move.
    #[test]
    fn there_are_as_many_positions_as_there_should_be() {
        let count = |pieces: usize| -> usize {
            Class::all(pieces)
                .iter()
                .flat_map(|class| {
                    let twice = usize::from(class.is_symmetrical());
                    class.slices().map(move |slice| (Numbering::new(slice).len(), twice))
                })
                // A symmetrical class has White to move once; so has each slice of the others.
                .map(|(len, _)| len)
                .sum()
        };
        assert_eq!(
            [count(2), count(3), count(4), count(5)],
            [3_488, 196_032, 6_209_316, 139_450_808]
        );
    }
}
