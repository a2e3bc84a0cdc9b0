//! `hanuman analyse`: positions in, best lines out, as text or JSON.

use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use movegen::{FenError, GameRecord, Position};
use search::{Game, Limits, SearchOptions, Searcher, Signals};
use serde::Serialize;
use tables::Tables;

use crate::count;
use crate::dispatch::{GameVisitor, MoveOf, PosOf, RulesOf};
use crate::epd::Line;
use crate::lines::ExactLines;
use crate::networks::Networks;
use crate::ordered::Ordered;
use crate::referee::line_notation;
use crate::report::SearchReport;
use crate::session::search_report;
use crate::workers::on_threads;

/// What to do with each position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// Stop after this depth.
    pub depth: Option<u32>,
    /// Stop after this many nodes.
    pub nodes: Option<u64>,
    /// Stop after this many milliseconds.
    pub move_time_ms: Option<u64>,
    /// Settings of every search. Of several positions `threads` are analysed at a time, each by one
    /// thread; a single position gets all threads.
    pub options: SearchOptions,
    /// Write JSON, one object a line.
    pub json: bool,
}

/// Positions, taken as they come.
pub type Lines = Box<dyn Iterator<Item = io::Result<Line>> + Send>;

/// Positions that are analysed, with results in their order.
pub struct Analysis<'a> {
    /// The positions.
    pub lines: Lines,
    /// There is only one: all threads search it.
    pub single: bool,
    /// What to do with each.
    pub request: &'a Request,
    /// What evaluates them.
    pub networks: &'a Networks,
    /// The endgame tables that are asked.
    pub tables: &'a Arc<Tables>,
    /// Where the results go.
    pub out: &'a mut (dyn Write + Send),
}

/// The result of one position.
#[derive(Serialize, Debug)]
struct Answer<'a> {
    variant: &'static str,
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<String>,
    bestmove: Option<String>,
    ponder: Option<String>,
    nodes: u64,
    time_ms: u64,
    lines: Vec<AnswerLine>,
}

/// One line of play.
#[derive(Serialize, Debug)]
struct AnswerLine {
    depth: u32,
    seldepth: u32,
    score: AnswerScore,
    wdl: Option<[u16; 3]>,
    pv: Vec<String>,
    notation: Vec<String>,
}

#[derive(Serialize, Clone, Copy, Debug)]
#[serde(rename_all = "lowercase")]
enum AnswerScore {
    Cp(i32),
    Mate(i32),
}

/// A position that could not be read.
#[derive(Serialize, Debug)]
struct Fault<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    fen: &'a str,
    error: String,
}

impl GameVisitor for Analysis<'_> {
    /// Number of positions that could not be read.
    type Output = io::Result<usize>;

    fn visit<G: Game>(self, rules: RulesOf<G>) -> io::Result<usize> {
        let Self { lines, single, request, networks, tables, out } = self;
        let mut options = request.options.clone();
        let workers = if single { 1 } else { std::mem::replace(&mut options.threads, 1) };
        let signals = Signals::new();
        let source = Mutex::new((lines, 0));
        let broken = Mutex::new(None);
        let ordered = Ordered::new(out, "positions");
        let unreadable = AtomicUsize::new(0);
        let next = || {
            let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
            let (lines, number) = &mut *source;
            let line = lines.next()?;
            *number += 1;
            Some((*number - 1, line))
        };
        let work = || {
            while !signals.stopped()
                && let Some((index, line)) = next()
            {
                let line = match line {
                    Ok(line) => line,
                    Err(error) => {
                        *broken.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                        break;
                    }
                };
                let searcher = networks.searcher::<G>(options.clone(), tables);
                let result = analyse(&line, rules, request, searcher, &signals);
                unreadable.fetch_add(usize::from(!result.readable), Ordering::Relaxed);
                if !ordered.put(index, result.text + "\n") {
                    signals.stop();
                }
            }
        };
        on_threads(workers, work)?;
        ordered.finish()?;
        match broken.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(unreadable.into_inner()),
        }
    }
}

