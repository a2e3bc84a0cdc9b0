//! Static exchange evaluation for the chess games: what the exchanges on one square are worth if
//! both sides take with their cheapest man.

use movegen::chess::attacks::{between, rook_attacks, rook_lines};
use movegen::chess::{Bitboard, Board, Move, PieceType, Rules, Square};
use movegen::{Color, Position};

/// Worth of the men in exchanges, by [`PieceType`], in centipawns.
pub(crate) const VALUES: [i32; PieceType::COUNT] = [100, 200, 320, 390, 650, 10_000];

/// What a promotion adds to the mover's material.
#[inline(always)]
pub(crate) fn promotion_gain(m: Move) -> i32 {
    m.promotion().map_or(0, |piece| VALUES[piece.index()] - VALUES[PieceType::Pawn.index()])
}

/// Whether the exchanges that `m` begins win at least `threshold` centipawns.
///
/// Only rooks are uncovered behind a man that has taken, and only along the lines of the square.
/// Men pinned to their king take only along the pin, as long as the pinning rook stands. Kings take
/// last, and only what is not defended any more.
pub(crate) fn see_ge<R: Rules>(board: &Board<R>, m: Move, threshold: i32) -> bool
where
    Board<R>: Position<Move = Move>,
{
    let (from, to) = (m.from(), m.to());
    let victim = board.captured(m).map_or(0, |piece| VALUES[piece.index()]);
    // What `m` wins beyond the threshold.
    let surplus = victim + promotion_gain(m) - threshold;
    if surplus < 0 {
        return false;
    }
    // What the side that has just taken loses beyond its surplus if it is taken back.
    let mut risk = VALUES[m.placed().index()] - surplus;
    if risk <= 0 {
        return true;
    }

    let lines = rook_lines(to);
    let rooks = board.of_type(PieceType::Rook);
    let mut occupied = (board.occupied() & !Bitboard::of(from)) | Bitboard::of(to);
    let mut attackers = board.attackers_to(to, occupied);
    let mut pins = [None, None];
    let mut side = board.side_to_move();
    // Whether the mover of `m` reaches the threshold as things stand.
    let mut reached = true;
    loop {
        side = side.opposite();
        attackers &= occupied;
        let own = attackers & board.of_color(side);
        if own.is_empty() {
            return reached;
        }
        let pins = pins[side.index()].get_or_insert_with(|| Pins::find(board, side, to, occupied));
        let Some((piece, square)) = cheapest(board, own & !pins.held(occupied)) else {
            return reached;
        };
        if piece == PieceType::King {
            let defended = !(attackers & board.of_color(side.opposite())).is_empty();
            return reached == defended;
        }
        reached = !reached;
        risk = VALUES[piece.index()] - risk;
        // Taking was worth it even if the taker is lost.
        if risk < i32::from(reached) {
            return reached;
        }
        occupied &= !Bitboard::of(square);
        if lines.has(square) {
            attackers |= rook_attacks(to, occupied) & rooks;
        }
    }
}

/// The least valuable man among `own`.
#[inline]
fn cheapest<R: Rules>(board: &Board<R>, own: Bitboard) -> Option<(PieceType, Square)> {
    PieceType::ALL
        .into_iter()
        .find_map(|piece| (own & board.of_type(piece)).first().map(|square| (piece, square)))
}

/// The men of one side that enemy rooks pin to their king against taking on a square.
struct Pins {
    /// Pinned man and pinning rook.
    pairs: [(Bitboard, Bitboard); 4],
}

impl Pins {
    fn find<R: Rules>(board: &Board<R>, side: Color, to: Square, occupied: Bitboard) -> Self {
        let king = board.king(side);
        let mut pairs = [(Bitboard::EMPTY, Bitboard::EMPTY); 4];
        let enemy_rooks = board.of(side.opposite(), PieceType::Rook) & occupied;
        let mut slots = pairs.iter_mut();
        for rook in (enemy_rooks & rook_lines(king)).squares() {
            let between = between(king, rook);
            let blockers = between & occupied;
            if blockers.is_empty() || blockers.several() || rook == to || between.has(to) {
                continue;
            }
            // Two pinning rooks on each line at most: four in all.
            if let Some(slot) = slots.next() {
                *slot = (blockers, Bitboard::of(rook));
            }
        }
        Self { pairs }
    }

