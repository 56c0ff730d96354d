//! How often who may do what, and who that is when nobody is signed in.

use std::{
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
    time::Duration,
};

use crate::edge::cache::{Cache, Limit};
use axum::extract::FromRequestParts;
use http::{HeaderMap, header, request::Parts};
use ipnet::IpNet;
use portia_proto::auth::Browser;
use primitives::clock::Clock;
use sha2::{Digest as _, Sha256};

use crate::{Connection, Gateway, problem::Problem};

/// The header of proxies.
const FORWARDED_FOR: &str = "x-forwarded-for";
/// As much of a User-Agent as is kept.
const USER_AGENT: usize = 400;

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bucket {
    /// Attempts to sign in, by address.
    SignIn,
    /// Attempts to sign in, by username.
    SignInTo,
    /// Registrations, by address.
    Registration,
    /// Questions how an account may be recovered, by address.
    CheckUsername,
    /// Attempts to reset a password, by address.
    Reset,
    /// Attempts to reset a password, by username.
    ResetOf,
    /// New sets of recovery codes, and the passwords given for them, by member.
    RecoveryCodes,
    /// Requests to connect, by member.
    ConnectionRequests,
    /// Pictures of members to be decoded, by member.
    NewPictures,
    /// Pictures for posts, by member.
    PostPictures,
    /// Downloads of all that is kept of somebody, by member.
    Exports,
    /// Resources suggested, by member.
    Suggestions,
    /// Reports, by member.
    Reports,
    /// Applications for postings, by member.
    Applications,
    /// Having the sources of jobs looked through, by address.
    JobRefreshes,
    /// Having those of news looked through, by address.
    NewsRefreshes,
    /// What is published by a member: posts, communities, events.
    Posts,
    /// Comments, by member.
    Comments,
    /// Posts and comments that say something else, by member: each is written anew where it is searched for.
    Edits,
    /// Messages, by member.
    Messages,
    /// Signs that a member is typing.
    Typing,
    /// Small steps of a member's: reactions set or taken back, joining and leaving, blocks, things kept for later, changes
    /// of what they own, conversations opened, taken, cleared and read, applications moved along.
    Reactions,
    /// Searches, by member.
    Searches,
    /// Searches without a session, by address.
    VisitorSearches,
    /// Reads without a session, by address.
    VisitorReads,
    /// Pictures shown, by address. They are no visitor reads: one page shows dozens, and a browser asks for each once.
    /// What is bounded is somebody who has the store look up names at random.
    PicturesShown,
}

impl Bucket {
    const fn name(self) -> &'static str {
        match self {
            Self::SignIn => "sign-in",
            Self::SignInTo => "sign-in-to",
            Self::Registration => "registration",
            Self::CheckUsername => "check-username",
            Self::Reset => "reset",
            Self::ResetOf => "reset-of",
            Self::RecoveryCodes => "recovery-codes",
            Self::ConnectionRequests => "connection-requests",
            Self::NewPictures => "new-pictures",
            Self::PostPictures => "post-pictures",
            Self::Exports => "exports",
            Self::Suggestions => "suggestions",
            Self::Reports => "reports",
            Self::Applications => "applications",
            Self::JobRefreshes => "job-refreshes",
            Self::NewsRefreshes => "news-refreshes",
            Self::Posts => "posts",
            Self::Comments => "comments",
            Self::Edits => "edits",
            Self::Messages => "messages",
            Self::Typing => "typing",
            Self::Reactions => "reactions",
            Self::Searches => "searches",
            Self::VisitorSearches => "visitor-searches",
            Self::VisitorReads => "visitor-reads",
            Self::PicturesShown => "pictures-shown",
        }
    }

    /// How many, in which time.
    const fn allowance(self) -> (u32, Duration) {
        const MINUTE: Duration = Duration::from_secs(60);
        const HOUR: Duration = Duration::from_secs(3600);
        match self {
            Self::SignIn | Self::CheckUsername | Self::Posts | Self::JobRefreshes | Self::NewsRefreshes => (10, MINUTE),
            Self::SignInTo => (100, HOUR),
            Self::Registration => (60, HOUR),
            Self::Reset | Self::RecoveryCodes | Self::Suggestions => (10, HOUR),
            Self::Reports | Self::PostPictures => (20, HOUR),
            Self::ResetOf | Self::Exports => (5, HOUR),
            Self::ConnectionRequests | Self::NewPictures => (30, HOUR),
            Self::Comments | Self::Edits | Self::Applications | Self::VisitorSearches => (30, MINUTE),
            Self::Messages | Self::Typing | Self::Searches => (60, MINUTE),
            Self::Reactions => (120, MINUTE),
            Self::VisitorReads => (300, MINUTE),
            Self::PicturesShown => (3_000, MINUTE),
        }
    }
}

