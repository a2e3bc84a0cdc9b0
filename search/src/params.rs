//! The numbers of the search, one set per game. Margins are centipawns, depths plies.

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

/// Pruning, reduction and extension constants of a game. A depth of 0 switches a rule off.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Params {
    /// Null moves may be tried at all.
    pub null_move: bool,
    /// The static evaluation must exceed beta by this less `null_per_ply` per ply.
    pub null_margin: i32,
    /// See `null_margin`.
    pub null_per_ply: i32,
    /// Reverse futility up to this depth.
    pub rfp_depth: i32,
    /// Reverse futility margin per ply.
    pub rfp_per_ply: i32,
    /// Razoring up to this depth.
    pub razor_depth: i32,
    /// Futility of quiet moves up to this (reduced) depth.
    pub futility_depth: i32,
    /// Futility margin at depth 0.
    pub futility_base: i32,
    /// Futility margin per ply.
    pub futility_per_ply: i32,
    /// Late move pruning up to this depth.
    pub lmp_depth: i32,
    /// ... unless the best move so far falls short of the static evaluation by this.
    pub lmp_loss: i32,
    /// Exchange loss per ply at which a quiet move is dropped.
    pub see_quiet: i32,
    /// Exchange loss per squared ply at which a tactical move is dropped; 0 = never.
    pub see_tactical: i32,
    /// Margin of delta pruning in quiescence; 0 = off.
    pub delta: i32,
    /// The shallow proof of a fail high.
    pub prob_cut: ProbCut,
    /// Late moves are reduced from this depth on.
    pub lmr_depth: i32,
    /// ... from this move number on, outside and inside the principal variation.
    pub lmr_from: [usize; 2],
    /// Moves are reduced also where the mover has no free choice.
    pub reduce_forced: bool,
    /// Singular extension from this depth on.
    pub singular_depth: i32,
    /// Singular margin per ply.
    pub singular_per_ply: i32,
    /// A lone legal move costs no depth.
    pub single_reply_extension: bool,
    /// Moves are generated in stages; otherwise all at once.
    pub staged: bool,
    /// The mover may be without moves although he is not forced, so quiescence must look.
    pub blocked_positions: bool,
    /// With this many plies left on a clock or more, counts are taken to be out of reach.
    pub loose_above: u8,
    /// Moves of a side that a game usually still lasts, for the clock.
    pub horizon: u32,
    /// Win chance of the score: offset and scale of the logistic curve.
    pub wdl: [i32; 2],
}
