//! Error responses: `application/problem+json` (RFC 9457) with a message for members in `error`.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    fmt,
    time::Duration,
};

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use primitives::error::{ErrorKind, StatusDetails, Violation};
use serde::Serialize;
use tonic::Status;
use utoipa::ToSchema;

use crate::edge::proof_of_work::WorkChallenge;

/// The message of an internal error.
const INTERNAL: &str = "Something went wrong on our side. Please try again.";
/// The message of an unavailable service and of overload.
const BUSY: &str = "Portia is busy at the moment. Please try again.";
/// The message of a timeout.
const TIMEOUT: &str = "This took too long. Please try again.";

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The HTTP status.
    pub status: StatusCode,
    /// A stable error code for programs.
    pub code: Cow<'static, str>,
    /// A message for members.
    pub error: Cow<'static, str>,
    /// The invalid fields.
    pub fields: Vec<Violation>,
    /// The time after which a retry can succeed.
    pub retry_after: Option<Duration>,
    /// The exhausted rate limit.
    pub limit: Option<&'static str>,
    /// The task of a client whose request needs a proof of work.
    pub challenge: Option<Box<WorkChallenge>>,
    /// The appeal of a suspended member.
    pub appeal: Option<Box<AppealOffer>>,
}

/// Whether a suspended member can appeal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AppealOffer {
    /// `possible`; `waiting` for a decision; `upheld`, when the suspension stays; `unavailable`, when an operator suspended the account.
    pub state: String,
    /// The token for `POST /api/auth/suspension-appeal`, while an appeal is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<String>)]
    pub token: Option<AppealToken>,
}

impl AppealOffer {
    /// Reads the offer from the metadata of a status.
    fn of(mut metadata: HashMap<String, String>) -> Option<Box<Self>> {
        let state = metadata.remove("appealState")?;
        Some(Box::new(Self { state, token: metadata.remove("appealToken").map(AppealToken) }))
    }
}

/// The secret. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct AppealToken(String);

impl fmt::Debug for AppealToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AppealToken(..)")
    }
}

/// The reason of a refusal, as an extension of its response for the layers around the handlers.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The error code.
    pub code: Cow<'static, str>,
    /// The exhausted rate limit.
    pub limit: Option<&'static str>,
}

impl Problem {
    /// A problem without fields.
    pub const fn new(status: StatusCode, code: &'static str, error: &'static str) -> Self {
        Self {
            status,
            code: Cow::Borrowed(code),
            error: Cow::Borrowed(error),
            fields: Vec::new(),
            retry_after: None,
            limit: None,
            challenge: None,
            appeal: None,
        }
    }

    /// 400 for an invalid field.
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

    /// 401: the session expired by time. Without this code, the client must believe that a person ended it.
    pub const fn session_expired(error: &'static str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "SESSION_EXPIRED", error)
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

    /// 429 instead of `limited`: the client may wait, or solve the challenge and send the request again.
    pub fn proof_of_work(limited: &Self, error: &'static str, challenge: WorkChallenge) -> Self {
        let problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "PROOF_OF_WORK_REQUIRED", error);
        let challenge = Some(Box::new(challenge));
        Self { retry_after: limited.retry_after, limit: limited.limit, challenge, ..problem }
    }

    /// 503.
    pub fn busy(code: &'static str) -> Self {
        let problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, code, BUSY);
        Self { retry_after: Some(Duration::from_secs(1)), ..problem }
    }

    /// 500.
    pub const fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL", INTERNAL)
    }

    /// Renames a field whose name in REST differs from the proto.
    #[must_use]
    pub fn renamed(mut self, proto: &str, rest: &str) -> Self {
        for violation in self.fields.iter_mut().filter(|violation| violation.field == proto) {
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
        let details = StatusDetails::from(&status);
        // A status without a reason comes from the transport, not from a service.
        let is_from_service = !details.reason.is_empty();
        match details.kind {
            ErrorKind::Unavailable => Self::busy("UNAVAILABLE"),
            ErrorKind::Timeout => Self {
                retry_after: Some(Duration::from_secs(1)),
                ..Self::new(StatusCode::GATEWAY_TIMEOUT, "TIMEOUT", TIMEOUT)
            },
            ErrorKind::Internal => Self::internal(),
            // A service refused the token of the gateway: keys or clocks are wrong, the session of the caller is not.
            ErrorKind::Unauthenticated if details.reason == "NO_TOKEN" => {
                tracing::error!("a service refused the gateway's token");
                Self::internal()
            }
            kind if is_from_service => Self {
                status: StatusCode::from_u16(kind.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
                code: details.reason.into(),
                error: details.message.into(),
                fields: details.violations.into_iter().map(rename_pagination).collect(),
                retry_after: details.retry_after.or((kind == ErrorKind::Limited).then_some(Duration::from_secs(1))),
                limit: None,
                challenge: None,
                appeal: AppealOffer::of(details.metadata),
            },
            _ => {
                tracing::error!(code = ?status.code(), message = status.message(), "an unexpected status of a service");
                Self::internal()
            }
        }
    }
}

/// The pagination fields have other names in REST than in the proto.
fn rename_pagination(violation: Violation) -> Violation {
    match violation.field.as_str() {
        "pageSize" => Violation { field: "limit".to_owned(), ..violation },
        "pageToken" => Violation { field: "cursor".to_owned(), ..violation },
        _ => violation,
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let refusal = Refusal { code: self.code.clone(), limit: self.limit };
        let body = Body {
            kind: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            error: self.error,
            code: self.code,
            fields: self.fields.into_iter().map(|violation| (violation.field, violation.message)).collect(),
            request_id: telemetry::current_trace_id(),
            challenge: self.challenge,
            appeal: self.appeal,
        };
        let json = serde_json::to_vec(&body).unwrap_or_default();
        let media = [(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"))];
        let mut response = (self.status, media, json).into_response();
        response.extensions_mut().insert(refusal);
        if let Some(after) = self.retry_after {
            // Whole seconds, rounded up: a retry after that time must succeed.
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
    /// Always `about:blank`; `code` identifies the problem.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The reason phrase of the status.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// A message for members.
    #[schema(value_type = String)]
    error: Cow<'static, str>,
    /// A stable error code for programs.
    #[schema(value_type = String)]
    code: Cow<'static, str>,
    /// The invalid fields: name -> message.
    fields: BTreeMap<String, String>,
    /// The trace id of the request, to quote in bug reports. Equals the header `x-request-id`.
    #[schema(required)]
    request_id: Option<String>,
    /// The task to solve for `PROOF_OF_WORK_REQUIRED`; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    challenge: Option<Box<WorkChallenge>>,
    /// Of a suspended member, for `ACCOUNT_SUSPENDED`; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    appeal: Option<Box<AppealOffer>>,
}
