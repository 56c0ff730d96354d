//! The lines of the table: medians and ratios of the rounds in which the machine did little else.

use std::fmt;

use serde::Serialize;

use crate::{machine::Disturbance, turn::median};

/// The unit that a row counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Unit {
    /// Processor time of all processes and Postgres for an operation.
    CpuMs,
    /// Operations per second.
    PerSecond,
    /// Milliseconds that pass.
    Ms,
}

/// The goal of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// The ratio to the other contestant.
    RatioAtMost(f64),
    /// The ratio to Portia's own search of people.
    OfPeopleAtMost(f64),
    /// Portia's processor time.
    CpuAtMost(f64),
    /// Portia's rate.
    RateAtLeast(f64),
    /// The 99th percentile in milliseconds.
    P99AtMost(f64),
    /// The longest delay in milliseconds.
    SlowestAtMost(f64),
    /// The ratio of the larger data to the smaller.
    GrowthAtMost(f64),
}

impl Goal {
    const fn is_ratio(self) -> bool {
        matches!(self, Self::RatioAtMost(_) | Self::OfPeopleAtMost(_) | Self::GrowthAtMost(_))
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RatioAtMost(most) | Self::GrowthAtMost(most) => write!(f, "<= {most}x"),
            Self::OfPeopleAtMost(most) => write!(f, "<= {most}x people"),
            Self::CpuAtMost(most) | Self::P99AtMost(most) | Self::SlowestAtMost(most) => write!(f, "<= {most} ms"),
            Self::RateAtLeast(least) => write!(f, ">= {least}/s"),
        }
    }
}

/// One turn of one contestant.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// The value in the unit of the row.
    pub value: f64,
    /// The other work of the machine.
    pub disturbance: Disturbance,
}

/// One round of a row.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Portia's turn.
    pub portia: Turn,
    /// The turn of the other contestant, if the row has a ratio.
    pub other: Option<Turn>,
}

impl Round {
    fn is_quiet(&self) -> bool {
        self.portia.disturbance.is_small() && self.other.is_none_or(|turn| turn.disturbance.is_small())
    }
}

/// The median of the rounds, and the ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The minimum.
    pub least: f64,
    /// The maximum.
    pub most: f64,
}

impl Spread {
    /// Computes the spread; `None` without values.
    #[must_use]
    pub fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        Some(Self { median: median(&values), least: *values.first()?, most: *values.last()? })
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = if self.median >= 100.0 { 0 } else { 2 };
        let Self { median, least, most } = self;
        write!(f, "{median:.digits$} ({least:.digits$}-{most:.digits$})")
    }
}

/// Whether a goal is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// The goal is reached.
    Met,
    /// The goal is missed.
    Missed,
    /// The machine was too busy for a ratio.
    Refused,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Met => "yes",
            Self::Missed => "no",
            Self::Refused => "busy",
        })
    }
}

/// A line of the table.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// The name of the row.
    pub row: String,
    /// The unit of its numbers.
    pub unit: Unit,
    /// Portia's numbers, of the quiet rounds.
    pub portia: Option<Spread>,
    /// The other contestant's numbers.
    pub other: Option<Spread>,
    /// Portia's to the other's, round by round.
    pub ratio: Option<Spread>,
    /// The goal.
    pub goal: String,
    /// Whether it is reached.
    pub verdict: Verdict,
    /// The numbers of all rounds and of rounds in which the machine did too much other work.
    pub rounds: [usize; 2],
}