/// The limits, multiplied as configured.
pub struct Limits {
    cache: Cache,
    clock: Clock,
    scale: u32,
}

impl Limits {
    /// Limits kept in soft state.
    pub const fn new(cache: Cache, clock: Clock, scale: u32) -> Self {
        Self { cache, clock, scale }
    }

    /// Counts one.
    ///
    /// # Errors
    /// 429 with the time after which the next one is free.
    pub async fn take(&self, bucket: Bucket, key: &str) -> Result<(), Problem> {
        let (count, per) = bucket.allowance();
        let limit = Limit::new(count.saturating_mul(self.scale), per);
        let taken = self.cache.take(bucket.name(), key, limit, self.clock.now()).await;
        taken.map_err(|retry| Problem::limited(retry.after))
    }

    /// Counts one against a name somebody typed, which may be long, and is nobody's business.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub async fn take_named(&self, bucket: Bucket, name: &str) -> Result<(), Problem> {
        let digest = Sha256::digest(name.trim().to_lowercase().as_bytes());
        let key: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        self.take(bucket, &key).await
    }
}

/// The browser at the other end.
#[derive(Clone, Debug)]
pub struct Client {
    address: Option<IpAddr>,
    user_agent: String,
}

impl Client {
    /// Whom limits count: an IPv4 address, or an IPv6 network of 64 bits, which is what one customer gets.
    pub fn key(&self) -> String {
        match self.address.map(|address| address.to_canonical()) {
            Some(IpAddr::V6(address)) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).to_string(),
            Some(address) => address.to_string(),
            None => "unknown".to_owned(),
        }
    }

    /// As auth keeps it with a session.
    pub fn browser(&self) -> Browser {
        let address = self.address.map(|address| address.to_canonical().to_string());
        Browser { user_agent: self.user_agent.clone(), address: address.unwrap_or_default() }
    }
}

impl FromRequestParts<Arc<Gateway>> for Client {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, gateway: &Arc<Gateway>) -> Result<Self, Problem> {
        let peer = parts.extensions.get::<Connection>().map(|connection| connection.peer.ip());
        let user_agent = parts.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
        Ok(Self {
            address: peer.map(|peer| behind(peer, &parts.headers, &gateway.settings.trusted_hops)),
            user_agent: user_agent.unwrap_or_default().chars().take(USER_AGENT).collect(),
        })
    }
}

/// The client behind our own proxies: the last address in `X-Forwarded-For` that none of them has. What stands before
/// it was written by the client, and proves nothing.
fn behind(peer: IpAddr, headers: &HeaderMap, hops: &[IpNet]) -> IpAddr {
    let is_hop = |address: IpAddr| hops.iter().any(|hop| hop.contains(&address.to_canonical()));
    let lines = headers.get_all(FORWARDED_FOR).iter().filter_map(|line| line.to_str().ok());
    let named: Vec<Option<IpAddr>> =
        lines.flat_map(|line| line.split(',')).map(|name| name.trim().parse().ok()).collect();
    let mut client = peer;
    for address in named.into_iter().rev() {
        match address {
            Some(address) if is_hop(client) => client = address,
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
    fn only_a_configured_hop_is_believed() {
        assert_eq!(seen("203.0.113.9", &["1.1.1.1"], &[]), "203.0.113.9");
        assert_eq!(seen("203.0.113.9", &["1.1.1.1"], &["10.0.0.0/8"]), "203.0.113.9");
        assert_eq!(seen("10.0.0.2", &["1.1.1.1"], &["10.0.0.0/8"]), "1.1.1.1");
        assert_eq!(seen("10.0.0.2", &["6.6.6.6, 1.1.1.1, 10.0.0.3"], &["10.0.0.0/8"]), "1.1.1.1");
        assert_eq!(seen("10.0.0.2", &["6.6.6.6", "1.1.1.1"], &["10.0.0.0/8"]), "1.1.1.1");
        assert_eq!(seen("10.0.0.2", &["garbage"], &["10.0.0.0/8"]), "10.0.0.2");
        assert_eq!(seen("::ffff:10.0.0.2", &["1.1.1.1"], &["10.0.0.0/8"]), "1.1.1.1");
    }

    #[test]
    fn a_customer_has_one_key() {
        let key = |address: &str| Client { address: address.parse().ok(), user_agent: String::new() }.key();
        assert_eq!(key("2001:db8:1:2:aaaa::1"), key("2001:db8:1:2:bbbb::2"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
        assert_eq!(key("::ffff:192.0.2.1"), key("192.0.2.1"));
    }
}
