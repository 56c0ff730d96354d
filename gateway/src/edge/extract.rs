//! Extractors: JSON bodies, query parameters, pagination and ids in paths. Invalid input is refused with 4xx.

mod ids;

use axum::extract::{FromRequest, FromRequestParts, Request};
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header, request::Parts};
use primitives::input::Line;
use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;
use utoipa::IntoParams;

pub use crate::edge::extract::ids::{Id, Ids, Noun};
use crate::edge::problem::Problem;

/// The maximum nesting depth of a JSON body.
const MAX_DEPTH: usize = 32;

/// A JSON body. An empty body counts as `{}` and needs no content type.
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let (is_json, has_content_encoding) = (is_json(request.headers()), has_content_encoding(request.headers()));
        let bytes = Bytes::from_request(request, state).await.map_err(|_| unreadable())?;
        if bytes.is_empty() {
            return parse(b"{}").map(Self);
        }
        if has_content_encoding {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "ENCODED",
                "The body must be sent without a content encoding.",
            ));
        }
        if !is_json {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "NOT_JSON",
                "The body must be sent as application/json.",
            ));
        }
        parse(&bytes).map(Self)
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let media = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    media.split(';').next().is_some_and(|media| media.trim().eq_ignore_ascii_case("application/json"))
}

/// Whether the body is compressed. Such bodies are refused, because a small one could expand without bound.
pub fn has_content_encoding(headers: &HeaderMap) -> bool {
    headers.get_all(header::CONTENT_ENCODING).iter().any(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

fn unreadable() -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "MALFORMED_JSON", "The body is not valid JSON.")
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    // serde would read an array as a struct.
    let is_object = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    if !is_object || depth(bytes) > MAX_DEPTH {
        return Err(unreadable());
    }
    // The syntax is checked first, so that every later error belongs to a field.
    serde_json::from_slice::<Value>(bytes).map_err(|_| unreadable())?;
    let mut json = serde_json::Deserializer::from_slice(bytes);
    serde_path_to_error::deserialize(&mut json)
        .map_err(|error| field_error(&error.path().to_string(), &error.inner().to_string()))
}

/// The nesting depth of arrays and objects. Brackets in strings do not count.
fn depth(bytes: &[u8]) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The message for the field that serde refused. It repeats nothing that the client sent.
fn field_error(path: &str, message: &str) -> Problem {
    let quoted = |start: &str| message.strip_prefix(start)?.split('`').next();
    if let Some(field) = quoted("missing field `") {
        return Problem::field(field, "Required");
    }
    if let Some(field) = quoted("duplicate field `") {
        return Problem::field(field, "This was sent more than once.");
    }
    if message.starts_with("unknown variant") {
        return Problem::field(path, format!("This must be one of: {}.", choices(message)));
    }
    if message.starts_with("unknown field") {
        // The name of an unknown field comes from the client, so it is not repeated.
        return Problem {
            error: format!("Only these can be sent: {}.", choices(message)).into(),
            ..Problem::new(StatusCode::BAD_REQUEST, "INVALID", "")
        };
    }
    // serde_json reports a number in place of an enum as "expected value".
    let wrong_type = message.starts_with("invalid type") || message.starts_with("expected value");
    Problem::field(path, if wrong_type { "Invalid type" } else { "This value is not valid." })
}

/// The values that serde accepts, as text.
fn choices(message: &str) -> String {
    let choices = message.rsplit_once(", expected ").map_or("", |(_, choices)| choices);
    let choices = choices.split(" at line ").next().unwrap_or_default().replace('`', "");
    choices.strip_prefix("one of ").unwrap_or(&choices).to_owned()
}

/// Query parameters. Unknown ones are ignored.
pub struct Params<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let query = parts.uri.query().unwrap_or_default().as_bytes();
        let query = serde_urlencoded::Deserializer::new(form_urlencoded::parse(query));
        serde_path_to_error::deserialize(query)
            .map(Self)
            .map_err(|error| field_error(&error.path().to_string(), &error.inner().to_string()))
    }
}

