//! Legal move generation: a king safety survey once per position, then every man's moves are legal
//! as they come. Only rooks pin, so a pin lies along the king's rank or file.

use std::marker::PhantomData;

use super::attacks::{
    between, forward_step, khon_attacks, king_attacks, knight_attacks, met_attacks, rook_attacks,
    rook_lines,
};
use super::men::Men;
use super::side::{Side, diagonals};
use super::{Move, PieceType, Rules, Square};

/// Which moves are wanted.
pub(super) mod wanted {
    /// Everything.
    pub(in crate::chess) const ALL: u8 = 0;
    /// Captures and promotions.
    pub(in crate::chess) const TACTICAL: u8 = 1;
    /// The rest.
    pub(in crate::chess) const QUIET: u8 = 2;
}

/// Where moves go. Kinds are those of [`Move`].
pub(super) trait Sink {
    fn add(&mut self, m: Move);
}

/// What a side must know about its king before it moves.
#[derive(Clone, Copy)]
pub(super) struct Survey<R: Rules, S: Side> {
    us: u64,
    them: u64,
    /// Squares that no man of this side moves to: its own men and the enemy king. (A FEN may show
    /// that king in check out of turn; it is not captured for all that.)
    barred: u64,
    king: u32,
    /// Squares that the king may move to.
    king_targets: u64,
    checkers: u64,
    /// Own men pinned along the king's rank, and along its file.
    pinned_on_rank: u64,
    pinned_on_file: u64,
    /// Pawns may become more than a met.
    all_promotions: bool,
    marker: PhantomData<(R, S)>,
}

#[inline(always)]
fn squares(mut set: u64, mut each: impl FnMut(u32)) {
    while set != 0 {
        each(set.trailing_zeros());
        set &= set - 1;
    }
}

#[inline(always)]
fn at(square: u32) -> Square {
    Square::from_index(square as usize)
}

/// Squares that side `S` attacks when the board is `occupied`.
#[inline(always)]
fn attack_map<R: Rules, S: Side>(men: &Men, occupied: u64) -> u64 {
    let side = men.colors[S::COLOR.index()].0;
    let of = |piece: PieceType| men.pieces[piece.index()].0 & side;
    let khons = of(PieceType::Khon);
    let pawns = of(PieceType::Pawn);
    let mut map = diagonals(of(PieceType::Met) | khons)
        | king_attacks(at(of(PieceType::King).trailing_zeros())).0;
    if R::STRAIGHT_CAPTURES {
        map |= S::forward(khons | pawns);
    } else {
        map |= S::forward(khons) | S::forward_west(pawns) | S::forward_east(pawns);
    }
    squares(of(PieceType::Knight), |s| map |= knight_attacks(at(s)).0);
    squares(of(PieceType::Rook), |s| map |= rook_attacks(at(s), super::Bitboard(occupied)).0);
    map
}

impl<R: Rules, S: Side> Survey<R, S> {
    /// Squares from which on a pawn of this side is promoted.
    const PROMOTION_ZONE: u64 = match S::COLOR {
        crate::Color::White => u64::MAX << (8 * R::PROMOTION_RANK as u32),
        crate::Color::Black => u64::MAX >> (8 * R::PROMOTION_RANK as u32),
    };

    #[inline(always)]
    pub(super) fn new(men: &Men, all_promotions: bool) -> Self {
        let us = men.colors[S::COLOR.index()].0;
        let them = men.colors[<S::Other as Side>::COLOR.index()].0;
        let occupied = us | them;
        let king_set = men.pieces[PieceType::King.index()].0 & us;
        let king = king_set.trailing_zeros();
        let barred = us | men.pieces[PieceType::King.index()].0;
        // Without the king: it must not hide a square behind itself from a rook.
        let attacked = attack_map::<R, S::Other>(men, occupied ^ king_set);
        let checkers = if attacked & king_set == 0 {
            0
        } else {
            men.checkers::<R>(at(king), <S::Other as Side>::COLOR).0
        };
        let (mut pinned_on_rank, mut pinned_on_file) = (0, 0);
        let rooks = men.pieces[PieceType::Rook.index()].0 & them;
        squares(rooks & rook_lines(at(king)).0, |rook| {
            let between = between(at(king), at(rook)).0 & occupied;
            if between & (between.wrapping_sub(1)) == 0 {
                if rook >> 3 == king >> 3 {
                    pinned_on_rank |= between & us;
                } else {
                    pinned_on_file |= between & us;
                }
            }
        });
        Self {
            us,
            them,
            barred,
            king,
            king_targets: king_attacks(at(king)).0 & !(barred | attacked),
            checkers,
            pinned_on_rank,
            pinned_on_file,
            all_promotions: R::PROMOTES_TO_ALL && all_promotions,
            marker: PhantomData,
        }
    }

