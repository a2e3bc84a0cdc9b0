//! Principal variations, as a triangle.

use crate::worker::STACK;

/// The best line from every ply of the path.
#[derive(Clone, Debug)]
pub(crate) struct PvTable<M> {
    /// Row `ply` holds the line from that ply on.
    lines: Vec<Vec<M>>,
}

impl<M: Copy> PvTable<M> {
    pub(crate) fn new() -> Self {
        // Rows get their memory the first time they are used and keep it.
        Self { lines: (0..=STACK).map(|_| Vec::new()).collect() }
    }

    /// No line from `ply` on.
    #[inline(always)]
    pub(crate) fn clear(&mut self, ply: usize) {
        if let Some(line) = self.lines.get_mut(ply) {
            line.clear();
        }
    }

    /// The line from `ply` on is `m` and then the line of the next ply.
    pub(crate) fn update(&mut self, ply: usize, m: M) {
        let (head, tail) = self.lines.split_at_mut((ply + 1).min(STACK));
        if let (Some(line), Some(next)) = (head.last_mut(), tail.first()) {
            line.clear();
            line.push(m);
            line.extend_from_slice(next);
        }
    }

    /// The line from `ply` on.
    pub(crate) fn line(&self, ply: usize) -> &[M] {
        self.lines.get(ply).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_grow_towards_the_root() {
        let mut pv = PvTable::new();
        pv.clear(2);
        pv.update(1, 'b');
        pv.update(0, 'a');
        assert_eq!(pv.line(0), ['a', 'b']);
        pv.clear(1);
        pv.update(0, 'c');
        assert_eq!(pv.line(0), ['c']);
        pv.update(STACK + 5, 'x');
    }
}
