use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use arrayvec::ArrayVec;
use movegen::Color;

use super::network::Line;
use super::reference::centipawns;
use super::simd::{Kernel, Simd, Work, fused};
use super::{Features, Network, NetworkError};

/// More changes than men can have on a board that another board becomes.
const MAX_CHANGES: usize = 64;
/// So few changes that no better source is looked for.
const CLOSE: usize = 4;
/// More changes than this, and the kept views are looked at.
const FAR: usize = 8;
/// Kept views of a player: one for each half of the board that the own king may stand on.
const KEPT: usize = 2;

/// A network at work on the positions of one search path.
///
/// [`Accumulators::push`] and [`Accumulators::pop`] follow the search and cost next to nothing:
/// accumulators are computed when a value is asked for, from whichever known position differs
/// least. What differs is found by comparing the men on the board, so no kind of move needs any
/// care, and a value is right whatever was or was not pushed before.
#[derive(Clone)]
pub struct Accumulators<P: Features> {
    network: Arc<Network>,
    simd: Simd,
    /// What each ply of the path saw last; plies beyond the present one stay as they were.
    path: Vec<Frame<P::Planes>>,
    /// The men of the last position that no ply of the path was near, by player and orientation.
    kept: [[P::Planes; KEPT]; 2],
    /// The accumulators: `kept` first, then White's and Black's of each ply.
    lines: Vec<Line>,
    ply: usize,
}

/// The men that accumulators stand for.
#[derive(Clone, Copy, Default)]
struct Frame<T> {
    planes: T,
    /// By player.
    orientations: [usize; 2],
}

/// Men that have come and gone, as plane times squares plus square.
#[derive(Default)]
struct Changes {
    come: ArrayVec<u16, MAX_CHANGES>,
    gone: ArrayVec<u16, MAX_CHANGES>,
}

impl Changes {
    /// What makes `after` of `before`, in place of what was found earlier.
    #[inline(always)]
    fn find<P: Features>(&mut self, before: &P::Planes, after: &P::Planes) {
        self.come.clear();
        self.gone.clear();
        let (before, after) = (before.as_ref(), after.as_ref());
        // Most planes are the same: a few vector comparisons tell which are not.
        let mut differ = 0_u32;
        for (plane, (before, after)) in before.iter().zip(after).enumerate() {
            differ |= u32::from(before != after) << plane;
        }
        while differ != 0 {
            let plane = differ.trailing_zeros() as usize;
            differ &= differ - 1;
            list(&mut self.come, plane * P::SQUARES, after[plane] & !before[plane]);
            list(&mut self.gone, plane * P::SQUARES, before[plane] & !after[plane]);
        }
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.come.len() + self.gone.len()
    }
}

#[inline(always)]
fn list(men: &mut ArrayVec<u16, MAX_CHANGES>, first: usize, mut set: u64) {
    while set != 0 {
        // Never full: no board has that many men.
        let _ = men.try_push((first + set.trailing_zeros() as usize) as u16);
        set &= set - 1;
    }
}

/// How many men have come and gone.
#[inline(always)]
fn distance<P: Features>(before: &P::Planes, after: &P::Planes) -> usize {
    let planes = before.as_ref().iter().zip(after.as_ref());
    planes.map(|(before, after)| (before ^ after).count_ones() as usize).sum()
}

impl<P: Features> fmt::Debug for Accumulators<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accumulators")
            .field("network", &self.network)
            .field("simd", &self.simd)
            .field("ply", &self.ply)
            .finish_non_exhaustive()
    }
}

impl<P: Features> Accumulators<P> {
    /// A path of one position.
    ///
    /// # Errors
    /// If the network plays another game.
    pub fn new(network: Arc<Network>) -> Result<Self, NetworkError> {
        Self::at(Simd::best(), network)
    }

    fn at(simd: Simd, network: Arc<Network>) -> Result<Self, NetworkError> {
        network.expect_game(P::VARIANT)?;
        let mut accumulators = Self {
            network,
            simd,
            path: Vec::new(),
            kept: [[P::Planes::default(); KEPT]; 2],
            lines: Vec::new(),
            ply: 0,
        };
        accumulators.extend(64);
        Ok(accumulators)
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// A new path begins.
    #[inline]
    pub fn reset(&mut self) {
        self.ply = 0;
    }

    /// The path becomes longer by a move or a null move.
    #[inline(always)]
    pub fn push(&mut self) {
        self.ply += 1;
    }

    /// Takes the last [`Accumulators::push`] back.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.ply = self.ply.saturating_sub(1);
    }

