//! Values that every layer uses: the clock, ids, error kinds and parsed input. No business term, no I/O.

pub mod clock;
pub mod error;
pub mod ids;
pub mod input;
