//! Reading and writing positions.
//!
//! Two forms are read: the colon form of PDN (`W:W25,K26:B1-4:H0:F1`), in which squares are PDN
//! numbers or algebraic, and 64 cells (`b1b1b1b1/... w 12`) with `w` and `b` for men, `W` and `B` for
//! kings. A board whose pieces all stand on the squares that we do not use is the mirror image of
//! ours and is turned over. Written is the colon form.

use std::fmt::Write;

use super::pieces::Pieces;
use super::square::squares;
use super::{Board, Square};
use crate::error::shorten;
use crate::{Color, FenError, FenFault, MakhosRules, Numbering};

/// Faults beyond this many are not listed: a megabyte of rubbish gives no megabyte of faults.
const MAX_FAULTS: usize = 64;

/// What a text said so far.
struct Reader {
    faults: Vec<FenFault>,
    /// `cells[rank][file]`: whose piece, and whether it is a king.
    cells: [[Option<(Color, bool)>; 8]; 8],
    side: Option<Color>,
    quiet_plies: Option<u16>,
    move_number: Option<u32>,
}

pub(super) fn read(fen: &str, rules: MakhosRules) -> Result<Board, FenError> {
    let text = fen.trim();
    let mut reader = Reader {
        faults: Vec::new(),
        cells: [[None; 8]; 8],
        side: None,
        quiet_plies: None,
        move_number: None,
    };
    if text.is_empty() {
        reader.fault(FenFault::Empty);
    } else if text.contains(':') {
        reader.colon_form(text);
    } else {
        reader.cell_form(text);
    }
    reader.finish(rules)
}

