//! Makhos: perft vectors, FEN, move text, notation and the end of the game.

#![allow(clippy::unwrap_used)]

use movegen::makhos::Board;
use movegen::{
    ClockKind, Color, Countdown, DrawReason, FenFault, GameMove, GameRecord, LoneKings,
    MakhosRules, MoveError, Outcome, Position, QuietReset, Removal, RuleSet, WinReason, perft,
    perft_listing,
};
use serde_json::Value;

const PERFT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/perft.json"));

/// Lines that would visit more leaves than this stop at the depth before.
const MAX_LEAVES: u64 = if cfg!(debug_assertions) { 20_000_000 } else { 1_000_000_000 };

fn rules_of(line: &Value) -> MakhosRules {
    let options = &line["options"];
    MakhosRules {
        removal: Removal::parse(options["removal"].as_str().unwrap()).unwrap(),
        reverse: options["reverse"].as_bool().unwrap(),
        ..MakhosRules::STANDARD
    }
}

#[test]
fn perft_equals_every_vector() {
    let lines: Vec<Value> = serde_json::from_str(PERFT).unwrap();
    let mut checked = 0;
    for line in lines.iter().filter(|line| line["variant"] == "makhos") {
        let fen = line["fen"].as_str().unwrap();
        let board = Board::from_fen(fen, rules_of(line)).unwrap();
        for (depth, count) in (1..).zip(line["counts"].as_array().unwrap()) {
            let count = count.as_u64().unwrap();
            if count > MAX_LEAVES {
                break;
            }
            let text = format!("{fen} {} depth {depth}", line["options"]);
            assert_eq!(perft(&board, depth), count, "{text}");
            if count <= MAX_LEAVES / 20 {
                assert_eq!(perft_listing(&board, depth), count, "{text}, listing");
            }
            checked += 1;
        }
    }
    assert!(checked > 300, "{checked} counts only");
}

fn board(fen: &str) -> Board {
    Board::from_fen(fen, MakhosRules::STANDARD).unwrap()
}

fn preset(set: RuleSet) -> MakhosRules {
    MakhosRules::preset(set).unwrap()
}

fn texts(board: &Board) -> Vec<String> {
    let mut texts: Vec<_> = board.legal_moves().iter().map(|&m| board.move_text(m)).collect();
    texts.sort();
    texts
}

fn notations(board: &Board) -> Vec<String> {
    let mut texts: Vec<_> = board.legal_moves().iter().map(|&m| board.notation(m)).collect();
    texts.sort();
    texts
}

// ---- FEN

#[test]
fn fen_forms_mean_the_same_position() {
    let start = "W:W25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8:H0:F1";
    assert_eq!(Board::start(MakhosRules::STANDARD).fen(), start);
    for fen in [
        "W:W25-32:B1-8",
        " w : b1-8 : w25-32 . ",
        "W:B1,2,3,4,5,6,7,8:W32,31,30,29,28,27,26,25.",
        "W:Wa1,c1,e1,g1,b2,d2,f2,h2:Ba7,c7,e7,g7,b8,d8,f8,h8:H0:F0",
        "W:Wb1,d1,f1,h1,a2,c2,e2,g2:Bb7,d7,f7,h7,a8,c8,e8,g8",
        "1b1b1b1b/b1b1b1b1/8/8/8/8/1w1w1w1w/w1w1w1w1",
        "1b1b1b1b/b1b1b1b1/8/8/8/8/1w1w1w1w/w1w1w1w1 w 0 1",
        // The set-up string of the Thai Draughts page: the mirror image.
        "b1b1b1b1/1b1b1b1b/8/8/8/8/w1w1w1w1/1w1w1w1w",
    ] {
        assert_eq!(board(fen).fen(), start, "{fen}");
    }
    let kings = "B:W7,K11,K12,20:BK1,13,K14,K15:H17:F40";
    for fen in [
        kings,
        "B:W20,K11-12,7:BK14-15,K1,13:H17:F40",
        "b:we7,h4,kf6,kh6:bkb8,a5,kc5,Ke5:f40:h17.",
        "1B6/4w3/5W1W/b1B1B3/7w/8/8/8 b 17 40",
    ] {
        assert_eq!(board(fen).fen(), kings, "{fen}");
    }
}

