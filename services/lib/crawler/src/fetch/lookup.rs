//! Name resolution: the connection uses the checked addresses, so that no second lookup can differ from the first.

use std::{
    error::Error,
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use futures::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::guard::Guard;

/// The most addresses of a name, which are tried in order.
const MAX_ADDRESSES: usize = 8;

/// Resolves names.
pub trait Lookup: Send + Sync + 'static {
    /// The addresses of a name, in the order in which to try them.
    fn addresses(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// The system's resolver.
#[derive(Clone, Copy, Debug)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn addresses(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        Box::pin(async move { Ok(tokio::net::lookup_host((host, 0)).await?.map(|found| found.ip()).collect()) })
    }
}

/// Why a name has no usable address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum LookupError {
    #[error("the name does not resolve")]
    Unknown,
    #[error("the name leads to private addresses only")]
    Private,
}

/// A lookup that returns only allowed addresses.
pub(super) struct Resolver {
    guard: Arc<Guard>,
    lookup: Box<dyn Lookup>,
}

impl Resolver {
    pub(super) fn new(guard: Arc<Guard>, lookup: impl Lookup) -> Self {
        Self { guard, lookup: Box::new(lookup) }
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_owned();
        let (guard, found) = (Arc::clone(&self.guard), self.lookup.addresses(host.clone()));
        Box::pin(async move {
            let found = found.await.map_err(|_| LookupError::Unknown)?;
            let mut allowed =
                found.iter().filter(|address| guard.allows(&host, **address)).take(MAX_ADDRESSES).peekable();
            if allowed.peek().is_none() {
                return Err(if found.is_empty() { LookupError::Unknown } else { LookupError::Private }.into());
            }
            // The client replaces the port by the port of the URL.
            let addresses: Vec<SocketAddr> = allowed.map(|address| SocketAddr::new(*address, 0)).collect();
            Ok::<Addrs, Box<dyn Error + Send + Sync>>(Box::new(addresses.into_iter()))
        })
    }
}
