//! Move generation.
//!
//! Captures are compulsory, so each function first asks, for all men at once, whether there is
//! one. Everything is compiled twice, for White and for Black, so that men move by constant shifts.

use super::pieces::Pieces;
use super::square::{Direction, EVEN_NOT_H, ODD_NOT_A, king_reach, squares};
use super::{Board, Move, Square};
use crate::{Color, MakhosRules, MoveList, Removal};

/// The pieces as the side to move sees them.
#[derive(Clone, Copy)]
pub(super) struct Side<const WHITE: bool> {
    men: u32,
    kings: u32,
    them: u32,
    empty: u32,
    rules: ChainRules,
}

/// The rules that a king's chain depends on.
#[derive(Clone, Copy)]
pub(super) struct ChainRules {
    removal: Removal,
    reverse: bool,
}

impl ChainRules {
    #[inline(always)]
    pub(super) const fn of(rules: &MakhosRules) -> Self {
        Self { removal: rules.removal, reverse: rules.reverse }
    }
}

/// Runs an expression over the board as the side to move sees it, once compiled for each color.
macro_rules! by_side {
    ($board:expr, $side:ident => $body:expr) => {
        match $board.side {
            Color::White => {
                let $side = Side::<true>::of($board);
                $body
            }
            Color::Black => {
                let $side = Side::<false>::of($board);
                $body
            }
        }
    };
}
pub(super) use by_side;

/// How far a king's chain has come.
#[derive(Clone, Copy)]
struct Chain {
    from: Square,
    at: Square,
    captured: u32,
    /// The direction of the last jump.
    came: Option<Direction>,
}

/// One jump of a king.
#[derive(Clone, Copy)]
struct Jump {
    victim: u32,
    landing: Square,
    direction: Direction,
}

impl<const WHITE: bool> Side<WHITE> {
    pub(super) const COLOR: Color = if WHITE { Color::White } else { Color::Black };
    const CROWN_RANK: u32 = Pieces::crown_rank(Self::COLOR);
    /// The two ways of this side's men.
    const FORWARD: [Direction; 2] = if WHITE {
        [Direction::NorthWest, Direction::NorthEast]
    } else {
        [Direction::SouthWest, Direction::SouthEast]
    };

    #[inline(always)]
    pub(super) fn of(board: &Board) -> Self {
        Self::new(&board.pieces, ChainRules::of(&board.rules))
    }

    #[inline(always)]
    pub(super) fn new(pieces: &Pieces, rules: ChainRules) -> Self {
        Self {
            men: pieces.men[Self::COLOR.index()],
            kings: pieces.kings[Self::COLOR.index()],
            them: pieces.of(Self::COLOR.opposite()),
            empty: !pieces.occupied(),
            rules,
        }
    }

    /// Men that can capture.
    #[inline(always)]
    fn capturing_men(&self) -> u32 {
        let [left, right] = Self::FORWARD;
        let jumpers = |way: Direction| {
            let back = way.opposite();
            back.step(self.them & back.step(self.empty))
        };
        self.men & (jumpers(left) | jumpers(right))
    }

    /// Whether the king on `from` can capture.
    #[inline(always)]
    fn king_captures(&self, from: Square) -> bool {
        Direction::ALL.into_iter().any(|direction| {
            let victim = direction.first_blocker(from, !self.empty) & self.them;
            direction.step(victim) & self.empty != 0
        })
    }

    #[inline(always)]
    pub(super) fn has_capture(&self) -> bool {
        self.capturing_men() != 0
            || self.kings != 0 && squares(self.kings).any(|from| self.king_captures(from))
    }

    /// The empty squares that men can step to. In the numbering, one of a man's two steps always
    /// leads four squares away; the other leads three or five, by the parity of the row it starts
    /// from. These are the targets of the former, and of the latter from even and from odd rows.
    #[inline(always)]
    fn man_targets(&self) -> (u32, u32, u32) {
        let (men, empty) = (self.men, self.empty);
        if WHITE {
            (men >> 4 & empty, (men & EVEN_NOT_H) >> 3 & empty, (men & ODD_NOT_A) >> 5 & empty)
        } else {
            (men << 4 & empty, (men & EVEN_NOT_H) << 5 & empty, (men & ODD_NOT_A) << 3 & empty)
        }
    }

    /// Whether there is a move that captures nothing.
    #[inline(always)]
    pub(super) fn has_quiet(&self) -> bool {
        let (straight, even, odd) = self.man_targets();
        straight | even | odd != 0
            || squares(self.kings).any(|from| king_reach(from, !self.empty) != 0)
    }

