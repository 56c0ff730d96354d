//! Counts the connections of each client, so that one cannot hold them all.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ipnet::IpNet;

use crate::edge::limits::{NETWORK, NETWORKS_OF_SITE, SITE, is_hop};

/// The open connections by network and by site.
#[derive(Debug)]
pub struct Clients {
    max: usize,
    /// A proxy holds the connections of many clients.
    trusted_hops: Vec<IpNet>,
    open: Mutex<HashMap<IpNet, usize>>,
}

/// A connection that counts until the drop of the value.
pub(super) struct Admitted(Option<(Arc<Clients>, IpAddr)>);

/// The network of a client, and its site if that is another: of IPv6 only.
fn networks(client: IpAddr) -> impl Iterator<Item = (IpNet, usize)> {
    let (network, site) = (NETWORK.of(client), SITE.of(client));
    let site = (site != network).then_some((site, NETWORKS_OF_SITE as usize));
    std::iter::once((network, 1)).chain(site)
}

impl Clients {
    /// A network gets at most `max` connections, a site as many as [`NETWORKS_OF_SITE`], and a trusted hop any number.
    #[must_use]
    pub fn new(max: usize, trusted_hops: &[IpNet]) -> Arc<Self> {
        Arc::new(Self { max, trusted_hops: trusted_hops.to_vec(), open: Mutex::default() })
    }

    /// Counts a connection of `peer`. `None`: the client has as many as it may.
    pub(super) fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<Admitted> {
        if is_hop(&self.trusted_hops, peer) {
            return Some(Admitted(None));
        }
        let mut open = self.open();
        let is_full = |(network, factor): (IpNet, usize)| {
            open.get(&network).is_some_and(|count| *count >= self.max.saturating_mul(factor))
        };
        if self.max == 0 || networks(peer).any(is_full) {
            return None;
        }
        for (network, _) in networks(peer) {
            *open.entry(network).or_default() += 1;
        }
        drop(open);
        Some(Admitted(Some((Arc::clone(self), peer))))
    }

    fn open(&self) -> MutexGuard<'_, HashMap<IpNet, usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Admitted {
    /// Whether the peer is a trusted hop.
    pub(super) const fn is_hop(&self) -> bool {
        self.0.is_none()
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let Some((clients, client)) = &self.0 else { return };
        let mut open = clients.open();
        for (network, _) in networks(*client) {
            let rest = open.get(&network).map_or(0, |count| count.saturating_sub(1));
            if rest == 0 {
                open.remove(&network);
            } else {
                open.insert(network, rest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_client_gets_no_more_than_the_maximum_and_others_get_theirs() {
        let clients = Clients::new(2, &[]);
        let admit = |text: &str| clients.admit(address(text));
        let mut held = vec![admit("192.0.2.1").unwrap(), admit("192.0.2.1").unwrap()];
        for same in ["192.0.2.1", "::ffff:192.0.2.1"] {
            assert!(admit(same).is_none(), "{same}");
        }
        held.push(admit("192.0.2.2").expect("another address"));
        held.extend(["2001:db8::1", "2001:db8::2:0:0:3"].map(|same| admit(same).unwrap()));
        assert!(admit("2001:db8::ffff").is_none(), "one IPv6 network is one client");
        held.extend((1..=6).map(|n| admit(&format!("2001:db8:0:{n}::1")).expect("another network")));
        assert!(admit("2001:db8:0:7::1").is_none(), "one site has as many as four networks");
        held.push(admit("2001:db8:1::1").expect("another site"));

        held.remove(0);
        held.push(admit("192.0.2.1").expect("one connection ended"));
        assert!(admit("192.0.2.1").is_none());
        drop(held);
        assert!(clients.open().is_empty(), "clients without connections take no memory");
    }

    #[test]
    fn a_trusted_hop_is_exempt() {
        let clients = Clients::new(1, &["10.0.0.0/8".parse().unwrap()]);
        let held: Vec<_> = (0..3).map(|_| clients.admit(address("::ffff:10.1.2.3")).unwrap()).collect();
        assert!(held.iter().all(Admitted::is_hop) && clients.open().is_empty());
    }
}
