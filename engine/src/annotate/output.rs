//! Games with remarks, as game files or JSON.

use std::fmt::Write as _;

use movegen::Variant;
use search::ScoreKind;
use serde::Serialize;

use super::review::{Mark, Played, Review, Verdict};
use crate::game_text::Game;

/// The tag, and the name in JSON, that say on which line of the source a game begins.
pub(super) const LINE_TAG: &str = "SourceLine";
pub(super) const JSON_LINE: &str = "line";
/// The same for the name of the source.
pub(super) const SOURCE_TAG: &str = "Source";
pub(super) const JSON_SOURCE: &str = "source";
/// How the remark on the end of a game begins. It is the last one.
const END: &str = "The game ends: ";
/// Plies of a better line that are shown.
const SHOWN: usize = 8;

/// `White - Black, result`
pub(super) fn title(game: &Game) -> String {
    let name = |tag| game.tag(tag).unwrap_or("?");
    format!("{} - {}, {}", name("White"), name("Black"), game.result)
}

/// The game with remarks.
pub(super) fn text(mut game: Game, source: &str, review: &Review) -> String {
    game.set_tag("Annotator", format!("Hanuman {}", env!("CARGO_PKG_VERSION")));
    game.set_tag(SOURCE_TAG, source);
    game.set_tag(LINE_TAG, game.line.to_string());
    let last = game.moves.len().saturating_sub(1);
    let (first, second_begins) = (game.first_number, game.second_begins);
    for (i, (m, played)) in game.moves.iter_mut().zip(&review.moves).enumerate() {
        let [before, after] = [i, i + 1].map(|at| review.positions.get(at));
        if let Some(mark) = played.mark {
            // What somebody has marked before stays.
            if !m.nags.iter().any(|nag| (1..=6).contains(nag)) {
                m.nags.push(mark.nag());
            }
            if let Some(before) = before.filter(|before| !before.notation.is_empty()) {
                let better = numbered(first, second_begins, i, &before.notation);
                if !m.variations.contains(&better) {
                    m.variations.insert(0, better);
                }
            }
        }
        let mut remarks = Vec::new();
        if let Some(eval) = after.and_then(eval_text) {
            remarks.push(eval);
        }
        let mut words = vec![without_own(&m.comment)];
        words.extend(played.count.clone().filter(|count| !words[0].contains(count)));
        words.retain(|text| !text.is_empty());
        let mut words = words.join("; ");
        if i == last
            && let Some(end) = end(review)
        {
            if !words.is_empty() {
                words += if words.ends_with(['.', '!', '?']) { " " } else { ". " };
            }
            words += &end;
        }
        remarks.push(words);
        m.comment = remarks.join(" ").trim_end().to_owned();
    }
    game.to_string()
}

/// `[%eval 0.34,12]`, or `[%eval #5,12]` for a mate; White's side.
fn eval_text(verdict: &Verdict) -> Option<String> {
    let score = match verdict.score? {
        ScoreKind::Centipawns(cp) => format!("{:.2}", f64::from(cp) / 100.0),
        ScoreKind::Mate(moves) => format!("#{moves}"),
    };
    Some(format!("[%eval {score},{}]", verdict.depth))
}

/// A comment without evaluations and without what was said here before about the end.
fn without_own(comment: &str) -> String {
    let mut rest = comment.split(END).next().unwrap_or_default();
    let mut kept = String::new();
    while let Some(at) = rest.find("[%eval") {
        kept.push_str(&rest[..at]);
        rest = rest[at..].split_once(']').map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    let words = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    words.trim_end_matches([';', ' ']).to_owned()
}

/// How the game ended, and what a clock has decided.
fn end(review: &Review) -> Option<String> {
    let outcome = review.outcome?;
    let mut text = format!("{END}{}.", outcome.describe());
    if let Some(without) = &review.without_count {
        text += &match without.score {
            Some(ScoreKind::Mate(moves)) => {
                let winner = if moves > 0 { "White" } else { "Black" };
                format!(" The count decided: without it {winner} mates in {}.", moves.abs())
            }
            Some(ScoreKind::Centipawns(cp)) => {
                format!(" Without the count: {:+.2}.", f64::from(cp) / 100.0)
            }
            None => String::new(),
        };
    }
    Some(text)
}

/// A line with move numbers, which begins instead of move `i` of a game.
fn numbered(first: u32, second_begins: bool, i: usize, line: &[String]) -> String {
    let mut text = String::new();
    for (j, m) in line.iter().take(SHOWN).enumerate() {
        let ply = i + j + usize::from(second_begins);
        let number = u64::from(first) + ply as u64 / 2;
        if ply.is_multiple_of(2) {
            let _ = write!(text, "{number}. ");
        } else if j == 0 {
            let _ = write!(text, "{number}... ");
        }
        text += m;
        text.push(' ');
    }
    text.trim_end().to_owned()
}

#[derive(Serialize)]
struct Report<'a> {
    game: usize,
    source: &'a str,
    line: usize,
    variant: &'static str,
    white: Option<&'a str>,
    black: Option<&'a str>,
    result: &'a str,
    /// How the game ended on the board; `null` if it was broken off.
    outcome: Option<&'static str>,
    without_count: Option<Eval>,
    start: Position,
    moves: Vec<Line<'a>>,
}

