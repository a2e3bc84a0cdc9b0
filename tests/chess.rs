//! What is particular to the chess games: board state along random playouts, every possible move
//! value, counts and their clocks, FEN forms and faults, promotions, notation. (What all games have
//! in common is in `conformance.rs`.)

#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use movegen::chess::{Asean, Board, Makruk, MakrukStraight, Move, PieceType, Rules};
use movegen::{
    ChessRules, Color, Countdown, DrawReason, FenFault, GameMove, MoveError, MoveList, Outcome,
    Position, RuleSet, Variant, WinReason,
};

fn preset<R: Rules>(set: RuleSet) -> ChessRules {
    ChessRules::preset(R::VARIANT, set).unwrap()
}

fn read<R: Rules>(fen: &str) -> Board<R> {
    Board::from_fen(fen, preset::<R>(RuleSet::Standard)).unwrap()
}

/// A small generator of random numbers with a fixed seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Where playouts begin: the start, and endings in which counts begin and end.
const ENDINGS: [&str; 6] = [
    "8/1k6/3p4/2n5/4R3/8/3K1P2/8 w - - 0 40",
    "6k1/8/8/4r3/3K4/1N6/8/R6N w - - 3 60",
    "8/8/4k3/5P2/8/2RNK3/8/8 b - - 0 50",
    "7k/R7/8/4K3/8/8/n7/1R6 w - 128 100 90",
    "8/8/4k3/8/8/8/R7/K7 b - 32 20 60",
    "2n5/PP2P3/4k3/8/8/3K4/pp3p2/2N5 w - - 0 30",
];

fn check_board<R: Rules>(board: &Board<R>) {
    let again = Board::<R>::from_fen(&board.fen(), *board.rules()).unwrap();
    assert_eq!(again.pawn_key(), board.pawn_key());
    for color in Color::ALL {
        assert_eq!(again.officer_key(color), board.officer_key(color));
    }
    let king = board.king(board.side_to_move());
    let them = board.of_color(board.side_to_move().opposite());
    assert_eq!(board.checkers(), board.attackers_to(king, board.occupied()) & them);
}

fn check_every_tag<R: Rules>(board: &Board<R>, moves: &MoveList<Move>) {
    let set: HashSet<u16> = moves.iter().map(|m| m.tag()).collect();
    for tag in 0..=u16::MAX {
        let legal = board.is_legal(Move::from_bits(tag));
        assert_eq!(legal, set.contains(&tag), "{} {:?}", board.fen(), Move::from_bits(tag));
        assert_eq!(board.move_from_tag(tag).is_some(), legal);
        // Meaningless positions are allowed, panics are not.
        let _ = board.play_unchecked(Move::from_bits(tag));
    }
}

fn check_moves<R: Rules>(board: &Board<R>, moves: &MoveList<Move>) {
    for &m in moves {
        let san = board.notation(m);
        let bare = san.trim_end_matches(['+', '#']).replace('x', "");
        for variation in
            [format!("{bare}!?"), format!("{bare}+"), format!(" {bare} "), bare.clone()]
        {
            assert_eq!(board.parse_notation(&variation), Ok(m), "{} {variation}", board.fen());
        }
        assert_eq!(board.parse_notation(&board.move_text(m)), Ok(m), "{} {san}", board.fen());
        let next = board.play_unchecked(m);
        assert_eq!(board.gives_check(m), next.in_check(), "{} {m:?}", board.fen());
        assert_eq!(board.captured(m).is_some(), board.is_capture(m));
        assert_eq!(next.piece_at(m.to()), Some((board.side_to_move(), m.placed())));
        assert_eq!(next.game_ply(), board.game_ply() + 1);
        // A clock falls by one with each move unless the move starts another.
        let (now, then) = (board.countdown(), next.countdown());
        let goes_on = now.regime == then.regime && !board.is_tactical(m);
        if goes_on && then.remaining < now.remaining && now.remaining < Countdown::UNLIMITED - 1 {
            assert_eq!(then.remaining, now.remaining - 1, "{} {m:?}", board.fen());
        }
    }
}

