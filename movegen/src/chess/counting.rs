//! Counting: the Thai and ASEAN rules that limit how long a pawnless endgame may last.
//!
//! Everything here is a pure function of the men, the rule options and [`Count`], the state that
//! every position carries. Source: the project's specification of Makruk and ASEAN Chess, sections
//! 3 (the `standard` rule) and 6 (how the other rules differ).

use super::men::Men;
use super::{PieceType, Rules};
use crate::{ChessRules, Color, CountingRule, Variant};

/// Which count runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum CountKind {
    /// None.
    #[default]
    None,
    /// Board's honour: no pawns left, both sides still have pieces.
    Board,
    /// Pieces' honour, and ASEAN's count: a bare king. Under cutechess's rule also without a limit:
    /// a king that was bare in the FEN is never counted.
    Pieces,
    /// cutechess plays Makruk by the 50-move rule and without counting if the FEN has `-` instead
    /// of a limit.
    Western,
}

/// The state of a count, as the FEN shows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Count {
    /// The limit in plies; 0 when no count runs.
    pub limit: u16,
    /// Plies counted so far.
    pub ply: u16,
    /// Which count runs.
    pub kind: CountKind,
    /// Whose moves count, where the rule cares (`site`; under `federation` the board count).
    pub counting: Option<Color>,
}

impl Count {
    /// No count.
    pub const NONE: Self = Self { limit: 0, ply: 0, kind: CountKind::None, counting: None };

    /// Whether a count runs.
    #[inline(always)]
    pub const fn runs(&self) -> bool {
        self.limit > 0
    }
}

/// What a move did, as far as counting cares.
#[derive(Clone, Copy)]
pub(super) struct Event {
    pub(super) mover: Color,
    pub(super) captured: Option<PieceType>,
    pub(super) promoted: bool,
}

fn men_of(men: &Men, color: Color) -> u16 {
    men.colors[color.index()].len() as u16
}

fn is_bare(men: &Men, color: Color) -> bool {
    men_of(men, color) == 1
}

fn has_bare_king(men: &Men) -> bool {
    Color::ALL.into_iter().any(|color| is_bare(men, color))
}

/// The side whose king alone is bare. Two bare kings are alike: neither may be preferred.
pub(super) fn only_bare(men: &Men) -> Option<Color> {
    Color::ALL.into_iter().find(|&color| is_bare(men, color) && !is_bare(men, color.opposite()))
}

fn total(men: &Men) -> u16 {
    men.occupied().len() as u16
}

#[inline(always)]
fn is_pawnless(men: &Men) -> bool {
    men.pieces[PieceType::Pawn.index()].is_empty()
}

/// Brings the count up to date after a move; `men` are those after it.
#[inline(always)]
pub(super) fn advance<R: Rules>(count: &mut Count, men: &Men, rules: &ChessRules, event: Event) {
    let pawnless = is_pawnless(men);
    // Nearly every move of a game ends here.
    if !pawnless && !count.runs() && !counts_beside_pawns::<R>(rules) {
        return;
    }
    advance_slowly::<R>(count, men, rules, event);
}

/// Whether a bare king is counted although pawns are left.
#[inline(always)]
fn counts_beside_pawns<R: Rules>(rules: &ChessRules) -> bool {
    R::VARIANT == Variant::Asean && rules.counting == CountingRule::Cutechess
}

#[inline(never)]
fn advance_slowly<R: Rules>(count: &mut Count, men: &Men, rules: &ChessRules, event: Event) {
    tick(count, rules, event.mover);
    match rules.counting {
        CountingRule::None => {}
        CountingRule::Standard | CountingRule::Federation => standard::<R>(count, men, event),
        CountingRule::Cutechess => cutechess::<R>(count, men, event),
        CountingRule::Site => site::<R>(count, men, event.mover.opposite()),
    }
}

/// A move, or a pass, of `mover` is counted.
fn tick(count: &mut Count, rules: &ChessRules, mover: Color) {
    if !count.runs() {
        return;
    }
    // The sites count one side's moves: its first one starts the clock, so that the ply is odd
    // after each of them.
    let waits =
        rules.counting == CountingRule::Site && count.ply == 0 && count.counting != Some(mover);
    if !waits {
        count.ply = count.ply.saturating_add(1);
    }
}

/// Passing takes a ply, no more.
#[inline(always)]
pub(super) fn pass(count: &mut Count, rules: &ChessRules, mover: Color) {
    tick(count, rules, mover);
}

