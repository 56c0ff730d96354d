//! Reports of browsers that a page violated its content security policy. Each is an event of the security log, which has words of
//! lists and no text of the report: no address, no sample of code, no member and no network.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request, State},
};
use http::{Extensions, HeaderMap, StatusCode, header};
use metrics::counter;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use utoipa::ToSchema;

use crate::edge::{
    extract::has_content_encoding,
    limits::{Bucket, Limits, network},
    origin::RequestOrigin,
    problem::Problem,
};

/// The reports of a network. A page that violates its policy may send several.
const OF_NETWORK: Bucket = Bucket::per_minute("policy-reports-of-network", 30);
/// All reports of this process.
const OF_PROCESS: Bucket = Bucket::per_minute("policy-reports", 300);
/// The reports of one request that count.
const MAX_REPORTS: usize = 20;

/// The directives that an event names.
const DIRECTIVES: [&str; 18] = [
    "base-uri",
    "connect-src",
    "default-src",
    "font-src",
    "form-action",
    "frame-ancestors",
    "frame-src",
    "img-src",
    "manifest-src",
    "media-src",
    "object-src",
    "require-trusted-types-for",
    "script-src",
    "script-src-attr",
    "script-src-elem",
    "style-src",
    "style-src-elem",
    "worker-src",
];
/// The words that reports have in place of an address, and schemes of addresses without a host.
const SOURCES: [&str; 9] = [
    "blob",
    "chrome-extension",
    "data",
    "eval",
    "inline",
    "moz-extension",
    "safari-web-extension",
    "trusted-types-policy",
    "trusted-types-sink",
];

/// The only report of a request.
#[derive(Debug, Deserialize, ToSchema)]
pub struct PolicyReport {
    /// The violation.
    #[serde(rename = "csp-report")]
    csp_report: ReportedViolation,
}

/// A violation, of which other fields are ignored.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct ReportedViolation {
    /// The violated directive.
    #[serde(rename = "effective-directive")]
    effective_directive: Option<String>,
    /// What was blocked: an address or a word.
    #[serde(rename = "blocked-uri")]
    blocked_uri: Option<String>,
}

/// A report of the Reporting API.
#[derive(Debug, Deserialize, ToSchema)]
pub struct BrowserReport {
    /// `csp-violation`; others are ignored.
    r#type: String,
    /// The violation.
    body: BrowserReportBody,
}

/// The body of a report of the Reporting API, of which other fields are ignored.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BrowserReportBody {
    /// The violated directive.
    effective_directive: Option<String>,
    /// What was blocked: an address or a word.
    #[serde(rename = "blockedURL")]
    blocked_url: Option<String>,
}

/// The violations of a request, in one of the two formats of browsers.
pub struct Violations(Vec<ReportedViolation>);

impl<S: Send + Sync> FromRequest<S> for Violations {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let media = media_type(request.headers());
        let has_content_encoding = has_content_encoding(request.headers());
        let malformed = || Problem::new(StatusCode::BAD_REQUEST, "MALFORMED_JSON", "The body is not a valid report.");
        let bytes = Bytes::from_request(request, state).await.map_err(|_| malformed())?;
        let violations = match media {
            Some(Format::One) if !has_content_encoding => {
                let report: PolicyReport =
                    parse(&bytes, |report| has_object(report, "csp-report")).ok_or_else(malformed)?;
                vec![report.csp_report]
            }
            Some(Format::Many) if !has_content_encoding => {
                let are_objects = |reports: &Value| {
                    reports.as_array().is_some_and(|all| all.iter().all(|report| has_object(report, "body")))
                };
                let reports: Vec<BrowserReport> = parse(&bytes, are_objects).ok_or_else(malformed)?;
                let reports = reports.into_iter().filter(|report| report.r#type == "csp-violation");
                let violation = |BrowserReport { body, .. }: BrowserReport| ReportedViolation {
                    effective_directive: body.effective_directive,
                    blocked_uri: body.blocked_url,
                };
                reports.map(violation).collect()
            }
            _ => {
                let refusal = "A report is sent as application/csp-report or application/reports+json.";
                return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "NOT_A_REPORT", refusal));
            }
        };
        Ok(Self(violations))
    }
}

