//! The origin check: only pages of the public origin may write. Without one, the gateway accepts loopback hosts only.

use std::convert::Infallible;

use axum::extract::{FromRef, FromRequestParts};
use http::{Extensions, HeaderMap, HeaderName, Method, Request, StatusCode, Uri, header, request::Parts};

use crate::{
    config::Origin,
    edge::{problem::Problem, server::Connection},
};

/// Set by browsers to the relation of the requesting page; pages cannot forge it.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// The names of the loopback.
const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// The configured public origin; `None` on a loopback.
#[derive(Clone, Debug)]
pub struct PublicOrigin(pub Option<Origin>);

impl PublicOrigin {
    /// Refuses writes of other origins, and unknown hosts.
    ///
    /// # Errors
    /// 403.
    pub fn admit<B>(&self, request: &Request<B>) -> Result<(), Problem> {
        self.check(request.extensions()).admit(request)
    }

    fn check(&self, extensions: &Extensions) -> OriginCheck<'_> {
        let port = extensions.get::<Connection>().map(|connection| connection.local.port());
        OriginCheck { public: self.0.as_ref(), port }
    }
}

/// Whether the request could have been a write: a link of another site sends the session as well, and must change nothing.
pub struct MayWrite(pub bool);

impl<S: Send + Sync> FromRequestParts<S> for MayWrite
where
    PublicOrigin: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        Ok(Self(PublicOrigin::from_ref(state).check(&parts.extensions).may_write(&parts.headers)))
    }
}

/// The origin of the client: the public origin, or the loopback host that was admitted.
pub struct RequestOrigin(pub String);

impl<S: Send + Sync> FromRequestParts<S> for RequestOrigin
where
    PublicOrigin: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let from_host = || authority(&parts.uri, &parts.headers).map(|authority| format!("http://{authority}"));
        let public = PublicOrigin::from_ref(state).0.map(|origin| origin.as_str().to_owned());
        public.or_else(from_host).map(Self).ok_or(Problem::internal())
    }
}

struct OriginCheck<'a> {
    public: Option<&'a Origin>,
    /// The port of the gateway; unknown without a socket.
    port: Option<u16>,
}

impl OriginCheck<'_> {
    fn admit<B>(&self, request: &Request<B>) -> Result<(), Problem> {
        // Without a public origin, a host name that resolves here (DNS rebinding) must not read either.
        if self.public.is_none() && !self.is_known_host(request) {
            return Err(Problem::new(
                StatusCode::FORBIDDEN,
                "UNKNOWN_HOST",
                "Portia answers to 127.0.0.1, localhost and [::1] only; PORTIA_PUBLIC_ORIGIN gives it another name.",
            ));
        }
        let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
        if reads || self.may_write(request.headers()) {
            return Ok(());
        }
        Err(Problem::new(StatusCode::FORBIDDEN, "FOREIGN_ORIGIN", "This request comes from another site."))
    }

    fn is_known_host<B>(&self, request: &Request<B>) -> bool {
        authority(request.uri(), request.headers()).is_some_and(|authority| self.is_ours(authority))
    }

    /// A request without both headers is not from a browser, so it has no ambient cookie.
    fn may_write(&self, headers: &HeaderMap) -> bool {
        if let Some(site) = headers.get(SEC_FETCH_SITE) {
            return site == "same-origin" || site == "none";
        }
        let Some(origin) = headers.get(header::ORIGIN) else { return true };
        let Ok(origin) = origin.to_str() else { return false };
        match self.public {
            Some(public) => origin == public.as_str(),
            None => origin.strip_prefix("http://").is_some_and(|authority| self.is_ours(authority)),
        }
    }

    fn is_ours(&self, authority: &str) -> bool {
        let port_of = |name: &str| {
            let (start, rest) = authority.split_at_checked(name.len())?;
            start.eq_ignore_ascii_case(name).then(|| rest.strip_prefix(':').unwrap_or(rest))
        };
        LOOPBACK.iter().filter_map(|name| port_of(name)).any(|port| match (port, self.port) {
            ("", Some(ours)) => ours == 80,
            (port, Some(ours)) => port.parse() == Ok(ours),
            (_, None) => false,
        })
    }
}

