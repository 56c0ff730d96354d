//! Tests of the guard and of request headers, without a server.

use std::collections::BTreeSet;

use url::Url;

use super::{AdmittedHosts, Failure, Fetcher, Request, charset, guard::Guard};

fn guard(admitted: &str, hosts: &[&str]) -> Guard {
    let hosts: BTreeSet<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
    Guard::new(admitted.parse().unwrap(), &hosts)
}

fn check(guard: &Guard, url: &str) -> Result<(), Failure> {
    guard.check(&Url::parse(url).unwrap())
}

#[test]
fn configured_hosts_with_or_without_www_may_be_requested() {
    let guard = guard("", &["example.org", "www.Example.net", "b\u{fc}cher.example", "1.1.1.1", "not a host"]);
    for url in [
        "https://example.org/feed",
        "https://www.example.org/feed",
        "https://EXAMPLE.org:443/",
        "https://example.net/",
        "https://www.example.net/",
        "https://xn--bcher-kva.example/",
        "https://1.1.1.1/",
    ] {
        assert_eq!(check(&guard, url), Ok(()), "{url}");
    }
    for (url, failure) in [
        ("https://www2.example.org/", Failure::HostNotConfigured),
        ("https://example.org.elsewhere.example/", Failure::HostNotConfigured),
        ("https://1.0.0.1/", Failure::HostNotConfigured),
        ("http://example.org/", Failure::NotHttps),
        ("http://example.org:443/", Failure::Port),
        ("https://example.org:80/", Failure::Port),
        ("https://a:b@example.org/", Failure::UserInformation),
        ("https://:b@example.org/", Failure::UserInformation),
        ("https://127.0.0.1/", Failure::Private),
        ("https://[::1]/", Failure::Private),
    ] {
        assert_eq!(check(&guard, url), Err(failure), "{url}");
    }
}

#[test]
fn a_fetcher_for_links_may_request_every_public_host() {
    let guard = Guard::any_host("mirror.internal:8080".parse().unwrap());
    for url in ["https://example.org/page", "https://1.1.1.1/", "http://mirror.internal:8080/"] {
        assert_eq!(check(&guard, url), Ok(()), "{url}");
    }
    for (url, failure) in [
        ("http://example.org/", Failure::NotHttps),
        ("https://example.org:8443/", Failure::Port),
        ("https://a:b@example.org/", Failure::UserInformation),
        ("https://169.254.169.254/", Failure::Private),
        ("https://[::1]/", Failure::Private),
        ("https://mirror.internal/", Failure::Port),
        ("file:///etc/passwd", Failure::NotHttps),
    ] {
        assert_eq!(check(&guard, url), Err(failure), "{url}");
    }
}

#[test]
fn a_host_is_admitted_at_one_port_only() {
    let guard = guard("mirror.internal:8080, 10.0.0.7:443, [::1]:81", &["mirror.internal", "10.0.0.7"]);
    for url in
        ["http://mirror.internal:8080/", "https://mirror.internal:8080/", "https://10.0.0.7/", "http://[::1]:81/"]
    {
        assert_eq!(check(&guard, url), Ok(()), "{url}");
    }
    for (url, failure) in [
        // The name is resolved without a port, so its private address would be allowed.
        ("https://mirror.internal/", Failure::Port),
        ("https://mirror.internal:8081/", Failure::Port),
        ("http://10.0.0.7/", Failure::Private),
        ("http://[::1]:82/", Failure::Private),
        ("http://user@mirror.internal:8080/", Failure::UserInformation),
    ] {
        assert_eq!(check(&guard, url), Err(failure), "{url}");
    }
}

#[test]
fn a_public_host_cannot_redirect_to_an_admitted_host() {
    let guard = guard("mirror.internal:8080, 10.0.0.7:80", &["example.org"]);
    let [outside, mirror, other] = ["https://example.org/", "http://mirror.internal:8080/", "http://10.0.0.7/"]
        .map(|url| Url::parse(url).unwrap());
    assert_eq!(guard.check_redirect(&outside, &mirror), Err(Failure::Private));
    assert_eq!(guard.check_redirect(&outside, &other), Err(Failure::Private));
    assert_eq!(guard.check_redirect(&mirror, &other), Ok(()));
    assert_eq!(guard.check_redirect(&mirror, &outside), Ok(()));
    assert_eq!(guard.check_redirect(&outside, &outside), Ok(()));
}

#[test]
fn names_resolve_to_public_addresses_unless_admitted() {
    let guard = guard("mirror.internal:8080, 10.0.0.7:80, [fd00::7]:80", &[]);
    for (host, address, allowed) in [
        ("example.org", "93.184.216.34", true),
        ("example.org", "2606:4700::1", true),
        ("example.org", "10.0.0.1", false),
        ("example.org", "::ffff:10.0.0.7", false),
        ("mirror.internal", "10.0.0.1", true),
        ("sub.mirror.internal", "10.0.0.1", false),
        ("mirror.internal.", "10.0.0.1", false),
        ("example.org", "10.0.0.7", true),
        ("example.org", "fd00::7", true),
    ] {
        assert_eq!(guard.allows(host, address.parse().unwrap()), allowed, "{host} {address}");
    }
}

#[test]
fn a_fetcher_can_be_created_without_hosts() {
    let fetcher = Fetcher::new(AdmittedHosts::default(), []).unwrap();
    assert!(format!("{:?}", fetcher.clone()).contains("Fetcher"));
}

#[test]
fn a_formatted_request_contains_no_secrets() {
    let mut request = Request::new("https://example.org/feed?token=secret".parse().unwrap(), "text/xml");
    request.headers.push(("authorization".parse().unwrap(), "secret".parse().unwrap()));
    assert_eq!(format!("{request:?}"), "Request { host: Some(\"example.org\"), .. }");
    let headers = request.headers(&request.url);
    assert!(headers.get("authorization").unwrap().is_sensitive());
    assert!(
        request.headers(&"http://example.org/feed".parse().unwrap()).get("authorization").is_none(),
        "another scheme"
    );
}

#[test]
fn a_charset_is_found_at_any_position() {
    for (kind, found) in [
        ("text/xml; charset=utf-8", Some("utf-8")),
        ("text/xml;CHARSET='ISO-8859-1'; q=1", Some("ISO-8859-1")),
        ("text/xml; q=1; charset = \"cp1252\"", Some("cp1252")),
        ("text/xml", None),
        ("text/xml; charset=", None),
        ("charset=utf-8", None),
    ] {
        assert_eq!(charset(kind).as_deref(), found, "{kind}");
    }
}
