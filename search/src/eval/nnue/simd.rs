//! The kernels, once for every instruction set, chosen at run time.
//!
//! Updates are plain loops over [`Line`]s, which the compiler turns into whole vectors at each
//! level. The products of an output are not: their pairwise sums (`vpmaddwd`) are beyond it, so they
//! are written with intrinsics. Elsewhere, NEON included, the plain loop compiles to vector code.
#![allow(unsafe_code)]

use std::cell::Cell;

#[cfg(target_arch = "x86_64")]
use movegen::cpu::{Avx2, Avx512};
use movegen::cpu::{Baseline, Job, Level};

use super::network::Line;
use super::{HIDDEN_UNIT, QA};

/// The instruction sets that kernels exist for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Simd {
    /// Whatever the compiler's target guarantees.
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

/// What [`Simd::run`] does at the chosen level.
pub(super) trait Work {
    type Output;

    /// Implementations must be `#[inline(always)]`: see [`movegen::cpu`].
    fn run<K: Kernel>(self, kernel: K) -> Self::Output;
}

/// Work with the kernels of a level, for that level.
struct At<W, K>(W, K);

impl<W: Work, K: Kernel> Job for At<W, K> {
    type Output = W::Output;

    #[inline(always)]
    fn run<L: Level>(self, _: L) -> W::Output {
        self.0.run(self.1)
    }
}

impl Simd {
    /// The best of this processor.
    pub(super) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(level) = movegen::cpu::detect_avx512() {
            return Self::Avx512(level);
        } else if let Some(level) = movegen::cpu::detect() {
            return Self::Avx2(level);
        }
        Self::Baseline
    }

    /// What people call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "AVX2",
            Self::Baseline if cfg!(target_arch = "aarch64") => "NEON",
            Self::Baseline => "no extension of the basic instruction set",
        }
    }

    /// All that this processor has.
    #[cfg(test)]
    pub(super) fn all() -> Vec<Self> {
        let mut all = vec![Self::Baseline];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(movegen::cpu::detect().map(Self::Avx2));
            all.extend(movegen::cpu::detect_avx512().map(Self::Avx512));
        }
        all
    }

    /// Calls the copy of the work that was compiled for this level.
    #[inline(always)]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        match self {
            Self::Baseline => Baseline.enter(At(work, Baseline)),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(level) => level.enter(At(work, level)),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(level) => level.enter(At(work, level)),
        }
    }
}

/// A level with its way to compute outputs.
pub(super) trait Kernel: Level {
    /// Sum of `clamp(unit, 0, QA)^2 * weight`, exact if it fits 32 bits, where each weight times
    /// `QA` fits 16 bits. The shorter of the two rows counts.
    fn dot(self, units: &[Cell<Line>], weights: &[Line]) -> i32;

    /// Does work that is too large to be inlined, at the same level.
    #[inline(always)]
    fn call<W: Work>(self, work: W) -> W::Output {
        self.enter(At(work, self))
    }
}

impl Kernel for Baseline {
    #[inline(always)]
    fn dot(self, units: &[Cell<Line>], weights: &[Line]) -> i32 {
        let mut sums = [0_i32; HIDDEN_UNIT];
        for (units, weights) in units.iter().zip(weights) {
            let units = units.get();
            for ((sum, unit), &weight) in sums.iter_mut().zip(units.0).zip(&weights.0) {
                let clipped = unit.clamp(0, QA as i16);
                let product = clipped.wrapping_mul(weight);
                *sum = sum.wrapping_add(i32::from(product) * i32::from(clipped));
            }
        }
        sums.into_iter().fold(0, i32::wrapping_add)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
        _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_madd_epi16, _mm256_max_epi16,
        _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
        _mm512_add_epi32, _mm512_madd_epi16, _mm512_max_epi16, _mm512_min_epi16,
        _mm512_mullo_epi16, _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_setzero_si512,
    };

    use super::{Avx2, Avx512, Cell, Kernel, Line, QA};

    impl Kernel for Avx2 {
        #[inline(always)]
        fn dot(self, units: &[Cell<Line>], weights: &[Line]) -> i32 {
            // SAFETY: `self` proves that the processor has AVX2.
            unsafe { dot_avx2(units, weights) }
        }
    }

