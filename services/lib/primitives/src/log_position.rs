//! Positions in the write-ahead log of a service's Postgres, which a read from a standby must have reached.

use std::fmt;

use http::{HeaderMap, HeaderName, HeaderValue};

/// The metadata of a call that only reads, and may read from a standby that has replayed the log up to here.
pub const READ_AFTER: HeaderName = HeaderName::from_static("portia-read-after");
/// The metadata of the response to a call that may have written: the log up to here contains it.
pub const WRITTEN_BEFORE: HeaderName = HeaderName::from_static("portia-written-before");

/// A position in a write-ahead log, in bytes from its beginning. Zero is before everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogPosition(pub u64);

impl LogPosition {
    /// After everything: only the primary contains it.
    pub const PRIMARY: Self = Self(u64::MAX);

    /// Parses a position from its hexadecimal form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        u64::from_str_radix(text, 16).ok().map(Self)
    }

    /// Reads the position in a header; `None` when it is absent or malformed.
    #[must_use]
    pub fn of_header(headers: &HeaderMap, name: &HeaderName) -> Option<Self> {
        Self::parse(headers.get(name)?.to_str().ok()?)
    }
}

impl fmt::Display for LogPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}", self.0)
    }
}

impl From<LogPosition> for HeaderValue {
    fn from(position: LogPosition) -> Self {
        // Hexadecimal digits are a value of a header.
        Self::try_from(position.to_string()).unwrap_or_else(|_| Self::from_static("0"))
    }
}

tokio::task_local! {
    static OF_READ: LogPosition;
}

/// Runs a read that must contain the log up to `position`.
pub async fn reading_after<F: Future>(position: LogPosition, read: F) -> F::Output {
    OF_READ.scope(position, read).await
}

/// Returns the position that the present read must contain; `None` outside [`reading_after`].
#[must_use]
pub fn read_after() -> Option<LogPosition> {
    OF_READ.try_with(|position| *position).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_has_a_hexadecimal_form() {
        for position in [0, 1, 0x1_6b37_48a0, u64::MAX].map(LogPosition) {
            let mut headers = HeaderMap::new();
            headers.insert(READ_AFTER, position.into());
            assert_eq!(LogPosition::of_header(&headers, &READ_AFTER), Some(position));
        }
        for text in ["", "-1", "x", "1 ", "10000000000000000"] {
            assert_eq!(LogPosition::parse(text), None, "{text}");
        }
        assert_eq!(LogPosition::of_header(&HeaderMap::new(), &READ_AFTER), None);
    }
}
