//! The table at the end of a run.

use std::{
    collections::BTreeMap,
    fmt::{self, Display},
    time::Duration,
};

use crate::{faults::Recovery, load::Numbers, plan::Kind, verify::Finding};

/// The lines of one finding in the table.
const LINES: usize = 20;

/// The requests of one phase.
#[derive(Clone, Debug)]
pub struct Phase {
    /// Its name.
    pub name: &'static str,
    /// Its duration.
    pub duration: Duration,
    /// The acknowledged writes.
    pub acknowledged: u64,
    /// The attempts.
    pub numbers: Numbers,
}

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The seed.
    pub seed: u64,
    /// The recovery from each fault.
    pub recoveries: Vec<Recovery>,
    /// The phases in their order.
    pub phases: Vec<Phase>,
    /// Responses that contradict an acknowledged write, crashes, and failed requests during a rolling restart.
    pub violations: Vec<String>,
    /// The comparisons after each phase.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Whether nothing contradicts the contract.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.violations.is_empty() && self.findings.iter().all(|finding| finding.mismatches.is_empty())
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}\n", self.seed)?;
        let mut of_kinds: BTreeMap<Kind, Vec<&Recovery>> = BTreeMap::new();
        self.recoveries.iter().for_each(|recovery| of_kinds.entry(recovery.kind).or_default().push(recovery));
        writeln!(
            f,
            "{:<20} {:>6} {:>19} {:>10} {:>22}",
            "fault", "times", "recovered: median", "longest", "longest pause"
        )?;
        for (kind, recoveries) in of_kinds {
            let mut after: Vec<Duration> = recoveries.iter().map(|recovery| recovery.recovered_after).collect();
            after.sort();
            let median = after.get(after.len() / 2).copied().unwrap_or_default().as_secs_f64();
            let longest = after.last().copied().unwrap_or_default().as_secs_f64();
            let pause = recoveries.iter().map(|recovery| recovery.pause).max().unwrap_or_default().as_secs_f64();
            writeln!(f, "{kind:<20} {:>6} {median:>17.1} s {longest:>8.1} s {pause:>20.1} s", recoveries.len())?;
        }
        writeln!(f, "\n{:<40} {:>8} {:>13} {:>8} {:>8}", "phase", "seconds", "acknowledged", "repeated", "reads")?;
        for Phase { name, duration, acknowledged, numbers } in &self.phases {
            let (repeated, reads) = (numbers.repetitions, numbers.reads);
            writeln!(f, "{name:<40} {:>8.0} {acknowledged:>13} {repeated:>8} {reads:>8}", duration.as_secs_f64())?;
            for (reason, n) in &numbers.failures {
                writeln!(f, "    {n:>6} x {reason}")?;
            }
        }
        writeln!(f, "\n{:<46} {:>8} {:>11}", "verified", "rows", "mismatches")?;
        for Finding { what, rows, mismatches } in &self.findings {
            writeln!(f, "{what:<46} {rows:>8} {:>11}", mismatches.len())?;
            mismatches.iter().take(LINES).try_for_each(|mismatch| writeln!(f, "    {mismatch}"))?;
        }
        for violation in self.violations.iter().take(LINES) {
            writeln!(f, "violation: {violation}")?;
        }
        let result = if self.is_clean() { "Every acknowledged write exists once." } else { "FAILED" };
        write!(f, "\n{result} ({} violations)", self.violations.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mismatch_is_shown_and_fails_the_run() {
        let finding = |mismatches: &[&str]| Finding {
            what: "rows of posts".to_owned(),
            rows: 2,
            mismatches: mismatches.iter().map(|each| (*each).to_owned()).collect(),
        };
        let clean = Report { seed: 5, findings: vec![finding(&[])], ..Report::default() };
        assert!(clean.is_clean() && clean.to_string().contains("exists once"));
        let failed = Report { findings: vec![finding(&["missing: a b"])], ..clean };
        assert!(!failed.is_clean() && failed.to_string().contains("    missing: a b\n"), "{failed}");
    }
}
