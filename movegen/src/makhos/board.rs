/// A position of Makhos. Bit `n` of a set is the square with PDN number `n + 1` (b8 = 0, g1 = 31).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    men: [u32; 2],
    kings: [u32; 2],
}

impl Board {
    /// Men of a color.
    #[inline(always)]
    pub fn men(&self, color: crate::Color) -> u32 {
        self.men[color.index()]
    }

    /// Kings of a color.
    #[inline(always)]
    pub fn kings(&self, color: crate::Color) -> u32 {
        self.kings[color.index()]
    }
}
