//! Names to addresses: what was checked is what is connected to, so no second answer can differ from the first.

use std::{
    error::Error,
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use futures::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::guard::Guard;

/// More addresses of one name are of no use: they are tried one after the other.
const MOST: usize = 8;

/// Looks names up.
pub trait Lookup: Send + Sync + 'static {
    /// The addresses of a name, in the order in which to try them.
    fn addresses(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// The system's resolver.
#[derive(Clone, Copy, Debug)]
pub struct System;

impl Lookup for System {
    fn addresses(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        Box::pin(async move { Ok(tokio::net::lookup_host((host, 0)).await?.map(|found| found.ip()).collect()) })
    }
}

/// Why a name leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Nowhere {
    #[error("the name does not resolve")]
    Unknown,
    #[error("the name leads to private addresses only")]
    Private,
}

/// A lookup whose answers pass the guard.
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
            let found = found.await.map_err(|_| Nowhere::Unknown)?;
            let mut allowed = found.iter().filter(|address| guard.allows(&host, **address)).take(MOST).peekable();
            if allowed.peek().is_none() {
                return Err(if found.is_empty() { Nowhere::Unknown } else { Nowhere::Private }.into());
            }
            // The port is the URL's.
            let addresses: Vec<SocketAddr> = allowed.map(|address| SocketAddr::new(*address, 0)).collect();
            Ok::<Addrs, Box<dyn Error + Send + Sync>>(Box::new(addresses.into_iter()))
        })
    }
}
