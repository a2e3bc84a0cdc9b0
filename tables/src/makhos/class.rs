//! Classes of positions: how many men and kings each side has.

use std::fmt;

use crate::TableError;

/// Most pieces of a class, both sides together.
pub const MAX_PIECES: usize = 7;

/// The pieces of one side. The order is that of strength: more pieces, then more kings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Force {
    pieces: u8,
    kings: u8,
}

impl Force {
    /// So many men and kings.
    pub const fn new(men: u8, kings: u8) -> Self {
        Self { pieces: men + kings, kings }
    }

    /// Men and kings.
    pub const fn pieces(self) -> u8 {
        self.pieces
    }

    /// Men.
    pub const fn men(self) -> u8 {
        self.pieces - self.kings
    }

    /// Kings.
    pub const fn kings(self) -> u8 {
        self.kings
    }
}

/// A class: the pieces of both sides, the stronger side first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Class {
    forces: [Force; 2],
}

/// A class with its side to move: what the mover has, and what the other side has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Slice {
    pub(crate) own: Force,
    pub(crate) other: Force,
}

impl Slice {
    /// The slice of the other side's moves.
    pub(crate) fn turned(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// Its class, and which side of it moves (0: the one named first).
    pub(crate) fn class(self) -> Option<(Class, usize)> {
        let class = Class::new(self.own, self.other)?;
        Some((class, usize::from(class.forces[0] != self.own)))
    }
}

impl Class {
    /// The class with these pieces; `None` if a side has none or there are too many.
    pub fn new(one: Force, other: Force) -> Option<Self> {
        let pieces = usize::from(one.pieces + other.pieces);
        if one.pieces == 0 || other.pieces == 0 || pieces > MAX_PIECES {
            return None;
        }
        Some(Self { forces: if other > one { [other, one] } else { [one, other] } })
    }

    /// Reads a name such as `KKMvKM`, kings before men.
    ///
    /// # Errors
    /// If it is no such name, or has too many pieces.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        Self::parse_sides(text).map(|(class, _)| class)
    }

    /// As [`Class::parse`]; also says whether the text names the weaker side first.
    ///
    /// # Errors
    /// As for [`Class::parse`].
    pub fn parse_sides(text: &str) -> Result<(Self, bool), TableError> {
        let name = || text.chars().take(40).collect();
        let fault = || TableError::ClassName { text: name(), example: "KKMvKM" };
        let side = |text: &str| -> Result<Force, TableError> {
            let (mut men, mut kings) = (0_u8, 0_u8);
            for letter in text.trim().chars().take(MAX_PIECES + 1) {
                match letter {
                    'K' | 'k' => kings += 1,
                    'M' | 'm' => men += 1,
                    _ => return Err(fault()),
                }
            }
            Ok(Force::new(men, kings))
        };
        let (one, other) = text.split_once(['v', 'V']).ok_or_else(fault)?;
        let (one, other) = (side(one)?, side(other)?);
        if one.pieces == 0 || other.pieces == 0 {
            return Err(fault());
        }
        let many =
            || TableError::NotMade { name: name(), reason: "tables have seven pieces at most" };
        Ok((Self::new(one, other).ok_or_else(many)?, other > one))
    }

    /// The pieces of the side named first, and of the other.
    pub fn forces(self) -> [Force; 2] {
        self.forces
    }

    /// Pieces of both sides.
    pub fn pieces(self) -> usize {
        usize::from(self.forces[0].pieces + self.forces[1].pieces)
    }

    /// Men of both sides.
    pub fn men(self) -> u8 {
        self.forces[0].men() + self.forces[1].men()
    }

    /// Whether both sides have the same.
    pub fn is_symmetrical(self) -> bool {
        self.forces[0] == self.forces[1]
    }

    /// The slices that are kept: one for each side to move, or one if both sides have the same.
    pub(crate) fn slices(self) -> impl Iterator<Item = Slice> {
        let [first, second] = self.forces;
        let slice = Slice { own: first, other: second };
        let turned = (!self.is_symmetrical()).then_some(slice.turned());
        [Some(slice), turned].into_iter().flatten()
    }

    /// All classes with so many pieces, in an order in which they can be made: those with fewer men
    /// first, because men become kings.
    pub fn all(pieces: usize) -> Vec<Self> {
        let forces =
            |pieces: usize| (0..=pieces as u8).map(move |men| Force::new(men, pieces as u8 - men));
        let mut classes: Vec<Self> = (1..pieces)
            .flat_map(|one| {
                forces(one)
                    .flat_map(move |a| forces(pieces - one).filter_map(move |b| Self::new(a, b)))
            })
            .collect();
        classes.sort_by_key(|&class| (class.men(), class));
        classes.dedup();
        classes
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |force: Force| {
            format!("{}{}", "K".repeat(force.kings().into()), "M".repeat(force.men().into()))
        };
        write!(f, "{}v{}", side(self.forces[0]), side(self.forces[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for (text, name) in
            [("KKMvKM", "KKMvKM"), ("kvmk", "KMvK"), ("MvK", "KvM"), ("MMvM", "MMvM")]
        {
            assert_eq!(Class::parse(text).unwrap().to_string(), name);
        }
        assert!(Class::parse_sides("MvK").unwrap().1 && !Class::parse_sides("KvM").unwrap().1);
        for text in ["", "K", "Kv", "vK", "KvX", "KKKKvKKKK", "KKKKKKKKKKKKKKKKKKKKKKKKKKKvK"] {
            assert!(Class::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn classes_come_before_those_that_need_them() {
        assert_eq!(Class::all(2).len(), 3);
        assert_eq!(Class::all(3).len(), 6);
        assert_eq!(Class::all(6).len(), 37);
        for pieces in 2..=6 {
            let men: Vec<_> = Class::all(pieces).iter().map(|class| class.men()).collect();
            assert!(men.is_sorted());
        }
    }
}
