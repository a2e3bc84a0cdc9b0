//! Making databases: class by class, and within a class by the places of the men.
//!
//! Men only move forward. So the positions with the same men depend on each other by king moves
//! alone, and on positions whose men are further on, or that have fewer pieces, by everything else.
//! One task solves all positions with the same men, both sides to move, by retrograde analysis in
//! memory of its own; tasks whose men have equally many steps left run side by side.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};

use movegen::makhos::{RANK_8, king_reach, man_steps, squares};
use movegen::{Color, MakhosRules, Removal};
use rayon::prelude::*;

use super::QUIET_PLIES;
use super::class::{Class, Force, Slice};
use super::library::{CODEC, Library, Stored, board_of, captures_value};
use super::numbering::{Men, Numbering, Sets};
use super::table::{self, file_name, rules_name};
use crate::exits::Exits;
use crate::file::{self, Header, SideSummary, Summary, TableFile};
use crate::value::{IMPOSSIBLE, UNKNOWN};
use crate::{TableError, Value, Watch};

/// Bytes of a block of the file.
const BLOCK: u32 = 1 << 15;
/// A count of moves that never runs out: the position has a move that does not lose.
const NEVER: u8 = u8::MAX;
/// First of the codes that say, in memory only, that the mover must capture and wins, loses or draws.
const CAPTURES: u8 = 252;

/// A database to be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The class.
    pub class: Class,
    /// When captured pieces leave the board.
    pub removal: Removal,
}

impl Plan {
    /// The classes that captures and promotions lead to, one step at a time.
    fn needs(&self) -> impl Iterator<Item = Self> + use<> {
        let [one, other] = self.class.forces();
        let removal = self.removal;
        let changes = |force: Force| {
            let (men, kings) = (force.men(), force.kings());
            [
                (men > 0).then(|| Force::new(men - 1, kings + 1)),
                (men > 0).then(|| Force::new(men - 1, kings)),
                (kings > 0).then(|| Force::new(men, kings - 1)),
            ]
        };
        let first = changes(one).into_iter().flatten().map(move |force| (force, other));
        let second = changes(other).into_iter().flatten().map(move |force| (one, force));
        first
            .chain(second)
            .filter_map(move |(one, other)| Class::new(one, other))
            .map(move |class| Self { class, removal })
    }

    /// These databases and all that they are made from, in an order in which they can be made.
    pub fn with_needs(wanted: &[Self]) -> Vec<Self> {
        fn add(plan: Plan, order: &mut Vec<Plan>) {
            if !order.contains(&plan) {
                for needed in plan.needs() {
                    add(needed, order);
                }
                order.push(plan);
            }
        }
        let mut order = Vec::new();
        for &plan in wanted {
            add(plan, &mut order);
        }
        order
    }

    /// Name of the file.
    pub fn file_name(&self) -> String {
        file_name(self.class, self.removal)
    }

    /// Positions of the class, each side to move; those that are the same with the colors exchanged
    /// count once.
    pub fn positions(&self) -> u64 {
        self.class.slices().map(|slice| Numbering::new(slice).len() as u64).sum()
    }

    /// Bytes of memory that making it takes: the class and all that it is made from.
    pub fn memory(&self) -> u64 {
        Self::with_needs(&[*self]).iter().map(Self::positions).sum::<u64>() + self.positions() / 4
    }

    fn rules(&self) -> MakhosRules {
        MakhosRules { removal: self.removal, ..MakhosRules::STANDARD }
    }
}

/// Makes databases, and keeps in memory what the next one needs.
#[derive(Debug, Default)]
pub struct Builder {
    library: Library,
    removal: Option<Removal>,
}