/// The JSON value, if it has this form: serde reads an array as a struct too.
fn parse<T: DeserializeOwned>(bytes: &[u8], is_valid: impl Fn(&Value) -> bool) -> Option<T> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    if is_valid(&value) { serde_json::from_value(value).ok() } else { None }
}

fn has_object(value: &Value, field: &str) -> bool {
    value.as_object().and_then(|fields| fields.get(field)).is_some_and(Value::is_object)
}

enum Format {
    One,
    Many,
}

fn media_type(headers: &HeaderMap) -> Option<Format> {
    let media = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    let media = media.split(';').next()?.trim();
    if media.eq_ignore_ascii_case("application/csp-report") {
        return Some(Format::One);
    }
    media.eq_ignore_ascii_case("application/reports+json").then_some(Format::Many)
}

/// Takes reports of browsers about violations of the content security policy. What is beyond the limit of a network is left out.
#[utoipa::path(post, path = "/api/policy-reports", operation_id = "reportPolicyViolation", tag = "security",
    request_body(description = "One report, or a list of the Reporting API.",
        content((PolicyReport = "application/csp-report"), (Vec<BrowserReport> = "application/reports+json"))),
    responses((status = 204, description = "The reports were taken.")))]
pub async fn report(
    State(limits): State<Limits>,
    RequestOrigin(origin): RequestOrigin,
    headers: HeaderMap,
    extensions: Extensions,
    Violations(violations): Violations,
) -> StatusCode {
    let network = network(limits.client_address(&extensions, &headers));
    for violation in violations.into_iter().take(MAX_REPORTS) {
        let directive = word(&DIRECTIVES, violation.effective_directive.as_deref().unwrap_or_default());
        let blocked = blocked(violation.blocked_uri.as_deref().unwrap_or_default(), &origin);
        counter!("policy_violations_total", "directive" => directive).increment(1);
        let of_network = limits.count_here(OF_NETWORK, &network);
        if of_network.and_then(|()| limits.count_here(OF_PROCESS, "")).is_ok() {
            tracing::info!(target: "security", directive, blocked, "policy violated");
        }
    }
    StatusCode::NO_CONTENT
}

/// The word of the list, or `other`.
fn word<const N: usize>(list: &[&'static str; N], text: &str) -> &'static str {
    list.iter().find(|word| **word == text).copied().unwrap_or("other")
}

/// Returns the kind of the blocked resource, without its address.
fn blocked(uri: &str, origin: &str) -> &'static str {
    let scheme = uri.split(':').next().unwrap_or_default();
    let is_own = uri.strip_prefix(origin).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    match scheme {
        _ if is_own => "same-origin",
        "http" | "https" | "ws" | "wss" => "other-origin",
        scheme => word(&SOURCES, scheme),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_words_of_lists_only() {
        let origin = "https://portia.example";
        for (uri, expected) in [
            ("inline", "inline"),
            ("trusted-types-sink", "trusted-types-sink"),
            ("data", "data"),
            ("data:text/html,x", "data"),
            ("chrome-extension://abcdef/x.js", "chrome-extension"),
            ("https://portia.example", "same-origin"),
            ("https://portia.example/profile/ana", "same-origin"),
            ("https://portia.example.evil.example/x", "other-origin"),
            ("wss://evil.example", "other-origin"),
            ("a name\nof a member", "other"),
            ("", "other"),
        ] {
            assert_eq!(blocked(uri, origin), expected, "{uri}");
        }
        assert_eq!(word(&DIRECTIVES, "script-src-elem"), "script-src-elem");
        assert_eq!(word(&DIRECTIVES, "script-src 'self' \u{202e}"), "other");
    }
}
