//! Slices in memory, for the making of others.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, Ordering};

use movegen::makhos::Board;
use movegen::{Color, MakhosRules, Position as _};
use rayon::prelude::*;

use super::QUIET_PLIES;
use super::class::{Class, Slice};
use super::numbering::{Numbering, Sets};
use crate::exits::Exits;
use crate::file::TableFile;
use crate::value::Codec;
use crate::{TableError, Value};

/// How values are written.
pub(super) const CODEC: Codec = Codec::Both;

/// The values of a slice.
#[derive(Debug)]
pub(super) struct Stored {
    pub(super) numbering: Numbering,
    pub(super) values: Vec<AtomicU8>,
    /// Positions with a compulsory capture have no value.
    quiet_only: bool,
}

impl Stored {
    /// A slice with nothing known.
    pub(super) fn new(slice: Slice) -> Self {
        let numbering = Numbering::new(slice);
        let mut values = Vec::with_capacity(numbering.len());
        values.resize_with(numbering.len(), AtomicU8::default);
        Self { numbering, values, quiet_only: false }
    }
}

/// Slices by their pieces.
#[derive(Debug, Default)]
pub(super) struct Library {
    slices: HashMap<Slice, Stored>,
}

impl Library {
    pub(super) fn get(&self, slice: Slice) -> Option<&Stored> {
        self.slices.get(&slice)
    }

    pub(super) fn insert(&mut self, slice: Slice, stored: Stored) {
        self.slices.insert(slice, stored);
    }

    pub(super) fn has(&self, class: Class) -> bool {
        class.slices().all(|slice| self.slices.contains_key(&slice))
    }

    /// Forgets slices that are not wanted.
    pub(super) fn retain(&mut self, wanted: impl Fn(Slice) -> bool) {
        self.slices.retain(|&slice, _| wanted(slice));
    }

    /// Reads the slices of a file.
    pub(super) fn load(&mut self, class: Class, file: &TableFile) -> Result<(), TableError> {
        let blocks: Vec<Vec<u8>> = (0..file.blocks())
            .into_par_iter()
            .map(|b| file.read_block(b))
            .collect::<Result<_, _>>()?;
        let mut bytes = blocks.into_iter().flatten();
        for slice in class.slices() {
            let numbering = Numbering::new(slice);
            let values = bytes.by_ref().take(numbering.len()).map(AtomicU8::new).collect();
            self.insert(slice, Stored { numbering, values, quiet_only: true });
        }
        Ok(())
    }

    /// The value of a position for its mover; `None` if its slice is missing. A side without pieces
    /// has lost.
    pub(super) fn value(&self, sets: &Sets, rules: MakhosRules) -> Option<Value> {
        if sets.own_men | sets.own_kings == 0 {
            return Some(Value::Loss(0));
        }
        let stored = self.slices.get(&sets.slice())?;
        if stored.quiet_only {
            let board = board_of(sets, rules)?;
            if board.can_capture(Color::White) {
                return captures_value(&board, |next| self.value(next, rules));
            }
        }
        let code = stored.values.get(stored.numbering.index(sets))?.load(Ordering::Relaxed);
        super::build::decode(code)
    }
}

/// The board with these pieces; the mover is White.
#[inline]
pub(super) fn board_of(sets: &Sets, rules: MakhosRules) -> Option<Board> {
    let (men, kings) = ([sets.own_men, sets.other_men], [sets.own_kings, sets.other_kings]);
    Board::with_pieces(men, kings, Color::White, rules)
}

/// The pieces of a board as its mover sees them.
#[inline]
pub(super) fn sets_of(board: &Board) -> Sets {
    let (us, them) = (Color::White, Color::Black);
    let sets = Sets {
        own_men: board.men(us),
        own_kings: board.kings(us),
        other_men: board.men(them),
        other_kings: board.kings(them),
    };
    if board.side_to_move() == us { sets } else { sets.turned() }
}

/// The value of a position in which the mover must capture, from those of the positions after it.
pub(super) fn captures_value(
    board: &Board,
    mut value: impl FnMut(&Sets) -> Option<Value>,
) -> Option<Value> {
    let mut exits = Exits::default();
    for m in board.legal_moves() {
        let next = value(&sets_of(&board.play_unchecked(m)))?;
        // The quiet plies begin anew.
        exits.add_fresh(next.within(QUIET_PLIES));
        if exits.win.is_some() {
            break;
        }
    }
    Some(exits.value())
}
