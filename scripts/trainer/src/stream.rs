//! The order in which training positions are visited.

use crate::record::Record;
use engine::random::Random;

/// Records that stay together. They were shuffled one by one when the dataset was made; shuffling
/// runs of 2 KB in every epoch gives other batches at the speed of sequential reading.
const RUN: usize = 64;

/// Batches without end: every epoch visits each record once, in an order of its own.
#[derive(Debug)]
pub struct Stream<'a> {
    records: &'a [Record],
    seed: u64,
    visited: u64,
    /// Order of the runs in the epoch that `visited` is in.
    order: Vec<u32>,
    epoch: Option<u64>,
}

impl<'a> Stream<'a> {
    /// The stream of a seed after so many visited records.
    pub fn new(records: &'a [Record], seed: u64, visited: u64) -> Self {
        Self { records, seed, visited, order: Vec::new(), epoch: None }
    }

    /// Records visited so far.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Replaces `batch` by the next `count` records; empty if there are none at all.
    pub fn next_batch(&mut self, batch: &mut Vec<Record>, count: usize) {
        batch.clear();
        while batch.len() < count && !self.records.is_empty() {
            let length = self.records.len() as u64;
            self.enter(self.visited / length);
            let place = (self.visited % length) as usize;
            let run = self.run(place / RUN);
            let rest = run.get(place % RUN..).unwrap_or_default();
            let taken = rest.len().min(count - batch.len());
            batch.extend_from_slice(&rest[..taken]);
            self.visited += taken as u64;
        }
    }

    /// The `i`-th run of the epoch. An incomplete one is always the last.
    fn run(&self, i: usize) -> &'a [Record] {
        let start = self.order.get(i).map_or(i, |&run| run as usize) * RUN;
        &self.records[start..self.records.len().min(start + RUN)]
    }

    fn enter(&mut self, epoch: u64) {
        if self.epoch == Some(epoch) {
            return;
        }
        self.epoch = Some(epoch);
        let complete = u32::try_from(self.records.len() / RUN).unwrap_or(u32::MAX);
        self.order = (0..complete).collect();
        // Neighbouring seeds and epochs must not meet: the seed of one epoch is drawn from both.
        let mut seeds = Random::new(self.seed);
        let mixed = seeds.next() ^ epoch.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Random::new(mixed).shuffle(&mut self.order);
    }
}

#[cfg(test)]
mod tests {
    use movegen::Variant;

    use super::*;
    use crate::synthetic::random_records;

    fn take(stream: &mut Stream, count: usize) -> Vec<Record> {
        let mut batch = Vec::new();
        stream.next_batch(&mut batch, count);
        batch
    }

    #[test]
    fn every_epoch_visits_every_record_once() {
        let mut records = random_records(Variant::Makhos, 1000, 1);
        let mut stream = Stream::new(&records, 7, 0);
        let mut epochs: Vec<Vec<Record>> = (0..3).map(|_| take(&mut stream, 1000)).collect();
        assert_ne!(epochs[0], epochs[1]);
        assert_ne!(epochs[1], epochs[2]);
        assert_eq!(take(&mut Stream::new(&records, 7, 0), 1000), epochs[0]);
        assert_ne!(take(&mut Stream::new(&records, 8, 0), 1000), epochs[0]);
        epochs.push(records.clone());
        for epoch in &mut epochs {
            epoch.sort_unstable_by_key(|record| record.to_bytes());
        }
        records.sort_unstable_by_key(|record| record.to_bytes());
        assert!(epochs.iter().all(|epoch| *epoch == records));
    }

    #[test]
    fn a_stream_can_be_taken_up_anywhere() {
        let records = random_records(Variant::Makhos, 777, 2);
        let mut whole = Stream::new(&records, 3, 0);
        for _ in 0..40 {
            let visited = whole.visited();
            let batch = take(&mut whole, 100);
            assert_eq!(batch.len(), 100);
            assert_eq!(take(&mut Stream::new(&records, 3, visited), 100), batch);
        }
        assert!(take(&mut Stream::new(&[], 3, 0), 100).is_empty());
    }
}