impl Reader {
    fn fault(&mut self, fault: FenFault) {
        if self.faults.len() < MAX_FAULTS && !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    fn bad(&mut self, field: &'static str, text: &str) {
        self.fault(FenFault::BadField { field, text: shorten(text) });
    }

    fn put(&mut self, file: u8, rank: u8, color: Color, king: bool) {
        let Some(cell) =
            self.cells.get_mut(usize::from(rank)).and_then(|row| row.get_mut(usize::from(file)))
        else {
            return;
        };
        if cell.replace((color, king)).is_some() {
            self.fault(FenFault::SquareTwice { square: name(file, rank) });
        }
    }

    fn colon_form(&mut self, text: &str) {
        let text = text.strip_suffix('.').unwrap_or(text);
        let mut sections = text.split(':').map(str::trim);
        let side = sections.next().unwrap_or_default();
        self.side = color_named(side);
        if self.side.is_none() {
            self.bad("side to move", side);
        }
        let mut listed = [false; 2];
        for section in sections {
            let mut chars = section.chars();
            let letter = chars.next().map_or(' ', |c| c.to_ascii_uppercase());
            let rest = chars.as_str().trim();
            match letter {
                'W' | 'B' => {
                    let color = if letter == 'W' { Color::White } else { Color::Black };
                    if std::mem::replace(&mut listed[color.index()], true) {
                        self.bad("second list of pieces", section);
                    }
                    self.list(rest, color);
                }
                'H' => self.quiet_field(rest),
                'F' => self.move_field(rest),
                _ => self.bad("section", section),
            }
        }
        for (color, field) in
            [(Color::White, "list of White's pieces"), (Color::Black, "list of Black's pieces")]
        {
            if !listed[color.index()] {
                self.fault(FenFault::Missing { field });
            }
        }
    }

    /// `25,K26,1-4,c3`; empty for no pieces.
    fn list(&mut self, text: &str, color: Color) {
        if text.is_empty() {
            return;
        }
        for item in text.split(',').map(str::trim) {
            let stripped = item.strip_prefix(['K', 'k']);
            let king = stripped.is_some();
            let place = stripped.unwrap_or(item).trim();
            if let Some((file, rank)) = algebraic(place) {
                self.put(file, rank, color, king);
                continue;
            }
            let (first, last) = place.split_once('-').unwrap_or((place, place));
            match (number(first.trim()), number(last.trim())) {
                (Some(first), Some(last)) if first <= last => {
                    for square in (first..=last).filter_map(pdn_square) {
                        self.put(square.file(), square.rank(), color, king);
                    }
                }
                _ => self.bad("square", item),
            }
        }
    }

    fn cell_form(&mut self, text: &str) {
        let mut fields = text.split_whitespace();
        self.cells(fields.next().unwrap_or_default());
        if let Some(side) = fields.next() {
            self.side = color_named(side);
            if self.side.is_none() {
                self.bad("side to move", side);
            }
        }
        if let Some(quiet) = fields.next() {
            self.quiet_field(quiet);
        }
        if let Some(number) = fields.next() {
            self.move_field(number);
        }
        if let Some(rest) = fields.next() {
            self.fault(FenFault::TrailingText { text: shorten(rest) });
        }
    }

    fn cells(&mut self, text: &str) {
        let found = text.split('/').count();
        if found != 8 {
            self.fault(FenFault::RankCount { found });
        }
        for (rank, row) in (0..8).rev().zip(text.split('/')) {
            let mut file = 0_usize;
            for letter in row.chars() {
                let piece = match letter {
                    '1'..='8' => {
                        file += letter as usize - '0' as usize;
                        continue;
                    }
                    'w' | 'W' => Some((Color::White, letter == 'W')),
                    'b' | 'B' => Some((Color::Black, letter == 'B')),
                    _ => None,
                };
                match (piece, u8::try_from(file)) {
                    (Some((color, king)), Ok(file)) => self.put(file, rank, color, king),
                    (None, _) => self.fault(FenFault::UnknownPiece { letter, rank: rank + 1 }),
                    // Beyond the edge; the length of the rank is a fault already.
                    (Some(_), Err(_)) => {}
                }
                file += 1;
            }
            if file != 8 {
                self.fault(FenFault::RankLength { rank: rank + 1, found: file });
            }
        }
    }

    fn quiet_field(&mut self, text: &str) {
        match decimal(text).and_then(|n| u16::try_from(n).ok()) {
            Some(plies) if self.quiet_plies.is_none() => self.quiet_plies = Some(plies),
            _ => self.bad("number of quiet plies", text),
        }
    }

    /// Many programs number the first move 0.
    fn move_field(&mut self, text: &str) {
        match decimal(text) {
            Some(number) if self.move_number.is_none() && number <= u32::MAX / 2 => {
                self.move_number = Some(number.max(1));
            }
            _ => self.bad("move number", text),
        }
    }

    /// The occupied cells as `(file, rank, color, king)`.
    fn pieces(&self) -> Vec<(u8, u8, Color, bool)> {
        let mut pieces = Vec::new();
        for (rank, row) in (0..).zip(self.cells) {
            for (file, cell) in (0..).zip(row) {
                if let Some((color, king)) = cell {
                    pieces.push((file, rank, color, king));
                }
            }
        }
        pieces
    }

    fn finish(mut self, rules: MakhosRules) -> Result<Board, FenError> {
        let pieces = self.pieces();
        let foreign = pieces.iter().filter(|&&(file, rank, ..)| (file + rank) % 2 == 1).count();
        let mirrored = foreign != 0;
        if mirrored && foreign != pieces.len() {
            self.fault(FenFault::MixedParity);
        }
        let (mut men, mut kings) = ([0; 2], [0; 2]);
        for (file, rank, color, king) in pieces {
            let own_file = if mirrored { 7 - file } else { file };
            let square = Square::at(own_file, rank).map_or(0, Square::bit);
            let last_rank = if color == Color::White { 7 } else { 0 };
            if king {
                kings[color.index()] |= square;
            } else if rank == last_rank {
                let square = name(file, rank);
                self.fault(FenFault::ImpossibleSquare { color, piece: "man", square });
            } else {
                men[color.index()] |= square;
            }
        }
        for color in Color::ALL {
            let cells = self.cells.iter().flatten();
            let found = cells.filter(|cell| cell.is_some_and(|(c, _)| c == color)).count();
            if found > Board::MAX_PIECES {
                self.fault(FenFault::TooManyMen { color, found, max: Board::MAX_PIECES });
            }
        }
        if !self.faults.is_empty() {
            return Err(FenError { faults: self.faults });
        }
        let side = self.side.unwrap_or(rules.first);
        let mut board = Board::new(Pieces { men, kings }, side, rules);
        board.quiet_plies = self.quiet_plies.unwrap_or(0);
        board.game_ply = (self.move_number.unwrap_or(1) - 1) * 2 + u32::from(side != rules.first);
        Ok(board)
    }
}

fn name(file: u8, rank: u8) -> String {
    format!("{}{}", char::from(b'a' + file.min(7)), rank + 1)
}

fn color_named(text: &str) -> Option<Color> {
    match text {
        "w" | "W" => Some(Color::White),
        "b" | "B" => Some(Color::Black),
        _ => None,
    }
}

/// `c3` as file and rank; playable or not.
fn algebraic(text: &str) -> Option<(u8, u8)> {
    match *text.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some((file - b'a', rank - b'1')),
        _ => None,
    }
}

/// Digits only: the standard parser would take a sign too.
fn decimal(text: &str) -> Option<u32> {
    if text.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// The number of a square.
fn number(text: &str) -> Option<u32> {
    decimal(text).filter(|&n| pdn_square(n).is_some())
}

fn pdn_square(number: u32) -> Option<Square> {
    Square::from_number(number, Numbering::Pdn)
}

pub(super) fn write(board: &Board) -> String {
    let mut fen = String::with_capacity(64);
    fen.push(board.side.letter().to_ascii_uppercase());
    for color in Color::ALL {
        fen.push(':');
        fen.push(color.letter().to_ascii_uppercase());
        for (i, square) in squares(board.pieces(color)).enumerate() {
            if i > 0 {
                fen.push(',');
            }
            if board.kings(color) & square.bit() != 0 {
                fen.push('K');
            }
            // Writing to a String cannot fail.
            let _ = write!(fen, "{}", square.number(Numbering::Pdn));
        }
    }
    let _ = write!(fen, ":H{}:F{}", board.quiet_plies, board.game_ply / 2 + 1);
    fen
}
