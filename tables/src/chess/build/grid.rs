//! All positions of a class, and the waves of results that run through them.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use movegen::chess::{PieceType, Rules};
use movegen::{ChessRules, Color, Variant};
use rayon::prelude::*;

use super::super::class::Class;
use super::super::layout::Layout;
use super::super::moves::Placement;
use super::super::table;
use super::Plan;
use crate::file::{SideSummary, Summary};
use crate::value::{Codec, IMPOSSIBLE, UNKNOWN};
use crate::{TableError, Tables, Value, Watch};

/// A count of moves that never runs out: the position has a move that does not lose.
const NEVER: u8 = u8::MAX;
/// Positions that one task looks at.
const CHUNK: usize = 1 << 14;
/// Plies of ASEAN's 50-move rule.
const FIFTY_MOVES: u32 = 100;

/// A result: the side to move, the number of the position, its value.
type Found = (Color, usize, Value);

/// The values of a class in the making.
pub(super) struct Grid<'a, R: Rules> {
    pub(super) class: &'a Class,
    pub(super) layout: Layout,
    pub(super) tables: &'a Tables,
    pub(super) rules: ChessRules,
    pub(super) promotions: &'static [PieceType],
    /// Plies in which a result must come after a pawn has moved.
    pub(super) fresh_plies: u32,
    codecs: [Codec; 2],
    /// By side to move.
    values: [Vec<AtomicU8>; 2],
    /// Moves within the class that are not known to lose, by side to move; empty for a side that
    /// cannot lose.
    left: [Vec<AtomicU8>; 2],
    /// Results that come later than the wave that has brought them to light, by distance.
    later: Mutex<BTreeMap<u16, Vec<Found>>>,
    /// The longest distance so far.
    longest: AtomicU16,
    too_far: AtomicU16,
    game: PhantomData<R>,
}

fn bytes(len: usize) -> Vec<AtomicU8> {
    let mut bytes = Vec::with_capacity(len);
    bytes.resize_with(len, || AtomicU8::new(UNKNOWN));
    bytes
}

impl<'a, R: Rules> Grid<'a, R> {
    pub(super) fn new(plan: &'a Plan, tables: &'a Tables, rules: ChessRules) -> Self {
        let class = &plan.class;
        let layout = plan.family.layout(class);
        let len = layout.len();
        let strong_left = if class.is_bare() { 0 } else { len };
        Self {
            class,
            tables,
            rules,
            promotions: plan.family.promotions(),
            fresh_plies: if R::VARIANT == Variant::Asean { FIFTY_MOVES } else { u32::MAX },
            codecs: table::codecs(class),
            values: [bytes(len), bytes(len)],
            left: [bytes(strong_left), bytes(len)],
            later: Mutex::default(),
            longest: AtomicU16::new(0),
            too_far: AtomicU16::new(0),
            game: PhantomData,
            layout,
        }
    }

    /// Numbers of positions with one side to move.
    pub(super) fn len(&self) -> usize {
        self.layout.len()
    }

    /// What is known about a position.
    pub(super) fn value(&self, side: Color, index: usize) -> Option<Value> {
        let code = self.values[side.index()].get(index)?.load(Ordering::Relaxed);
        self.codecs[side.index()].decode(code)
    }

    /// Finds all values.
    pub(super) fn solve(&mut self, watch: &Watch<'_>) -> Result<(), TableError> {
        let total = 4 * self.len() as u64;
        let done = AtomicU64::new(0);
        let tick = |part: usize| {
            let done = done.fetch_add(part as u64, Ordering::Relaxed) + part as u64;
            (watch.progress)(done.min(total), total);
        };
        for stage in self.stages() {
            self.begin(&stage, watch, &tick)?;
            let mut distance = 0;
            while distance <= self.longest.load(Ordering::Relaxed) {
                if (watch.stopped)() {
                    return Err(TableError::Interrupted);
                }
                self.release(distance);
                stage.par_iter().try_for_each(|range| self.spread(range.clone(), distance))?;
                let plies = self.too_far.load(Ordering::Relaxed);
                if plies > 0 {
                    return Err(TableError::TooFar { name: self.class.to_string(), plies });
                }
                distance += 1;
            }
            self.longest.store(0, Ordering::Relaxed);
            tick(2 * stage.iter().map(Range::len).sum::<usize>());
        }
        Ok(())
    }