    /// What the network says about the last position of the path, in centipawns from the mover's
    /// side and not bounded: exactly [`Network::value_from_scratch`].
    #[inline]
    pub fn value(&mut self, position: &P) -> i32 {
        if self.ply >= self.path.len() {
            self.extend((self.ply + 1).max(2 * self.path.len()));
        }
        self.simd.run(Value { accumulators: self, position })
    }

    /// Makes room for `plies` of the path. An empty board is all bias.
    #[cold]
    fn extend(&mut self, plies: usize) {
        self.path.resize_with(plies, Frame::default);
        let bias = self.network.feature_bias();
        let rows = 2 * KEPT + 2 * plies;
        self.lines.reserve_exact((rows * bias.len()).saturating_sub(self.lines.len()));
        while self.lines.len() < rows * bias.len() {
            self.lines.extend_from_slice(bias);
        }
    }

    /// Brings the present ply's accumulators up to the position with these men.
    #[inline(always)]
    fn update<K: Kernel>(&mut self, planes: &P::Planes, kernel: K) {
        let (here, parent) = (self.ply, self.ply.saturating_sub(1));
        let mut source = parent;
        let mut changes = Changes::default();
        changes.find::<P>(&self.path[parent].planes, planes);
        // An earlier brother may be nearer than a parent that was never asked for.
        if changes.len() > CLOSE && distance::<P>(&self.path[here].planes, planes) < changes.len() {
            source = here;
            changes.find::<P>(&self.path[here].planes, planes);
        }
        let mut orientations = [0; 2];
        for color in Color::ALL {
            let orientation = P::orientation(planes, color);
            orientations[color.index()] = orientation;
            let turned = self.path[source].orientations[color.index()] != orientation;
            let worse_than = if turned { usize::MAX } else { changes.len() };
            let view = View { color, orientation };
            // Out of line, because it is rare.
            if worse_than > FAR
                && kernel.call(Recall { accumulators: self, planes, view, worse_than })
            {
                continue;
            }
            let row = |ply: usize| 2 * KEPT + 2 * ply + color.index();
            self.apply(row(here), row(source), &changes, view);
        }
        let frame = &mut self.path[here];
        frame.planes = *planes;
        frame.orientations = orientations;
    }

    /// `target = source + changes`, target and source by number of row.
    #[inline(always)]
    fn apply(&mut self, target: usize, source: usize, changes: &Changes, view: View) {
        let network = &*self.network;
        let lines = network.lines();
        let cells = Cell::from_mut(&mut self.lines[..]).as_slice_of_cells();
        let target = &cells[target * lines..][..lines];
        let source = &cells[source * lines..][..lines];
        let weights = |man: u16| {
            let (plane, square) = (usize::from(man) / P::SQUARES, usize::from(man) % P::SQUARES);
            let feature = P::feature(plane, square, view.color, view.orientation);
            network.feature_weights(feature)
        };
        match (&changes.come[..], &changes.gone[..]) {
            // A move and a capture; then whatever there is.
            (&[a], &[b]) => fused(target, source, [weights(a)], [weights(b)]),
            (&[a], &[b, c]) => fused(target, source, [weights(a)], [weights(b), weights(c)]),
            (&[], &[]) => fused(target, source, [], []),
            (come, gone) => {
                let mut from = source;
                let (twos_come, _) = come.as_chunks();
                let (twos_gone, _) = gone.as_chunks();
                for (&[a, b], &[c, d]) in twos_come.iter().zip(twos_gone) {
                    fused(target, from, [weights(a), weights(b)], [weights(c), weights(d)]);
                    from = target;
                }
                let done = 2 * twos_come.len().min(twos_gone.len());
                let (fours, rest) = come[done..].as_chunks();
                for &[a, b, c, d] in fours {
                    let rows = [weights(a), weights(b), weights(c), weights(d)];
                    fused(target, from, rows, []);
                    from = target;
                }
                for &man in rest {
                    fused(target, from, [weights(man)], []);
                    from = target;
                }
                for &man in &gone[done..] {
                    fused(target, from, [], [weights(man)]);
                    from = target;
                }
            }
        }
    }
}

/// How a player sees the board.
#[derive(Clone, Copy)]
struct View {
    color: Color,
    orientation: usize,
}