    impl Kernel for Avx512 {
        #[inline(always)]
        fn dot(self, units: &[Cell<Line>], weights: &[Line]) -> i32 {
            // SAFETY: `self` proves that the processor has AVX-512 F and BW.
            unsafe { dot_avx512(units, weights) }
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn halves(line: Line) -> [__m256i; 2] {
        // SAFETY: 32 numbers of 16 bits are two vectors of 256 bits, and every bit pattern is one.
        unsafe { std::mem::transmute::<Line, [__m256i; 2]>(line) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn dot_avx2(units: &[Cell<Line>], weights: &[Line]) -> i32 {
        let (low, high) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA as i16));
        let mut sums = [low; 2];
        for (units, &weights) in units.iter().zip(weights) {
            let (units, weights) = (halves(units.get()), halves(weights));
            for i in 0..2 {
                let clipped = _mm256_min_epi16(_mm256_max_epi16(units[i], low), high);
                let products = _mm256_mullo_epi16(clipped, weights[i]);
                sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(products, clipped));
            }
        }
        let sum = _mm256_add_epi32(sums[0], sums[1]);
        let sum = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b01_00_11_10>(sum));
        let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b10_11_00_01>(sum));
        _mm_cvtsi128_si32(sum)
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    fn whole(line: Line) -> __m512i {
        // SAFETY: 32 numbers of 16 bits are a vector of 512 bits, and every bit pattern is one.
        unsafe { std::mem::transmute::<Line, __m512i>(line) }
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    fn dot_avx512(units: &[Cell<Line>], weights: &[Line]) -> i32 {
        let (low, high) = (_mm512_setzero_si512(), _mm512_set1_epi16(QA as i16));
        let mut sum = low;
        for (units, &weights) in units.iter().zip(weights) {
            let clipped = _mm512_min_epi16(_mm512_max_epi16(whole(units.get()), low), high);
            let products = _mm512_mullo_epi16(clipped, whole(weights));
            sum = _mm512_add_epi32(sum, _mm512_madd_epi16(products, clipped));
        }
        _mm512_reduce_add_epi32(sum)
    }
}

/// Lines that are worked on in one go.
const BLOCK: usize = 4;

/// `target = source + rows of adds - rows of subs`. All rows have the same length; target and
/// source may be the same.
#[inline(always)]
pub(super) fn fused<const ADDS: usize, const SUBS: usize>(
    target: &[Cell<Line>],
    source: &[Cell<Line>],
    adds: [&[Line]; ADDS],
    subs: [&[Line]; SUBS],
) {
    let (targets, rest) = target.as_chunks::<BLOCK>();
    let (sources, source_rest) = source.as_chunks::<BLOCK>();
    for (i, (target, source)) in targets.iter().zip(sources).enumerate() {
        let (first, end) = (i * BLOCK, (i + 1) * BLOCK);
        fuse(target, source, adds, subs, first, end);
    }
    let first = targets.len() * BLOCK;
    fuse(rest, source_rest, adds, subs, first, first + rest.len());
}

/// The lines `first..end` of [`fused`].
#[inline(always)]
fn fuse<const ADDS: usize, const SUBS: usize>(
    target: &[Cell<Line>],
    source: &[Cell<Line>],
    adds: [&[Line]; ADDS],
    subs: [&[Line]; SUBS],
    first: usize,
    end: usize,
) {
    let mut add_rows = [&[][..]; ADDS];
    for (part, row) in add_rows.iter_mut().zip(adds) {
        *part = &row[first..end];
    }
    let mut sub_rows = [&[][..]; SUBS];
    for (part, row) in sub_rows.iter_mut().zip(subs) {
        *part = &row[first..end];
    }
    for (i, (target, source)) in target.iter().zip(source).enumerate() {
        let mut sum = source.get();
        for row in add_rows {
            for (sum, &weight) in sum.0.iter_mut().zip(&row[i].0) {
                *sum = sum.wrapping_add(weight);
            }
        }
        for row in sub_rows {
            for (sum, &weight) in sum.0.iter_mut().zip(&row[i].0) {
                *sum = sum.wrapping_sub(weight);
            }
        }
        target.set(sum);
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;

    fn lines(random: &mut Random, count: usize, limit: i16) -> Vec<Line> {
        (0..count).map(|_| Line(std::array::from_fn(|_| random.within(limit)))).collect()
    }

    struct Dot<'a>(&'a [Cell<Line>], &'a [Line]);

    impl Work for Dot<'_> {
        type Output = i32;

        #[inline(always)]
        fn run<K: Kernel>(self, kernel: K) -> i32 {
            kernel.dot(self.0, self.1)
        }
    }

    fn exact(units: &[Line], weights: &[Line]) -> i64 {
        let products = units.iter().zip(weights).flat_map(|(u, w)| {
            u.0.into_iter().zip(w.0).map(|(unit, weight)| {
                let clipped = i64::from(unit).clamp(0, 255);
                clipped * clipped * i64::from(weight)
            })
        });
        products.sum()
    }

    #[test]
    fn every_level_computes_exact_products() {
        let mut random = Random::new(1);
        for round in 0..2000 {
            let count = 1 + round % 33;
            let limit = [300, 700, i16::MAX][round % 3];
            let mut units = lines(&mut random, count, limit);
            let weights = lines(&mut random, count, 127);
            let expected = exact(&units, &weights) as i32;
            for simd in Simd::all() {
                let cells = Cell::from_mut(&mut units[..]).as_slice_of_cells();
                assert_eq!(simd.run(Dot(cells, &weights)), expected, "{simd:?} round {round}");
            }
        }
    }

    #[test]
    fn every_level_reaches_the_ends_of_32_bits() {
        // The largest sum that the loader admits, and one whose parts alone overflow.
        for weight in [127, -127] {
            let mut weights = vec![Line([0; 32]); 9];
            weights.iter_mut().flat_map(|line| &mut line.0).take(260).for_each(|w| *w = weight);
            let mut units = vec![Line([i16::MAX; 32]); 9];
            let expected = i32::try_from(exact(&units, &weights)).unwrap();
            let mut wrapped = vec![Line([weight; 32]); 12];
            wrapped.extend([Line([-weight; 32]); 12]);
            let mut full = vec![Line([255; 32]); 24];
            for simd in Simd::all() {
                let cells = Cell::from_mut(&mut units[..]).as_slice_of_cells();
                assert_eq!(simd.run(Dot(cells, &weights)), expected, "{simd:?}");
                let cells = Cell::from_mut(&mut full[..]).as_slice_of_cells();
                assert_eq!(simd.run(Dot(cells, &wrapped)), 0, "{simd:?}");
            }
        }
    }

    struct Update<'a>(&'a [Cell<Line>], &'a [Cell<Line>], &'a [Vec<Line>; 4]);

