//! Made-up training positions, for tests and for measuring speed without games.

use movegen::chess::{AseanBoard, MakrukBoard};
use movegen::{ChessRules, Color, MakhosRules, Position, Variant, makhos};
use search::eval::nnue::Features;

use crate::record::{Label, Record};
use engine::random::Random;

/// Plies of a game before a new one begins.
const GAME_LENGTH: usize = 120;

/// Rough worth of a kind of men in centipawns.
fn worth<P: Position>(kind: usize) -> i32 {
    const CHESS: [i32; 6] = [100, 170, 250, 300, 500, 0];
    const MAKHOS: [i32; 2] = [100, 300];
    let table: &[i32] = if P::VARIANT == Variant::Makhos { &MAKHOS } else { &CHESS };
    table.get(kind).copied().unwrap_or_default()
}

/// Positions of games played at random, with the material as score and the better side as the
/// winner.
pub fn random_positions<P: Features>(rules: P::Rules, count: usize, seed: u64) -> Vec<(P, Record)> {
    let mut random = Random::new(seed);
    let mut positions = Vec::with_capacity(count);
    let mut position = P::start(rules);
    let mut ply = 0;
    while positions.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || ply >= GAME_LENGTH || position.draw_reason(1).is_some() {
            position = P::start(rules);
            ply = 0;
            continue;
        }
        if ply > 0 {
            let label = label(&position, ply);
            if let Some(record) = Record::new(position.planes().as_ref(), label) {
                positions.push((position.clone(), record));
            }
        }
        position = position.play_unchecked(moves[random.below(moves.len())]);
        ply += 1;
    }
    positions
}

fn label<P: Features>(position: &P, ply: usize) -> Label {
    let planes = position.planes();
    let men = planes.as_ref().iter().enumerate();
    let white: i32 = men
        .map(|(plane, set)| {
            let worth = worth::<P>(plane % P::KINDS) * set.count_ones() as i32;
            if plane < P::KINDS { worth } else { -worth }
        })
        .sum();
    let mover = position.side_to_move();
    let score = if mover == Color::White { white } else { -white };
    Label {
        mover,
        score: i16::try_from(score).unwrap_or_default(),
        result: if score.abs() < 200 { 0 } else { score.signum() as i8 },
        remaining: position.countdown().remaining,
        ply: u16::try_from(ply).unwrap_or(u16::MAX),
    }
}

/// Records of games played at random under the standard rules.
pub fn random_records(variant: Variant, count: usize, seed: u64) -> Vec<Record> {
    fn records<P: Features>(rules: P::Rules, count: usize, seed: u64) -> Vec<Record> {
        let positions = random_positions::<P>(rules, count, seed);
        positions.into_iter().map(|(_, record)| record).collect()
    }
    match variant {
        Variant::Makruk => records::<MakrukBoard>(ChessRules::STANDARD, count, seed),
        Variant::Asean => records::<AseanBoard>(ChessRules::STANDARD, count, seed),
        Variant::Makhos => records::<makhos::Board>(MakhosRules::STANDARD, count, seed),
    }
}
