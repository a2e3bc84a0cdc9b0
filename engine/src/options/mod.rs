//! The options of the engine, each declared once: name, kind, default, range, effect.
//!
//! Protocols render the table [`OPTIONS`]; [`set`] applies one `name`/`value` pair.

mod table;

pub use table::OPTIONS;

use crate::report::one_line;
use crate::settings::Settings;

/// One option.
#[derive(Debug)]
pub struct OptionSpec {
    /// Its name; matched without regard to case.
    pub name: &'static str,
    /// Its kind, default, range and effect.
    pub kind: OptionKind,
}

/// What values an option takes and what they do.
#[derive(Debug)]
pub enum OptionKind {
    /// True or false.
    Check {
        /// Value at start-up.
        default: bool,
        /// Stores the value.
        apply: fn(&mut Settings, bool) -> Effect,
    },
    /// A whole number.
    Spin {
        /// Value at start-up.
        default: i64,
        /// Least value.
        min: i64,
        /// Greatest value.
        max: i64,
        /// Stores the value, already brought into range.
        apply: fn(&mut Settings, i64) -> Effect,
    },
    /// One of several words.
    Combo {
        /// Value at start-up.
        default: &'static str,
        /// The words.
        values: fn() -> Vec<&'static str>,
        /// Stores the value.
        ///
        /// # Errors
        /// Says why the word cannot be taken.
        apply: fn(&mut Settings, &str) -> Result<Effect, Refusal>,
    },
    /// Any text; empty is unset.
    Text {
        /// Value at start-up, empty for unset.
        default: &'static str,
        /// Stores the text.
        apply: fn(&mut Settings, &str) -> Effect,
    },
    /// Something to do at once.
    Button {
        /// What.
        effect: Effect,
    },
}

/// Why a word is not taken as a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It is none of the values.
    NoSuchValue,
    /// It does not go with the other settings, and why.
    Because(String),
}

/// What has to be done after an option has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing: the setting is looked up when needed.
    None,
    /// Hand the search its new options.
    Search,
    /// The rules may have changed.
    Rules,
    /// A game was chosen, perhaps the same as before.
    Game,
    /// Empty the transposition table.
    ClearHash,
    /// Open or close the log.
    LogFile,
    /// Read a network file.
    EvalFile,
    /// Open endgame tables.
    TablePath,
    /// Read an opening book.
    BookFile,
}

/// Options of other engines that front ends send to every engine; not worth a word.
const FOREIGN: &[&str] = &[
    "UCI_Chess960",
    "Use NNUE",
    "UCI_Opponent",
    "UCI_EngineAbout",
    "UCI_SetPositionValue",
    "UCI_ShowCurrLine",
    "Book File",
    "Contempt",
    "Slow Mover",
    "SyzygyPath",
    "VariantPath",
    "UCI_RatingAdv",
];

fn parse_word<T: Copy>(text: &str, words: &[(&str, T)]) -> Option<T> {
    words.iter().find(|(word, _)| text.eq_ignore_ascii_case(word)).map(|&(_, value)| value)
}

/// What came of setting an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// What has to be done now.
    pub effect: Effect,
    /// What the user should know.
    pub note: Option<String>,
}

/// The option with this name, without regard to case and to the amount of blanks.
pub fn find(name: &str) -> Option<&'static OptionSpec> {
    OPTIONS.iter().find(|option| same_name(option.name, name))
}

fn same_name(left: &str, right: &str) -> bool {
    let mut left = left.split_whitespace();
    let mut right = right.split_whitespace();
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(l), Some(r)) if l.eq_ignore_ascii_case(r) => {}
            _ => return false,
        }
    }
}

