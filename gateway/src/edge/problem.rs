//! Every error answer: `application/problem+json` (RFC 9457) with a sentence for people in `error`.

use std::{borrow::Cow, collections::BTreeMap, time::Duration};

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use primitives::error::{ErrorKind, StatusDetails, Violation};
use serde::Serialize;
use tonic::Status;
use utoipa::ToSchema;

/// What people read when it was not their fault.
const OUR_FAULT: &str = "Something went wrong on our side. Please try again.";
/// The message of an unavailable service and of overload.
const BUSY: &str = "Portia is busy at the moment. Please try again.";
/// What people read when an answer did not come in time.
const LATE: &str = "This took too long. Please try again.";

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The answer's status.
    pub status: StatusCode,
    /// A stable name for programs.
    pub code: Cow<'static, str>,
    /// A sentence for people.
    pub error: Cow<'static, str>,
    /// The fields at fault.
    pub fields: Vec<Violation>,
    /// When trying again makes sense.
    pub retry_after: Option<Duration>,
}

impl Problem {
    /// A problem without fields.
    pub const fn new(status: StatusCode, code: &'static str, error: &'static str) -> Self {
        Self { status, code: Cow::Borrowed(code), error: Cow::Borrowed(error), fields: Vec::new(), retry_after: None }
    }

    /// 400, with a field at fault.
    pub fn field(name: &str, sentence: impl Into<String>) -> Self {
        let violation = Violation::new(name, sentence);
        Self {
            error: violation.message.clone().into(),
            fields: vec![violation],
            ..Self::new(StatusCode::BAD_REQUEST, "INVALID", "")
        }
    }

    /// 401.
    pub const fn sign_in(error: &'static str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "SIGN_IN_REQUIRED", error)
    }

    /// 403: the entity belongs to another member.
    pub const fn forbidden() -> Self {
        Self::new(StatusCode::FORBIDDEN, "NOT_YOURS", "You can only do this for yourself.")
    }

    /// 404.
    pub const fn not_found(error: &'static str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "NOT_FOUND", error)
    }

    /// 404: the member does not exist, or blocks the caller. One sentence for both, so that they cannot be distinguished.
    pub const fn no_such_user() -> Self {
        Self::new(StatusCode::NOT_FOUND, "MEMBER_NOT_FOUND", "User not found")
    }

    /// 429.
    pub fn limited(after: Duration) -> Self {
        let problem = Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "RATE_LIMITED",
            "You are doing this too often. Please wait a little and try again.",
        );
        Self { retry_after: Some(after), ..problem }
    }

    /// 503.
    pub fn busy(code: &'static str) -> Self {
        let problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, code, BUSY);
        Self { retry_after: Some(Duration::from_secs(1)), ..problem }
    }

    /// 500.
    pub const fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL", OUR_FAULT)
    }

    /// The same, where REST has another name for a field than the contract.
    #[must_use]
    pub fn renamed(mut self, contract: &str, rest: &str) -> Self {
        for violation in self.fields.iter_mut().filter(|violation| violation.field == contract) {
            rest.clone_into(&mut violation.field);
        }
        self
    }

    /// Whether the service was unavailable, as opposed to a refusal.
    pub fn is_outage(&self) -> bool {
        matches!(self.status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT)
    }
}

impl From<Violation> for Problem {
    fn from(violation: Violation) -> Self {
        Self::field(&violation.field, violation.message)
    }
}

impl From<Status> for Problem {
    fn from(status: Status) -> Self {
        let explained = StatusDetails::from(&status);
        // Without a reason it is none of our services that speaks, but something on the way.
        let ours = !explained.reason.is_empty();
        match explained.kind {
            ErrorKind::Unavailable => Self::busy("UNAVAILABLE"),
            ErrorKind::Timeout => Self {
                retry_after: Some(Duration::from_secs(1)),
                ..Self::new(StatusCode::GATEWAY_TIMEOUT, "TIMEOUT", LATE)
            },
            ErrorKind::Internal => Self::internal(),
            // A service refused the token of the gateway: keys or clocks are wrong, the session of the caller is not.
            ErrorKind::Unauthenticated if explained.reason == "NO_TOKEN" => {
                tracing::error!("a service refused the gateway's token");
                Self::internal()
            }
            kind if ours => Self {
                status: StatusCode::from_u16(kind.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
                code: explained.reason.into(),
                error: explained.message.into(),
                fields: explained.violations.into_iter().map(as_sent).collect(),
                retry_after: explained.retry_after.or((kind == ErrorKind::Limited).then_some(Duration::from_secs(1))),
            },
            _ => {
                tracing::error!(code = ?status.code(), message = status.message(), "an unexpected status of a service");
                Self::internal()
            }
        }
    }
}

/// Paging has other names in REST than in the contract.
fn as_sent(violation: Violation) -> Violation {
    match violation.field.as_str() {
        "pageSize" => Violation { field: "limit".to_owned(), ..violation },
        "pageToken" => Violation { field: "cursor".to_owned(), ..violation },
        _ => violation,
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = Body {
            kind: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            error: self.error,
            code: self.code,
            fields: self.fields.into_iter().map(|violation| (violation.field, violation.message)).collect(),
            request_id: telemetry::current_trace_id(),
        };
        let json = serde_json::to_vec(&body).unwrap_or_default();
        let media = [(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"))];
        let mut response = (self.status, media, json).into_response();
        if let Some(after) = self.retry_after {
            // Whole seconds, rounded up: coming back at the time named must succeed.
            let seconds = after.as_secs() + u64::from(after.subsec_nanos() > 0);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        response
    }
}

/// Why a request was refused.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Problem)]
pub struct Body {
    /// Always `about:blank`: `code` tells problems apart.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The status in words.
    title: &'static str,
    /// The status.
    status: u16,
    /// A sentence for people.
    #[schema(value_type = String)]
    error: Cow<'static, str>,
    /// A stable name for programs.
    #[schema(value_type = String)]
    code: Cow<'static, str>,
    /// Field name -> a sentence about it.
    fields: BTreeMap<String, String>,
    /// What to quote when reporting it; the `x-request-id` of the answer.
    #[schema(required)]
    request_id: Option<String>,
}
