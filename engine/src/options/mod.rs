//! The options of the engine, each declared once: name, kind, default, range, effect.
//!
//! Protocols render the table [`OPTIONS`]; [`set`] applies one `name`/`value` pair.

use std::time::Duration;

use movegen::{
    AseanPromotion, Color, CountingRule, DeadPosition, LoneKings, PawnCapture, QuietReset, Removal,
    RuleSet, Variant,
};

use crate::report::one_line;
use crate::settings::{Overrides, Settings};
use crate::{book, endgame, networks};

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
        apply: fn(&mut Settings, &str) -> Result<Effect, String>,
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

/// All options, in the order in which they are announced. Options that rule sets bundle come before
/// `RuleSet`, so that a program which sends every default back cannot undo the rule set it sends
/// last.
pub static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Debug Log File",
        kind: OptionKind::Text {
            default: "",
            apply: |s, text| {
                text.clone_into(&mut s.log_file);
                Effect::LogFile
            },
        },
    },
    spin("Threads", 1, 1, 512, |s, n| {
        s.search.threads = to_usize(n);
        Effect::Search
    }),
    spin("Hash", 16, 1, 33_554_432, |s, n| {
        s.search.hash_mib = to_usize(n);
        Effect::Search
    }),
    OptionSpec { name: "Clear Hash", kind: OptionKind::Button { effect: Effect::ClearHash } },
    check("Ponder", false, |s, on| {
        s.ponder = on;
        Effect::None
    }),
    spin("MultiPV", 1, 1, 256, |s, n| {
        s.search.multi_pv = to_usize(n);
        Effect::Search
    }),
    spin("Skill Level", 20, -20, 20, |s, n| {
        s.search.skill_level = i32::try_from(n).unwrap_or(20);
        Effect::Search
    }),
    spin("Move Overhead", 10, 0, 5000, |s, n| {
        s.search.move_overhead = Duration::from_millis(n.unsigned_abs());
        Effect::Search
    }),
    spin("nodestime", 0, 0, 10_000, |s, n| {
        s.search.nodes_time = n.unsigned_abs();
        Effect::Search
    }),
    OptionSpec {
        name: "UCI_Variant",
        kind: OptionKind::Combo {
            default: "makruk",
            values: || Variant::ALL.map(Variant::name).to_vec(),
            apply: |s, text| {
                let variant = Variant::parse(text)
                    .ok_or_else(|| format!("there is no game '{}'", one_line(text, 24)))?;
                s.choose_game(variant);
                Ok(Effect::Game)
            },
        },
    },
    check("UCI_AnalyseMode", false, |s, on| {
        s.search.analyse = on;
        Effect::Search
    }),
    check("UCI_LimitStrength", false, |s, on| {
        s.limit_strength = on;
        Effect::Search
    }),
    spin("UCI_Elo", 1500, 500, 2850, |s, n| {
        s.elo = u32::try_from(n).unwrap_or(1500);
        Effect::Search
    }),
    check("UCI_ShowWDL", false, |s, on| {
        s.show_wdl = on;
        Effect::None
    }),
    OptionSpec {
        name: "EvalFile",
        kind: OptionKind::Text {
            default: networks::BUILT_IN,
            apply: |s, text| {
                text.clone_into(&mut s.eval_file);
                Effect::EvalFile
            },
        },
    },
    OptionSpec {
        name: "TablePath",
        kind: OptionKind::Text {
            default: endgame::BUILT_IN,
            apply: |s, text| {
                text.clone_into(&mut s.table_path);
                Effect::TablePath
            },
        },
    },
    check("OwnBook", false, |s, on| {
        s.own_book = on;
        Effect::None
    }),
    OptionSpec {
        name: "BookFile",
        kind: OptionKind::Text {
            default: book::BUILT_IN,
            apply: |s, text| {
                text.clone_into(&mut s.book_file);
                Effect::BookFile
            },
        },
    },
    spin("BookDepth", 255, 1, 1000, |s, n| {
        s.book_depth = u32::try_from(n).unwrap_or(255);
        Effect::None
    }),
    combo(
        "PawnCapture",
        "diagonal",
        || PawnCapture::ALL.iter().map(|v| v.name()).collect(),
        |s, text| {
            overrule(s, text, PawnCapture::parse(text), PawnCapture::Diagonal, |o| {
                &mut o.pawn_capture
            })
        },
    ),
    combo(
        "CountingRule",
        "standard",
        || CountingRule::ALL.iter().map(|v| v.name()).collect(),
        |s, text| {
            overrule(s, text, CountingRule::parse(text), CountingRule::Standard, |o| {
                &mut o.counting
            })
        },
    ),
    combo(
        "Repetition",
        "threefold",
        || vec!["threefold", "off"],
        |s, text| {
            let threefold = parse_word(text, &[("threefold", true), ("off", false)]);
            overrule(s, text, threefold, true, |o| &mut o.repetition)
        },
    ),
    check("FiftyMoveRule", true, |s, on| s.overrule(on, true, |o| &mut o.fifty_move_rule)),
    combo(
        "DeadPosition",
        "standard",
        || DeadPosition::ALL.iter().map(|v| v.name()).collect(),
        |s, text| {
            overrule(s, text, DeadPosition::parse(text), DeadPosition::Standard, |o| {
                &mut o.dead_position
            })
        },
    ),
    combo(
        "AseanPromotion",
        "all",
        || AseanPromotion::ALL.iter().map(|v| v.name()).collect(),
        |s, text| {
            overrule(s, text, AseanPromotion::parse(text), AseanPromotion::All, |o| {
                &mut o.asean_promotion
            })
        },
    ),
    spin("MaxGameMoves", 0, 0, 10_000, |s, n| {
        s.overrule(u16::try_from(n).unwrap_or(0), 0, |o| &mut o.max_game_moves)
    }),
    spin("BoardCountStart", 0, -1, 100_000, |s, n| {
        s.overrule(i32::try_from(n).unwrap_or(0), 0, |o| &mut o.board_count_start)
    }),
    combo(
        "MakhosFirst",
        "white",
        || vec!["white", "black"],
        |s, text| {
            let color = parse_word(text, &[("white", Color::White), ("black", Color::Black)]);
            overrule(s, text, color, Color::White, |o| &mut o.makhos_first)
        },
    ),
    combo(
        "MakhosRemoval",
        "immediate",
        || Removal::ALL.iter().map(|v| v.name()).collect(),
        |s, text| {
            overrule(s, text, Removal::parse(text), Removal::Immediate, |o| &mut o.makhos_removal)
        },
    ),
    check("MakhosReverse", true, |s, on| s.overrule(on, true, |o| &mut o.makhos_reverse)),
    spin("MakhosRepetition", 3, 0, 100, |s, n| {
        s.overrule(u8::try_from(n).unwrap_or(3), 3, |o| &mut o.makhos_repetition)
    }),
    spin("MakhosQuietPlies", 50, 0, 1000, |s, n| {
        s.overrule(u16::try_from(n).unwrap_or(50), 50, |o| &mut o.makhos_quiet_plies)
    }),
    combo(
        "MakhosQuietReset",
        "capture-or-man",
        || QuietReset::ALL.iter().map(|v| v.name()).collect(),
        |s, text| {
            overrule(s, text, QuietReset::parse(text), QuietReset::CaptureOrMan, |o| {
                &mut o.makhos_quiet_reset
            })
        },
    ),
    combo(
        "MakhosKK",
        "table",
        || LoneKings::ALL.iter().map(|v| v.name()).collect(),
        |s, text| {
            overrule(s, text, LoneKings::parse(text), LoneKings::Table, |o| {
                &mut o.makhos_lone_kings
            })
        },
    ),
    combo(
        "RuleSet",
        "standard",
        || RuleSet::ALL.iter().map(|v| v.name()).collect(),
        |s, text| {
            let set = RuleSet::parse(text).ok_or_else(|| no_such_value(text))?;
            s.choose_rule_set(set)?;
            Ok(Effect::Rules)
        },
    ),
];

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

