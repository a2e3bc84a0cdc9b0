//! The transposition table: shared by all threads without locks, any size, aged.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::Bound;
use crate::score::{DECISIVE, NONE};

const CLUSTER: usize = 4;
const BYTES_PER_MIB: usize = 1 << 20;
/// Generations wrap at this.
const GENERATIONS: u8 = 32;
/// Clusters below which another thread does not pay.
const MIN_CLEARED_PER_THREAD: usize = 1 << 17;

/// 16 bytes: a word of data and the key, which is mixed with the data so that a torn pair (two
/// threads writing at once) does not match any key.
///
/// Data, from the low bits: move tag 16, score 16, raw evaluation 16, depth 8, bound 2, PV 1,
/// generation 5. The low byte of the (unmixed) key word holds the plies left on the clock.
#[derive(Debug, Default)]
struct Slot {
    key: AtomicU64,
    data: AtomicU64,
}

/// One cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Cluster([Slot; CLUSTER]);

/// What a probe found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Tag of the best move, 0 for none.
    pub tag: u16,
    /// Mates are counted from the node (see `score::from_table`).
    pub score: i32,
    /// Evaluation without count, `NONE` if unknown.
    pub raw_eval: i32,
    /// Depth of the search behind it.
    pub depth: i32,
    /// `None`: only the evaluation (and perhaps the move) is known.
    pub bound: Option<Bound>,
    /// It was, or once was, on a principal variation.
    pub pv: bool,
    /// Plies left on the clock, 255 for no clock.
    pub remaining: u8,
}

const KEY_MASK: u64 = !0xFF;

fn pack(entry: &Entry, generation: u8) -> u64 {
    let bound = match entry.bound {
        None => 0,
        Some(Bound::Upper) => 1,
        Some(Bound::Lower) => 2,
        Some(Bound::Exact) => 3,
    };
    u64::from(entry.tag)
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.raw_eval as i16 as u16) << 32
        | u64::from(entry.depth.clamp(0, 255) as u8) << 48
        | (bound | u64::from(entry.pv) << 2 | u64::from(generation) << 3) << 56
}

fn unpack(data: u64, remaining: u8) -> Entry {
    Entry {
        tag: data as u16,
        score: i32::from((data >> 16) as u16 as i16),
        raw_eval: i32::from((data >> 32) as u16 as i16),
        depth: i32::from((data >> 48) as u8),
        bound: match data >> 56 & 3 {
            0 => None,
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            _ => Some(Bound::Exact),
        },
        pv: data >> 58 & 1 != 0,
        remaining,
    }
}

/// The shared table.
#[derive(Debug)]
pub struct TranspositionTable {
    clusters: Vec<Cluster>,
    generation: AtomicU8,
    mib: usize,
}

impl TranspositionTable {
    /// A table of `mib` MiB (one cluster if 0), or a small one if that much cannot be had.
    pub fn new(mib: usize) -> Self {
        let mut table = Self { clusters: Vec::new(), generation: AtomicU8::new(0), mib: 0 };
        let mut size = mib;
        while !table.allocate(size) && size > 0 {
            size = (size / 2).min(Self::FALLBACK_MIB);
        }
        table
    }

    /// Size to try when memory for the wanted one cannot be had.
    const FALLBACK_MIB: usize = 16;

    /// Changes the size and forgets everything. If the memory cannot be had, the old size stays.
    pub fn resize(&mut self, mib: usize) {
        if mib == self.mib && !self.clusters.is_empty() {
            return;
        }
        let old = self.mib;
        self.clusters = Vec::new();
        self.mib = 0;
        if !self.allocate(mib) {
            *self = Self::new(old);
        }
    }

    fn allocate(&mut self, mib: usize) -> bool {
        let Some(bytes) = mib.checked_mul(BYTES_PER_MIB) else { return false };
        let count = (bytes / size_of::<Cluster>()).max(1);
        let mut clusters = Vec::new();
        if clusters.try_reserve_exact(count).is_err() {
            return false;
        }
        clusters.resize_with(count, Cluster::default);
        self.clusters = clusters;
        self.mib = mib;
        true
    }

    /// The size in MiB really in use.
    pub fn mib(&self) -> usize {
        self.mib
    }

    /// Forgets everything, with several threads if the table is big.
    pub fn clear(&self, threads: usize) {
        self.generation.store(0, Ordering::Relaxed);
        let part = self.clusters.len().div_ceil(threads.max(1)).max(MIN_CLEARED_PER_THREAD);
        std::thread::scope(|scope| {
            for part in self.clusters.chunks(part).skip(1) {
                let job = std::thread::Builder::new().spawn_scoped(scope, move || wipe(part));
                if job.is_err() {
                    wipe(part);
                }
            }
            wipe(&self.clusters[..part.min(self.clusters.len())]);
        });
    }

    /// Entries written from now on are newer than all others.
    pub fn new_search(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        // Multiply-shift maps the key evenly on any table size. The length is never 0.
        let index = ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize;
        &self.clusters[index]
    }

