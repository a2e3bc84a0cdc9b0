//! The terms of one side.

use movegen::Color;
use movegen::chess::attacks::{
    khon_attacks, king_attacks, knight_attacks, met_attacks, rook_attacks,
};
use movegen::chess::{Bitboard, Board, PieceType, Rules, Square};

use super::super::taper::{Taper, taper};
use super::bare::steps;
use super::reach::{self, DARK};
use super::tables::{PHASE, Tables};

/// By squares a met or khon can safely go to, forward ones counted twice.
const STEPPER_MOBILITY: [i32; 9] = [-12, -5, 0, 4, 7, 9, 11, 12, 14];
const KNIGHT_MOBILITY: Taper = taper(4, 4);
const ROOK_MOBILITY: Taper = taper(3, 6);
const OPEN_FILE: Taper = taper(20, 10);
const HALF_OPEN_FILE: Taper = taper(10, 5);
/// What an attacker of the king's neighbourhood weighs, by [`PieceType`].
const RING_WEIGHT: [i32; PieceType::COUNT] = [0, 20, 35, 40, 55, 0];
/// More weight for every attacked square next to the king that only the king defends.
const RING_SQUARE: i32 = 12;
const SHELTER: Taper = taper(7, 0);
/// Per step beyond the second between a met or khon and its own king.
const STRAYED: Taper = taper(0, -5);
const BOTH_MET_COLORS: Taper = taper(12, 12);
const DEFENDED_STEPPER: Taper = taper(8, 8);
const KHON_BEHIND_PAWN: Taper = taper(6, 4);
const TRAPPED_KHON: Taper = taper(-25, -15);
const DOUBLED_PAWN: Taper = taper(-8, -15);
const ISOLATED_PAWN: Taper = taper(-6, -10);
const SUPPORTED_PAWN: Taper = taper(8, 8);
/// A pawn that promotes with its next step, if that is possible and safe, if it is possible, and
/// if it is blocked.
const ONE_STEP: [Taper; 3] = [taper(45, 60), taper(25, 35), taper(15, 15)];
/// The same with two steps to go.
const TWO_STEPS: [Taper; 3] = [taper(15, 25), taper(10, 15), taper(0, 0)];
/// ASEAN passed pawns by rank from the pawn's side.
const PASSED: [Taper; 8] = [
    Taper::ZERO,
    Taper::ZERO,
    taper(5, 10),
    taper(8, 20),
    taper(15, 40),
    taper(30, 75),
    taper(55, 130),
    Taper::ZERO,
];
const THREAT_BY_PAWN: Taper = taper(30, 25);
const THREAT_ON_ROOK: Taper = taper(25, 25);
const THREAT_ON_LOOSE: Taper = taper(12, 14);

/// One side's men, what they reach, and its score so far.
pub(super) struct Side<'a, R: Rules> {
    board: &'a Board<R>,
    pub(super) color: Color,
    pub(super) king: Square,
    pub(super) all: Bitboard,
    pub(super) pawns: Bitboard,
    /// Squares that the pawns attack.
    by_pawns: Bitboard,
    /// Squares that pawns, mets and khons attack.
    by_steppers: Bitboard,
    /// Squares that anything attacks, the king included.
    reached: Bitboard,
    /// The same without the king.
    reached_by_men: Bitboard,
    /// Danger to the enemy king, quadratic when applied.
    ring_units: i32,
    pub(super) score: Taper,
    pub(super) phase: i32,
}

impl<'a, R: Rules> Side<'a, R> {
    pub(super) fn new(board: &'a Board<R>, color: Color) -> Self {
        let king = board.king(color);
        let pawns = board.of(color, PieceType::Pawn);
        let by_pawns = reach::pawns::<R>(color, pawns);
        let by_steppers = by_pawns
            | reach::mets(board.of(color, PieceType::Met))
            | reach::khons(color, board.of(color, PieceType::Khon));
        Self {
            board,
            color,
            king,
            all: board.of_color(color),
            pawns,
            by_pawns,
            by_steppers,
            reached: by_steppers | king_attacks(king),
            reached_by_men: by_steppers,
            ring_units: 0,
            score: Taper::ZERO,
            phase: 0,
        }
    }

    fn of(&self, piece: PieceType) -> Bitboard {
        self.board.of(self.color, piece)
    }

    fn value_of(&self, piece: PieceType, square: Square) -> Taper {
        R::SQUARES[piece.index()][square.relative(self.color).index()]
    }

