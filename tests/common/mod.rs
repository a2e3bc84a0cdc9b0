//! What several test files share: every game under every rule set, and repeatable chance.

#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

pub(crate) mod text;

use movegen::chess::{Asean, Board, Makruk, MakrukStraight};
use movegen::{
    ChessRules, GameRecord, MakhosRules, PawnCapture, Position, QuietReset, Removal, RuleSet,
    Variant, makhos,
};

/// A small repeatable generator (splitmix64 by Vigna, public domain).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below `n`, which must not be 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap()
    }
}

/// The greatest length of a random game.
const PLIES: usize = 160;

/// Plays a random game of at most [`PLIES`] and calls `check` for every position, the last one
/// included, with a text that says where a failure can be seen again.
pub(crate) fn play_one<P: Position>(
    game: &GameUnderTest<P>,
    fen: &str,
    seed: u64,
    mut check: impl FnMut(&GameRecord<P>, &mut Random, &str),
) {
    let start =
        P::from_fen(fen, game.rules).unwrap_or_else(|e| panic!("{}: {fen}: {e}", game.name));
    let mut random = Random::new(seed);
    let mut record = GameRecord::new(start);
    for _ in 0..PLIES {
        let place = format!("{}, seed {seed}, {}", game.name, record.position().fen());
        check(&record, &mut random, &place);
        let moves = record.position().legal_moves();
        // Play beyond draws now and then: positions there must be sound as well.
        if moves.is_empty() || (record.outcome().is_some() && !seed.is_multiple_of(3)) {
            break;
        }
        // More captures and final moves than chance would have, so that games reach the endings
        // and end.
        let position = record.position();
        let like = |wanted: &dyn Fn(P::Move) -> bool| -> Vec<P::Move> {
            moves.iter().copied().filter(|&m| wanted(m)).collect()
        };
        let preferred = match random.below(3) {
            0 => like(&|m| position.is_tactical(m)),
            1 => like(&|m| !position.play_unchecked(m).has_legal_move()),
            _ => Vec::new(),
        };
        let choice = if preferred.is_empty() { &moves[..] } else { &preferred };
        let m = choice[random.below(choice.len())];
        record.play(m);
    }
}

/// A game with the options of one rule set, and positions to begin at.
pub(crate) struct GameUnderTest<P: Position> {
    pub(crate) name: String,
    pub(crate) rules: P::Rules,
    pub(crate) starts: Vec<String>,
}

/// Something to do with every game. A trait because the games are of different types.
pub(crate) trait ForEachGame {
    fn run<P: Position>(&mut self, game: &GameUnderTest<P>);
}

/// Endings and positions near one, where counting, promotions and draws happen.
const MAKRUK_STARTS: [&str; 10] = [
    "7k/8/5K2/8/8/8/8/R7 w - 32 29 60",
    "7k/5K2/8/8/6p1/8/8/1R5M w - - 0 60",
    "8/8/4k3/8/8/3K4/8/R6R w - - 0 1",
    "8/2m1k3/8/8/4S3/3KM3/8/8 w - 128 100 90",
    "8/8/4k3/8/2RMK3/8/8/8 b - 32 20 60",
    "8/8/4k3/5P2/8/2RMK3/8/8 b - - 0 50",
    "4k3/8/2pp4/2P1p3/3P1P2/1p6/4K3/R6r w - - 3 30",
    "1k6/8/8/2n5/5S2/8/3RK3/8 w - 128 5 70",
    "8/5n1k/5rm1/PP6/1NM5/1K6/8/6R1 w - - 0 1",
    "8/8/5k2/7p/6SS/8/3K4/8 w - - 0 1",
];
const ASEAN_STARTS: [&str; 7] = [
    "8/8/4k3/8/8/3K4/8/R6R w - - 0 1",
    "8/4k1P1/8/8/3K4/8/1p6/8 w - - 0 40",
    "8/8/4k3/8/2RQK3/8/8/8 b - 32 20 60",
    "8/8/4k3/8/3NK3/8/8/8 b - 128 90 60",
    "4k3/1PP5/3p4/4p3/3P1P2/8/1p2K3/R6r w - - 3 30",
    "8/5n1k/5rq1/PP6/1NQ5/1K6/8/6R1 w - - 92 99",
    "8/2q1k3/8/8/4B3/3KQ3/8/8 w - - 80 90",
];
const MAKHOS_STARTS: [&str; 6] = [
    "W:WK1,K2:BK31,K32",
    "B:WK15:BK11,25",
    "W:W10,11,K30:BK3,20,21",
    "W:WK25:B5,7,8,K9,15,17",
    "W:WK29,K30:BK4",
    "B:W9,13,K22:B1,K6,20",
];