    #[inline(always)]
    pub(super) fn in_check(&self) -> bool {
        self.checkers != 0
    }

    /// Where men other than the king may go: anywhere, or where they end the check.
    #[inline(always)]
    fn targets<const IN_CHECK: bool>(&self) -> u64 {
        if !IN_CHECK {
            return !self.barred;
        }
        let checker = self.checkers.trailing_zeros();
        self.checkers | between(at(self.king), at(checker)).0
    }

    /// Sends the legal moves of one kind to `sink`.
    #[inline(always)]
    pub(super) fn moves<const IN_CHECK: bool, const WANTED: u8>(
        &self,
        men: &Men,
        sink: &mut impl Sink,
    ) {
        let occupied = self.us | self.them;
        let wanted = match WANTED {
            wanted::TACTICAL => self.them,
            wanted::QUIET => !occupied,
            _ => u64::MAX,
        };
        squares(self.king_targets & wanted, |to| {
            sink.add(Move::pack(self.king, to, PieceType::King as u16));
        });
        if IN_CHECK && self.checkers & (self.checkers - 1) != 0 {
            return;
        }
        let evade = self.targets::<IN_CHECK>();
        let targets = evade & wanted;
        let of = |piece: PieceType| men.pieces[piece.index()].0 & self.us;
        let free = !(self.pinned_on_rank | self.pinned_on_file);

        let mut step = |from: u32, set: u64, piece: PieceType| {
            squares(set & targets, |to| sink.add(Move::pack(from, to, piece as u16)));
        };
        squares(of(PieceType::Met) & free, |s| step(s, met_attacks(at(s)).0, PieceType::Met));
        let khons = of(PieceType::Khon);
        squares(khons & free, |s| step(s, khon_attacks(S::COLOR, at(s)).0, PieceType::Khon));
        squares(khons & self.pinned_on_file, |s| {
            step(s, forward_step(S::COLOR, at(s)).0, PieceType::Khon);
        });
        squares(of(PieceType::Knight) & free, |s| {
            step(s, knight_attacks(at(s)).0, PieceType::Knight);
        });
        let occupied_set = super::Bitboard(occupied);
        let rooks = of(PieceType::Rook);
        squares(rooks & free, |s| {
            step(s, rook_attacks(at(s), occupied_set).0, PieceType::Rook);
        });
        squares(rooks & !free, |s| {
            step(s, rook_attacks(at(s), occupied_set).0 & self.pin_line(s), PieceType::Rook);
        });

        let pawns = of(PieceType::Pawn);
        if R::STRAIGHT_CAPTURES {
            let ahead = S::forward(pawns & !self.pinned_on_rank) & evade;
            self.pawns::<WANTED>(ahead & !occupied, true, S::backward, sink);
            self.pawns::<WANTED>(ahead & self.them, false, S::backward, sink);
        } else {
            let pushes = S::forward(pawns & !self.pinned_on_rank) & evade & !occupied;
            self.pawns::<WANTED>(pushes, true, S::backward, sink);
            let prey = evade & self.them;
            let free_pawns = pawns & free;
            self.pawns::<WANTED>(S::forward_west(free_pawns) & prey, false, S::from_west, sink);
            self.pawns::<WANTED>(S::forward_east(free_pawns) & prey, false, S::from_east, sink);
        }
    }

    /// The rank or file that a pinned man must stay on.
    #[inline(always)]
    fn pin_line(&self, square: u32) -> u64 {
        if self.pinned_on_rank >> square & 1 != 0 {
            0xFF << (self.king & 56)
        } else {
            0x0101_0101_0101_0101 << (self.king & 7)
        }
    }