/// HTTP/2 has the host in the target, HTTP/1.1 in a header. Two different hosts are refused.
fn authority<'a>(uri: &'a Uri, headers: &'a HeaderMap) -> Option<&'a str> {
    let target = uri.authority().map(http::uri::Authority::as_str);
    let mut hosts = headers.get_all(header::HOST).iter();
    let header = match hosts.next() {
        Some(host) => Some(host.to_str().ok()?),
        None => None,
    };
    if hosts.next().is_some() || (target.is_some() && header.is_some() && target != header) {
        return None;
    }
    target.or(header)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;

    fn request(method: &str, headers: &[(&str, &str)]) -> http::Request<()> {
        let mut builder = http::Request::builder().method(method).uri("/api/posts");
        for (name, value) in headers {
            builder = builder.header(*name, *value);
        }
        builder.body(()).unwrap()
    }

    fn verdict(public: Option<&str>, method: &str, headers: &[(&str, &str)]) -> u16 {
        let source = chassis::config::Source::default();
        let source = match public {
            Some(public) => source.with("public_origin", public),
            None => source,
        };
        let settings = Settings::read(&source).unwrap();
        let check = OriginCheck { public: settings.public_origin.as_ref(), port: Some(8080) };
        check.admit(&request(method, headers)).map_or_else(|problem| problem.status.as_u16(), |()| 200)
    }

    const HOST: (&str, &str) = ("host", "127.0.0.1:8080");

    #[test]
    fn on_a_loopback_only_pages_of_the_gateway_may_write() {
        let post = |more: &[(&str, &str)]| verdict(None, "POST", &[&[HOST], more].concat());
        assert_eq!(post(&[]), 200, "no browser");
        assert_eq!(post(&[("sec-fetch-site", "same-origin")]), 200);
        assert_eq!(post(&[("sec-fetch-site", "none")]), 200);
        assert_eq!(post(&[("sec-fetch-site", "same-site")]), 403);
        assert_eq!(post(&[("sec-fetch-site", "cross-site"), ("origin", "http://127.0.0.1:8080")]), 403);
        for ours in ["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"] {
            assert_eq!(post(&[("origin", ours)]), 200, "{ours}");
        }
        for foreign in [
            "http://127.0.0.1:8081",
            "https://127.0.0.1:8080",
            "http://evil.example",
            "null",
            "http://127.0.0.1:8080.evil.example",
            "http://localhost.evil.example:8080",
        ] {
            assert_eq!(post(&[("origin", foreign)]), 403, "{foreign}");
        }
    }

    #[test]
    fn on_a_loopback_reads_with_another_host_are_refused() {
        for host in ["evil.example", "evil.example:8080", "127.0.0.1", "127.0.0.1:81", "localhost:8080.evil.example"] {
            assert_eq!(verdict(None, "GET", &[("host", host)]), 403, "{host}");
        }
        assert_eq!(verdict(None, "GET", &[]), 403);
        assert_eq!(verdict(None, "GET", &[HOST, ("host", "evil.example")]), 403);
        for host in ["localhost:8080", "LOCALHOST:8080", "[::1]:8080"] {
            assert_eq!(verdict(None, "GET", &[("host", host)]), 200, "{host}");
        }
    }

    #[test]
    fn with_a_public_origin_the_host_header_does_not_matter() {
        let public = Some("https://portia.example");
        let post = |headers: &[(&str, &str)]| verdict(public, "POST", headers);
        assert_eq!(post(&[("host", "gateway:8080"), ("origin", "https://portia.example")]), 200);
        assert_eq!(post(&[("host", "gateway:8080"), ("origin", "http://portia.example")]), 403);
        assert_eq!(post(&[("host", "gateway:8080"), ("origin", "http://127.0.0.1:8080")]), 403);
        assert_eq!(verdict(public, "GET", &[("origin", "https://evil.example")]), 200);
    }
}
