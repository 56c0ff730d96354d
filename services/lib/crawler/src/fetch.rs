//! One guarded request: to a configured host, at a public address, for a bounded time and a bounded answer.
//!
//! The other end is taken for an enemy who would like to have this machine ask its own upstreams, fill its memory or disk,
//! or keep it waiting. So nothing is left to the client's defaults: redirects, compression and names are handled here.

mod admitted;
mod body;
mod failure;
mod guard;
mod lookup;

use std::{collections::BTreeSet, fmt, sync::Arc, time::Duration};

use http::{
    HeaderMap, HeaderName, HeaderValue, StatusCode,
    header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION},
};
use reqwest::{Client, ClientBuilder, Response, redirect, retry};
use tempfile::SpooledTempFile;
use url::Url;

pub use self::{
    admitted::{Admitted, NotAdmitted},
    failure::Failure,
    lookup::{Lookup, System},
};
use self::{guard::Guard, lookup::Resolver};

/// How requests introduce themselves, unless the [`Ask`] does it otherwise.
const USER_AGENT: &str = concat!("Portia/", env!("CARGO_PKG_VERSION"), " (reads feeds and job boards)");
/// The longest `ETag` or `Last-Modified` worth keeping, in bytes.
const LONGEST_VALIDATOR: usize = 512;

/// How much of an answer is taken, for how long.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// The most bytes of the answer, on the wire and decompressed alike.
    pub max_bytes: u64,
    /// All of it together: looking the name up, connecting, redirects, the body.
    pub timeout: Duration,
    /// As many redirects are followed, each checked like the first address.
    pub redirects: u8,
}

impl Policy {
    /// For a feed: 2 MiB, 10 s, 2 redirects.
    pub const FEED: Self = Self { max_bytes: 2 << 20, timeout: Duration::from_secs(10), redirects: 2 };
    /// For a job board, which sends thousands of postings in one answer: 64 MiB, 15 s, 2 redirects. It waits in a
    /// temporary file, so that memory stays bounded.
    pub const BOARD: Self = Self { max_bytes: 64 << 20, timeout: Duration::from_secs(15), redirects: 2 };
}

/// What is asked for.
#[derive(Clone)]
pub struct Ask {
    /// Where: https, at a configured host, without user information.
    pub url: Url,
    /// The media types that are of use.
    pub accept: &'static str,
    /// What the last answer called its version; none, and the answer is whole.
    pub etag: Option<String>,
    /// When the last answer said it had changed, as it said it.
    pub last_modified: Option<String>,
    /// More headers. They may be secret, and go only to the host (and port) that is asked first.
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

impl Ask {
    /// Asks for an address without conditions.
    #[must_use]
    pub fn new(url: Url, accept: &'static str) -> Self {
        Self { url, accept, etag: None, last_modified: None, headers: Vec::new() }
    }

    /// The headers of a request to `url`.
    fn headers(&self, url: &Url) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if url.origin() == self.url.origin() {
            for (name, value) in &self.headers {
                let mut value = value.clone();
                value.set_sensitive(true);
                headers.insert(name, value);
            }
        }
        for (name, text) in [
            (ACCEPT, Some(self.accept)),
            (ACCEPT_ENCODING, Some("gzip")),
            (IF_NONE_MATCH, self.etag.as_deref()),
            (IF_MODIFIED_SINCE, self.last_modified.as_deref()),
        ] {
            if let Some(value) = text.and_then(|text| HeaderValue::from_str(text).ok()) {
                headers.insert(name, value);
            }
        }
        headers
    }

    fn is_conditional(&self) -> bool {
        self.etag.is_some() || self.last_modified.is_some()
    }
}

impl fmt::Debug for Ask {
    /// Neither the address, whose parameters may be secret, nor the headers belong in logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ask").field("host", &self.url.host_str()).finish_non_exhaustive()
    }
}

/// What came of it.
#[derive(Debug)]
pub enum Fetched {
    /// The server says that nothing has changed since the version named in the [`Ask`].
    Unchanged,
    /// An answer.
    Document(Document),
}

/// An answer, whole.
#[derive(Debug)]
pub struct Document {
    /// What came, decompressed, from its beginning. In memory while small, else in a file that has no name.
    pub body: SpooledTempFile,
    /// Its length in bytes.
    pub bytes: u64,
    /// The charset that `Content-Type` names, as named.
    pub charset: Option<String>,
    /// The version, for the next [`Ask`].
    pub etag: Option<String>,
    /// When it changed, for the next [`Ask`].
    pub last_modified: Option<String>,
}

