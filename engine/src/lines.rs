//! What a search has found, kept line by line.

use movegen::Position;
use search::{Bound, Observer, SearchInfo};

use crate::report::SearchReport;
use crate::session::search_report;

/// Keeps the last exact report of every line of play.
pub(crate) struct ExactLines<'a, P: Position> {
    root: &'a P,
    lines: Vec<Option<SearchReport>>,
}

impl<'a, P: Position> ExactLines<'a, P> {
    /// For a search of this position.
    pub(crate) fn new(root: &'a P) -> Self {
        Self { root, lines: Vec::new() }
    }

    /// The lines, the best one first.
    pub(crate) fn into_lines(self) -> Vec<SearchReport> {
        self.lines.into_iter().flatten().collect()
    }

    /// The best line, if there is any.
    pub(crate) fn best(self) -> Option<SearchReport> {
        self.lines.into_iter().next().flatten()
    }
}

impl<P: Position> Observer<P::Move> for ExactLines<'_, P> {
    fn on_info(&mut self, info: &SearchInfo<P::Move>) {
        if info.bound != Bound::Exact || info.pv.is_empty() {
            return;
        }
        let index = info.multi_pv.saturating_sub(1);
        if self.lines.len() <= index {
            self.lines.resize(index + 1, None);
        }
        if let Some(slot) = self.lines.get_mut(index) {
            *slot = Some(search_report(self.root, info, true));
        }
    }
}
