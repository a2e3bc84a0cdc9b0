//! The file of a book. As in Polyglot's books, entries of 16 bytes, big-endian and sorted by key, say
//! which moves a position has: the key (8 bytes), the move (2), its weight (2) and four bytes that are
//! not used. The keys are this program's own.
//!
//! A header of the same size comes first: `HNBOOK1` and the number of the game, then the key of the
//! game's start position, by which a book of another version's keys is known.

use movegen::{Color, Variant};
use search::Game;
use thiserror::Error;

use crate::dispatch::{GameRules, GameVisitor, PosOf, RulesOf, with_game};
use movegen::Position as _;

const MAGIC: &[u8; 7] = b"HNBOOK1";
const ENTRY: usize = 16;

/// What is wrong with the bytes of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum BookFault {
    /// It does not begin like a book.
    #[error("not a book of Hanuman's")]
    Foreign,
    /// Its keys are those of another version.
    #[error("a book with keys of another version; build it anew")]
    OtherKeys,
    /// It ends too early, or its entries are out of order.
    #[error("damaged")]
    Damaged,
}

/// A move of a book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BookMove {
    /// The key of the position it belongs to.
    pub key: u64,
    /// The tag of the move: see [`movegen::GameMove::tag`].
    pub tag: u16,
    /// How often it is to be played, against the other moves of its position.
    pub weight: u16,
}

/// A book of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    variant: Variant,
    /// Sorted.
    moves: Vec<BookMove>,
}

impl Book {
    /// A book of these moves. Those of weight 0 are left out; one that is named twice counts once,
    /// with the greater weight.
    pub fn new(variant: Variant, mut moves: Vec<BookMove>) -> Self {
        moves.retain(|m| m.weight > 0);
        moves.sort_by_key(|m| (m.key, m.tag, std::cmp::Reverse(m.weight)));
        moves.dedup_by_key(|m| (m.key, m.tag));
        moves.sort_by_key(|m| (m.key, std::cmp::Reverse(m.weight), m.tag));
        Self { variant, moves }
    }

    /// The game.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// All moves, by key.
    pub fn all(&self) -> &[BookMove] {
        &self.moves
    }

    /// The moves of a position, the heaviest first.
    pub fn moves(&self, key: u64) -> &[BookMove] {
        let start = self.moves.partition_point(|m| m.key < key);
        let end = self.moves.partition_point(|m| m.key <= key);
        &self.moves[start..end]
    }

    /// Reads a book.
    ///
    /// # Errors
    /// If the bytes are no book, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookFault> {
        let (head, rest) = bytes.split_first_chunk::<ENTRY>().ok_or(BookFault::Foreign)?;
        let variant = Variant::ALL.get(usize::from(head[MAGIC.len()]));
        let (true, Some(&variant)) = (head.starts_with(MAGIC), variant) else {
            return Err(BookFault::Foreign);
        };
        if number(&head[8..]) != start_key(variant) {
            return Err(BookFault::OtherKeys);
        }
        let entries = rest.chunks_exact(ENTRY);
        if !entries.remainder().is_empty() {
            return Err(BookFault::Damaged);
        }
        let moves: Vec<BookMove> = entries
            .map(|entry| BookMove {
                key: number(&entry[..8]),
                tag: u16::from_be_bytes([entry[8], entry[9]]),
                weight: u16::from_be_bytes([entry[10], entry[11]]),
            })
            .collect();
        if moves.windows(2).any(|pair| pair[0].key > pair[1].key) {
            return Err(BookFault::Damaged);
        }
        Ok(Self { variant, moves })
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let place = Variant::ALL.iter().position(|&variant| variant == self.variant);
        bytes.push(place.and_then(|place| u8::try_from(place).ok()).unwrap_or(0));
        bytes.extend(start_key(self.variant).to_be_bytes());
        for m in &self.moves {
            bytes.extend(m.key.to_be_bytes());
            bytes.extend(m.tag.to_be_bytes());
            bytes.extend(m.weight.to_be_bytes());
            bytes.extend([0; 4]);
        }
        bytes
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The key of the start position, White to move.
fn start_key(variant: Variant) -> u64 {
    struct Start;
    impl GameVisitor for Start {
        type Output = u64;
        fn visit<G: Game>(self, rules: RulesOf<G>) -> u64 {
            let start = PosOf::<G>::start(rules);
            match start.side_to_move() {
                Color::White => start.key(),
                Color::Black => start.key() ^ PosOf::<G>::SIDE_KEY,
            }
        }
    }
    with_game(GameRules::standard(variant), Start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book() -> Book {
        let m = |key, tag, weight| BookMove { key, tag, weight };
        Book::new(Variant::Asean, vec![m(7, 1, 5), m(3, 2, 1), m(7, 9, 80), m(8, 4, 0), m(7, 9, 3)])
    }

    #[test]
    fn moves_are_found_by_key() {
        let book = book();
        let found: Vec<u16> = book.moves(7).iter().map(|m| m.tag).collect();
        assert_eq!(found, [9, 1]);
        assert_eq!(book.moves(3).len(), 1);
        assert!(book.moves(8).is_empty() && book.moves(0).is_empty());
    }

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let bytes = book().to_bytes();
        assert_eq!(bytes.len(), 4 * ENTRY);
        assert_eq!(Book::from_bytes(&bytes), Ok(book()));
        for cut in 0..bytes.len() {
            let read = Book::from_bytes(&bytes[..cut]);
            assert!(read.is_err() || cut % ENTRY == 0, "{cut}");
        }
        let changed = |at: usize| {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x7f;
            Book::from_bytes(&bytes)
        };
        assert_eq!(changed(0), Err(BookFault::Foreign));
        assert_eq!(changed(7), Err(BookFault::Foreign));
        assert_eq!(changed(9), Err(BookFault::OtherKeys));
        assert_eq!(changed(ENTRY), Err(BookFault::Damaged));
    }
}
