//! Training and held-out records, and how they are chosen from games.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};

use movegen::Variant;
use search::eval::nnue::BUCKETS;

use crate::features::Decoder;
use crate::record::Record;
use engine::random::Random;

/// From this ply on, records that the search holds for even are thinned out: they are many, and
/// would draw every score towards 0.
const LATE_PLY: u16 = 80;
/// Scores up to this far from 0 are even, in centipawns.
const EVEN_SCORE: u16 = 10;
/// One of so many late even records is kept.
const EVEN_SHARE: u64 = 4;

/// Shuffled records of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dataset {
    /// Which game.
    pub variant: Variant,
    /// Records to train on.
    pub training: Vec<Record>,
    /// Records of games that are not trained on.
    pub held_out: Vec<Record>,
}

impl Dataset {
    /// A checksum of all records and their order.
    pub fn fingerprint(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for records in [&self.training, &self.held_out] {
            hasher.update(&(records.len() as u64).to_le_bytes());
            records.iter().for_each(|record| hasher.update(&record.to_bytes()));
        }
        hasher.finalize()
    }
}

/// Zobrist keys are random already.
#[derive(Clone, Copy, Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Chooses records game by game.
#[derive(Debug)]
pub struct Builder {
    dataset: Dataset,
    report: Report,
    seed: u64,
    /// Games held out, of 2^32.
    held_out: u64,
    keys: HashSet<u64, BuildHasherDefault<KeyHasher>>,
}

impl Builder {
    /// Begins a dataset of which a share of the games, 0 to 1, is held out.
    pub fn new(variant: Variant, held_out: f64, seed: u64) -> Self {
        Self {
            dataset: Dataset { variant, training: Vec::new(), held_out: Vec::new() },
            report: Report::default(),
            seed,
            held_out: (held_out.clamp(0.0, 1.0) * 2_f64.powi(32)) as u64,
            keys: HashSet::default(),
        }
    }

    /// Adds the positions of one game that are worth training on, with the keys of
    /// [`movegen::Position::key`]. `positions` is the length of the game. Of positions with the same
    /// key only the first is kept. `identity` stands for the game's moves: whether a game is held
    /// out depends on it and the seed alone, so that a game stays on its side as files are added,
    /// and the same game never stands on both.
    pub fn add_game(&mut self, identity: u64, positions: usize, kept: &[(Record, u64)]) {
        self.report.games += 1;
        self.report.positions += positions as u64;
        self.report.suitable += kept.len() as u64;
        let draw = Random::new(self.seed ^ identity).next() >> 32;
        let held_out = draw < self.held_out;
        self.report.games_held_out += u64::from(held_out);
        let records =
            if held_out { &mut self.dataset.held_out } else { &mut self.dataset.training };
        for &(record, key) in kept {
            let even = record.ply() >= LATE_PLY && record.score().unsigned_abs() <= EVEN_SCORE;
            // High bits: the set below uses the low ones.
            if even && !(key >> 40).is_multiple_of(EVEN_SHARE) {
                self.report.thinned += 1;
            } else if !self.keys.insert(key) {
                self.report.duplicates += 1;
            } else {
                records.push(record);
            }
        }
    }

    /// Shuffles the records and counts them.
    pub fn finish(self) -> (Dataset, Report) {
        let Self { mut dataset, mut report, seed, keys, .. } = self;
        drop(keys);
        let mut random = Random::new(seed);
        random.shuffle(&mut dataset.training);
        random.shuffle(&mut dataset.held_out);
        report.count(&dataset);
        (dataset, report)
    }
}

/// Where records come from and what they are like.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Games read.
    pub games: u64,
    /// Of these, games that are held out.
    pub games_held_out: u64,
    /// Positions of all games.
    pub positions: u64,
    /// Positions that the filter kept.
    pub suitable: u64,
    /// Suitable positions left out because they are late and even.
    pub thinned: u64,
    /// Suitable positions left out because they came before.
    pub duplicates: u64,
    /// Records to train on and held out.
    pub records: [u64; 2],
    /// Records by bucket and by the mover's result: lost, drawn, won.
    pub buckets: [[u64; 3]; BUCKETS],
}

