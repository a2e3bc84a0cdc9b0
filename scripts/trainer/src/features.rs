//! The active inputs of a record, by the definitions that the engine uses.

use movegen::chess::{AseanBoard, MakrukBoard};
use movegen::{Variant, makhos};
use search::eval::nnue::{Features, Shape};

use crate::record::{MAX_MEN, Record};

/// The active features of one position, as both players see it.
#[derive(Clone, Debug)]
pub struct Active {
    /// The mover's features, then the other's; the first `men` of each count.
    features: [[u16; MAX_MEN]; 2],
    men: usize,
    /// The output that judges the position.
    bucket: usize,
}

impl Active {
    /// No men.
    pub const NONE: Self = Self { features: [[0; MAX_MEN]; 2], men: 0, bucket: 0 };

    /// Features that the mover (0) or the other player (1) sees.
    #[inline(always)]
    pub fn seen(&self, half: usize) -> &[u16] {
        self.features[half].get(..self.men).unwrap_or_default()
    }

    /// The output that judges the position.
    #[inline(always)]
    pub fn bucket(&self) -> usize {
        self.bucket
    }
}

/// How the records of a game become features.
#[derive(Clone, Copy, Debug)]
pub struct Decoder {
    variant: Variant,
    decode: fn(&Record) -> Active,
}

impl Decoder {
    /// The decoder of a game.
    pub fn of(variant: Variant) -> Self {
        let decode = match variant {
            Variant::Makruk => decode::<MakrukBoard>,
            Variant::Asean => decode::<AseanBoard>,
            Variant::Makhos => decode::<makhos::Board>,
        };
        Self { variant, decode }
    }

    /// Which game.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The inputs of the game's networks.
    pub fn shape(&self) -> Shape {
        Shape::of(self.variant)
    }

    /// The active features of a record of this game.
    #[inline]
    pub fn decode(&self, record: &Record) -> Active {
        (self.decode)(record)
    }
}

fn decode<P: Features>(record: &Record) -> Active
where
    P::Planes: AsMut<[u64]>,
{
    let planes: P::Planes = record.planes();
    let mut active = Active::NONE;
    let mover = record.mover();
    for (half, perspective) in [mover, mover.opposite()].into_iter().enumerate() {
        let orientation = P::orientation(&planes, perspective);
        for (slot, (plane, square)) in active.features[half].iter_mut().zip(record.men()) {
            *slot = P::feature(plane, square, perspective, orientation) as u16;
        }
    }
    active.men = record.men_count().min(MAX_MEN);
    active.bucket = P::bucket(&planes);
    active
}

#[cfg(test)]
mod tests {
    use movegen::{ChessRules, Color, MakhosRules};

    use super::*;
    use crate::synthetic::random_positions;

    /// What the engine sees is what is trained, whatever the position.
    fn engine_and_trainer_agree<P: Features>(rules: P::Rules)
    where
        P::Planes: AsMut<[u64]>,
    {
        let decoder = Decoder::of(P::VARIANT);
        for (position, record) in random_positions::<P>(rules, 10_000, 5) {
            let active = decoder.decode(&record);
            let planes = position.planes();
            assert_eq!(record.planes::<P::Planes>(), planes);
            assert_eq!(active.bucket(), P::bucket(&planes));
            let mover = position.side_to_move();
            for (half, perspective) in [mover, mover.opposite()].into_iter().enumerate() {
                let mut engine = Vec::new();
                P::for_each_active(&planes, perspective, |feature| engine.push(feature as u16));
                let mut trainer = active.seen(half).to_vec();
                engine.sort_unstable();
                trainer.sort_unstable();
                assert_eq!(engine, trainer, "{}", position.fen());
            }
        }
    }

    #[test]
    fn engine_and_trainer_agree_in_every_game() {
        engine_and_trainer_agree::<MakrukBoard>(ChessRules::STANDARD);
        engine_and_trainer_agree::<AseanBoard>(ChessRules::STANDARD);
        engine_and_trainer_agree::<makhos::Board>(MakhosRules::STANDARD);
    }

    #[test]
    fn both_players_count() {
        // White to move, one man each.
        let mut planes = [0; 4];
        (planes[0], planes[3]) = (1 << 3, 1 << 20);
        let label = crate::record::Label {
            mover: Color::White,
            score: 0,
            result: 0,
            remaining: u16::MAX,
            ply: 0,
        };
        let record = Record::new(&planes, label).unwrap();
        let active = Decoder::of(Variant::Makhos).decode(&record);
        assert_eq!(active.seen(0), [3, 3 * 32 + 20]);
        assert_eq!(active.seen(1), [2 * 32 + 28, 32 + 11]);
    }
}
