//! The networks inside the program. To embed one, put its file into `search/networks/` and name it
//! here.

use std::sync::{Arc, LazyLock};

use movegen::Variant;

use super::Network;

/// The file of a game's network. Example: `Some(include_bytes!("../../../networks/makruk.nnue"))`.
const fn file(variant: Variant) -> Option<&'static [u8]> {
    match variant {
        Variant::Makruk | Variant::Asean | Variant::Makhos => None,
    }
}

/// Networks in the order of [`Variant::ALL`], each read when it is first wanted.
static NETWORKS: [LazyLock<Option<Arc<Network>>>; Variant::ALL.len()] = [
    LazyLock::new(|| read(Variant::ALL[0])),
    LazyLock::new(|| read(Variant::ALL[1])),
    LazyLock::new(|| read(Variant::ALL[2])),
];

/// A fault is impossible: the tests read every file.
fn read(variant: Variant) -> Option<Arc<Network>> {
    Network::from_bytes(file(variant)?).ok().map(Arc::new)
}

/// The network that the program has for a game.
pub fn built_in(variant: Variant) -> Option<Arc<Network>> {
    let index = Variant::ALL.iter().position(|&other| other == variant)?;
    LazyLock::force(NETWORKS.get(index)?).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_file_is_a_network_of_its_game() {
        for variant in Variant::ALL {
            if let Some(bytes) = file(variant) {
                Network::from_bytes(bytes).unwrap().expect_game(variant).unwrap();
            }
            assert_eq!(built_in(variant).is_some(), file(variant).is_some());
        }
    }
}
