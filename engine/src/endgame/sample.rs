//! `hanuman tables sample`.

use std::collections::HashSet;
use std::io::{self, Write};

use movegen::chess::{Asean, Makruk};
use movegen::{ChessRules, Color, Variant};
use tables::{Tables, Tabulated, Value, chess, makhos};

use super::EndgameError;
use super::args::{SampleArgs, Wanted};
use crate::random::Random;

/// Places that are tried at random for one position, before all are looked at in turn.
const PATIENCE: u64 = 1000;

pub(super) fn run(args: &SampleArgs) -> Result<(), EndgameError> {
    let tables = args.path.open()?;
    let (class, weaker_first) = if args.variant == Variant::Makhos {
        let (class, weaker_first) = makhos::Class::parse_sides(&args.class)?;
        (class.to_string(), weaker_first)
    } else {
        let (class, weaker_first) = chess::Class::parse_sides(&args.class)?;
        (class.to_string(), weaker_first)
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
    // In tables the stronger side is White.
    let mover = if weaker_first { Color::Black } else { Color::White };
    let wish = Wish { tables: &tables, mover, result: args.result };
    let fen = |at: u64| match args.variant {
        Variant::Makruk => {
            tables.chess_board::<Makruk>(number, at, rules).and_then(|b| wish.grant(&b))
        }
        Variant::Asean => {
            tables.chess_board::<Asean>(number, at, rules).and_then(|b| wish.grant(&b))
        }
        Variant::Makhos => tables.makhos_board(number, at).and_then(|b| wish.grant(&b)),
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

/// What is asked of a position.
struct Wish<'a> {
    tables: &'a Tables,
    mover: Color,
    result: Wanted,
}

impl Wish<'_> {
    /// The FEN of a position in which the right side moves and gets the result that is wanted.
    fn grant<P: Tabulated>(&self, position: &P) -> Option<String> {
        if position.side_to_move() != self.mover || !position.has_legal_move() {
            return None;
        }
        let value = position.table_result(self.tables)?;
        let fits = match self.result {
            Wanted::Win => matches!(value, Value::Win(_)),
            Wanted::Draw => value == Value::Draw,
            Wanted::Loss => matches!(value, Value::Loss(_)),
        };
        fits.then(|| position.fen())
    }
}
