//! What the search says about every position of a game.

use std::time::Duration;

use movegen::{
    ChessRules, Clock, Color, CountingRule, DrawReason, GameRecord, LoneKings, MakhosRules,
    Outcome, Position,
};
use search::{Game, Limits, ScoreKind, Searcher, Signals};

use super::Job;
use crate::count;
use crate::dispatch::{GameRules, GameVisitor, MoveOf, PosOf, RulesOf};
use crate::lines::ExactLines;
use crate::referee::line_notation;
use crate::session::search_report;
use crate::settings::Settings;

/// How much a mover's chances (1 for a win, a half for a draw) must fall for each mark.
const DUBIOUS: f64 = 0.05;
const MISTAKE: f64 = 0.10;
const BLUNDER: f64 = 0.20;

/// How long each position is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    pub(super) time: Option<Duration>,
}

/// A mark for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    Dubious,
    Mistake,
    Blunder,
}

impl Mark {
    /// As a numeric annotation glyph.
    pub(super) fn nag(self) -> u8 {
        match self {
            Self::Dubious => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Dubious => "dubious",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// A position, as the search sees it.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    /// The mover.
    pub(super) side: Color,
    /// From White's side; `None` once the game is over.
    pub(super) score: Option<ScoreKind>,
    pub(super) depth: u32,
    /// What White may expect: 1 for a win, a half for a draw.
    pub(super) white: f64,
    /// The best line, as UCI text and as game files write it.
    pub(super) line: Vec<String>,
    pub(super) notation: Vec<String>,
    /// The running clocks.
    pub(super) clocks: Vec<Clock>,
}

/// A move that was played.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) uci: String,
    pub(super) notation: String,
    /// What the mover's chances fell by.
    pub(super) loss: f64,
    pub(super) mark: Option<Mark>,
    /// What happened to the count, in words.
    pub(super) count: Option<String>,
}

/// A whole game.
#[derive(Clone, Debug)]
pub(super) struct Review {
    /// The positions, one more than moves.
    pub(super) positions: Vec<Verdict>,
    pub(super) moves: Vec<Played>,
    pub(super) outcome: Option<Outcome>,
    /// A count or another clock has ended the game.
    pub(super) drawn_by_clock: bool,
    /// What the last position would be worth without the clock that has ended the game.
    pub(super) without_count: Option<Verdict>,
}

impl Review {
    /// Changes the notation of every move, of lines too.
    pub(super) fn rewrite(&mut self, write: impl Fn(&str) -> String) {
        let lines = self.positions.iter_mut().chain(&mut self.without_count);
        for text in lines.flat_map(|verdict| &mut verdict.notation) {
            *text = write(text);
        }
        for played in &mut self.moves {
            played.notation = write(&played.notation);
        }
    }
}

/// Looks at every position of a game.
pub(super) fn review<G: Game>(
    searcher: &mut Searcher<G>,
    start: &PosOf<G>,
    moves: &[MoveOf<G>],
    limit: Limit,
    signals: &Signals,
) -> Review {
    let mut record = GameRecord::new(start.clone());
    let mut positions = vec![verdict(searcher, &record, limit, signals)];
    let mut played = Vec::with_capacity(moves.len());
    for &m in moves {
        let before = record.position().clone();
        record.play(m);
        positions.push(verdict(searcher, &record, limit, signals));
        let [.., old, new] = positions.as_slice() else { continue };
        let uci = before.move_text(m);
        let loss = match old.side {
            Color::White => old.white - new.white,
            Color::Black => new.white - old.white,
        };
        let best = old.line.first() == Some(&uci);
        let loss = if best { 0.0 } else { loss.max(0.0) };
        let mark = match loss {
            loss if loss >= BLUNDER => Some(Mark::Blunder),
            loss if loss >= MISTAKE => Some(Mark::Mistake),
            loss if loss >= DUBIOUS => Some(Mark::Dubious),
            _ => None,
        };
        let count = count_change(&old.clocks, &new.clocks);
        played.push(Played { uci, notation: before.notation(m), loss, mark, count });
    }
    let outcome = record.outcome();
    let by_clock = [DrawReason::Counting, DrawReason::NMoveRule, DrawReason::GameLength];
    let drawn_by_clock =
        matches!(outcome, Some(Outcome::Draw(reason)) if by_clock.contains(&reason));
    Review { positions, moves: played, outcome, drawn_by_clock, without_count: None }
}

/// What a move did to the counts: begun, changed or ended.
fn count_change(before: &[Clock], after: &[Clock]) -> Option<String> {
    let running = |clocks: &[Clock]| clocks.iter().find(|c| count::is_count(c.kind)).copied();
    match (running(before), running(after)) {
        (None, Some(new)) => Some(format!("the count begins: {}", moves_of(&new))),
        (Some(old), Some(new)) if old.kind != new.kind || old.limit != new.limit => {
            Some(format!("another count begins: {}", moves_of(&new)))
        }
        (Some(_), None) => Some("the count ends".to_owned()),
        _ => None,
    }
}

/// `pieces' honour, Black counts, 6 of 16 moves`
fn moves_of(clock: &Clock) -> String {
    let who = clock.counting.map_or_else(String::new, |color| format!(", {color} counts"));
    let (counted, limit) = (clock.counted / 2, clock.limit / 2);
    format!("{}{who}, {counted} of {limit} moves", count::name(clock.kind))
}

fn verdict<G: Game>(
    searcher: &mut Searcher<G>,
    record: &GameRecord<PosOf<G>>,
    limit: Limit,
    signals: &Signals,
) -> Verdict {
    let root = record.position();
    let side = root.side_to_move();
    let mut verdict = Verdict {
        side,
        score: None,
        depth: 0,
        white: 0.5,
        line: Vec::new(),
        notation: Vec::new(),
        clocks: root.clocks(),
    };
    if let Some(outcome) = record.outcome() {
        verdict.white = match outcome.winner() {
            Some(Color::White) => 1.0,
            Some(Color::Black) => 0.0,
            None => 0.5,
        };
        return verdict;
    }
    let limits: Limits<MoveOf<G>> = Limits {
        depth: limit.depth,
        nodes: limit.nodes,
        move_time: limit.time,
        ..Limits::default()
    };
    let mut lines = ExactLines::new(root);
    let answer = searcher.search(record, &limits, signals, &mut lines);
    let report = lines.best().unwrap_or_else(|| search_report(root, &answer.info, true));
    let [win, draw, _] = report.wdl.unwrap_or([0, 1000, 0]).map(f64::from);
    let mover = (win + draw / 2.0) / 1000.0;
    let sign = if side == Color::White { 1 } else { -1 };
    verdict.score = Some(match report.score {
        ScoreKind::Centipawns(cp) => ScoreKind::Centipawns(sign * cp),
        ScoreKind::Mate(moves) => ScoreKind::Mate(sign * moves),
    });
    verdict.depth = report.depth;
    verdict.white = if side == Color::White { mover } else { 1.0 - mover };
    verdict.notation = line_notation(root, &report.pv);
    verdict.line = report.pv;
    verdict
}

/// The same rules without any clock that ends a game; `None` if there is none anyhow.
pub(super) fn without_clocks(settings: &Settings) -> Option<GameRules> {
    let unclocked = |rules: ChessRules| ChessRules {
        counting: CountingRule::None,
        fifty_move_rule: false,
        max_game_moves: 0,
        ..rules
    };
    let rules = settings.game_rules();
    let without = match rules {
        GameRules::Makruk(rules) => GameRules::Makruk(unclocked(rules)),
        GameRules::Asean(rules) => GameRules::Asean(unclocked(rules)),
        GameRules::Makhos(rules) => {
            GameRules::Makhos(MakhosRules { quiet_plies: 0, lone_kings: LoneKings::Table, ..rules })
        }
    };
    (without != rules).then_some(without)
}

/// The last position of a game once more, by rules without clocks.
pub(super) struct Unclocked<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) start: &'a str,
    pub(super) review: &'a Review,
}

impl GameVisitor for Unclocked<'_> {
    type Output = Option<Verdict>;

    fn visit<G: Game>(self, rules: RulesOf<G>) -> Self::Output {
        let mut position = PosOf::<G>::from_fen(self.start, rules).ok()?;
        for m in &self.review.moves {
            position = position.play_unchecked(position.parse_move(&m.uci).ok()?);
        }
        let job = self.job;
        let mut searcher = job.networks.searcher::<G>(job.settings.search_options(), &job.tables);
        let record = GameRecord::new(position);
        Some(verdict(&mut searcher, &record, job.limit, &job.signals))
    }
}