/// Update of one player's accumulator from the view that was kept, if that needs fewer changes
/// than `worse_than`. The view kept from now on is this one.
struct Recall<'a, P: Features> {
    accumulators: &'a mut Accumulators<P>,
    planes: &'a P::Planes,
    view: View,
    worse_than: usize,
}

impl<P: Features> Work for Recall<'_, P> {
    type Output = bool;

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) -> bool {
        let Self { accumulators, planes, view, worse_than } = self;
        let slot = view.orientation % KEPT;
        let color = view.color.index();
        let kept = &mut accumulators.kept[color][slot];
        let mut changes = Changes::default();
        changes.find::<P>(kept, planes);
        if changes.len() >= worse_than {
            return false;
        }
        *kept = *planes;
        let row = 2 * slot + color;
        let target = 2 * KEPT + 2 * accumulators.ply + color;
        accumulators.apply(row, row, &changes, view);
        accumulators.apply(target, row, &Changes::default(), view);
        true
    }
}

/// Update and output, as one piece of work.
struct Value<'a, P: Features> {
    accumulators: &'a mut Accumulators<P>,
    position: &'a P,
}

impl<P: Features> Work for Value<'_, P> {
    type Output = i32;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> i32 {
        let Self { accumulators, position } = self;
        let planes = position.planes();
        accumulators.update(&planes, kernel);
        let network = &*accumulators.network;
        let lines = network.lines();
        let first = (2 * KEPT + 2 * accumulators.ply) * lines;
        let both = &mut accumulators.lines[first..][..2 * lines];
        let (white, black) = Cell::from_mut(both).as_slice_of_cells().split_at(lines);
        let white_moves = position.side_to_move() == Color::White;
        let (own, other) = if white_moves { (white, black) } else { (black, white) };
        let bucket = P::bucket(&planes);
        let (own_weights, other_weights) = network.output_weights(bucket).split_at(lines);
        let sum = kernel.dot(own, own_weights).wrapping_add(kernel.dot(other, other_weights));
        centipawns(sum, network.output_bias(bucket))
    }
}

#[cfg(test)]
mod tests {
    use movegen::chess::{AseanBoard, MakrukBoard};
    use movegen::{ChessRules, MakhosRules, Position, makhos};

    use super::super::random::{Random, random_network};
    use super::*;

    /// What a walk came across.
    #[derive(Default)]
    struct Seen {
        values: usize,
        nulls: usize,
        /// Men that have come and gone in a move.
        moves: Vec<(usize, usize)>,
        mirrored: usize,
    }

    /// Wanders through the tree below a position and compares every level with values from
    /// scratch, at some of the nodes.
    fn wander<P: Features>(start: &P, hidden: usize, steps: usize) -> Seen {
        let network = Arc::new(random_network(P::VARIANT, hidden, 11).unwrap());
        let mut all: Vec<_> = Simd::all()
            .into_iter()
            .map(|simd| Accumulators::<P>::at(simd, Arc::clone(&network)).unwrap())
            .collect();
        let mut random = Random::new(steps as u64);
        let mut below = |n: usize| random.within(i16::MAX).unsigned_abs() as usize % n;
        let mut path = vec![start.clone()];
        let mut seen = Seen::default();
        for step in 0..steps {
            let position = path.last().unwrap().clone();
            if below(3) > 0 {
                let planes = position.planes();
                let expected = network.value_from_scratch::<P>(&planes, position.side_to_move());
                for accumulators in &mut all {
                    let value = accumulators.value(&position);
                    assert_eq!(value, expected, "step {step} of {accumulators:?}");
                }
                seen.values += 1;
            }
            let moves = position.legal_moves();
            let back = moves.is_empty() || path.len() > 300 || below(5) == 0;
            let next = match below(12) {
                _ if back => None,
                0 if !position.is_forced() => Some(position.play_null()),
                _ => Some(position.play_unchecked(moves[below(moves.len())])),
            };
            if let Some(next) = next {
                let mut changes = Changes::default();
                changes.find::<P>(&position.planes(), &next.planes());
                seen.nulls += usize::from(changes.len() == 0);
                seen.moves.push((changes.come.len(), changes.gone.len()));
                let orientation = |p: &P| Color::ALL.map(|c| P::orientation(&p.planes(), c));
                seen.mirrored += usize::from(orientation(&position) != orientation(&next));
                all.iter_mut().for_each(Accumulators::push);
                path.push(next);
            } else {
                for _ in 0..(1 + below(4)).min(path.len() - 1) {
                    all.iter_mut().for_each(Accumulators::pop);
                    path.pop();
                }
            }
            if below(400) == 0 {
                let root = path.pop().unwrap();
                path = vec![root];
                all.iter_mut().for_each(Accumulators::reset);
            }
        }
        seen
    }

