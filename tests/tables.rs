//! Endgame tables against facts from elsewhere, against the rules, and against a second build.
#![allow(clippy::unwrap_used)]

#[path = "common/folder.rs"]
mod folder;

use std::path::Path;

use movegen::chess::{AseanBoard, Makruk, MakrukBoard};
use movegen::{
    ChessRules, CountingRule, DeadPosition, MakhosRules, Outcome, Position, Removal, RuleSet,
    Variant, makhos as draughts,
};
use tables::file::TableFile;
use tables::{Check, Tables, Tabulated, Value, Watch, built_in, chess, makhos};

use folder::Folder;

const WATCH: Watch<'static> = Watch { stopped: &|| false, progress: &|_, _| {} };

fn build_chess(folder: &Path, variant: Variant, names: &[&str]) -> Tables {
    let wanted: Vec<_> = names
        .iter()
        .map(|name| chess::Plan::new(chess::Class::parse(name).unwrap(), variant).unwrap())
        .collect();
    let mut tables = Tables::empty();
    for plan in chess::Plan::with_needs(&wanted) {
        tables.add(chess::build(&plan, &tables, folder, &WATCH).unwrap()).unwrap();
    }
    tables
}

fn build_makhos(folder: &Path, pieces: usize, removal: Removal) -> Tables {
    let wanted: Vec<_> = (2..=pieces)
        .flat_map(makhos::Class::all)
        .map(|class| makhos::Plan { class, removal })
        .collect();
    let mut tables = Tables::empty();
    let mut builder = makhos::Builder::default();
    for plan in makhos::Plan::with_needs(&wanted) {
        tables.add(builder.build(&plan, folder, &WATCH).unwrap()).unwrap();
    }
    tables
}

fn same_bytes(one: &TableFile, other: &TableFile) {
    assert_eq!(one.header(), other.header());
    for block in 0..one.blocks() {
        assert_eq!(one.read_block(block).unwrap(), other.read_block(block).unwrap());
    }
}

/// The table inside the program with the name of a file.
fn embedded<'a>(tables: &'a Tables, file: &TableFile) -> Option<&'a TableFile> {
    tables.files().find(|known| known.path().file_name() == file.path().file_name())
}

/// Every position of small tables has the value that follows from its moves, in both games and under
/// both rules of removal; and what is inside the program is what a build gives.
#[test]
fn small_tables_are_right_at_every_position() {
    let folder = Folder::new();
    let sets = [
        build_chess(folder.path(), Variant::Makruk, &["KRvK", "KSvK", "KNvK", "KMvK", "KPvK"]),
        build_chess(folder.path(), Variant::Asean, &["KPvK"]),
        build_makhos(folder.path(), 3, Removal::Immediate),
        build_makhos(folder.path(), 3, Removal::After),
    ];
    let known = built_in();
    for tables in &sets {
        for (number, file) in tables.files().enumerate() {
            let mut checked = 0;
            for at in 0..tables.positions(number) {
                if let Some(result) = tables.check(number, at) {
                    assert_eq!(result, Check::Right, "{}", file.path().display());
                    checked += 1;
                }
            }
            let summary = &file.header().summary;
            assert_eq!(checked, summary.sides.iter().map(|side| side.positions).sum::<u64>());
            if file.header().rules != "removal after the move" {
                same_bytes(embedded(&known, file).unwrap(), file);
            }
        }
    }
}

/// Facts from an independent generator (the project's notes on Makruk, section G), which counts mirror
/// images and men that are alike apart.
#[test]
fn chess_tables_agree_with_an_independent_generator() {
    let tables = built_in();
    let sides = |name: &str| {
        let file = tables.files().find(|file| file.header().class == name).unwrap();
        file.header().summary.sides.clone()
    };
    let [attacker, defender] = sides("KRvK");
    assert_eq!((attacker.longest_win, defender.longest_loss), (31, 32));
    let percent = 100.0 * defender.losses as f64 / defender.positions as f64;
    assert!((percent - 90.07).abs() < 0.005, "{percent}");
    // K + two alike: each position stands for two mirror images and two orders.
    assert_eq!((4 * sides("KNNvK")[0].wins, sides("KNNvK")[0].longest_win), (1232, 1));
    assert_eq!((4 * sides("KMMvK")[0].wins, sides("KMMvK")[0].longest_win), (416, 3));
    assert_eq!(sides("KSvK")[0].longest_win, 7);
    for none in ["KMvK", "KNvK"] {
        assert_eq!(sides(none)[0].wins, 0, "{none}");
    }
}

