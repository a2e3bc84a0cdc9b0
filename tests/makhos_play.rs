//! Makhos: random play under every rule against a slow generator of the test's own.

#![allow(clippy::unwrap_used)]

#[path = "makhos/reference.rs"]
mod reference;

use std::collections::{BTreeSet, HashSet};

use movegen::makhos::{Board, Move, Square, squares};
use movegen::{Color, GameMove, MAX_MOVES, MakhosRules, MoveError, MoveList, Numbering};
use movegen::{Position, QuietReset, Removal};
use reference::{Cell, Identity, Reference};

/// Games per rule combination.
const GAMES: u32 = if cfg!(debug_assertions) { 300 } else { 2000 };

/// xorshift64: the tests need the same games every time, not good randomness.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 16) as usize % n
    }
}

/// All combinations of the rules that change moves, with the other rules varied along.
fn all_rules() -> [MakhosRules; 4] {
    let rules = |removal, reverse, numbering, quiet_reset| MakhosRules {
        removal,
        reverse,
        numbering,
        quiet_reset,
        ..MakhosRules::STANDARD
    };
    [
        rules(Removal::Immediate, true, Numbering::Pdn, QuietReset::CaptureOrMan),
        rules(Removal::Immediate, false, Numbering::MakHos, QuietReset::CaptureOrMan),
        rules(Removal::After, true, Numbering::MakHos, QuietReset::Capture),
        rules(Removal::After, false, Numbering::Pdn, QuietReset::CaptureOrMan),
    ]
}

fn cell(square: Square) -> Cell {
    (square.file() as i8, square.rank() as i8)
}

fn square((file, rank): Cell) -> Square {
    Square::at(file as u8, rank as u8).unwrap()
}

fn identity(m: Move) -> Identity {
    (cell(m.from()), cell(m.to()), squares(m.captured()).map(cell).collect())
}

fn as_move((from, to, captured): &Identity) -> Move {
    let captured = captured.iter().fold(0, |set, &c| set | square(c).bit());
    Move::new(square(*from), square(*to), captured)
}

fn reference_of(board: &Board) -> Reference {
    let mut reference = Reference {
        cells: [[None; 8]; 8],
        white_moves: board.side_to_move() == Color::White,
        removed_at_once: board.rules().removal == Removal::Immediate,
        may_reverse: board.rules().reverse,
    };
    for (rank, row) in (0..).zip(&mut reference.cells) {
        for (file, cell) in (0..).zip(row) {
            *cell = board.letter_at(file, rank);
        }
    }
    reference
}

/// A board with some men and kings at random.
fn random_board(random: &mut Random, rules: MakhosRules) -> Board {
    loop {
        let counts = [0; 4].map(|_: u8| random.below(5));
        let mut taken = HashSet::new();
        let lists: Vec<String> = counts
            .iter()
            .zip(["", "K", "", "K"])
            .map(|(&count, prefix)| {
                let numbers = (0..count).map(|_| random.below(32) + 1);
                let fresh: Vec<_> = numbers.filter(|&n| taken.insert(n)).collect();
                let named: Vec<_> = fresh.iter().map(|n| format!("{prefix}{n}")).collect();
                named.join(",")
            })
            .collect();
        let join =
            |a: &str, b: &str| [a, b].map(str::to_string).join(",").trim_matches(',').to_string();
        let side = ["W", "B"][random.below(2)];
        let white = join(&lists[0], &lists[1]);
        let black = join(&lists[2], &lists[3]);
        // Men on their last rank are refused; try again.
        if let Ok(board) = Board::from_fen(&format!("{side}:W{white}:B{black}"), rules) {
            return board;
        }
    }
}

/// Everything that must hold in one position.
fn check(board: &Board, random: &mut Random) {
    let fen = board.fen();
    let reference = reference_of(board);
    let legal = board.legal_moves();
    let expected = reference.moves();

    let found: BTreeSet<Identity> = legal.iter().map(|&m| identity(m)).collect();
    assert_eq!(found, expected, "{fen} {:?}", board.rules());
    assert_eq!(legal.len(), expected.len(), "{fen}: a move twice");
    check_parts(board, &legal);
    check_texts(board, &reference, &legal);
    check_arbitrary_moves(board, &legal, &expected, random);

    assert_eq!(board.key(), board.key_from_scratch(), "{fen}");
    assert_eq!(Board::from_fen(&fen, *board.rules()).as_ref(), Ok(board), "{fen}");
    for mirrored in [false, true] {
        let cells = reference.cells_fen(mirrored);
        let read = Board::from_fen(&format!("{cells} {}", board.quiet_plies()), *board.rules());
        let read = read.unwrap();
        assert_eq!(reference_of(&read), reference, "{cells}");
        assert_eq!((read.key(), read.quiet_plies()), (board.key(), board.quiet_plies()));
    }
    let turned = Board::from_fen(&reference.turned().cells_fen(false), *board.rules()).unwrap();
    assert_eq!(turned.count_moves(), board.count_moves(), "{fen} turned round");
}

