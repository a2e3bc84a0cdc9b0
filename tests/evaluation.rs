//! What any evaluation must satisfy, on positions of random games.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::sync::Arc;

use common::{GameUnderTest, asean_games, makhos_games, makruk_games, play_one, straight_games};
use movegen::chess::{AseanBoard, Board, MakrukBoard, MakrukStraightBoard, Rules};
use movegen::{ChessRules, Color, MakhosRules, Position, RuleSet, Variant, makhos};
use search::Score;
use search::eval::nnue::Features;
use search::eval::{ChessEval, Evaluator, Guide, Guided, MakhosEval};
use search::internals::random_network;

const GAMES: u64 = if cfg!(debug_assertions) { 6 } else { 30 };

/// Calls `check` for every position of random games.
fn on_positions<P: Position>(games: &[GameUnderTest<P>], mut check: impl FnMut(&P, &str)) {
    for game in games {
        for (number, start) in (0..).zip(&game.starts) {
            for seed in 0..GAMES {
                play_one(game, start, 7000 + 100 * number + seed, |record, _, place| {
                    check(record.position(), place);
                });
            }
        }
    }
}

/// What holds for every game: bounds, symmetry, and the count applied to the raw value only.
fn check<P: Position, E: Evaluator<P>>(games: &[GameUnderTest<P>], new: impl Fn() -> E) {
    let mut eval = new();
    on_positions(games, |position, place| {
        let raw = eval.evaluate_raw(position);
        let value = eval.evaluate(position);
        assert!(raw.abs() <= Score::EVAL_LIMIT.0, "{raw}: {place}");
        assert_eq!(value, eval.apply_count(position, raw), "{place}");
        assert!(value.abs() <= raw.abs() && value * raw >= 0, "{raw}, {value}: {place}");
        let flipped = position.flipped();
        assert_eq!(eval.evaluate_raw(&flipped), raw, "{place}");
        // The move number takes part in a limit on the length of the game, and changes by a ply.
        if position.countdown().remaining == flipped.countdown().remaining {
            assert_eq!(eval.evaluate(&flipped), value, "{place}");
        }
        if position.countdown().remaining == 0 {
            assert_eq!(value, 0, "{place}");
        }
        // An evaluator that has seen other positions judges like a new one.
        assert_eq!(new().evaluate_raw(position), raw, "{place}");
    });
}

#[test]
fn values_are_bounded_symmetric_and_repeatable() {
    check(&makruk_games(), ChessEval::default);
    check(&straight_games(), ChessEval::default);
    check(&asean_games(), ChessEval::default);
    check(&makhos_games(), MakhosEval::default);
}

/// Makers of the evaluation of a game with a network of random weights.
fn guided<P: Features, H: Guide<P>>() -> impl Fn() -> Guided<P, H> {
    let network = Arc::new(random_network(P::VARIANT, 32, 21).unwrap());
    move || {
        let mut eval = Guided::default();
        eval.set_network(Some(Arc::clone(&network))).unwrap();
        eval
    }
}

#[test]
fn values_of_networks_are_bounded_symmetric_and_repeatable() {
    check(&makruk_games(), guided::<_, ChessEval>());
    check(&straight_games(), guided::<_, ChessEval>());
    check(&asean_games(), guided::<_, ChessEval>());
    check(&makhos_games(), guided::<_, MakhosEval>());
}

/// What the network says, and what the hand-written evaluation, with which of the two counts.
fn check_guided<P: Features, H: Guide<P>>(games: &[GameUnderTest<P>], known_at_least: usize) {
    let network = random_network(P::VARIANT, 32, 21).unwrap();
    let (mut eval, mut hand, mut without) = (guided::<P, H>()(), H::default(), Guided::default());
    without.set_network(Some(Arc::new(network.clone()))).unwrap();
    without.set_network(None).unwrap();
    let (mut known, mut tempered) = (0, 0);
    on_positions(games, |position, place| {
        let by_hand = hand.evaluate_raw(position);
        let value = eval.evaluate_raw(position);
        if hand.known(position).is_some() {
            assert_eq!(value, by_hand, "{place}");
            known += 1;
        } else {
            let limit = Score::EVAL_LIMIT.0;
            let planes = position.planes();
            let plain = network.value_from_scratch::<P>(&planes, position.side_to_move());
            let plain = plain.clamp(-limit, limit);
            assert_eq!(value, hand.tempered(position, plain), "{place}");
            assert!(value.abs() <= plain.abs() && value * plain.signum() >= 0, "{place}");
            tempered += usize::from(value != plain);
        }
        let without: &mut Guided<P, H> = &mut without;
        assert_eq!(without.evaluate_raw(position), by_hand, "{place}");
        assert_eq!(without.evaluate(position), hand.evaluate(position), "{place}");
        assert_eq!(eval.apply_count(position, value), hand.apply_count(position, value));
    });
    assert!(known >= known_at_least, "only {known} positions known by hand");
    assert!(tempered > 20, "only {tempered} values tempered");
}

