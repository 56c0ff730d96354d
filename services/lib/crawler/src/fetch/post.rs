//! A guarded POST, whose response is its status: no redirect is followed, and no body is read.

use std::time::Duration;

use http::{HeaderMap, StatusCode};
use url::Url;

use super::{Failure, Fetcher, failure::parse_retry_after};

/// The response to a POST.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostResponse {
    /// The status, which may be a redirect or an error.
    pub status: StatusCode,
    /// The `Retry-After` of the server, at most a day.
    pub retry_after: Option<Duration>,
}

impl Fetcher {
    /// Whether an address may be requested. Its name is resolved and checked with each request.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn check(&self, url: &Url) -> Result<(), Failure> {
        self.guard.check(url)
    }

    /// Sends a body. `timeout` covers name resolution, connection and response.
    ///
    /// # Errors
    /// When the address is refused, or there is no response.
    pub async fn post(
        &self,
        url: &Url,
        headers: HeaderMap,
        body: Vec<u8>,
        timeout: Duration,
    ) -> Result<PostResponse, Failure> {
        self.guard.check(url)?;
        let sent = self.client.post(url.clone()).headers(headers).body(body).send();
        let response = tokio::time::timeout(timeout, sent).await.map_err(|_| Failure::TimedOut)?;
        let response = response.map_err(|error| Failure::of(&error))?;
        Ok(PostResponse { status: response.status(), retry_after: parse_retry_after(response.headers()) })
    }
}
