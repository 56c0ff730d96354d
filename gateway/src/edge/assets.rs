//! The build of the web client in memory: precompressed files, and the page of every screen.

use std::{collections::HashMap, fs, path::Path};

use anyhow::Context as _;
use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts, response};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::edge::{
    headers::{Subresource, content_security_policy},
    problem::Problem,
};

/// The page of every screen.
const PAGE: &str = "index.html";
/// The placeholder of the nonce in the page.
const NONCE: &str = "__CSP_NONCE__";
/// The placeholder in the page of whether the request has a session cookie, valid or not.
const SESSION: &str = "__SESSION__";
/// The tags of a link preview are inserted before it.
const END_OF_HEAD: &str = "</head>";
/// The folder of files with a hash in their names, which never change.
const HASHED: &str = "/assets/";

/// The files of the build by path. Only these paths exist, so a request cannot read any other file.
pub struct Assets {
    files: HashMap<String, File>,
    page: String,
}

struct File {
    media_type: &'static str,
    is_subresource: bool,
    cache: &'static str,
    etag: HeaderValue,
    plain: Bytes,
    brotli: Option<Bytes>,
    gzip: Option<Bytes>,
}

impl Assets {
    /// Reads the build from a folder.
    ///
    /// # Errors
    /// When the folder or its page cannot be read.
    pub fn load(root: &Path) -> anyhow::Result<Self> {
        let page = fs::read_to_string(root.join(PAGE)).with_context(|| {
            format!("PORTIA_WEB_DIR: {} holds no build of the web client (no {PAGE})", root.display())
        })?;
        let mut found = HashMap::new();
        collect(root, "", &mut found).with_context(|| format!("PORTIA_WEB_DIR: {}", root.display()))?;
        let packed = |path: &str, ending: &str| found.get(&format!("{path}.{ending}")).cloned();
        let files = found
            .iter()
            .filter(|(path, _)| !path.ends_with(".br") && !path.ends_with(".gz") && *path != &format!("/{PAGE}"))
            .map(|(path, plain)| {
                let is_hashed = path.starts_with(HASHED);
                let file = File {
                    media_type: media_type(path),
                    is_subresource: is_hashed && [".js", ".css", ".woff2"].iter().any(|end| path.ends_with(end)),
                    cache: if is_hashed { "public, max-age=31536000, immutable" } else { "no-cache" },
                    etag: etag(plain)?,
                    plain: plain.clone(),
                    brotli: packed(path, "br"),
                    gzip: packed(path, "gz"),
                };
                Ok((path.clone(), file))
            })
            .collect::<anyhow::Result<_>>()?;
        Ok(Self { files, page })
    }

    /// A file, or the page with these tags in its head: 200 for a screen, 404 for any other path (the page shows that).
    pub fn answer(&self, parts: &Parts, tags: &str, has_session: bool) -> Response {
        let (method, path) = (&parts.method, parts.uri.path());
        if method != Method::GET && method != Method::HEAD {
            let problem =
                Problem::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", "This cannot be done here.");
            return ([(header::ALLOW, "GET, HEAD")], problem).into_response();
        }
        match self.files.get(path) {
            Some(file) => file.answer(&parts.headers),
            None if is_screen(path) => self.page(StatusCode::OK, tags, has_session),
            None => self.page(StatusCode::NOT_FOUND, tags, has_session),
        }
    }

    /// The page with a new nonce, which the policy allows: the `<style>` elements of Radix have it. `has_session` tells the page
    /// which requests to start before the session is resolved.
    fn page(&self, status: StatusCode, tags: &str, has_session: bool) -> Response {
        let nonce = nonce();
        let policy = content_security_policy(&format!("'self' 'nonce-{nonce}'"));
        let headers = [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CACHE_CONTROL, "no-store"),
            (header::CONTENT_SECURITY_POLICY, policy.as_str()),
        ];
        // The nonce is inserted first, so that inserted texts cannot request it.
        let page = self.page.replace(NONCE, &nonce).replace(SESSION, if has_session { "yes" } else { "no" });
        let page = if tags.is_empty() { page } else { page.replacen(END_OF_HEAD, &format!("{tags}{END_OF_HEAD}"), 1) };
        (status, headers, page).into_response()
    }
}

impl File {
    fn answer(&self, headers: &HeaderMap) -> Response {
        let response = response::Builder::new()
            .header(header::CACHE_CONTROL, self.cache)
            .header(header::ETAG, &self.etag)
            .header(header::VARY, "accept-encoding");
        let built = if is_known(headers, &self.etag) {
            response.status(StatusCode::NOT_MODIFIED).body(Body::empty())
        } else {
            let (encoding, bytes) = self.encoded(headers);
            let response = response.header(header::CONTENT_TYPE, self.media_type);
            match encoding {
                Some(encoding) => response.header(header::CONTENT_ENCODING, encoding),
                None => response,
            }
            .body(Body::from(bytes))
        };
        let mut response = built.unwrap_or_else(|_| Problem::internal().into_response());
        if self.is_subresource {
            response.extensions_mut().insert(Subresource);
        }
        response
    }

    fn encoded(&self, headers: &HeaderMap) -> (Option<&'static str>, Bytes) {
        let packed = [("br", &self.brotli), ("gzip", &self.gzip)];
        let chosen = packed.into_iter().find_map(|(name, bytes)| {
            bytes.clone().filter(|_| accepts(headers, name)).map(|bytes| (Some(name), bytes))
        });
        chosen.unwrap_or_else(|| (None, self.plain.clone()))
    }
}