    const STEPS: usize = if cfg!(debug_assertions) { 1500 } else { 20_000 };

    fn wander_in_chess<R: movegen::chess::Rules>(fens: &[&str])
    where
        movegen::chess::Board<R>: Position<Rules = ChessRules>,
    {
        for (hidden, fen) in [32, 64, 96, 256].into_iter().zip(fens) {
            let rules = ChessRules::STANDARD;
            let start = movegen::chess::Board::<R>::from_fen(fen, rules).unwrap();
            let seen = wander(&start, hidden, STEPS);
            assert!(seen.values > STEPS / 2 && seen.nulls > 20 && seen.mirrored > 20, "{fen}");
            assert!(seen.moves.contains(&(1, 1)) && seen.moves.contains(&(1, 2)), "{fen}");
        }
    }

    #[test]
    fn makruk_values_are_those_from_scratch() {
        wander_in_chess::<movegen::chess::Makruk>(&[
            MakrukBoard::start(ChessRules::STANDARD).fen().as_str(),
            "2r1k2r/3n4/1p1p1n2/P1P1P3/1p3p1p/P1N3P1/3S4/R2K3R w - - 0 1",
            "3m4/3s1M2/2Mk3r/pP5p/2n1R1P1/6S1/R2N1M2/2K5 w - - 5 50",
        ]);
    }

    #[test]
    fn asean_values_are_those_from_scratch() {
        wander_in_chess::<movegen::chess::Asean>(&[
            "1r2k1n1/P1P3P1/8/3p4/4P3/8/p1p3p1/1R2K1N1 w - - 0 1",
            AseanBoard::start(ChessRules::STANDARD).fen().as_str(),
            "8/4R3/5n2/p1k3B1/5R1N/7P/b1QK3N/8 w - - 3 47",
        ]);
    }

    #[test]
    fn makhos_values_are_those_from_scratch() {
        let mut most = 0;
        for fen in ["W:W17,22,29,31,32:B1,4,6,7,8,14,24,28", "W:W25,K9,28:B10,11,17,18,19,24"] {
            let start = makhos::Board::from_fen(fen, MakhosRules::STANDARD).unwrap();
            let seen = wander(&start, 64, STEPS);
            assert!(seen.values > STEPS / 2 && seen.nulls > 20, "{fen}");
            most = seen.moves.iter().map(|&(_, gone)| gone).max().unwrap().max(most);
        }
        assert!(most >= 4, "no capture of three");
    }

    #[test]
    fn values_do_not_depend_on_what_was_pushed() {
        let network = Arc::new(random_network(movegen::Variant::Makruk, 64, 12).unwrap());
        let fens = [
            "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
            "8/5n1k/5rm1/PP6/1NM5/1K6/8/6R1 w - - 0 1",
            "8/8/2sSs3/3s4/3k4/2s1s3/2SS4/4K3 b - - 0 1",
            "2sm4/4k2r/n1pp1s2/pr2P1R1/1PP2n2/P1S1PPS1/R1K5/1N2M3 b - - 2 23",
        ];
        let boards = fens.map(|fen| MakrukBoard::from_fen(fen, ChessRules::STANDARD).unwrap());
        let mut accumulators = Accumulators::new(Arc::clone(&network)).unwrap();
        for round in 0..200_usize {
            let board = &boards[round * round % 7 % 4];
            let expected =
                network.value_from_scratch::<MakrukBoard>(&board.planes(), board.side_to_move());
            assert_eq!(accumulators.value(board), expected, "round {round}");
            match round % 5 {
                0 | 1 => accumulators.push(),
                2 => (0..100).for_each(|_| accumulators.push()),
                3 => (0..60).for_each(|_| accumulators.pop()),
                _ => {}
            }
        }
        assert_eq!(accumulators.network().hidden(), 64);
        assert_eq!(
            Accumulators::<makhos::Board>::new(network).unwrap_err().to_string(),
            "the network plays makruk, not makhos"
        );
    }
}
