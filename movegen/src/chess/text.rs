//! Move text: UCI and SAN.

use super::fen::piece_of;
use super::{Board, Move, PieceType, Rules, Square};
use crate::error::shorten;
use crate::{MoveError, Position as _};

impl<R: Rules> Board<R> {
    pub(super) fn write_move(&self, m: Move) -> String {
        let mut text = format!("{}{}", m.from(), m.to());
        if let Some(piece) = m.promotion() {
            text.push(char::from(R::LETTERS[piece.index()]));
        }
        text
    }

    pub(super) fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let syntax = || MoveError::Syntax { text: shorten(text) };
        let illegal = || MoveError::Illegal { text: shorten(text) };
        let squares =
            text.get(..2).and_then(Square::parse).zip(text.get(2..4).and_then(Square::parse));
        let (from, to) = squares.ok_or_else(syntax)?;
        let suffix = text.get(4..).unwrap_or_default();
        let mut suffix_letters = suffix.chars();
        let promotion = match (suffix_letters.next(), suffix_letters.next()) {
            (None, _) => None,
            (Some(letter), None) => Some(
                piece_of::<R>(letter)
                    .filter(|p| !matches!(p, PieceType::Pawn | PieceType::King))
                    .ok_or_else(syntax)?,
            ),
            _ => return Err(syntax()),
        };
        let piece = self.piece_type_at(from).ok_or_else(illegal)?;
        let m = match promotion {
            Some(becomes) if piece == PieceType::Pawn => Move::promote(from, to, becomes),
            Some(_) => return Err(illegal()),
            None => Move::new(from, to, piece),
        };
        if self.allows(m) {
            return Ok(m);
        }
        // A pawn that arrives without saying what it becomes: clear where there is no choice.
        let to_met = Move::promote(from, to, PieceType::Met);
        if piece == PieceType::Pawn && promotion.is_none() && self.allows(to_met) {
            if self.all_promotions() {
                return Err(MoveError::MissingPromotion { text: shorten(text) });
            }
            return Ok(to_met);
        }
        Err(illegal())
    }

    /// Standard algebraic notation: `Ne4`, `Rexd5`, `exd6=M`, `+` and `#`.
    pub(super) fn write_san(&self, m: Move) -> String {
        let mut text = String::with_capacity(8);
        let piece = m.piece();
        let captures = self.is_capture(m);
        if piece == PieceType::Pawn {
            // Under straight captures the file says nothing that the square does not.
            if captures && m.from().file() != m.to().file() {
                text.push(file_letter(m.from()));
            }
        } else {
            text.push(char::from(R::LETTERS[piece.index()].to_ascii_uppercase()));
            self.write_origin(m, &mut text);
        }
        if captures {
            text.push('x');
        }
        text.push_str(&m.to().to_string());
        if let Some(becomes) = m.promotion() {
            text.push('=');
            text.push(char::from(R::LETTERS[becomes.index()].to_ascii_uppercase()));
        }
        if self.gives_check(m) {
            text.push(if self.after(m).count_legal() == 0 { '#' } else { '+' });
        }
        text
    }

    /// As much of the origin as tells the move from those of other men of its kind.
    fn write_origin(&self, m: Move, text: &mut String) {
        let (mut rivals, mut same_file, mut same_rank) = (false, false, false);
        for other in self.legal_moves() {
            if other.piece() == m.piece() && other.to() == m.to() && other.from() != m.from() {
                rivals = true;
                same_file |= other.from().file() == m.from().file();
                same_rank |= other.from().rank() == m.from().rank();
            }
        }
        if rivals && (!same_file || same_rank) {
            text.push(file_letter(m.from()));
        }
        if rivals && same_file {
            text.push(rank_digit(m.from()));
        }
    }

    /// Reads SAN generously: check marks, `x`, `=`, annotation glyphs and more of the origin than
    /// needed are optional, and UCI text is understood too.
    pub(super) fn read_san(&self, text: &str) -> Result<Move, MoveError> {
        let syntax = || MoveError::Syntax { text: shorten(text) };
        let pattern = SanPattern::parse::<R>(text).ok_or_else(syntax)?;
        let fits: Vec<Move> = self.legal_moves().into_iter().filter(|&m| pattern.fits(m)).collect();
        // Without a promotion letter only a promotion that leaves no choice can be meant.
        let silent = pattern.promotion.is_none() && self.all_promotions();
        if silent && fits.iter().any(|m| m.is_promotion()) {
            return Err(MoveError::MissingPromotion { text: shorten(text) });
        }
        match fits[..] {
            [] => Err(MoveError::Illegal { text: shorten(text) }),
            [m] => Ok(m),
            _ => {
                let candidates: Vec<String> = fits.iter().map(|&m| self.write_move(m)).collect();
                Err(MoveError::Ambiguous { text: shorten(text), candidates: candidates.join(" ") })
            }
        }
    }
}