fn playouts<R: Rules>(starts: &[&str], set: RuleSet, games: usize) {
    let mut dice = Dice(R::START.len() as u64 + set as u64);
    for game in 0..games {
        let fen = starts[game % starts.len()];
        let mut board = Board::<R>::from_fen(fen, preset::<R>(set)).unwrap();
        for _ in 0..200 {
            let moves = board.legal_moves();
            check_board(&board);
            check_moves(&board, &moves);
            if dice.below(100) == 0 {
                check_every_tag(&board, &moves);
            }
            let drawn = matches!(board.draw_reason(1), Some(DrawReason::DeadPosition));
            if moves.is_empty() || drawn {
                break;
            }
            let m = moves[dice.below(moves.len())];
            board = board.play_unchecked(m);
        }
    }
}

fn all_rule_sets<R: Rules>() {
    let asean = R::VARIANT == Variant::Asean;
    let letters = |fen: &&str| if asean { fen.replace('S', "B") } else { (*fen).to_owned() };
    let mut starts = vec![R::START.to_owned()];
    starts.extend(ENDINGS.iter().map(letters));
    let starts: Vec<&str> = starts.iter().map(String::as_str).collect();
    for &set in RuleSet::of(R::VARIANT) {
        playouts::<R>(&starts, set, 21);
    }
}

/// Set-up positions in which the waiting side stands in check: they are read, played on from, and
/// no move takes the king.
#[test]
fn a_king_in_check_out_of_turn_is_never_captured() {
    let starts = [
        "8/8/8/1n6/1R1k4/8/6m1/R3K3 w - - 0 1",
        "8/8/8/3kK3/8/8/8/8 w - - 0 1",
        "8/8/8/3kK3/8/4P3/8/8 b - 32 5 1",
        "4k3/3P4/8/4R3/2N5/8/8/4K3 w - - 0 1",
        "k7/1P6/8/8/8/8/6p1/7K w - - 0 1",
        "8/8/3k1m2/2P1P3/2KS4/8/8/R7 w - - 0 1",
    ];
    fn check<R: Rules>(fen: &str, dice: &mut Dice) {
        let mut board = Board::<R>::from_fen(fen, preset::<R>(RuleSet::Standard)).unwrap();
        for _ in 0..40 {
            let moves = board.legal_moves();
            check_every_tag(&board, &moves);
            assert_eq!(board.count_moves(), moves.len() as u64, "{}", board.fen());
            let enemy = board.king(board.side_to_move().opposite());
            assert!(moves.iter().all(|m| m.to() != enemy), "{}", board.fen());
            if moves.is_empty() {
                break;
            }
            board = board.play_unchecked(moves[dice.below(moves.len())]);
        }
    }
    let mut dice = Dice(5);
    for fen in starts {
        check::<Makruk>(fen, &mut dice);
        check::<MakrukStraight>(fen, &mut dice);
        check::<Asean>(&fen.replace('S', "B").replace('m', "q"), &mut dice);
    }
}

#[test]
fn makruk_playouts_hold_together() {
    all_rule_sets::<Makruk>();
}

#[test]
fn straight_makruk_playouts_hold_together() {
    all_rule_sets::<MakrukStraight>();
}

#[test]
fn asean_playouts_hold_together() {
    all_rule_sets::<Asean>();
}

/// From positions with a running count, shuffle until the draw: it comes when the clock says, and
/// no mate given after the countdown has run out would count.
#[test]
fn clocks_say_when_the_draw_comes() {
    let starts = [
        "6k1/8/8/8/3K4/8/8/R7 w - 32 6 60",
        "6k1/8/8/8/3K4/8/8/R7 b - 32 6 60",
        "6k1/r7/8/8/3K4/8/8/R7 w - 128 1 60",
        "6k1/8/8/8/3K4/8/8/RN6 b - 32 25 60",
        "6k1/8/8/8/3K4/8/8/R7 w - - 0 1",
        "6k1/r7/8/8/3K4/8/8/R7 b - - 0 1",
    ];
    for &set in RuleSet::of(Variant::Makruk) {
        for start in [0, -1, 1, 2, 4, 7] {
            let rules = ChessRules { board_count_start: start, ..preset::<Makruk>(set) };
            for fen in starts {
                shuffle_to_the_draw(&Board::<Makruk>::from_fen(fen, rules).unwrap());
            }
        }
    }
    for &set in RuleSet::of(Variant::Asean) {
        for fen in starts {
            shuffle_to_the_draw(&Board::<Asean>::from_fen(fen, preset::<Asean>(set)).unwrap());
        }
    }
}

