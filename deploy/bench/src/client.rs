//! A member's browser as far as a measurement needs one: it keeps its connection and its cookie.

use std::time::Duration;

use anyhow::Context as _;
use reqwest::{Method, header};
use serde_json::{Value, json};

/// Longer than any request may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// One request, to be made again and again.
#[derive(Clone, Debug)]
pub struct Ask {
    /// GET, POST or DELETE.
    pub method: Method,
    /// Path and query.
    pub path: String,
    /// The body.
    pub body: Option<Value>,
}

impl Ask {
    /// A read.
    #[must_use]
    pub fn get(path: impl Into<String>) -> Self {
        Self { method: Method::GET, path: path.into(), body: None }
    }
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    /// 2xx, and nothing missing.
    pub good: bool,
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
    /// Where the list goes on.
    pub next: Option<String>,
}

impl Answer {
    /// The body as JSON.
    ///
    /// # Errors
    /// When it is none, or the status speaks of failure.
    pub fn json(&self) -> anyhow::Result<Value> {
        let said = || String::from_utf8_lossy(&self.body).chars().take(300).collect::<String>();
        anyhow::ensure!(self.good, "{} {}", self.status, said());
        serde_json::from_slice(&self.body).with_context(said)
    }
}

/// A member with their own connection.
#[derive(Clone, Debug)]
pub struct Member {
    client: reqwest::Client,
    base: String,
    cookie: String,
    /// Who they are.
    pub id: String,
}

impl Member {
    /// Signs in.
    ///
    /// # Errors
    /// When that fails.
    pub async fn sign_in(base: &str, username: &str, password: &str) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder().timeout(PATIENCE).build()?;
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

    /// The same member with a connection of its own.
    ///
    /// # Errors
    /// When the system has none to give.
    pub fn again(&self) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder().timeout(PATIENCE).build()?;
        Ok(Self { client, ..self.clone() })
    }

    /// Opens what does not end by itself.
    ///
    /// # Errors
    /// When it is not given.
    pub async fn open(&self, path: &str) -> anyhow::Result<reqwest::Response> {
        // No patience of the client's: it would end the stream.
        let request = reqwest::Client::builder().build()?.get(format!("{}{path}", self.base));
        Ok(request.header(header::COOKIE, &self.cookie).send().await?.error_for_status()?)
    }

    /// Asks, and reads the answer whole.
    ///
    /// # Errors
    /// When there is none.
    pub async fn ask(&self, ask: &Ask) -> anyhow::Result<Answer> {
        let mut request = self
            .client
            .request(ask.method.clone(), format!("{}{}", self.base, ask.path))
            .header("sec-fetch-site", "same-origin")
            .header(header::COOKIE, &self.cookie);
        if let Some(body) = &ask.body {
            request = request.json(body);
        }
        let answer = request.send().await?;
        // A card without its service is quick to make, and no answer.
        let good = answer.status().is_success() && !answer.headers().contains_key("x-degraded");
        let status = answer.status().as_u16();
        let next = answer.headers().get(header::LINK).and_then(|link| link.to_str().ok()).and_then(next);
        let body = answer.bytes().await?.to_vec();
        Ok(Answer { good, status, body, next })
    }
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
