//! The board for a terminal.

use std::fmt::Write as _;

use movegen::{Color, Numbering, Variant};

use super::args::{Language, Pieces};
use crate::referee::BoardView;

/// How the board is drawn.
pub(super) struct Style {
    pub(super) variant: Variant,
    pub(super) pieces: Pieces,
    /// Empty dark squares of Makhos show their numbers.
    pub(super) numbering: Numbering,
    /// The terminal shows colors.
    pub(super) color: bool,
    /// Whose side of the board is below.
    pub(super) below: Color,
}

const RESET: &str = "\x1b[0m";
/// Ink of each color's men, on either kind of square, and behind the squares of the last move.
const INK: [&str; 2] = ["\x1b[1;97m", "\x1b[1;30m"];
const SQUARES: [&str; 2] = ["\x1b[48;5;180m", "\x1b[48;5;137m"];
const LAST_MOVE: &str = "\x1b[48;5;143m";
const NUMBER_INK: &str = "\x1b[38;5;94m";

impl Style {
    /// The board. Squares of the last move stand out: by color, or between brackets.
    pub(super) fn board(&self, view: &BoardView, last: &[(u8, u8)]) -> String {
        let mut text = String::new();
        let order = |white_order: [u8; 8]| {
            let mut order = white_order;
            if self.below == Color::Black {
                order.reverse();
            }
            order
        };
        let ranks = order([7, 6, 5, 4, 3, 2, 1, 0]);
        let files = order([0, 1, 2, 3, 4, 5, 6, 7]);
        for rank in ranks {
            let _ = write!(text, "  {}  ", rank + 1);
            for file in files {
                let letter = view.cells[usize::from(rank)][usize::from(file)];
                let marked = last.contains(&(file, rank));
                text.push_str(&self.cell(letter, file, rank, marked));
            }
            text.push('\n');
        }
        text.push_str("\n     ");
        for file in files {
            let _ = write!(text, " {}  ", char::from(b'a' + file));
        }
        text.push('\n');
        text
    }

    /// A square, four columns wide.
    fn cell(&self, letter: Option<char>, file: u8, rank: u8, marked: bool) -> String {
        let dark = (file + rank).is_multiple_of(2);
        let (symbol, color) = match letter {
            Some(letter) => {
                let (symbol, color) = self.symbol(letter);
                (symbol, Some(color))
            }
            None => (self.empty(file, rank, dark), None),
        };
        if !self.color {
            let [left, right] = if marked { ['[', ']'] } else { [' ', ' '] };
            // A number may take two columns.
            let pad = if columns(&symbol) > 1 { "" } else { " " };
            return format!("{left}{symbol}{right}{pad}");
        }
        let square = if marked { LAST_MOVE } else { SQUARES[usize::from(dark)] };
        painted(&symbol, color, square)
    }

    fn empty(&self, file: u8, rank: u8, dark: bool) -> String {
        match self.variant {
            Variant::Makhos if dark => {
                let square = movegen::makhos::Square::at(file, rank);
                square.map_or_else(String::new, |s| format!("{:>2}", s.number(self.numbering)))
            }
            Variant::Makhos => " ".to_owned(),
            _ if self.color => " ".to_owned(),
            _ => ".".to_owned(),
        }
    }

    /// How a man looks, and whose it is.
    fn symbol(&self, letter: char) -> (String, Color) {
        if self.variant == Variant::Makhos {
            return self.draughtsman(letter);
        }
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let kind = letter.to_ascii_uppercase();
        let symbol = match self.pieces {
            Pieces::Ascii => return (letter.to_string(), color),
            Pieces::Unicode => {
                let kinds = ['K', 'M', 'Q', 'S', 'B', 'N', 'R', 'P'];
                let white = ['♔', '♕', '♕', '♗', '♗', '♘', '♖', '♙'];
                let black = ['♚', '♛', '♛', '♝', '♝', '♞', '♜', '♟'];
                // In color the ink tells the sides apart, and full men are easier to see.
                let set = if color == Color::White && !self.color { white } else { black };
                kinds.iter().position(|&k| k == kind).and_then(|i| set.get(i).copied())
            }
            Pieces::Thai => thai_letter(kind),
        };
        let symbol = symbol.unwrap_or(letter);
        if self.pieces == Pieces::Thai && !self.color && color == Color::Black {
            // Letters have no case: Black's wear a mark.
            return (format!("{symbol}'"), color);
        }
        (symbol.to_string(), color)
    }

    fn draughtsman(&self, letter: char) -> (String, Color) {
        let color = if letter.eq_ignore_ascii_case(&'w') { Color::White } else { Color::Black };
        let king = letter.is_ascii_uppercase();
        let symbol = match (self.pieces, color, king) {
            (Pieces::Unicode, Color::White, false) if !self.color => '⛀',
            (Pieces::Unicode, Color::White, true) if !self.color => '⛁',
            (Pieces::Unicode, _, false) => '⛂',
            (Pieces::Unicode, _, true) => '⛃',
            _ => letter,
        };
        (symbol.to_string(), color)
    }
}

