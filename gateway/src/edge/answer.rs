//! JSON responses with headers: pagination, degradation, location.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use serde::Serialize;
use tonic::Status;

use crate::edge::problem::Problem;

/// The service whose part of the response is missing.
const DEGRADED: HeaderName = HeaderName::from_static("x-degraded");
/// The number of entries of the whole list.
const TOTAL: HeaderName = HeaderName::from_static("x-total-count");

/// A JSON response.
pub struct ApiResponse<T> {
    status: StatusCode,
    body: T,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl<T> ApiResponse<T> {
    /// 200.
    pub const fn ok(body: T) -> Self {
        Self { status: StatusCode::OK, body, headers: Vec::new() }
    }

    /// 201.
    pub const fn created(body: T) -> Self {
        Self { status: StatusCode::CREATED, body, headers: Vec::new() }
    }

    /// 202.
    pub const fn accepted(body: T) -> Self {
        Self { status: StatusCode::ACCEPTED, body, headers: Vec::new() }
    }

    /// `Location`: the URL of the created entity.
    pub fn at(self, path: &str) -> Self {
        self.with(header::LOCATION, path)
    }

    /// `Link: <...>; rel="next"` (RFC 8288) when another page follows: the same address with its cursor.
    pub fn next_page(self, asked: &Uri, token: &str) -> Self {
        if token.is_empty() {
            return self;
        }
        let asked_for = form_urlencoded::parse(asked.query().unwrap_or_default().as_bytes());
        let query = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(asked_for.filter(|(name, _)| name != "cursor"))
            .append_pair("cursor", token)
            .finish();
        self.with(header::LINK, &format!("<{}?{query}>; rel=\"next\"", asked.path()))
    }

    /// `X-Total-Count`: entries of the whole list, on every page of it.
    pub fn total(self, count: i64) -> Self {
        self.with(TOTAL, &count.to_string())
    }

    /// `X-Degraded` when a service's part is missing.
    pub fn degraded(self, service: Option<&'static str>) -> Self {
        match service {
            Some(service) => self.with(DEGRADED, service),
            None => self,
        }
    }

    /// Like [`Self::degraded`], for several services.
    pub fn degraded_by(self, services: &[&'static str]) -> Self {
        let mut named: Vec<&str> = Vec::new();
        for service in services {
            if !named.contains(service) {
                named.push(service);
            }
        }
        if named.is_empty() { self } else { self.with(DEGRADED, &named.join(", ")) }
    }

    fn with(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((name, value));
        }
        self
    }
}

impl<T> ApiResponse<Vec<T>> {
    /// The response of a side card without its service: empty, and marked.
    pub fn missing(service: &'static str) -> Self {
        Self::ok(Vec::new()).degraded(Some(service))
    }
}

/// The data of a side card; `None` while its service is unavailable.
///
/// # Errors
/// When the service refuses the request.
/// # Errors
/// What the service has against the request.
pub fn unless_unavailable<T>(asked: Result<tonic::Response<T>, Status>) -> Result<Option<T>, Problem> {
    match asked.map_err(Problem::from) {
        Ok(answer) => Ok(Some(answer.into_inner())),
        Err(problem) if problem.is_outage() => Ok(None),
        Err(problem) => Err(problem),
    }
}

impl<T: Serialize> IntoResponse for ApiResponse<T> {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        response.headers_mut().extend(self.headers);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_the_same_question_with_another_cursor() {
        let asked: Uri = "/api/posts?sort=top&cursor=old&userId=a%26b".parse().unwrap();
        let answer = ApiResponse::ok(()).next_page(&asked, "new");
        let link = answer.headers.first().unwrap().1.to_str().unwrap();
        assert_eq!(link, "</api/posts?sort=top&userId=a%26b&cursor=new>; rel=\"next\"");
        assert!(ApiResponse::ok(()).next_page(&asked, "").headers.is_empty());
    }
}
