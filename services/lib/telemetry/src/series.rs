//! The handles of metrics that every request records, created once: finding a series by its labels allocates and hashes them.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use metrics::{Counter, Histogram, Label, counter, histogram};

/// Whether the recorder is installed: a handle that was created before it records nothing for ever.
static INSTALLED: AtomicBool = AtomicBool::new(false);

/// From now on, handles are kept.
pub(crate) fn keep() {
    INSTALLED.store(true, Ordering::Release);
}

pub(crate) fn is_kept() -> bool {
    INSTALLED.load(Ordering::Acquire)
}

/// A counter of outcomes and a histogram of durations with the same labels.
pub(crate) struct Family {
    requests: &'static str,
    duration: &'static str,
    labels: &'static [&'static str],
    outcome: &'static str,
    /// The maximum of series for durations. Further ones are one series, "other".
    limit: usize,
    known: RwLock<Option<Known>>,
}

/// By the first and the second name.
type Known = HashMap<String, HashMap<String, Arc<Series>>>;

/// The handles for one set of labels.
struct Series {
    labels: Vec<Label>,
    outcomes: RwLock<Vec<(u16, Counter)>>,
    duration: Histogram,
}

impl Family {
    pub(crate) const fn new(
        [requests, duration]: [&'static str; 2],
        labels: &'static [&'static str],
        outcome: &'static str,
        limit: usize,
    ) -> Self {
        Self { requests, duration, labels, outcome, limit, known: RwLock::new(None) }
    }

    /// Records one of them. `names` are the values of the labels, one or two; `outcome` is a number that stands for its name.
    pub(crate) fn record(&self, names: &[&str], outcome: (u16, impl FnOnce() -> Cow<'static, str>), took: Duration) {
        let series = self.series(names);
        series.duration.record(took);
        self.counter(&series, outcome).increment(1);
    }

    fn series(&self, names: &[&str]) -> Arc<Series> {
        if !is_kept() {
            return Arc::new(self.create(names));
        }
        let [first, second] = [0, 1].map(|n| names.get(n).copied().unwrap_or_default());
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(series) = known.as_ref().and_then(|known| known.get(first)?.get(second)) {
            return Arc::clone(series);
        }
        drop(known);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        let is_full = known.values().map(HashMap::len).sum::<usize>() >= self.limit;
        let (first, second, names) =
            if is_full { ("other", "other", ["other"; 2].as_slice()) } else { (first, second, names) };
        let series = known.entry(first.to_owned()).or_default().entry(second.to_owned());
        Arc::clone(series.or_insert_with(|| Arc::new(self.create(names))))
    }

    fn create(&self, names: &[&str]) -> Series {
        let labels = self.labels.iter().zip(names).map(|(label, name)| Label::new(*label, (*name).to_owned()));
        let labels: Vec<Label> = labels.collect();
        Series { duration: histogram!(self.duration, labels.clone()), labels, outcomes: RwLock::default() }
    }

    fn counter(&self, series: &Series, (code, name): (u16, impl FnOnce() -> Cow<'static, str>)) -> Counter {
        let find = |known: &[(u16, Counter)]| known.iter().find(|(of, _)| *of == code).map(|(_, found)| found.clone());
        if let Some(found) = find(&series.outcomes.read().unwrap_or_else(PoisonError::into_inner)) {
            return found;
        }
        let mut labels = series.labels.clone();
        labels.push(Label::new(self.outcome, name()));
        let counter = counter!(self.requests, labels);
        // A concurrent request may have added it: a second handle of the same series does not matter.
        series.outcomes.write().unwrap_or_else(PoisonError::into_inner).push((code, counter.clone()));
        counter
    }
}

#[cfg(test)]
mod tests {
    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    static FAMILY: Family = Family::new(["calls_total", "call_seconds"], &["service", "method"], "code", 2);

    #[test]
    fn names_beyond_the_limit_share_a_series_and_handles_before_the_recorder_are_not_kept() {
        let record = |method: &str, code: u16| {
            FAMILY.record(&["feed", method], (code, || code.to_string().into()), Duration::from_millis(1));
        };
        record("GetPost", 0);
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        metrics::with_local_recorder(&recorder, || {
            keep();
            for (method, code) in [("GetPost", 0), ("GetPost", 0), ("GetPost", 5), ("ListPosts", 0)] {
                record(method, code);
            }
            for method in ["Invented", "AlsoInvented"] {
                record(method, 0);
            }
        });
        let text = handle.render();
        for line in [
            r#"calls_total{service="feed",method="GetPost",code="0"} 2"#,
            r#"calls_total{service="feed",method="GetPost",code="5"} 1"#,
            r#"calls_total{service="feed",method="ListPosts",code="0"} 1"#,
            r#"calls_total{service="other",method="other",code="0"} 2"#,
            r#"call_seconds_count{service="feed",method="GetPost"} 3"#,
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
        assert!(!text.contains("Invented"), "{text}");
    }
}