/// The count as the rules see it. Where [`ChessRules::board_count_start`] says which move of a board
/// count is the first one counted, the plies run from there; the stored ones run on unseen, because
/// a king that is bared without a limit of its own takes them over.
#[inline(always)]
pub(super) fn in_force(stored: &Count, rules: &ChessRules, game_ply: u32) -> Count {
    if stored.kind != CountKind::Board || !starts_by_hand(rules) {
        return *stored;
    }
    let counted = manual_ply(rules, game_ply).map_or(0, |ply| ply.max(0));
    let ply = u16::try_from(counted).unwrap_or(u16::MAX);
    Count { ply, counting: counter(rules), ..*stored }
}

fn starts_by_hand(rules: &ChessRules) -> bool {
    matches!(rules.counting, CountingRule::Standard | CountingRule::Federation)
        && rules.board_count_start != 0
}

/// Plies counted by hand, 1 after the first counted move; negative or 0 before it; `None` if
/// nobody counts.
fn manual_ply(rules: &ChessRules, game_ply: u32) -> Option<i64> {
    let start = i64::from(rules.board_count_start);
    (start > 0).then(|| 1 + i64::from(game_ply) - start)
}

/// Who has started the board count by hand: the first counted move was his. (Game ply 1 is White's
/// first move.)
fn counter(rules: &ChessRules) -> Option<Color> {
    match rules.board_count_start {
        start if start <= 0 => None,
        start if start % 2 == 1 => Some(Color::White),
        _ => Some(Color::Black),
    }
}

/// The limit in moves if `weak` were the side that the count protects; 0 = no count.
/// Specification section 3.
fn standard_limit<R: Rules>(men: &Men, weak: Color) -> u16 {
    let strong = weak.opposite();
    if !is_pawnless(men) {
        return 0;
    }
    if R::VARIANT == Variant::Asean {
        return if is_bare(men, weak) { asean_table(men, strong) } else { 0 };
    }
    if is_bare(men, strong) {
        0
    } else if is_bare(men, weak) {
        makruk_table(men, strong, false)
    } else {
        64
    }
}

/// Moves that pieces' honour allows against the pieces of `strong`. With `khon_first` a khon
/// beside two knights makes the limit that of one khon (44), as one site's table reads.
fn makruk_table(men: &Men, strong: Color, khon_first: bool) -> u16 {
    let number = |piece: PieceType| men.of(strong, piece).len();
    match (number(PieceType::Rook), number(PieceType::Khon), number(PieceType::Knight)) {
        (2.., _, _) => 8,
        (1, _, _) => 16,
        (_, 2.., _) => 22,
        (_, 1, 2..) if khon_first => 44,
        (_, _, 2..) => 32,
        (_, 1, _) => 44,
        _ => 64,
    }
}

/// Moves that ASEAN's count allows against the pieces of `strong`; 0 = no count.
fn asean_table(men: &Men, strong: Color) -> u16 {
    let has = |piece: PieceType| !men.of(strong, piece).is_empty();
    if has(PieceType::Rook) {
        16
    } else if has(PieceType::Khon) {
        44
    } else if has(PieceType::Knight) {
        64
    } else {
        0
    }
}

fn standard<R: Rules>(count: &mut Count, men: &Men, event: Event) {
    let us = event.mover;
    let them = us.opposite();
    let makruk = R::VARIANT == Variant::Makruk;
    // A bare king has taken the last pawn.
    if makruk && event.captured == Some(PieceType::Pawn) && is_bare(men, us) {
        let limit = standard_limit::<R>(men, us);
        if limit > 0 {
            count.limit = 2 * limit;
            count.ply = 2 * total(men) - 1;
        }
    }
    let bared = (event.captured.is_some() || event.promoted) && is_bare(men, them);
    if count.limit == 0 || bared {
        let limit = standard_limit::<R>(men, them);
        if limit > 0 {
            count.limit = 2 * limit;
            count.ply = if makruk && is_bare(men, them) { 2 * total(men) } else { 0 };
        }
    }
    *count = classified(*count, men);
}

/// The count with the kind that its men make it. A limit that a FEN gives beside pawns is counted
/// like a board count.
fn classified(mut count: Count, men: &Men) -> Count {
    count.kind = match () {
        () if !count.runs() => CountKind::None,
        () if is_pawnless(men) && has_bare_king(men) => CountKind::Pieces,
        () => CountKind::Board,
    };
    count.counting = None;
    count
}