    /// The parts of the class in the order in which they can be solved: those whose pawns have fewer
    /// steps left first. Each is a list of ranges of numbers.
    fn stages(&self) -> Vec<Vec<Range<usize>>> {
        let slice_len = self.layout.slice_len();
        let mut by_steps: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
        for slice in 0..self.len() / slice_len {
            let ranges = by_steps.entry(self.layout.steps_left(slice)).or_default();
            let (start, end) = (slice * slice_len, (slice + 1) * slice_len);
            ranges.extend((start..end).step_by(CHUNK).map(|from| from..(from + CHUNK).min(end)));
        }
        by_steps.into_values().collect()
    }

    /// Finds which positions of a stage are possible and what the moves that leave it are worth.
    fn begin(
        &self,
        stage: &[Range<usize>],
        watch: &Watch<'_>,
        tick: &(dyn Fn(usize) + Sync),
    ) -> Result<(), TableError> {
        let stopped = AtomicBool::new(false);
        stage.par_iter().try_for_each(|range| {
            if stopped.load(Ordering::Relaxed) || (watch.stopped)() {
                stopped.store(true, Ordering::Relaxed);
                return Err(TableError::Interrupted);
            }
            for index in range.clone() {
                self.begin_at(index)?;
            }
            tick(2 * range.len());
            Ok(())
        })
    }

    fn begin_at(&self, index: usize) -> Result<(), TableError> {
        let squares = self.layout.squares(index);
        let placement = Some(squares)
            .filter(|squares| self.layout.is_sorted(squares))
            .and_then(|squares| Placement::new(&self.layout, squares));
        for side in Color::ALL {
            let value = &self.values[side.index()][index];
            let Some(placement) = placement
                .as_ref()
                .filter(|placement| !placement.in_check::<R>(&self.layout, side.opposite()))
            else {
                value.store(IMPOSSIBLE, Ordering::Relaxed);
                continue;
            };
            let Some(left) = self.left[side.index()].get(index) else { continue };
            let survey = self.survey(placement, side)?;
            let exits = survey.exits;
            left.store(survey.within, Ordering::Relaxed);
            if exits.win.is_some() || exits.draw || survey.stalemated {
                left.store(NEVER, Ordering::Relaxed);
            }
            let settled = match (exits.win, exits.loss) {
                (Some(plies), _) => Some(Value::Win(plies)),
                (None, Some(plies)) if survey.within == 0 && !exits.draw => {
                    Some(Value::Loss(plies))
                }
                _ if survey.mated => Some(Value::Loss(0)),
                _ => None,
            };
            match settled {
                Some(value) if value.distance() <= Some(1) => self.set(side, index, value),
                Some(value) => self.set_later(side, index, value),
                None => {}
            }
        }
        Ok(())
    }

    /// Notes a value, unless one is known.
    fn set(&self, side: Color, index: usize, value: Value) {
        let Some(code) = self.codecs[side.index()].encode(value) else {
            self.too_far.fetch_max(value.distance().unwrap_or(0), Ordering::Relaxed);
            return;
        };
        let place = &self.values[side.index()][index];
        let fresh = place.compare_exchange(UNKNOWN, code, Ordering::Relaxed, Ordering::Relaxed);
        if fresh.is_ok() {
            self.longest.fetch_max(value.distance().unwrap_or(0), Ordering::Relaxed);
        }
    }

    /// Keeps a value until its distance is reached.
    fn set_later(&self, side: Color, index: usize, value: Value) {
        let distance = value.distance().unwrap_or(0);
        self.longest.fetch_max(distance, Ordering::Relaxed);
        let mut later = self.later.lock().unwrap_or_else(PoisonError::into_inner);
        later.entry(distance).or_default().push((side, index, value));
    }

