//! Random numbers for the history.

/// A random number generator with the same sequence in every run (splitmix64).
pub struct Rng(u64);

impl Rng {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `below`.
    pub fn draw(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % below as u64).unwrap()
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.draw(from.len())].clone()
    }
}
