//! The other work of the machine during a turn: a ratio measured beside much other work is not printed.

use std::fs;

use anyhow::Context as _;

/// The most that other processes and the hypervisor may use of the processors during a turn.
const MAX_OTHERS: f64 = 0.10;
/// The unit of /proc: a hundredth of a second on every supported machine.
const MILLIS_A_TICK: f64 = 10.0;

/// The times of all processors together, in ticks (proc(5), the first line of /proc/stat).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    total: u64,
    /// Processes and the kernel for them. Interrupts are in no process, and not here.
    busy: u64,
    /// Taken by the hypervisor.
    steal: u64,
}

/// The shares of the processors that were not spent on the measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disturbance {
    /// The share of other processes.
    pub others: f64,
    /// The share of the hypervisor.
    pub steal: f64,
}

impl Disturbance {
    /// Whether a turn beside it can be compared.
    #[must_use]
    pub fn is_small(self) -> bool {
        self.others + self.steal <= MAX_OTHERS
    }
}

impl Times {
    /// The current ones.
    ///
    /// # Errors
    /// When the machine is not Linux.
    pub fn now() -> anyhow::Result<Self> {
        let text = fs::read_to_string("/proc/stat").context("/proc/stat cannot be read")?;
        text.lines().next().and_then(Self::parse).context("/proc/stat has an unknown format")
    }

    /// `cpu  user nice system idle iowait irq softirq steal ..`
    fn parse(line: &str) -> Option<Self> {
        let numbers: Vec<u64> =
            line.strip_prefix("cpu ")?.split_whitespace().map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let [user, nice, system, idle, waiting, irq, soft, steal, ..] = *numbers.as_slice() else { return None };
        let busy = user + nice + system;
        Some(Self { total: busy + idle + waiting + irq + soft + steal, busy, steal })
    }

    /// Returns the other work since `before`, during which the measured processes and their client used `own_ms`.
    #[must_use]
    pub fn disturbance_since(self, before: Self, own_ms: u64) -> Disturbance {
        let total = (self.total.saturating_sub(before.total) as f64).max(1.0);
        let others = self.busy.saturating_sub(before.busy) as f64 - own_ms as f64 / MILLIS_A_TICK;
        Disturbance { others: others.max(0.0) / total, steal: self.steal.saturating_sub(before.steal) as f64 / total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_of_others_and_of_the_hypervisor_are_read() {
        let before = Times::parse("cpu  100 10 50 1000 5 7 8 20 0 0").unwrap();
        assert_eq!(before, Times { total: 1_200, busy: 160, steal: 20 });
        let after = Times::parse("cpu  150 10 70 1100 5 7 8 50 0 0").unwrap();
        let disturbance = after.disturbance_since(before, 500);
        assert_eq!(disturbance, Disturbance { others: 0.1, steal: 0.15 });
        assert!(!disturbance.is_small());
        let alone = after.disturbance_since(before, 700);
        assert_eq!(alone.others, 0.0);
        assert!(Disturbance { steal: 0.1, ..alone }.is_small());
        assert!(!Disturbance { steal: 0.11, ..alone }.is_small());
        assert!(Times::parse("cpu0 1 2").is_none() && Times::parse("cpu  1 2 3").is_none());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_times_of_this_machine_are_read() {
        let times = Times::now().unwrap();
        assert!(times.total > times.busy && times.busy > 0, "{times:?}");
    }
}
