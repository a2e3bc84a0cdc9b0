//! The fast path for this processor, chosen once at the root of a long computation.
//!
//! A portable x86-64 binary may not use POPCNT, BMI or AVX2, which costs move generation a third of
//! its speed. So long computations are written as a [`Job`], generic over a [`Level`]; [`dispatch`]
//! asks the processor once and runs the copy of the job that was compiled for it.
//!
//! Two rules make that work. [`Job::run`] must be `#[inline(always)]`, as must everything that it
//! calls and that should profit, because a function is compiled for the instruction set of the
//! function that it is inlined into. And what cannot be inlined (recursion, or a body too large to
//! stand twice) becomes a job of its own, entered through the level that the caller holds:
//! `level.enter(Child { .. })` is a plain call of the copy for the same processor.
//!
//! This module and the kernels of the search's networks are the only ones of the workspace with
//! unsafe code.
#![allow(unsafe_code)]

/// A computation that exists once per [`Level`].
pub trait Job {
    /// What it computes.
    type Output;

    /// Does the work. Implementations must be `#[inline(always)]`.
    fn run<L: Level>(self, level: L) -> Self::Output;
}

/// An instruction set, and the proof that the processor has it.
pub trait Level: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// Calls the copy of the job that was compiled for this level.
    fn enter<J: Job>(self, job: J) -> J::Output;
}

/// What the compiler's target guarantees; the only level on other processors than x86-64.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Level for Baseline {
    #[inline(always)]
    fn enter<J: Job>(self, job: J) -> J::Output {
        #[inline(never)]
        fn call<J: Job>(job: J) -> J::Output {
            job.run(Baseline)
        }
        call(job)
    }
}

/// x86-64 with POPCNT, LZCNT, BMI1, BMI2 and AVX2 (Intel since 2013, AMD since 2015).
///
/// PEXT and PDEP are not used anywhere: AMD processors before 2020 emulate them in microcode.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx2(
    /// Not public: only [`detect`] makes one.
    (),
);

#[cfg(target_arch = "x86_64")]
impl Level for Avx2 {
    #[inline(always)]
    fn enter<J: Job>(self, job: J) -> J::Output {
        #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2,avx2")]
        #[inline(never)]
        fn call<J: Job>(job: J, level: Avx2) -> J::Output {
            job.run(level)
        }
        // SAFETY: an `Avx2` is only made by `detect`, after the processor has confirmed every
        // feature that `call` is compiled for.
        unsafe { call(job, self) }
    }
}

/// [`Avx2`] and the AVX-512 instructions for whole numbers of 8 to 64 bits (Intel servers since
/// 2017, AMD since 2022).
///
/// [`dispatch`] does not choose it, [`dispatch_wide`] does: scalar code gains nothing from it, and
/// every level is one more copy of a job.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx512(
    /// Not public: only [`detect_avx512`] makes one.
    (),
);

#[cfg(target_arch = "x86_64")]
impl Level for Avx512 {
    #[inline(always)]
    fn enter<J: Job>(self, job: J) -> J::Output {
        #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2,avx2")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        #[inline(never)]
        fn call<J: Job>(job: J, level: Avx512) -> J::Output {
            job.run(level)
        }
        // SAFETY: an `Avx512` is only made by `detect_avx512`, after the processor has confirmed
        // every feature that `call` is compiled for.
        unsafe { call(job, self) }
    }
}

/// The level for long rows of numbers, if this processor has it.
#[cfg(target_arch = "x86_64")]
pub fn detect_avx512() -> Option<Avx512> {
    let all = detect().is_some()
        && std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512dq")
        && std::arch::is_x86_feature_detected!("avx512vl");
    all.then_some(Avx512(()))
}

/// The fast level, if this processor has it.
#[cfg(target_arch = "x86_64")]
pub fn detect() -> Option<Avx2> {
    let all = std::arch::is_x86_feature_detected!("popcnt")
        && std::arch::is_x86_feature_detected!("lzcnt")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("avx2");
    all.then_some(Avx2(()))
}

/// Runs the job at the best level of this processor.
#[inline]
pub fn dispatch<J: Job>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(level) = detect() {
        return level.enter(job);
    }
    Baseline.enter(job)
}

/// As [`dispatch`], but for jobs that work on long rows of numbers: with AVX-512 where there is.
#[inline]
pub fn dispatch_wide<J: Job>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(level) = detect_avx512() {
        return level.enter(job);
    }
    dispatch(job)
}

/// Asks the processor to bring the memory behind `value` into its cache; does nothing where there
/// is no such instruction.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE belongs to every x86-64 processor, and a prefetch of any address, let alone
        // that of a live reference, neither faults nor changes anything.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = value;
    }
}