/// cutechess (MakrukBoard, AseanBoard): the pieces of the side that has just moved make the limit,
/// even if that is the bare king, and a running pieces' count is never replaced.
fn cutechess<R: Rules>(count: &mut Count, men: &Men, event: Event) {
    if count.kind == CountKind::Western {
        return;
    }
    let us = event.mover;
    let pawnless = is_pawnless(men);
    let asean = R::VARIANT == Variant::Asean;
    if count.kind != CountKind::Pieces && has_bare_king(men) && (pawnless || asean) {
        let limit = match (asean, pawnless) {
            (true, false) => 64,
            (true, true) => cutechess_asean_table(men, us),
            (false, _) => makruk_table(men, us, false),
        };
        let ply = if asean { 0 } else { 2 * total(men) };
        *count = Count { limit: 2 * limit, ply, kind: CountKind::Pieces, counting: None };
    } else if pawnless && !asean && !count.runs() && count.kind != CountKind::Pieces {
        *count = Count { limit: 128, ply: 0, kind: CountKind::Board, counting: None };
    }
}

/// cutechess wants a met beside khon or knight; without one the limit is out of reach.
fn cutechess_asean_table(men: &Men, strong: Color) -> u16 {
    let has = |piece: PieceType| !men.of(strong, piece).is_empty();
    let met = has(PieceType::Met);
    if has(PieceType::Rook) {
        16
    } else if has(PieceType::Khon) && met {
        44
    } else if has(PieceType::Knight) && met {
        64
    } else {
        1000
    }
}

/// The seed pages' rules: a count begins in the position that asks for it, `turn` to move, and
/// counts the moves of the disadvantaged side.
fn site<R: Rules>(count: &mut Count, men: &Men, turn: Color) {
    if !is_pawnless(men) {
        return;
    }
    let bare = Color::ALL.map(|color| is_bare(men, color));
    let asean = R::VARIANT == Variant::Asean;
    *count = match bare {
        [true, true] => Count::NONE,
        [false, false] => {
            if asean || count.runs() {
                return;
            }
            let limit = 2 * (64 - total(men));
            let counting = Some(disadvantaged(men, turn));
            Count { limit, ply: 0, kind: CountKind::Board, counting }
        }
        [white_is_bare, _] => {
            if count.kind == CountKind::Pieces {
                return;
            }
            let weak = if white_is_bare { Color::White } else { Color::Black };
            let strong = weak.opposite();
            let limit =
                if asean { asean_table(men, strong) } else { makruk_table(men, strong, true) };
            if limit == 0 {
                return;
            }
            Count { limit: 2 * limit, ply: 0, kind: CountKind::Pieces, counting: Some(weak) }
        }
    };
}

/// The side with less material (R 10, N 6, S 5, M 3), the side to move on a tie.
fn disadvantaged(men: &Men, turn: Color) -> Color {
    const VALUES: [u32; PieceType::COUNT] = [1, 3, 5, 6, 10, 0];
    let material = |color: Color| -> u32 {
        PieceType::ALL.into_iter().map(|p| VALUES[p.index()] * men.of(color, p).len()).sum()
    };
    match material(Color::White).cmp(&material(Color::Black)) {
        std::cmp::Ordering::Less => Color::White,
        std::cmp::Ordering::Equal => turn,
        std::cmp::Ordering::Greater => Color::Black,
    }
}

/// The count of a position that comes from a FEN.
pub(super) struct FromFen {
    /// The limit field; `None` for `-` and for a FEN without that field.
    pub(super) limit: Option<u16>,
    /// Whether the FEN says `-`, or is of the short form that has no such field.
    pub(super) western: bool,
    pub(super) ply: u16,
    pub(super) turn: Color,
}

/// The count that a FEN stands for.
pub(super) fn from_fen<R: Rules>(men: &Men, rules: &ChessRules, fen: &FromFen) -> Count {
    let limit = fen.limit.unwrap_or(0);
    let shown = Count { limit, ply: if limit > 0 { fen.ply } else { 0 }, ..Count::NONE };
    match rules.counting {
        CountingRule::None => Count::NONE,
        CountingRule::Standard | CountingRule::Federation => classified(shown, men),
        CountingRule::Cutechess => {
            let makruk = R::VARIANT == Variant::Makruk;
            let mut count = classified(shown, men);
            if makruk && fen.western {
                count = Count { kind: CountKind::Western, ..Count::NONE };
            } else if makruk && is_pawnless(men) && has_bare_king(men) || limit > 0 && !makruk {
                count.kind = CountKind::Pieces;
            }
            count
        }
        CountingRule::Site => {
            let mut count = classified(shown, men);
            if count.runs() {
                count.counting = Some(site_counter(men, &count, fen.turn));
            } else {
                site::<R>(&mut count, men, fen.turn);
            }
            count
        }
    }
}

