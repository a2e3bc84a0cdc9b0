//! Classes of positions: which pieces each side has beside its king.

use std::fmt;

use arrayvec::ArrayVec;
use movegen::Color;
use movegen::chess::{Board, PieceType, Rules};

use crate::TableError;

/// Most men of a class, kings included.
pub const MAX_MEN: usize = 5;

/// Pieces of one side, strongest first, without its king.
type Pieces = ArrayVec<PieceType, { MAX_MEN - 2 }>;

/// A class of positions: the pieces of both sides. The side named first is the stronger one (more
/// men, or else the stronger men); tables are made with that side as White.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Class {
    pieces: [Pieces; 2],
}

impl Class {
    /// The class with these pieces, and whether the sides had to be exchanged to name the stronger
    /// one first; `None` with too many men.
    pub fn new(first: &[PieceType], second: &[PieceType]) -> Option<(Self, bool)> {
        if first.len() + second.len() + 2 > MAX_MEN {
            return None;
        }
        let sorted = |pieces: &[PieceType]| {
            let mut pieces: Pieces = pieces.iter().copied().collect();
            pieces.sort_by(|a, b| b.cmp(a));
            pieces
        };
        let (first, second) = (sorted(first), sorted(second));
        let swap = (second.len(), &second) > (first.len(), &first);
        let pieces = if swap { [second, first] } else { [first, second] };
        Some((Self { pieces }, swap))
    }

    /// Reads a name such as `KRMvKS`; ASEAN's letters `B` and `Q` may stand for khon and met.
    ///
    /// # Errors
    /// If it is no such name, or has too many men.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        Self::parse_sides(text).map(|(class, _)| class)
    }

    /// As [`Class::parse`]; also says whether the text names the weaker side first.
    ///
    /// # Errors
    /// As for [`Class::parse`].
    pub fn parse_sides(text: &str) -> Result<(Self, bool), TableError> {
        let name = || text.chars().take(40).collect();
        let fault = || TableError::ClassName { text: name(), example: "KRMvKS" };
        let (first, second) = text.split_once(['v', 'V']).ok_or_else(fault)?;
        let side = |text: &str| -> Result<Vec<PieceType>, TableError> {
            let text = text.trim();
            let rest = text.strip_prefix(['K', 'k']).ok_or_else(fault)?;
            rest.chars().map(|letter| piece_of(letter).ok_or_else(fault)).collect()
        };
        let (first, second) = (side(first)?, side(second)?);
        let many = || TableError::NotMade { name: name(), reason: "tables have five men at most" };
        let (class, swapped) = Self::new(&first, &second).ok_or_else(many)?;
        if class.men() == 2 { Err(fault()) } else { Ok((class, swapped)) }
    }

    /// The class of a position, and whether Black is the side named first; `None` with too many
    /// men, or with kings alone.
    pub fn of<R: Rules>(board: &Board<R>) -> Option<(Self, bool)> {
        let men = board.occupied().len() as usize;
        if !(3..=MAX_MEN).contains(&men) {
            return None;
        }
        let side = |color: Color| -> Vec<PieceType> {
            let pieces = PieceType::ALL.into_iter().filter(|&piece| piece != PieceType::King);
            pieces
                .flat_map(|piece| std::iter::repeat_n(piece, board.of(color, piece).len() as usize))
                .collect()
        };
        Self::new(&side(Color::White), &side(Color::Black))
    }

    /// The pieces of a side; White's are those named first.
    pub fn pieces(&self, color: Color) -> &[PieceType] {
        &self.pieces[color.index()]
    }

    /// Number of men, kings included.
    pub fn men(&self) -> usize {
        2 + self.pieces[0].len() + self.pieces[1].len()
    }

    /// Whether one side has its king alone and there is no pawn: the tables that count moves to
    /// mate, the same in both games and under every rule set.
    pub fn is_bare(&self) -> bool {
        self.pieces[1].is_empty() && !self.has_pawns()
    }

    /// Whether there are pawns.
    pub fn has_pawns(&self) -> bool {
        self.pieces.iter().flatten().any(|&piece| piece == PieceType::Pawn)
    }

    /// All classes with so many men, in the order of their names' strength.
    pub fn all(men: usize) -> Vec<Self> {
        let mut classes = Vec::new();
        // Kings alone are no class.
        let pieces = men.saturating_sub(2);
        if pieces == 0 {
            return classes;
        }
        for weak in 0..=pieces / 2 {
            for strong in combinations(pieces - weak) {
                for other in combinations(weak) {
                    if let Some((class, false)) = Self::new(&strong, &other) {
                        classes.push(class);
                    }
                }
            }
        }
        classes
    }

    /// The classes that captures and promotions lead to, kings alone left out.
    pub fn successors(&self, promotions: &[PieceType]) -> Vec<Self> {
        let mut classes = Vec::new();
        let mut add = |pieces: [Vec<PieceType>; 2]| {
            if let Some((class, _)) = Self::new(&pieces[0], &pieces[1])
                && class.men() > 2
                && !classes.contains(&class)
            {
                classes.push(class);
            }
        };
        let base = [0, 1].map(|side: usize| self.pieces[side].to_vec());
        for side in 0..2 {
            for i in 0..base[side].len() {
                let mut without = base.clone();
                without[side].remove(i);
                add(without.clone());
                if base[side][i] != PieceType::Pawn {
                    continue;
                }
                for &promoted in promotions {
                    let mut with = base.clone();
                    with[side][i] = promoted;
                    add(with.clone());
                    // A pawn may take as it is promoted.
                    for j in 0..with[1 - side].len() {
                        let mut taken = with.clone();
                        taken[1 - side].remove(j);
                        add(taken);
                    }
                }
            }
        }
        classes
    }
}

