//! The Universal Shogi Interface, as Fairy-Stockfish speaks it for these games: UCI with other
//! squares (files 8 to 1 from the left, ranks `a` to `h` from above), with `b` for the side that
//! begins (White, sente), positions without clocks, and mates counted in plies.

use movegen::Color;
use search::ScoreKind;

use super::uci::{introduction, search_line};
use super::{Parsed, Protocol, Rendered, Uci, plies_to_end};
use crate::command::{Command, GoRequest, PositionRequest, StartPosition};
use crate::options::parse_number;
use crate::report::{Report, one_line};

/// The protocol of shogi front ends.
#[derive(Debug)]
pub struct Usi {
    /// Who moves in the position that was set last: a time without a name is his.
    mover: Color,
}

impl Default for Usi {
    fn default() -> Self {
        Self { mover: Color::White }
    }
}

impl Protocol for Usi {
    fn parse(&mut self, line: &str) -> Parsed {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return Parsed::default() };
        match first {
            "usi" => Command::Handshake.into(),
            "usinewgame" => Command::NewGame.into(),
            "gameover" => Command::Stop.into(),
            "position" => self.parse_position(words),
            "go" => self.parse_go(words.collect()),
            "setoption" => set_option(Uci.parse(line)),
            "isready" | "stop" | "ponderhit" | "quit" => Uci.parse(line),
            unknown => {
                Parsed::nothing_but(format!("unknown command '{}' of USI", one_line(unknown, 40)))
            }
        }
    }

    fn render(&mut self, report: &Report) -> Rendered {
        let text = match report {
            Report::Handshake => introduction() + "usiok",
            Report::BestMove { best: None, .. } => "bestmove resign".to_owned(),
            Report::BestMove { best: Some(best), ponder } => {
                let mut line = format!("bestmove {}", to_usi(best));
                if let Some(ponder) = ponder {
                    line = line + " ponder " + &to_usi(ponder);
                }
                line
            }
            Report::Search(search) => {
                let mut search = search.clone();
                search.pv = search.pv.iter().map(|text| to_usi(text)).collect();
                if let ScoreKind::Mate(moves) = search.score {
                    search.score = ScoreKind::Mate(plies_to_end(moves));
                }
                search_line(&search)
            }
            Report::CurrentMove { depth, text, number } => {
                format!("info depth {depth} currmove {} currmovenumber {number}", to_usi(text))
            }
            Report::Note(text) => {
                let words: Vec<String> = text.split(' ').map(to_usi).collect();
                return Uci.render(&Report::Note(words.join(" ")));
            }
            Report::Ready
            | Report::Fault(_)
            | Report::Text(_)
            | Report::GameChosen { .. }
            | Report::PerftMove { .. }
            | Report::PerftTotal(_) => return Uci.render(report),
        };
        text.into()
    }
}

impl Usi {
    fn parse_position<'a>(&mut self, mut words: impl Iterator<Item = &'a str>) -> Parsed {
        let (start, begins) = match words.next() {
            Some("startpos") => {
                while words.next().is_some_and(|word| word != "moves") {}
                (StartPosition::Standard, Color::White)
            }
            Some("sfen") => {
                let fields: Vec<&str> = words.by_ref().take_while(|&w| w != "moves").collect();
                match fen_of(&fields) {
                    Some((fen, begins)) => (StartPosition::Fen(fen), begins),
                    None => return Parsed::nothing_but("sfen needs a board and b or w"),
                }
            }
            _ => return Parsed::nothing_but("position needs startpos or sfen"),
        };
        let moves: Vec<String> = words.map(to_uci).collect();
        self.mover = if moves.len().is_multiple_of(2) { begins } else { begins.opposite() };
        Command::Position(PositionRequest { start, moves }).into()
    }

    fn parse_go(&self, words: Vec<&str>) -> Parsed {
        if words.first() == Some(&"mate") {
            return Parsed::answer("checkmate notimplemented");
        }
        let byoyomi_at = words.iter().position(|&word| word == "byoyomi");
        let byoyomi = byoyomi_at.map(|at| words.get(at + 1).and_then(|text| parse_number(text)));
        // The side that begins is `b` here and White in UCI.
        let translated: Vec<String> = words
            .iter()
            .enumerate()
            .filter(|&(i, _)| byoyomi_at.is_none_or(|at| i != at && i != at + 1))
            .map(|(_, &word)| match word {
                "btime" => "wtime".to_owned(),
                "wtime" => "btime".to_owned(),
                "binc" => "winc".to_owned(),
                "winc" => "binc".to_owned(),
                word => to_uci(word),
            })
            .collect();
        let mut parsed = Uci.parse(&format!("go {}", translated.join(" ")));
        if let Some(byoyomi) = byoyomi {
            for command in &mut parsed.commands {
                if let Command::Go(go) = command {
                    add_byoyomi(go, byoyomi, self.mover);
                }
            }
            if byoyomi.is_none() {
                parsed.fault = Some("go: no number after byoyomi".to_owned());
            }
        }
        parsed
    }
}

