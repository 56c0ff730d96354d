//! Why a request failed: one table of sentences, and the errors of the client that they stand for.

use std::{error::Error, io, time::Duration};

use chrono::DateTime;
use http::{
    HeaderMap, StatusCode,
    header::{DATE, RETRY_AFTER},
};

use super::lookup::LookupError;

/// The maximum of an accepted Retry-After.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(24 * 3_600);

/// Why a request failed: a sentence for operators and the status page, without addresses, keys, or texts of the server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Neither https nor admitted.
    #[error("The address is not https.")]
    NotHttps,
    /// Neither the port of https nor admitted.
    #[error("The address names a port that is not admitted.")]
    Port,
    /// A name or password in the address.
    #[error("The address contains a sign-in.")]
    UserInformation,
    /// The address is not public.
    #[error("The address is private.")]
    Private,
    /// Only configured hosts are requested.
    #[error("It leads to a host that is not configured.")]
    HostNotConfigured,
    /// Too many redirects.
    #[error("It redirects more than {most} times.")]
    Redirects {
        /// The maximum of the policy.
        most: u8,
    },
    /// The name does not resolve.
    #[error("The server's name could not be looked up.")]
    Unknown,
    /// No connection.
    #[error("The server could not be reached.")]
    Unreachable,
    /// TLS failed: a certificate for another host, expired, or of an untrusted issuer.
    #[error("The server could not prove who it is.")]
    TlsFailed,
    /// The time of the policy has elapsed.
    #[error("It took too long.")]
    TimedOut,
    /// The connection ended before the response.
    #[error("The connection broke off.")]
    ConnectionClosed,
    /// The response is not HTTP.
    #[error("The answer was not understood.")]
    InvalidHttp,
    /// Any other status than 200.
    #[error("The server answered {status}.")]
    Status {
        /// The status.
        status: u16,
    },
    /// The server sent `Retry-After`.
    #[error("The server asked for a rest.")]
    Busy {
        /// The requested delay, at most a day.
        retry_after: Duration,
    },
    /// More bytes than the policy allows, compressed or decompressed.
    #[error("It sent more than {}.", size(.most))]
    TooLarge {
        /// The maximum of the policy.
        most: u64,
    },
    /// An encoding that was not accepted.
    #[error("It is compressed in a way that was not asked for.")]
    Encoding,
    /// The body does not decompress.
    #[error("Its compression is damaged.")]
    Damaged,
    /// An error of this machine.
    #[error("It could not be kept in a temporary file.")]
    Local,
}

impl Failure {
    /// The `Retry-After` of the server.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Busy { retry_after } => Some(*retry_after),
            _ => None,
        }
    }

    /// Returns the failure of a response with another status than 200.
    pub(super) fn refused(status: StatusCode, headers: &HeaderMap) -> Self {
        let busy = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        match parse_retry_after(headers).filter(|_| busy) {
            Some(retry_after) => Self::Busy { retry_after },
            None => Self::Status { status: status.as_u16() },
        }
    }

    /// Returns the failure of an error of the client.
    pub(super) fn of(error: &reqwest::Error) -> Self {
        match cause::<LookupError>(error) {
            Some(LookupError::Unknown) => return Self::Unknown,
            Some(LookupError::Private) => return Self::Private,
            None => {}
        }
        if error.is_connect() {
            return if cause(error).is_some_and(is_tls) { Self::TlsFailed } else { Self::Unreachable };
        }
        match cause::<hyper::Error>(error) {
            Some(error) if error.is_parse() => Self::InvalidHttp,
            _ => Self::ConnectionClosed,
        }
    }
}

/// The first error of a kind in a chain.
fn cause<E: Error + 'static>(error: &reqwest::Error) -> Option<&E> {
    let mut next = error.source();
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        next = error.source();
    }
    None
}

/// Whether rustls refused the connection: its error is of this kind, possibly wrapped several times.
fn is_tls(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    error.kind() == io::ErrorKind::InvalidData || inner.is_some_and(is_tls)
}

/// `Retry-After` in seconds, or as a date relative to the date of the server.
pub(super) fn parse_retry_after(headers: &HeaderMap) -> Option<Duration> {
    let after = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = match after.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let date = DateTime::parse_from_rfc2822(headers.get(DATE)?.to_str().ok()?).ok()?;
            (DateTime::parse_from_rfc2822(after).ok()? - date).to_std().unwrap_or_default()
        }
    };
    Some(wait.min(MAX_RETRY_AFTER))
}

/// A readable number of bytes.
fn size(bytes: &u64) -> String {
    match (bytes >> 20, bytes >> 10) {
        (0, 0) => format!("{bytes} bytes"),
        (0, kib) => format!("{kib} KiB"),
        (mib, _) => format!("{mib} MiB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::Policy;

    fn refused(status: u16, headers: &[(&'static str, &str)]) -> Failure {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        Failure::refused(StatusCode::from_u16(status).unwrap(), &headers)
    }

    #[test]
    fn retry_after_is_accepted_up_to_a_day() {
        let busy = |seconds| Failure::Busy { retry_after: Duration::from_secs(seconds) };
        assert_eq!(refused(429, &[("retry-after", "120")]), busy(120));
        assert_eq!(refused(503, &[("retry-after", "99999999")]), busy(86_400));
        let date = ("date", "Sun, 22 Nov 2026 10:00:00 GMT");
        assert_eq!(refused(503, &[date, ("retry-after", "Sun, 22 Nov 2026 10:05:00 GMT")]), busy(300));
        assert_eq!(refused(503, &[date, ("retry-after", "Sat, 22 Nov 2025 10:05:00 GMT")]), busy(0));
        for unreadable in ["", "soon", "-1", "1e3", "99999999999999999999", "Sun, 22 Nov 2026 10:05:00 GMT"] {
            assert_eq!(refused(429, &[("retry-after", unreadable)]), Failure::Status { status: 429 }, "{unreadable}");
        }
        assert_eq!(refused(404, &[("retry-after", "120")]), Failure::Status { status: 404 });
    }

    #[test]
    fn every_failure_is_a_sentence() {
        assert_eq!(Failure::Status { status: 503 }.to_string(), "The server answered 503.");
        assert_eq!(Failure::TooLarge { most: Policy::FEED.max_bytes }.to_string(), "It sent more than 2 MiB.");
        assert_eq!(Failure::TooLarge { most: 4_096 }.to_string(), "It sent more than 4 KiB.");
        assert_eq!(Failure::TooLarge { most: 100 }.to_string(), "It sent more than 100 bytes.");
        assert_eq!(Failure::Redirects { most: 2 }.to_string(), "It redirects more than 2 times.");
    }
}