/// Whether the client has the version of `etag`. Weak comparison (RFC 9110, 13.1.2): a proxy that recompressed may have
/// weakened the tag.
pub fn is_known(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let lines = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|tags| tags.to_str().ok());
    let mut tags = lines.flat_map(|tags| tags.split(',')).map(str::trim);
    tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag).as_bytes() == etag.as_bytes())
}

fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|entry| {
        let (name, weight) = entry.split_once(';').unwrap_or((entry, ""));
        let refused = weight.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0_f32));
        name.trim().eq_ignore_ascii_case(encoding) && !refused
    })
}

fn collect(folder: &Path, prefix: &str, found: &mut HashMap<String, Bytes>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = format!("{prefix}/{name}");
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &path, found)?;
        } else {
            found.insert(path, fs::read(entry.path())?.into());
        }
    }
    Ok(())
}

fn etag(bytes: &[u8]) -> anyhow::Result<HeaderValue> {
    let digest = Sha256::digest(bytes);
    let short: Vec<u8> = digest.iter().take(12).copied().collect();
    Ok(HeaderValue::from_str(&format!("\"{}\"", URL_SAFE_NO_PAD.encode(short)))?)
}

/// 122 random bits, new for each page.
#[expect(clippy::disallowed_methods, reason = "a nonce is not an id: it must be random, and is not stored")]
fn nonce() -> String {
    URL_SAFE_NO_PAD.encode(Uuid::new_v4().as_bytes())
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml; charset=utf-8",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// The screens of the client, `web/src/app/screens.tsx`. A screen with an id exists for every id; the client shows when the entity is missing.
fn is_screen(path: &str) -> bool {
    if path == "/" {
        return true;
    }
    let path = path.strip_prefix('/').unwrap_or(path);
    let segments: Vec<&str> = path.strip_suffix('/').unwrap_or(path).split('/').collect();
    match segments.as_slice() {
        [
            "auth" | "forgot-password" | "network" | "jobs" | "legal-news" | "resources" | "search" | "messages"
            | "test" | "saved-items" | "communities" | "events" | "about" | "privacy" | "terms" | "cookies"
            | "copyright" | "brand" | "settings" | "notifications" | "status" | "topics" | "welcome" | "moderation",
        ]
        | ["settings", "privacy" | "feed"]
        | ["school", "members"] => true,
        [
            "profile" | "messages" | "legal-news" | "resources" | "communities" | "events" | "posts" | "jobs"
            | "appeals",
            id,
        ] => !id.is_empty(),
        ["topics", topic] => is_topic(topic),
        _ => false,
    }
}

/// Whether a segment of a path is a topic. Every topic has a page.
fn is_topic(segment: &str) -> bool {
    // The separators of a query are no part of a topic.
    let mut decoded = form_urlencoded::parse(segment.as_bytes());
    !segment.contains(['&', '=', '+'])
        && decoded.next().is_some_and(|(topic, _)| portia_proto::topics::parse(&topic).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_screen_of_the_client_is_one() {
        let screens = include_str!("../../../web/src/app/screens.tsx");
        let paths: Vec<&str> = screens
            .split("path: '")
            .skip(1)
            .filter_map(|rest| Some(rest.split_once('\'')?.0))
            .filter(|path| *path != "*")
            .collect();
        assert!(paths.len() > 30, "{paths:?}");
        for path in paths {
            let screen: Vec<&str> =
                path.split('/').map(|part| if part.starts_with(':') { "moot" } else { part }).collect();
            assert!(is_screen(&format!("/{}", screen.join("/"))), "{path}");
        }
    }

    #[test]
    fn screens_are_those_of_the_specification() {
        for screen in [
            "/",
            "/auth",
            "/auth/",
            "/profile/x",
            "/messages",
            "/messages/x",
            "/legal-news/x",
            "/posts/x",
            "/status",
            "/topics",
            "/topics/moot",
            "/topics/Pi%C3%B1as_2027/",
            "/settings/privacy",
        ] {
            assert!(is_screen(screen), "{screen}");
        }
        for none in [
            "/profile",
            "/profile/",
            "/posts",
            "/nowhere",
            "/profile/x/y",
            "/settings/x",
            "//",
            "/auth//",
            "/AUTH",
            "/auth.html",
            "/topics/a",
            "/topics/a%20b",
            "/topics/a+b",
            "/topics/moot=1",
            "/topics/%FF",
            "/topics/moot/x",
        ] {
            assert!(!is_screen(none), "{none}");
        }
    }

    #[test]
    fn an_encoding_is_accepted_unless_its_weight_is_zero() {
        let headers = |line: &str| HeaderMap::from_iter([(header::ACCEPT_ENCODING, line.parse().unwrap())]);
        assert!(accepts(&headers("gzip, deflate, br"), "br"));
        assert!(accepts(&headers("BR;q=0.5"), "br"));
        for refused in ["", "gzip", "br;q=0", "br; q=0.000", "brx"] {
            assert!(!accepts(&headers(refused), "br"), "{refused}");
        }
    }

    #[test]
    fn nonces_differ() {
        assert_ne!(nonce(), nonce());
    }
}
