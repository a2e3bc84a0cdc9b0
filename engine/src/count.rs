//! Running counts in plain words.

use std::fmt::Write as _;

use movegen::{Clock, ClockKind, Color, CountingRule, QuietReset, Variant};

use crate::dispatch::GameRules;
use crate::session::game_name;

/// Clocks that always run are mentioned only when they come this close, in plies.
const NEAR: u32 = 40;
/// What [`Clock::remaining`] says of a count that no rule ends.
const UNLIMITED: u32 = u32::MAX;

/// What a clock is called.
pub(crate) fn name(kind: ClockKind) -> &'static str {
    match kind {
        ClockKind::BoardHonour => "board's honour",
        ClockKind::PiecesHonour => "pieces' honour",
        ClockKind::AseanCount => "bare king count",
        ClockKind::FiftyMoves => "50-move rule",
        ClockKind::QuietMoves => "quiet-move rule",
        ClockKind::GameLength => "game length",
    }
}

/// Whether the clock is a count of the endgame, not a rule that always runs.
pub(crate) fn is_count(kind: ClockKind) -> bool {
    matches!(kind, ClockKind::BoardHonour | ClockKind::PiecesHonour | ClockKind::AseanCount)
}

/// `12 moves` or `12 and a half moves`: both players' plies as moves.
fn moves(plies: u32) -> String {
    match (plies / 2, plies % 2) {
        (0, 1) => "half a move".to_owned(),
        (1, 0) => "1 move".to_owned(),
        (whole, 0) => format!("{whole} moves"),
        (whole, _) => format!("{whole} and a half moves"),
    }
}

/// `1 ply` or `12 plies`.
fn plies(n: u32) -> String {
    if n == 1 { "1 ply".to_owned() } else { format!("{n} plies") }
}

/// `24/88 plies, pieces' honour, Black counts, draw in 65 plies`.
fn state(clock: &Clock) -> String {
    let mut text = format!("{}/{} plies, {}", clock.counted, clock.limit, name(clock.kind));
    if let Some(color) = clock.counting {
        let _ = write!(text, ", {color} counts");
    }
    let _ = match clock.remaining {
        UNLIMITED => write!(text, ", never drawn"),
        left => write!(text, ", draw in {}", plies(left)),
    };
    text
}

/// One line about the count that matters to a search from here, if any: in moves, as players
/// count, then in plies.
pub fn note(clocks: &[Clock]) -> Option<String> {
    let clock = clocks.iter().find(|clock| is_count(clock.kind)).or_else(|| {
        clocks.iter().filter(|clock| clock.remaining <= NEAR).min_by_key(|clock| clock.remaining)
    })?;
    Some(format!("count {}/{} ({})", clock.counted / 2, clock.limit / 2, state(clock)))
}

/// What a move that begins a count should say: which count, how much of it is left, and whether a
/// mate fits (`mates`: the search has seen one). `None` if it begins none.
pub fn start_note(before: &[Clock], after: &[Clock], mates: bool) -> Option<String> {
    let begun = after.iter().find(|clock| {
        matches!(clock.kind, ClockKind::PiecesHonour | ClockKind::AseanCount)
            && !before.iter().any(|old| old.kind == clock.kind)
    })?;
    let fits = if mates { "a mate within it was found" } else { "no mate within it was found" };
    Some(format!("begins the count ({}); {fits}", state(begun)))
}

