//! Many games at once, with a result that does not depend on which ends first.
//!
//! Workers take pairs from a queue. Finished pairs are counted strictly in the order of the queue,
//! and the sequential test looks at them in that order, so that the verdict depends neither on the
//! number of workers nor on how long games last (short games are not seen earlier).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use movegen::{Color, Position};

use super::client::Setting;
use super::game::{GameSettings, NoGame, PlayedGame, Player, play};
use super::game_file::Place;
use super::spec::{EngineSpec, SearchLimits};

/// One of the two engines of a match.
#[derive(Clone, Debug)]
pub(crate) struct Entrant {
    /// What to start.
    pub(crate) spec: Arc<EngineSpec>,
    /// What ends its searches.
    pub(crate) limits: SearchLimits,
    /// Name in reports.
    pub(crate) name: String,
}

/// A match.
#[derive(Debug)]
pub(crate) struct Schedule<P> {
    /// The engines.
    pub(crate) entrants: [Entrant; 2],
    /// How they are set up.
    pub(crate) setting: Arc<Setting>,
    /// How games are conducted.
    pub(crate) games: GameSettings,
    /// Where pairs begin, in this order; again from the first when all were played.
    pub(crate) openings: Vec<P>,
    /// Games in all; the last pair may lack its second.
    pub(crate) game_count: usize,
    /// Games from each opening: 2, or 1 if the first engine always has White.
    pub(crate) games_each: usize,
    /// Games at once.
    pub(crate) concurrency: usize,
}

/// Somebody who watches a match.
pub(crate) trait Observer {
    /// A game has ended, in whatever order.
    fn on_game(&mut self, place: Place, game: &PlayedGame);
    /// A pair is next in order (its second game may be missing). `false` ends the match.
    fn on_pair(&mut self, games: &[(Place, PlayedGame)]) -> bool;
}

/// An engine that can no longer be started: its index, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Impossible(pub(crate) usize, pub(crate) String);

enum Event {
    Game(Place, Box<PlayedGame>),
    Impossible(Impossible),
}

impl<P: Position> Schedule<P> {
    /// Plays the match. Raise the abort flag of the setting to end it early; what is finished by
    /// then is still reported.
    pub(crate) fn run(&self, observer: &mut dyn Observer) -> Result<(), Impossible> {
        let next = AtomicUsize::new(0);
        let abort = &self.setting.abort;
        let mut failure = None;
        let mut ledger = Ledger {
            game_count: self.game_count,
            games_each: self.games_each,
            ..Ledger::default()
        };
        let mut open = true;
        thread::scope(|scope| {
            let (events, inbox) = channel();
            for worker in 0..self.concurrency.min(self.pair_count()) {
                let (events, next) = (events.clone(), &next);
                scope.spawn(move || self.work(worker, next, &events));
            }
            drop(events);
            for event in inbox {
                match event {
                    Event::Game(place, game) => {
                        observer.on_game(place, &game);
                        ledger.add(place, *game);
                        while open && let Some(pair) = ledger.next_complete() {
                            open = observer.on_pair(&pair);
                        }
                        if !open {
                            abort.store(true, Ordering::Relaxed);
                        }
                    }
                    Event::Impossible(reason) => {
                        abort.store(true, Ordering::Relaxed);
                        failure.get_or_insert(reason);
                    }
                }
            }
        });
        // An early end leaves gaps; what was played still counts.
        for (_, games) in ledger.waiting {
            if open {
                open = observer.on_pair(&games);
            }
        }
        failure.map_or(Ok(()), Err)
    }

    fn pair_count(&self) -> usize {
        self.game_count.div_ceil(self.games_each.max(1))
    }

    /// Plays pairs until none is left.
    fn work(&self, worker: usize, next: &AtomicUsize, events: &Sender<Event>) {
        let [mut first, mut second] = [0, 1].map(|i| self.player(i, worker));
        'pairs: while !self.setting.abort.load(Ordering::Relaxed) {
            let pair = next.fetch_add(1, Ordering::Relaxed);
            if pair >= self.pair_count() {
                break;
            }
            let Some(opening) = self.openings.get(pair % self.openings.len().max(1)) else { break };
            for half in 0..self.games_each {
                let place = Place { pair, half };
                if self.games_each * pair + half >= self.game_count {
                    break;
                }
                let players = if place.engine(Color::White) == 0 {
                    [&mut first, &mut second]
                } else {
                    [&mut second, &mut first]
                };
                let event = match play(opening, players, &self.games) {
                    Ok(game) => Event::Game(place, Box::new(game)),
                    Err(NoGame::Aborted) => break 'pairs,
                    Err(NoGame::Impossible(color, why)) => {
                        Event::Impossible(Impossible(place.engine(color), why))
                    }
                };
                let over = matches!(event, Event::Impossible(_));
                if events.send(event).is_err() || over {
                    break 'pairs;
                }
            }
        }
        for player in [first, second] {
            if let Some(client) = player.client {
                client.quit();
            }
        }
    }

    fn player(&self, index: usize, worker: usize) -> Player {
        let entrant = &self.entrants[index];
        Player {
            spec: Arc::clone(&entrant.spec),
            setting: Arc::clone(&self.setting),
            label: format!("{}#{}", entrant.name, worker + 1),
            limits: entrant.limits,
            client: None,
            failed_starts: 0,
        }
    }
}

/// Finished games that wait for their turn.
#[derive(Default)]
struct Ledger {
    game_count: usize,
    games_each: usize,
    next_pair: usize,
    waiting: BTreeMap<usize, Vec<(Place, PlayedGame)>>,
}

impl Ledger {
    fn add(&mut self, place: Place, game: PlayedGame) {
        self.waiting.entry(place.pair).or_default().push((place, game));
    }

    /// The next pair in order, if it is finished.
    fn next_complete(&mut self) -> Option<Vec<(Place, PlayedGame)>> {
        let each = self.games_each;
        let games_of_pair = self.game_count.saturating_sub(each * self.next_pair).min(each);
        let finished = self.waiting.get(&self.next_pair).is_some_and(|g| g.len() >= games_of_pair);
        if !finished {
            return None;
        }
        let pair = self.waiting.remove(&self.next_pair);
        self.next_pair += 1;
        pair
    }
}
