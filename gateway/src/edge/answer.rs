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

    /// `Link: <...>; rel="next"` (RFC 8288) if another page follows: the same URL with the cursor of that page.
    pub fn next_page(self, uri: &Uri, token: &str) -> Self {
        if token.is_empty() {
            return self;
        }
        let current = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
        let query = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(current.filter(|(name, _)| name != "cursor"))
            .append_pair("cursor", token)
            .finish();
        self.with(header::LINK, &format!("<{}?{query}>; rel=\"next\"", uri.path()))
    }

    /// `X-Total-Count`: the number of entries of the whole list, on every page.
    pub fn total(self, count: i64) -> Self {
        self.with(TOTAL, &count.to_string())
    }

    /// `X-Degraded` if the data of a service is missing.
    pub fn degraded(self, service: Option<&'static str>) -> Self {
        match service {
            Some(service) => self.with(DEGRADED, service),
            None => self,
        }
    }

    /// Marks the answer like [`Self::degraded`], for several services.
    pub fn degraded_by(self, services: &[&'static str]) -> Self {
        let mut names: Vec<&str> = Vec::new();
        for service in services {
            if !names.contains(service) {
                names.push(service);
            }
        }
        if names.is_empty() { self } else { self.with(DEGRADED, &names.join(", ")) }
    }

    fn with(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((name, value));
        }
        self
    }
}

impl<T> ApiResponse<Vec<T>> {
    /// The response of a side card whose service is unavailable: an empty list with `X-Degraded`.
    pub fn missing(service: &'static str) -> Self {
        Self::ok(Vec::new()).degraded(Some(service))
    }
}

/// The data of a side card; `None` while its service is unavailable.
///
/// # Errors
/// When the service refuses the request.
pub fn unless_unavailable<T>(result: Result<tonic::Response<T>, Status>) -> Result<Option<T>, Problem> {
    match result.map_err(Problem::from) {
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

/// JSON that is written already.
pub struct JsonText(pub Vec<u8>);

impl IntoResponse for ApiResponse<JsonText> {
    fn into_response(self) -> Response {
        let json = HeaderValue::from_static("application/json");
        let mut response = (self.status, [(header::CONTENT_TYPE, json)], self.body.0).into_response();
        response.headers_mut().extend(self.headers);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_has_the_same_query_with_another_cursor() {
        let uri: Uri = "/api/posts?sort=top&cursor=old&userId=a%26b".parse().unwrap();
        let answer = ApiResponse::ok(()).next_page(&uri, "new");
        let link = answer.headers.first().unwrap().1.to_str().unwrap();
        assert_eq!(link, "</api/posts?sort=top&userId=a%26b&cursor=new>; rel=\"next\"");
        assert!(ApiResponse::ok(()).next_page(&uri, "").headers.is_empty());
    }
}
