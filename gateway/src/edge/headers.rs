//! The security headers of every response, including errors and files. Scripts, styles and fonts with a hash in their names
//! get only the headers that affect them: a screen requests dozens, and the rest would be as long as a small file.

use std::sync::LazyLock;

use http::{HeaderName, HeaderValue, Response, header};

use crate::{config::Origin, edge::origin::PublicOrigin};

/// The path that takes reports about violations of the policy (api/policy_reports.rs).
const POLICY_REPORTS: &str = "/api/policy-reports";

/// The content security policy of a page; `style` is the source list for styles. A text becomes HTML or the address of a script only
/// through the policy of web/src/app/trusted-types.ts. Browsers report violations.
pub fn content_security_policy(style: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; connect-src 'self'; font-src 'self'; style-src {style}; \
         img-src 'self' data: blob:; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
         object-src 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types default; \
         report-uri {POLICY_REPORTS}; report-to policy"
    )
}

const PERMISSIONS: &str = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), \
                           magnetometer=(), microphone=(), midi=(), payment=(), usb=(), xr-spatial-tracking=()";

/// The endpoint of `report-to`. Browsers without it use `report-uri`.
const REPORTING_ENDPOINTS: HeaderName = HeaderName::from_static("reporting-endpoints");

/// The content security policy of responses that are no page: opened as one, they load nothing and are in no frame.
const NO_PAGE: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// The value of [`REPORTING_ENDPOINTS`], and the content security policy of a page without a nonce.
static OF_PAGES: LazyLock<Option<(HeaderValue, HeaderValue)>> = LazyLock::new(|| {
    let endpoints = HeaderValue::from_str(&format!("policy=\"{POLICY_REPORTS}\"")).ok()?;
    Some((endpoints, HeaderValue::from_str(&content_security_policy("'self'")).ok()?))
});

/// Headers with the same value on every response.
const ALWAYS: [(HeaderName, HeaderValue); 2] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// Headers with the same value on every response except subresources.
const DOCUMENTS: [(HeaderName, HeaderValue); 3] = [
    (header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin")),
    (HeaderName::from_static("permissions-policy"), HeaderValue::from_static(PERMISSIONS)),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
];

/// Marks a response with a script, a style sheet or a font of a page. Policies for documents have no effect on it: the
/// browser applies the page's policies. Do not use it for the script of a worker, which has its own policy.
#[derive(Clone, Copy, Debug)]
pub struct Subresource;

/// Adds the security headers to the response of a request, below `/api` or not. A policy that the handler set (a page with a nonce) is
/// kept.
pub fn secure<B>(origin: &PublicOrigin, is_api: bool, response: &mut Response<B>) {
    let is_subresource = response.extensions().get::<Subresource>().is_some();
    let headers = response.headers_mut();
    // Once, instead of after every few headers.
    headers.reserve(ALWAYS.len() + DOCUMENTS.len() + 4);
    for (name, value) in ALWAYS {
        headers.insert(name, value);
    }
    if !is_subresource {
        for (name, value) in DOCUMENTS {
            headers.insert(name, value);
        }
        if is_api {
            headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(NO_PAGE);
        } else if let Some((endpoints, policy)) = &*OF_PAGES {
            headers.entry(header::CONTENT_SECURITY_POLICY).or_insert_with(|| policy.clone());
            headers.insert(REPORTING_ENDPOINTS, endpoints.clone());
        }
    }
    if is_api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if origin.0.as_ref().is_some_and(Origin::is_https) {
        headers
            .insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=63072000; includeSubDomains"));
    }
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