/// The parts of the list, the counts and the questions agree with the whole.
fn check_parts(board: &Board, legal: &MoveList<Move>) {
    let fen = board.fen();
    let (mut tactical, mut quiet) = (MoveList::new(), MoveList::new());
    board.generate_tactical(&mut tactical);
    board.generate_quiet(&mut quiet);
    assert!(tactical.iter().all(|&m| board.is_tactical(m)), "{fen}");
    assert!(quiet.iter().all(|&m| !board.is_tactical(m)), "{fen}");
    let parts: HashSet<Move> = tactical.iter().chain(&quiet).copied().collect();
    assert_eq!(tactical.len() + quiet.len(), legal.len(), "{fen}");
    assert_eq!(parts, legal.iter().copied().collect(), "{fen}");

    assert_eq!(board.count_moves(), legal.len() as u64, "{fen}");
    assert_eq!(board.has_legal_move(), !legal.is_empty(), "{fen}");
    assert_eq!(board.is_forced(), legal.iter().any(|m| m.captured() != 0), "{fen}");
    let movable = board.movable_men(board.side_to_move());
    let stepping = legal.iter().filter(|&&m| m.captured() == 0 && board.moved_piece(m) == 0);
    let stepping = stepping.fold(0, |set, m| set | m.from().bit());
    assert!(board.is_forced() || movable == stepping, "{fen}");
}

fn check_texts(board: &Board, reference: &Reference, legal: &MoveList<Move>) {
    let fen = board.fen();
    let mut texts = HashSet::new();
    for &m in legal {
        let text = board.move_text(m);
        assert_eq!(board.parse_move(&text), Ok(m), "{fen} {text}");
        assert_eq!(board.parse_notation(&text), Ok(m), "{fen} {text}");
        let notation = board.notation(m);
        assert_eq!(board.parse_notation(&notation), Ok(m), "{fen} {notation}");
        assert_eq!(board.parse_move(&notation), Ok(m), "{fen} {notation}");
        assert!(texts.insert(text.clone()), "{fen}: {text} twice");
        assert!(texts.insert(notation.clone()), "{fen}: {notation} twice");

        let ends = format!("{}{}", m.from(), m.to());
        let twins = legal.iter().filter(|o| (o.from(), o.to()) == (m.from(), m.to())).count();
        let separators = notation.matches(['-', 'x']).count();
        if twins == 1 {
            assert_eq!(separators, 1, "{fen} {notation}");
            assert_eq!(board.parse_move(&ends), Ok(m), "{fen} {ends}");
        } else {
            assert_eq!(separators, board.path(m).count(), "{fen} {notation}");
            // Unless one of the twins is that single jump.
            if !legal.iter().any(|&o| board.move_text(o) == ends) {
                let refused = board.parse_move(&ends);
                assert!(matches!(refused, Err(MoveError::Ambiguous { .. })), "{fen} {ends}");
            }
        }
    }
    let chains = reference.chains();
    for chain in &chains {
        let m = as_move(&chain.identity());
        assert_eq!(board.parse_move(&chain.text()), Ok(m), "{fen} {}", chain.text());
        // The Hub protocol names the ends and then the captured pieces. Where the same text names
        // the landing squares of a move, it means that one.
        let mut hub = format!("{}{}", square(chain.from), square(chain.to()));
        for &victim in chain.captured.iter().rev() {
            hub += &square(victim).to_string();
        }
        if chain.captured.len() > 1 && !chains.iter().any(|c| c.text() == hub) {
            assert_eq!(board.parse_move(&hub), Ok(m), "{fen} {hub}");
        }
    }
    let canonical: HashSet<String> = chains.iter().map(reference::Chain::text).collect();
    assert!(legal.iter().all(|&m| canonical.contains(&board.move_text(m))), "{fen}");
}

