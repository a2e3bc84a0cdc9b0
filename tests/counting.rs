//! Counting against every recorded vector: Fairy-Stockfish's results (`standard`), the seed pages'
//! own rules, and games that cutechess adjudicated.

#![allow(clippy::unwrap_used, clippy::panic)]

use movegen::chess::{Board, Rules};
use movegen::{
    ChessRules, ClockKind, Color, DrawReason, GameRecord, Outcome, PawnCapture, Position, RuleSet,
    Variant, WinReason,
};
use serde_json::Value;

macro_rules! data {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/", $name, ".json"))
    };
}

fn lines(text: &str) -> Vec<Value> {
    serde_json::from_str(text).unwrap()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// Plays a line of the data. Every position on the way must survive a FEN round trip.
fn play<R: Rules>(fen: &str, moves: &[&str], rules: ChessRules) -> GameRecord<Board<R>> {
    let mut game = GameRecord::new(Board::<R>::from_fen(fen, rules).unwrap());
    for text in moves {
        game.play_text(text).unwrap_or_else(|error| panic!("{fen} {moves:?}: {error}"));
        let fen = game.position().fen();
        let again = Board::<R>::from_fen(&fen, rules).unwrap();
        assert_eq!(again.fen(), fen);
        assert_eq!(again.count(), game.position().count(), "{fen}");
    }
    game
}

fn variant_of(line: &Value) -> Variant {
    Variant::parse(line["variant"].as_str().unwrap()).unwrap()
}

mod standard {
    use super::*;

    fn check<R: Rules>(line: &Value) {
        let start = line["count_started"].as_i64().unwrap_or(0);
        let rules = ChessRules {
            board_count_start: i32::try_from(start).unwrap(),
            ..ChessRules::preset(R::VARIANT, RuleSet::Standard).unwrap()
        };
        let name = format!("{} {}", line["variant"], line["name"]);
        let game = play::<R>(line["fen"].as_str().unwrap(), &texts(&line["moves"]), rules);
        let position = game.position();
        assert_eq!(position.fen(), line["fen_after"].as_str().unwrap(), "{name}");

        let insufficient = Color::ALL.map(|color| position.has_insufficient_material(color));
        for color in Color::ALL {
            let expected = line["insufficient_material_wb"][color.index()].as_bool().unwrap();
            assert_eq!(insufficient[color.index()], expected, "{name}, {color}");
        }

        let terminal = line["terminal"].as_str().unwrap();
        let expected = match (terminal, line["optional_reason"].as_str()) {
            ("mate", _) => {
                Some(Outcome::Win(position.side_to_move().opposite(), WinReason::Checkmate))
            }
            ("stalemate", _) => Some(Outcome::Draw(DrawReason::Stalemate)),
            (_, Some("counting")) => Some(Outcome::Draw(DrawReason::Counting)),
            (_, Some(_)) => {
                let repeated = game.occurrences() >= 3;
                let why = if repeated { DrawReason::Repetition } else { DrawReason::NMoveRule };
                Some(Outcome::Draw(why))
            }
            // The engine leaves the verdict on dead positions to others; the rule set makes it.
            (_, None) if insufficient == [true, true] => {
                Some(Outcome::Draw(DrawReason::DeadPosition))
            }
            _ => None,
        };
        assert_eq!(game.outcome(), expected, "{name}");
        let counted = expected == Some(Outcome::Draw(DrawReason::Counting));
        assert_eq!(counted, line["draw_by_counting"].as_bool().unwrap(), "{name}");

        // From the resulting FEN alone, all but the history is the same.
        let alone = GameRecord::new(Board::<R>::from_fen(&position.fen(), rules).unwrap());
        let draws = line["is_optional_game_end_from_fen_after"][0].as_bool().unwrap();
        if terminal == "ongoing" {
            let dead = Outcome::Draw(DrawReason::DeadPosition);
            let ends = alone.outcome().is_some_and(|outcome| outcome != dead);
            assert_eq!(ends, draws, "{name}, from its FEN");
        }
    }

    /// A board count by hand hides the plies that run from the FEN on, and a king that is bared
    /// without a limit of its own takes those over. What pyffish 0.0.90 says of each.
    #[test]
    fn plies_run_on_behind_a_count_by_hand() {
        fn check<R: Rules>(start: i32, fen: &str, moves: &[&str], after: [&str; 2]) {
            let rules = ChessRules { board_count_start: start, ..ChessRules::STANDARD };
            let before = play::<R>(fen, &moves[..moves.len() - 1], rules);
            assert_eq!(before.position().fen(), after[0]);
            let game = play::<R>(fen, moves, rules);
            assert_eq!(game.position().fen(), after[1]);
            let count = game.position().count();
            let drawn = game.outcome() == Some(Outcome::Draw(DrawReason::Counting));
            assert_eq!(drawn, count.ply > count.limit, "{fen}");
        }
        let moves = ["h2h3", "d6d5"];
        check::<movegen::chess::Asean>(
            210,
            "8/8/3K4/3n4/5Q2/8/7k/8 b - 128 126 99",
            &moves,
            ["8/8/3K4/3n4/5Q2/7k/8/8 w - 128 0 100", "8/8/8/3K4/5Q2/7k/8/8 b - 128 128 100"],
        );
        check::<movegen::chess::Asean>(
            -1,
            "8/8/3K4/3n4/5Q2/8/7k/8 b - 32 31 99",
            &moves,
            ["8/8/3K4/3n4/5Q2/7k/8/8 w - 32 0 100", "8/8/8/3K4/5Q2/7k/8/8 b - 32 33 100"],
        );
        check::<movegen::chess::Makruk>(
            90,
            "8/8/3K4/8/8/5k2/5P2/8 b - 128 60 50",
            &["f3f2"],
            ["8/8/3K4/8/8/5k2/5P2/8 b - 128 10 50", "8/8/3K4/8/8/8/5k2/8 w - 128 61 51"],
        );
    }

    /// A FEN may show a count beside pawns; the last of them to promote against a bare king begins
    /// it anew. What pyffish 0.0.90 says.
    #[test]
    fn a_promotion_replaces_a_count_that_runs_beside_pawns() {
        fn check<R: Rules>(fen: &str, promotion: &str, after: &str) {
            let game = play::<R>(fen, &[promotion], ChessRules::STANDARD);
            assert_eq!(game.position().fen(), after);
        }
        check::<movegen::chess::Makruk>(
            "4k3/8/8/P2R4/8/8/8/3K4 w - 128 50 30",
            "a5a6m",
            "4k3/8/M7/3R4/8/8/8/3K4 b - 32 8 30",
        );
        check::<movegen::chess::Makruk>(
            "4k3/8/8/P2N4/8/8/8/3K4 w - 128 50 30",
            "a5a6m",
            "4k3/8/M7/3N4/8/8/8/3K4 b - 128 8 30",
        );
        check::<movegen::chess::Asean>(
            "4k3/P7/8/3R4/8/8/8/3K4 w - 128 50 30",
            "a7a8q",
            "Q3k3/8/8/3R4/8/8/8/3K4 b - 32 0 30",
        );
    }

    #[test]
    fn every_line() {
        let lines = lines(data!("counting-standard"));
        assert_eq!(lines.len(), 135);
        for line in &lines {
            match variant_of(line) {
                Variant::Makruk => check::<movegen::chess::Makruk>(line),
                Variant::Asean => check::<movegen::chess::Asean>(line),
                Variant::Makhos => unreachable!(),
            }
        }
    }
}

mod sites {
    use super::*;

    fn check<R: Rules>(line: &Value, rules: ChessRules) {
        let name = line["name"].as_str().unwrap();
        let expect = &line["expect"];
        let game = play::<R>(line["fen"].as_str().unwrap(), &texts(&line["moves"]), rules);
        let position = game.position();
        let board = expect["board"].as_str().unwrap();
        assert!(position.fen().starts_with(&format!("{board} ")), "{name}: {}", position.fen());
        assert_eq!(u64::from(position.game_ply() / 2 + 1), expect["fullmove"].as_u64().unwrap());

        let result = expect["result"].as_str().unwrap();
        let reason = expect["reason"].as_str().unwrap();
        let outcome = game.outcome();
        assert_eq!(outcome.map_or("*", Outcome::score_text), result, "{name}");
        let words = match reason {
            "" => "",
            "mate" => "checkmate",
            "stalemate" => "stalemate",
            "bare_v_bare" | "dead_position" => "draw: dead position",
            "counting" => "draw: counting",
            "threefold" => "draw: repetition",
            "max_moves" => "draw: game length",
            other => panic!("{other}"),
        };
        assert_eq!(outcome.map_or("", Outcome::describe), words, "{name}");

        let clock = position.clocks().into_iter().find(|clock| {
            let kinds = [ClockKind::BoardHonour, ClockKind::PiecesHonour, ClockKind::AseanCount];
            kinds.contains(&clock.kind)
        });
        let count = &expect["count"];
        assert_eq!(clock.is_some(), !count.is_null(), "{name}: {clock:?}");
        if let Some(clock) = clock {
            let kind = if clock.kind == ClockKind::BoardHonour { "board" } else { "piece" };
            let defender = clock.counting.unwrap().letter().to_string();
            assert_eq!(kind, count["kind"], "{name}");
            assert_eq!(defender, count["defender"].as_str().unwrap(), "{name}");
            let moves = u64::from(clock.counted.div_ceil(2));
            assert_eq!(moves, count["count"].as_u64().unwrap(), "{name}");
            assert_eq!(u64::from(clock.limit / 2), count["allowance"].as_u64().unwrap(), "{name}");
        }

        let repeated = game.occurrences() >= 3;
        for claim in texts(&expect["claimable"]) {
            let holds = match claim {
                "fifty" => position.halfmove_clock() >= 100,
                "threefold" => repeated,
                other => panic!("{other}"),
            };
            assert!(holds, "{name}: {claim}");
        }
        if let Some(expected) = expect.get("legal_moves") {
            let mut moves: Vec<String> =
                position.legal_moves().iter().map(|&m| position.move_text(m)).collect();
            moves.sort();
            assert_eq!(moves, texts(expected), "{name}");
        }
    }

    /// Three lines show readings of the page that the rule set does not follow. They must come out
    /// as the rule set has it: the allowance fixed at the start, the draw on the last counted move.
    fn as_the_rule_set_reads_it(line: &mut Value) {
        let makruk = line["variant"] == "makruk";
        if line["options"]["board_limit"] == "dynamic" {
            line["expect"]["count"]["allowance"] = 58.into();
        }
        if makruk && line["options"]["end"] == "reply" {
            line["expect"]["result"] = "1/2-1/2".into();
            line["expect"]["reason"] = "counting".into();
        }
    }

    #[test]
    fn every_line() {
        let mut lines = lines(data!("counting-sites"));
        assert_eq!(lines.len(), 64);
        for line in &mut lines {
            as_the_rule_set_reads_it(line);
            let variant = variant_of(line);
            let set = RuleSet::parse(line["rules"].as_str().unwrap()).unwrap();
            let straight = line["options"]["pawn_capture"] == "straight";
            let preset = ChessRules::preset(variant, set).unwrap();
            let capture = if straight { PawnCapture::Straight } else { PawnCapture::Diagonal };
            let rules = ChessRules { pawn_capture: capture, ..preset };
            let max_moves = line["options"]["max_moves"].as_u64().unwrap();
            if variant == Variant::Makruk {
                assert_eq!(u64::from(rules.max_game_moves), max_moves);
            }
            match (variant, straight) {
                (Variant::Makruk, false) => check::<movegen::chess::Makruk>(line, rules),
                (Variant::Makruk, true) => check::<movegen::chess::MakrukStraight>(line, rules),
                _ => check::<movegen::chess::Asean>(line, rules),
            }
        }
    }
}

mod cutechess {
    use super::*;

    /// How the recorded game ended, `None` if by something outside the rules of the game.
    fn expected<R: Rules>(line: &Value, position: &Board<R>) -> Option<Outcome> {
        let draw = |why| Some(Outcome::Draw(why));
        match line["reason"].as_str().unwrap() {
            "Draw by counting rules." | "Draw by sixty-four move rule." => {
                draw(DrawReason::Counting)
            }
            "Draw by fifty move rule" => draw(DrawReason::NMoveRule),
            "Draw by insufficient mating material" => draw(DrawReason::DeadPosition),
            "White mates" => Some(Outcome::Win(Color::White, WinReason::Checkmate)),
            text => {
                let outside = text.contains("maximal game length") || text.contains("illegal move");
                assert!(outside, "{text}: {}", position.fen());
                None
            }
        }
    }

    fn check<R: Rules>(line: &Value) {
        let name = line["name"].as_str().unwrap();
        let fen = line["fen"].as_str().unwrap();
        let rules = ChessRules::preset(R::VARIANT, RuleSet::Cutechess).unwrap();
        let moves = texts(&line["moves_played"]);
        // cutechess looks for an end after each move, not in the position it starts from.
        for played in 1..moves.len() {
            let game = play::<R>(fen, &moves[..played], rules);
            assert_eq!(game.outcome(), None, "{name} after {played} plies");
        }
        let game = play::<R>(fen, &moves, rules);
        assert_eq!(game.outcome(), expected(line, game.position()), "{name}");
    }

    /// cutechess gives the limits of a khon and of a knight only beside a met; without one it sets
    /// a thousand moves (AseanBoard, read in its source).
    #[test]
    fn asean_limits_want_a_met_beside_khon_or_knight() {
        let rules = ChessRules::preset(Variant::Asean, RuleSet::Cutechess).unwrap();
        for (fen, capture, limit) in [
            ("8/8/4k3/8/3n4/2B5/8/2K5 w - - 0 50", "c3d4", 2000),
            ("8/8/4k3/8/3n4/2B5/8/2K4Q w - - 0 50", "c3d4", 88),
            ("8/8/4k3/8/3n4/1N6/8/2K5 w - - 0 50", "b3d4", 2000),
            ("8/8/4k3/8/3n4/1N6/8/2K4Q w - - 0 50", "b3d4", 128),
            ("8/8/4k3/8/3n4/8/8/2KR4 w - - 0 50", "d1d4", 32),
            // The bare king itself takes: its own men make the limit.
            ("8/8/4k3/5R2/8/8/8/2K5 b - - 0 50", "e6f5", 2000),
        ] {
            let count = play::<movegen::chess::Asean>(fen, &[capture], rules).position().count();
            assert_eq!((count.limit, count.ply), (limit, 0), "{fen}");
        }
    }

    #[test]
    fn every_line() {
        let lines = lines(data!("counting-cutechess"));
        assert_eq!(lines.len(), 32);
        for line in &lines {
            match variant_of(line) {
                Variant::Makruk => check::<movegen::chess::Makruk>(line),
                _ => check::<movegen::chess::Asean>(line),
            }
        }
    }
}
