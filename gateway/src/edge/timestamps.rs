//! Timestamps and optional texts of messages, for the views.

use chrono::{DateTime, Utc};
use prost_types::Timestamp;
use serde::{Deserialize as _, Deserializer};

/// An optional timestamp of a message.
pub fn moment(at: Option<Timestamp>) -> Option<DateTime<Utc>> {
    let at = at?;
    DateTime::from_timestamp(at.seconds, u32::try_from(at.nanos).unwrap_or(0))
}

/// A required timestamp of a message. A missing one is a bug of the service; the page is served with the year 1970.
pub fn required_moment(at: Option<Timestamp>) -> DateTime<Utc> {
    moment(at).unwrap_or_default()
}

/// A text that was sent; null becomes empty. `None` is a field that was not sent.
pub fn named<'de, D: Deserializer<'de>>(raw: D) -> Result<Option<String>, D::Error> {
    Ok(Some(Option::<String>::deserialize(raw)?.unwrap_or_default()))
}

/// Like [`named`], for a timestamp: null is refused.
pub fn named_moment<'de, D: Deserializer<'de>>(raw: D) -> Result<Option<DateTime<Utc>>, D::Error> {
    DateTime::deserialize(raw).map(Some)
}
