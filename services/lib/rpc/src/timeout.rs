//! The time that is left for a call, in the header `grpc-timeout`.

use std::time::Duration;

use http::{HeaderMap, HeaderValue};

const HEADER: &str = "grpc-timeout";
/// A value has at most eight digits.
const MAX_VALUE: u128 = 99_999_999;

/// The time that is left for a call; `None` for a stream, which has no deadline.
#[must_use]
pub fn time_left(headers: &HeaderMap) -> Option<Duration> {
    parse(headers.get(HEADER)?.to_str().ok()?)
}

/// Sets the time that is left for a call.
pub fn set_time_left(headers: &mut HeaderMap, left: Duration) {
    let (value, unit) = match left.as_micros() {
        micros @ 0..=MAX_VALUE => (micros, "u"),
        _ => (left.as_millis().min(MAX_VALUE), "m"),
    };
    // Digits and a letter are always a valid value.
    if let Ok(value) = HeaderValue::try_from(format!("{value}{unit}")) {
        headers.insert(HEADER, value);
    }
}

fn parse(value: &str) -> Option<Duration> {
    let (digits, unit) = value.split_at_checked(value.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let n: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(n.saturating_mul(3600))),
        "M" => Some(Duration::from_secs(n.saturating_mul(60))),
        "S" => Some(Duration::from_secs(n)),
        "m" => Some(Duration::from_millis(n)),
        "u" => Some(Duration::from_micros(n)),
        "n" => Some(Duration::from_nanos(n)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_parsed() {
        assert_eq!(parse("1980000u"), Some(Duration::from_micros(1_980_000)));
        assert_eq!(parse("2S"), Some(Duration::from_secs(2)));
        for bad in ["", "S", "1", "1x", "-1S", "123456789S", "１S"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_time_that_is_set_is_read() {
        let mut headers = HeaderMap::new();
        assert_eq!(time_left(&headers), None);
        for left in
            [Duration::ZERO, Duration::from_micros(1_980_001), Duration::from_secs(99), Duration::from_hours(20)]
        {
            set_time_left(&mut headers, left);
            assert_eq!(time_left(&headers), Some(left));
        }
        assert_eq!(headers.len(), 1);
        set_time_left(&mut headers, Duration::MAX);
        assert!(time_left(&headers) > Some(Duration::from_hours(20)));
    }
}