#[test]
fn fens_keep_their_counters() {
    for fen in
        ["W:WK29:BK1:H49:F77", "B:WK29:BK1:H65535:F1000", "W:W:B:H0:F1", "B:W:BK5:H3:F2147483647"]
    {
        assert_eq!(board(fen).fen(), fen);
    }
    assert_eq!(board("B:WK29:BK1:H0:F3").game_ply(), 5);
    // In the rule set in which Black begins, Black's move is the first of each number.
    let rules = preset(RuleSet::MakHos);
    let black_first = Board::start(rules);
    assert_eq!(black_first.fen(), "B:W25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8:H0:F1");
    assert_eq!(black_first.game_ply(), 0);
    assert_eq!(Board::from_fen("W:WK29:BK1:H0:F3", rules).unwrap().game_ply(), 5);
    assert_eq!(Board::from_fen("8/8/8/8/8/8/8/W7", rules).unwrap().side_to_move(), Color::Black);
}

fn faults(fen: &str) -> Vec<FenFault> {
    Board::from_fen(fen, MakhosRules::STANDARD).unwrap_err().faults
}

#[test]
fn fen_faults_are_all_named() {
    assert_eq!(faults("  "), [FenFault::Empty]);
    let all: String = (1..14).map(|n| format!(",K{n}")).collect();
    let text = format!("X:W1,2,33,K0,x,K32,32,-3:B30{all}:Q:H-1:F+2:B");
    let found = faults(&text);
    let told = found.iter().map(ToString::to_string).collect::<Vec<_>>();
    for expected in [
        "bad side to move 'X'",
        "bad square '33'",
        "bad square 'K0'",
        "bad square 'x'",
        "square g1 is occupied twice",
        "bad square '-3'",
        "square b8 is occupied twice",
        "bad section 'Q'",
        "bad number of quiet plies '-1'",
        "bad move number '+2'",
        "bad second list of pieces 'B'",
        "a Black man cannot stand on c1",
        "Black has 14 men, more than 12",
    ] {
        assert!(told.iter().any(|fault| fault == expected), "{expected} is not in {told:?}");
    }
    let told = |fen: &str| faults(fen).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(told("W:W25"), ["no list of Black's pieces"]);
    assert_eq!(
        told("W:"),
        ["bad section ''", "no list of White's pieces", "no list of Black's pieces"]
    );
    assert_eq!(told("W:Wa1,b1:B"), ["pieces stand on squares of both colors"]);
    assert_eq!(told("W:W28-25:B"), ["bad square '28-25'"]);
    assert_eq!(told("8/8/8/8/8/8/8/wB6 w"), ["pieces stand on squares of both colors"]);
    assert_eq!(
        told("w7/9/8/8/8/8/8 x 1 2 3"),
        [
            "the board has 7 ranks, not 8",
            "'9' is no piece of this game (rank 7)",
            "rank 7 describes 1 squares, not 8",
            "bad side to move 'x'",
            "unexpected '3' at the end",
            "a White man cannot stand on a8",
        ]
    );
    // The benchmark position of a peer, with a Black man on its own last rank.
    assert_eq!(told("W:WK18:B30"), ["a Black man cannot stand on c1"]);
}