    #[inline(always)]
    pub(super) fn count_quiets(&self) -> u32 {
        let (straight, even, odd) = self.man_targets();
        // The two slanting sets lie on rows of different parity.
        let mut count = straight.count_ones() + (even | odd).count_ones();
        if self.kings != 0 {
            for from in squares(self.kings) {
                count += king_reach(from, !self.empty).count_ones();
            }
        }
        count
    }

    /// Number of legal moves.
    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        if self.has_capture() { self.count_captures() } else { self.count_quiets() }
    }

    fn count_captures(&self) -> u32 {
        let mut moves = MoveList::new();
        self.captures(&mut moves);
        moves.len() as u32
    }

    /// Moves that capture nothing and end on one of `targets`.
    #[inline(always)]
    pub(super) fn quiets(&self, targets: u32, moves: &mut MoveList<Move>) {
        let (straight, even, odd) = self.man_targets();
        let [by_straight, by_even, by_odd] = if WHITE { [4, 3, 5] } else { [-4, -5, -3] };
        for (set, back) in [(straight, by_straight), (even, by_even), (odd, by_odd)] {
            for to in squares(set & targets) {
                let from = Square::wrap((to.index() as u32).wrapping_add_signed(back));
                push(moves, Move::new(from, to, 0));
            }
        }
        if self.kings != 0 {
            self.king_quiets(self.kings, targets, moves);
        }
    }

    fn king_quiets(&self, kings: u32, targets: u32, moves: &mut MoveList<Move>) {
        for from in squares(kings) {
            for to in squares(king_reach(from, !self.empty) & targets) {
                push(moves, Move::new(from, to, 0));
            }
        }
    }

    /// Moves of men that capture nothing but make a king.
    #[inline(always)]
    pub(super) fn quiet_promotions(&self, moves: &mut MoveList<Move>) {
        Self { kings: 0, ..*self }.quiets(Self::CROWN_RANK, moves);
    }

    /// Moves that capture nothing and make no king.
    #[inline(always)]
    pub(super) fn plain_quiets(&self, moves: &mut MoveList<Move>) {
        Self { kings: 0, ..*self }.quiets(!Self::CROWN_RANK, moves);
        if self.kings != 0 {
            self.king_quiets(self.kings, u32::MAX, moves);
        }
    }

    /// All legal moves.
    #[inline(always)]
    pub(super) fn moves(&self, moves: &mut MoveList<Move>) {
        let before = moves.len();
        self.captures(moves);
        if moves.len() == before {
            self.quiets(u32::MAX, moves);
        }
    }

    /// All complete capture chains.
    #[inline(always)]
    pub(super) fn captures(&self, moves: &mut MoveList<Move>) {
        let men = self.capturing_men();
        if men != 0 {
            for from in squares(men) {
                self.man_chains(from, from.bit(), 0, moves);
            }
        }
        if self.kings != 0 {
            self.king_captures_of(self.kings, moves);
        }
    }

    /// The complete capture chains of one piece.
    pub(super) fn captures_from(&self, from: Square, moves: &mut MoveList<Move>) {
        if self.capturing_men() & from.bit() != 0 {
            self.man_chains(from, from.bit(), 0, moves);
        } else {
            self.king_captures_of(self.kings & from.bit(), moves);
        }
    }

    /// Continues a man's chain; `at` is where it stands. Men only go forward, so that removal
    /// makes no difference and a captured set has one order only.
    fn man_chains(&self, from: Square, at: u32, captured: u32, moves: &mut MoveList<Move>) {
        let mut over = true;
        for way in Self::FORWARD {
            let victim = way.step(at) & self.them;
            let landing = way.step(victim) & self.empty;
            if landing != 0 {
                over = false;
                self.man_chains(from, landing, captured | victim, moves);
            }
        }
        if over && captured != 0 {
            push(moves, Move::new(from, Square::wrap(at.trailing_zeros()), captured));
        }
    }

    fn king_captures_of(&self, kings: u32, moves: &mut MoveList<Move>) {
        for from in squares(kings) {
            if self.king_captures(from) {
                let first = moves.len();
                let chain = Chain { from, at: from, captured: 0, came: None };
                self.king_chains(chain, first, moves);
            }
        }
    }

    /// Continues a king's chain. Moves of this king begin at `first` in the list.
    fn king_chains(&self, chain: Chain, first: usize, moves: &mut MoveList<Move>) {
        let mut over = true;
        for direction in Direction::ALL {
            if let Some(jump) = self.jump(&chain, direction) {
                over = false;
                self.king_chains(chain.after(jump), first, moves);
            }
        }
        if over && chain.captured != 0 {
            let m = Move::new(chain.from, chain.at, chain.captured);
            // The same pieces taken in another order are the same move.
            if !moves.get(first..).is_some_and(|own| own.contains(&m)) {
                push(moves, m);
            }
        }
    }

    /// The next jump of a king's chain in one direction.
    #[inline(always)]
    fn jump(&self, chain: &Chain, direction: Direction) -> Option<Jump> {
        if !self.rules.reverse && chain.came == Some(direction.opposite()) {
            return None;
        }
        // The origin counts as empty from the first jump on.
        let occupied = !self.empty & !chain.from.bit();
        let occupied = match self.rules.removal {
            Removal::Immediate => occupied & !chain.captured,
            Removal::After => occupied,
        };
        let victim = direction.first_blocker(chain.at, occupied) & self.them & !chain.captured;
        let landing = Square::first_of(direction.step(victim) & !occupied)?;
        Some(Jump { victim, landing, direction })
    }

    /// The landing squares of the first complete chain, in generation order, that makes the capture
    /// `m`; at most `path.capacity()` of them. Whether there is one.
    pub(super) fn find_path(&self, m: Move, path: &mut Path) -> bool {
        let chain = Chain { from: m.from(), at: m.from(), captured: 0, came: None };
        if self.men & m.from().bit() != 0 {
            self.find_man_path(chain, m, path)
        } else {
            self.find_king_path(chain, m, path)
        }
    }

    fn find_man_path(&self, chain: Chain, m: Move, path: &mut Path) -> bool {
        if chain.captured == m.captured() {
            return chain.at == m.to();
        }
        for way in Self::FORWARD {
            let Some(jump) = self.man_jump(&chain, way) else { continue };
            if jump.victim & m.captured() != 0 && path.try_push(jump.landing).is_ok() {
                if self.find_man_path(chain.after(jump), m, path) {
                    return true;
                }
                path.pop();
            }
        }
        false
    }

    #[inline(always)]
    fn man_jump(&self, chain: &Chain, direction: Direction) -> Option<Jump> {
        let victim = direction.step(chain.at.bit()) & self.them;
        let landing = Square::first_of(direction.step(victim) & self.empty)?;
        Some(Jump { victim, landing, direction })
    }

    fn find_king_path(&self, chain: Chain, m: Move, path: &mut Path) -> bool {
        if chain.captured == m.captured() {
            return chain.at == m.to() && self.is_over(&chain);
        }
        for direction in Direction::ALL {
            let Some(jump) = self.jump(&chain, direction) else { continue };
            if jump.victim & m.captured() != 0 && path.try_push(jump.landing).is_ok() {
                if self.find_king_path(chain.after(jump), m, path) {
                    return true;
                }
                path.pop();
            }
        }
        false
    }

    /// Whether a king's chain can go no further. If kings may not turn back, this depends on the
    /// order of the captures, not only on where they led.
    fn is_over(&self, chain: &Chain) -> bool {
        Direction::ALL.into_iter().all(|direction| self.jump(chain, direction).is_none())
    }

    /// The pieces that are captured by jumping from `from` to each of `landings` in turn, if every
    /// jump is possible and there is no further one.
    pub(super) fn walk(&self, from: Square, landings: &[Square]) -> Option<u32> {
        let is_man = self.men & from.bit() != 0;
        if !is_man && self.kings & from.bit() == 0 {
            return None;
        }
        let mut chain = Chain { from, at: from, captured: 0, came: None };
        for &landing in landings {
            let jump = Direction::ALL.into_iter().find_map(|direction| {
                let jump = if !is_man {
                    self.jump(&chain, direction)
                } else if Self::FORWARD.contains(&direction) {
                    self.man_jump(&chain, direction)
                } else {
                    None
                };
                jump.filter(|jump| jump.landing == landing)
            })?;
            chain = chain.after(jump);
        }
        let over = if is_man {
            Self::FORWARD.into_iter().all(|way| self.man_jump(&chain, way).is_none())
        } else {
            self.is_over(&chain)
        };
        over.then_some(chain.captured)
    }
}

/// The landing squares of one move.
pub(super) type Path = arrayvec::ArrayVec<Square, { Board::MAX_PIECES }>;

impl Chain {
    #[inline(always)]
    fn after(self, jump: Jump) -> Self {
        Self {
            from: self.from,
            at: jump.landing,
            captured: self.captured | jump.victim,
            came: Some(jump.direction),
        }
    }
}

/// Appends a move; a full list stays as it is.
#[inline(always)]
fn push(moves: &mut MoveList<Move>, m: Move) {
    // No accepted position has as many moves as a list holds, so nothing is lost here.
    let _ = moves.try_push(m);
}
