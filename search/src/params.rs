//! The numbers of the search, one set per game. Margins are centipawns, depths plies.

use crate::handicap::Ladder;

/// How a node is tested for "so good that a shallower search shows it".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProbCut {
    /// Only tactical moves are tried, against `beta + margin`, at `depth - 4`.
    Tactical {
        /// From this depth on.
        from_depth: i32,
        /// Added to beta.
        margin: i32,
    },
    /// The same position is searched at 0.4 of the depth against `beta + per_ply * depth`: the
    /// form that suits games full of zugzwang, in place of the null move.
    SamePosition {
        /// From this depth on.
        from_depth: i32,
        /// Added to beta per ply of depth.
        per_ply: i32,
    },
}

/// Declares [`Params`]: constants of the games, and numbers that a tuner may change, each with the
/// range in which that makes sense.
macro_rules! params {
    (
        $(#[$attribute:meta])*
        pub struct $name:ident {
            fixed { $($(#[$fixed_doc:meta])* $fixed:ident: $type:ty,)* }
            tunable { $($(#[$doc:meta])* $number:ident: $range:expr,)* }
        }
    ) => {
        $(#[$attribute])*
        pub struct $name {
            $($(#[$fixed_doc])* pub $fixed: $type,)*
            $($(#[$doc])* pub $number: i32,)*
        }

        #[cfg(feature = "tune")]
        impl $name {
            /// Names and ranges of the numbers that may be changed.
            pub(crate) const TUNABLE: &[(&str, std::ops::RangeInclusive<i32>)] =
                &[$((stringify!($number), $range)),*];

            /// The numbers in the order of `TUNABLE`.
            pub(crate) fn numbers(&mut self) -> [&mut i32; Self::TUNABLE.len()] {
                [$(&mut self.$number),*]
            }
        }
    };
}

params! {
    /// Pruning, reduction and extension constants of a game. A depth of 0 switches a rule off.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct Params {
        fixed {
            /// Null moves may be tried at all.
            null_move: bool,
            /// ... where no fail high is expected too.
            null_at_all_nodes: bool,
            /// Depth is corrected where the reduction of the move before was wrong.
            hindsight: bool,
            /// Quiet moves are told apart by threats to their squares.
            threat_history: bool,
            /// Reverse futility up to this depth.
            rfp_depth: i32,
            /// Razoring up to this depth.
            razor_depth: i32,
            /// Futility of quiet moves up to this (reduced) depth.
            futility_depth: i32,
            /// Late move pruning up to this depth.
            lmp_depth: i32,
            /// The shallow proof of a fail high.
            prob_cut: ProbCut,
            /// Late moves are reduced from this depth on.
            lmr_depth: i32,
            /// ... from this move number on, outside and inside the principal variation.
            lmr_from: [usize; 2],
            /// Moves are reduced also where the mover has no free choice.
            reduce_forced: bool,
            /// Singular extension from this depth on.
            singular_depth: i32,
            /// A lone legal move costs no depth.
            single_reply_extension: bool,
            /// Moves are generated in stages; otherwise all at once.
            staged: bool,
            /// With this many plies left on a clock or more, counts are taken to be out of reach.
            loose_above: u8,
            /// Moves of a side that a game usually still lasts, for the clock.
            horizon: u32,
            /// Elo of weakened play: sums of what matches between neighbours gave.
            ladder: Ladder,
            /// Win chance of the score: offset and scale of the logistic curve.
            wdl: [i32; 2],
        }
        tunable {
            /// Before a null move the static evaluation must exceed beta by this less
            /// `null_per_ply` per ply.
            null_margin: -100..=400,
            /// See `null_margin`.
            null_per_ply: 0..=40,
            /// Plies by which the search after a null move is reduced at least ...
            null_base: 1..=6,
            /// ... and one more per so many plies of depth ...
            null_depth: 2..=10,
            /// ... and one more, three at most, per so many centipawns above beta.
            null_surplus: 50..=800,
            /// Reverse futility margin per ply.
            rfp_per_ply: 10..=250,
            /// Razoring margin at depth 0.
            razor_base: 50..=800,
            /// Razoring margin per squared ply.
            razor_per_ply: 20..=600,
            /// Futility margin at depth 0.
            futility_base: 0..=400,
            /// Futility margin per ply.
            futility_per_ply: 10..=250,
            /// Moves that late move pruning leaves at depth 0.
            lmp_base: 1..=12,
            /// No late move pruning if the best move so far falls short of the static evaluation
            /// by this.
            lmp_loss: 0..=600,
            /// Exchange loss per ply at which a quiet move is dropped.
            see_quiet: 0..=200,
            /// ... unless it is a check with at most so many replies; 0 = checks too.
            check_replies: 0..=10,
            /// Exchange loss per squared ply at which a tactical move is dropped; 0 = never.
            see_tactical: 0..=100,
            /// Margin of delta pruning in quiescence; 0 = off.
            delta: 0..=600,
            /// Reduction of every late move, as all reductions in 1024ths of a ply.
            lmr_base: 0..=2048,
            /// The logarithms of depth and move number, multiplied and divided by 100ths of this,
            /// are added.
            lmr_divisor: 120..=600,
            /// More where a fail high is expected ...
            lmr_cut_node: 0..=4096,
            /// ... or the position gets no better ...
            lmr_not_improving: 0..=2048,
            /// ... or a tactical move is thought best.
            lmr_table_tactical: 0..=2048,
            /// Less on principal variations, past ones too ...
            lmr_pv: 0..=3072,
            /// ... for moves that leave no free choice ...
            lmr_forcing: 0..=3072,
            /// ... and for killers.
            lmr_killer: 0..=3072,
            /// History worth one ply of reduction.
            lmr_history: 2_000..=40_000,
            /// A reduced move that beats the best so far by this and two per ply is searched a ply
            /// deeper.
            lmr_deeper: 10..=300,
            /// Singular margin per ply.
            singular_per_ply: 1..=8,
            /// A table move better than the others by this beyond the margin is extended twice.
            singular_double: 1..=120,
            /// Plies less for a table move that beats beta but is not alone in being good.
            negative_extension: 1..=3,
        }
    }
}