impl Builder {
    /// Makes a database and puts its file into `folder`, where those that it is made from (see
    /// [`Plan::with_needs`]) are already.
    ///
    /// # Errors
    /// If one of them is missing or broken, the work is stopped, or the file cannot be written.
    pub fn build(
        &mut self,
        plan: &Plan,
        folder: &Path,
        watch: &Watch<'_>,
    ) -> Result<TableFile, TableError> {
        self.gather(plan, folder)?;
        for slice in plan.class.slices() {
            self.library.insert(slice, Stored::new(slice));
        }
        let solved = solve(plan, &self.library, watch);
        if let Err(error) = solved {
            // Half a class is worse than none.
            self.library.retain(|slice| slice.class().is_none_or(|(class, _)| class != plan.class));
            return Err(error);
        }
        let header = Header {
            game: table::GAME.to_owned(),
            rules: rules_name(plan.removal).to_owned(),
            class: plan.class.to_string(),
            encoding: table::ENCODING.to_owned(),
            bytes: plan.positions(),
            block: BLOCK,
            summary: summary(plan.class, &self.library),
        };
        let path = folder.join(plan.file_name());
        let slices: Vec<&Stored> =
            plan.class.slices().filter_map(|slice| self.library.get(slice)).collect();
        file::write(&path, &header, |block, len| {
            bytes(&slices, usize::try_from(block).unwrap_or(0) * BLOCK as usize, len)
        })?;
        TableFile::open(&path)
    }

    /// Brings what a class is made from into memory, and drops the rest.
    fn gather(&mut self, plan: &Plan, folder: &Path) -> Result<(), TableError> {
        if self.removal.replace(plan.removal) != Some(plan.removal) {
            self.library = Library::default();
        }
        let needed = Plan::with_needs(&[*plan]);
        self.library.retain(|slice| {
            slice.class().is_some_and(|(class, _)| needed.iter().any(|plan| plan.class == class))
        });
        for needed in needed.iter().filter(|needed| needed.class != plan.class) {
            if self.library.has(needed.class) {
                continue;
            }
            let path = folder.join(needed.file_name());
            if !path.exists() {
                return Err(TableError::Needs {
                    name: plan.class.to_string(),
                    needed: needed.class.to_string(),
                });
            }
            let file = TableFile::open(&path)?;
            table::check(&file)?;
            self.library.load(needed.class, &file)?;
        }
        Ok(())
    }
}

/// Finds all values of a class whose slices are in the library, empty.
fn solve(plan: &Plan, library: &Library, watch: &Watch<'_>) -> Result<(), TableError> {
    let [first, second] = plan.class.forces();
    let slice = Slice { own: first, other: second };
    let missing =
        || TableError::Needs { name: plan.class.to_string(), needed: plan.class.to_string() };
    let stored = [slice, slice.turned()].map(|slice| library.get(slice));
    let [Some(own), Some(other)] = stored else { return Err(missing()) };
    let mut placements: Vec<(u32, Men)> =
        own.numbering.each_placement().map(|men| (men.steps_left(), men)).collect();
    placements.sort_by_key(|&(steps, _)| steps);

    let task = Task {
        library,
        rules: plan.rules(),
        symmetrical: plan.class.is_symmetrical(),
        stored: [own, other],
        too_far: AtomicU16::new(0),
        incomplete: AtomicBool::new(false),
    };
    let total = own.numbering.len() as u64;
    let done = AtomicU64::new(0);
    let each = own.numbering.per_placement() as u64;
    for stage in placements.chunk_by(|a, b| a.0 == b.0) {
        stage.par_iter().try_for_each_init(Scratch::default, |scratch, &(_, men)| {
            if (watch.stopped)() {
                return Err(TableError::Interrupted);
            }
            task.solve(men, scratch);
            (watch.progress)(done.fetch_add(each, Ordering::Relaxed) + each, total);
            Ok(())
        })?;
    }
    if task.incomplete.load(Ordering::Relaxed) {
        return Err(missing());
    }
    match task.too_far.load(Ordering::Relaxed) {
        0 => Ok(()),
        plies => Err(TableError::TooFar { name: plan.class.to_string(), plies }),
    }
}

/// A position that has just got its value: whose move it is (see [`Task::stored`]), the mover's kings
/// and the other side's.
type Found = (usize, u32, u32);

/// Memory of one task, used again for the next.
#[derive(Default)]
struct Scratch {
    values: [Vec<u8>; 2],
    /// King moves that are not known to lose.
    left: [Vec<u8>; 2],
    /// Positions decided in so many plies, for two distances at a time.
    waves: [Vec<Found>; 2],
}

