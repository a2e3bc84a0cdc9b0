//! Which instructions this processor has: asked once, at the root of a long computation.