/// Wins, losses and draws of the mover over all positions, from an independent program that knows no
/// draw rules (the notes on Makhos databases): 2 to 4 pieces.
#[test]
fn makhos_tables_agree_with_an_independent_program() {
    let tables = built_in();
    for (pieces, positions, percents) in [
        (2, 3_488, [34.40, 19.29, 46.30]),
        (3, 196_032, [53.26, 38.10, 8.64]),
        (4, 6_209_316, [51.64, 34.88, 13.48]),
    ] {
        let mut sums = [0_u64; 3];
        for file in tables.files().filter(|file| file.header().game == "makhos") {
            if makhos::Class::parse(&file.header().class).unwrap().pieces() == pieces {
                for side in &file.header().summary.sides {
                    sums[0] += side.wins;
                    sums[1] += side.losses;
                    sums[2] += side.positions - side.wins - side.losses;
                }
            }
        }
        assert_eq!(sums.iter().sum::<u64>(), positions);
        for (sum, percent) in sums.into_iter().zip(percents) {
            let found = 100.0 * sum as f64 / positions as f64;
            assert!((found - percent).abs() < 0.005, "{pieces}: {found} {percent}");
        }
    }
}

fn result<P: Tabulated>(tables: &Tables, fen: &str, rules: P::Rules) -> Option<Value> {
    P::from_fen(fen, rules).unwrap().table_result(tables)
}

/// The count decides: the same position is won or drawn as moves are left, in every rule set.
#[test]
fn a_count_turns_wins_into_draws() {
    let tables = built_in();
    let mut seen = [0, 0];
    for rules in RuleSet::of(Variant::Makruk) {
        let rules = ChessRules::preset(Variant::Makruk, *rules).unwrap();
        if rules.pawn_capture == movegen::PawnCapture::Straight {
            continue;
        }
        let men = ["8/3k4/8/3K4/8/8/R7/8", "8/8/3k4/8/3K4/8/R7/8", "3k4/8/3K4/8/8/8/R7/8"];
        for (men, ply) in men.into_iter().flat_map(|men| (6..=32).map(move |ply| (men, ply))) {
            let fen = format!("{men} w - 32 {ply} 50");
            let board = MakrukBoard::from_fen(&fen, rules).unwrap();
            let distance = board.table_distance(&tables).unwrap().distance().unwrap();
            let in_time = u32::from(board.countdown().remaining) >= u32::from(distance);
            let expected = if in_time { Value::Win(distance) } else { Value::Draw };
            assert_eq!(board.table_result(&tables), Some(expected), "{fen}");
            seen[usize::from(in_time)] += 1;
        }
    }
    assert!(seen[0] > 10 && seen[1] > 10, "{seen:?}");
    // Before the count begins it is reckoned with as it will be.
    let rules = ChessRules::STANDARD;
    let fen = |count: &str| format!("8/8/8/3k4/8/8/R7/K7 w - {count} 50");
    let board = MakrukBoard::from_fen(&fen("- 0"), rules).unwrap();
    // The next move begins it at 6; one that has been made before leaves 14 moves, not 13.
    assert_eq!(board.table_distance(&tables), Some(Value::Win(29)));
    assert_eq!(board.table_result(&tables), Some(Value::Draw));
    for (ply, expected) in [(4, Value::Win(29)), (6, Value::Draw)] {
        let counted = fen(&format!("32 {ply}"));
        assert_eq!(result::<MakrukBoard>(&tables, &counted, rules), Some(expected), "{ply}");
    }
}

