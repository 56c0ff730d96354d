//! Timestamps of messages, and fields of requests that may be absent, for the views.

use chrono::{DateTime, Utc};
use prost_types::Timestamp;
use serde::{Deserialize, Deserializer};

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