fn shuffle_to_the_draw<R: Rules>(start: &Board<R>) {
    let mut board = *start;
    let mut dice = Dice(7);
    let mut expected = None;
    for _ in 0..400 {
        let clocks = board.clocks();
        let soonest = clocks.iter().map(|clock| clock.remaining).min();
        let drawn = matches!(
            board.draw_reason(1),
            Some(DrawReason::Counting | DrawReason::NMoveRule | DrawReason::GameLength)
        );
        assert_eq!(drawn, soonest == Some(0), "{} {clocks:?}", board.fen());
        let cautious = u32::from(board.countdown().remaining);
        if let Some(soonest) = soonest.filter(|&plies| plies < 60_000) {
            assert!(cautious <= soonest && cautious + 1 >= soonest, "{}", board.fen());
        }
        if drawn {
            // What is counted then is what the clock has said all along.
            let over = clocks.iter().find(|clock| clock.remaining == 0).unwrap();
            assert_eq!(over.counted, over.drawn_at, "{} {over:?}", board.fen());
            return;
        }
        if let Some(before) = expected.filter(|&before| before < 60_000) {
            assert_eq!(soonest, Some(before - 1), "{}", board.fen());
        }
        // Quiet moves only, so that nothing restarts a clock.
        let mut quiet = MoveList::new();
        board.generate_quiet(&mut quiet);
        if quiet.is_empty() {
            return;
        }
        let runs = board.count().runs();
        board = board.play_unchecked(quiet[dice.below(quiet.len())]);
        let started = board.count().runs() && !runs;
        expected = if started { None } else { soonest };
    }
}

/// Plies within which a mate counts, worked out by hand; the first three are known cases in which
/// another engine goes wrong.
#[test]
fn countdowns_by_example() {
    let remaining = |fen: &str, set| {
        let board = Board::<Makruk>::from_fen(fen, preset::<Makruk>(set)).unwrap();
        (board.countdown().remaining, board.draw_reason(1).is_some())
    };
    let pieces = "8/8/8/4k3/8/8/R7/K7";
    let board = "7k/R7/8/4K3/8/8/m7/1R6";
    for (men, rest, standard, cutechess) in [
        (pieces, "w - 32 8 1", (25, false), (23, false)),
        (pieces, "w - 32 7 2", (25, false), (25, false)),
        (pieces, "w - 32 0 1", (33, false), (31, false)),
        (pieces, "w - 32 31 60", (1, false), (1, false)),
        (pieces, "b - 32 32 60", (0, false), (0, true)),
        (pieces, "w - 32 32 60", (1, false), (0, true)),
        (pieces, "w - 32 33 60", (0, true), (0, true)),
        (board, "w - 128 127 90", (1, false), (1, false)),
        // Mate on ply 129 still wins under the standard rule, but no careful player relies on it.
        (board, "b - 128 128 90", (0, false), (0, true)),
        (board, "w - 128 129 90", (0, true), (0, true)),
        (board, "w - 128 65535 90", (0, true), (0, true)),
    ] {
        let fen = format!("{men} {rest}");
        assert_eq!(remaining(&fen, RuleSet::Standard), standard, "{fen}");
        assert_eq!(remaining(&fen, RuleSet::Cutechess), cutechess, "{fen}, cutechess");
    }
    let asean = read::<Asean>("8/8/8/4k3/8/8/R7/K7 w - 32 8 1");
    assert_eq!(asean.countdown().remaining, 25);
    let fifty = read::<Asean>("8/8/p3k3/8/8/P7/R7/K7 w - - 30 1");
    assert_eq!(fifty.countdown().remaining, 70);
    assert_ne!(fifty.countdown().regime, asean.countdown().regime);
    let counted = asean.play_null().countdown();
    assert_eq!(counted.remaining, 24, "passing takes a ply");
}

