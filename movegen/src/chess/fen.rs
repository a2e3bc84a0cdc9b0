//! Reading and writing FENs, with the counting fields of the specification's section 1.

use super::counting::{self, Count, CountKind, FromFen};
use super::men::Men;
use super::{Bitboard, Board, PieceType, Rules, Square};
use crate::error::shorten;
use crate::{ChessRules, Color, CountingRule, FenError, FenFault, Variant};

/// At most this many men a side: what bounds the number of legal moves.
const MAX_MEN: usize = 16;
/// Largest number that a counting field may show: what a count can hold.
const MAX_COUNT: u64 = u16::MAX as u64;
/// Unknown letters beyond this many are not listed: a megabyte of rubbish gives no megabyte of
/// faults.
const MAX_UNKNOWN: usize = 64;
/// Largest move number that is kept exactly; larger ones are read as this.
const MAX_FULLMOVE: u64 = 1 << 30;

/// The fields after the board, as far as they are there.
struct Fields {
    side: Color,
    limit: Option<u16>,
    /// The counting field is `-`, or this is the short form that has none.
    western: bool,
    count: u16,
    fullmove: u32,
}

/// Reads a FEN with four or six fields; the last ones may be missing.
///
/// That the waiting side stands in check is no fault: Fairy-Stockfish and its front ends accept such
/// set-up positions and play on from them. The king is not captured.
pub(super) fn read<R: Rules>(fen: &str, rules: ChessRules) -> Result<Board<R>, FenError> {
    let mut faults = Vec::new();
    let mut words = fen.split_whitespace();
    let Some(placement) = words.next() else {
        return Err(FenError { faults: vec![FenFault::Empty] });
    };
    let men = read_placement::<R>(placement, &mut faults);
    check_men(&men, &mut faults);
    let words: Vec<&str> = words.take(7).collect();
    let fields = read_fields(&words, &mut faults);
    if !faults.is_empty() {
        return Err(FenError { faults });
    }
    let game_ply = 2 * (fields.fullmove - 1) + u32::from(fields.side == Color::Black);
    let limit = fields.limit.filter(|&limit| limit > 0);
    let halfmove = if limit.is_some() { 0 } else { fields.count };
    let shown = FromFen { limit, western: fields.western, ply: fields.count, turn: fields.side };
    let count = counting::from_fen::<R>(&men, &rules, &shown);
    Ok(Board::assemble(men, rules, game_ply, halfmove, count))
}

/// The board with these men and no count begun, or `None` if they are no position: a square taken
/// twice, not one king a side, a pawn on its last rank, too many men.
pub(super) fn set_up<R: Rules>(
    men: &[(Color, PieceType, Square)],
    turn: Color,
    rules: ChessRules,
) -> Option<Board<R>> {
    let mut placed = Men::EMPTY;
    for &(color, piece, square) in men {
        if placed.occupied().has(square) {
            return None;
        }
        placed.put(color, piece, square);
    }
    let mut faults = Vec::new();
    check_men(&placed, &mut faults);
    let game_ply = u32::from(turn == Color::Black);
    faults.is_empty().then(|| Board::assemble(placed, rules, game_ply, 0, Count::NONE))
}

fn read_placement<R: Rules>(text: &str, faults: &mut Vec<FenFault>) -> Men {
    let mut men = Men::EMPTY;
    let ranks = text.split('/').count();
    if ranks != 8 {
        faults.push(FenFault::RankCount { found: ranks });
    }
    for (row, line) in text.split('/').take(8).enumerate() {
        let rank = 7 - row as u8;
        let mut file = 0_usize;
        let mut after_man = false;
        for letter in line.chars() {
            match letter {
                '1'..='9' => file += letter as usize - '0' as usize,
                '~' if after_man => {}
                _ => {
                    match man_of::<R>(letter) {
                        Some((color, piece)) if file < 8 => {
                            men.put(color, piece, Square::new(file as u8, rank));
                        }
                        Some(_) => {}
                        None if faults.len() < MAX_UNKNOWN => {
                            faults.push(FenFault::UnknownPiece { letter, rank: rank + 1 });
                        }
                        None => {}
                    }
                    file += 1;
                }
            }
            after_man = letter.is_ascii_alphabetic();
        }
        if file != 8 {
            faults.push(FenFault::RankLength { rank: rank + 1, found: file });
        }
    }
    men
}

/// The man that a FEN letter stands for.
fn man_of<R: Rules>(letter: char) -> Option<(Color, PieceType)> {
    let piece = piece_of::<R>(letter)?;
    Some((if letter.is_ascii_uppercase() { Color::White } else { Color::Black }, piece))
}