/// Sets the option `name`. A value out of range is brought into range, a value that cannot be read
/// leaves the option as it was; either is noted.
pub fn set(settings: &mut Settings, name: &str, value: Option<&str>) -> Applied {
    #[cfg(feature = "tune")]
    if let Some(applied) = crate::tuning::set(name, value) {
        return applied;
    }
    let Some(option) = find(name) else {
        let known_elsewhere = FOREIGN.iter().any(|foreign| same_name(foreign, name));
        let note =
            (!known_elsewhere).then(|| format!("there is no option '{}'", one_line(name, 40)));
        return Applied { effect: Effect::None, note };
    };
    let value = value.map(str::trim).filter(|&text| text != "<empty>").unwrap_or_default();
    let refused = |why: String| Applied {
        effect: Effect::None,
        note: Some(format!("{} stays as it is: {why}", option.name)),
    };
    let unreadable = |what: &str| {
        refused(if value.is_empty() {
            "no value was given".to_owned()
        } else {
            format!("'{}' is not {what}", one_line(value, 24))
        })
    };
    match option.kind {
        OptionKind::Check { apply, .. } => {
            match parse_word(value, &[("true", true), ("false", false)]) {
                Some(on) => Applied { effect: apply(settings, on), note: None },
                None => unreadable("true or false"),
            }
        }
        OptionKind::Spin { min, max, apply, .. } => match parse_number(value) {
            Some(number) => {
                let used = number.clamp(min, max);
                let note = (used != number).then(|| {
                    format!("{} must lie between {min} and {max}: {used} it is", option.name)
                });
                Applied { effect: apply(settings, used), note }
            }
            None => unreadable("a whole number"),
        },
        OptionKind::Combo { values, apply, .. } => match apply(settings, value) {
            Ok(effect) => Applied { effect, note: None },
            Err(Refusal::NoSuchValue) => unreadable(&format!("one of {}", values().join(", "))),
            Err(Refusal::Because(why)) => refused(why),
        },
        OptionKind::Text { apply, .. } => Applied { effect: apply(settings, value), note: None },
        OptionKind::Button { effect } => Applied { effect, note: None },
    }
}

/// Reads a whole number; one that is too large for its type becomes the largest.
pub fn parse_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let saturated = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(saturated))
}

#[cfg(test)]
mod tests {
    use movegen::{CountingRule, PawnCapture, RuleSet, Variant};

    use super::*;
    use crate::dispatch::GameRules;

    /// The value at start-up as text; `None` for buttons.
    fn default_text(option: &OptionSpec) -> Option<String> {
        match option.kind {
            OptionKind::Check { default, .. } => Some(default.to_string()),
            OptionKind::Spin { default, .. } => Some(default.to_string()),
            OptionKind::Combo { default, .. } => Some(default.to_owned()),
            OptionKind::Text { default, .. } => Some(default.to_owned()),
            OptionKind::Button { .. } => None,
        }
    }