const fn check(
    name: &'static str,
    default: bool,
    apply: fn(&mut Settings, bool) -> Effect,
) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Check { default, apply } }
}

const fn spin(
    name: &'static str,
    default: i64,
    min: i64,
    max: i64,
    apply: fn(&mut Settings, i64) -> Effect,
) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Spin { default, min, max, apply } }
}

const fn combo(
    name: &'static str,
    default: &'static str,
    values: fn() -> Vec<&'static str>,
    apply: fn(&mut Settings, &str) -> Result<Effect, String>,
) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Combo { default, values, apply } }
}

fn to_usize(n: i64) -> usize {
    usize::try_from(n).unwrap_or(0)
}

fn no_such_value(text: &str) -> String {
    format!("'{}' is none of its values", one_line(text, 24))
}

fn parse_word<T: Copy>(text: &str, words: &[(&str, T)]) -> Option<T> {
    words.iter().find(|(word, _)| text.eq_ignore_ascii_case(word)).map(|&(_, value)| value)
}

fn overrule<T: Copy + PartialEq>(
    settings: &mut Settings,
    text: &str,
    value: Option<T>,
    standard: T,
    slot: fn(&mut Overrides) -> &mut Option<T>,
) -> Result<Effect, String> {
    let value = value.ok_or_else(|| no_such_value(text))?;
    Ok(settings.overrule(value, standard, slot))
}

/// What came of setting an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// What has to be done now.
    pub effect: Effect,
    /// What the user should know.
    pub note: Option<String>,
}

impl Applied {
    fn ignored(note: String) -> Self {
        Self { effect: Effect::None, note: Some(note) }
    }
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
    let unreadable = |what: &str| {
        let shown = one_line(value, 24);
        let why = if value.is_empty() {
            "no value was given".to_owned()
        } else {
            format!("'{shown}' is not {what}")
        };
        Applied::ignored(format!("{} stays as it is: {why}", option.name))
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
        OptionKind::Combo { apply, .. } => match apply(settings, value) {
            Ok(effect) => Applied { effect, note: None },
            Err(why) => Applied::ignored(format!("{} stays as it is: {why}", option.name)),
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
        for foreign in FOREIGN {
            assert_eq!(set(&mut settings, foreign, Some("x")).note, None);
            assert!(find(foreign).is_none());
        }
    }
}
