//! One game of the engine against itself.

use movegen::{Color, GameMove, GameRecord, Outcome, Position, Variant};
use search::{Game, Limits, MoveOf, NoObserver, Score, SearchOptions, Searcher, Signals};

use super::filter::keeps;
use super::games::{NO_SCORE, StoredGame, StoredPly};
use crate::dispatch::RulesOf;
use crate::random::Random;

/// Transposition table in MiB: a game searches some ten thousand different positions.
const HASH_MIB: usize = 1;
/// The random opening is judged with so many times the nodes of a move.
const CHECK_FACTOR: u64 = 4;
/// Openings in which a side is further ahead, in centipawns, are not played.
const MAX_OPENING_SCORE: i32 = 500;
/// A side that is ahead by so much for [`WIN_PLIES`] plies has won.
const WIN_SCORE: i32 = 2000;
const WIN_PLIES: u32 = 6;
/// A game is drawn when the scores stay so near 0 for [`DRAW_PLIES`] plies after ply
/// [`DRAW_FROM`].
const DRAW_SCORE: i32 = 12;
const DRAW_PLIES: u32 = 12;
const DRAW_FROM: usize = 60;
/// No rule ends every game; these are drawn.
const MAX_PLIES: usize = 600;

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings<R> {
    /// The rules.
    pub(super) rules: R,
    /// Nodes for each move.
    pub(super) nodes: u64,
    /// Random plies before; every second game has one more, so that both sides begin.
    pub(super) random_plies: u32,
    /// With the number of a game it decides the game.
    pub(super) seed: u64,
}

/// Plays games, one after the other.
pub(super) struct Player<G: Game> {
    searcher: Searcher<G>,
    settings: Settings<RulesOf<G>>,
}

/// A finished game.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) game: StoredGame,
    /// Its positions that training would keep.
    pub(super) kept: usize,
}

/// Counts how long scores have agreed on a result.
#[derive(Default)]
struct Foresight {
    level: u32,
    /// Positive: White is winning, for so many plies; negative: Black is.
    winning: i32,
}

impl Foresight {
    /// The foreseen result (1, 0, -1 for White) after a score from White's side, if it is clear.
    fn after(&mut self, white_score: i32, ply: usize) -> Option<i8> {
        let sign = white_score.signum();
        self.winning = if white_score.abs() < WIN_SCORE {
            0
        } else if self.winning.signum() == sign {
            self.winning + sign
        } else {
            sign
        };
        self.level = if white_score.abs() <= DRAW_SCORE { self.level + 1 } else { 0 };
        if Score(white_score).is_mate() || self.winning.unsigned_abs() >= WIN_PLIES {
            Some(if sign > 0 { 1 } else { -1 })
        } else if ply >= DRAW_FROM && self.level >= DRAW_PLIES || ply >= MAX_PLIES {
            Some(0)
        } else {
            None
        }
    }
}

impl<G: Game> Player<G> {
    pub(super) fn new(settings: Settings<RulesOf<G>>) -> Self {
        let options = SearchOptions { hash_mib: HASH_MIB, threads: 1, ..SearchOptions::default() };
        Self { searcher: Searcher::new(options), settings }
    }

    /// Plays game `number`; `None` if `stop` was given meanwhile. The same settings, number and
    /// engine always give the same game.
    pub(super) fn play(&mut self, number: u32, stop: &Signals) -> Option<Played> {
        let mut random = Random::new(self.settings.seed);
        let mut random = Random::new(random.next() ^ u64::from(number));
        let mut record = self.opening(number, &mut random, stop)?;
        let random_plies = record.moves().len();
        let mut plies: Vec<_> =
            record.moves().iter().map(|m| StoredPly { tag: m.tag(), score: NO_SCORE }).collect();
        let mut kept = 0;
        let mut foresight = Foresight::default();
        let result = loop {
            if let Some(outcome) = record.outcome() {
                break points(outcome);
            }
            let (m, score) = self.search(&record, self.settings.nodes, stop)?;
            let position = record.position();
            let ply = plies.len();
            let mover = position.side_to_move();
            // A tag that fits two moves would be read as the other one: the game ends before.
            if position.move_from_tag(m.tag()) != Some(m) {
                break 0;
            }
            kept += usize::from(keeps(position, m, score, ply));
            let stored =
                i16::try_from(score).unwrap_or(if score > 0 { i16::MAX } else { -i16::MAX });
            plies.push(StoredPly { tag: m.tag(), score: stored });
            record.play(m);
            let white_score = if mover == Color::White { score } else { -score };
            if let Some(result) = foresight.after(white_score, ply) {
                break result;
            }
        };
        let game = StoredGame {
            number,
            last_key: record.position().key() as u32,
            random_plies: u8::try_from(random_plies).unwrap_or(u8::MAX),
            result,
            plies,
        };
        Some(Played { game, kept })
    }

    /// A random opening in which neither side is far ahead.
    fn opening(
        &mut self,
        number: u32,
        random: &mut Random,
        stop: &Signals,
    ) -> Option<GameRecord<G::Pos>> {
        let plies = self.settings.random_plies + number % 2;
        loop {
            self.searcher.clear();
            let mut record = GameRecord::new(G::Pos::start(self.settings.rules));
            for _ in 0..plies {
                if record.outcome().is_some() {
                    break;
                }
                let moves = record.position().legal_moves();
                record.play(random_move::<G>(record.position(), &moves, random));
            }
            if record.outcome().is_none() {
                let (_, score) = self.search(&record, self.settings.nodes * CHECK_FACTOR, stop)?;
                if score.abs() <= MAX_OPENING_SCORE {
                    return Some(record);
                }
            }
            if stop.stopped() {
                return None;
            }
        }
    }

    /// The best move and its score; `None` if the search was stopped.
    fn search(
        &mut self,
        record: &GameRecord<G::Pos>,
        nodes: u64,
        stop: &Signals,
    ) -> Option<(MoveOf<G>, i32)> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let answer = self.searcher.search(record, &limits, stop, &mut NoObserver);
        if stop.stopped() { None } else { answer.best.map(|m| (m, answer.info.score.0)) }
    }
}

/// A move drawn from the legal ones. In the chess games two drawings in three pass over captures,
/// which would mostly throw men away.
fn random_move<G: Game>(position: &G::Pos, moves: &[MoveOf<G>], random: &mut Random) -> MoveOf<G> {
    let first = moves[random.below(moves.len())];
    let again = <G::Pos as Position>::VARIANT != Variant::Makhos
        && position.is_tactical(first)
        && random.below(3) > 0;
    if again { moves[random.below(moves.len())] } else { first }
}

fn points(outcome: Outcome) -> i8 {
    match outcome.winner() {
        Some(Color::White) => 1,
        Some(Color::Black) => -1,
        None => 0,
    }
}
