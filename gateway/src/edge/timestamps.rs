//! Timestamps of messages, and fields of requests that may be absent, for the views.

use chrono::{DateTime, NaiveDate, Utc};
use prost_types::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

/// A date such as `2026-12-01`, which is that date in every time zone, or a time with its zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum DateOrTime {
    /// A date without a time of day.
    Date(NaiveDate),
    /// A time.
    Time(DateTime<Utc>),
}

/// An optional time of a message, or the date that stands for it.
pub fn date_or_moment(at: Option<Timestamp>, date: Option<&str>) -> Option<DateOrTime> {
    let date = date.and_then(|date| date.parse().ok());
    date.map(DateOrTime::Date).or_else(|| moment(at).map(DateOrTime::Time))
}

/// An optional timestamp of a message.
pub fn moment(at: Option<Timestamp>) -> Option<DateTime<Utc>> {
    let at = at?;
    DateTime::from_timestamp(at.seconds, u32::try_from(at.nanos).unwrap_or(0))
}

/// A required timestamp of a message. A missing one is a bug of the service; the page is served with the year 1970.
pub fn required_moment(at: Option<Timestamp>) -> DateTime<Utc> {
    moment(at).unwrap_or_default()
}

/// The text of a field that may be absent: null becomes empty, `None` means absent.
pub fn present_text<'de, D: Deserializer<'de>>(raw: D) -> Result<Option<String>, D::Error> {
    Ok(Some(Option::<String>::deserialize(raw)?.unwrap_or_default()))
}

/// Like [`present_text`], for a value that cannot be empty: null is refused.
pub fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(raw: D) -> Result<Option<T>, D::Error> {
    T::deserialize(raw).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_written_without_a_time() {
        let at = Some(Timestamp { seconds: 1_796_212_800, nanos: 0 });
        for (date, at, expected) in [
            (Some("2026-12-01"), at, "\"2026-12-01\""),
            (None, at, "\"2026-12-02T12:00:00Z\""),
            // A value that this version cannot read.
            (Some("winter"), at, "\"2026-12-02T12:00:00Z\""),
            (None, None, "null"),
        ] {
            assert_eq!(serde_json::to_string(&date_or_moment(at, date)).unwrap(), expected, "{date:?}");
        }
    }
}