/// Text of one position, and whether it could be read.
struct Rendered {
    text: String,
    readable: bool,
}

fn analyse<G: Game>(
    line: &Line,
    rules: RulesOf<G>,
    request: &Request,
    mut searcher: Searcher<G>,
    signals: &Signals,
) -> Rendered {
    let position = match PosOf::<G>::from_fen(&line.fen, rules) {
        Ok(position) => position,
        Err(error) => return unreadable(line, &error, request.json),
    };
    let record = GameRecord::new(position);
    let root = record.position();
    let limits: Limits<MoveOf<G>> = Limits {
        depth: request.depth,
        nodes: request.nodes,
        move_time: request.move_time_ms.map(Duration::from_millis),
        ..Limits::default()
    };
    let mut keeper = ExactLines::new(root);
    let answer = searcher.search(&record, &limits, signals, &mut keeper);
    let best = answer.best.filter(|&m| root.is_legal(m));
    let mut lines = keeper.into_lines();
    if lines.is_empty() && best.is_some() {
        lines.push(search_report(root, &answer.info, true));
    }
    let ponder = best.map(|m| root.play_unchecked(m)).zip(answer.ponder);
    let lines = lines.into_iter().map(|line| answer_line(root, line)).collect();
    let answer = Answer {
        variant: PosOf::<G>::VARIANT.name(),
        fen: root.fen(),
        id: line.id.as_deref(),
        result: record.outcome().map_or("ongoing", |outcome| outcome.describe()),
        count: count::note(&root.clocks()),
        bestmove: best.map(|m| root.move_text(m)),
        ponder: ponder.filter(|(after, m)| after.is_legal(*m)).map(|(after, m)| after.move_text(m)),
        nodes: answer.info.nodes,
        time_ms: u64::try_from(answer.info.time.as_millis()).unwrap_or(u64::MAX),
        lines,
    };
    let text = if request.json { to_json(&answer) } else { to_text(&answer) };
    Rendered { text, readable: true }
}

fn answer_line<P: Position>(root: &P, report: SearchReport) -> AnswerLine {
    let notation = line_notation(root, &report.pv);
    AnswerLine {
        depth: report.depth,
        seldepth: report.sel_depth,
        score: match report.score {
            search::ScoreKind::Centipawns(cp) => AnswerScore::Cp(cp),
            search::ScoreKind::Mate(moves) => AnswerScore::Mate(moves),
        },
        wdl: report.wdl,
        pv: report.pv,
        notation,
    }
}

fn unreadable(line: &Line, error: &FenError, json: bool) -> Rendered {
    let error = format!("bad FEN: {error}");
    let text = if json {
        to_json(&Fault { line: line.number, fen: &line.fen, error })
    } else {
        let place = line.number.map_or_else(String::new, |number| format!("line {number}: "));
        format!("Fen: {}\n  {place}{error}\n", line.fen)
    };
    Rendered { text, readable: false }
}

fn to_json(value: &impl Serialize) -> String {
    // Only maps with keys that are no strings can fail.
    serde_json::to_string(value).unwrap_or_default()
}

fn to_text(answer: &Answer<'_>) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    if let Some(id) = answer.id {
        let _ = writeln!(text, "Id: {id}");
    }
    let _ = writeln!(text, "Fen: {}", answer.fen);
    if answer.result != "ongoing" {
        let _ = writeln!(text, "  {}", answer.result);
    }
    if let Some(count) = &answer.count {
        let _ = writeln!(text, "  {count}");
    }
    for line in &answer.lines {
        let score = match line.score {
            AnswerScore::Cp(cp) => {
                let sign = if cp < 0 { '-' } else { '+' };
                format!("{sign}{}.{:02}", cp.abs() / 100, cp.abs() % 100)
            }
            AnswerScore::Mate(moves) => format!("mate {moves}"),
        };
        let _ = writeln!(text, "  {score}  depth {}  {}", line.depth, line.notation.join(" "));
    }
    if let Some(best) = &answer.bestmove {
        let _ = writeln!(text, "  best {best}, {} nodes, {} ms", answer.nodes, answer.time_ms);
    }
    text
}
