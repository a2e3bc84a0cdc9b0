//! Which evaluation each game uses: the option `EvalFile`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::sync::Arc;

use movegen::{Position as _, Variant};
use search::eval::nnue::{Network, NetworkError, built_in};
use search::{Game, SearchOptions, Searcher};
use tables::Tables;
use thiserror::Error;

use crate::dispatch::PosOf;
use crate::report::one_line;
use crate::session::game_name;

/// The value of `EvalFile` for the networks inside the program.
pub const BUILT_IN: &str = "<built-in>";
/// The value of `EvalFile` for hand-written evaluation.
pub const NONE: &str = "none";
/// No network file is larger.
const MAX_BYTES: u64 = 8 << 20;

/// Why a network file is not used.
#[derive(Debug, Error)]
pub enum EvalFileError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// A folder or a device.
    #[error("is no file")]
    NoFile,
    /// Larger than any network.
    #[error("has more than {MAX_BYTES} bytes, no network has")]
    TooLarge,
    /// Its content is wrong.
    #[error("cannot be used: {0}")]
    Network(#[from] NetworkError),
}

/// What evaluates the positions of one game.
#[derive(Clone, Debug, Default)]
enum Choice {
    /// The network inside the program; hand-written evaluation if there is none.
    #[default]
    BuiltIn,
    /// Hand-written evaluation.
    HandWritten,
    /// A network from a file.
    File { path: String, network: Arc<Network> },
}

/// The evaluations of all games. A file changes that of its own game only, so that it may be named
/// before the game is chosen.
#[derive(Clone, Debug, Default)]
pub struct Networks([Choice; Variant::ALL.len()]);

impl Networks {
    /// A search of the game `G` with its network and these endgame tables.
    pub(crate) fn searcher<G: Game>(
        &self,
        options: SearchOptions,
        tables: &Arc<Tables>,
    ) -> Searcher<G> {
        let mut searcher = Searcher::new(options);
        // The network kept for a game is one of that game.
        let _ = searcher.set_network(self.network(PosOf::<G>::VARIANT));
        searcher.set_tables(Arc::clone(tables));
        searcher
    }

    /// Takes a value of `EvalFile`: a path, [`BUILT_IN`] (also the empty text) or [`NONE`]. Returns
    /// the game whose network was in the file; the other values are meant for all games.
    ///
    /// # Errors
    /// What is wrong with the file; nothing is changed then.
    pub fn choose(&mut self, value: &str) -> Result<Option<Variant>, EvalFileError> {
        if value.is_empty() || value.eq_ignore_ascii_case(BUILT_IN) {
            self.0.fill(Choice::BuiltIn);
            return Ok(None);
        }
        if value.eq_ignore_ascii_case(NONE) {
            self.0.fill(Choice::HandWritten);
            return Ok(None);
        }
        let network = Arc::new(read(value)?);
        let variant = network.variant();
        *self.slot(variant) = Choice::File { path: value.to_owned(), network };
        Ok(Some(variant))
    }

    fn slot(&mut self, variant: Variant) -> &mut Choice {
        &mut self.0[variant as usize]
    }

    /// The network for a game, `None` for hand-written evaluation.
    pub fn network(&self, variant: Variant) -> Option<Arc<Network>> {
        match &self.0[variant as usize] {
            Choice::BuiltIn => built_in(variant),
            Choice::HandWritten => None,
            Choice::File { network, .. } => Some(Arc::clone(network)),
        }
    }

    /// Which evaluation a game uses, in one line.
    pub fn describe(&self, variant: Variant) -> String {
        let nnue = |name: &str, network: &Network| {
            let (inputs, hidden) = (network.inputs(), network.hidden());
            format!("NNUE evaluation using {name} ({inputs} -> 2 x {hidden} -> 8)")
        };
        match &self.0[variant as usize] {
            Choice::BuiltIn => match built_in(variant) {
                Some(network) => nnue("the built-in network", &network),
                None => {
                    format!("classical evaluation ({} has no built-in network)", game_name(variant))
                }
            },
            Choice::HandWritten => "classical evaluation".to_owned(),
            Choice::File { path, network } => nnue(&one_line(path, 200), network),
        }
    }
}

/// Reads a network file. Nothing else is opened: a device might never end.
fn read(path: &str) -> Result<Network, EvalFileError> {
    if !fs::metadata(path)?.is_file() {
        return Err(EvalFileError::NoFile);
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(EvalFileError::TooLarge);
    }
    Ok(Network::from_bytes(&bytes)?)
}
