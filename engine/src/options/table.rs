//! The table of all options.

use std::time::Duration;

use movegen::{
    AseanPromotion, Color, CountingRule, DeadPosition, LoneKings, PawnCapture, QuietReset, Removal,
    RuleSet, Variant,
};

use super::{Effect, OptionKind, OptionSpec, Refusal, parse_word};
use crate::settings::{Overrides, Settings};
use crate::{book, endgame, networks};

/// All options, in the order in which they are announced. Options that rule sets bundle come before
/// `RuleSet`, so that a program which sends every default back cannot undo the rule set it sends
/// last.
pub static OPTIONS: &[OptionSpec] = &[
    text("Debug Log File", "", |s, text| {
        text.clone_into(&mut s.log_file);
        Effect::LogFile
    }),
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
    combo(
        "UCI_Variant",
        "makruk",
        || Variant::ALL.map(Variant::name).to_vec(),
        |s, text| {
            s.choose_game(Variant::parse(text).ok_or(Refusal::NoSuchValue)?);
            Ok(Effect::Game)
        },
    ),
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
    text("EvalFile", networks::BUILT_IN, |s, text| {
        text.clone_into(&mut s.eval_file);
        Effect::EvalFile
    }),
    text("TablePath", endgame::BUILT_IN, |s, text| {
        text.clone_into(&mut s.table_path);
        Effect::TablePath
    }),
    check("OwnBook", false, |s, on| {
        s.own_book = on;
        Effect::None
    }),
    text("BookFile", book::BUILT_IN, |s, text| {
        text.clone_into(&mut s.book_file);
        Effect::BookFile
    }),
    spin("BookDepth", 255, 1, 1000, |s, n| {
        s.book_depth = u32::try_from(n).unwrap_or(255);
        Effect::None
    }),
    combo(
        "PawnCapture",
        "diagonal",
        || PawnCapture::ALL.iter().map(|v| v.name()).collect(),
        |s, text| {
            overrule(s, PawnCapture::parse(text), PawnCapture::Diagonal, |o| &mut o.pawn_capture)
        },
    ),
    combo(
        "CountingRule",
        "standard",
        || CountingRule::ALL.iter().map(|v| v.name()).collect(),
        |s, text| {
            overrule(s, CountingRule::parse(text), CountingRule::Standard, |o| &mut o.counting)
        },
    ),
    combo(
        "Repetition",
        "threefold",
        || vec!["threefold", "off"],
        |s, text| {
            let threefold = parse_word(text, &[("threefold", true), ("off", false)]);
            overrule(s, threefold, true, |o| &mut o.repetition)
        },
    ),
    check("FiftyMoveRule", true, |s, on| s.overrule(on, true, |o| &mut o.fifty_move_rule)),
    combo(
        "DeadPosition",
        "standard",
        || DeadPosition::ALL.iter().map(|v| v.name()).collect(),
        |s, text| {
            overrule(s, DeadPosition::parse(text), DeadPosition::Standard, |o| &mut o.dead_position)
        },
    ),
    combo(
        "AseanPromotion",
        "all",
        || AseanPromotion::ALL.iter().map(|v| v.name()).collect(),
        |s, text| {
            overrule(s, AseanPromotion::parse(text), AseanPromotion::All, |o| {
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
            overrule(s, color, Color::White, |o| &mut o.makhos_first)
        },
    ),
    combo(
        "MakhosRemoval",
        "immediate",
        || Removal::ALL.iter().map(|v| v.name()).collect(),
        |s, text| overrule(s, Removal::parse(text), Removal::Immediate, |o| &mut o.makhos_removal),
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
            overrule(s, QuietReset::parse(text), QuietReset::CaptureOrMan, |o| {
                &mut o.makhos_quiet_reset
            })
        },
    ),
    combo(
        "MakhosKK",
        "table",
        || LoneKings::ALL.iter().map(|v| v.name()).collect(),
        |s, text| {
            overrule(s, LoneKings::parse(text), LoneKings::Table, |o| &mut o.makhos_lone_kings)
        },
    ),
    combo(
        "RuleSet",
        "standard",
        || RuleSet::ALL.iter().map(|v| v.name()).collect(),
        |s, text| {
            let set = RuleSet::parse(text).ok_or(Refusal::NoSuchValue)?;
            s.choose_rule_set(set).map_err(Refusal::Because)?;
            Ok(Effect::Rules)
        },
    ),
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
    apply: fn(&mut Settings, &str) -> Result<Effect, Refusal>,
) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Combo { default, values, apply } }
}

const fn text(
    name: &'static str,
    default: &'static str,
    apply: fn(&mut Settings, &str) -> Effect,
) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Text { default, apply } }
}

fn to_usize(n: i64) -> usize {
    usize::try_from(n).unwrap_or(0)
}

fn overrule<T: Copy + PartialEq>(
    settings: &mut Settings,
    value: Option<T>,
    standard: T,
    slot: fn(&mut Overrides) -> &mut Option<T>,
) -> Result<Effect, Refusal> {
    let value = value.ok_or(Refusal::NoSuchValue)?;
    Ok(settings.overrule(value, standard, slot))
}
