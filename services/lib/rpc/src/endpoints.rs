//! The endpoints of an upstream: every address behind its names, refreshed, and chosen by load.

use std::{
    cmp::Reverse,
    future::Future,
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc, Weak,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use http::{Uri, uri::Authority};
use hyper_util::rt::TokioIo;
use tokio::{
    net::TcpStream,
    sync::{Notify, watch},
    time::{sleep, timeout},
};
use tonic::transport::{Channel, Endpoint as TonicEndpoint};
use tower::service_fn;

use crate::{
    circuit_breaker::{CircuitBreaker, Ejection},
    tls::Tls,
};

/// The interval at which names are resolved again: a new replica is used after this time.
const REFRESH: Duration = Duration::from_secs(5);
/// The shortest time between two resolutions. A failed connection causes one.
const MIN_REFRESH: Duration = Duration::from_secs(1);
/// The timeout of a resolution.
const RESOLVE_TIMEOUT: Duration = Duration::from_secs(5);

/// The result of resolving an upstream: each address with the authority that requests to it name.
pub(crate) type Resolved = io::Result<Vec<(Authority, SocketAddr)>>;
/// Resolves the names of an upstream.
pub(crate) type Resolve = Box<dyn Fn() -> Pin<Box<dyn Future<Output = Resolved> + Send>> + Send + Sync>;

/// How connections to an upstream are made.
#[derive(Clone, Debug)]
pub(crate) enum Security {
    Plaintext,
    /// To a process with this name in its certificate.
    Tls(Arc<Tls>, &'static str),
}

/// One replica of an upstream.
#[derive(Debug)]
pub(crate) struct Endpoint {
    authority: Authority,
    address: SocketAddr,
    pub channel: Channel,
    pub breaker: CircuitBreaker,
    pub ejection: Ejection,
}

/// The endpoints of one upstream.
#[derive(Debug)]
pub(crate) struct Endpoints {
    /// `None` before the first resolution.
    list: watch::Sender<Option<Arc<[Arc<Endpoint>]>>>,
    next: AtomicUsize,
    refresh: Arc<Notify>,
    security: Security,
}

/// The addresses of an upstream cannot be used.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum InvalidAddress {
    /// They are not `http://host:port` or `https://host:port`, all with the same scheme.
    #[error("not a list of http://host:port or https://host:port")]
    Form,
    /// They are https, and this process has no certificate.
    #[error("https needs a certificate of this process")]
    NoCertificate,
}

impl Endpoints {
    /// Follows the endpoints behind `resolve`, until the value is dropped. Needs a tokio runtime.
    pub(crate) fn new(resolve: Resolve, security: Security) -> Arc<Self> {
        let endpoints = Arc::new(Self {
            list: watch::Sender::new(None),
            next: AtomicUsize::default(),
            refresh: Arc::new(Notify::new()),
            security,
        });
        tokio::spawn(keep_resolved(Arc::downgrade(&endpoints), Arc::clone(&endpoints.refresh), resolve));
        endpoints
    }

    /// Returns the endpoints in the order in which a call should try them: recovering ones first, with one call each,
    /// then by load. Endpoints that failed to connect come last. Waits for the first resolution.
    pub(crate) async fn candidates(&self) -> Vec<Arc<Endpoint>> {
        let known = self.list.borrow().clone();
        let list = match known {
            Some(list) => list,
            // The sender lives as long as `self`.
            None => match self.list.subscribe().wait_for(Option::is_some).await {
                Ok(list) => list.clone().unwrap_or_default(),
                Err(_) => Arc::default(),
            },
        };
        // Equal loads take turns.
        let start = self.next.fetch_add(1, Ordering::Relaxed) % list.len().max(1);
        let turned = list.iter().skip(start).chain(list.iter().take(start));
        let mut ranked: Vec<_> = turned
            .map(|endpoint| ((Reverse(endpoint.ejection.admission()), endpoint.breaker.in_flight()), endpoint))
            .collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, endpoint)| Arc::clone(endpoint)).collect()
    }

    /// Resolves again soon: a connection failed.
    pub(crate) fn refresh(&self) {
        self.refresh.notify_one();
    }

    fn replace(&self, resolved: &[(Authority, SocketAddr)]) {
        let known = self.list.borrow().clone().unwrap_or_default();
        let endpoint = |(authority, address): &(Authority, SocketAddr)| {
            let same = |known: &&Arc<Endpoint>| known.address == *address && known.authority == *authority;
            // A known endpoint keeps its connection. The connection of a missing endpoint ends with its last call.
            known
                .iter()
                .find(same)
                .cloned()
                .or_else(|| Endpoint::new(authority, *address, &self.security).map(Arc::new))
        };
        self.list.send_replace(Some(resolved.iter().filter_map(endpoint).collect()));
    }
}

