//! The security headers of every response, including errors and files.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderName, HeaderValue, header};

use crate::{config::Origin, edge::origin::PublicOrigin};

/// The content security policy of a page; `style` is the source list for styles.
pub fn content_security_policy(style: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; connect-src 'self'; font-src 'self'; style-src {style}; \
         img-src 'self' data: blob:; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
         object-src 'none'; form-action 'self'"
    )
}

const PERMISSIONS: &str = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), \
                           magnetometer=(), microphone=(), midi=(), payment=(), usb=(), xr-spatial-tracking=()";

/// Headers with the same value on every response.
const ALWAYS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
    (HeaderName::from_static("permissions-policy"), PERMISSIONS),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Adds the security headers. A policy that the handler set (a page with a nonce) is kept.
pub async fn secure(State(origin): State<PublicOrigin>, request: Request, next: Next) -> Response {
    let is_api = is_api(request.uri().path());
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&content_security_policy("'self'")) {
        headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    }
    if is_api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if origin.0.as_ref().is_some_and(Origin::is_https) {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=63072000"));
    }
    response
}

/// Whether a path is below `/api`.
pub fn is_api(path: &str) -> bool {
    path.strip_prefix("/api").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_below_api_belong_to_the_api() {
        assert!(is_api("/api") && is_api("/api/") && is_api("/api/x"));
        assert!(!is_api("/apix") && !is_api("/") && !is_api("/a/api/x"));
    }
}