/// A count's countdown is the number of plies within which a mate counts: brute force over all
/// lines of quiet moves that end in mate.
#[test]
fn mates_count_as_long_as_the_countdown_says() {
    fn mates<R: Rules>(board: &Board<R>, depth: u16, left: u16) -> u32 {
        let moves = board.legal_moves();
        if moves.is_empty() {
            let mate = board.no_moves_outcome().winner().is_some();
            assert!(!mate || depth <= left, "{depth} plies, {left} left: {}", board.fen());
            return u32::from(mate);
        }
        if depth == 4 || board.draw_reason(1) == Some(DrawReason::Counting) {
            return 0;
        }
        let quiet = moves.iter().filter(|&&m| !board.is_tactical(m));
        quiet.map(|&m| mates(&board.play_unchecked(m), depth + 1, left)).sum()
    }
    let mut found = 0;
    for (fen, limit) in [
        ("7k/8/5K2/8/8/8/R7/R7", 16_u16),
        ("7k/8/6K1/8/8/8/8/R7", 32),
        ("7k/8/6K1/8/8/8/8/R6M", 32),
    ] {
        for side in ['w', 'b'] {
            for ply in limit - 5..=limit + 1 {
                for set in [RuleSet::Standard, RuleSet::Cutechess, RuleSet::Yeeqia] {
                    let fen = format!("{fen} {side} - {limit} {ply} 60");
                    // The site counts the bare side's moves: after one of them the ply is odd.
                    if set == RuleSet::Yeeqia && (ply % 2 == 1) != (side == 'w') {
                        continue;
                    }
                    let board = Board::<Makruk>::from_fen(&fen, preset::<Makruk>(set)).unwrap();
                    found += mates(&board, 0, board.countdown().remaining);
                }
            }
        }
    }
    assert!(found > 20, "{found}");
}

#[test]
fn start_positions_are_those_of_the_rules() {
    let makruk = Board::<Makruk>::start(ChessRules::STANDARD);
    assert_eq!(makruk.fen(), Makruk::START);
    assert_eq!(makruk.count_moves(), 23);
    assert_eq!(Board::<Asean>::start(ChessRules::STANDARD).fen(), Asean::START);
    // cutechess's own start position counts: its FEN says so by `0`.
    let cutechess = Board::<Makruk>::start(preset::<Makruk>(RuleSet::Cutechess));
    assert_eq!(cutechess.fen(), Makruk::START.replace("- -", "- 0"));
}

#[test]
fn fens_in_all_forms() {
    let board = "8/8/5k2/7p/6SS/8/3K4/8";
    for (fields, canonical) in [
        ("w", "w - - 0 1"),
        ("b - -", "b - - 0 1"),
        ("w 0 1", "w - - 0 1"),
        ("w 7 30", "w - - 7 30"),
        ("w - - 3", "w - - 3 1"),
        ("w - 0 0 12", "w - - 0 12"),
        ("w 0 0 5 12", "w - - 5 12"),
        ("w - 0 17 12", "w - - 17 12"),
        ("w - 44 0 12", "w - 44 0 12"),
        ("b - 44 9 12", "b - 44 9 12"),
        ("b - - - 12", "b - - 0 12"),
        ("b - - 0 0", "b - - 0 1"),
        ("b - - 0 99999999999999999999999", "b - - 0 1073741824"),
    ] {
        let read =
            Board::<Makruk>::from_fen(&format!("  {board}   {fields} "), ChessRules::STANDARD);
        assert_eq!(read.unwrap().fen(), format!("{board} {canonical}"), "{fields}");
    }
    let promoted = read::<Makruk>("4k3/8/M~7/8/8/8/8/m~3K3 w - - 0 1");
    assert_eq!(promoted.fen(), "4k3/8/M7/8/8/8/8/m3K3 w - - 0 1");
}

