//! Which instructions this processor has: asked once, at the root of a long computation.

/// Asks the processor to bring the memory behind `value` into its cache; does nothing where there
/// is no such instruction.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[expect(unsafe_code, reason = "there is no safe way to say this")]
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
