use std::sync::Arc;

use super::nnue::{Accumulators, Features, Network, NetworkError};
use super::{Evaluator, bounded};

/// A hand-written evaluation that a network can stand in for, where it knows more than one.
pub trait Guide<P: Features>: Evaluator<P> {
    /// The value of a position that no network is asked about.
    fn known(&self, position: &P) -> Option<i32>;

    /// What a network's value (bounded, from the mover's side) is worth: less where the stronger
    /// side can hardly win. Never larger, and of the same sign.
    fn tempered(&self, position: &P, value: i32) -> i32;
}

/// The evaluation of a game: a network within hand-written knowledge, or without a network the
/// hand-written evaluation `H` alone.
///
/// Knowledge that depends on the count stays hand-written: the network sees the board alone, and
/// [`Evaluator::apply_count`] is that of `H`.
#[derive(Clone, Debug)]
pub struct Guided<P: Features, H> {
    hand: H,
    network: Option<Accumulators<P>>,
}

impl<P: Features, H: Default> Default for Guided<P, H> {
    fn default() -> Self {
        Self { hand: H::default(), network: None }
    }
}

impl<P: Features, H: Guide<P>> Evaluator<P> for Guided<P, H> {
    #[inline]
    fn evaluate_raw(&mut self, position: &P) -> i32 {
        let Some(network) = &mut self.network else { return self.hand.evaluate_raw(position) };
        match self.hand.known(position) {
            Some(value) => bounded(value),
            None => self.hand.tempered(position, bounded(network.value(position))),
        }
    }

    #[inline]
    fn apply_count(&self, position: &P, raw: i32) -> i32 {
        self.hand.apply_count(position, raw)
    }

    fn set_network(&mut self, network: Option<Arc<Network>>) -> Result<(), NetworkError> {
        self.network = network.map(Accumulators::new).transpose()?;
        Ok(())
    }

    #[inline]
    fn reset(&mut self, _: &P) {
        if let Some(network) = &mut self.network {
            network.reset();
        }
    }

    #[inline]
    fn push(&mut self, _: &P, _: Option<P::Move>, _: &P) {
        if let Some(network) = &mut self.network {
            network.push();
        }
    }

    #[inline]
    fn pop(&mut self) {
        if let Some(network) = &mut self.network {
            network.pop();
        }
    }
}
