//! Changing the numbers of the search at run time, for tuners. Only in builds with the feature
//! `tune`.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI32, Ordering};

use movegen::Variant;

use crate::Params;
use crate::game::{AseanGame, Game, MakhosGame, MakrukGame};
use crate::policy::SearchPolicy;

const NUMBERS: usize = Params::TUNABLE.len();

/// The number is as shipped.
const AS_SHIPPED: i32 = i32::MIN;

/// The numbers of each game, in the orders of [`Variant::ALL`] and [`Params::TUNABLE`].
static NUMBERS_SET: [[AtomicI32; NUMBERS]; Variant::ALL.len()] =
    [const { [const { AtomicI32::new(AS_SHIPPED) }; NUMBERS] }; Variant::ALL.len()];

/// A number of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    /// Game and field, as `makruk.rfp_per_ply`.
    pub name: String,
    /// As shipped.
    pub default: i32,
    /// Where changing it makes sense.
    pub range: RangeInclusive<i32>,
    game: usize,
    field: usize,
}

/// All numbers of all games.
pub fn numbers() -> Vec<Number> {
    let mut all = Vec::new();
    for (game, variant) in Variant::ALL.into_iter().enumerate() {
        let mut shipped = match variant {
            Variant::Makruk => shipped::<MakrukGame>(),
            Variant::Asean => shipped::<AseanGame>(),
            Variant::Makhos => shipped::<MakhosGame>(),
        };
        let defaults = shipped.numbers().map(|number| *number);
        for (field, ((name, range), default)) in Params::TUNABLE.iter().zip(defaults).enumerate() {
            let name = format!("{}.{name}", variant.name());
            all.push(Number { name, default, range: range.clone(), game, field });
        }
    }
    all
}

impl Number {
    /// Changes the number, as far as its range allows. A search that runs may see it late; what is
    /// worked out from it in advance changes with the next game.
    pub fn set(&self, value: i32) {
        let value = value.clamp(*self.range.start(), *self.range.end());
        if let Some(number) = NUMBERS_SET.get(self.game).and_then(|game| game.get(self.field)) {
            number.store(value, Ordering::Relaxed);
        }
    }
}

fn shipped<G: Game>() -> Params {
    <G::Policy as SearchPolicy<G::Pos>>::PARAMS
}

/// The numbers in force.
pub(crate) fn current(variant: Variant, shipped: Params) -> Params {
    let mut params = shipped;
    let game = Variant::ALL.iter().position(|&other| other == variant).unwrap_or(0);
    for (number, set) in params.numbers().into_iter().zip(&NUMBERS_SET[game]) {
        let value = set.load(Ordering::Relaxed);
        if value != AS_SHIPPED {
            *number = value;
        }
    }
    params
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_numbers_lie_in_their_ranges_where_they_are_used() {
        let mut names = Vec::new();
        for number in numbers() {
            if !number.name.starts_with("makhos") {
                assert!(number.range.contains(&number.default), "{number:?}");
            }
            names.push(number.name);
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), Variant::ALL.len() * NUMBERS);
    }

    #[test]
    fn a_number_is_changed_in_its_game_alone_and_within_its_range() {
        let shipped = shipped::<AseanGame>();
        let number = numbers().into_iter().find(|n| n.name == "asean.lmp_loss").unwrap();
        number.set(i32::MAX);
        assert_eq!(current(Variant::Asean, shipped).lmp_loss, *number.range.end());
        assert_eq!(current(Variant::Makruk, shipped), shipped);
        number.set(number.default);
        assert_eq!(current(Variant::Asean, shipped), shipped);
    }
}