/// What the tasks of a class share.
struct Task<'a> {
    library: &'a Library,
    rules: MakhosRules,
    symmetrical: bool,
    /// The slices with each side to move; the same one twice if the class is symmetrical.
    stored: [&'a Stored; 2],
    too_far: AtomicU16,
    /// A position was not where it should be.
    incomplete: AtomicBool,
}

impl Task<'_> {
    /// Solves all positions with these men, as the side named first sees them.
    fn solve(&self, men: Men, scratch: &mut Scratch) {
        let men = [men, men.turned()];
        let places: [usize; 2] =
            std::array::from_fn(|side| self.stored[side].numbering.placement(men[side]));
        if self.symmetrical && places[0] > places[1] {
            // Solved, or to be solved, together with its image.
            return;
        }
        let sides = if self.symmetrical && places[0] == places[1] { 1 } else { 2 };
        let len = self.stored[0].numbering.per_placement();
        for side in 0..sides {
            scratch.values[side].clear();
            scratch.values[side].resize(len, UNKNOWN);
            scratch.left[side].clear();
            scratch.left[side].resize(len, NEVER);
        }
        for (side, &men) in men.iter().enumerate().take(sides) {
            self.begin(side, men, scratch);
        }
        self.spread(men, sides, scratch);
        for (side, place) in places.into_iter().enumerate().take(sides) {
            let start = place * len;
            let stored = &self.stored[side].values;
            for (place, &code) in stored.iter().skip(start).zip(&scratch.values[side]) {
                place.store(code, Ordering::Relaxed);
            }
        }
    }

    /// Judges all positions of one side by the moves that are not king moves.
    fn begin(&self, side: usize, men: Men, scratch: &mut Scratch) {
        for (i, sets) in self.stored[side].numbering.each_position(men).enumerate() {
            let Some(board) = board_of(&sets, self.rules) else { continue };
            if board.can_capture(Color::White) {
                let value = captures_value(&board, |next| self.library.value(next, self.rules));
                let Some(value) = value else {
                    self.incomplete.store(true, Ordering::Relaxed);
                    continue;
                };
                scratch.values[side][i] = capture_code(value);
                if value != Value::Draw {
                    scratch.waves[1].push((side, sets.own_kings, sets.other_kings));
                }
                continue;
            }
            let occupied = sets.occupied();
            let within: u32 =
                squares(sets.own_kings).map(|from| king_reach(from, occupied).count_ones()).sum();
            let exits = self.man_moves(&sets);
            let stuck = exits.win.is_none() && exits.loss.is_none() && !exits.draw;
            let value = match () {
                () if exits.win.is_some() => Value::Win(1),
                () if within > 0 || exits.draw => Value::Draw,
                // Who cannot move has lost.
                () if stuck => Value::Loss(0),
                () => Value::Loss(1),
            };
            if let Some(distance) = value.distance() {
                scratch.values[side][i] = CODEC.encode(value).unwrap_or(UNKNOWN);
                let wave = usize::from(distance.min(1));
                scratch.waves[wave].push((side, sets.own_kings, sets.other_kings));
            } else if !exits.draw {
                scratch.left[side][i] = within as u8;
            }
        }
    }

    /// What the steps of the mover's men are worth.
    fn man_moves(&self, sets: &Sets) -> Exits {
        let mut exits = Exits::default();
        let empty = !sets.occupied();
        for from in squares(sets.own_men) {
            for to in squares(man_steps(Color::White, from.bit()) & empty) {
                let mut next = Sets { own_men: sets.own_men & !from.bit(), ..*sets };
                if to.bit() & RANK_8 == 0 {
                    next.own_men |= to.bit();
                } else {
                    next.own_kings |= to.bit();
                }
                match self.library.value(&next.turned(), self.rules) {
                    // The quiet plies begin anew.
                    Some(value) => exits.add_fresh(value.within(QUIET_PLIES)),
                    None => self.incomplete.store(true, Ordering::Relaxed),
                }
            }
        }
        exits
    }

    /// Lets the values run back through the king moves, wave by wave.
    fn spread(&self, men: [Men; 2], sides: usize, scratch: &mut Scratch) {
        let mut distance = 0;
        loop {
            let wave = std::mem::take(&mut scratch.waves[0]);
            if wave.is_empty() && scratch.waves[1].is_empty() {
                scratch.waves[0] = wave;
                return;
            }
            for &(side, own, other) in &wave {
                self.spread_from(men, sides, (side, own, other), distance, scratch);
            }
            // The next wave comes first now; the memory of this one is used again.
            let mut used = wave;
            used.clear();
            scratch.waves.swap(0, 1);
            scratch.waves[1] = used;
            distance += 1;
        }
    }

    fn spread_from(
        &self,
        men: [Men; 2],
        sides: usize,
        (side, own, other): Found,
        distance: u16,
        scratch: &mut Scratch,
    ) {
        let numbering = &self.stored[side].numbering;
        let room = men[side].room();
        let lost = matches!(
            decode(scratch.values[side][numbering.within(room, own, other)]),
            Some(Value::Loss(_))
        );
        // The kings of the other side have moved last.
        let before = if sides == 1 { side } else { 1 - side };
        let numbering = &self.stored[before].numbering;
        let room_before = men[before].room();
        let occupied = !room | own | other;
        let others = own.reverse_bits();
        for to in squares(other) {
            for from in squares(king_reach(to, occupied)) {
                let movers = (other & !to.bit() | from.bit()).reverse_bits();
                let index = numbering.within(room_before, movers, others);
                let value = &mut scratch.values[before][index];
                if *value != UNKNOWN {
                    continue;
                }
                let found = if lost {
                    Value::Win(distance + 1)
                } else {
                    let left = &mut scratch.left[before][index];
                    if *left == NEVER {
                        continue;
                    }
                    *left -= 1;
                    if *left > 0 {
                        continue;
                    }
                    Value::Loss(distance + 1)
                };
                match CODEC.encode(found).filter(|&code| code < CAPTURES) {
                    Some(code) => {
                        *value = code;
                        scratch.waves[1].push((before, movers, others));
                    }
                    None => {
                        self.too_far.fetch_max(distance + 1, Ordering::Relaxed);
                    }
                }
            }
        }
    }
}