/// The HTTP client could not be made ready.
#[derive(Debug, thiserror::Error)]
#[error("The HTTP client cannot be made ready.")]
pub struct Unusable(#[source] reqwest::Error);

/// Asks others, guarded. Clones share the guard and its connections.
#[derive(Clone, Debug)]
pub struct Fetcher {
    client: Client,
    guard: Arc<Guard>,
}

impl Fetcher {
    /// A fetcher for `hosts`: every configured host. A redirect may lead only to one of them, or to its twin with or
    /// without `www.`; `admitted` ones may be private and plain http besides.
    ///
    /// # Errors
    /// When there is no TLS to be had at all. A machine without certificates of its own is usable: it trusts no issuer, and
    /// every https request says so.
    pub fn new(admitted: Admitted, hosts: impl IntoIterator<Item = String>) -> Result<Self, Unusable> {
        Self::with_lookup(admitted, hosts, System)
    }

    /// The same with names looked up otherwise, which is for tests.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_lookup(
        admitted: Admitted,
        hosts: impl IntoIterator<Item = String>,
        lookup: impl Lookup,
    ) -> Result<Self, Unusable> {
        let hosts: BTreeSet<String> = hosts.into_iter().collect();
        let guard = Arc::new(Guard::new(admitted, &hosts));
        let resolver = Arc::new(Resolver::new(Arc::clone(&guard), lookup));
        let client = match builder(Arc::clone(&resolver)).build() {
            Ok(client) => client,
            // Without certificates of certificate authorities on the machine it cannot be built to use them.
            Err(_) => builder(resolver).tls_certs_only([]).build().map_err(Unusable)?,
        };
        Ok(Self { client, guard })
    }

    /// Asks once, and follows redirects as the policy allows.
    ///
    /// # Errors
    /// Says why there is no answer to read, whatever the other end did.
    pub async fn fetch(&self, ask: &Ask, policy: &Policy) -> Result<Fetched, Failure> {
        let answer = tokio::time::timeout(policy.timeout, self.follow(ask, policy)).await;
        answer.unwrap_or(Err(Failure::TimedOut))
    }

    async fn follow(&self, ask: &Ask, policy: &Policy) -> Result<Fetched, Failure> {
        let mut url = ask.url.clone();
        let mut redirects = policy.redirects;
        self.guard.check(&url)?;
        loop {
            let request = self.client.get(url.clone()).headers(ask.headers(&url));
            let answer = request.send().await.map_err(|error| Failure::of(&error))?;
            let Some(next) = redirected(&url, &answer) else {
                return read(answer, ask, policy).await;
            };
            redirects = redirects.checked_sub(1).ok_or(Failure::Redirects { most: policy.redirects })?;
            self.guard.check_redirect(&url, &next)?;
            url = next;
        }
    }
}

/// A client that does nothing by itself.
fn builder(resolver: Arc<Resolver>) -> ClientBuilder {
    Client::builder()
        .user_agent(USER_AGENT)
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .referer(false)
        .no_proxy()
        // Another crate may have built these in; what is decompressed is counted here.
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .no_zstd()
        // One question and one answer: nothing of HTTP/2 helps that, and much of it can be abused.
        .http1_only()
        .pool_max_idle_per_host(1)
        .pool_idle_timeout(Duration::from_secs(10))
        .dns_resolver(resolver)
}

/// Where an answer sends the asker, if it does.
fn redirected(from: &Url, answer: &Response) -> Option<Url> {
    if !matches!(answer.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = answer.headers().get(LOCATION)?.to_str().ok()?;
    let mut url = from.join(location).ok()?;
    url.set_fragment(None);
    Some(url)
}

async fn read(answer: Response, ask: &Ask, policy: &Policy) -> Result<Fetched, Failure> {
    match answer.status() {
        StatusCode::OK => {}
        // A request without a validator cannot be answered with "not modified".
        StatusCode::NOT_MODIFIED if ask.is_conditional() => return Ok(Fetched::Unchanged),
        status => return Err(Failure::refused(status, answer.headers())),
    }
    let headers = answer.headers();
    let charset = text(headers, &CONTENT_TYPE).and_then(|kind| charset(&kind));
    let (etag, last_modified) = (text(headers, &ETAG), text(headers, &LAST_MODIFIED));
    let body::Kept { file, bytes } = body::keep(answer, policy.max_bytes).await?;
    Ok(Fetched::Document(Document { body: file, bytes, charset, etag, last_modified }))
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?.trim();
    (!value.is_empty() && value.len() <= LONGEST_VALIDATOR).then(|| value.to_owned())
}

/// The charset of a media type: `text/xml; charset="utf-8"`.
fn charset(kind: &str) -> Option<String> {
    kind.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
    })
}

#[cfg(test)]
mod tests;