/// Time that each move has anew and that cannot be saved: all that is left once the clock has run
/// down, an increment before.
fn add_byoyomi(go: &mut GoRequest, byoyomi: Option<i64>, mover: Color) {
    let Some(byoyomi) = byoyomi.map(|ms| ms.max(0)) else {
        go.unreadable_limit = true;
        return;
    };
    // With no more than that on the clock there is no reason to save any of it.
    if go.remaining_ms[mover.index()].is_none_or(|ms| ms <= byoyomi) {
        go.move_time_ms = Some(byoyomi.unsigned_abs());
        go.remaining_ms = [None; 2];
        go.increment_ms = [None; 2];
    } else {
        for increment in &mut go.increment_ms {
            *increment = Some(increment.unwrap_or(0).saturating_add(byoyomi));
        }
    }
}

/// The FEN of an SFEN (board, side, hands, number of the next ply), and who begins.
fn fen_of(fields: &[&str]) -> Option<(String, Color)> {
    let (board, side) = (fields.first()?, fields.get(1)?);
    let (letter, color) = match *side {
        "b" => ('w', Color::White),
        "w" => ('b', Color::Black),
        _ => return None,
    };
    let ply = fields.get(3).and_then(|text| parse_number(text)).unwrap_or(1).max(1);
    let number = (ply - 1) / 2 + 1;
    Some((format!("{board} {letter} - - 0 {number}"), color))
}

/// A move of UCI in the squares of USI. Other text is left alone.
fn to_usi(text: &str) -> String {
    exchange_squares(text, |file, rank| {
        let (file, rank) = (within(file, b'a')?, within(rank, b'1')?);
        Some([b'8' - file, b'h' - rank])
    })
}

/// A move of USI in the squares of UCI. Other text is left alone.
fn to_uci(text: &str) -> String {
    exchange_squares(text, |file, rank| {
        let (file, rank) = (within(file, b'1')?, within(rank, b'a')?);
        Some([b'h' - file, b'8' - rank])
    })
}

/// The distance of a letter from the first of eight.
fn within(letter: u8, first: u8) -> Option<u8> {
    letter.checked_sub(first).filter(|&n| n < 8)
}

/// Exchanges the pairs of letters at the beginning of a text as long as they are squares; what
/// follows (a promotion) stays.
fn exchange_squares(text: &str, square: impl Fn(u8, u8) -> Option<[u8; 2]>) -> String {
    let mut rest = text.as_bytes();
    let mut exchanged = String::with_capacity(text.len());
    while let [file, rank, after @ ..] = rest
        && let Some(pair) = square(*file, *rank)
    {
        exchanged.extend(pair.map(char::from));
        rest = after;
    }
    // At least both ends: a word such as `a1` alone is no move.
    if exchanged.len() < 4 {
        return text.to_owned();
    }
    exchanged + &text[text.len() - rest.len()..]
}

fn set_option(mut parsed: Parsed) -> Parsed {
    for command in &mut parsed.commands {
        if let Command::SetOption { name, .. } = command {
            // What shogi front ends call them.
            let known = match name.as_str() {
                "USI_Hash" => "Hash",
                "USI_Ponder" => "Ponder",
                "USI_Variant" => "UCI_Variant",
                _ => continue,
            };
            known.clone_into(name);
        }
    }
    parsed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_those_of_fairy_stockfish() {
        for (uci, usi) in [
            ("b1d2", "7h5g"),
            ("e3e4", "4f4e"),
            ("a5a6m", "8d8cm"),
            ("a7a8b", "8b8ab"),
            ("d2b4d6", "5g7e5c"),
        ] {
            assert_eq!(to_usi(uci), usi);
            assert_eq!(to_uci(usi), uci);
        }
        for other in ["", "resign", "a1", "8h", "1000", "ü1a2", "9a9b"] {
            assert_eq!(to_uci(other), other);
        }
    }

    fn go(usi: &mut Usi, line: &str) -> GoRequest {
        match usi.parse(line).commands.pop() {
            Some(Command::Go(go)) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn times_belong_to_whoever_begins() {
        let mut usi = Usi::default();
        let request = go(&mut usi, "go btime 1000 wtime 2000 binc 10 winc 20");
        assert_eq!(request.remaining_ms, [Some(1000), Some(2000)]);
        assert_eq!(request.increment_ms, [Some(10), Some(20)]);
        // White has run out of time, Black has not.
        let request = go(&mut usi, "go btime 0 wtime 2000 byoyomi 500");
        assert_eq!((request.move_time_ms, request.remaining_ms), (Some(500), [None; 2]));
        usi.parse("position startpos moves 4f4e");
        let request = go(&mut usi, "go btime 0 wtime 2000 byoyomi 500");
        assert_eq!((request.move_time_ms, request.increment_ms), (None, [Some(500); 2]));
        let request = go(&mut usi, "go byoyomi x");
        assert!(request.is_bounded());
        assert_eq!(usi.parse("go mate 5000").answer, "checkmate notimplemented");
    }

    #[test]
    fn positions_lose_hands_and_gain_clocks() {
        let position = |line: &str| Usi::default().parse(line).commands.pop();
        let request = |fen: &str, moves: &[&str]| {
            let start = StartPosition::Fen(fen.to_owned());
            let moves = moves.iter().map(|&text| text.to_owned()).collect();
            Some(Command::Position(PositionRequest { start, moves }))
        };
        assert_eq!(
            position("position sfen 8/8/4k3/P7/8/8/8/4K3 w - 4 moves 4c4d 8d8c+"),
            request("8/8/4k3/P7/8/8/8/4K3 b - - 0 2", &["e6e5", "a5a6+"])
        );
        assert_eq!(position("position sfen 8/8"), None);
        assert_eq!(position("position"), None);
    }
}
