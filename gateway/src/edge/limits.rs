//! Rate limits, by member or by client address.

use std::{net::IpAddr, sync::Arc, time::Duration};

use crate::edge::cache::{Cache, Limit, RateLimited};
use axum::extract::{FromRef, FromRequestParts};
use http::{Extensions, HeaderMap, Method, header, request::Parts};
use ipnet::IpNet;
use metrics::{counter, describe_counter};
use portia_proto::auth::Browser;
use primitives::clock::Clock;
use sha2::{Digest as _, Sha256};

use crate::edge::{problem::Problem, server::Connection, sessions::RequestCounts};

/// The counter of refused actions.
const LIMITED: &str = "http_server_limited_total";
/// Set by proxies to the client address.
const FORWARDED_FOR: &str = "x-forwarded-for";
/// A site may do as much as so many networks.
pub const NETWORKS_OF_SITE: u32 = 4;
/// The stored length of a User-Agent.
const USER_AGENT: usize = 400;

/// A rate limit: `count` actions per period and key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    name: &'static str,
    count: u32,
    per: Duration,
}

impl Bucket {
    /// `count` actions per minute.
    pub const fn per_minute(name: &'static str, count: u32) -> Self {
        Self { name, count, per: Duration::from_secs(60) }
    }

    /// `count` actions per hour.
    pub const fn per_hour(name: &'static str, count: u32) -> Self {
        Self { name, count, per: Duration::from_secs(3600) }
    }

    /// Returns whether the names are equal: a site's limit has the name of the network's limit.
    pub fn has_name_of(self, other: Self) -> bool {
        self.name == other.name
    }

    /// Multiplies the number of actions by `factor`.
    pub const fn times(self, factor: u32) -> Self {
        Self { count: self.count.saturating_mul(factor), ..self }
    }

    /// `count` actions per day.
    pub const fn per_day(name: &'static str, count: u32) -> Self {
        Self { name, count, per: Duration::from_secs(86_400) }
    }
}

/// Reads without a session, by client address.
pub const VISITOR_READS: Bucket = Bucket::per_minute("visitor-reads", 300);
/// Reads of a member, whose screens read up to twenty times each. Counted by each gateway, beside the session: a call to Redis for
/// every read would cost as much as a cached page.
const MEMBER_READS: Bucket = Bucket::per_minute("member-reads", 1_200);
/// All other requests of a member together, counted likewise. Most routes have a lower limit of their own.
const MEMBER_WRITES: Bucket = Bucket::per_minute("member-writes", 300);

/// The rate limits of this gateway. Clones share the counters.
#[derive(Clone)]
pub struct Limits {
    cache: Cache,
    clock: Clock,
    /// Multiplies every limit.
    scale: u32,
    /// Proxies in front, whose `X-Forwarded-For` is trusted.
    trusted_hops: Arc<[IpNet]>,
}

impl Limits {
    /// Rate limits with counters in `cache`.
    pub fn new(cache: Cache, clock: Clock, scale: u32, trusted_hops: &[IpNet]) -> Self {
        describe_counter!(LIMITED, "Actions refused by a rate limit, by limit");
        counter!(LIMITED, "limit" => VISITOR_READS.name).increment(0);
        Self { cache, clock, scale, trusted_hops: trusted_hops.into() }
    }

    /// Counts one action of `key`.
    ///
    /// # Errors
    /// 429 with the time after which the next one is free.
    pub async fn take(&self, bucket: Bucket, key: &str) -> Result<(), Problem> {
        let limit = Limit::new(bucket.count.saturating_mul(self.scale), bucket.per);
        let taken = self.cache.take(bucket.name, key, limit, self.clock.now()).await;
        taken.map_err(|retry| limited(bucket, retry.after))
    }

    /// Counts one action of a client, also against its site.
    ///
    /// # Errors
    /// 429 with the time after which the next one is free.
    pub async fn take_from(&self, bucket: Bucket, client: &Client) -> Result<(), Problem> {
        for (bucket, key) in client.limits(bucket) {
            self.take(bucket, &key).await?;
        }
        Ok(())
    }

    /// Counts a request of a member.
    ///
    /// # Errors
    /// 429 with the time after which the next one is free.
    pub fn take_of_member(&self, counts: &RequestCounts, method: &Method) -> Result<(), Problem> {
        let (count, bucket) = match *method {
            Method::GET | Method::HEAD => (&counts.reads, MEMBER_READS),
            _ => (&counts.writes, MEMBER_WRITES),
        };
        let limit = Limit::new(bucket.count.saturating_mul(self.scale), bucket.per);
        count.take(limit, self.clock.now()).map_err(|retry| limited(bucket, retry.after))
    }