#[test]
fn networks_stay_within_hand_written_knowledge() {
    check_guided::<_, ChessEval>(&makruk_games(), 200);
    check_guided::<_, ChessEval>(&straight_games(), 200);
    check_guided::<_, ChessEval>(&asean_games(), 200);
    check_guided::<_, MakhosEval>(&makhos_games(), 0);
}

#[test]
fn networks_of_other_games_are_refused() {
    let network = |variant| random_network(variant, 32, 1).map(Arc::new);
    let mut makruk: Guided<MakrukBoard, ChessEval> = guided()();
    let mut straight: Guided<MakrukStraightBoard, ChessEval> = guided()();
    let mut makhos: Guided<makhos::Board, MakhosEval> = guided()();
    let board = MakrukBoard::start(ChessRules::STANDARD);
    let before = makruk.evaluate_raw(&board);
    assert!(makruk.set_network(network(Variant::Asean)).is_err());
    assert!(makruk.set_network(network(Variant::Makhos)).is_err());
    assert_eq!(makruk.evaluate_raw(&board), before);
    assert!(straight.set_network(network(Variant::Makruk)).is_ok());
    assert!(makhos.set_network(network(Variant::Makruk)).is_err());
}

fn check_bare<R: Rules>(games: &[GameUnderTest<Board<R>>]) {
    let mut seen = 0;
    on_positions(games, |board, place| {
        let value = ChessEval.evaluate_raw(board);
        let (mover, other) = (board.side_to_move(), !board.side_to_move());
        if board.is_bare(mover) {
            assert!(value <= 0, "{value}: {place}");
            seen += 1;
        }
        if board.is_bare(other) {
            assert!(value >= 0, "{value}: {place}");
            seen += 1;
        }
    });
    assert!(seen > 500, "only {seen} bare kings");
}

#[test]
fn a_bare_king_never_stands_better() {
    check_bare(&makruk_games());
    check_bare(&straight_games());
    check_bare(&asean_games());
}

/// The value, from White's side, must move away from 0 (or stay) as the count has more plies left.
fn falls_with_the_count<P: Position, E: Evaluator<P>>(
    fens: impl Iterator<Item = String>,
    rules: P::Rules,
) {
    let mut eval = E::default();
    let mut last: Option<(i32, u16)> = None;
    for fen in fens {
        let position = P::from_fen(&fen, rules).unwrap();
        let remaining = position.countdown().remaining;
        let value = eval.evaluate(&position).abs();
        if let Some((before, plies)) = last {
            assert!(remaining <= plies, "{fen}");
            assert!(value <= before, "{value} after {before}: {fen}");
        }
        last = Some((value, remaining));
    }
    assert_eq!(last, Some((0, 0)), "the last position is no draw");
}

#[test]
fn an_advantage_never_grows_as_the_count_runs_out() {
    for (board, limit) in [
        ("8/8/4k3/8/3RK3/8/8/8 w", 32),
        ("k7/8/8/8/3RK3/8/8/8 b", 32),
        ("8/8/8/3k4/8/2S1K3/4M3/8 w", 88),
        ("8/2m1k3/8/8/4S3/3KM3/7R/8 b", 128),
        ("8/2r1k3/8/8/4S3/3KM3/7r/8 b", 128),
    ] {
        let fens = (0..=limit + 1).map(|ply| format!("{board} - {limit} {ply} 90"));
        falls_with_the_count::<MakrukBoard, ChessEval>(fens, ChessRules::STANDARD);
    }
    for board in
        ["8/8/4k3/8/3RK3/8/8/8 w", "8/2b1k3/8/8/8/3KQ3/7R/8 b", "8/2b1k1p1/8/8/8/3KQ3/7R/8 b"]
    {
        let fens = (0..=100).map(|ply| format!("{board} - - {ply} 90"));
        falls_with_the_count::<AseanBoard, ChessEval>(fens, ChessRules::STANDARD);
    }
    for board in ["W:WK1,K2:BK31", "B:WK1,K2,30:BK31,3"] {
        let fens = (0..=50).map(|ply| format!("{board}:H{ply}:F60"));
        falls_with_the_count::<makhos::Board, MakhosEval>(fens, MakhosRules::STANDARD);
    }
}