/// Rubbish, and FENs with rubbish in them: an error or a position, but no panic.
#[test]
fn no_text_panics() {
    let seeds = ["W:W25-32,Kc3:B1,K2:H12:F3.", "1b1b1b1b/b1b1b1b1/8/8/8/8/1w1w1w1w/w1w1w1w1 w 3 4"];
    let letters: Vec<char> = "WBKwbkHF:,-./ 0123456789acehx\u{e01}\u{1f600}\0".chars().collect();
    let start = Board::start(MakhosRules::STANDARD);
    let mut state = 1_u64;
    let mut random = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for round in 0..20_000 {
        let mut text: Vec<char> = seeds[round % 2].chars().collect();
        for _ in 0..=random(4) {
            let at = random(text.len());
            let letter = letters[random(letters.len())];
            match random(3) {
                0 => text[at] = letter,
                1 => text.insert(at, letter),
                _ => text.truncate(at.max(1)),
            }
        }
        let text: String = text.into_iter().collect();
        match Board::from_fen(&text, MakhosRules::STANDARD) {
            Ok(board) => {
                assert_eq!(Board::from_fen(&board.fen(), MakhosRules::STANDARD), Ok(board));
                assert_eq!(board.legal_moves().len() as u64, board.count_moves());
            }
            Err(error) => assert!(!error.faults.is_empty() && !error.to_string().is_empty()),
        }
        let _ = (start.parse_move(&text), start.parse_notation(&text));
    }
    assert!(faults(&"/".repeat(1 << 20)).len() <= 64);
    assert!(faults(&format!("W:W{}", "99,".repeat(1 << 18))).len() <= 64);
    assert!(start.parse_move(&"a1".repeat(1 << 18)).is_err());
}

// ---- moves and their text

/// Inputs that peers get wrong, beyond those whose perft numbers are in the data.
#[test]
fn bugs_of_peers_are_not_ours() {
    // A king may end on the square of a piece it captured; one peer deletes it then.
    assert_eq!(perft(&board("W:WK18:BK14,15,K16,22,26,K27"), 2), 72);
    // A move is not only (from, to); a king may land on its origin or on a captured square.
    for (fen, count) in [
        ("W:WK2:BK6,14,16,K24,K25", 20),
        ("W:WK10,K16:BK6,14,K19,27", 21),
        ("W:WK25:BK5,7,8,K9,15,17", 20),
        ("B:W10,11,18,19,26,27:B6,7,1", 24),
        // A man that is crowned in a chain stops.
        ("W:W11:B8,15", 2),
    ] {
        assert_eq!(perft(&board(fen), 2), count, "{fen}");
    }
    // A king lands right behind its victim.
    assert_eq!(texts(&board("W:WK25:B18")), ["b2e5"]);
    // One move is a whole chain, not a jump.
    let chain = board("W:W29:B25,18");
    assert_eq!(texts(&chain), ["a1c3e5"]);
    let after = chain.play_unchecked(chain.parse_move("a1e5").unwrap());
    assert_eq!(after.fen(), "B:W15:B:H0:F1");
    // No majority rule: one piece or two, as one likes.
    assert_eq!(texts(&board("W:WK1,22:B10,18,11")).len(), 3);
}

/// The example of the specification for the timing of removal.
#[test]
fn removal_and_reversal() {
    let with = |removal, reverse| {
        let rules = MakhosRules { removal, reverse, ..MakhosRules::STANDARD };
        texts(&Board::from_fen("W:WK15:BK11,K25", rules).unwrap())
    };
    // The king takes f6, turns back over it and its own origin and takes b2, or the other way.
    assert_eq!(with(Removal::Immediate, true), ["e5a1g7", "e5g7a1"]);
    assert_eq!(with(Removal::Immediate, false), ["e5a1", "e5g7"]);
    assert_eq!(with(Removal::After, true), ["e5a1", "e5g7"]);
    assert_eq!(with(Removal::After, false), ["e5a1", "e5g7"]);
}