    /// Like [`Self::take`], with a counter of this process, for what is no action of a client.
    ///
    /// # Errors
    /// The time after which the next one is free.
    pub fn count_here(&self, bucket: Bucket, key: &str) -> Result<(), RateLimited> {
        let limit = Limit::new(bucket.count.saturating_mul(self.scale), bucket.per);
        self.cache.take_here(bucket.name, key, limit, self.clock.now())
    }

    /// The address of the client; unknown without a socket.
    pub fn client_address(&self, extensions: &Extensions, headers: &HeaderMap) -> Option<IpAddr> {
        let peer = extensions.get::<Connection>().map(|connection| connection.peer.ip());
        peer.map(|peer| behind(peer, headers, &self.trusted_hops))
    }

    /// Whether the request comes from a trusted proxy.
    pub fn is_from_trusted_hop(&self, extensions: &Extensions) -> bool {
        extensions.get::<Connection>().is_some_and(|connection| is_hop(&self.trusted_hops, connection.peer.ip()))
    }

    /// Takes back an action that [`Self::take`] counted.
    pub async fn give_back(&self, bucket: Bucket, key: &str) {
        let limit = Limit::new(bucket.count.saturating_mul(self.scale), bucket.per);
        self.cache.give_back(bucket.name, key, limit, self.clock.now()).await;
    }

    /// Takes back an action that [`Self::take_from`] counted.
    pub async fn give_back_to(&self, bucket: Bucket, client: &Client) {
        for (bucket, key) in client.limits(bucket) {
            self.give_back(bucket, &key).await;
        }
    }

    /// Whether no action of `key` is free. Counts none.
    pub async fn is_exhausted(&self, bucket: Bucket, key: &str) -> bool {
        let limit = Limit::new(bucket.count.saturating_mul(self.scale), bucket.per);
        let is_free = self.cache.take(bucket.name, key, limit, self.clock.now()).await.is_ok();
        if is_free {
            self.give_back(bucket, key).await;
        }
        !is_free
    }

    /// Takes back every action of `key`.
    pub async fn refill(&self, bucket: Bucket, key: &str) {
        self.cache.refill(bucket.name, key).await;
    }
}

fn limited(bucket: Bucket, after: Duration) -> Problem {
    counter!(LIMITED, "limit" => bucket.name).increment(1);
    Problem { limit: Some(bucket.name), ..Problem::limited(after) }
}

