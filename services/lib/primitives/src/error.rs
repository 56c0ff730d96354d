//! Error kinds, each with one gRPC code and one HTTP status, and the google.rpc details of a status.

use std::{collections::HashMap, error::Error as StdError, time::Duration};

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

/// A failure, as far as a caller can react to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The request is malformed or breaks a rule. A retry does not help.
    Invalid,
    /// The caller is not signed in, or the credentials are wrong.
    Unauthenticated,
    /// Signed in, but not allowed.
    Forbidden,
    /// The entity does not exist, or the caller may not know that it does.
    NotFound,
    /// The request conflicts with the current state (a name is taken).
    Conflict,
    /// An idempotency key was reused with another body.
    KeyReused,
    /// A rate limit or quota is exhausted.
    Limited,
    /// A dependency is unavailable or overloaded. A retry may succeed.
    Unavailable,
    /// The deadline passed.
    Timeout,
    /// A bug. Details are logged and never sent.
    Internal,
}

impl ErrorKind {
    /// The gRPC code of the kind.
    #[must_use]
    pub const fn code(self) -> Code {
        match self {
            Self::Invalid => Code::InvalidArgument,
            Self::Unauthenticated => Code::Unauthenticated,
            Self::Forbidden => Code::PermissionDenied,
            Self::NotFound => Code::NotFound,
            Self::Conflict => Code::AlreadyExists,
            Self::KeyReused => Code::FailedPrecondition,
            Self::Limited => Code::ResourceExhausted,
            Self::Unavailable => Code::Unavailable,
            Self::Timeout => Code::DeadlineExceeded,
            Self::Internal => Code::Internal,
        }
    }

    /// The HTTP status of the kind.
    #[must_use]
    pub const fn http_status(self) -> u16 {
        match self {
            Self::Invalid => 400,
            Self::Unauthenticated => 401,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::Conflict => 409,
            Self::KeyReused => 422,
            Self::Limited => 429,
            Self::Unavailable => 503,
            Self::Timeout => 504,
            Self::Internal => 500,
        }
    }

    /// The kind of a received code. tonic reports its own timeout, and a dropped call, as CANCELLED.
    #[must_use]
    pub const fn of(code: Code) -> Self {
        match code {
            Code::InvalidArgument | Code::OutOfRange => Self::Invalid,
            Code::Unauthenticated => Self::Unauthenticated,
            Code::PermissionDenied => Self::Forbidden,
            Code::NotFound => Self::NotFound,
            Code::AlreadyExists => Self::Conflict,
            Code::FailedPrecondition => Self::KeyReused,
            Code::ResourceExhausted => Self::Limited,
            Code::Unavailable | Code::Aborted => Self::Unavailable,
            Code::DeadlineExceeded | Code::Cancelled => Self::Timeout,
            Code::Ok | Code::Unknown | Code::Unimplemented | Code::Internal | Code::DataLoss => Self::Internal,
        }
    }
}

/// The reasons of a request that only the database refused: by a constraint, or because it cannot store a value.
pub const STORAGE_REFUSALS: [&str; 2] = ["CONSTRAINT", "VALUE"];

/// The reason of a request that the database refused because it cannot write. It still answers reads.
pub const NOT_WRITABLE: &str = "DATABASE_NOT_WRITABLE";

/// One field that breaks a rule. A client can show the message under the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The name of the field in the REST body (camelCase).
    pub field: String,
    /// A complete sentence for the member.
    pub message: String,
}

impl Violation {
    /// A violation of `field`.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }
}

/// An error enum of a service: the properties of each variant.
pub trait ServiceError: StdError {
    /// The service, for example `feed`. The details of a status contain it as `feed.portia`.
    const SERVICE: &'static str;
    /// How a caller can react.
    fn kind(&self) -> ErrorKind;
    /// A stable UPPER_SNAKE name for programs.
    fn reason(&self) -> &'static str;
    /// The invalid fields.
    fn violations(&self) -> &[Violation] {
        &[]
    }
    /// The delay after which a retry can succeed.
    fn retry_after(&self) -> Option<Duration> {
        None
    }
    /// Further data that the caller needs to react.
    fn metadata(&self) -> HashMap<String, String> {
        HashMap::new()
    }
}

/// Converts an error of a service to a status. This is the edge: an internal error is logged here, once.
pub fn to_status<E: ServiceError>(error: &E) -> Status {
    let kind = error.kind();
    let message = match kind {
        ErrorKind::Internal => {
            tracing::error!(service = E::SERVICE, reason = error.reason(), error = %ErrorChain(error), "request failed");
            "Something went wrong on our side. Please try again.".to_owned()
        }
        ErrorKind::Unavailable => {
            tracing::warn!(service = E::SERVICE, reason = error.reason(), error = %ErrorChain(error), "request refused");
            "Portia is busy at the moment. Please try again.".to_owned()
        }
        ErrorKind::Timeout => "This took too long. Please try again.".to_owned(),
        // The message contains SQL and names of constraints: it belongs in the log only.
        ErrorKind::Invalid if STORAGE_REFUSALS.contains(&error.reason()) => {
            tracing::warn!(service = E::SERVICE, reason = error.reason(), error = %ErrorChain(error), "request refused");
            "This contains a value that cannot be used.".to_owned()
        }
        _ => error.to_string(),
    };
    let info = ErrorInfo { service: E::SERVICE, reason: error.reason(), metadata: error.metadata() };
    build(kind, info, message, error.violations(), error.retry_after())
}

