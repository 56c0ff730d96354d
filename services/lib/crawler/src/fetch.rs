//! One guarded request: to a configured host, at a public address, with a bounded time and response.
//!
//! Servers are untrusted: they may redirect to services of the private network, send endless responses, or respond slowly.
//! So redirects, compression and name resolution are handled here, not by the defaults of the client.

mod admitted;
mod body;
mod failure;
mod guard;
mod lookup;
mod post;

use std::{collections::BTreeSet, fmt, sync::Arc, time::Duration};

use http::{
    HeaderMap, HeaderName, HeaderValue, StatusCode,
    header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION},
};
use reqwest::{Client, ClientBuilder, Response, redirect, retry};
use tempfile::SpooledTempFile;
use url::Url;

pub use self::{
    admitted::{AdmittedHosts, InvalidAdmittedHosts},
    failure::Failure,
    lookup::{Lookup, SystemLookup},
    post::PostResponse,
};
use self::{guard::Guard, lookup::Resolver};

/// The `User-Agent`, unless the [`Request`] has another one.
const USER_AGENT: &str = concat!("Portia/", env!("CARGO_PKG_VERSION"), " (reads feeds and job boards)");
/// The `User-Agent` of requests for links of members.
const LINK_USER_AGENT: &str = concat!("Portia/", env!("CARGO_PKG_VERSION"), " (previews links of posts)");
/// The longest stored `ETag` or `Last-Modified`, in bytes.
const MAX_VALIDATOR_LENGTH: usize = 512;

/// The limits of a request.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// The most bytes of the response, both compressed and decompressed.
    pub max_bytes: u64,
    /// The time of the whole request: name resolution, connection, redirects and body.
    pub timeout: Duration,
    /// The most redirects. Each is checked like the first address.
    pub redirects: u8,
}

impl Policy {
    /// For a feed: 2 MiB, 10 s, 2 redirects.
    pub const FEED: Self = Self { max_bytes: 2 << 20, timeout: Duration::from_secs(10), redirects: 2 };
    /// For a list of thousands of items in one response: 64 MiB, 15 s, 2 redirects. The body is stored in a temporary file, so
    /// that memory is bounded.
    pub const BOARD: Self = Self { max_bytes: 64 << 20, timeout: Duration::from_secs(15), redirects: 2 };
    /// For a page that a member links to: 4 MiB, 8 s, 4 redirects.
    pub const PAGE: Self = Self { max_bytes: 4 << 20, timeout: Duration::from_secs(8), redirects: 4 };
}

/// A request.
#[derive(Clone)]
pub struct Request {
    /// The address: https, at a host that the [`Fetcher`] may request, without user information.
    pub url: Url,
    /// The accepted media types.
    pub accept: &'static str,
    /// The `ETag` of the last response. Without validators the request is unconditional.
    pub etag: Option<String>,
    /// The `Last-Modified` of the last response, as sent.
    pub last_modified: Option<String>,
    /// Further headers. They may be secret, so a redirect to another origin does not get them.
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

impl Request {
    /// An unconditional request.
    #[must_use]
    pub fn new(url: Url, accept: &'static str) -> Self {
        Self { url, accept, etag: None, last_modified: None, headers: Vec::new() }
    }

    /// Returns the headers for `url`, which may be the target of a redirect.
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

impl fmt::Debug for Request {
    /// Omits the address, whose parameters may be secret, and the headers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request").field("host", &self.url.host_str()).finish_non_exhaustive()
    }
}

/// The outcome of a request.
#[derive(Debug)]
pub enum FetchOutcome {
    /// The server reports no change since the validators of the [`Request`].
    Unchanged,
    /// A complete response.
    Document(Document),
}

/// A complete response.
#[derive(Debug)]
pub struct Document {
    /// The decompressed body, at its beginning. In memory while it is small, else in an unnamed file.
    pub body: SpooledTempFile,
    /// Its length in bytes.
    pub bytes: u64,
    /// The address after redirects. In a box, because an outcome without a document is small.
    pub url: Box<Url>,
    /// The type of `Content-Type` in lower case, without parameters.
    pub media_type: Option<String>,
    /// The charset of `Content-Type`, as sent.
    pub charset: Option<String>,
    /// The `ETag`, for the next [`Request`].
    pub etag: Option<String>,
    /// The `Last-Modified`, for the next [`Request`].
    pub last_modified: Option<String>,
}

/// The HTTP client cannot be created.
#[derive(Debug, thiserror::Error)]
#[error("The HTTP client cannot be made ready.")]
pub struct ClientError(#[source] reqwest::Error);

/// A client for guarded requests. Clones share its connections.
#[derive(Clone, Debug)]
pub struct Fetcher {
    client: Client,
    guard: Arc<Guard>,
}

impl Fetcher {
    /// Creates a fetcher for the configured `hosts`; `*.example.org` names subdomains. Requests and redirects may lead
    /// only to them, with or without `www.`; `admitted` hosts may also be private and use plain http.
    ///
    /// # Errors
    /// When TLS cannot be set up. Without root certificates on the machine it succeeds, and every https request fails.
    pub fn new(admitted: AdmittedHosts, hosts: impl IntoIterator<Item = String>) -> Result<Self, ClientError> {
        Self::with_lookup(admitted, hosts, SystemLookup)
    }

    /// [`Self::new`] with another name resolution, for tests.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_lookup(
        admitted: AdmittedHosts,
        hosts: impl IntoIterator<Item = String>,
        lookup: impl Lookup,
    ) -> Result<Self, ClientError> {
        let hosts: BTreeSet<String> = hosts.into_iter().collect();
        Self::guarded(Guard::new(admitted, &hosts), USER_AGENT, lookup)
    }

    /// Creates a fetcher for the links of members: https at any host with a public address. `admitted` hosts may also
    /// be private and use plain http; members choose the paths on them.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn for_links(admitted: AdmittedHosts) -> Result<Self, ClientError> {
        Self::for_links_with_lookup(admitted, SystemLookup)
    }

