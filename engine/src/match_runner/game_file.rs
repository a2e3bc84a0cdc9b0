//! Finished games as text: PGN for the chess games, PDN for Makhos.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use movegen::{Color, Variant};

use super::game::{PlayedGame, PlayedMove};

/// Longest line of move text.
const LINE: usize = 80;

/// What the tags of all games of a match say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MatchTags {
    /// Name of the event.
    pub(crate) event: String,
    /// The game.
    pub(crate) variant: Variant,
    /// Rule set and single options that differ from it.
    pub(crate) rules: String,
    /// Makhos: who makes the first move of the start position.
    pub(crate) first: Color,
    /// Names of the two engines.
    pub(crate) names: [String; 2],
    /// Their limits, as `TimeControl` shows them.
    pub(crate) time_controls: [String; 2],
}

/// Where a game stands in its match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// Number of the pair, from 0.
    pub(crate) pair: usize,
    /// 0 or 1: the second game of the pair has the colors reversed.
    pub(crate) half: usize,
}

impl Place {
    /// Index of the engine that has this color: the first engine begins a pair with White.
    pub(crate) fn engine(self, color: Color) -> usize {
        (color.index() + self.half) & 1
    }
}

/// A file that games are appended to.
#[derive(Debug)]
pub(crate) struct GameFile(File);

impl GameFile {
    /// Opens a file without touching what it holds; a last line without an end gets one, so that
    /// an interrupted writer spoils no more than its own game.
    pub(crate) fn append(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let length = file.seek(SeekFrom::End(0))?;
        if length > 0 {
            file.seek(SeekFrom::Start(length.saturating_sub(2)))?;
            let mut tail = Vec::new();
            file.read_to_end(&mut tail)?;
            let missing: &[u8] = match tail.as_slice() {
                b"\n\n" => b"",
                [.., b'\n'] => b"\n",
                _ => b"\n\n",
            };
            file.write_all(missing)?;
        }
        Ok(Self(file))
    }

    /// Appends one game in a single write.
    pub(crate) fn write(&mut self, text: &str) -> io::Result<()> {
        self.0.write_all(text.as_bytes())?;
        self.0.flush()
    }
}

/// A game as text, with an empty line at its end.
pub(crate) fn game_text(game: &PlayedGame, tags: &MatchTags, place: Place) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = escape(value);
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let name = |color: Color| tags.names[place.engine(color)].as_str();
    let time = |color: Color| tags.time_controls[place.engine(color)].as_str();
    tag("Event", &tags.event);
    tag("Site", "?");
    tag("Date", &date(game.began));
    tag("Round", &format!("{}.{}", place.pair + 1, place.half + 1));
    tag("White", name(Color::White));
    tag("Black", name(Color::Black));
    tag("Result", game.ending.result());
    match tags.variant {
        Variant::Makruk => tag("Variant", "Makruk"),
        Variant::Asean => tag("Variant", "Asean"),
        // 31 is Thai draughts; then who begins, the board, and where square 1 lies as the beginner
        // sees it: with b8 = 1 that is his top left (N2) for White, his bottom right (N1) for Black.
        Variant::Makhos => tag(
            "GameType",
            match tags.first {
                Color::White => "31,W,8,8,N2,0",
                Color::Black => "31,B,8,8,N1,0",
            },
        ),
    }
    tag("RuleSet", &tags.rules);
    match (tags.variant, game.from_start) {
        (Variant::Makhos, _) => tag("FEN", &game.start_fen),
        (_, true) => {}
        (_, false) => {
            tag("SetUp", "1");
            tag("FEN", &game.start_fen);
        }
    }
    if time(Color::White) == time(Color::Black) {
        tag("TimeControl", time(Color::White));
    } else {
        tag("WhiteTimeControl", time(Color::White));
        tag("BlackTimeControl", time(Color::Black));
    }
    tag("PlyCount", &game.moves.len().to_string());
    tag("Termination", game.ending.termination());
    text.push('\n');
    text.push_str(&move_text(game, tags.variant));
    text.push('\n');
    text
}

fn move_text(game: &PlayedGame, variant: Variant) -> String {
    let mut words = Words::default();
    // In draughts the beginner's move comes first in every full move, whatever his color.
    let black_first = variant != Variant::Makhos && game.first == Color::Black;
    let end = game.ending.describe();
    let last = game.moves.len().saturating_sub(1);
    for (i, m) in game.moves.iter().enumerate() {
        let ply = i + usize::from(black_first);
        let number = game.first_number as usize + ply / 2;
        if ply.is_multiple_of(2) {
            words.push(&format!("{number}."));
        } else if i == 0 {
            words.push(&format!("{number}..."));
        }
        words.push(&m.notation);
        let mut comment = comment(m);
        if i == last {
            let _ = write!(comment, ", {end}");
        }
        words.push_comment(&comment);
    }
    if game.moves.is_empty() {
        words.push_comment(&end);
    }
    words.push(game.ending.result());
    words.finish()
}

