//! Timestamps and optional texts of messages, for the views.

use chrono::{DateTime, Utc};
use prost_types::Timestamp;
use serde::{Deserialize as _, Deserializer};

/// A moment as a service tells it.
pub fn moment(at: Option<Timestamp>) -> Option<DateTime<Utc>> {
    let at = at?;
    DateTime::from_timestamp(at.seconds, u32::try_from(at.nanos).unwrap_or(0))
}

/// A moment every service must tell. One that does not is at fault; the page still comes, with the year 1970 on it.
pub fn required_moment(at: Option<Timestamp>) -> DateTime<Utc> {
    moment(at).unwrap_or_default()
}

/// A text that was sent, and whatever clears it as an empty one; `None` is left to a field that was not sent.
pub fn named<'de, D: Deserializer<'de>>(raw: D) -> Result<Option<String>, D::Error> {
    Ok(Some(Option::<String>::deserialize(raw)?.unwrap_or_default()))
}

/// As [`named`], of a moment: null clears nothing and is refused.
pub fn named_moment<'de, D: Deserializer<'de>>(raw: D) -> Result<Option<DateTime<Utc>>, D::Error> {
    DateTime::deserialize(raw).map(Some)
}
