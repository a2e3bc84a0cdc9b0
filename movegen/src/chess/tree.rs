//! Perft over the men alone: no keys, no counts, the color a type, and the last ply counted.

use std::marker::PhantomData;

use super::generate::{Sink, count, generate, wanted};
use super::men::Men;
use super::side::{Black, Side, White};
use super::{Move, Rules};
use crate::Color;
use crate::cpu::{self, Job, Level};
use crate::{GameMove as _, MoveList};

impl Sink for MoveList<Move> {
    #[inline(always)]
    fn add(&mut self, m: Move) {
        debug_assert!(self.len() < self.capacity() && m.tag() != 0);
        // No position has more moves than the list holds (`MAX_MOVES`), so nothing is lost; this
        // form cannot panic.
        let _ = self.try_push(m);
    }
}

/// How the tree is walked.
#[derive(Clone, Copy)]
pub(super) struct Walk {
    pub(super) all_promotions: bool,
    /// Make a list at the last ply too, as a search does.
    pub(super) listing: bool,
}

/// Leaves below a position.
pub(super) fn leaves<R: Rules>(men: &Men, side: Color, depth: u32, walk: Walk) -> u64 {
    if depth == 0 {
        return 1;
    }
    match (side, walk.listing) {
        (Color::White, false) => cpu::dispatch(Node::<R, White, false>::new(men, depth, walk)),
        (Color::White, true) => cpu::dispatch(Node::<R, White, true>::new(men, depth, walk)),
        (Color::Black, false) => cpu::dispatch(Node::<R, Black, false>::new(men, depth, walk)),
        (Color::Black, true) => cpu::dispatch(Node::<R, Black, true>::new(men, depth, walk)),
    }
}

/// One node of the tree, side `S` to move, at least one ply above the leaves.
struct Node<'a, R, S, const LISTING: bool> {
    men: &'a Men,
    depth: u32,
    walk: Walk,
    marker: PhantomData<(R, S)>,
}

impl<'a, R: Rules, S: Side, const LISTING: bool> Node<'a, R, S, LISTING> {
    #[inline(always)]
    fn new(men: &'a Men, depth: u32, walk: Walk) -> Self {
        Self { men, depth, walk, marker: PhantomData }
    }
}

impl<R: Rules, S: Side, const LISTING: bool> Job for Node<'_, R, S, LISTING> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Level>(self, level: L) -> u64 {
        let promotions = self.walk.all_promotions;
        if self.depth == 1 && !LISTING {
            return u64::from(count::<R, S>(self.men, promotions));
        }
        let mut moves = MoveList::new();
        generate::<R, S, { wanted::ALL }>(self.men, promotions, &mut moves);
        if self.depth == 1 {
            return moves.len() as u64;
        }
        let mut leaves = 0;
        for &m in &moves {
            let mut child = *self.men;
            child.play(S::COLOR, m);
            let node = Node::<R, S::Other, LISTING>::new(&child, self.depth - 1, self.walk);
            leaves += level.enter(node);
        }
        leaves
    }
}