/// `+0.34/12 0.11s`, as cutechess writes it.
fn comment(m: &PlayedMove) -> String {
    let seconds = m.used.as_secs_f64();
    let time = if seconds < 1.0 { format!("{seconds:.3}s") } else { format!("{seconds:.2}s") };
    match m.score {
        Some((score, depth)) => format!("{}/{depth} {time}", score.text()),
        None => time,
    }
}

/// Words in lines of limited length.
#[derive(Default)]
struct Words {
    text: String,
    column: usize,
}

impl Words {
    fn push(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 {
            if self.column + 1 + length > LINE {
                self.text.push('\n');
                self.column = 0;
            } else {
                self.text.push(' ');
                self.column += 1;
            }
        }
        self.text.push_str(word);
        self.column += length;
    }

    /// A comment must not contain the brace that ends it.
    fn push_comment(&mut self, comment: &str) {
        let comment = format!("{{{}}}", plain(comment).trim().replace(['{', '}'], "|"));
        for word in comment.split(' ').filter(|word| !word.is_empty()) {
            self.push(word);
        }
    }

    fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }
}

/// A tag value: no control characters, quotes and backslashes marked.
fn escape(value: &str) -> String {
    plain(value).replace('\\', "\\\\").replace('"', "\\\"")
}

fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The UTC date as `2026.01.31` (H. Hinnant's algorithm for civil days).
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let days = seconds / 86_400 + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::super::declared::EngineScore;
    use super::super::game::{Ending, Offence};
    use super::*;
    use movegen::{DrawReason, Outcome};
    use std::time::Duration;

    fn tags(variant: Variant) -> MatchTags {
        MatchTags {
            event: "A \"quoted\" \\ event".into(),
            variant,
            rules: "standard".into(),
            first: Color::White,
            names: ["One".into(), "Two".into()],
            time_controls: ["1+0.01".into(), "1+0.01".into()],
        }
    }

    fn game(notations: &[&str], first: Color) -> PlayedGame {
        PlayedGame {
            start_fen: "FEN".into(),
            from_start: false,
            first,
            first_number: 7,
            moves: notations
                .iter()
                .map(|&n| PlayedMove {
                    notation: n.into(),
                    score: Some((EngineScore::Centipawns(34), 12)),
                    used: Duration::from_millis(110),
                })
                .collect(),
            ending: Ending::Rules(Outcome::Draw(DrawReason::Counting)),
            margin_used: [0; 2],
            bad_lines: [0; 2],
            began: UNIX_EPOCH + Duration::from_secs(1_709_164_800),
        }
    }

    #[test]
    fn a_chess_game() {
        let game = game(&["Nd2", "d5", "Se2"], Color::Black);
        let text = game_text(&game, &tags(Variant::Makruk), Place { pair: 4, half: 1 });
        let expected = "\
[Event \"A \\\"quoted\\\" \\\\ event\"]
[Site \"?\"]
[Date \"2024.02.29\"]
[Round \"5.2\"]
[White \"Two\"]
[Black \"One\"]
[Result \"1/2-1/2\"]
[Variant \"Makruk\"]
[RuleSet \"standard\"]
[SetUp \"1\"]
[FEN \"FEN\"]
[TimeControl \"1+0.01\"]
[PlyCount \"3\"]
[Termination \"normal\"]

7... Nd2 {+0.34/12 0.110s} 8. d5 {+0.34/12 0.110s} Se2 {+0.34/12 0.110s, draw by
counting} 1/2-1/2

";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_draughts_game_without_moves() {
        let mut game = game(&[], Color::White);
        game.ending = Ending::Forfeit(Color::White, Offence::Crash, "a}b\n".into());
        let mut tags = tags(Variant::Makhos);
        tags.time_controls[1] = "- nodes 5".into();
        let text = game_text(&game, &tags, Place { pair: 0, half: 0 });
        assert!(text.contains("[GameType \"31,W,8,8,N2,0\"]\n"), "{text}");
        assert!(text.contains("[FEN \"FEN\"]\n") && !text.contains("SetUp"), "{text}");
        assert!(text.contains("[WhiteTimeControl \"1+0.01\"]\n[BlackTimeControl \"- nodes 5\"]\n"));
        assert!(text.ends_with("\n\n{White crashes: a|b} 0-1\n\n"), "{text}");
    }

    #[test]
    fn dates() {
        for (days, text) in [
            (0, "1970.01.01"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (11_017, "2000.03.01"),
            (20_453, "2025.12.31"),
            (20_454, "2026.01.01"),
        ] {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(days * 86_400 + 86_399)), text);
        }
    }

    #[test]
    fn appending_to_a_torn_file() {
        let path = std::env::temp_dir().join(format!("hanuman-append-{}.pgn", std::process::id()));
        std::fs::write(&path, "[Event \"x\"]\n1. d4").unwrap();
        GameFile::append(&path).unwrap().write("second\n\n").unwrap();
        GameFile::append(&path).unwrap().write("third\n\n").unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(text, "[Event \"x\"]\n1. d4\n\nsecond\n\nthird\n\n");
    }
}
