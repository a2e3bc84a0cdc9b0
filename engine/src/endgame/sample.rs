//! `hanuman tables sample`.

use std::io::{self, Write};

use movegen::chess::{Asean, Makruk};
use movegen::{ChessRules, Variant};
use tables::{Tables, Tabulated, Value, chess, makhos};

use super::EndgameError;
use super::args::{SampleArgs, Wanted};
use crate::random::Random;

/// Places that are tried for one position.
const PATIENCE: u64 = 100_000;

pub(super) fn run(args: &SampleArgs) -> Result<(), EndgameError> {
    let (tables, faults) = if args.folder.dir.exists() {
        Tables::open(std::slice::from_ref(&args.folder.dir))
    } else {
        Tables::open(&[])
    };
    for fault in faults {
        writeln!(io::stderr(), "hanuman: {fault}")?;
    }
    let class = if args.variant == Variant::Makhos {
        makhos::Class::parse(&args.class)?.to_string()
    } else {
        chess::Class::parse(&args.class)?.to_string()
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
    let fen = |at: u64| match args.variant {
        Variant::Makruk => {
            tables.chess_board::<Makruk>(number, at, rules).and_then(|b| wanted(&tables, &b, args))
        }
        Variant::Asean => {
            tables.chess_board::<Asean>(number, at, rules).and_then(|b| wanted(&tables, &b, args))
        }
        Variant::Makhos => tables.makhos_board(number, at).and_then(|b| wanted(&tables, &b, args)),
    };
    let places = usize::try_from(tables.positions(number)).unwrap_or(usize::MAX);
    let mut random = Random::new(args.seed);
    let mut out = io::stdout();
    let mut seen = std::collections::HashSet::new();
    for _ in 0..u64::from(args.number).saturating_mul(PATIENCE) {
        if seen.len() == args.number as usize {
            return Ok(());
        }
        if let Some(fen) = fen(random.below(places) as u64)
            && seen.insert(fen.clone())
        {
            writeln!(out, "{fen}")?;
        }
    }
    let found = seen.len();
    Err(EndgameError::Argument(format!("only {found} such positions of {class} were found")))
}

/// The FEN of a position if White moves and gets the result that is wanted.
fn wanted<P: Tabulated>(tables: &Tables, position: &P, args: &SampleArgs) -> Option<String> {
    if position.side_to_move() != movegen::Color::White || !position.has_legal_move() {
        return None;
    }
    let value = position.table_result(tables)?;
    let fits = match args.result {
        Wanted::Win => matches!(value, Value::Win(_)),
        Wanted::Draw => value == Value::Draw,
        Wanted::Loss => matches!(value, Value::Loss(_)),
    };
    fits.then(|| position.fen())
}
