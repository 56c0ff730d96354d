//! Which traces are recorded: the samplers of the OpenTelemetry specification, by the values of its variables.

use opentelemetry_sdk::trace::Sampler;

/// A sampler, and whether the decision of a caller comes first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    follows_callers: bool,
    /// The share of traces without a decision, 0 to 1.
    ratio: f64,
}

/// The variables name no sampler.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum InvalidSampler {
    /// The name is not in the specification.
    #[error("{0:?} is no sampler: always_on, always_off, traceidratio, or one of them after parentbased_")]
    Name(String),
    /// The argument is not a share.
    #[error("{0:?} is no ratio from 0 to 1")]
    Ratio(String),
}

impl Default for Sampling {
    /// `parentbased_always_on`.
    fn default() -> Self {
        Self { follows_callers: true, ratio: 1.0 }
    }
}

impl Sampling {
    /// The sampler of `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`.
    ///
    /// # Errors
    /// When the name is unknown, or the argument of a ratio is none.
    pub fn parse(name: &str, argument: Option<&str>) -> Result<Self, InvalidSampler> {
        let (follows_callers, root) = match name.strip_prefix("parentbased_") {
            Some(root) => (true, root),
            None => (false, name),
        };
        let ratio = match root {
            "always_on" => 1.0,
            "always_off" => 0.0,
            "traceidratio" => share(argument.unwrap_or("1"))?,
            _ => return Err(InvalidSampler::Name(name.to_owned())),
        };
        Ok(Self { follows_callers, ratio })
    }

    /// Whether a caller decides for its callees.
    pub(crate) const fn follows_callers(self) -> bool {
        self.follows_callers
    }

    pub(crate) fn sampler(self) -> Sampler {
        let root = Sampler::TraceIdRatioBased(self.ratio);
        if self.follows_callers { Sampler::ParentBased(Box::new(root)) } else { root }
    }
}

fn share(text: &str) -> Result<f64, InvalidSampler> {
    let ratio = text.trim().parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio));
    ratio.ok_or_else(|| InvalidSampler::Ratio(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_samplers_of_the_specification_are_known() {
        let sampling = |follows_callers, ratio| Ok(Sampling { follows_callers, ratio });
        for (name, argument, expected) in [
            ("always_on", None, sampling(false, 1.0)),
            ("always_off", None, sampling(false, 0.0)),
            ("traceidratio", Some("0.25"), sampling(false, 0.25)),
            ("traceidratio", None, sampling(false, 1.0)),
            ("parentbased_always_on", Some("ignored"), Ok(Sampling::default())),
            ("parentbased_always_off", None, sampling(true, 0.0)),
            ("parentbased_traceidratio", Some(" 0.01 "), sampling(true, 0.01)),
            ("parentbased_jaeger_remote", None, Err(InvalidSampler::Name("parentbased_jaeger_remote".to_owned()))),
            ("ALWAYS_ON", None, Err(InvalidSampler::Name("ALWAYS_ON".to_owned()))),
            ("traceidratio", Some("1.5"), Err(InvalidSampler::Ratio("1.5".to_owned()))),
            ("traceidratio", Some("half"), Err(InvalidSampler::Ratio("half".to_owned()))),
            ("traceidratio", Some("NaN"), Err(InvalidSampler::Ratio("NaN".to_owned()))),
        ] {
            assert_eq!(Sampling::parse(name, argument), expected, "{name} {argument:?}");
        }
    }
}