    /// Pawn moves in one direction, given by the squares they end on.
    #[inline(always)]
    fn pawns<const WANTED: u8>(
        &self,
        to: u64,
        push: bool,
        origin: impl Fn(u32) -> u32,
        sink: &mut impl Sink,
    ) {
        let keep_plain = WANTED == wanted::ALL || (WANTED == wanted::QUIET) == push;
        if keep_plain {
            squares(to & !Self::PROMOTION_ZONE, |to| {
                sink.add(Move::pack(origin(to), to, PieceType::Pawn as u16));
            });
        }
        if WANTED != wanted::QUIET {
            squares(to & Self::PROMOTION_ZONE, |to| {
                let from = origin(to);
                if self.all_promotions {
                    sink.add(Move::pack(from, to, Move::promotion_kind(PieceType::Rook)));
                    sink.add(Move::pack(from, to, Move::promotion_kind(PieceType::Knight)));
                    sink.add(Move::pack(from, to, Move::promotion_kind(PieceType::Khon)));
                }
                sink.add(Move::pack(from, to, Move::promotion_kind(PieceType::Met)));
            });
        }
    }

    /// Number of legal moves, without making a list.
    #[inline(always)]
    pub(super) fn count<const IN_CHECK: bool>(&self, men: &Men) -> u32 {
        let mut n = self.king_targets.count_ones();
        if IN_CHECK && self.checkers & (self.checkers - 1) != 0 {
            return n;
        }
        let occupied = self.us | self.them;
        let targets = self.targets::<IN_CHECK>();
        let of = |piece: PieceType| men.pieces[piece.index()].0 & self.us;
        let free = !(self.pinned_on_rank | self.pinned_on_file);
        let mut add = |set: u64| n += (set & targets).count_ones();

        squares(of(PieceType::Met) & free, |s| add(met_attacks(at(s)).0));
        let khons = of(PieceType::Khon);
        squares(khons & free, |s| add(khon_attacks(S::COLOR, at(s)).0));
        add(S::forward(khons & self.pinned_on_file));
        squares(of(PieceType::Knight) & free, |s| add(knight_attacks(at(s)).0));
        let occupied_set = super::Bitboard(occupied);
        let rooks = of(PieceType::Rook);
        squares(rooks & free, |s| add(rook_attacks(at(s), occupied_set).0));
        squares(rooks & !free, |s| add(rook_attacks(at(s), occupied_set).0 & self.pin_line(s)));

        let pawns = of(PieceType::Pawn);
        let ahead = S::forward(pawns & !self.pinned_on_rank);
        let promotions_of = |set: u64| {
            if self.all_promotions { 3 * (set & Self::PROMOTION_ZONE).count_ones() } else { 0 }
        };
        if R::STRAIGHT_CAPTURES {
            let ahead = ahead & targets;
            n + ahead.count_ones() + promotions_of(ahead)
        } else {
            let pushes = ahead & targets & !occupied;
            let prey = targets & self.them;
            let west = S::forward_west(pawns & free) & prey;
            let east = S::forward_east(pawns & free) & prey;
            n + pushes.count_ones()
                + west.count_ones()
                + east.count_ones()
                + promotions_of(pushes)
                + promotions_of(west)
                + promotions_of(east)
        }
    }
}

/// Number of legal moves of side `S`.
#[inline(always)]
pub(super) fn count<R: Rules, S: Side>(men: &Men, all_promotions: bool) -> u32 {
    let survey = Survey::<R, S>::new(men, all_promotions);
    if survey.in_check() { survey.count::<true>(men) } else { survey.count::<false>(men) }
}

/// Sends the legal moves of side `S` to a sink.
#[inline(always)]
pub(super) fn generate<R: Rules, S: Side, const WANTED: u8>(
    men: &Men,
    all_promotions: bool,
    sink: &mut impl Sink,
) {
    let survey = Survey::<R, S>::new(men, all_promotions);
    if survey.in_check() {
        survey.moves::<true, WANTED>(men, sink);
    } else {
        survey.moves::<false, WANTED>(men, sink);
    }
}
