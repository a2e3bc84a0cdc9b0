use movegen::chess::{Board as ChessBoard, PieceType, Rules};
use movegen::makhos::Board as MakhosBoard;
use movegen::{Color, Position, Variant};

use super::BUCKETS;

/// The most kinds of men in a game.
pub const MAX_KINDS: usize = PieceType::COUNT;

/// The inputs of a game's networks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Kinds of men.
    pub kinds: usize,
    /// Squares that men stand on.
    pub squares: usize,
    /// The most men on the board.
    pub max_men: usize,
    /// Men at the start of a game.
    pub start_men: usize,
}

impl Shape {
    /// The inputs of a game's networks.
    pub const fn of(variant: Variant) -> Self {
        match variant {
            Variant::Makruk | Variant::Asean => {
                Self { kinds: PieceType::COUNT, squares: 64, max_men: 32, start_men: 32 }
            }
            Variant::Makhos => {
                Self { kinds: 2, squares: 32, max_men: 2 * MakhosBoard::MAX_PIECES, start_men: 16 }
            }
        }
    }

    /// Number of features: own and enemy men of each kind on each square.
    pub const fn inputs(self) -> usize {
        2 * self.kinds * self.squares
    }
}

/// Men of both colors, one set of squares for each color and kind: White's kinds, then Black's.
pub trait Planes:
    Copy + PartialEq + Eq + std::fmt::Debug + Default + Send + Sync + 'static + AsRef<[u64]>
{
}

impl<const N: usize> Planes for [u64; N] where [u64; N]: Default {}

/// What a network sees of a position.
///
/// Every function but [`Features::planes`] works on [`Planes`] alone, so that a trainer with its
/// own records of positions shares the definitions with the engine.
///
/// A player sees own and enemy men by kind and square,
/// `feature = ((own ? 0 : KINDS) + kind) * SQUARES + (square ^ orientation)`. In the chess games
/// Black sees the board upside down, and a player whose own king stands on the files e to h sees
/// it mirrored left to right (no rule of these games knows left from right). In Makhos Black sees
/// the board turned by 180 degrees.
pub trait Features: Position {
    /// Sets of squares: `[u64; 2 * KINDS]`.
    type Planes: Planes;

    /// The inputs of the game's networks.
    const SHAPE: Shape = Shape::of(Self::VARIANT);
    /// Kinds of men. Chess games: by [`PieceType`]. Makhos: men, kings.
    const KINDS: usize = Self::SHAPE.kinds;
    /// Squares, numbered as the board numbers them.
    const SQUARES: usize = Self::SHAPE.squares;
    /// Number of features.
    const INPUTS: usize = Self::SHAPE.inputs();
    /// Number of outputs.
    const BUCKETS: usize = BUCKETS;

    /// The men on the board.
    fn planes(&self) -> Self::Planes;

    /// How `perspective` sees the board: what every square is XORed with.
    fn orientation(planes: &Self::Planes, perspective: Color) -> usize;

    /// The feature of a man of plane `plane` on `square`, for a player who sees the board with
    /// `orientation`. Below [`Features::INPUTS`] if plane and square are in range.
    #[inline(always)]
    fn feature(plane: usize, square: usize, perspective: Color, orientation: usize) -> usize {
        let seen = match perspective {
            Color::White => plane,
            Color::Black if plane < Self::KINDS => plane + Self::KINDS,
            Color::Black => plane - Self::KINDS,
        };
        seen * Self::SQUARES + (square ^ orientation)
    }

    /// Calls `each` with every active feature of a player: one for each man, in the order of the
    /// planes and squares.
    #[inline(always)]
    fn for_each_active(planes: &Self::Planes, perspective: Color, mut each: impl FnMut(usize)) {
        let orientation = Self::orientation(planes, perspective);
        for (plane, &set) in planes.as_ref().iter().enumerate() {
            let mut rest = set;
            while rest != 0 {
                let square = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                each(Self::feature(plane, square, perspective, orientation));
            }
        }
    }

    /// The output for this many men: `(men - 1) * BUCKETS / men at the start`, below
    /// [`Features::BUCKETS`].
    #[inline(always)]
    fn bucket(planes: &Self::Planes) -> usize {
        let occupied = planes.as_ref().iter().fold(0, |sum, set| sum | set);
        let men = occupied.count_ones() as usize;
        (men.saturating_sub(1) * Self::BUCKETS / Self::SHAPE.start_men).min(Self::BUCKETS - 1)
    }
}

impl<R: Rules> Features for ChessBoard<R> {
    type Planes = [u64; 2 * PieceType::COUNT];

    #[inline(always)]
    fn planes(&self) -> Self::Planes {
        let mut planes = [0; 2 * PieceType::COUNT];
        for piece in PieceType::ALL {
            for color in Color::ALL {
                planes[color.index() * PieceType::COUNT + piece.index()] = self.of(color, piece).0;
            }
        }
        planes
    }