/// `is_legal` is membership in the list, for values of every sort, and nothing panics.
fn check_arbitrary_moves(
    board: &Board,
    legal: &MoveList<Move>,
    expected: &BTreeSet<Identity>,
    random: &mut Random,
) {
    let mut candidates: Vec<Move> = legal.to_vec();
    for _ in 0..20 {
        let word = random.next();
        let [from, to] = [0, 5].map(|shift| Square::new((word >> shift & 31) as u8).unwrap());
        let captured = (word >> 16) as u32 & (word >> 32) as u32 & board.occupied();
        candidates.push(Move::new(from, to, [0, captured, word as u32][random.below(3)]));
        if let Some(&m) = legal.get(random.below(legal.len() + 1)) {
            candidates.push(Move::new(m.from(), to, m.captured()));
            candidates.push(Move::new(from, m.to(), m.captured()));
            candidates.push(Move::new(m.from(), m.to(), m.captured() & word as u32));
            candidates.push(Move::new(m.from(), m.to(), m.captured() | 1 << (word & 31)));
        }
    }
    for m in candidates {
        let is_legal = expected.contains(&identity(m));
        assert_eq!(board.is_legal(m), is_legal, "{} {m:?}", board.fen());
        assert_ne!(m.tag(), 0);
        let recalled = board.move_from_tag(m.tag());
        assert!(recalled.is_none_or(|r| legal.contains(&r) && r.tag() == m.tag()));
        if is_legal {
            let recalled = recalled.unwrap();
            let same_ends = (recalled.from(), recalled.to()) == (m.from(), m.to());
            assert!(recalled == m || m.captured() != 0 && same_ends, "{}", board.fen());
        } else {
            let next = board.play_unchecked(m);
            let _ = (next.fen(), next.legal_moves(), board.move_text(m), board.notation(m));
        }
    }
}

fn check_move(board: &Board, m: Move) -> Board {
    let reference = reference_of(board);
    let chain = reference.chains().into_iter().find(|c| as_move(&c.identity()) == m).unwrap();
    let next = board.play_unchecked(m);
    let fen = board.fen();
    assert_eq!(reference_of(&next), reference.after(&chain), "{fen} {}", chain.text());
    assert_eq!(next.game_ply(), board.game_ply() + 1);
    let is_man =
        reference.cells[chain.from.1 as usize][chain.from.0 as usize].unwrap().is_ascii_lowercase();
    assert_eq!(board.moved_piece(m), usize::from(!is_man));
    assert_eq!(board.is_irreversible(m), is_man || !chain.captured.is_empty());
    let restarts = match board.rules().quiet_reset {
        QuietReset::CaptureOrMan => board.is_irreversible(m),
        QuietReset::Capture => !chain.captured.is_empty(),
    };
    let expected = if restarts { 0 } else { board.quiet_plies() + 1 };
    assert_eq!(next.quiet_plies(), expected, "{fen} {}", chain.text());
    next
}

#[test]
fn random_play_agrees_with_the_reference() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    for rules in all_rules() {
        let mut captures = 0;
        for game in 0..GAMES {
            let mut board = match game % 4 {
                0 => Board::start(rules),
                _ => random_board(&mut random, rules),
            };
            for _ in 0..60 {
                check(&board, &mut random);
                let legal = board.legal_moves();
                let Some(&m) = legal.get(random.below(legal.len().max(1))) else { break };
                captures += usize::from(m.captured() != 0);
                board = check_move(&board, m);
            }
        }
        assert!(captures > 5 * GAMES as usize / 4, "{captures} captures are no test");
    }
}

/// Boards that grow more and more moves, by hill climbing: none comes near the capacity of a list.
/// (Quiet moves cannot: 12 kings have at most 13 each.)
#[test]
fn no_position_has_more_moves_than_a_list_holds() {
    // The best of long searches outside this test; eight kings round nine victims.
    let worst = "W:WK5,K13,K21,K28,K29,K30,K31,K32:BK6,K7,K8,K14,K15,K16,K22,K23,K24";
    let board = Board::from_fen(worst, MakhosRules::STANDARD).unwrap();
    assert_eq!(board.count_moves(), 101);
    assert_eq!(reference_of(&board).moves().len(), 101);

    let mut random = Random(0xDEAD_BEEF_0BAD_F00D);
    let mut most = 0;
    for rules in all_rules() {
        for _ in 0..12 {
            let mut board = random_board(&mut random, rules);
            for _ in 0..1500 {
                let changed = neighbour(&board, &mut random);
                let count = changed.count_moves();
                if count >= board.count_moves() {
                    board = changed;
                }
                most = most.max(count);
            }
        }
    }
    assert!((40..MAX_MOVES as u64 / 2).contains(&most), "{most}");
}

/// The board with one square changed, or the same if that is no position.
fn neighbour(board: &Board, random: &mut Random) -> Board {
    let mut reference = reference_of(board);
    let square = Square::new(random.below(32) as u8).unwrap();
    let piece = [None, Some('w'), Some('W'), Some('b'), Some('B')][random.below(5)];
    reference.cells[square.rank() as usize][square.file() as usize] = piece;
    Board::from_fen(&reference.cells_fen(false), *board.rules()).unwrap_or(*board)
}