impl Report {
    /// Counts the records of a dataset.
    pub fn count(&mut self, dataset: &Dataset) {
        let decoder = Decoder::of(dataset.variant);
        self.records = [dataset.training.len() as u64, dataset.held_out.len() as u64];
        self.buckets = [[0; 3]; BUCKETS];
        for record in dataset.training.iter().chain(&dataset.held_out) {
            let result = (record.result() + 1).clamp(0, 2).unsigned_abs();
            let bucket = decoder.decode(record).bucket();
            self.buckets[bucket][usize::from(result)] += 1;
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.games > 0 {
            writeln!(f, "{} games, {} of them held out", self.games, self.games_held_out)?;
            writeln!(
                f,
                "{} positions, {} suitable; {} late and even left out, {} duplicates left out",
                self.positions, self.suitable, self.thinned, self.duplicates
            )?;
        }
        let [training, held_out] = self.records;
        writeln!(f, "{training} records to train on, {held_out} held out")?;
        writeln!(f, "bucket    records  mover won   drawn    lost")?;
        let mut all = [0; 3];
        let row = |f: &mut fmt::Formatter<'_>, name: &str, results: [u64; 3]| {
            let records: u64 = results.iter().sum();
            let [lost, drawn, won] = results.map(|n| 100.0 * n as f64 / (records.max(1)) as f64);
            writeln!(f, "{name:<6} {records:>10} {won:>9.1}% {drawn:>6.1}% {lost:>6.1}%")
        };
        for (bucket, results) in self.buckets.iter().enumerate() {
            row(f, &bucket.to_string(), *results)?;
            for (sum, n) in all.iter_mut().zip(results) {
                *sum += n;
            }
        }
        row(f, "all", all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Label;
    use movegen::Color;

    fn record(square: usize, score: i16, ply: u16) -> Record {
        let mut planes = [0; 4];
        planes[1] = 1 << square;
        planes[3] = 1 << ((square + 1) % 32);
        let label = Label { mover: Color::White, score, result: 1, remaining: u16::MAX, ply };
        Record::new(&planes, label).unwrap()
    }

    #[test]
    fn duplicates_and_late_even_records_are_left_out() {
        let mut builder = Builder::new(Variant::Makhos, 0.0, 1);
        let keys = |n: u64| (0..n).map(|key| key << 40 | key);
        let even: Vec<_> = keys(8).map(|key| (record(1, -10, 80), key)).collect();
        builder.add_game(1, 100, &even);
        // Neither late nor even: all kept, but for the two keys that the first game left in.
        let sharp: Vec<_> = keys(8).map(|key| (record(2, 11, 80), key)).collect();
        builder.add_game(2, 100, &sharp);
        let early: Vec<_> = keys(9).map(|key| (record(3, 0, 79), key)).collect();
        builder.add_game(3, 100, &early);
        let (dataset, report) = builder.finish();
        assert_eq!((report.thinned, report.duplicates), (6, 2 + 8));
        assert_eq!(report.records, [2 + 6 + 1, 0]);
        assert_eq!(dataset.training.len(), 9);
        assert_eq!((report.games, report.positions, report.suitable), (3, 300, 25));
        assert_eq!(report.buckets[0], [0, 0, 9]);
        assert!(report.to_string().contains("all             9     100.0%    0.0%    0.0%"));
    }

    #[test]
    fn games_are_held_out_whole_and_stay_on_their_side() {
        let build = |order: &[u64]| {
            let mut builder = Builder::new(Variant::Makhos, 0.25, 5);
            for &game in order {
                let square = (game % 31) as usize;
                let records: Vec<_> =
                    (0..10).map(|i| (record(square, game as i16, 20), game * 10 + i)).collect();
                builder.add_game(game.wrapping_mul(0x1234_5678_9abc_def1), 10, &records);
            }
            builder.finish()
        };
        let games: Vec<u64> = (0..400).collect();
        let (dataset, report) = build(&games);
        let of = |records: &[Record]| {
            let mut games: Vec<_> = records.iter().map(Record::score).collect();
            games.sort_unstable();
            games
        };
        let (training, held_out) = (of(&dataset.training), of(&dataset.held_out));
        assert_eq!(held_out.len() as u64, 10 * report.games_held_out);
        assert!((60..140).contains(&report.games_held_out));
        assert!(held_out.iter().all(|game| !training.contains(game)));
        let backwards: Vec<u64> = games.iter().rev().copied().collect();
        assert_eq!(of(&build(&backwards).0.held_out), held_out);
        // Shuffled, but always in the same way.
        assert_eq!(build(&games).0, dataset);
        assert_eq!(build(&games).0.fingerprint(), dataset.fingerprint());
        assert_ne!(build(&backwards).0.fingerprint(), dataset.fingerprint());
        assert!(!dataset.training.is_sorted_by_key(Record::score));
    }
}
