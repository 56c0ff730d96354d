//! Values that every layer uses: the clock, ids, error kinds, parsed input and the allowance of requests. No I/O.

pub mod allowance;
pub mod clock;
pub mod error;
pub mod ids;
pub mod input;
pub mod log_position;