/// All sets of so many pieces, strongest first.
fn combinations(number: usize) -> Vec<Vec<PieceType>> {
    let mut sets = vec![Vec::new()];
    for _ in 0..number {
        sets = sets
            .iter()
            .flat_map(|set: &Vec<PieceType>| {
                let last = set.last().copied().unwrap_or(PieceType::Rook);
                let next = PieceType::ALL.into_iter().rev().filter(move |&piece| piece <= last);
                next.map(|piece| [set.as_slice(), &[piece]].concat())
            })
            .collect();
    }
    sets
}

fn piece_of(letter: char) -> Option<PieceType> {
    Some(match letter.to_ascii_uppercase() {
        'R' => PieceType::Rook,
        'N' => PieceType::Knight,
        'S' | 'B' => PieceType::Khon,
        'M' | 'Q' => PieceType::Met,
        'P' => PieceType::Pawn,
        _ => return None,
    })
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, pieces) in self.pieces.iter().enumerate() {
            f.write_str(if i == 0 { "K" } else { "vK" })?;
            for piece in pieces {
                f.write_str(match piece {
                    PieceType::Rook => "R",
                    PieceType::Knight => "N",
                    PieceType::Khon => "S",
                    PieceType::Met => "M",
                    PieceType::Pawn => "P",
                    PieceType::King => "K",
                })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(classes: &[Class]) -> Vec<String> {
        classes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn names_are_read_and_written() {
        for (text, name) in [
            ("KRvK", "KRvK"),
            ("kvkr", "KRvK"),
            ("KQBvK", "KSMvK"),
            ("KMvKR", "KRvKM"),
            ("KPvKRM", "KRMvKP"),
        ] {
            let (class, swapped) = Class::parse_sides(text).unwrap();
            assert_eq!(class.to_string(), name);
            let weaker_first = matches!(text, "kvkr" | "KMvKR" | "KPvKRM");
            assert_eq!(swapped, weaker_first);
        }
        for text in ["", "KvK", "KR", "RvK", "KRvKv", "KRRRRvK", "KXvK", "KRvR"] {
            assert!(Class::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn all_classes_are_there_once() {
        assert_eq!(Class::all(3).len(), 5);
        let four = Class::all(4);
        // Two pieces v none, and one v one in either order.
        assert_eq!(four.len(), 15 + 15);
        let mut unique = names(&four);
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), 30);
        assert_eq!(Class::all(5).len(), 35 + 15 * 5);
        assert_eq!(Class::all(2).len(), 0);
    }

    #[test]
    fn successors_are_smaller_or_promoted() {
        let class = Class::parse("KPvKN").unwrap();
        let next = names(&class.successors(&[PieceType::Met]));
        assert_eq!(next, ["KPvK", "KNvK", "KNvKM", "KMvK"]);
        let bare = Class::parse("KRMvK").unwrap();
        assert_eq!(names(&bare.successors(&[PieceType::Met])), ["KMvK", "KRvK"]);
    }
}
