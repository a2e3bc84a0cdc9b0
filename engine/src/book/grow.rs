//! A book by searching: from the start position on, every move that is nearly as good as the best one.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use movegen::{GameMove as _, GameRecord, Position as _, Variant};
use search::{Game, Limits, ScoreKind, SearchOptions, Searcher, Signals};
use tables::Tables;

use super::{Book, BookMove};
use crate::dispatch::{GameVisitor, MoveOf, PosOf, RulesOf};
use crate::lines::ExactLines;
use crate::networks::Networks;
use crate::progress::Progress;
use crate::workers::on_threads;

/// Weight of a move that is as good as the best one; it falls by half for every so many centipawns.
const WEIGHT: f64 = 1000.0;
const HALVES: f64 = 8.0;
/// What a mate counts.
const DECIDED: i32 = 30_000;

/// How a book is grown.
pub(super) struct Growth<'a> {
    pub(super) variant: Variant,
    pub(super) networks: &'a Networks,
    pub(super) tables: &'a Arc<Tables>,
    pub(super) plies: usize,
    pub(super) nodes: u64,
    /// Moves that are worse than the best by more centipawns are left out.
    pub(super) margin: i32,
    /// Most moves of a position.
    pub(super) width: usize,
    pub(super) threads: usize,
    pub(super) signals: &'a Signals,
}

impl GameVisitor for Growth<'_> {
    /// The book; `None` if it was interrupted.
    type Output = Option<Book>;

    fn visit<G: Game>(self, rules: RulesOf<G>) -> Option<Book> {
        let mut moves = Vec::new();
        let mut seen = HashSet::new();
        let mut layer = vec![PosOf::<G>::start(rules)];
        for ply in 0..self.plies {
            layer.retain(|position| seen.insert(position.key()));
            let name = format!("positions of ply {} of {}", ply + 1, self.plies);
            let found = self.search_all::<G>(&layer, &name)?;
            let mut next = HashMap::new();
            for (position, good) in layer.iter().zip(found) {
                for (m, weight) in good {
                    moves.push(BookMove { key: position.key(), tag: m.tag(), weight });
                    let after = position.play_unchecked(m);
                    next.entry(after.key()).or_insert(after);
                }
            }
            layer = next.into_values().collect();
            // The order of a map is chance.
            layer.sort_by_key(PosOf::<G>::key);
        }
        Some(Book::new(self.variant, moves))
    }
}

/// Moves of a position and their weights.
type Good<G> = Vec<(MoveOf<G>, u16)>;

impl Growth<'_> {
    fn search_all<G: Game>(&self, positions: &[PosOf<G>], name: &str) -> Option<Vec<Good<G>>> {
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<Good<G>>> = Mutex::new(vec![Vec::new(); positions.len()]);
        let progress = Progress::new(positions.len(), name);
        let turn = || {
            let options = SearchOptions { multi_pv: self.width, ..SearchOptions::default() };
            let mut searcher = self.networks.searcher::<G>(options, self.tables);
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(position) = positions.get(index) else { break };
                if self.signals.stopped() {
                    break;
                }
                let good = self.search(&mut searcher, position);
                progress.set(index);
                if let Some(slot) =
                    found.lock().unwrap_or_else(PoisonError::into_inner).get_mut(index)
                {
                    *slot = good;
                }
            }
        };
        on_threads(self.threads, turn).ok()?;
        progress.finish();
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        (!self.signals.stopped()).then_some(found)
    }

    fn search<G: Game>(&self, searcher: &mut Searcher<G>, position: &PosOf<G>) -> Good<G> {
        let record = GameRecord::new(position.clone());
        if record.outcome().is_some() {
            return Vec::new();
        }
        // The same book comes of any number of threads.
        searcher.clear();
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let root = record.position();
        let mut lines = ExactLines::new(root);
        searcher.search(&record, &limits, self.signals, &mut lines);
        let scored = lines.into_lines().into_iter().filter_map(|line| {
            let score = match line.score {
                ScoreKind::Centipawns(cp) => cp,
                // Mates are no openings; they outweigh everything.
                ScoreKind::Mate(moves) => moves.signum() * DECIDED,
            };
            Some((root.parse_move(line.pv.first()?).ok()?, score))
        });
        let scored: Vec<(MoveOf<G>, i32)> = scored.collect();
        let best = scored.iter().map(|&(_, score)| score).max().unwrap_or(0);
        scored
            .into_iter()
            .filter(|&(_, score)| best - score <= self.margin)
            .map(|(m, score)| {
                (m, (WEIGHT * 0.5_f64.powf(f64::from(best - score) / HALVES)).max(1.0) as u16)
            })
            .collect()
    }
}
