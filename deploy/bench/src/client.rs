//! The HTTP client of a measurement: one connection and one session cookie per member.

use std::time::Duration;

use anyhow::Context as _;
use reqwest::{Method, header};
use serde_json::{Value, json};

/// The request timeout.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A request that can be sent repeatedly.
#[derive(Clone, Debug)]
pub struct Request {
    /// GET, POST or DELETE.
    pub method: Method,
    /// Path and query.
    pub path: String,
    /// The body.
    pub body: Option<Value>,
}

impl Request {
    /// A read.
    #[must_use]
    pub fn get(path: impl Into<String>) -> Self {
        Self { method: Method::GET, path: path.into(), body: None }
    }
}

/// A response.
#[derive(Debug)]
pub struct Response {
    /// The status is 2xx, and the body is complete.
    pub good: bool,
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
    /// The path of the next page.
    pub next: Option<String>,
}

impl Response {
    /// The body as JSON.
    ///
    /// # Errors
    /// When the body is not JSON, or the status is not 2xx.
    pub fn json(&self) -> anyhow::Result<Value> {
        let excerpt = || String::from_utf8_lossy(&self.body).chars().take(300).collect::<String>();
        anyhow::ensure!(self.good, "{} {}", self.status, excerpt());
        serde_json::from_slice(&self.body).with_context(excerpt)
    }
}

/// A member with their own connection.
#[derive(Clone, Debug)]
pub struct Member {
    client: reqwest::Client,
    base: String,
    cookie: String,
    /// The member's id.
    pub id: String,
}

impl Member {
    /// Signs in.
    ///
    /// # Errors
    /// When the sign-in fails.
    pub async fn sign_in(base: &str, username: &str, password: &str) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder().timeout(TIMEOUT).build()?;
        let answer = client
            .post(format!("{base}/api/auth/login"))
            .header("sec-fetch-site", "same-origin")
            .json(&json!({"username": username, "password": password}))
            .send()
            .await?;
        let cookies: Vec<String> = answer
            .headers()
            .get_all(header::SET_COOKIE)
            .iter()
            .filter_map(|set| set.to_str().ok()?.split(';').next().map(str::to_owned))
            .collect();
        let (status, body) = (answer.status(), answer.text().await?);
        anyhow::ensure!(status.is_success(), "{username} cannot sign in: {status} {body}");
        let me: Value = serde_json::from_str(&body)?;
        let id = me.get("id").and_then(Value::as_str).context("a sign-in answers no id")?.to_owned();
        Ok(Self { client, base: base.to_owned(), cookie: cookies.join("; "), id })
    }

    /// The member on a server without sessions.
    ///
    /// # Errors
    /// When the operating system has no connection left.
    pub fn without_session(base: &str, id: &str) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder().timeout(TIMEOUT).build()?;
        Ok(Self { client, base: base.to_owned(), cookie: String::new(), id: id.to_owned() })
    }

    /// Returns a client with the same session on a new connection.
    ///
    /// # Errors
    /// When the operating system has no connection left.
    pub fn with_new_connection(&self) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder().timeout(TIMEOUT).build()?;
        Ok(Self { client, ..self.clone() })
    }

    /// Opens an event stream.
    ///
    /// # Errors
    /// When the status is not 2xx.
    pub async fn open_stream(&self, path: &str) -> anyhow::Result<reqwest::Response> {
        // Without a timeout of the client, which would end the stream.
        let request = reqwest::Client::builder().build()?.get(format!("{}{path}", self.base));
        Ok(request.header(header::COOKIE, &self.cookie).send().await?.error_for_status()?)
    }

    /// Sends a request and reads the full response.
    ///
    /// # Errors
    /// When there is no response.
    pub async fn send(&self, request: &Request) -> anyhow::Result<Response> {
        let mut builder = self.begin(request.method.clone(), &request.path);
        if let Some(body) = &request.body {
            builder = builder.json(body);
        }
        read(builder).await
    }

    /// Uploads a file and reads the full response.
    ///
    /// # Errors
    /// When there is no response.
    pub async fn upload(&self, path: &str, media: &'static str, file: &'static [u8]) -> anyhow::Result<Response> {
        read(self.begin(Method::POST, path).header(header::CONTENT_TYPE, media).body(file)).await
    }

    fn begin(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let builder = self.client.request(method, format!("{}{path}", self.base));
        let builder = builder.header("sec-fetch-site", "same-origin");
        if self.cookie.is_empty() { builder } else { builder.header(header::COOKIE, &self.cookie) }
    }
}

/// Sends a request and reads the full response.
async fn read(request: reqwest::RequestBuilder) -> anyhow::Result<Response> {
    let answer = request.send().await?;
    // A list without cards, because profile was unavailable, is cheaper to produce and does not count.
    let good = answer.status().is_success() && !answer.headers().contains_key("x-degraded");
    let status = answer.status().as_u16();
    let next = answer.headers().get(header::LINK).and_then(|link| link.to_str().ok()).and_then(next);
    let body = answer.bytes().await?.to_vec();
    Ok(Response { good, status, body, next })
}

/// The target of RFC 8288's `<..>; rel="next"`.
fn next(link: &str) -> Option<String> {
    let entry = link.split(',').find(|entry| entry.contains("rel=\"next\""))?;
    let (_, rest) = entry.split_once('<')?;
    Some(rest.split_once('>')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_read_from_its_link() {
        assert_eq!(next(r#"</api/posts?cursor=a%3D>; rel="next""#).as_deref(), Some("/api/posts?cursor=a%3D"));
        assert_eq!(next(r#"</a>; rel="prev", </b>; rel="next""#).as_deref(), Some("/b"));
        assert_eq!(next(r#"</a>; rel="prev""#), None);
    }
}