    #[inline(always)]
    fn orientation(planes: &Self::Planes, perspective: Color) -> usize {
        let king = planes[perspective.index() * PieceType::COUNT + PieceType::King.index()];
        let upside_down = if perspective == Color::Black { 56 } else { 0 };
        let mirrored = if king & 0xF0F0_F0F0_F0F0_F0F0 != 0 { 7 } else { 0 };
        upside_down | mirrored
    }
}

impl Features for MakhosBoard {
    type Planes = [u64; 4];

    #[inline(always)]
    fn planes(&self) -> Self::Planes {
        let [white, black] = Color::ALL;
        [self.men(white), self.kings(white), self.men(black), self.kings(black)].map(u64::from)
    }

    #[inline(always)]
    fn orientation(_: &Self::Planes, perspective: Color) -> usize {
        match perspective {
            Color::White => 0,
            Color::Black => 31,
        }
    }
}

#[cfg(test)]
mod tests {
    use movegen::chess::{AseanBoard, MakrukBoard};
    use movegen::{ChessRules, MakhosRules};

    use super::*;

    fn active<P: Features>(planes: &P::Planes, perspective: Color) -> Vec<usize> {
        let mut features = Vec::new();
        P::for_each_active(planes, perspective, |feature| features.push(feature));
        features.sort_unstable();
        features
    }

    #[test]
    fn chess_features_are_those_of_the_definition() {
        // White: king c1, rook h2. Black: king f8, pawn a6.
        let fen = "5k2/8/p7/8/8/8/7R/2K5 w - - 0 1";
        let planes = MakrukBoard::from_fen(fen, ChessRules::STANDARD).unwrap().planes();
        assert_eq!(MakrukBoard::INPUTS, 768);
        let (pawn, rook, king, enemy) = (0, 4 * 64, 5 * 64, 6 * 64);
        let mut white = [king + 2, rook + 15, enemy + king + 61, enemy + pawn + 40];
        white.sort_unstable();
        assert_eq!(active::<MakrukBoard>(&planes, Color::White), white);
        // Upside down f8 becomes f1 and a6 a3; mirrored, since f is a file to the right, c1 and
        // h3.
        let mut black = [king + 2, pawn + 23, enemy + king + 61, enemy + rook + 48];
        black.sort_unstable();
        assert_eq!(active::<MakrukBoard>(&planes, Color::Black), black);
        assert_eq!(MakrukBoard::bucket(&planes), 0);
    }

    #[test]
    fn makhos_features_are_those_of_the_definition() {
        // Square n of the FEN is n - 1 here.
        let fen = "W:W30,K1:B5,K32";
        let planes = MakhosBoard::from_fen(fen, MakhosRules::STANDARD).unwrap().planes();
        assert_eq!(MakhosBoard::INPUTS, 128);
        assert_eq!(active::<MakhosBoard>(&planes, Color::White), [29, 32, 64 + 4, 96 + 31]);
        assert_eq!(active::<MakhosBoard>(&planes, Color::Black), [27, 32, 64 + 2, 96 + 31]);
        assert_eq!(MakhosBoard::bucket(&planes), 1);
    }

    #[test]
    fn both_players_see_the_makruk_start_alike() {
        let planes = MakrukBoard::start(ChessRules::STANDARD).planes();
        let white = active::<MakrukBoard>(&planes, Color::White);
        assert_eq!(white, active::<MakrukBoard>(&planes, Color::Black));
        assert_eq!(white.len(), 32);
        assert_eq!(MakrukBoard::bucket(&planes), 7);
        let planes = AseanBoard::start(ChessRules::STANDARD).planes();
        assert_eq!(
            active::<AseanBoard>(&planes, Color::White),
            active::<AseanBoard>(&planes, Color::Black)
        );
    }

    #[test]
    fn a_mirrored_board_has_the_same_features() {
        let mirror = |set: u64| set.reverse_bits().swap_bytes();
        let fen = "2r1k2r/3n4/1p1p1n2/P1P1P3/1p3p1p/P1N3P1/3S4/R2K3R w - - 0 1";
        let planes = MakrukBoard::from_fen(fen, ChessRules::STANDARD).unwrap().planes();
        let mirrored = planes.map(mirror);
        assert_ne!(planes, mirrored);
        for color in Color::ALL {
            assert_eq!(
                active::<MakrukBoard>(&planes, color),
                active::<MakrukBoard>(&mirrored, color)
            );
        }
    }

    #[test]
    fn buckets_rise_with_the_men() {
        let mut seen = [false; BUCKETS];
        for men in 2..=64 {
            let planes = [u64::MAX >> (64 - men), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
            let bucket = MakrukBoard::bucket(&planes);
            assert_eq!(bucket, ((men - 1) / 4).min(7));
            seen[bucket] = true;
        }
        assert_eq!(seen, [true; BUCKETS]);
        for men in 1..=32_usize {
            let bucket = MakhosBoard::bucket(&[u64::MAX >> (64 - men), 0, 0, 0]);
            assert_eq!(bucket, ((men - 1) / 2).min(7));
        }
    }
}
