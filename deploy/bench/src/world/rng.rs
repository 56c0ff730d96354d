//! A seeded random number generator with a sequence that never changes, and weighted choice.

use chrono::{DateTime, TimeDelta, Utc};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

/// The seed of every world.
const SEED: u64 = 0x0070_6f72_7469_6134;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(Pcg64);

impl Rng {
    /// Every table uses its own stream, so that one table does not change the others.
    #[must_use]
    pub fn of(stream: u64) -> Self {
        Self(Pcg64::seed_from_u64(SEED ^ (stream << 32)))
    }

    /// A number from 0 to 1, 1 excluded.
    pub fn unit(&mut self) -> f64 {
        self.0.random()
    }

    /// A number below `end`; 0 below 0.
    pub fn below(&mut self, end: u32) -> u32 {
        self.0.random_range(0..end.max(1))
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number from 1 up with a Pareto distribution. A smaller `shape` has a heavier tail.
    pub fn pareto(&mut self, shape: f64) -> f64 {
        (1.0 - self.unit()).powf(-1.0 / shape)
    }

    /// One of the elements.
    #[expect(clippy::indexing_slicing, reason = "the lists are constants and not empty")]
    pub fn choose<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.0.random_range(0..of.len())]
    }

    /// A moment from `from` up to `until`.
    pub fn between(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) -> DateTime<Utc> {
        let micros = (until - from).num_microseconds().unwrap_or_default().max(1);
        from + TimeDelta::microseconds(self.0.random_range(0..micros))
    }

    /// `count` distinct numbers below `end` in no order: steps of a size that is coprime to `end`.
    pub fn distinct(&mut self, count: u32, end: u32) -> impl Iterator<Item = u32> + use<> {
        let end = u64::from(end.max(1));
        let start = self.0.random_range(0..end);
        let step = loop {
            let step = self.0.random_range(1..=end);
            if common_divisor(step, end) == 1 {
                break step;
            }
        };
        let nth = move |n: u64| (start + n * step) % end;
        (0..u64::from(count).min(end)).filter_map(move |n| u32::try_from(nth(n)).ok())
    }
}

fn common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { common_divisor(other, one % other) }
}

/// Numbers drawn with a probability proportional to their weights.
#[derive(Clone, Debug)]
pub struct Weights {
    sums: Vec<f64>,
}

impl Weights {
    /// The weight of each number.
    #[must_use]
    pub fn new(weights: impl IntoIterator<Item = f64>) -> Self {
        let mut sum = 0.0;
        let sums = weights.into_iter().map(|weight| {
            sum += weight;
            sum
        });
        Self { sums: sums.collect() }
    }

    /// A Zipf distribution: the nth number has the weight 1/n to a power.
    #[must_use]
    pub fn zipf(count: u32, power: f64) -> Self {
        Self::new((1..=count).map(|n| f64::from(n).powf(-power)))
    }

    /// A number.
    pub fn draw(&self, rng: &mut Rng) -> u32 {
        let mark = rng.unit() * self.sums.last().copied().unwrap_or_default();
        let index = self.sums.partition_point(|sum| *sum <= mark);
        u32::try_from(index.min(self.sums.len().saturating_sub(1))).unwrap_or_default()
    }
}

/// Shares of `total` by weight, each at most its cap; together `total`, unless the caps forbid it.
#[must_use]
pub fn shares(total: u32, weights: &[f64], caps: &[u32]) -> Vec<u32> {
    // The factor at which the capped shares sum to the total.
    let cut = |scale: f64| -> Vec<u32> {
        let share = |(weight, cap): (&f64, &u32)| ((weight * scale) as u32).min(*cap);
        weights.iter().zip(caps).map(share).collect()
    };
    let sum = |shares: &[u32]| shares.iter().map(|share| u64::from(*share)).sum::<u64>();
    let (mut low, mut high) = (0.0, 1.0);
    while sum(&cut(high)) <= u64::from(total) && high < 1e12 {
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if sum(&cut(middle)) <= u64::from(total) { low = middle } else { high = middle }
    }
    let mut shares = cut(low);
    // The remainder of rounding goes to the first shares below their caps, one each.
    let mut left = u64::from(total).saturating_sub(sum(&shares));
    for (share, cap) in shares.iter_mut().zip(caps) {
        if left > 0 && *share < *cap {
            *share += 1;
            left -= 1;
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_numbers_are_different_and_below_the_end() {
        let mut rng = Rng::of(1);
        for end in [1, 2, 7, 60, 1000] {
            for count in [0, 1, end / 2, end, end + 5] {
                let mut drawn: Vec<u32> = rng.distinct(count, end).collect();
                assert_eq!(drawn.len(), count.min(end) as usize);
                drawn.sort_unstable();
                drawn.dedup();
                assert_eq!(drawn.len(), count.min(end) as usize);
                assert!(drawn.iter().all(|number| *number < end));
            }
        }
    }

    #[test]
    fn shares_make_the_total_and_keep_to_their_caps() {
        let mut rng = Rng::of(2);
        let weights: Vec<f64> = (0..1000).map(|_| rng.pareto(1.2)).collect();
        let got = shares(5000, &weights, &vec![90; 1000]);
        assert_eq!(got.iter().sum::<u32>(), 5000);
        assert!(got.iter().all(|share| *share <= 90));
        assert_eq!(got.iter().max(), Some(&90), "the largest share reaches its cap");
        assert!(got.iter().filter(|share| **share < 5).count() > 600, "most have little");
        assert_eq!(shares(5000, &weights, &vec![2; 1000]).iter().sum::<u32>(), 2000, "no more than the caps allow");
    }

    #[test]
    fn weight_is_how_often_one_is_drawn() {
        let (mut rng, weights) = (Rng::of(3), Weights::new([1.0, 0.0, 3.0]));
        let mut drawn = [0; 3];
        for _ in 0..4000 {
            drawn[weights.draw(&mut rng) as usize] += 1;
        }
        assert_eq!(drawn[1], 0);
        assert!((900..1100).contains(&drawn[0]), "{drawn:?}");
    }
}