/// A symbol in the ink of its side, four columns wide.
fn painted(symbol: &str, color: Option<Color>, square: &str) -> String {
    let ink = color.map_or(NUMBER_INK, |color| INK[color.index()]);
    let pad = if columns(symbol) > 1 { "" } else { " " };
    format!("{square}{ink} {symbol}{pad} {RESET}")
}

/// Letters that stand for ขุน, เม็ด, โคน, ม้า, เรือ and เบี้ย.
fn thai_letter(kind: char) -> Option<char> {
    Some(match kind {
        'K' => 'ข',
        'M' | 'Q' => 'ด',
        'S' | 'B' => 'ค',
        'N' => 'ม',
        'R' => 'ร',
        'P' => 'บ',
        _ => return None,
    })
}

fn columns(text: &str) -> usize {
    text.chars().count()
}

/// The men of a game and their names, for those who meet them for the first time.
pub(super) fn legend(style: &Style, language: Language) -> String {
    let names: &[(char, &str, &str)] = match style.variant {
        Variant::Makruk => &[
            ('K', "khun, the king", "ขุน"),
            ('M', "met", "เม็ด"),
            ('S', "khon", "โคน"),
            ('N', "ma, the knight", "ม้า"),
            ('R', "ruea, the rook", "เรือ"),
            ('P', "bia, the pawn", "เบี้ย"),
        ],
        Variant::Asean => &[
            ('K', "king", "ขุน"),
            ('Q', "queen, a met", "เม็ด"),
            ('B', "bishop, a khon", "โคน"),
            ('N', "knight", "ม้า"),
            ('R', "rook", "เรือ"),
            ('P', "pawn", "เบี้ย"),
        ],
        Variant::Makhos => &[('w', "man", "เบี้ย"), ('W', "king", "ฮอส")],
    };
    let of = |&(letter, english, thai): &(char, &str, &str)| {
        let name = if language == Language::Th { thai } else { english };
        let (mut symbol, color) = style.symbol(letter);
        if symbol == letter.to_string() {
            return format!("{symbol} {name}");
        }
        if style.color {
            // As it looks on the board.
            symbol = painted(&symbol, Some(color), SQUARES[0]);
        }
        format!("{letter} {symbol} {name}")
    };
    names.iter().map(of).collect::<Vec<_>>().join(", ")
}

/// The squares that a move of UCI names: file and rank from 0.
pub(super) fn squares_of(uci: &str) -> Vec<(u8, u8)> {
    let bytes = uci.as_bytes().chunks_exact(2);
    bytes
        .filter(|pair| (b'a'..=b'h').contains(&pair[0]) && (b'1'..=b'8').contains(&pair[1]))
        .map(|pair| (pair[0] - b'a', pair[1] - b'1'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::GameRules;
    use crate::referee::new_game;

    fn style(variant: Variant, pieces: Pieces, below: Color) -> Style {
        Style { variant, pieces, numbering: Numbering::Pdn, color: false, below }
    }

    fn draw(style: &Style, last: &[(u8, u8)]) -> String {
        style.board(&new_game(GameRules::standard(style.variant)).board(), last)
    }

    #[test]
    fn boards_have_the_mover_below() {
        let white = style(Variant::Makruk, Pieces::Ascii, Color::White);
        let text = draw(&white, &[(4, 2)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0].trim_end(), "  8   r   n   s   m   k   s   n   r");
        assert_eq!(lines[5].trim_end(), "  3   P   P   P   P  [P]  P   P   P");
        assert_eq!(lines[9].trim_end(), "      a   b   c   d   e   f   g   h");
        let text = draw(&style(Variant::Makruk, Pieces::Ascii, Color::Black), &[]);
        assert_eq!(text.lines().next().unwrap().trim_end(), "  1   R   N   S   M   K   S   N   R");
    }

    #[test]
    fn the_legend_shows_the_men_as_the_board_does() {
        for variant in Variant::ALL {
            for pieces in [Pieces::Unicode, Pieces::Thai] {
                for color in [false, true] {
                    let style = Style { color, ..style(variant, pieces, Color::White) };
                    let (board, legend) = (draw(&style, &[]), legend(&style, Language::En));
                    let man = style.symbol(if variant == Variant::Makhos { 'w' } else { 'N' }).0;
                    assert!(board.contains(&man) && legend.contains(&man), "{legend}");
                    assert_eq!(legend.contains(RESET), color && man != "w");
                    assert_eq!(board.contains(RESET), color);
                }
            }
        }
    }

    #[test]
    fn every_kind_of_men_keeps_the_columns() {
        for variant in Variant::ALL {
            for pieces in [Pieces::Unicode, Pieces::Ascii, Pieces::Thai] {
                let text = draw(&style(variant, pieces, Color::White), &[]);
                let widths: Vec<usize> = text.lines().take(8).map(columns).collect();
                assert_eq!(widths, [37; 8], "{text}");
            }
        }
        let text = draw(&style(Variant::Makhos, Pieces::Ascii, Color::White), &[]);
        assert!(text.lines().nth(2).unwrap().contains(" 9 "), "{text}");
        assert!(text.lines().nth(5).unwrap().contains("24"), "{text}");
    }
}