    /// Asks the processor to bring the cluster of `key` near.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        movegen::prefetch(self.cluster(key));
    }

    /// What is known about `key`.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            let mixed = slot.key.load(Ordering::Relaxed) ^ data;
            if (mixed ^ key) & KEY_MASK == 0 && data != 0 {
                return Some(unpack(data, mixed as u8));
            }
        }
        None
    }

    /// Remembers `entry` under `key`. An entry without a move keeps the move that is there.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut victim = None;
        let mut worst = i32::MAX;
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            let mixed = slot.key.load(Ordering::Relaxed) ^ data;
            if data == 0 {
                victim = Some(slot);
                break;
            }
            let old = unpack(data, mixed as u8);
            let age = (generation + GENERATIONS - (data >> 59) as u8) % GENERATIONS;
            if (mixed ^ key) & KEY_MASK == 0 {
                if entry.tag == 0 {
                    entry.tag = old.tag;
                }
                // A much shallower bound under the same clock adds nothing.
                if age == 0
                    && old.remaining == entry.remaining
                    && old.bound.is_some()
                    && entry.bound != Some(Bound::Exact)
                    && entry.depth + 3 + 2 * i32::from(entry.pv) <= old.depth
                {
                    return;
                }
                victim = Some(slot);
                break;
            }
            let worth = old.depth - 8 * i32::from(age);
            if worth < worst {
                worst = worth;
                victim = Some(slot);
            }
        }
        if let Some(slot) = victim {
            let data = pack(&entry, generation);
            slot.data.store(data, Ordering::Relaxed);
            slot.key.store((key & KEY_MASK | u64::from(entry.remaining)) ^ data, Ordering::Relaxed);
        }
    }

    /// Part of the table written by this search, in permille (of a sample).
    pub fn hash_full(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.0)
            .map(|slot| slot.data.load(Ordering::Relaxed))
            .filter(|&data| data != 0 && (data >> 59) as u8 == generation)
            .count();
        u32::try_from(used * 1000 / (sample.len() * CLUSTER).max(1)).unwrap_or(1000)
    }
}

fn wipe(part: &[Cluster]) {
    for slot in part.iter().flat_map(|cluster| &cluster.0) {
        slot.key.store(0, Ordering::Relaxed);
        slot.data.store(0, Ordering::Relaxed);
    }
}

/// A score as an entry keeps it: mates are counted from the node instead of the root.
#[inline(always)]
pub(crate) fn to_table(score: i32, ply: usize) -> i32 {
    let ply = ply as i32;
    if score >= DECISIVE {
        score + ply
    } else if score <= -DECISIVE {
        score - ply
    } else {
        score
    }
}

/// The reverse of [`to_table`].
#[inline(always)]
pub(crate) fn from_table(score: i32, ply: usize) -> i32 {
    let ply = ply as i32;
    if score == NONE {
        NONE
    } else if score >= DECISIVE {
        score - ply
    } else if score <= -DECISIVE {
        score + ply
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(tag: u16, depth: i32) -> Entry {
        Entry {
            tag,
            score: -123,
            raw_eval: 77,
            depth,
            bound: Some(Bound::Lower),
            pv: true,
            remaining: 200,
        }
    }

    #[test]
    fn remembers_every_field() {
        let table = TranspositionTable::new(1);
        for (i, bound) in [None, Some(Bound::Exact), Some(Bound::Lower), Some(Bound::Upper)]
            .into_iter()
            .enumerate()
        {
            for value in [-32_000, -1, 0, 1, 32_000] {
                let key = ((i as u64 + 1) * 0x1234_5678_9ABC_DEF1) ^ ((value as u64) << 32);
                let stored = Entry { bound, score: value, raw_eval: -value, ..entry(9, 12) };
                table.store(key, stored);
                assert_eq!(table.probe(key), Some(stored));
                assert_eq!(table.probe(key ^ 1 << 40), None);
            }
        }
    }

    #[test]
    fn keeps_a_known_move() {
        let table = TranspositionTable::new(1);
        table.store(5, entry(9, 3));
        table.store(5, entry(0, 8));
        assert_eq!(table.probe(5).map(|e| (e.tag, e.depth)), Some((9, 8)));
    }

    #[test]
    fn one_cluster_never_confuses_keys() {
        let table = TranspositionTable::new(0);
        for i in 1..5_000_u64 {
            let key = i << 8;
            table.store(key, Entry { score: (i % 1000) as i32, ..entry(i as u16 | 1, 1) });
            for j in 1..=i.min(40) {
                if let Some(found) = table.probe(j << 8) {
                    assert_eq!(found.score, (j % 1000) as i32);
                }
            }
        }
    }

    #[test]
    fn a_torn_pair_matches_no_key() {
        let table = TranspositionTable::new(0);
        table.store(1 << 8, entry(1, 1));
        let slot = &table.clusters[0].0[0];
        slot.data.fetch_xor(1 << 20, Ordering::Relaxed);
        assert_eq!(table.probe(1 << 8), None);
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let table = TranspositionTable::new(0);
        for (i, depth) in [20, 3, 15, 9].into_iter().enumerate() {
            table.store((i as u64 + 1) << 8, entry(1, depth));
        }
        table.store(99 << 8, entry(1, 1));
        assert!(table.probe(2 << 8).is_none(), "the shallowest had to go");
        for _ in 0..3 {
            table.new_search();
        }
        table.store(98 << 8, entry(1, 4));
        table.store(97 << 8, entry(1, 4));
        assert!(table.probe(98 << 8).is_some() && table.probe(97 << 8).is_some());
    }

    #[test]
    fn any_size_and_impossible_sizes() {
        let mut table = TranspositionTable::new(3);
        assert_eq!(table.mib(), 3);
        table.resize(7);
        assert_eq!(table.mib(), 7);
        table.resize(usize::MAX);
        assert_eq!(table.mib(), 7);
        table.resize(1 << 43);
        assert_eq!(table.mib(), 7);
        table.store(5, entry(9, 3));
        table.clear(3);
        assert_eq!(table.probe(5), None);
        table.resize(5);
        assert_eq!(table.mib(), 5);
        assert!(TranspositionTable::new(usize::MAX).mib() <= TranspositionTable::FALLBACK_MIB);
    }

    #[test]
    fn mates_are_counted_from_the_node() {
        for score in [-31_990, -200, 0, 200, 31_990] {
            assert_eq!(from_table(to_table(score, 7), 7), score);
        }
        assert_eq!(to_table(31_990, 3), 31_993);
    }
}