/// Calls `each` for every rule set of every game and for some mixtures of options.
pub(crate) fn games_under_test(each: &mut impl ForEachGame) {
    makruk_games().iter().for_each(|game| each.run(game));
    straight_games().iter().for_each(|game| each.run(game));
    asean_games().iter().for_each(|game| each.run(game));
    makhos_games().iter().for_each(|game| each.run(game));
}

fn game<P: Position>(
    name: impl Into<String>,
    rules: P::Rules,
    starts: &[&str],
) -> GameUnderTest<P> {
    let mut all = vec![P::start(rules).fen()];
    all.extend(starts.iter().map(ToString::to_string));
    GameUnderTest { name: name.into(), rules, starts: all }
}

/// All Makruk rule sets but those with straight captures, and mixtures.
pub(crate) fn makruk_games() -> Vec<GameUnderTest<Board<Makruk>>> {
    let preset = |set| ChessRules::preset(Variant::Makruk, set).unwrap();
    let run = |name: String, rules| game(name, rules, &MAKRUK_STARTS);
    let mut games = Vec::new();
    for &set in RuleSet::of(Variant::Makruk) {
        if preset(set).pawn_capture == PawnCapture::Diagonal {
            games.push(run(format!("makruk {}", set.name()), preset(set)));
        }
    }
    let (standard, federation) = (preset(RuleSet::Standard), preset(RuleSet::Federation));
    for board_count_start in [0, 10, 150] {
        let name = format!("makruk federation, count from ply {board_count_start}");
        games.push(run(name, ChessRules { board_count_start, ..federation }));
    }
    let counted = ChessRules { board_count_start: 90, ..standard };
    games.push(run("makruk standard, count from ply 90".to_owned(), counted));
    let short = ChessRules { max_game_moves: 60, ..standard };
    games.push(run("makruk standard, 60 moves".to_owned(), short));
    games
}

/// Makruk rule sets with straight captures.
pub(crate) fn straight_games() -> Vec<GameUnderTest<Board<MakrukStraight>>> {
    let preset = |set| ChessRules::preset(Variant::Makruk, set).unwrap();
    let mut games = Vec::new();
    for &set in RuleSet::of(Variant::Makruk) {
        if preset(set).pawn_capture == PawnCapture::Straight {
            games.push(game(format!("makruk {}", set.name()), preset(set), &MAKRUK_STARTS));
        }
    }
    let standard = preset(RuleSet::Standard);
    let straight = ChessRules { pawn_capture: PawnCapture::Straight, ..standard };
    games.push(game("makruk standard, straight captures", straight, &MAKRUK_STARTS));
    games
}

/// All ASEAN rule sets, and a short game.
pub(crate) fn asean_games() -> Vec<GameUnderTest<Board<Asean>>> {
    let preset = |set| ChessRules::preset(Variant::Asean, set).unwrap();
    let mut games = Vec::new();
    for &set in RuleSet::of(Variant::Asean) {
        games.push(game(format!("asean {}", set.name()), preset(set), &ASEAN_STARTS));
    }
    let short = ChessRules { max_game_moves: 70, ..preset(RuleSet::Standard) };
    games.push(game("asean standard, 70 moves", short, &ASEAN_STARTS));
    games
}

/// All Makhos rule sets, and mixtures.
pub(crate) fn makhos_games() -> Vec<GameUnderTest<makhos::Board>> {
    let mut games = Vec::new();
    for &set in RuleSet::of(Variant::Makhos) {
        let rules = MakhosRules::preset(set).unwrap();
        games.push(game(format!("makhos {}", set.name()), rules, &MAKHOS_STARTS));
    }
    let standard = MakhosRules::STANDARD;
    let after = MakhosRules { removal: Removal::After, ..standard };
    games.push(game("makhos standard, removal after", after, &MAKHOS_STARTS));
    let forward = MakhosRules { reverse: false, ..standard };
    games.push(game("makhos standard, no reversing", forward, &MAKHOS_STARTS));
    let reset = MakhosRules { quiet_reset: QuietReset::Capture, quiet_plies: 30, ..standard };
    games.push(game("makhos standard, reset by captures", reset, &MAKHOS_STARTS));
    games
}