    /// Endgame values of the men on their squares, the king's left out.
    pub(super) fn endgame_material(&self) -> i32 {
        let mut sum = 0;
        for piece in PieceType::ALL.into_iter().filter(|&piece| piece != PieceType::King) {
            for square in self.of(piece).squares() {
                sum += self.value_of(piece, square).endgame();
            }
        }
        sum
    }

    /// Endgame value of what the pawns may become.
    pub(super) fn pawn_chances(&self, enemy: &Self) -> i32 {
        self.pawn_structure(enemy).endgame()
    }

    /// Material, squares, mobility and the attack on the enemy king.
    pub(super) fn add_men(&mut self, enemy: &Self) {
        let occupied = self.all | enemy.all;
        let ring = king_attacks(enemy.king) | Bitboard::of(enemy.king);
        let free = !self.all;
        let safe_for_steppers = free & !enemy.by_pawns;
        let safe_for_rooks = free & !enemy.by_steppers;
        let mut attackers = 0;
        let mut heavy = 0;
        for piece in PieceType::ALL {
            for square in self.of(piece).squares() {
                self.score += self.value_of(piece, square);
                self.phase += PHASE[piece.index()];
                let attacks = match piece {
                    PieceType::Pawn | PieceType::King => continue,
                    PieceType::Met => met_attacks(square),
                    PieceType::Khon => khon_attacks(self.color, square),
                    PieceType::Knight => knight_attacks(square),
                    PieceType::Rook => rook_attacks(square, occupied),
                };
                self.score += match piece {
                    PieceType::Knight => {
                        let safe = (attacks & safe_for_steppers).len().cast_signed();
                        KNIGHT_MOBILITY * (safe - 4)
                    }
                    PieceType::Rook => {
                        let safe = (attacks & safe_for_rooks).len().cast_signed();
                        ROOK_MOBILITY * (safe - 7) + self.rook_file(square, enemy)
                    }
                    _ => {
                        let safe = attacks & safe_for_steppers;
                        let onward = safe & reach::ahead(self.color, square);
                        let weight = STEPPER_MOBILITY[(safe.len() + onward.len()).min(8) as usize];
                        taper(weight, weight) + self.stepper(piece, square, attacks, enemy)
                    }
                };
                self.reached_by_men |= attacks;
                if !(attacks & ring).is_empty() {
                    self.ring_units += RING_WEIGHT[piece.index()];
                    attackers += 1;
                    heavy += match piece {
                        PieceType::Rook => 2,
                        PieceType::Knight => 1,
                        _ => 0,
                    };
                }
            }
        }
        self.reached |= self.reached_by_men;
        if attackers < 2 || heavy < 2 {
            self.ring_units = 0;
        }
    }

    fn rook_file(&self, square: Square, enemy: &Self) -> Taper {
        let file = Bitboard::file(square.file());
        if !(file & self.pawns).is_empty() {
            Taper::ZERO
        } else if (file & enemy.pawns).is_empty() {
            OPEN_FILE
        } else {
            HALF_OPEN_FILE
        }
    }

    /// Mets and khons: distance from the own king, protection, freedom.
    fn stepper(&self, piece: PieceType, square: Square, attacks: Bitboard, enemy: &Self) -> Taper {
        let mut sum = STRAYED * (steps(square, self.king) - 2).max(0);
        let here = Bitboard::of(square);
        // A man does not attack its own square, so this is another one's protection.
        if !(here & self.by_steppers).is_empty() {
            sum += DEFENDED_STEPPER;
        }
        if piece == PieceType::Khon {
            let next = reach::forward(self.color, here);
            if !(next & self.pawns).is_empty() {
                sum += KHON_BEHIND_PAWN;
            }
            let back = attacks & reach::ahead(!self.color, square);
            if (back & !self.all).is_empty() && !(attacks & enemy.by_pawns).is_empty() {
                sum += TRAPPED_KHON;
            }
        }
        sum
    }

    /// Everything that needs both sides' reach; [`Side::add_men`] comes first, for both.
    pub(super) fn add_relations(&mut self, enemy: &Self) {
        let king_danger = {
            let ring = king_attacks(enemy.king) & self.reached_by_men & !enemy.reached_by_men;
            let units = match self.ring_units {
                0 => 0,
                units => (units + RING_SQUARE * ring.len().cast_signed()).min(400),
            };
            taper(units * units / 256, units * units / 1024)
        };
        self.score += king_danger;
        self.score += self.shelter() + self.pawn_structure(enemy) + self.met_colors();
        self.score += self.threats(enemy) + self.space(enemy);
    }

    fn shelter(&self) -> Taper {
        let king = Bitboard::of(self.king);
        let front = reach::forward(self.color, king | reach::beside(king));
        let near = front | reach::forward(self.color, front);
        SHELTER * (near & self.pawns).len().cast_signed()
    }

