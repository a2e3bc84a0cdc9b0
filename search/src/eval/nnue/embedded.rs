//! The networks inside the program: `search/networks/`, one file a game.

use std::sync::{Arc, LazyLock};

use movegen::Variant;

use super::Network;

/// The file of a game's network.
const fn file(variant: Variant) -> &'static [u8] {
    match variant {
        Variant::Makruk => include_bytes!("../../../networks/makruk.nnue"),
        Variant::Asean => include_bytes!("../../../networks/asean.nnue"),
        Variant::Makhos => include_bytes!("../../../networks/makhos.nnue"),
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
    Network::from_bytes(file(variant)).ok().map(Arc::new)
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
            Network::from_bytes(file(variant)).unwrap().expect_game(variant).unwrap();
            assert!(built_in(variant).is_some());
        }
    }
}