/// If kings may not turn back, whether a chain is over depends on the way it went: one that goes
/// round four kings and comes home may stop or must take a fifth.
#[test]
fn a_chain_in_the_wrong_order_is_not_complete() {
    let rules = MakhosRules { reverse: false, ..MakhosRules::STANDARD };
    // The second position is the first turned round, so that the other order is found first.
    for (fen, complete, incomplete) in [
        ("W:WK9:BK6,K7,K14,K15,K23", "b6d8f6d4b6", "b6d4f6d8b6"),
        ("W:WK24:BK10,K18,K19,K26,K27", "g3e1c3e5g3", "g3e5c3e1g3"),
    ] {
        let board = Board::from_fen(fen, rules).unwrap();
        let m = board.parse_move(complete).unwrap();
        assert_eq!((m.from(), m.captured().count_ones()), (m.to(), 4));
        assert_eq!(board.move_text(m), complete);
        assert_eq!(board.parse_move(&complete[..2].repeat(2)), Ok(m), "the ends suffice");
        assert!(matches!(board.parse_move(incomplete), Err(MoveError::Illegal { .. })));
    }
}

/// Case S23, as printed there (on the squares that we do not use) and on ours.
#[test]
fn a_man_crowned_in_a_capture_stops() {
    for (fen, text, after) in
        [("W:Wc6:Bd7,f7", "f6d8", "B:WK2:B6:H0:F1"), ("W:W10:B7,8", "d6f8", "B:WK3:B8:H0:F1")]
    {
        let before = board(fen);
        assert_eq!(texts(&before), [text]);
        let m = before.parse_move(text).unwrap();
        assert!(before.is_tactical(m));
        assert_eq!(before.play_unchecked(m).fen(), after);
    }
}

/// Case S24.
#[test]
fn captures_with_the_same_ends_are_told_apart() {
    let board = board("W:Wd2:Bc3,e3,c5,e5");
    assert_eq!(texts(&board), ["d2b4d6", "d2f4d6"]);
    assert_eq!(notations(&board), ["26x17x10", "26x19x10"]);
    let [left, right] = ["d2b4d6", "d2f4d6"].map(|text| board.parse_move(text).unwrap());
    assert_ne!(left, right);
    assert_ne!(left.tag(), right.tag());
    for (text, m) in [
        ("d2xb4xd6", left),
        ("D2-F4-D6", right),
        ("26x17x10", left),
        ("26:19:10!", right),
        // The ends and the captured pieces, as the Hub protocol writes them.
        ("26x10x14x22", left),
        ("d2xd6xe3xe5", right),
    ] {
        assert_eq!(board.parse_notation(text), Ok(m), "{text}");
    }
    for text in ["d2d6", "d2xd6", "26x10", "26-10"] {
        let Err(MoveError::Ambiguous { candidates, .. }) = board.parse_move(text) else {
            panic!("{text} is not refused as ambiguous");
        };
        assert_eq!(candidates, "d2b4d6 d2f4d6");
        assert!(matches!(board.parse_notation(text), Err(MoveError::Ambiguous { .. })));
    }
    for text in ["d2c3", "d2b4", "26x17", "d2d6c3", "d2d6c3e5", "d2e3"] {
        assert!(matches!(board.parse_move(text), Err(MoveError::Illegal { .. })), "{text}");
    }
}

#[test]
fn what_is_no_move_is_refused_as_such() {
    let start = Board::start(MakhosRules::STANDARD);
    for text in
        ["", "0000", "a1", "b2c", "b2c3c", "b2--c3", "-b2c3", "b2c3-", "b2c9", "b2c4", "i2c3"]
            .into_iter()
            .chain([
                "2522",
                "25-33",
                "0-1",
                "b2 c",
                "\u{e01}2c3",
                "b2c3q",
                "1-99999999999999999999",
            ])
    {
        assert!(matches!(start.parse_move(text), Err(MoveError::Syntax { .. })), "{text:?}");
    }
    for text in ["b2b4", "25-18", "c3d4", "b8a7", "b2a1"] {
        assert!(matches!(start.parse_move(text), Err(MoveError::Illegal { .. })), "{text:?}");
    }
    for text in ["b2c3", " b2c3 ", "B2C3", "b2-c3", "b2 - c3", "25-22", "25 x 22", "25:22"] {
        assert_eq!(start.parse_move(text).map(|m| start.move_text(m)).as_deref(), Ok("b2c3"));
    }
}