/// The code of a position in which the mover must capture.
fn capture_code(value: Value) -> u8 {
    CAPTURES
        + match value {
            Value::Win(_) => 0,
            Value::Loss(_) => 1,
            Value::Draw => 2,
        }
}

/// The value of a code in memory.
pub(super) fn decode(code: u8) -> Option<Value> {
    match code {
        ..CAPTURES => CODEC.decode(code),
        CAPTURES => Some(Value::Win(1)),
        253 => Some(Value::Loss(1)),
        254 => Some(Value::Draw),
        IMPOSSIBLE => None,
    }
}

/// The bytes of the file from `at` on. Where the mover must capture, they look like their neighbour.
fn bytes(slices: &[&Stored], at: usize, len: usize) -> Vec<u8> {
    let mut last = UNKNOWN;
    let mut start = 0;
    let mut out = Vec::with_capacity(len);
    for stored in slices {
        let end = start + stored.values.len();
        let from = (at + out.len()).max(start);
        if from < end && out.len() < len {
            let wanted = len - out.len();
            for value in stored.values.iter().skip(from - start).take(wanted) {
                let code = value.load(Ordering::Relaxed);
                if code < CAPTURES {
                    last = code;
                }
                out.push(last);
            }
        }
        start = end;
    }
    out
}

/// Numbers about a class in memory.
fn summary(class: Class, library: &Library) -> Summary {
    let mut sides = [SideSummary::default(), SideSummary::default()];
    for (side, slice) in class.slices().enumerate() {
        let Some(stored) = library.get(slice) else { continue };
        let mut codes = [0_u64; 256];
        for value in &stored.values {
            codes[usize::from(value.load(Ordering::Relaxed))] += 1;
        }
        for (code, number) in (0..=u8::MAX).zip(codes) {
            if let Some(value) = decode(code) {
                sides[side].add(value, number);
            }
        }
    }
    Summary { sides }
}