/// A position; scores from White's side.
#[derive(Serialize)]
struct Position {
    #[serde(flatten)]
    eval: Option<Eval>,
    /// What White may expect: 1 for a win.
    white_expects: f64,
    depth: u32,
    best: Option<String>,
    best_line: Vec<String>,
    counts: Vec<Count>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Eval {
    Cp(i32),
    Mate(i32),
}

#[derive(Serialize)]
struct Count {
    rule: &'static str,
    counted: u32,
    limit: u32,
    left: u32,
}

/// A move, and the position after it.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(rename = "move")]
    uci: &'a str,
    notation: &'a str,
    loss: f64,
    mark: Option<&'static str>,
    after: Position,
}

fn eval(verdict: &Verdict) -> Option<Eval> {
    verdict.score.map(|score| match score {
        ScoreKind::Centipawns(cp) => Eval::Cp(cp),
        ScoreKind::Mate(moves) => Eval::Mate(moves),
    })
}

fn position(verdict: &Verdict) -> Position {
    let counts = verdict.clocks.iter().filter(|clock| clock.remaining < u32::MAX);
    Position {
        eval: eval(verdict),
        white_expects: (verdict.white * 1000.0).round() / 1000.0,
        depth: verdict.depth,
        best: verdict.line.first().cloned(),
        best_line: verdict.notation.clone(),
        counts: counts
            .map(|clock| Count {
                rule: crate::count::name(clock.kind),
                counted: clock.counted,
                limit: clock.limit,
                left: clock.remaining,
            })
            .collect(),
    }
}

/// The game as one JSON object on a line.
pub(super) fn json(
    game: &Game,
    source: &str,
    number: usize,
    variant: Variant,
    review: &Review,
) -> String {
    let Some((start, after)) = review.positions.split_first() else { return String::new() };
    let line = |(played, verdict): (&'_ Played, &Verdict)| -> (f64, Option<Mark>, Position) {
        ((played.loss * 1000.0).round() / 1000.0, played.mark, position(verdict))
    };
    let moves = review.moves.iter().zip(after).map(|(played, verdict)| {
        let (loss, mark, after) = line((played, verdict));
        let mark = mark.map(Mark::name);
        Line { uci: &played.uci, notation: &played.notation, loss, mark, after }
    });
    let report = Report {
        game: number,
        source,
        line: game.line,
        variant: variant.name(),
        white: game.tag("White"),
        black: game.tag("Black"),
        result: &game.result,
        outcome: review.outcome.map(movegen::Outcome::describe),
        without_count: review.without_count.as_ref().and_then(eval),
        start: position(start),
        moves: moves.collect(),
    };
    // Only maps with keys that are no strings can fail.
    serde_json::to_string(&report).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_lines_have_numbers() {
        let line: Vec<String> = ["e4", "e5", "d4"].map(str::to_owned).to_vec();
        assert_eq!(numbered(1, false, 0, &line), "1. e4 e5 2. d4");
        assert_eq!(numbered(7, true, 0, &line), "7... e4 8. e5 d4");
        assert_eq!(numbered(1, false, 3, &line), "2... e4 3. e5 d4");
    }

    #[test]
    fn evaluations_of_others_go() {
        assert_eq!(without_own("[%eval 0.3,12] good [%clk 0:01]"), "good [%clk 0:01]");
        assert_eq!(without_own("x [%eval 0.3"), "x");
        assert_eq!(without_own("x. The game ends: checkmate."), "x.");
        assert_eq!(without_own("x; The game ends: checkmate."), "x");
    }
}