/// An empty filter (`?location=`) counts as absent.
pub fn unless_empty<'de, D: Deserializer<'de>, T: DeserializeOwned>(raw: D) -> Result<Option<T>, D::Error> {
    let raw = String::deserialize(raw)?;
    if raw.is_empty() {
        return Ok(None);
    }
    let text = serde::de::value::StrDeserializer::<D::Error>::new(&raw);
    T::deserialize(text).map(Some)
}

/// The pagination parameters of a list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Paging {
    /// The cursor of the next page, from the `Link` header of the previous one.
    #[serde(default)]
    #[param(required = false)]
    pub cursor: String,
    /// The maximum of entries per page: 1 to 100, 20 by default.
    #[serde(default)]
    #[param(required = false)]
    pub limit: i32,
}

/// The `Idempotency-Key` header, if present.
pub struct IdempotencyKey(pub Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Some(raw) = parts.headers.get("idempotency-key") else { return Ok(Self(None)) };
        let key = Line::<128>::parse_key("Idempotency-Key", raw.to_str().unwrap_or_default())?;
        Ok(Self(Some(key.into_string())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Colour {
        Red,
        Blue,
    }

    #[derive(Debug, Deserialize)]
    struct Form {
        #[serde(default)]
        name: String,
        #[expect(dead_code, reason = "only read by serde")]
        colour: Option<Colour>,
    }

    fn refusal(body: &[u8]) -> Problem {
        parse::<Form>(body).unwrap_err()
    }

    #[test]
    fn an_invalid_field_is_named_without_its_value() {
        let problem = refusal(br#"{"name": 7}"#);
        assert_eq!(problem.fields, [primitives::error::Violation::new("name", "Invalid type")]);
        let problem = refusal(br#"{"colour": "hunter2"}"#);
        assert_eq!(problem.fields[0].message, "This must be one of: red or blue.");
        assert!(!format!("{problem:?}").contains("hunter2"));
        assert_eq!(refusal(br#"{"name":"a","name":"b"}"#).fields[0].field, "name");
    }

    #[test]
    fn an_unknown_field_is_answered_with_the_known_ones() {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "only read by serde")]
        struct Strict {
            name: Option<String>,
            colour: Option<Colour>,
        }
        for sent in [br#"{"hunter2":1}"#.as_slice(), br#"{"hunter2, expected one of `a`, `b`":null}"#] {
            let problem = parse::<Strict>(sent).unwrap_err();
            assert_eq!((problem.error.as_ref(), problem.fields.len()), ("Only these can be sent: name or colour.", 0));
        }
    }

    #[test]
    fn a_body_that_is_not_a_json_object_is_refused() {
        let deep = format!("{{\"x\":{}1{}}}", "[".repeat(32), "]".repeat(32));
        let broken: [&[u8]; 9] = [
            b"[\"a\"]",
            b"null",
            b"{",
            b"{\"name\":\"\\ud800\"}",
            b"{\"name\":\"\xff\"}",
            b"{\"x\":1e400}",
            b"{} {}",
            b"\0",
            deep.as_bytes(),
        ];
        for body in broken {
            assert_eq!(refusal(body).code, "MALFORMED_JSON", "{}", String::from_utf8_lossy(body));
        }
        assert_eq!(parse::<Form>(br#"{"x":"[[[[{{{{\"[[["}"#).unwrap().name, "");
    }

    #[test]
    fn an_empty_filter_is_none() {
        #[derive(Deserialize)]
        struct Filter {
            #[serde(default, deserialize_with = "unless_empty")]
            colour: Option<Colour>,
        }
        let read = |query: &str| serde_urlencoded::from_str::<Filter>(query).map(|filter| filter.colour);
        assert_eq!(read("colour=").unwrap(), None);
        assert_eq!(read("").unwrap(), None);
        assert_eq!(read("colour=red").unwrap(), Some(Colour::Red));
        assert!(read("colour=green").is_err());
    }
}
