//! Games, named rule sets and the single options that they bundle.
//!
//! Source: the project's rule specification (Makruk and ASEAN Chess section 6, Makhos section 5).

use crate::Color;

/// The games this crate knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// Thai chess.
    Makruk,
    /// ASEAN Chess.
    Asean,
    /// Thai draughts.
    Makhos,
}

impl Variant {
    /// All games, the default first.
    pub const ALL: [Self; 3] = [Self::Makruk, Self::Asean, Self::Makhos];

    /// The name that `UCI_Variant` and `--variant` use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Makruk => "makruk",
            Self::Asean => "asean",
            Self::Makhos => "makhos",
        }
    }

    /// Reads a name or alias (`thai` is Makhos), without regard to case.
    pub fn parse(text: &str) -> Option<Self> {
        if text.eq_ignore_ascii_case("thai") {
            return Some(Self::Makhos);
        }
        Self::ALL.into_iter().find(|v| text.eq_ignore_ascii_case(v.name()))
    }
}

/// Gives an enum of options its names: `ALL`, `name()` and a case-insensitive `parse()`.
macro_rules! named_options {
    ($type:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $type {
            /// All values, the default first.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name that options use.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// Reads a name without regard to case.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|v| text.eq_ignore_ascii_case(v.name()))
            }
        }
    };
}

/// A named bundle of rule options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RuleSet {
    /// What Fairy-Stockfish and its front ends play; the default of every game.
    Standard,
    /// What cutechess adjudicates (Makruk, ASEAN).
    Cutechess,
    /// Thai Chess Federation: the board count is started and stopped by a player (Makruk).
    Federation,
    /// makruk.yeeqia.com (Makruk).
    Yeeqia,
    /// ChessPlayX (ASEAN).
    Chessplayx,
    /// The 2011 laws: as ChessPlayX, promotion to met only (ASEAN).
    Laws2011,
    /// White first, no draw rule but repetition (Makhos).
    ThaiDraughts,
    /// Black first, its own square numbers, its draw rules (Makhos).
    MakHos,
}

named_options!(RuleSet {
    Standard = "standard",
    Cutechess = "cutechess",
    Federation = "federation",
    Yeeqia = "yeeqia",
    Chessplayx = "chessplayx",
    Laws2011 = "laws2011",
    ThaiDraughts = "thai-draughts",
    MakHos = "mak-hos",
});

impl RuleSet {
    /// The rule sets of a game, its default first.
    pub const fn of(variant: Variant) -> &'static [Self] {
        match variant {
            Variant::Makruk => &[Self::Standard, Self::Cutechess, Self::Federation, Self::Yeeqia],
            Variant::Asean => &[Self::Standard, Self::Cutechess, Self::Chessplayx, Self::Laws2011],
            Variant::Makhos => &[Self::Standard, Self::ThaiDraughts, Self::MakHos],
        }
    }

    /// Whether the game has this rule set.
    pub fn exists_in(self, variant: Variant) -> bool {
        Self::of(variant).contains(&self)
    }
}

/// How a Makruk pawn captures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PawnCapture {
    /// One step diagonally forward: every source but one.
    Diagonal,
    /// One step straight forward: makruk.yeeqia.com.
    Straight,
}
named_options!(PawnCapture { Diagonal = "diagonal", Straight = "straight" });

/// Which counting rule decides pawnless endgames.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CountingRule {
    /// Fairy-Stockfish's.
    Standard,
    /// cutechess's.
    Cutechess,
    /// Thai Chess Federation: only once a player has started it.
    Federation,
    /// The seed pages': `yeeqia` in Makruk, `chessplayx` in ASEAN.
    Site,
    /// No counting.
    None,
}
named_options!(CountingRule {
    Standard = "standard",
    Cutechess = "cutechess",
    Federation = "federation",
    Site = "site",
    None = "none",
});

/// When a chess game is drawn because nobody can mate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeadPosition {
    /// Fairy-Stockfish's insufficient material, on both sides.
    Standard,
    /// cutechess's wider test.
    Cutechess,
    /// Never.
    Off,
}
named_options!(DeadPosition { Standard = "standard", Cutechess = "cutechess", Off = "off" });

/// What an ASEAN pawn may become.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AseanPromotion {
    /// Rook, knight, khon or met.
    All,
    /// Met only (the 2011 laws as one source reads them).
    Met,
}
named_options!(AseanPromotion { All = "all", Met = "met" });