    /// Men that may not take as long as the rooks in `occupied` stand.
    fn held(&self, occupied: Bitboard) -> Bitboard {
        self.pairs
            .iter()
            .filter(|(_, rook)| !(*rook & occupied).is_empty())
            .fold(Bitboard::EMPTY, |held, &(man, _)| held | man)
    }
}

#[cfg(test)]
mod tests {
    use movegen::chess::{AseanBoard, MakrukBoard, MakrukStraightBoard};
    use movegen::{ChessRules, RuleSet, Variant};

    use super::*;

    fn rules(variant: Variant, set: RuleSet) -> ChessRules {
        ChessRules::preset(variant, set).unwrap()
    }

    /// The best that `board`'s mover gets by taking the man on `square`, worth `stake` (or by not
    /// taking), each side taking with its cheapest man that can do so legally. As in the fast
    /// version, a pawn that takes and promotes stays worth a pawn.
    fn recapture<R: Rules>(board: &Board<R>, square: Square, stake: i32) -> i32
    where
        Board<R>: Position<Move = Move>,
    {
        let takes = board.legal_moves().into_iter().filter(|m| m.to() == square);
        let Some(m) = takes.min_by_key(|m| m.piece()) else { return 0 };
        let next = recapture(&board.play_unchecked(m), square, VALUES[m.piece().index()]);
        (stake - next).max(0)
    }

    /// Plays random games and compares every move's exchange value with that of playing it out.
    fn compare<R: Rules>(start: Board<R>)
    where
        Board<R>: Position<Move = Move>,
    {
        let mut seed = 11_u64;
        let (mut agreed, mut total) = (0, 0);
        for _ in 0..60 {
            let mut board = start;
            for _ in 0..120 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                for &m in &moves {
                    let child = board.play_unchecked(m);
                    // A check limits the replies in ways that exchanges do not know.
                    if child.in_check() || board.in_check() {
                        continue;
                    }
                    let victim = board.captured(m).map_or(0, |piece| VALUES[piece.index()]);
                    let stake = VALUES[m.placed().index()];
                    let value = victim + promotion_gain(m) - recapture(&child, m.to(), stake);
                    total += 1;
                    agreed += i32::from(see_ge(&board, m, value) && !see_ge(&board, m, value + 1));
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                // Prefer captures' neighbourhood: crowded boards exchange most.
                board = board.play_unchecked(moves[(seed >> 33) as usize % moves.len()]);
            }
        }
        assert!(total > 20_000);
        // Left over: recaptures that promote, and checks given inside the exchange.
        assert!(agreed * 1000 >= total * 998, "{agreed} of {total}");
    }

    #[test]
    fn equals_playing_the_exchanges_out() {
        let standard = |variant| rules(variant, RuleSet::Standard);
        compare(MakrukBoard::start(standard(Variant::Makruk)));
        compare(AseanBoard::start(standard(Variant::Asean)));
        compare(MakrukStraightBoard::start(rules(Variant::Makruk, RuleSet::Yeeqia)));
    }

    #[test]
    fn known_exchanges() {
        for (fen, text, value) in [
            // Knight takes a pawn that a pawn defends.
            ("4k3/8/2p5/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", 100 - 390),
            // Rook behind rook.
            ("3rk3/3r4/8/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5", 100 - 650),
            ("4k3/3r4/8/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5", 100),
            // A pinned defender does not defend.
            ("4k3/4n3/8/3p4/8/2N5/8/4RK2 w - - 0 1", "c3d5", 100),
            ("4k3/4n3/8/3p4/8/2N5/8/5K2 w - - 0 1", "c3d5", 100 - 390),
            // A king cannot take what is defended.
            ("8/8/4k3/3p4/8/2N5/8/3RK3 w - - 0 1", "c3d5", 100),
            ("8/8/4k3/3p4/8/2N5/8/4K3 w - - 0 1", "c3d5", 100 - 390),
            // Promotion.
            ("4k3/8/8/P7/8/8/8/4K3 w - - 0 1", "a5a6m", 100),
            ("4k3/8/8/P6r/8/8/8/4K3 w - - 0 1", "a5a6m", 100),
            ("4k3/8/7r/P7/8/8/8/4K3 w - - 0 1", "a5a6m", -100),
        ] {
            let board = MakrukBoard::from_fen(fen, rules(Variant::Makruk, RuleSet::Standard));
            let board = board.unwrap();
            let m = board.parse_move(text).unwrap();
            assert!(see_ge(&board, m, value), "{fen} {text} is at least {value}");
            assert!(!see_ge(&board, m, value + 1), "{fen} {text} is at most {value}");
        }
    }
}