/// Tables with pieces or pawns on both sides hold under the standard rules alone.
#[test]
fn other_rules_leave_two_sided_tables_alone() {
    let tables = built_in();
    let fen = "8/8/8/3k4/8/2n5/8/KS6 w - 128 10 50";
    let standard = ChessRules::STANDARD;
    assert!(result::<MakrukBoard>(&tables, fen, standard).is_some());
    for rules in [
        ChessRules::preset(Variant::Makruk, RuleSet::Cutechess).unwrap(),
        ChessRules::preset(Variant::Makruk, RuleSet::Federation).unwrap(),
        ChessRules { max_game_moves: 100, ..standard },
        ChessRules { board_count_start: 5, ..standard },
    ] {
        assert_eq!(result::<MakrukBoard>(&tables, fen, rules), None);
        let bare = "8/8/8/3k4/8/8/8/KS6 w - 88 10 50";
        assert!(result::<MakrukBoard>(&tables, bare, rules).is_some());
    }
    // A pawn that steps or takes straight ahead is another game's; so is one behind its first rank.
    let pawn = "8/8/8/3k4/8/3P4/8/K7 w - - 0 1";
    assert!(result::<MakrukBoard>(&tables, pawn, standard).is_some());
    assert!(result::<AseanBoard>(&tables, pawn, standard).is_some());
    let behind = "8/8/8/3k4/8/8/3P4/K7 w - - 0 1";
    assert_eq!(result::<MakrukBoard>(&tables, behind, standard), None);
}

/// In Makhos the quiet plies decide.
#[test]
fn quiet_plies_turn_wins_into_draws() {
    let tables = built_in();
    let board = |fen: &str, rules| draughts::Board::from_fen(fen, rules).unwrap();
    let standard = MakhosRules::STANDARD;
    let mut found = 0;
    for first in 1..=32 {
        for (second, third) in [(5, 29), (14, 32), (20, 3)] {
            let fen = format!("W:WK{first},K{second}:BK{third}");
            let Ok(start) = draughts::Board::from_fen(&fen, standard) else { continue };
            let Some(Value::Win(plies @ 3..)) = start.table_distance(&tables) else { continue };
            found += 1;
            let with = |quiet: u16| {
                let rules = MakhosRules { quiet_plies: 50, ..standard };
                board(&format!("{fen}:H{quiet}:F1"), rules).table_result(&tables)
            };
            assert_eq!(with(50 - plies), Some(Value::Win(plies)), "{fen}");
            assert_eq!(with(51 - plies), Some(Value::Draw), "{fen}");
            let unlimited = MakhosRules { quiet_plies: 0, ..standard };
            assert_eq!(board(&fen, unlimited).table_result(&tables), Some(Value::Win(plies)));
            let drawn = MakhosRules { lone_kings: movegen::LoneKings::Draw, ..standard };
            assert_eq!(board(&fen, drawn).table_result(&tables), None);
        }
    }
    assert!(found > 5, "{found}");
}

/// Whether the mover can force mate within so many plies, by looking at every move.
fn mates_within<P: Position>(position: &P, plies: u16) -> bool {
    plies > 0
        && position
            .legal_moves()
            .into_iter()
            .any(|m| is_mated_within(&position.play_unchecked(m), plies - 1))
}

/// Whether the mover is mated within so many plies, whatever he does.
fn is_mated_within<P: Position>(position: &P, plies: u16) -> bool {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return matches!(position.no_moves_outcome(), Outcome::Win(..));
    }
    plies > 1 && moves.into_iter().all(|m| mates_within(&position.play_unchecked(m), plies - 1))
}

/// Short distances are what a search without any table finds.
#[test]
fn short_mates_are_found_without_tables() {
    let uncounted = ChessRules {
        counting: CountingRule::None,
        fifty_move_rule: false,
        dead_position: DeadPosition::Off,
        ..ChessRules::STANDARD
    };
    let tables = built_in();
    let mut seen = 0;
    for (number, file) in tables.files().enumerate() {
        if !["KRvK", "KSvK", "KMMvK", "KNNvK"].contains(&&*file.header().class) {
            continue;
        }
        let step = usize::try_from(tables.positions(number) / 40_000).unwrap().max(1);
        for at in (0..tables.positions(number)).step_by(step) {
            let Some(board) = tables.chess_board::<Makruk>(number, at, uncounted) else { continue };
            let (found, sooner) = match board.table_distance(&tables) {
                Some(Value::Win(plies @ 1..=5)) => {
                    (mates_within(&board, plies), plies > 1 && mates_within(&board, plies - 2))
                }
                Some(Value::Loss(plies @ 0..=4)) => (
                    is_mated_within(&board, plies),
                    plies > 1 && is_mated_within(&board, plies - 2),
                ),
                Some(Value::Draw) if at % 16 == 0 => {
                    (!mates_within(&board, 3), is_mated_within(&board, 2))
                }
                _ => continue,
            };
            assert!(found && !sooner, "{}", board.fen());
            seen += 1;
        }
    }
    assert!(seen > 1000, "{seen}");
}