impl Endpoint {
    fn new(authority: &Authority, address: SocketAddr, security: &Security) -> Option<Self> {
        let scheme = if matches!(security, Security::Plaintext) { "http" } else { "https" };
        let origin = Uri::builder().scheme(scheme).authority(authority.clone()).path_and_query("/").build().ok()?;
        let endpoint = TonicEndpoint::from_shared(format!("http://{address}"))
            .ok()?
            .origin(origin)
            .connect_timeout(Duration::from_secs(1))
            .tcp_nodelay(true)
            .http2_keep_alive_interval(Duration::from_secs(20))
            .keep_alive_timeout(Duration::from_secs(5));
        let channel = match security {
            Security::Plaintext => endpoint.connect_lazy(),
            Security::Tls(tls, service) => {
                let (tls, service) = (Arc::clone(tls), *service);
                // tonic would connect with the certificates of the start.
                let connector = service_fn(move |_: Uri| {
                    let tls = Arc::clone(&tls);
                    async move {
                        let stream = TcpStream::connect(address).await?;
                        stream.set_nodelay(true)?;
                        tls.connect(service, stream).await.map(TokioIo::new)
                    }
                });
                endpoint.connect_with_connector_lazy(connector)
            }
        };
        Some(Self {
            authority: authority.clone(),
            address,
            channel,
            breaker: CircuitBreaker::new(),
            ejection: Ejection::default(),
        })
    }
}

async fn keep_resolved(endpoints: Weak<Endpoints>, refresh: Arc<Notify>, resolve: Resolve) {
    loop {
        let resolved =
            timeout(RESOLVE_TIMEOUT, resolve()).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        let Some(endpoints) = endpoints.upgrade() else { return };
        match resolved {
            Ok(resolved) if !resolved.is_empty() => endpoints.replace(&resolved),
            // The known addresses remain: a name server that fails does not stop the calls.
            other => {
                tracing::debug!(error = ?other.err(), "an upstream is not resolved");
                endpoints.list.send_if_modified(|list| list.is_none() && list.insert(Arc::default()).is_empty());
            }
        }
        drop(endpoints);
        sleep(MIN_REFRESH).await;
        // The result of the timeout is irrelevant.
        timeout(REFRESH - MIN_REFRESH, refresh.notified()).await.ok();
    }
}

/// Resolves `http://host:port`, or several of them separated by commas, by the name servers of the system. Also returns
/// whether they are https.
pub(crate) fn of_urls(urls: &str) -> Result<(Resolve, bool), InvalidAddress> {
    let parsed: Vec<(Authority, bool)> = urls.split(',').map(|url| authority(url.trim())).collect::<Result<_, _>>()?;
    let is_https = parsed.iter().any(|(_, is_https)| *is_https);
    if parsed.iter().any(|(_, each)| *each != is_https) {
        return Err(InvalidAddress::Form);
    }
    let authorities: Vec<Authority> = parsed.into_iter().map(|(authority, _)| authority).collect();
    let resolve: Resolve = Box::new(move || {
        let authorities = authorities.clone();
        Box::pin(async move {
            let (mut resolved, mut failure) = (Vec::new(), None);
            for authority in authorities {
                let port = authority.port_u16().unwrap_or(if is_https { 443 } else { 80 });
                let host = authority.host().trim_matches(['[', ']']).to_owned();
                match tokio::net::lookup_host((host, port)).await {
                    Ok(addresses) => resolved.extend(addresses.map(|address| (authority.clone(), address))),
                    Err(error) => failure = Some(error),
                }
            }
            // The order of name servers varies.
            resolved.sort_by_key(|(_, address)| *address);
            resolved.dedup();
            match failure {
                Some(error) if resolved.is_empty() => Err(error),
                _ => Ok(resolved),
            }
        })
    });
    Ok((resolve, is_https))
}

/// The authority of an address, and whether it is https.
fn authority(url: &str) -> Result<(Authority, bool), InvalidAddress> {
    let parts = url.parse::<Uri>().map_err(|_| InvalidAddress::Form)?.into_parts();
    let is_root = parts.path_and_query.is_none_or(|path| path == "/");
    match (parts.scheme, parts.authority) {
        (Some(scheme), Some(authority)) if is_root && !authority.host().is_empty() => match scheme.as_str() {
            "http" => Ok((authority, false)),
            "https" => Ok((authority, true)),
            _ => Err(InvalidAddress::Form),
        },
        _ => Err(InvalidAddress::Form),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_list_of_addresses_is_resolved() {
        let (resolve, is_https) = of_urls("http://127.0.0.2:50051, http://localhost:80,http://[::1]:1").unwrap();
        assert!(!is_https && of_urls("https://feed:1,https://feed-2:1").unwrap().1);
        let addresses: Vec<String> = resolve().await.unwrap().iter().map(|(_, address)| address.to_string()).collect();
        for expected in ["127.0.0.2:50051", "127.0.0.1:80", "[::1]:1"] {
            assert!(addresses.iter().any(|address| address == expected), "{addresses:?}");
        }
    }

    #[test]
    fn an_address_without_scheme_or_with_a_path_is_refused() {
        for bad in [
            "",
            "feed:50051",
            "ftp://feed:50051",
            "https://feed:1,http://feed:2",
            "http://feed/path",
            "http://feed:1,",
            "http://",
        ] {
            assert!(of_urls(bad).is_err(), "{bad}");
        }
    }
}