impl Line {
    /// Creates the line of a row's rounds. It has no numbers when the machine was busy in more than half of them.
    #[must_use]
    pub fn of(row: &str, unit: Unit, goal: Goal, rounds: &[Round]) -> Self {
        let quiet: Vec<&Round> = rounds.iter().filter(|round| round.is_quiet()).collect();
        let counts = [rounds.len(), rounds.len() - quiet.len()];
        let (row, goal_text) = (row.to_owned(), goal.to_string());
        if quiet.is_empty() || quiet.len() * 2 < rounds.len() {
            let (portia, other, ratio, verdict) = (None, None, None, Verdict::Refused);
            return Self { row, unit, portia, other, ratio, goal: goal_text, verdict, rounds: counts };
        }
        let portia = Spread::of(quiet.iter().map(|round| round.portia.value));
        let pairs = quiet.iter().filter_map(|round| Some((round.portia.value, round.other?.value)));
        let other = Spread::of(pairs.clone().map(|(_, other)| other));
        let ratio = Spread::of(pairs.filter(|(_, other)| *other > 0.0).map(|(portia, other)| portia / other));
        let subject = if goal.is_ratio() { ratio } else { portia };
        let is_met = subject.is_some_and(|Spread { median, .. }| match goal {
            Goal::RateAtLeast(least) => median >= least,
            Goal::RatioAtMost(most)
            | Goal::OfPeopleAtMost(most)
            | Goal::CpuAtMost(most)
            | Goal::P99AtMost(most)
            | Goal::SlowestAtMost(most)
            | Goal::GrowthAtMost(most) => median <= most,
        });
        let verdict = if is_met { Verdict::Met } else { Verdict::Missed };
        Self { row, unit, portia, other, ratio, goal: goal_text, verdict, rounds: counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: Disturbance = Disturbance { others: 0.02, steal: 0.01 };
    const BUSY: Disturbance = Disturbance { others: 0.3, steal: 0.0 };

    fn round(portia: f64, other: f64, disturbance: Disturbance) -> Round {
        Round { portia: Turn { value: portia, disturbance: QUIET }, other: Some(Turn { value: other, disturbance }) }
    }

    #[test]
    fn a_line_has_the_ratio_of_each_quiet_round() {
        let rounds = [round(3.0, 1.0, QUIET), round(4.0, 2.0, QUIET), round(5.0, 1.0, QUIET), round(9.0, 1.0, BUSY)];
        let line = Line::of("feed", Unit::CpuMs, Goal::RatioAtMost(2.0), &rounds);
        assert_eq!(line.ratio, Some(Spread { median: 3.0, least: 2.0, most: 5.0 }));
        assert_eq!(line.portia, Some(Spread { median: 4.0, least: 3.0, most: 5.0 }));
        assert_eq!((line.verdict, line.rounds), (Verdict::Missed, [4, 1]));
        let line = Line::of("feed", Unit::CpuMs, Goal::RatioAtMost(3.0), &rounds);
        assert_eq!(line.verdict, Verdict::Met);
    }

    #[test]
    fn a_busy_machine_gets_no_ratio() {
        let busy = [round(1.0, 1.0, BUSY), round(1.0, 1.0, BUSY), round(1.0, 1.0, QUIET)];
        let line = Line::of("feed", Unit::CpuMs, Goal::RatioAtMost(2.0), &busy);
        assert_eq!((line.ratio, line.portia, line.verdict), (None, None, Verdict::Refused));
        let own = Round { portia: Turn { value: 1.0, disturbance: BUSY }, other: None };
        let line = Line::of("suggestions", Unit::CpuMs, Goal::CpuAtMost(2.0), &[own]);
        assert_eq!((line.portia, line.verdict), (None, Verdict::Refused));
        assert_eq!(Line::of("feed", Unit::CpuMs, Goal::RatioAtMost(2.0), &[]).verdict, Verdict::Refused);
    }

    #[test]
    fn a_rate_is_met_from_its_goal_on() {
        let rate = |value| Round { portia: Turn { value, disturbance: QUIET }, other: None };
        let verdict = |value| Line::of("peak", Unit::PerSecond, Goal::RateAtLeast(10.0), &[rate(value)]).verdict;
        assert_eq!((verdict(10.0), verdict(9.9)), (Verdict::Met, Verdict::Missed));
    }
}