/// The examples of the specification, section 1.
#[test]
fn both_numberings_are_written_and_read() {
    let mak_hos = preset(RuleSet::MakHos);
    for (fen, text, pdn, own) in
        [("B:W:B11", "f6e5", "11-15", "10-14"), ("W:We3:Bd4", "e3c5", "23x14", "22x15")]
    {
        let standard = board(fen);
        let m = standard.parse_move(text).unwrap();
        assert_eq!(standard.notation(m), pdn);
        assert_eq!(standard.parse_notation(pdn), Ok(m));
        let renumbered = Board::from_fen(fen, mak_hos).unwrap();
        assert_eq!(renumbered.notation(m), own);
        assert_eq!(renumbered.parse_notation(own), Ok(m));
    }
    // Every landing square, spaced as that page writes it.
    let chain = Board::from_fen("W:We3:Bd4,b6", mak_hos).unwrap();
    let m = chain.parse_move("e3c5a7").unwrap();
    assert_eq!(chain.notation(m), "22x8");
    for text in ["22 x 15 x 8", "22x8", "22-8", "22:15:8"] {
        assert_eq!(chain.parse_notation(text), Ok(m), "{text}");
    }
}

// ---- the end of the game

fn play(fen: &str, rules: MakhosRules, moves: &str) -> GameRecord<Board> {
    let mut game = GameRecord::new(Board::from_fen(fen, rules).unwrap());
    for text in moves.split_whitespace() {
        assert_eq!(game.outcome(), None, "before {text}");
        game.play_text(text).unwrap();
    }
    game
}

fn draw(reason: DrawReason) -> Option<Outcome> {
    Some(Outcome::Draw(reason))
}

/// Two kings that never meet, and a man that waits.
const QUIET: &str = "W:W28,K29:BK5";
/// A dance of theirs that comes back after four plies.
const DANCE: &str = "a1b2 a7b8 b2a1 b8a7";

#[test]
fn repetition_draws() {
    let twice = format!("{DANCE} {DANCE}");
    for &set in RuleSet::of(movegen::Variant::Makhos) {
        let once = play(QUIET, preset(set), DANCE);
        assert_eq!((once.occurrences(), once.outcome()), (2, None), "{set:?}");
        let game = play(QUIET, preset(set), &twice);
        assert_eq!(game.outcome(), draw(DrawReason::Repetition), "{set:?}");
    }
    for repetition in [0, 4] {
        let rules = MakhosRules { repetition, ..MakhosRules::STANDARD };
        assert_eq!(play(QUIET, rules, &twice).outcome(), None);
    }
    // The same board with the other side to move is another position.
    let tempo = play("W:W24,K29:BK5,1", MakhosRules::STANDARD, "a1b2 a7b6 b2a1 b6a7 g3h4");
    assert_eq!((tempo.occurrences(), tempo.reversible_keys().len()), (1, 1));
}