    fn met_colors(&self) -> Taper {
        let mets = self.of(PieceType::Met);
        let both = !(mets & DARK).is_empty() && !(mets & !DARK).is_empty();
        if both { BOTH_MET_COLORS } else { Taper::ZERO }
    }

    fn threats(&self, enemy: &Self) -> Taper {
        let pieces = enemy.all & !enemy.pawns & !Bitboard::of(enemy.king);
        let by_pawns = (self.by_pawns & pieces).len().cast_signed();
        let on_rooks = (self.by_steppers & !self.by_pawns & enemy.of(PieceType::Rook)).len();
        let loose = pieces & self.reached & !enemy.reached;
        THREAT_BY_PAWN * by_pawns
            + THREAT_ON_ROOK * on_rooks.cast_signed()
            + THREAT_ON_LOOSE * loose.len().cast_signed()
    }

    /// Safe squares behind and between the own pawns in the middle, worth more the more men need
    /// them. Kept in the endgame: in Makruk that has been measured to gain.
    fn space(&self, enemy: &Self) -> Taper {
        let middle = Bitboard(0x3C3C_3C3C_3C3C_3C3C)
            & match self.color {
                Color::White => Bitboard(0x0000_0000_FFFF_FF00),
                Color::Black => Bitboard(0x00FF_FFFF_0000_0000),
            };
        let safe = middle & !self.pawns & !enemy.by_pawns;
        let behind = safe & reach::forward_fill(!self.color, self.pawns) & !enemy.reached;
        let squares = (safe.len() + behind.len()).cast_signed();
        let men = (self.all.len().cast_signed() - 3).max(0);
        let value = squares * men * men / 32;
        taper(value, value / 2)
    }

    fn pawn_structure(&self, enemy: &Self) -> Taper {
        let mut sum = Taper::ZERO;
        let files =
            reach::forward_fill(Color::White, reach::forward_fill(Color::Black, self.pawns));
        let lone = self.pawns & !reach::beside(files);
        if !R::STRAIGHT_CAPTURES {
            // Straight captures turn both round: pawns protect each other along the file.
            let rear = self.pawns
                & reach::forward(!self.color, reach::forward_fill(!self.color, self.pawns));
            sum += DOUBLED_PAWN * rear.len().cast_signed();
            sum += ISOLATED_PAWN * lone.len().cast_signed();
        }
        sum += SUPPORTED_PAWN * (self.pawns & self.by_pawns).len().cast_signed();
        if R::PROMOTES_TO_ALL {
            sum + self.passed_pawns(enemy)
        } else {
            sum + self.promotions_to_met(enemy)
        }
    }

    /// Makruk: pawns one and two steps from becoming a met.
    fn promotions_to_met(&self, enemy: &Self) -> Taper {
        let occupied = self.all | enemy.all;
        let mut sum = Taper::ZERO;
        for (steps_left, values) in [(1, ONE_STEP), (2, TWO_STEPS)] {
            let rank = R::PROMOTION_RANK.saturating_sub(steps_left);
            let rank = match self.color {
                Color::White => rank,
                Color::Black => 7 - rank,
            };
            let pawns = self.pawns & Bitboard::rank(rank);
            let next = reach::forward(self.color, pawns);
            let open = next & !occupied;
            let safe = open & (!enemy.reached | self.reached);
            let [best, possible, blocked] = values;
            sum += best * safe.len().cast_signed();
            sum += possible * (open & !safe).len().cast_signed();
            sum += blocked * (next & occupied).len().cast_signed();
        }
        sum
    }

    /// ASEAN: pawns that no enemy pawn can stop.
    fn passed_pawns(&self, enemy: &Self) -> Taper {
        let guarded = reach::forward_fill(!self.color, enemy.pawns);
        let guarded = guarded | reach::beside(guarded) | enemy.by_pawns;
        let occupied = self.all | enemy.all;
        let mut sum = Taper::ZERO;
        for square in (self.pawns & !guarded).squares() {
            let rank = i32::from(square.relative(self.color).rank());
            let value = PASSED[usize::from(square.relative(self.color).rank())];
            let next = reach::forward(self.color, Bitboard::of(square));
            sum += value;
            if let Some(stop) = next.first() {
                let race = steps(stop, enemy.king) * 2 - steps(stop, self.king);
                sum += taper(0, 2 * (rank - 1).max(0) * race);
            }
            if (next & occupied).is_empty() && (next & enemy.reached & !self.reached).is_empty() {
                sum += taper(value.middlegame() / 2, value.endgame() / 2);
            }
        }
        sum
    }
}