    /// [`Self::for_links`] with another name resolution, for tests.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn for_links_with_lookup(admitted: AdmittedHosts, lookup: impl Lookup) -> Result<Self, ClientError> {
        Self::guarded(Guard::any_host(admitted), LINK_USER_AGENT, lookup)
    }

    fn guarded(guard: Guard, agent: &'static str, lookup: impl Lookup) -> Result<Self, ClientError> {
        let guard = Arc::new(guard);
        let resolver = Arc::new(Resolver::new(Arc::clone(&guard), lookup));
        let client = match builder(agent, Arc::clone(&resolver)).build() {
            Ok(client) => client,
            // Fails without root certificates on the machine.
            Err(_) => builder(agent, resolver).tls_certs_only([]).build().map_err(ClientError)?,
        };
        Ok(Self { client, guard })
    }

    /// Sends a request and follows redirects within the policy.
    ///
    /// # Errors
    /// When there is no complete response with status 200 or 304.
    pub async fn fetch(&self, request: &Request, policy: &Policy) -> Result<FetchOutcome, Failure> {
        let response = tokio::time::timeout(policy.timeout, self.follow(request, policy)).await;
        response.unwrap_or(Err(Failure::TimedOut))
    }

    async fn follow(&self, request: &Request, policy: &Policy) -> Result<FetchOutcome, Failure> {
        let mut url = request.url.clone();
        let mut redirects = policy.redirects;
        self.guard.check(&url)?;
        loop {
            let sent = self.client.get(url.clone()).headers(request.headers(&url)).send();
            let response = sent.await.map_err(|error| Failure::of(&error))?;
            let Some(next) = redirect_target(&url, &response) else {
                return read(url, response, request, policy).await;
            };
            redirects = redirects.checked_sub(1).ok_or(Failure::Redirects { most: policy.redirects })?;
            self.guard.check_redirect(&url, &next)?;
            url = next;
        }
    }
}

/// A client without automatic redirects, retries, proxies and decompression.
fn builder(agent: &'static str, resolver: Arc<Resolver>) -> ClientBuilder {
    Client::builder()
        .user_agent(agent)
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .referer(false)
        .no_proxy()
        // Another crate may enable these features. Decompressed bytes are counted in `body`.
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .no_zstd()
        // HTTP/2 has no advantage for a single request, and a larger attack surface.
        .http1_only()
        .pool_max_idle_per_host(1)
        .pool_idle_timeout(Duration::from_secs(10))
        .dns_resolver(resolver)
}

/// The target of a redirect.
fn redirect_target(from: &Url, response: &Response) -> Option<Url> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = response.headers().get(LOCATION)?.to_str().ok()?;
    let mut url = from.join(location).ok()?;
    url.set_fragment(None);
    Some(url)
}

async fn read(url: Url, response: Response, request: &Request, policy: &Policy) -> Result<FetchOutcome, Failure> {
    match response.status() {
        StatusCode::OK => {}
        // Without validators, "not modified" is invalid.
        StatusCode::NOT_MODIFIED if request.is_conditional() => return Ok(FetchOutcome::Unchanged),
        status => return Err(Failure::refused(status, response.headers())),
    }
    let headers = response.headers();
    let content_type = text(headers, &CONTENT_TYPE);
    let charset = content_type.as_deref().and_then(charset);
    let media_type = content_type.map(|kind| kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
    let (etag, last_modified) = (text(headers, &ETAG), text(headers, &LAST_MODIFIED));
    let body::Body { file, bytes } = body::store(response, policy.max_bytes).await?;
    Ok(FetchOutcome::Document(Document {
        body: file,
        bytes,
        url: Box::new(url),
        media_type,
        charset,
        etag,
        last_modified,
    }))
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?.trim();
    (!value.is_empty() && value.len() <= MAX_VALIDATOR_LENGTH).then(|| value.to_owned())
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