#[test]
fn fens_with_faults_name_all_of_them() {
    let faults = |fen: &str| match Board::<Makruk>::from_fen(fen, ChessRules::STANDARD) {
        Ok(board) => panic!("{fen} is read as {}", board.fen()),
        Err(error) => error.faults,
    };
    use Color::{Black, White};
    let bad = |field, text: &str| FenFault::BadField { field, text: text.to_owned() };
    assert_eq!(faults("  "), [FenFault::Empty]);
    assert_eq!(
        faults("8/8/8/8/8/8/8/3KR3 w - - 0 1"),
        [FenFault::KingCount { color: Black, found: 0 }]
    );
    assert_eq!(faults("8/4k3/8/8/8/8/K7 w"), [FenFault::RankCount { found: 7 }]);
    assert_eq!(
        faults("k7/9/8/7/8/8/x7/KK6 x KQ z -3 1x more"),
        [
            FenFault::RankLength { rank: 7, found: 9 },
            FenFault::RankLength { rank: 5, found: 7 },
            FenFault::UnknownPiece { letter: 'x', rank: 2 },
            FenFault::KingCount { color: White, found: 2 },
            bad("side to move", "x"),
            bad("castling field", "KQ"),
            bad("counting limit", "z"),
            bad("count", "-3"),
            bad("move number", "1x"),
            FenFault::TrailingText { text: "more".to_owned() },
        ]
    );
    // A promotion mark belongs to a man.
    assert_eq!(
        faults("4k3/M3~3/8/8/8/8/8/4K3 w - - 0 1"),
        [FenFault::UnknownPiece { letter: '~', rank: 7 }]
    );
    assert_eq!(faults("4k3/8/8/8/8/8/8/4K3"), [FenFault::Missing { field: "side to move" }]);
    assert_eq!(
        faults("4kP2/8/8/8/8/8/8/p3K3 w - - 0 1"),
        [
            FenFault::ImpossibleSquare { color: White, piece: "pawn", square: "f8".to_owned() },
            FenFault::ImpossibleSquare { color: Black, piece: "pawn", square: "a1".to_owned() },
        ]
    );
    assert_eq!(
        faults("4k3/8/8/8/RRRRRRRR/RRRRRRRR/8/K7 w - - 0 1"),
        [FenFault::TooManyMen { color: White, found: 17, max: 16 }]
    );
    assert_eq!(
        faults("4k3/8/8/8/8/8/8/4K3 w - 99999 70000 1"),
        [bad("counting limit", "99999"), bad("count", "70000")]
    );
    let long = "x".repeat(100_000);
    let error = Board::<Makruk>::from_fen(&long, ChessRules::STANDARD).unwrap_err();
    assert!(error.to_string().len() < 10_000, "{}", error.to_string().len());
}

