//! The bytes of open tables, unpacked block by block and kept as long as there is room.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::TableError;
use crate::file::TableFile;

/// Which block of which table.
type BlockKey = (u32, u64);

#[derive(Clone, Debug)]
struct BySize;

impl Weighter<BlockKey, Arc<[u8]>> for BySize {
    fn weight(&self, _: &BlockKey, block: &Arc<[u8]>) -> u64 {
        block.len() as u64
    }
}

/// Unpacked blocks of all tables.
#[derive(Debug)]
pub(crate) struct Blocks {
    cache: Cache<BlockKey, Arc<[u8]>, BySize>,
    next: AtomicU64,
    faults: Mutex<Vec<TableError>>,
}

/// Size of the smallest block that is counted on.
const TYPICAL_BLOCK: usize = 1 << 14;

impl Blocks {
    /// Keeps about so many bytes.
    pub(crate) fn new(capacity: usize) -> Self {
        let cache =
            Cache::with_weighter((capacity / TYPICAL_BLOCK).max(1), capacity as u64, BySize);
        Self { cache, next: AtomicU64::new(0), faults: Mutex::new(Vec::new()) }
    }

    /// A file whose blocks are kept here.
    pub(crate) fn add(&self, file: TableFile) -> BlockFile {
        let id = self.next.fetch_add(1, Ordering::Relaxed) as u32;
        BlockFile { id, file, broken: AtomicBool::new(false) }
    }

    /// A byte of a file; `None` beyond its end, or if the file has turned out to be broken.
    #[inline]
    pub(crate) fn byte(&self, file: &BlockFile, at: u64) -> Option<u8> {
        let block_len = u64::from(file.file.header().block);
        let block = self.block(file, at / block_len)?;
        block.get((at % block_len) as usize).copied()
    }

    /// A block of a file.
    #[inline]
    fn block(&self, file: &BlockFile, number: u64) -> Option<Arc<[u8]>> {
        let key = (file.id, number);
        if let Some(block) = self.cache.get(&key) {
            return Some(block);
        }
        if file.broken.load(Ordering::Relaxed) {
            return None;
        }
        match file.file.read_block(number) {
            Ok(bytes) => {
                let block: Arc<[u8]> = bytes.into();
                self.cache.insert(key, Arc::clone(&block));
                Some(block)
            }
            Err(error) => {
                // One word about each file is enough.
                if !file.broken.swap(true, Ordering::Relaxed) {
                    self.faults.lock().unwrap_or_else(PoisonError::into_inner).push(error);
                }
                None
            }
        }
    }

    /// What has gone wrong since the last time that somebody asked.
    pub(crate) fn take_faults(&self) -> Vec<TableError> {
        std::mem::take(&mut *self.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// An open file whose blocks are kept by [`Blocks`].
#[derive(Debug)]
pub(crate) struct BlockFile {
    id: u32,
    file: TableFile,
    /// A block could not be read; the file is left alone from then on.
    broken: AtomicBool,
}

impl BlockFile {
    pub(crate) fn file(&self) -> &TableFile {
        &self.file
    }
}
