//! Which books are open: the option `BookFile`.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use movegen::Variant;

use super::{Book, BookError};
use crate::random::Random;

/// The value of `BookFile` for the books inside the program.
pub const BUILT_IN: &str = "<built-in>";
/// The value of `BookFile` for no book at all.
pub(super) const NONE: &str = "none";

/// As `hanuman book build` has made them.
const FILES: [&[u8]; Variant::ALL.len()] = [
    include_bytes!("../../books/makruk.book"),
    include_bytes!("../../books/asean.book"),
    include_bytes!("../../books/makhos.book"),
];

/// The book inside the program for a game. It is read when it is first asked for; all callers share it.
fn built_in(variant: Variant) -> &'static Book {
    static BOOKS: [OnceLock<Book>; Variant::ALL.len()] =
        [const { OnceLock::new() }; Variant::ALL.len()];
    BOOKS[variant as usize].get_or_init(|| {
        // It is sound: see the test.
        let book = Book::from_bytes(FILES[variant as usize]);
        book.unwrap_or_else(|_| Book::new(variant, Vec::new()))
    })
}

/// The books of all games. A file changes that of its own game only.
#[derive(Clone, Debug, Default)]
pub struct Books {
    /// There are none.
    closed: bool,
    /// In place of the program's own.
    file: Option<Book>,
}

impl Books {
    /// The books for a value of `BookFile`: those of the program, and that of a file in place of its
    /// own game's; or none at all (`none`).
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn open(value: &str) -> Result<Self, BookError> {
        if value.eq_ignore_ascii_case(NONE) {
            return Ok(Self { closed: true, file: None });
        }
        let own = value.is_empty() || value.eq_ignore_ascii_case(BUILT_IN);
        let file = if own { None } else { Some(read(Path::new(value))?) };
        Ok(Self { closed: false, file })
    }

    /// The game whose book is not the program's own, if there is one.
    pub fn replaced(&self) -> Option<Variant> {
        self.file.as_ref().map(Book::variant)
    }

    /// The book of a game.
    pub fn of(&self, variant: Variant) -> Option<&Book> {
        if self.closed {
            return None;
        }
        let file = self.file.as_ref().filter(|book| book.variant() == variant);
        Some(file.unwrap_or_else(|| built_in(variant)))
    }
}

/// One of these moves, each as often as its weight says; `None` if there is none.
pub fn choose(moves: &[(String, u16)], random: &mut Random) -> Option<String> {
    let total = moves.iter().map(|&(_, weight)| usize::from(weight)).sum();
    let mut at = random.below(total);
    for (text, weight) in moves {
        match at.checked_sub((*weight).into()) {
            None => return Some(text.clone()),
            Some(rest) => at = rest,
        }
    }
    None
}

/// Reads a file.
fn read(path: &Path) -> Result<Book, BookError> {
    let bytes = fs::read(path).map_err(|error| BookError::File { path: path.to_owned(), error })?;
    Book::from_bytes(&bytes).map_err(|fault| BookError::Fault { path: path.to_owned(), fault })
}

#[cfg(test)]
mod tests {
    use movegen::Position as _;
    use search::Game;

    use super::*;
    use crate::dispatch::{GameRules, GameVisitor, PosOf, RulesOf, with_game};

    struct FirstMoves<'a>(&'a Book);

    impl GameVisitor for FirstMoves<'_> {
        type Output = usize;
        fn visit<G: Game>(self, rules: RulesOf<G>) -> usize {
            let start = PosOf::<G>::start(rules);
            let moves = self.0.moves(start.key()).iter();
            moves.filter(|m| start.move_from_tag(m.tag).is_some()).count()
        }
    }

    #[test]
    fn moves_are_chosen_as_often_as_they_weigh() {
        let moves = [("a".to_owned(), 100), ("b".to_owned(), 300), ("c".to_owned(), 0)];
        let mut random = Random::new(7);
        let mut chosen = [0; 3];
        for _ in 0..4000 {
            let text = choose(&moves, &mut random).unwrap();
            chosen[moves.iter().position(|(known, _)| *known == text).unwrap()] += 1;
        }
        assert!((900..1100).contains(&chosen[0]) && chosen[2] == 0, "{chosen:?}");
        assert_eq!(choose(&[], &mut random), None);
    }

    #[test]
    fn every_game_has_a_book() {
        let books = Books::default();
        for variant in Variant::ALL {
            let book = books.of(variant).unwrap();
            assert!(book.all().len() > 100, "{variant:?}");
            let twice = book.all().windows(2).any(|m| (m[0].key, m[0].tag) == (m[1].key, m[1].tag));
            assert!(!twice, "{variant:?}");
            assert!(with_game(GameRules::standard(variant), FirstMoves(book)) > 1, "{variant:?}");
        }
    }
}