fn makruk(fen: &str) -> i32 {
    ChessEval.evaluate(&MakrukBoard::from_fen(fen, ChessRules::STANDARD).unwrap())
}

#[test]
fn men_that_cannot_mate_are_worth_nothing() {
    for men in ["3NK3", "3MK3", "2M1K1M1", "3SK3", "2N1K1N1", "2N1KM2"] {
        for side in ["w", "b"] {
            let value = makruk(&format!("7k/8/8/8/8/8/{men}/8 {side} - - 0 60"));
            assert!(value.abs() < 60, "{value} for {men}");
        }
    }
    // A rook can, and so can a khon with a met.
    assert!(makruk("7k/8/8/8/8/8/3RK3/8 w - - 0 60") > 500);
    assert!(makruk("7k/8/8/8/8/8/3SKM2/8 w - - 0 60") > 300);
}

#[test]
fn driving_the_bare_king_to_the_edge_is_progress() {
    let path = [
        "8/8/8/4k3/8/2K5/8/R7 b - 32 6 60",
        "8/8/5k2/8/3K4/8/8/R7 b - 32 6 60",
        "6k1/8/8/4K3/8/8/8/R7 b - 32 6 60",
        "7k/8/5K2/8/8/8/8/R7 b - 32 6 60",
    ];
    let values: Vec<i32> = path.iter().map(|fen| -makruk(fen)).collect();
    assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{values:?}");
}

#[test]
fn a_count_that_cannot_be_met_leaves_little() {
    // Two khons and a king in the middle: mate takes some 30 moves.
    let won = makruk("8/8/8/4k3/8/2K5/3SS3/8 w - 44 0 60");
    let late = makruk("8/8/8/4k3/8/2K5/3SS3/8 w - 44 24 60");
    assert!(late * 4 < won, "{late} of {won}");
    // The same men are worth more while a pawn keeps the count from starting.
    let uncounted = makruk("8/8/8/4k3/8/2K1P3/3SS3/8 w - - 0 60");
    assert!(uncounted > won, "{uncounted} and {won}");
}

/// Under the federation's rule the side that counts cannot win by mate.
#[test]
fn who_counts_matters_under_the_federations_rule() {
    let federation = ChessRules::preset(Variant::Makruk, RuleSet::Federation).unwrap();
    let value = |first_counted: i32| {
        let rules = ChessRules { board_count_start: first_counted, ..federation };
        let fen = "8/2m1k3/8/8/4S3/3KM3/7R/8 w - 128 0 60";
        ChessEval.evaluate(&MakrukBoard::from_fen(fen, rules).unwrap())
    };
    let nobody = value(-1);
    let (white, black) = (value(119), value(120));
    assert!(nobody > 300 && black > 200, "{nobody}, {black}");
    assert!((0..black / 4).contains(&white), "{white}, {black}");
}

#[test]
fn start_positions_are_level() {
    let level = |value: i32| assert!((0..40).contains(&value), "{value}");
    level(ChessEval.evaluate(&MakrukBoard::start(ChessRules::STANDARD)));
    level(ChessEval.evaluate(&AseanBoard::start(ChessRules::STANDARD)));
    level(MakhosEval.evaluate(&makhos::Board::start(MakhosRules::STANDARD)));
}

/// An extra man must outweigh any usual difference of position.
#[test]
fn a_man_more_is_better() {
    let value = |fen: &str| makruk(fen);
    let start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
    for (man, least) in [("R", 350), ("N", 200), ("S", 150), ("M", 90), ("P", 20)] {
        let place = start.find(&man.to_ascii_lowercase()).unwrap();
        let fen = format!("{}1{}", &start[..place], &start[place + 1..]);
        let better = value(&fen) - value(start);
        assert!(better > least, "{better} for {man}");
    }
    let board = |fen: &str| makhos::Board::from_fen(fen, MakhosRules::STANDARD).unwrap();
    let color = board("W:W25,26,30:B1,2").side_to_move();
    assert_eq!(color, Color::White);
    assert!(MakhosEval.evaluate(&board("W:W25,26,30:B1,2")) > 60);
    assert!(MakhosEval.evaluate(&board("W:WK25,26:B1,2")) > 100);
}