/// Whose moves a site's running count counts: a bare king's, or as the ply says, which is odd after
/// each counted move.
fn site_counter(men: &Men, count: &Count, turn: Color) -> Color {
    match () {
        () if is_bare(men, Color::White) => Color::White,
        () if is_bare(men, Color::Black) => Color::Black,
        () if count.ply == 0 => disadvantaged(men, turn),
        () if count.ply % 2 == 1 => turn.opposite(),
        () => turn,
    }
}

/// Whether the count makes the position a draw, given that the side to move can move.
pub(super) fn is_drawn<R: Rules>(count: &Count, rules: &ChessRules) -> bool {
    count.runs() && rules.counting != CountingRule::None && plies_to_draw::<R>(count, rules) == 0
}

/// Whether a count that does not run yet begins with one of the next moves even if no man is taken
/// or promoted.
pub(super) fn awaited<R: Rules>(count: &Count, men: &Men, rules: &ChessRules) -> bool {
    if count.runs() {
        return false;
    }
    match rules.counting {
        CountingRule::None => false,
        CountingRule::Standard | CountingRule::Federation => {
            Color::ALL.into_iter().any(|weak| standard_limit::<R>(men, weak) > 0)
        }
        CountingRule::Cutechess => {
            let counts =
                if R::VARIANT == Variant::Asean { has_bare_king(men) } else { is_pawnless(men) };
            counts && count.kind == CountKind::None
        }
        // The sites' counts begin in the position that asks for them.
        CountingRule::Site => false,
    }
}

/// The counted ply that makes the draw.
pub(super) fn drawn_at<R: Rules>(count: &Count, rules: &ChessRules) -> u16 {
    match rules.counting {
        CountingRule::Cutechess => count.limit,
        // The defender completes move N, or (ASEAN) the attacker has replied to it.
        CountingRule::Site if R::VARIANT == Variant::Makruk => count.limit.saturating_sub(1),
        CountingRule::Site => count.limit,
        _ => count.limit.saturating_add(1),
    }
}

/// Counted plies until the position is a draw; 0 if it is one.
fn plies_to_draw<R: Rules>(count: &Count, rules: &ChessRules) -> u16 {
    drawn_at::<R>(count, rules).saturating_sub(count.ply)
}

/// How the count limits the game from here on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Horizon {
    /// Further plies until the draw is there.
    pub(super) to_draw: u32,
    /// Further plies after which a mate can still be given by a careful player: where runners
    /// disagree by a ply, the stricter reading.
    pub(super) to_mate: u32,
}

/// What the running count allows, `None` if none runs or it never ends the game.
pub(super) fn horizon<R: Rules>(
    count: &Count,
    men: &Men,
    rules: &ChessRules,
    game_ply: u32,
) -> Option<Horizon> {
    if !count.runs() || rules.counting == CountingRule::None {
        return None;
    }
    let turn = Color::ALL[(game_ply & 1) as usize];
    let by_hand = count.kind == CountKind::Board && starts_by_hand(rules);
    let mut to_draw = u32::from(plies_to_draw::<R>(count, rules));
    if by_hand {
        // Before the first counted move the ply of the count stands still at 0.
        let ahead = -manual_ply(rules, game_ply)?.min(0);
        to_draw = to_draw.saturating_add(u32::try_from(ahead).unwrap_or(u32::MAX));
    }
    let waits = rules.counting == CountingRule::Site && count.ply == 0;
    if waits && count.counting.is_some_and(|color| color != turn) {
        to_draw = to_draw.saturating_add(1);
    }
    // The ply that makes the draw may itself give mate, and then wins. But a bare king gives none,
    // and under the federation's rule neither does the player who counts: then the last ply must
    // be the other side's.
    let harmless = match count.kind {
        CountKind::Board if rules.counting == CountingRule::Federation => counter(rules),
        _ => only_bare(men),
    };
    let to_mate = match harmless {
        Some(color) => to_draw.saturating_sub(u32::from((to_draw % 2 == 1) == (color == turn))),
        // With pieces on both sides runners disagree about that ply: cutechess draws before it.
        None if matches!(rules.counting, CountingRule::Standard | CountingRule::Federation) => {
            to_draw.saturating_sub(1)
        }
        None => to_draw,
    };
    Some(Horizon { to_draw, to_mate })
}

/// Whether `winner`, who has just given mate, was counting the board's honour himself, which makes
/// it a draw under the federation's rule.
pub(super) fn mate_by_counter(
    count: &Count,
    rules: &ChessRules,
    winner: Color,
    game_ply: u32,
) -> bool {
    rules.counting == CountingRule::Federation
        && count.kind == CountKind::Board
        && counter(rules) == Some(winner)
        && manual_ply(rules, game_ply).is_some_and(|ply| ply >= 1)
}