    #[test]
    fn declared_defaults_are_the_settings_at_start() {
        let mut settings = Settings::default();
        for option in OPTIONS {
            let value = default_text(option);
            let applied = set(&mut settings, option.name, value.as_deref());
            assert_eq!(applied.note, None, "{}", option.name);
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn names_suit_every_front_end() {
        for option in OPTIONS {
            for word in option.name.split(' ') {
                let keywords = ["name", "type", "default", "min", "max", "var", "value"];
                assert!(!keywords.contains(&word.to_ascii_lowercase().as_str()), "{}", option.name);
            }
            assert_eq!(option.name.trim(), option.name);
            assert!(std::ptr::eq(find(&option.name.to_uppercase()).unwrap(), option));
        }
    }

    #[test]
    fn every_combo_value_is_taken_in_some_game() {
        for option in OPTIONS {
            let OptionKind::Combo { values, default, .. } = option.kind else { continue };
            assert!(values().contains(&default), "{}", option.name);
            for value in values() {
                let taken = Variant::ALL.iter().any(|&variant| {
                    let mut settings = Settings::default();
                    settings.choose_game(variant);
                    set(&mut settings, option.name, Some(&value.to_uppercase())).note.is_none()
                });
                assert!(taken, "{} {value}", option.name);
            }
        }
    }

    #[test]
    fn a_rule_set_outlives_a_change_of_game_that_has_it_too() {
        let mut settings = Settings::default();
        for (name, value) in [("RuleSet", "cutechess"), ("UCI_Variant", "asean")] {
            assert_eq!(set(&mut settings, name, Some(value)).note, None);
        }
        assert_eq!(settings.rule_set, RuleSet::Cutechess);
        set(&mut settings, "UCI_Variant", Some("makhos"));
        assert_eq!(settings.rule_set, RuleSet::Standard);
        set(&mut settings, "UCI_Variant", Some("makruk"));
        assert_eq!(settings.rule_set, RuleSet::Standard);
    }

    #[test]
    fn a_rule_set_yields_to_single_options_in_any_order() {
        for flip in [false, true] {
            let mut pairs = [("RuleSet", "yeeqia"), ("CountingRule", "none")];
            if flip {
                pairs.reverse();
            }
            let mut settings = Settings::default();
            for (name, value) in pairs {
                assert_eq!(set(&mut settings, name, Some(value)).note, None);
            }
            let GameRules::Makruk(rules) = settings.game_rules() else { panic!("not Makruk") };
            assert_eq!(rules.counting, CountingRule::None);
            assert_eq!(rules.pawn_capture, PawnCapture::Straight);
        }
    }

    #[test]
    fn a_single_option_can_take_one_rule_of_a_set_back() {
        let mut settings = Settings::default();
        set(&mut settings, "RuleSet", Some("yeeqia"));
        set(&mut settings, "PawnCapture", Some("diagonal"));
        let GameRules::Makruk(rules) = settings.game_rules() else { panic!("not Makruk") };
        assert_eq!(rules.pawn_capture, PawnCapture::Diagonal);
        assert_eq!(rules.max_game_moves, 300);
    }

    #[test]
    fn defaults_sent_back_do_not_undo_a_rule_set() {
        let mut settings = Settings::default();
        for option in OPTIONS {
            let value = match option.name {
                "UCI_Variant" => Some("asean".to_owned()),
                "RuleSet" => Some("laws2011".to_owned()),
                _ => default_text(option),
            };
            set(&mut settings, option.name, value.as_deref());
        }
        assert_eq!(
            Some(settings.game_rules()),
            GameRules::preset(Variant::Asean, RuleSet::Laws2011)
        );
    }

    #[test]
    fn another_game_falls_back_to_the_standard_rules() {
        let mut settings = Settings::default();
        set(&mut settings, "RuleSet", Some("cutechess"));
        assert!(set(&mut settings, "RuleSet", Some("mak-hos")).note.is_some());
        assert_eq!(settings.rule_set, RuleSet::Cutechess);
        set(&mut settings, "UCI_Variant", Some("makruk"));
        assert_eq!(settings.rule_set, RuleSet::Cutechess, "the same game again changes nothing");
        set(&mut settings, "uci_variant", Some("THAI"));
        assert_eq!(
            Some(settings.game_rules()),
            GameRules::preset(Variant::Makhos, RuleSet::Standard)
        );
    }

    #[test]
    fn values_out_of_range_are_clamped_and_nonsense_is_refused() {
        let mut settings = Settings::default();
        for (value, used) in [
            ("0", 1),
            ("-5", 1),
            ("99999999999999999999999", 33_554_432),
            ("64", 64),
            ("many", 64),
            ("", 64),
            ("1.5", 64),
            ("-", 64),
        ] {
            set(&mut settings, "hash", Some(value));
            assert_eq!(settings.search.hash_mib, used, "{value}");
        }
        assert!(set(&mut settings, "Hash", None).note.is_some());
        assert!(set(&mut settings, "NoSuchOption", Some("3")).note.is_some());
        for option in OPTIONS {
            let OptionKind::Combo { values, .. } = option.kind else { continue };
            let note = set(&mut settings, option.name, Some("nonsense")).note.unwrap();
            for value in values() {
                assert!(note.contains(value), "{note}");
            }
        }
        for foreign in FOREIGN {
            assert_eq!(set(&mut settings, foreign, Some("x")).note, None);
            assert!(find(foreign).is_none());
        }
    }
}