fn file_letter(square: Square) -> char {
    char::from(b'a' + square.file())
}

fn rank_digit(square: Square) -> char {
    char::from(b'1' + square.rank())
}

/// What a move in algebraic notation says; what it does not say fits everything.
struct SanPattern {
    piece: Option<PieceType>,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square,
    promotion: Option<PieceType>,
}

impl SanPattern {
    fn parse<R: Rules>(text: &str) -> Option<Self> {
        let core = text.trim().trim_end_matches(['+', '#', '!', '?']);
        let (core, promotion) = Self::split_promotion::<R>(core);
        let letters: Vec<char> = core.chars().filter(|c| !matches!(c, 'x' | '-' | ':')).collect();
        let (&rank, rest) = letters.split_last()?;
        let (&file, rest) = rest.split_last()?;
        let to = Square::parse(&format!("{file}{rank}"))?;
        let (piece, origin) = match rest.split_first() {
            // Files are small letters and men are capitals.
            Some((&letter, origin)) if letter.is_ascii_uppercase() => {
                (Some(piece_of::<R>(letter)?), origin)
            }
            // Two squares may be UCI text and so any man's move; else it is a pawn's.
            _ => ((rest.len() < 2).then_some(PieceType::Pawn), rest),
        };
        let as_file = |c: char| ('a'..='h').contains(&c).then(|| c as u8 - b'a');
        let as_rank = |c: char| ('1'..='8').contains(&c).then(|| c as u8 - b'1');
        let (file, rank) = match *origin {
            [] => (None, None),
            [c] => (as_file(c), as_rank(c)),
            [f, r] => (Some(as_file(f)?), Some(as_rank(r)?)),
            _ => return None,
        };
        if origin.len() == 1 && file.is_none() && rank.is_none() {
            return None;
        }
        Some(Self { piece, file, rank, to, promotion })
    }

    /// Cuts off `=M`, `(M)` or a letter that follows the square at once.
    fn split_promotion<R: Rules>(core: &str) -> (&str, Option<PieceType>) {
        let trimmed = core.strip_suffix(')').unwrap_or(core);
        let Some(letter) = trimmed.chars().next_back() else { return (core, None) };
        let Some(piece) = piece_of::<R>(letter) else { return (core, None) };
        if matches!(piece, PieceType::Pawn | PieceType::King) {
            return (core, None);
        }
        let square = trimmed[..trimmed.len() - letter.len_utf8()].trim_end_matches(['=', '(', '/']);
        if square.ends_with(|c: char| c.is_ascii_digit()) {
            (square, Some(piece))
        } else {
            (core, None)
        }
    }

    fn fits(&self, m: Move) -> bool {
        self.piece.is_none_or(|piece| piece == m.piece())
            && self.file.is_none_or(|file| file == m.from().file())
            && self.rank.is_none_or(|rank| rank == m.from().rank())
            && self.to == m.to()
            && self.promotion.is_none_or(|piece| m.promotion() == Some(piece))
    }
}