    impl Work for Update<'_> {
        type Output = ();

        #[inline(always)]
        fn run<K: Kernel>(self, _: K) {
            let [a, b, c, d] = self.2;
            fused(self.0, self.1, [a, b, c], [d]);
            fused::<0, 2>(self.0, self.0, [], [b, c]);
        }
    }

    #[test]
    fn every_level_updates_alike_and_wraps() {
        let mut random = Random::new(2);
        for count in 1..=32 {
            let mut source = lines(&mut random, count, i16::MAX);
            let rows = [0; 4].map(|_| lines(&mut random, count, i16::MAX));
            let of = |i: usize, k: usize, row: usize| rows[row][i].0[k];
            let expected: Vec<Line> = (0..count)
                .map(|i| {
                    Line(std::array::from_fn(|k| {
                        let sum = source[i].0[k].wrapping_add(of(i, k, 0));
                        sum.wrapping_sub(of(i, k, 3))
                    }))
                })
                .collect();
            for simd in Simd::all() {
                let mut target = vec![Line([7; 32]); count];
                let cells = Cell::from_mut(&mut target[..]).as_slice_of_cells();
                let from = Cell::from_mut(&mut source[..]).as_slice_of_cells();
                simd.run(Update(cells, from, &rows));
                assert_eq!(target, expected, "{simd:?}, {count} lines");
            }
        }
    }
}
