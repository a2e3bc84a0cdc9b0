//! Move text: UCI (`c3d4`, `c3e5g7`) and PDN (`22-18`, `26x17`, `18x11x20`).
//!
//! A text that names every landing square names one move: each jump captures the piece just before
//! its landing square, so the landings determine the captured set.

use arrayvec::ArrayVec;

use super::generate::{Path, Side, by_side};
use super::{Board, Move, Square};
use crate::error::shorten;
use crate::{Color, MoveError, Numbering, Position};

/// Squares that a text may name: both ends and every captured piece.
type Named = ArrayVec<Square, { Board::MAX_PIECES + 2 }>;

impl Board {
    /// The landing squares of a legal move, the last one [`Move::to`]. Of several orders in which a
    /// king can make the same captures it is always the same one.
    pub fn path(&self, m: Move) -> impl Iterator<Item = Square> + use<> {
        let mut path = Path::new();
        let found = m.captured() != 0 && by_side!(self, side => side.find_path(m, &mut path));
        if !found {
            path.clear();
            path.push(m.to());
        }
        path.into_iter()
    }

    pub(super) fn uci_text(&self, m: Move) -> String {
        let mut text = m.from().to_string();
        for landing in self.path(m) {
            text += &landing.to_string();
        }
        text
    }

    pub(super) fn pdn_text(&self, m: Move) -> String {
        let twins = self.legal_moves().iter().filter(|&&o| same_ends(o, m)).count();
        if twins > 1 { self.full_pdn_text(m) } else { self.pdn_line(m, [m.to()]) }
    }

    fn full_pdn_text(&self, m: Move) -> String {
        self.pdn_line(m, self.path(m))
    }

    fn pdn_line(&self, m: Move, landings: impl IntoIterator<Item = Square>) -> String {
        let numbering = self.rules.numbering;
        let separator = if m.captured() == 0 { '-' } else { 'x' };
        let mut text = m.from().number(numbering).to_string();
        for landing in landings {
            text.push(separator);
            text += &landing.number(numbering).to_string();
        }
        text
    }

    /// The legal move that a text means. In order of precedence: every landing square is named; only
    /// the ends are, and one move has them; the ends and then the captured squares are, as in the
    /// Hub protocol.
    pub(super) fn find_move(
        &self,
        text: &str,
        describe: impl Fn(&Self, Move) -> String,
    ) -> Result<Move, MoveError> {
        let Some(named) = named_squares(text, self.rules.numbering) else {
            return Err(MoveError::Syntax { text: shorten(text) });
        };
        let [from, landings @ ..] = named.as_slice() else {
            return Err(MoveError::Syntax { text: shorten(text) });
        };
        let [first, others @ ..] = landings else {
            return Err(MoveError::Syntax { text: shorten(text) });
        };
        let legal = self.legal_moves();
        if let Some(captured) = by_side!(self, side => side.walk(*from, landings)) {
            let m = Move::new(*from, *landings.last().unwrap_or(first), captured);
            if legal.contains(&m) {
                return Ok(m);
            }
        }
        let captured = others.iter().fold(0, |set, square| set | square.bit());
        let mut fitting = legal.iter().copied().filter(|m| {
            (m.from(), m.to()) == (*from, *first) && (others.is_empty() || m.captured() == captured)
        });
        match (fitting.next(), fitting.next()) {
            (None, _) => Err(MoveError::Illegal { text: shorten(text) }),
            (Some(m), None) => Ok(m),
            (Some(m), Some(second)) => {
                let all = [m, second].into_iter().chain(fitting);
                let texts: Vec<String> = all.map(|m| describe(self, m)).collect();
                Err(MoveError::Ambiguous { text: shorten(text), candidates: texts.join(" ") })
            }
        }
    }

    pub(super) fn read_uci(&self, text: &str) -> Result<Move, MoveError> {
        self.find_move(text.trim(), Self::uci_text)
    }

    pub(super) fn read_pdn(&self, text: &str) -> Result<Move, MoveError> {
        let text = text.trim().trim_end_matches(['!', '?', '*', '+', '#', '.']).trim_end();
        self.find_move(text, Self::full_pdn_text)
    }
}

fn same_ends(a: Move, b: Move) -> bool {
    (a.from(), a.to()) == (b.from(), b.to())
}

/// The squares of a move text: algebraic (`c3`, either case) or numbers, with `-`, `x` or `:`
/// between them, which may be left out before a letter.
fn named_squares(text: &str, numbering: Numbering) -> Option<Named> {
    let mut named = Named::new();
    let mut rest = text.as_bytes();
    loop {
        let square;
        (square, rest) = next_square(rest, numbering)?;
        named.try_push(square).ok()?;
        rest = rest.trim_ascii_start();
        match rest {
            [] => return Some(named),
            [b'-' | b'x' | b'X' | b':', tail @ ..] => rest = tail.trim_ascii_start(),
            [b'a'..=b'h' | b'A'..=b'H', ..] => {}
            _ => return None,
        }
    }
}

fn next_square(text: &[u8], numbering: Numbering) -> Option<(Square, &[u8])> {
    match *text {
        [file, rank @ b'1'..=b'8', ref rest @ ..] if file.is_ascii_alphabetic() => {
            let file = file.to_ascii_lowercase().checked_sub(b'a')?;
            Some((Square::at(file, rank - b'1')?, rest))
        }
        _ => {
            let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
            let (number, rest) = text.split_at_checked(digits)?;
            let number = std::str::from_utf8(number).ok()?.parse().ok()?;
            Some((Square::from_number(number, numbering)?, rest))
        }
    }
}
