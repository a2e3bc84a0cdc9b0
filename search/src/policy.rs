use movegen::{Color, Position};

use crate::params::Params;

/// Number of classes that [`SearchPolicy::tactical_class`] tells apart.
pub const TACTICAL_CLASSES: usize = 8;

/// The few places where the games are searched differently.
///
/// Everything that a rule decides comes from [`Position`]; a policy holds only judgement.
pub trait SearchPolicy<P: Position>: 'static {
    /// The game's constants, as they are shipped.
    const PARAMS: Params;

    /// The game's constants. Only a tuner's build can change them.
    #[inline(always)]
    fn params() -> Params {
        #[cfg(feature = "tune")]
        return crate::tune::current(P::VARIANT, Self::PARAMS);
        #[cfg(not(feature = "tune"))]
        Self::PARAMS
    }

    /// How attractive a tactical move is before anything is known about it: most valuable victim
    /// first. Below 100 000.
    fn tactical_score(position: &P, m: P::Move) -> i32;

    /// What a tactical move takes, for the history of tactical moves.
    fn tactical_class(position: &P, m: P::Move) -> usize;

    /// The most, in centipawns, that a tactical move can win at once.
    fn tactical_gain(position: &P, m: P::Move) -> i32;

    /// Whether the exchanges that a move starts on its square win at least `threshold`
    /// centipawns.
    fn see_ge(position: &P, m: P::Move, threshold: i32) -> bool {
        let _ = (position, m, threshold);
        true
    }

    /// A correction of the history score of a quiet move, from what it does on the board.
    fn quiet_bonus(position: &P, m: P::Move) -> i32 {
        let _ = (position, m);
        0
    }

    /// Whether a quiet move leaves the opponent no free choice (a check): it is not pruned for what
    /// the board looks like.
    fn is_forcing(position: &P, m: P::Move) -> bool {
        let _ = (position, m);
        false
    }

    /// Whether a move is a check with at most so many replies: a mate may begin with it, whatever it
    /// gives away.
    fn corners(position: &P, m: P::Move, replies: i32) -> bool {
        let _ = (position, m, replies);
        false
    }

    /// Whether passing is no worse than the best move, as far as one can tell: no zugzwang.
    fn may_pass(position: &P) -> bool {
        let _ = position;
        false
    }

    /// Whether the mover may be without moves although he is not forced, so that it is worth a look.
    fn may_be_blocked(position: &P) -> bool {
        let _ = position;
        false
    }

    /// Whether the mover has one piece left and can hardly move without it: if he gives it away, the
    /// game may be drawn. Such a piece is called a desperado.
    fn has_desperado(position: &P) -> bool {
        let _ = position;
        false
    }

    /// Whether a move of a desperado leaves the mover without moves if the opponent takes it.
    fn offers_stalemate(position: &P, m: P::Move) -> bool {
        let _ = (position, m);
        false
    }

    /// Whether the position is not quiet although the mover is free: the opponent is about to do
    /// something that forces matters.
    fn threatened(position: &P) -> bool {
        let _ = position;
        false
    }

    /// Whether this side can never win, whatever happens.
    fn cannot_win(position: &P, color: Color) -> bool {
        let _ = (position, color);
        false
    }

    /// Whether a quiet move is too important to be reduced by more than a ply.
    fn is_critical(position: &P, m: P::Move) -> bool {
        let _ = (position, m);
        false
    }

    /// Squares that the opponent attacks, one bit each, for the history of quiet moves.
    fn attacked(position: &P) -> u64 {
        let _ = position;
        0
    }

    /// Base reduction of move number `number` (from 1) at `depth`, in 1024ths of a ply.
    fn reduction(params: &Params, depth: i32, number: usize) -> i32;
}