#[test]
fn promotions_in_move_text() {
    let makruk = read::<Makruk>("4k3/8/8/P7/8/8/8/4K3 w - - 0 1");
    assert_eq!(makruk.count_moves(), 6);
    let m = makruk.parse_move("a5a6m").unwrap();
    assert_eq!(m.promotion(), Some(PieceType::Met));
    assert_eq!(makruk.move_text(m), "a5a6m");
    assert_eq!(makruk.notation(m), "a6=M");
    for text in ["a5a6", "a5a6M"] {
        assert_eq!(makruk.parse_move(text), Ok(m), "{text}");
    }
    for text in ["a6=M", "a6M", "a6m", "a6", "a5-a6=M!", "a6(M)"] {
        assert_eq!(makruk.parse_notation(text), Ok(m), "{text}");
    }
    assert!(matches!(makruk.parse_move("a5a6r"), Err(MoveError::Illegal { .. })));
    assert!(matches!(makruk.parse_move("a5a6q"), Err(MoveError::Syntax { .. })));
    assert!(matches!(makruk.parse_move("e1e2m"), Err(MoveError::Illegal { .. })));

    let asean = read::<Asean>("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(asean.count_moves(), 9);
    for (text, piece) in [
        ("a7a8r", PieceType::Rook),
        ("a7a8N", PieceType::Knight),
        ("a7a8b", PieceType::Khon),
        ("a7a8q", PieceType::Met),
    ] {
        let m = asean.parse_move(text).unwrap();
        assert_eq!(m.promotion(), Some(piece));
        assert_eq!(asean.move_text(m), text.to_lowercase());
    }
    assert!(matches!(asean.parse_move("a7a8"), Err(MoveError::MissingPromotion { .. })));
    assert!(matches!(asean.parse_notation("a8"), Err(MoveError::MissingPromotion { .. })));

    let laws = preset::<Asean>(RuleSet::Laws2011);
    let met_only = Board::<Asean>::from_fen(&asean.fen(), laws).unwrap();
    assert_eq!(met_only.count_moves(), 6);
    assert_eq!(met_only.perft(1), 6);
    assert_eq!(met_only.parse_move("a7a8"), met_only.parse_move("a7a8q"));
    assert!(matches!(met_only.parse_move("a7a8r"), Err(MoveError::Illegal { .. })));
}

#[test]
fn pawns_beyond_the_promotion_rank_promote_on_their_next_step() {
    let board = read::<Makruk>("4k3/P7/1P6/8/8/8/8/4K3 w - - 0 1");
    for text in ["a7a8m", "b6b7m"] {
        assert!(board.parse_move(text).is_ok(), "{text}");
    }
}

#[test]
fn algebraic_notation_tells_rivals_apart() {
    let board = read::<Makruk>("4k3/8/8/1N3N2/8/1N6/8/4K3 w - - 0 1");
    let san = |text: &str| board.notation(board.parse_move(text).unwrap());
    assert_eq!(san("b5d4"), "Nb5d4");
    assert_eq!(san("b3d4"), "N3d4");
    assert_eq!(san("f5d4"), "Nfd4");
    assert_eq!(san("e1e2"), "Ke2");
    assert!(matches!(board.parse_notation("Nd4"), Err(MoveError::Ambiguous { .. })));
    assert!(matches!(board.parse_notation("Nbd4"), Err(MoveError::Ambiguous { .. })));
    assert!(matches!(board.parse_notation("Na8"), Err(MoveError::Illegal { .. })));
    for text in ["", "N", "Nz9", "Zd4", "d", "Nb5d4d4d4", "Nx\u{e9}4", "(M)", "=M"] {
        assert!(matches!(board.parse_notation(text), Err(MoveError::Syntax { .. })), "{text}");
    }
    let mate = read::<Makruk>("k7/8/K7/8/8/8/8/1R5R w - - 0 1");
    assert_eq!(mate.notation(mate.parse_move("h1h8").unwrap()), "Rh8#");
    let straight = Board::<MakrukStraight>::from_fen(
        "4k3/8/8/8/3n4/3P4/8/4K3 w - - 0 1",
        ChessRules::STANDARD,
    )
    .unwrap();
    assert_eq!(straight.notation(straight.parse_move("d3d4").unwrap()), "xd4");
    let diagonal = read::<Makruk>("4k3/8/8/4n3/3P4/8/8/4K3 w - - 0 1");
    assert_eq!(diagonal.notation(diagonal.parse_move("d4e5").unwrap()), "dxe5");
}

#[test]
fn a_counting_player_who_mates_under_the_federation_rule_has_drawn() {
    let federation = preset::<Makruk>(RuleSet::Federation);
    // Black, a rook up against a bare rook, mates on game ply 180.
    let fen = "K7/2r5/7r/4k3/8/8/R7/8 b - 128 60 90";
    let outcome = |start: i32| {
        let rules = ChessRules { board_count_start: start, ..federation };
        let board = Board::<Makruk>::from_fen(fen, rules).unwrap();
        let next = board.play_unchecked(board.parse_move("h6h8").unwrap());
        assert!(!next.has_legal_move());
        next.no_moves_outcome()
    };
    let win = Outcome::Win(Color::Black, WinReason::Checkmate);
    let draw = Outcome::Draw(DrawReason::Counting);
    assert_eq!(outcome(-1), win, "nobody counts");
    assert_eq!(outcome(0), win, "automatic count belongs to nobody");
    assert_eq!(outcome(120), draw, "Black counts");
    assert_eq!(outcome(121), win, "White counts");
    assert_eq!(outcome(180), draw, "the mating move is the first one counted");
    assert_eq!(outcome(182), win, "Black will count later");
    // Nobody counts: the board's honour never ends the game.
    let board = Board::<Makruk>::from_fen(fen, federation).unwrap();
    assert_eq!(board.countdown(), Countdown::NONE);
    assert_eq!(board.fen(), fen.replace("128 60", "128 0"));
}