/// Rule options of Makruk and ASEAN Chess.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChessRules {
    /// Makruk pawn captures. The board type carries this too ([`crate::chess::Rules`]), because the
    /// move generator is compiled for it; whoever picks the type must respect it.
    pub pawn_capture: PawnCapture,
    /// The counting rule.
    pub counting: CountingRule,
    /// Threefold repetition draws automatically.
    pub repetition: bool,
    /// ASEAN: 50 moves without capture or pawn move draw automatically.
    pub fifty_move_rule: bool,
    /// Dead positions.
    pub dead_position: DeadPosition,
    /// ASEAN promotion.
    pub asean_promotion: AseanPromotion,
    /// Draw after this many full moves; 0 = never.
    pub max_game_moves: u16,
    /// Game ply of the first counted move of the board count: 0 = automatic, -1 = not counting.
    pub board_count_start: i32,
}

impl ChessRules {
    /// [`RuleSet::Standard`], the same for both games.
    pub const STANDARD: Self = Self {
        pawn_capture: PawnCapture::Diagonal,
        counting: CountingRule::Standard,
        repetition: true,
        fifty_move_rule: true,
        dead_position: DeadPosition::Standard,
        asean_promotion: AseanPromotion::All,
        max_game_moves: 0,
        board_count_start: 0,
    };

    /// The options that a named rule set of `variant` stands for, or `None` if the game has no such
    /// rule set.
    pub fn preset(variant: Variant, set: RuleSet) -> Option<Self> {
        if !set.exists_in(variant) {
            return None;
        }
        let standard = Self::STANDARD;
        Some(match set {
            RuleSet::Standard => standard,
            RuleSet::Cutechess => Self {
                counting: CountingRule::Cutechess,
                repetition: false,
                dead_position: DeadPosition::Cutechess,
                ..standard
            },
            RuleSet::Federation => {
                Self { counting: CountingRule::Federation, board_count_start: -1, ..standard }
            }
            RuleSet::Yeeqia => Self {
                pawn_capture: PawnCapture::Straight,
                counting: CountingRule::Site,
                max_game_moves: 300,
                ..standard
            },
            RuleSet::Chessplayx | RuleSet::Laws2011 => Self {
                counting: CountingRule::Site,
                repetition: false,
                fifty_move_rule: false,
                asean_promotion: if set == RuleSet::Laws2011 {
                    AseanPromotion::Met
                } else {
                    AseanPromotion::All
                },
                ..standard
            },
            RuleSet::ThaiDraughts | RuleSet::MakHos => return None,
        })
    }
}

/// When captured Makhos pieces leave the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Removal {
    /// As each is jumped.
    Immediate,
    /// When the chain is over.
    After,
}
named_options!(Removal { Immediate = "immediate", After = "after" });

/// What restarts the Makhos quiet-ply count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum QuietReset {
    /// A capture or any move of a man.
    CaptureOrMan,
    /// A capture only.
    Capture,
}
named_options!(QuietReset { CaptureOrMan = "capture-or-man", Capture = "capture" });

/// How Makhos treats one king each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LoneKings {
    /// A draw unless a win is forced (exact table).
    Table,
    /// Always a draw.
    Draw,
    /// Played on.
    Play,
}
named_options!(LoneKings { Table = "table", Draw = "draw", Play = "play" });

/// Which square numbers Makhos game files use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Numbering {
    /// b8 = 1, row by row from White's view.
    Pdn,
    /// h8 = 1, row by row from Black's view (seed 004).
    MakHos,
}
named_options!(Numbering { Pdn = "pdn", MakHos = "mak-hos" });

/// Rule options of Makhos.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MakhosRules {
    /// Who makes the first move of the start position.
    pub first: Color,
    /// When captured pieces leave the board.
    pub removal: Removal,
    /// A capturing king may turn back by 180 degrees.
    pub reverse: bool,
    /// Draw at this many occurrences of a position; 0 = never.
    pub repetition: u8,
    /// Draw after this many quiet plies; 0 = never.
    pub quiet_plies: u16,
    /// What restarts the quiet plies.
    pub quiet_reset: QuietReset,
    /// One king each.
    pub lone_kings: LoneKings,
    /// Square numbers in PDN. FENs are always in [`Numbering::Pdn`].
    pub numbering: Numbering,
}

impl MakhosRules {
    /// [`RuleSet::Standard`].
    pub const STANDARD: Self = Self {
        first: Color::White,
        removal: Removal::Immediate,
        reverse: true,
        repetition: 3,
        quiet_plies: 50,
        quiet_reset: QuietReset::CaptureOrMan,
        lone_kings: LoneKings::Table,
        numbering: Numbering::Pdn,
    };

    /// The options that a named rule set stands for, or `None` if Makhos has no such rule set.
    pub fn preset(set: RuleSet) -> Option<Self> {
        let standard = Self::STANDARD;
        match set {
            RuleSet::Standard => Some(standard),
            RuleSet::ThaiDraughts => {
                Some(Self { quiet_plies: 0, lone_kings: LoneKings::Play, ..standard })
            }
            RuleSet::MakHos => {
                Some(Self { first: Color::Black, numbering: Numbering::MakHos, ..standard })
            }
            _ => None,
        }
    }
}