/// The key of private text of any length, for example a typed username: its hash, without regard to case.
pub fn private_key(text: &str) -> String {
    let digest = Sha256::digest(text.trim().to_lowercase().as_bytes());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// The site of a network: an IPv4 address, or an IPv6 network of 48 bits, which has 65,536 networks.
pub fn site(address: Option<IpAddr>) -> String {
    address.map_or_else(unknown, |address| SITE.of(address).addr().to_string())
}

/// The network of a client: an IPv4 address, or an IPv6 network of 64 bits, which one customer gets.
pub fn network(address: Option<IpAddr>) -> String {
    address.map_or_else(unknown, |address| NETWORK.of(address).addr().to_string())
}

fn unknown() -> String {
    "unknown".to_owned()
}

/// A kind of network that counts as one: the number of bits of IPv6. Each IPv4 address counts alone.
#[derive(Clone, Copy)]
pub struct Prefix(u8);

/// The prefix of one customer.
pub const NETWORK: Prefix = Prefix(64);
/// The prefix of an organisation.
pub const SITE: Prefix = Prefix(48);

impl Prefix {
    /// The network that contains the address.
    pub fn of(self, address: IpAddr) -> IpNet {
        let address = address.to_canonical();
        match IpNet::new(address, self.0) {
            Ok(network) if address.is_ipv6() => network.trunc(),
            _ => IpNet::from(address),
        }
    }
}

/// Returns whether the address belongs to a trusted proxy.
pub fn is_hop(hops: &[IpNet], address: IpAddr) -> bool {
    let address = address.to_canonical();
    hops.iter().any(|hop| hop.contains(&address))
}

/// The client of a request.
#[derive(Clone, Debug)]
pub struct Client {
    address: Option<IpAddr>,
    user_agent: String,
}

impl Client {
    /// The key of rate limits.
    pub fn key(&self) -> String {
        network(self.address)
    }

    /// The keys of limits that must hold for someone with many networks: the network, and of IPv6 its site, which may do as much as a
    /// few networks. Each with the factor of its limit.
    pub fn keys(&self) -> Vec<(String, u32)> {
        let (network, site) = (self.key(), site(self.address));
        let is_in_a_site = matches!(self.address.map(|address| address.to_canonical()), Some(IpAddr::V6(_)));
        let site = is_in_a_site.then(|| (format!("{site}/48"), NETWORKS_OF_SITE));
        [(network, 1)].into_iter().chain(site).collect()
    }

    /// Returns the limits of [`Self::keys`] for a bucket, the network's limit first.
    pub fn limits(&self, bucket: Bucket) -> impl Iterator<Item = (Bucket, String)> + use<> {
        self.keys().into_iter().map(move |(key, factor)| (bucket.times(factor), key))
    }

    /// Returns the same limits, counted for each account.
    pub fn limits_of(&self, bucket: Bucket, account: &str) -> impl Iterator<Item = (Bucket, String)> + use<> {
        let account = account.to_owned();
        self.limits(bucket).map(move |(bucket, key)| (bucket, format!("{account}:{key}")))
    }

    /// Returns the client's site. A site contains many IPv6 networks.
    pub fn site(&self) -> String {
        site(self.address)
    }

    /// The browser as auth stores it with a session.
    pub fn browser(&self) -> Browser {
        let address = self.address.map(|address| address.to_canonical().to_string());
        Browser { user_agent: self.user_agent.clone(), address: address.unwrap_or_default() }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Client
where
    Limits: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let limits = Limits::from_ref(state);
        let user_agent = parts.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
        Ok(Self {
            address: limits.client_address(&parts.extensions, &parts.headers),
            user_agent: user_agent.unwrap_or_default().chars().take(USER_AGENT).collect(),
        })
    }
}

/// The client behind the trusted proxies: the last address in `X-Forwarded-For` that is not one of them. The client
/// itself wrote the addresses before it.
fn behind(peer: IpAddr, headers: &HeaderMap, hops: &[IpNet]) -> IpAddr {
    let lines = headers.get_all(FORWARDED_FOR).iter().filter_map(|line| line.to_str().ok());
    let addresses: Vec<Option<IpAddr>> =
        lines.flat_map(|line| line.split(',')).map(|name| name.trim().parse().ok()).collect();
    let mut client = peer;
    for address in addresses.into_iter().rev() {
        match address {
            Some(address) if is_hop(hops, client) => client = address,
            _ => break,
        }
    }
    client
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(peer: &str, forwarded: &[&str], hops: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append(FORWARDED_FOR, line.parse().unwrap());
        }
        let hops: Vec<IpNet> = hops.iter().map(|hop| hop.parse().unwrap()).collect();
        behind(peer.parse().unwrap(), &headers, &hops).to_string()
    }

    #[test]
    fn x_forwarded_for_counts_only_from_a_configured_hop() {
        assert_eq!(seen("203.0.113.9", &["1.1.1.1"], &[]), "203.0.113.9");
        assert_eq!(seen("203.0.113.9", &["1.1.1.1"], &["10.0.0.0/8"]), "203.0.113.9");
        assert_eq!(seen("10.0.0.2", &["1.1.1.1"], &["10.0.0.0/8"]), "1.1.1.1");
        assert_eq!(seen("10.0.0.2", &["6.6.6.6, 1.1.1.1, 10.0.0.3"], &["10.0.0.0/8"]), "1.1.1.1");
        assert_eq!(seen("10.0.0.2", &["6.6.6.6", "1.1.1.1"], &["10.0.0.0/8"]), "1.1.1.1");
        assert_eq!(seen("10.0.0.2", &["garbage"], &["10.0.0.0/8"]), "10.0.0.2");
        assert_eq!(seen("::ffff:10.0.0.2", &["1.1.1.1"], &["10.0.0.0/8"]), "1.1.1.1");
    }

    #[test]
    fn addresses_of_one_customer_have_the_same_key() {
        let key = |address: &str| Client { address: address.parse().ok(), user_agent: String::new() }.key();
        assert_eq!(key("2001:db8:1:2:aaaa::1"), key("2001:db8:1:2:bbbb::2"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
        assert_eq!(key("::ffff:192.0.2.1"), key("192.0.2.1"));
    }
}
