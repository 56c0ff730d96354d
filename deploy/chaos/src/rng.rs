//! Seeded random numbers: equal seeds give equal plans and equal choices.

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(Pcg64);

impl Rng {
    /// The stream of a seed for one purpose: another stream does not change it.
    #[must_use]
    pub fn of(seed: u64, stream: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// A number below `end`; 0 below 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0.random_range(0..end.max(1))
    }

    /// True once in `n`.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the elements; `None` of an empty list.
    pub fn choose<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    /// Orders a list at random.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end + 1));
        }
    }
}