#[test]
fn quiet_plies_draw() {
    let fen = format!("{QUIET}:H48:F60");
    let game = play(&fen, MakhosRules::STANDARD, "a1b2");
    assert_eq!(game.position().countdown(), Countdown { regime: 1, remaining: 1 });
    assert_eq!(game.outcome(), None);
    let clock = game.position().clocks()[0];
    assert_eq!((clock.kind, clock.counting), (ClockKind::QuietMoves, None));
    assert_eq!((clock.counted, clock.limit, clock.remaining), (49, 50, 1));
    let game = play(&fen, MakhosRules::STANDARD, "a1b2 a7b8");
    assert_eq!(game.position().countdown(), Countdown { regime: 1, remaining: 0 });
    assert_eq!(game.outcome(), draw(DrawReason::NMoveRule));

    // A man move restarts the count, unless only captures do.
    let game = play(&fen, MakhosRules::STANDARD, "h2g3 a7b8");
    assert_eq!((game.position().quiet_plies(), game.outcome()), (1, None));
    let rules = MakhosRules { quiet_reset: QuietReset::Capture, ..MakhosRules::STANDARD };
    assert_eq!(play(&fen, rules, "h2g3 a7b8").outcome(), draw(DrawReason::NMoveRule));
    let capture = "W:WK29,28:BK18,K1:H49:F60";
    assert_eq!(play(capture, rules, "a1e5").position().quiet_plies(), 0);

    // Another limit, none, and a null move, which counts too.
    let rules = MakhosRules { quiet_plies: 49, ..MakhosRules::STANDARD };
    assert_eq!(play(&fen, rules, "a1b2").outcome(), draw(DrawReason::NMoveRule));
    let off = play(&fen, preset(RuleSet::ThaiDraughts), "a1b2 a7b8 b2a1 b8a7");
    assert_eq!((off.outcome(), off.position().countdown()), (None, Countdown::NONE));
    assert_eq!(off.position().clocks(), []);
    let passed = board(&fen).play_null();
    assert_eq!((passed.quiet_plies(), passed.side_to_move()), (49, Color::Black));
    assert_eq!(passed.key(), passed.key_from_scratch());
    let mak_hos = play(&fen, preset(RuleSet::MakHos), "a1b2 a7b8");
    assert_eq!(mak_hos.outcome(), draw(DrawReason::NMoveRule));
}

/// Whoever cannot move has lost, whatever else would make a draw.
#[test]
fn no_move_is_tested_before_every_draw() {
    for (fen, winner) in [
        ("W:W29:B25,22:H50:F1", Color::Black),
        ("W:W13,K29:B9,25,22,K6:H80:F1", Color::Black),
        ("W:W:B1,2:H50:F1", Color::Black),
        ("B:WK1:B:H50:F1", Color::White),
    ] {
        let game = GameRecord::new(board(fen));
        assert!(!game.position().has_legal_move());
        let outcome = game.outcome().unwrap();
        assert_eq!(outcome, Outcome::Win(winner, WinReason::NoMoves), "{fen}");
        assert_eq!(outcome, game.position().no_moves_outcome());
        assert_eq!(outcome.describe(), "no moves");
    }
    // The ply that reaches the limit takes Black's last move away.
    let game = play("W:W22,K3:B13:H49:F60", MakhosRules::STANDARD, "f8b4");
    assert_eq!(game.position().quiet_plies(), 50);
    assert_eq!(game.outcome(), Some(Outcome::Win(Color::White, WinReason::NoMoves)));
}

#[test]
fn lone_kings_draw_unless_a_win_is_forced() {
    let with = |fen: &str, lone_kings| {
        let rules = MakhosRules { lone_kings, ..MakhosRules::STANDARD };
        GameRecord::new(Board::from_fen(fen, rules).unwrap()).outcome()
    };
    let lone = draw(DrawReason::LoneKings);
    for (fen, in_table) in [
        ("W:WK29:BK5", lone),
        ("B:WK29:BK5", lone),
        // The mover captures at once.
        ("W:WK29:BK18", None),
        // The mover has only the long diagonal and loses.
        ("W:WK29:BK4", None),
        ("B:WK29:BK4", None),
        ("W:WK4:BK29", None),
        ("B:WK4:BK29", None),
    ] {
        assert_eq!(with(fen, LoneKings::Table), in_table, "{fen}");
        assert_eq!(with(fen, LoneKings::Draw), lone, "{fen}");
        assert_eq!(with(fen, LoneKings::Play), None, "{fen}");
    }
    for fen in ["W:WK29,28:BK5", "W:WK29:BK5,K6", "W:WK29:B6", "W:W24:BK5"] {
        assert_eq!(with(fen, LoneKings::Draw), None, "{fen}");
    }
    for (set, outcome) in
        [(RuleSet::Standard, lone), (RuleSet::MakHos, lone), (RuleSet::ThaiDraughts, None)]
    {
        let record = GameRecord::new(Board::from_fen("W:WK29:BK5", preset(set)).unwrap());
        assert_eq!(record.outcome(), outcome, "{set:?}");
    }
}