/// What the count is: rule, who counts, limit, moves left, what changes it. `over`: the game has
/// ended, so that nothing is left.
pub fn describe(clocks: &[Clock], rules: GameRules, side: Color, over: bool) -> String {
    let mut text = String::new();
    for clock in clocks {
        let _ = writeln!(text, "Rule: {} ({}).", name(clock.kind), why(clock.kind));
        if is_count(clock.kind) {
            let who = match (clock.counting, clock.remaining) {
                (Some(color), _) => format!("{color}, whom the count protects"),
                (None, UNLIMITED) => {
                    "nobody, before a player starts it (BoardCountStart)".to_owned()
                }
                (None, _) => {
                    "nobody in particular: the moves of both players run towards the limit"
                        .to_owned()
                }
            };
            let _ = writeln!(text, "Who counts: {who}.");
        }
        let draw = match clock.remaining {
            UNLIMITED => String::new(),
            _ => format!("; drawn at ply {}", clock.drawn_at),
        };
        let _ = writeln!(text, "Limit: {} ({}){draw}.", moves(clock.limit), plies(clock.limit));
        let _ = writeln!(text, "Counted: {} ({}).", moves(clock.counted), plies(clock.counted));
        let _ = match clock.remaining {
            _ if over => writeln!(text, "Left: nothing, the game is over."),
            UNLIMITED => writeln!(text, "Left: as things stand it never ends the game."),
            1 => writeln!(text, "Left: 1 ply up to the draw, {side}'s."),
            left => {
                let shares = shares(left, side);
                writeln!(text, "Left: {} up to the draw: {shares}.", plies(left))
            }
        };
        let _ = writeln!(text, "What changes it: {}.", changes(clock.kind, rules));
        text.push('\n');
    }
    if !clocks.iter().any(|clock| is_count(clock.kind)) {
        let no_count = match (clocks, rules.variant()) {
            ([], _) => "No count runs. ",
            // It has none.
            (_, Variant::Makhos) => "",
            _ => "No count of an ending runs beside it. ",
        };
        let _ = writeln!(text, "{no_count}{}", when_it_starts(rules));
    }
    text.trim_end().to_owned()
}

/// How the plies left fall to the two players.
fn shares(plies: u32, side: Color) -> String {
    let (mover, other) = (plies.div_ceil(2), plies / 2);
    format!("{side} makes {mover} of them, {} {other}", side.opposite())
}

fn why(kind: ClockKind) -> &'static str {
    match kind {
        ClockKind::BoardHonour => "no pawns are left and both sides still have pieces",
        ClockKind::PiecesHonour | ClockKind::AseanCount => {
            "no pawns are left and a king stands alone"
        }
        ClockKind::FiftyMoves => "moves without a capture or a pawn move",
        ClockKind::QuietMoves => "moves without progress",
        ClockKind::GameLength => "the longest game that the rule set allows",
    }
}

fn changes(kind: ClockKind, rules: GameRules) -> &'static str {
    match (kind, rules) {
        (ClockKind::BoardHonour, GameRules::Makruk(rules))
            if rules.counting == CountingRule::Federation =>
        {
            "mate of the player who counts ends the game first, mate by him is a draw; a capture \
             that leaves a king alone begins pieces' honour, which has its own limit; no other \
             capture restarts it"
        }
        (ClockKind::BoardHonour, _) => {
            "mate ends the game first; a capture that leaves a king alone begins pieces' honour, \
             which has its own limit; no other capture restarts it"
        }
        (ClockKind::PiecesHonour | ClockKind::AseanCount, _) => {
            "only mate ends the game first; the limit was fixed by the men on the board when the \
             count began, and captures no longer change it"
        }
        (ClockKind::FiftyMoves, _) => {
            "a capture or a pawn move starts it anew; mate ends the game first"
        }
        (ClockKind::QuietMoves, GameRules::Makhos(rules))
            if rules.quiet_reset == QuietReset::Capture =>
        {
            "a capture starts it anew; a side without a move loses first"
        }
        (ClockKind::QuietMoves, _) => {
            "a capture or the move of a man starts it anew; a side without a move loses first"
        }
        (ClockKind::GameLength, _) => "nothing but the end of the game",
    }
}

fn when_it_starts(rules: GameRules) -> String {
    let game = game_name(rules.variant());
    match rules {
        GameRules::Makhos(rules) if rules.quiet_plies == 0 => {
            format!("{game} is played without a quiet-move rule here (MakhosQuietPlies 0).")
        }
        GameRules::Makhos(_) => format!("{game} knows no count but the quiet-move rule."),
        GameRules::Makruk(rules) | GameRules::Asean(rules)
            if rules.counting == CountingRule::None =>
        {
            "Counting is switched off (CountingRule none).".to_owned()
        }
        GameRules::Makruk(rules) if rules.counting == CountingRule::Federation => format!(
            "In {game} by federation rules a player starts board's honour (BoardCountStart); \
             pieces' honour begins when no pawns are left and a king stands alone."
        ),
        GameRules::Asean(rules) if rules.counting == CountingRule::Cutechess => format!(
            "In {game} by the rules of cutechess a count begins when a king stands alone, pawns or not."
        ),
        GameRules::Asean(_) => format!(
            "In {game} a count begins with the move that leaves a king alone on a board without pawns."
        ),
        GameRules::Makruk(_) => format!(
            "In {game} a count begins with the move after which no pawns are left: board's honour \
             while both sides have pieces, pieces' honour against a king that stands alone."
        ),
    }
}