/// The kind of man that a letter of either case stands for.
pub(super) fn piece_of<R: Rules>(letter: char) -> Option<PieceType> {
    let small = letter.to_ascii_lowercase();
    PieceType::ALL.into_iter().find(|p| char::from(R::LETTERS[p.index()]) == small)
}

/// The FEN letter of a man.
pub(super) fn letter_of<R: Rules>(color: Color, piece: PieceType) -> char {
    let small = char::from(R::LETTERS[piece.index()]);
    if color == Color::White { small.to_ascii_uppercase() } else { small }
}

fn check_men(men: &Men, faults: &mut Vec<FenFault>) {
    for color in Color::ALL {
        let kings = men.of(color, PieceType::King).len() as usize;
        if kings != 1 {
            faults.push(FenFault::KingCount { color, found: kings });
        }
        let found = men.colors[color.index()].len() as usize;
        if found > MAX_MEN {
            faults.push(FenFault::TooManyMen { color, found, max: MAX_MEN });
        }
        let last_rank = Bitboard::rank(if color == Color::White { 7 } else { 0 });
        for square in (men.of(color, PieceType::Pawn) & last_rank).squares() {
            faults.push(FenFault::ImpossibleSquare {
                color,
                piece: "pawn",
                square: square.to_string(),
            });
        }
    }
}

fn read_fields(words: &[&str], faults: &mut Vec<FenFault>) -> Fields {
    let side = match words.first() {
        Some(&"w") => Color::White,
        Some(&"b") => Color::Black,
        Some(text) => {
            faults.push(FenFault::BadField { field: "side to move", text: shorten(text) });
            Color::White
        }
        None => {
            faults.push(FenFault::Missing { field: "side to move" });
            Color::White
        }
    };
    let rest = words.get(1..).unwrap_or_default();
    // The short form has no castling and counting fields: `... w 0 1`.
    let is_number = |text: &&str| text.bytes().all(|b| b.is_ascii_digit());
    let short = (1..=2).contains(&rest.len()) && rest.iter().all(is_number);
    let (limit_text, numbers) = if short {
        (None, rest)
    } else {
        if let Some(text) = rest.first().filter(|t| !matches!(**t, "-" | "0")) {
            faults.push(FenFault::BadField { field: "castling field", text: shorten(text) });
        }
        (rest.get(1), rest.get(2..).unwrap_or_default())
    };
    let mut number = |text: Option<&&str>, field, default: u64, max: u64, clamp: bool| {
        let Some(&text) = text else { return default };
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        // More digits than a u64 holds are a large number all the same.
        let value = if digits { text.parse().unwrap_or(u64::MAX) } else { u64::MAX };
        if digits && (clamp || value <= max) {
            return value.min(max);
        }
        faults.push(FenFault::BadField { field, text: shorten(text) });
        default
    };
    let limit = match limit_text {
        Some(&"-") | None => None,
        text => Some(number(text, "counting limit", 0, MAX_COUNT, false) as u16),
    };
    let western = short || limit_text == Some(&"-");
    let count = match numbers.first() {
        Some(&"-") | None => 0,
        text => number(text, "count", 0, MAX_COUNT, false),
    };
    let fullmove = number(numbers.get(1), "move number", 1, MAX_FULLMOVE, true).max(1);
    if let Some(text) = numbers.get(2) {
        faults.push(FenFault::TrailingText { text: shorten(text) });
    }
    Fields { side, limit, western, count: count as u16, fullmove: fullmove as u32 }
}

impl<R: Rules> Board<R> {
    /// The board part of the FEN.
    pub fn placement(&self) -> String {
        let mut out = String::with_capacity(72);
        for rank in (0..8).rev() {
            let mut empty = 0_u8;
            for file in 0..8 {
                match self.piece_at(Square::new(file, rank)) {
                    Some((color, piece)) => {
                        if empty > 0 {
                            out.push(char::from(b'0' + empty));
                            empty = 0;
                        }
                        out.push(letter_of::<R>(color, piece));
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                out.push(char::from(b'0' + empty));
            }
            if rank > 0 {
                out.push('/');
            }
        }
        out
    }

    pub(super) fn write_fen(&self) -> String {
        let (limit, count) = self.fen_fields();
        format!(
            "{} {} - {limit} {count} {}",
            self.placement(),
            self.turn().letter(),
            self.game_ply / 2 + 1
        )
    }

    /// The counting fields. cutechess tells "no count yet" (`0`) from "no counting at all" (`-`).
    fn fen_fields(&self) -> (String, u32) {
        let count = self.count();
        if count.runs() {
            return (count.limit.to_string(), u32::from(count.ply));
        }
        let zero = R::VARIANT == Variant::Makruk
            && self.rules.counting == CountingRule::Cutechess
            && count.kind != CountKind::Western;
        (if zero { "0" } else { "-" }.to_owned(), u32::from(self.halfmove))
    }
}
