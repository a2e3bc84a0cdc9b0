//! The engine on the other side of the board.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use movegen::Color;
use search::{Bound, ScoreKind, SearchOptions, Signals};

use super::PlayError;
use crate::command::{GoRequest, PositionRequest};
use crate::dispatch::GameRules;
use crate::endgame;
use crate::networks::Networks;
use crate::referee::{AnyGame, PositionFault};
use crate::report::{Report, Reporter};
use crate::session::{AnySession, new_session};
use crate::settings::Settings;
use crate::workers::STACK;

/// Thinking time for a move without clocks, and for a hint.
const MOVE_MS: u64 = 1000;
const HINT_MS: u64 = 1000;

/// The engine.
pub(super) struct Opponent {
    session: Box<dyn AnySession>,
    options: SearchOptions,
}

/// What came of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Thought {
    /// The move as UCI text; `None` if there is none.
    pub(super) best: Option<String>,
    /// From the mover's side.
    pub(super) score: Option<ScoreKind>,
}

/// Keeps the last exact score and the move.
#[derive(Default)]
struct Listener(Mutex<Thought>);

impl Reporter for Listener {
    fn report(&self, report: &Report) {
        let mut thought = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match report {
            Report::Search(search) if search.multi_pv == 1 && search.bound == Bound::Exact => {
                thought.score = Some(search.score);
            }
            Report::BestMove { best, .. } => thought.best.clone_from(best),
            _ => {}
        }
    }
}

impl Opponent {
    pub(super) fn new(settings: &Settings, rules: GameRules) -> Result<Self, PlayError> {
        let options = settings.search_options();
        let mut session = new_session(rules, options.clone());
        let mut networks = Networks::default();
        networks.choose(&settings.eval_file)?;
        // A network of another game is kept for that.
        let _ = session.set_network(networks.network(settings.variant));
        session.set_tables(endgame::open_aloud(&settings.table_path)?);
        Ok(Self { session, options })
    }

    /// Plays at another level from now on.
    pub(super) fn set_skill(&mut self, skill_level: i32) {
        self.options = SearchOptions { skill_level, limit_elo: None, ..self.options.clone() };
        self.session.set_options(self.options.clone());
    }

    /// The game at this table.
    pub(super) fn game(&self) -> &dyn AnyGame {
        self.session.game()
    }

    /// The game at this table, to be changed.
    pub(super) fn game_mut(&mut self) -> &mut dyn AnyGame {
        self.session.game_mut()
    }

    /// Begins a new game from this position.
    pub(super) fn new_game(&mut self, start: &PositionRequest) -> Result<(), PlayError> {
        self.session.new_game();
        match self.session.game_mut().set_position(start) {
            // There is no move to be wrong.
            Ok(()) | Err(PositionFault::Move { .. }) => Ok(()),
            Err(PositionFault::Fen(error)) => Err(error.into()),
        }
    }

    /// The engine's move, with so much on the clocks (and added per move), or without clocks.
    pub(super) fn think(&self, clocks: Option<([Duration; 2], Duration)>) -> Thought {
        let mut request = GoRequest::default();
        match clocks {
            Some((left, increment)) => {
                let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
                for color in Color::ALL {
                    request.remaining_ms[color.index()] = Some(ms(left[color.index()]));
                    request.increment_ms[color.index()] = Some(ms(increment));
                }
            }
            None => request.move_time_ms = Some(MOVE_MS),
        }
        self.search(&request)
    }

    /// The best move that it sees at full strength.
    pub(super) fn hint(&mut self) -> Thought {
        let full = SearchOptions { skill_level: 20, limit_elo: None, ..self.options.clone() };
        self.session.set_options(full);
        let thought =
            self.search(&GoRequest { move_time_ms: Some(HINT_MS), ..GoRequest::default() });
        self.session.set_options(self.options.clone());
        thought
    }

    fn search(&self, request: &GoRequest) -> Thought {
        let job = self.session.search(request, false, Arc::new(Signals::new()));
        let listener = Listener::default();
        thread::scope(|scope| {
            let work = || {
                let last = job(&listener);
                listener.report(&last);
            };
            // Without a thread there is no move, which the caller copes with.
            if let Ok(thread) = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) {
                let _ = thread.join();
            }
        });
        listener.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
