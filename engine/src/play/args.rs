//! The command line of `hanuman play`.

use std::time::Duration;

use clap::{Args, ValueEnum};
use movegen::{Color, Numbering};

use crate::dispatch::GameRules;
use crate::game_args::GameArgs;

use super::PlayError;
use crate::settings::Settings;

/// Play against Hanuman in the terminal
#[derive(Args, Clone, Debug)]
pub struct PlayArgs {
    #[command(flatten)]
    pub(super) game: GameArgs,
    /// Strength, 1 (easy) to 10 [default: 10]
    #[arg(long, value_name = "1..10", conflicts_with = "elo",
        value_parser = clap::value_parser!(u8).range(1..=10))]
    pub(super) level: Option<u8>,
    /// Strength as a rating
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(500..=2850))]
    pub(super) elo: Option<u32>,
    /// Your side: white, black, random, or both
    /// to move for either side
    #[arg(long, value_enum, hide_possible_values = true, default_value_t = Side::White,
        verbatim_doc_comment)]
    pub(super) side: Side,
    /// Clocks, as 5+3: minutes, and seconds a move;
    /// 0+3 starts the clocks at 3 seconds.
    /// Without them Hanuman thinks for a second
    #[arg(long, value_name = "MIN+SEC", value_parser = parse_time, verbatim_doc_comment)]
    pub(super) time: Option<TimeControl>,
    /// Begin here instead of at the start position
    #[arg(long)]
    pub(super) fen: Option<String>,
    /// Language: en or th
    #[arg(long, value_enum, hide_possible_values = true, default_value_t = Language::En)]
    pub(super) lang: Language,
    /// Pieces: unicode, ascii or thai
    /// [default: unicode, or ascii without colors]
    #[arg(long, value_enum, hide_possible_values = true, verbatim_doc_comment)]
    pub(super) pieces: Option<Pieces>,
    /// Makhos: how squares are numbered, pdn (b8 is 1) or
    /// mak-hos (h8 is 1)
    #[arg(long, value_parser = parse_numbering, verbatim_doc_comment)]
    pub(super) numbers: Option<Numbering>,
}

/// Who the person is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Side {
    White,
    Black,
    Random,
    Both,
}

/// The language of everything that is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Language {
    En,
    Th,
}

/// How pieces are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Pieces {
    Unicode,
    Ascii,
    Thai,
}

/// Time for the game, and time that each move adds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TimeControl {
    pub(super) base: Duration,
    pub(super) increment: Duration,
}

fn parse_time(text: &str) -> Result<TimeControl, String> {
    let number = |text: &str| {
        let number = text.trim().parse::<f64>();
        let number = number.map_err(|_| {
            format!("clocks are written like 5+3 (minutes, and seconds a move), not '{text}'")
        })?;
        let allowed = (0.0..=10_000.0).contains(&number);
        allowed.then_some(number).ok_or_else(|| format!("{text} is not between 0 and 10000"))
    };
    let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
    let minutes = Duration::from_secs_f64(number(minutes)? * 60.0);
    let increment = Duration::from_secs_f64(number(seconds)?);
    // Nobody could make a first move without any time.
    let base = if minutes.is_zero() { increment } else { minutes };
    if base.is_zero() {
        return Err("there is no time to play with; 5+3 is five minutes and three seconds a move"
            .to_owned());
    }
    Ok(TimeControl { base, increment })
}

fn parse_numbering(text: &str) -> Result<Numbering, String> {
    Numbering::parse(text).ok_or_else(|| "the numberings are pdn and mak-hos".to_owned())
}

/// The skill of a level from 1 to 10: even steps from the weakest to full strength.
pub(super) fn skill_of(level: u8) -> i32 {
    (i32::from(level.clamp(1, 10)) - 1) * 40 / 9 - 20
}

impl PlayArgs {
    /// The settings that the arguments ask for.
    pub(super) fn settings(&self) -> Result<Settings, PlayError> {
        let mut settings = self.game.settings().map_err(PlayError::Argument)?;
        if let Some(level) = self.level {
            settings.search.skill_level = skill_of(level);
        }
        if let Some(elo) = self.elo {
            settings.limit_strength = true;
            settings.elo = elo;
        }
        Ok(settings)
    }

    /// The rules, with the squares numbered as they are wanted.
    pub(super) fn rules(&self, settings: &Settings) -> GameRules {
        match (settings.game_rules(), self.numbers) {
            (GameRules::Makhos(mut rules), Some(numbering)) => {
                rules.numbering = numbering;
                GameRules::Makhos(rules)
            }
            (rules, _) => rules,
        }
    }

    /// How pieces are drawn on a terminal with colors or without: there full and hollow men are
    /// told apart too badly, small and large letters well.
    pub(super) fn pieces(&self, color: bool) -> Pieces {
        let usual = if color { Pieces::Unicode } else { Pieces::Ascii };
        self.pieces.unwrap_or(usual)
    }

    /// The sides that the person plays.
    pub(super) fn sides(&self) -> [bool; 2] {
        let one = |color: Color| [color == Color::White, color == Color::Black];
        match self.side {
            Side::White => one(Color::White),
            Side::Black => one(Color::Black),
            Side::Both => [true; 2],
            Side::Random => {
                // The hasher's keys are random.
                use std::hash::{BuildHasher, RandomState};
                one(Color::ALL[(RandomState::new().hash_one(0) & 1) as usize])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_go_from_the_weakest_to_full_strength() {
        let skills: Vec<i32> = (1..=10).map(skill_of).collect();
        assert_eq!((skills[0], skills[9]), (-20, 20));
        assert!(skills.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn clocks_are_read() {
        let time = |text| parse_time(text).map(|t| (t.base.as_secs(), t.increment.as_secs()));
        assert_eq!(time("5+3"), Ok((300, 3)));
        assert_eq!(time("0.5"), Ok((30, 0)));
        assert_eq!(time("0+2"), Ok((2, 2)));
        for (text, fault) in [
            ("", "like 5+3"),
            ("0", "no time to play with"),
            ("0+0", "no time to play with"),
            ("x+1", "not 'x'"),
            ("5+x", "not 'x'"),
            ("-1+0", "not between"),
            ("nan", "not between"),
            ("1e9", "not between"),
        ] {
            assert!(time(text).unwrap_err().contains(fault), "{text}");
        }
    }
}
