//! Features, options and moves in XBoard's words.

use std::fmt::Write as _;

use movegen::Variant;

use super::super::{engine_name, options_except};
use crate::options::OptionKind;

/// Options that XBoard has commands for, or no use.
const HIDDEN: &[&str] =
    &["UCI_Variant", "UCI_AnalyseMode", "UCI_ShowWDL", "Ponder", "Hash", "Threads"];

/// How XBoard is told a game that it does not know: pieces, board and position. Capitals are White's,
/// and `M` is a man.
pub(super) const MAKHOS_SETUP: &str = "setup (M.....K.m.....k.) 8x8+0_fairy \
     1m1m1m1m/m1m1m1m1/8/8/8/8/1M1M1M1M/M1M1M1M1 w - - 0 1";

/// The answer to `protover`.
pub(super) fn features() -> String {
    let mut text = format!(
        "feature done=0\n\
         feature myname=\"{}\" variants=\"makruk,asean,makhos\"\n\
         feature setboard=1 usermove=1 ping=1 time=1 playother=1 analyze=1 memory=1 smp=1 reuse=1\n\
         feature colors=0 draw=0 san=0 sigint=0 sigterm=0 debug=1 name=0 pause=0 ics=0\n",
        engine_name()
    );
    for option in options_except(HIDDEN) {
        let _ = write!(text, "feature option=\"{} ", option.name);
        let _ = match option.kind {
            OptionKind::Check { default, .. } => write!(text, "-check {}", u8::from(default)),
            OptionKind::Spin { default, min, max, .. } => {
                write!(text, "-spin {default} {min} {max}")
            }
            OptionKind::Combo { default, values, .. } => {
                let mark = |value: &&'static str| if *value == default { "*" } else { "" };
                let values: Vec<String> =
                    values().iter().map(|value| format!("{}{value}", mark(value))).collect();
                write!(text, "-combo {}", values.join(" /// "))
            }
            OptionKind::Text { default, .. } => write!(text, "-string {default}"),
            OptionKind::Button { .. } => write!(text, "-button"),
        };
        text.push_str("\"\n");
    }
    text.push_str("feature done=1");
    text
}

/// A position of Makhos in the letters and fields of [`MAKHOS_SETUP`] as the game reads it. Others are left
/// alone.
pub(super) fn makhos_fen(fen: &str) -> String {
    let mut fields = fen.split_whitespace();
    let (Some(board), side) = (fields.next(), fields.next().unwrap_or("w")) else {
        return fen.to_owned();
    };
    if !board.contains('/') || !board.contains(['m', 'M', 'k', 'K']) {
        return fen.to_owned();
    }
    let letter = |letter| match letter {
        'M' => 'w',
        'K' => 'W',
        'm' => 'b',
        'k' => 'B',
        other => other,
    };
    format!("{} {side}", board.chars().map(letter).collect::<String>())
}

/// The value of an option as UCI has it: XBoard sends 1 for true.
pub(super) fn option_value<'a>(kind: &OptionKind, value: Option<&'a str>) -> Option<&'a str> {
    match (kind, value) {
        (OptionKind::Check { .. }, Some("1")) => Some("true"),
        (OptionKind::Check { .. }, Some("0")) => Some("false"),
        (_, value) => value,
    }
}

/// A move of UCI as XBoard writes it: a capture of several pieces leg by leg.
pub(super) fn move_text(uci: &str, variant: Variant) -> String {
    if variant != Variant::Makhos || uci.len() <= 4 || !uci.is_ascii() {
        return uci.to_owned();
    }
    let squares: Vec<&str> = (0..uci.len() / 2).filter_map(|i| uci.get(2 * i..2 * i + 2)).collect();
    let legs: Vec<String> = squares.windows(2).map(<[&str]>::concat).collect();
    legs.join(",")
}

/// Whether a word that is no command was meant as a move: squares, and perhaps a promotion.
pub(super) fn looks_like_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    matches!(bytes, [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', ..])
}

/// The squares of a capture that was sent leg by leg, each square once: the end of a leg is the
/// beginning of the next.
pub(super) fn join_legs(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for leg in text.split(',') {
        let rest = match (joined.is_empty(), leg.get(2..)) {
            (false, Some(rest)) if leg.get(..2).is_some_and(|from| joined.ends_with(from)) => rest,
            _ => leg,
        };
        joined.push_str(rest);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_go_leg_by_leg() {
        assert_eq!(move_text("d2b4d6", Variant::Makhos), "d2b4,b4d6");
        assert_eq!(move_text("d2e3", Variant::Makhos), "d2e3");
        assert_eq!(move_text("a5a6m", Variant::Makruk), "a5a6m");
        assert_eq!(join_legs("d2b4,b4d6"), "d2b4d6");
        assert_eq!(join_legs("d2b4"), "d2b4");
        assert_eq!(join_legs("d2b4,c3,x"), "d2b4c3x");
    }

    #[test]
    fn positions_of_makhos_change_their_letters() {
        let board = MAKHOS_SETUP.split(' ').rev().nth(5).unwrap();
        let read = makhos_fen(&format!("{board} b - - 0 1"));
        assert_eq!(read, "1b1b1b1b/b1b1b1b1/8/8/8/8/1w1w1w1w/w1w1w1w1 b");
        for other in ["W:W32:B1", "nonsense", ""] {
            assert_eq!(makhos_fen(other), other);
        }
    }

    #[test]
    fn features_are_complete() {
        let text = features();
        assert!(text.ends_with("feature done=1"));
        assert!(text.lines().all(|line| line.starts_with("feature ")));
        assert!(text.contains("feature option=\"MultiPV -spin 1 1 "), "{text}");
        assert!(text.contains("feature option=\"RuleSet -combo *standard /// "), "{text}");
        assert!(!text.contains("option=\"Hash"), "{text}");
    }
}
