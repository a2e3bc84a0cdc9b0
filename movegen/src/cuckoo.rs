//! A cuckoo hash table of the moves that can close a cycle, found by the difference of the keys
//! before and after (Marcel van Kervinck's method). Built by the compiler.

/// Slots; a power of two with room to spare, so that every move finds a place.
const SLOTS: usize = 8192;

/// The table.
pub(crate) struct Cuckoo {
    differences: [u64; SLOTS],
    moves: [u16; SLOTS],
    len: usize,
}

const fn first(difference: u64) -> usize {
    difference as usize & (SLOTS - 1)
}

const fn second(difference: u64) -> usize {
    (difference >> 16) as usize & (SLOTS - 1)
}

impl Cuckoo {
    /// No moves.
    pub(crate) const EMPTY: Self = Self { differences: [0; SLOTS], moves: [0; SLOTS], len: 0 };

    /// The table with one more move, whatever 16 bits stand for it.
    pub(crate) const fn insert(&mut self, difference: u64, m: u16) {
        let (mut difference, mut m) = (difference, m);
        let mut slot = first(difference);
        loop {
            let (evicted, its_move) = (self.differences[slot], self.moves[slot]);
            self.differences[slot] = difference;
            self.moves[slot] = m;
            if evicted == 0 {
                break;
            }
            // The evicted move goes to its other slot.
            slot = if slot == first(evicted) { second(evicted) } else { first(evicted) };
            (difference, m) = (evicted, its_move);
        }
        self.len += 1;
    }

    /// The move that makes this difference.
    #[inline(always)]
    pub(crate) fn find(&self, difference: u64) -> Option<u16> {
        [first(difference), second(difference)]
            .into_iter()
            .find(|&slot| self.differences[slot] == difference)
            .map(|slot| self.moves[slot])
    }

    /// Number of moves.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}
