//! `hanuman tables sample`.

use std::collections::HashSet;
use std::io::{self, Write};

use movegen::chess::{Asean, Makruk};
use movegen::{ChessRules, Color, Position as _, Variant, makhos as draughts};
use tables::{Tables, Tabulated, Value, chess, makhos, result_of};

use super::EndgameError;
use super::args::{SampleArgs, Wanted};
use crate::random::Random;

/// Places that are tried at random for one position, before all are looked at in turn.
const PATIENCE: u64 = 1000;

pub(super) fn run(args: &SampleArgs) -> Result<(), EndgameError> {
    let tables = args.path.open()?;
    // Which side of the class moves: in the tables of the chess games the stronger one is White, in
    // those of Makhos the mover.
    let (class, mover) = if args.variant == Variant::Makhos {
        let (class, weaker_first) = makhos::Class::parse_sides(&args.class)?;
        (class.to_string(), Mover::Force(class.forces()[usize::from(weaker_first)]))
    } else {
        let (class, weaker_first) = chess::Class::parse_sides(&args.class)?;
        (class.to_string(), Mover::Color(Color::ALL[usize::from(weaker_first)]))
    };
    let games: &[&str] = match args.variant {
        Variant::Makruk => &["chess", "makruk"],
        Variant::Asean => &["chess", "asean"],
        Variant::Makhos => &["makhos"],
    };
    let number = tables
        .files()
        .position(|file| file.header().class == class && games.contains(&&*file.header().game))
        .ok_or_else(|| EndgameError::Argument(format!("there is no table of {class}")))?;
    let rules = ChessRules::STANDARD;
    let wish = Wish { tables: &tables, result: args.result };
    let fen = |at: u64| match args.variant {
        Variant::Makruk => {
            let board = tables.chess_board::<Makruk>(number, at, rules);
            board.filter(|b| mover.is(b.side_to_move())).and_then(|b| wish.grant(&b))
        }
        Variant::Asean => {
            let board = tables.chess_board::<Asean>(number, at, rules);
            board.filter(|b| mover.is(b.side_to_move())).and_then(|b| wish.grant(&b))
        }
        Variant::Makhos => {
            tables.makhos_board(number, at).filter(|b| mover.moves(b)).and_then(|b| wish.grant(&b))
        }
    };
    let places = tables.positions(number);
    let mut random = Random::new(args.seed);
    let mut below = |n: u64| random.below(usize::try_from(n).unwrap_or(usize::MAX)) as u64;
    let (tries, first) = (u64::from(args.number).saturating_mul(PATIENCE), below(places));
    let drawn = (0..tries).map(|_| below(places));
    let in_turn = (0..places).map(|i| (first + i) % places);
    let mut out = io::stdout();
    let mut seen = HashSet::new();
    for at in drawn.chain(in_turn) {
        if let Some(fen) = fen(at)
            && seen.insert(fen.clone())
        {
            writeln!(out, "{fen}")?;
            if seen.len() == args.number as usize {
                return Ok(());
            }
        }
    }
    let found = seen.len();
    Err(EndgameError::Argument(format!("{} has only {found} such positions", args.class)))
}

/// The side that is to move.
#[derive(Clone, Copy)]
enum Mover {
    Color(Color),
    Force(makhos::Force),
}

impl Mover {
    fn is(self, color: Color) -> bool {
        matches!(self, Self::Color(mover) if mover == color)
    }

    fn moves(self, board: &draughts::Board) -> bool {
        let us = board.side_to_move();
        let (men, kings) = (board.men(us).count_ones() as u8, board.kings(us).count_ones() as u8);
        matches!(self, Self::Force(force) if force == makhos::Force::new(men, kings))
    }
}

/// What is asked of a position.
struct Wish<'a> {
    tables: &'a Tables,
    result: Wanted,
}

impl Wish<'_> {
    /// The FEN of a position in which the mover gets the result that is wanted.
    fn grant<P: Tabulated>(&self, position: &P) -> Option<String> {
        if !position.has_legal_move() {
            return None;
        }
        let value = result_of(self.tables, position)?;
        let fits = match self.result {
            Wanted::Win => matches!(value, Value::Win(_)),
            Wanted::Draw => value == Value::Draw,
            Wanted::Loss => matches!(value, Value::Loss(_)),
        };
        fits.then(|| position.fen())
    }
}