    /// Notes the values that have been kept for this distance.
    fn release(&self, distance: u16) {
        let mut later = self.later.lock().unwrap_or_else(PoisonError::into_inner);
        let due = later.remove(&distance).unwrap_or_default();
        drop(later);
        for (side, index, value) in due {
            self.set(side, index, value);
        }
    }

    /// Tells the positions before those of this distance about them.
    fn spread(&self, range: Range<usize>, distance: u16) -> Result<(), TableError> {
        for side in Color::ALL {
            let codec = self.codecs[side.index()];
            for value in [Value::Loss(distance), Value::Win(distance)] {
                // Not every side has both, nor at every distance.
                let Some(code) = codec.encode(value) else { continue };
                let values = &self.values[side.index()][range.clone()];
                for (i, known) in values.iter().enumerate() {
                    if known.load(Ordering::Relaxed) == code {
                        self.spread_from(side, range.start + i, value)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn spread_from(&self, side: Color, index: usize, value: Value) -> Result<(), TableError> {
        let squares = self.layout.squares(index);
        let Some(placement) = Placement::new(&self.layout, squares) else { return Ok(()) };
        let mover = side.opposite();
        let mut result = Ok(());
        placement.each_origin::<R>(&self.layout, mover, |squares| {
            let Some(origin) = self.layout.index(&squares) else { return };
            if self.values[mover.index()][origin].load(Ordering::Relaxed) != UNKNOWN {
                return;
            }
            match value {
                Value::Loss(distance) => self.set(mover, origin, Value::Win(distance + 1)),
                Value::Win(distance) => {
                    let lost = self.count_down(mover, origin);
                    if lost && let Err(error) = self.set_lost(mover, origin, distance + 1) {
                        result = Err(error);
                    }
                }
                Value::Draw => {}
            }
        });
        result
    }

    /// One move less that does not lose; true if it was the last.
    fn count_down(&self, side: Color, index: usize) -> bool {
        let Some(left) = self.left[side.index()].get(index) else { return false };
        left.load(Ordering::Relaxed) != NEVER && left.fetch_sub(1, Ordering::Relaxed) == 1
    }

    /// All moves within the class lose, the slowest in `distance` plies; perhaps one that leaves it
    /// is slower still.
    fn set_lost(&self, side: Color, index: usize, distance: u16) -> Result<(), TableError> {
        let squares = self.layout.squares(index);
        let Some(placement) = Placement::new(&self.layout, squares) else { return Ok(()) };
        let exits = self.survey(&placement, side)?.exits;
        let slowest = exits.loss.map_or(distance, |plies| plies.max(distance));
        if slowest > distance {
            self.set_later(side, index, Value::Loss(slowest));
        } else {
            self.set(side, index, Value::Loss(distance));
        }
        Ok(())
    }

    /// The bytes of the file from `at` on. What no position stands for looks like its neighbour.
    pub(super) fn bytes(&self, at: u64, len: usize) -> Vec<u8> {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let mut last = UNKNOWN;
        (at..at.saturating_add(len))
            .map(|i| {
                let side = usize::from(i >= self.len());
                let place = self.values[side].get(i - side * self.len());
                let code = place.map_or(IMPOSSIBLE, |value| value.load(Ordering::Relaxed));
                if code != IMPOSSIBLE {
                    last = code;
                }
                last
            })
            .collect()
    }

    /// Numbers about the finished table.
    pub(super) fn summary(&self) -> Summary {
        let sides = Color::ALL.map(|side| {
            let codec = self.codecs[side.index()];
            let mut codes = [0_u64; 256];
            for value in &self.values[side.index()] {
                codes[usize::from(value.load(Ordering::Relaxed))] += 1;
            }
            let mut summary = SideSummary::default();
            for (code, number) in (0..=u8::MAX).zip(codes) {
                if let Some(value) = codec.decode(code) {
                    summary.add(value, number);
                }
            }
            summary
        });
        Summary { sides }
    }
}