/// A status raised by a library (deadline, identity), in the same form.
#[must_use]
pub fn new_status(kind: ErrorKind, reason: &'static str, message: &str) -> Status {
    let info = ErrorInfo { service: "chassis", reason, metadata: HashMap::new() };
    build(kind, info, message.to_owned(), &[], None)
}

struct ErrorInfo<'a> {
    service: &'a str,
    reason: &'a str,
    metadata: HashMap<String, String>,
}

fn build(
    kind: ErrorKind,
    info: ErrorInfo<'_>,
    message: String,
    violations: &[Violation],
    retry_after: Option<Duration>,
) -> Status {
    let mut details = ErrorDetails::with_error_info(info.reason, format!("{}.portia", info.service), info.metadata);
    for violation in violations {
        details.add_bad_request_violation(&violation.field, &violation.message);
    }
    if retry_after.is_some() {
        details.set_retry_info(retry_after);
    }
    Status::with_error_details(kind.code(), message, details)
}

/// A received status with its details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusDetails {
    /// How to react.
    pub kind: ErrorKind,
    /// The stable reason; empty when the sender gave none.
    pub reason: String,
    /// A sentence for the member.
    pub message: String,
    /// The invalid fields.
    pub violations: Vec<Violation>,
    /// The delay after which a retry can succeed.
    pub retry_after: Option<Duration>,
    /// Further data that the caller needs to react.
    pub metadata: HashMap<String, String>,
}

impl From<&Status> for StatusDetails {
    fn from(status: &Status) -> Self {
        let details = status.get_error_details();
        let violations = details.bad_request().map_or_else(Vec::new, |bad| {
            bad.field_violations.iter().map(|v| Violation::new(&v.field, &v.description)).collect()
        });
        Self {
            kind: ErrorKind::of(status.code()),
            reason: details.error_info().map_or_else(String::new, |info| info.reason.clone()),
            message: status.message().to_owned(),
            violations,
            retry_after: details.retry_info().and_then(|info| info.retry_delay),
            metadata: details.error_info().map_or_else(HashMap::new, |info| info.metadata.clone()),
        }
    }
}

/// Displays an error with its sources, in one line.
pub struct ErrorChain<'a>(pub &'a dyn StdError);

impl std::fmt::Display for ErrorChain<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)?;
        let mut source = self.0.source();
        while let Some(error) = source {
            write!(f, ": {error}")?;
            source = error.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{0}")]
    struct Sample(&'static str, ErrorKind, Vec<Violation>);

    impl ServiceError for Sample {
        const SERVICE: &'static str = "sample";
        fn kind(&self) -> ErrorKind {
            self.1
        }
        fn reason(&self) -> &'static str {
            "SAMPLE"
        }
        fn violations(&self) -> &[Violation] {
            &self.2
        }
        fn retry_after(&self) -> Option<Duration> {
            (self.1 == ErrorKind::Limited).then_some(Duration::from_secs(7))
        }
    }

    #[test]
    fn details_survive_the_wire() {
        let violation = Violation::new("fullName", "Full name is required");
        let sent = to_status(&Sample("Please check the form.", ErrorKind::Invalid, vec![violation.clone()]));
        let received = StatusDetails::from(&sent);
        assert_eq!(received.kind, ErrorKind::Invalid);
        assert_eq!(received.reason, "SAMPLE");
        assert_eq!(received.message, "Please check the form.");
        assert_eq!(received.violations, [violation]);
    }

    #[test]
    fn internal_details_are_not_sent() {
        let received = StatusDetails::from(&to_status(&Sample("password=hunter2", ErrorKind::Internal, vec![])));
        assert!(!received.message.contains("hunter2"));
    }

    #[test]
    fn a_refusal_of_the_database_is_sent_without_its_message() {
        #[derive(Debug, thiserror::Error)]
        #[error("the constraint posts_author_id_fkey refused it")]
        struct Refused;
        impl ServiceError for Refused {
            const SERVICE: &'static str = "sample";
            fn kind(&self) -> ErrorKind {
                ErrorKind::Invalid
            }
            fn reason(&self) -> &'static str {
                STORAGE_REFUSALS[0]
            }
        }
        assert_eq!(StatusDetails::from(&to_status(&Refused)).message, "This contains a value that cannot be used.");
    }

    #[test]
    fn a_rate_limit_contains_the_retry_delay() {
        let received = StatusDetails::from(&to_status(&Sample("Slow down.", ErrorKind::Limited, vec![])));
        assert_eq!(received.retry_after, Some(Duration::from_secs(7)));
    }

    #[test]
    fn every_kind_survives_its_code() {
        use ErrorKind::*;
        for kind in [
            Invalid,
            Unauthenticated,
            Forbidden,
            NotFound,
            Conflict,
            KeyReused,
            Limited,
            Unavailable,
            Timeout,
            Internal,
        ] {
            assert_eq!(ErrorKind::of(kind.code()), kind);
        }
    }
}
