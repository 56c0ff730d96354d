//! Web push: the subscriptions of browsers, and the pushes that wait for them.
//!
//! `queue` inserts a push in the transaction of its message or notification; `deliveries` leases due pushes and decides
//! whether they are still wanted; `worker` encrypts it (RFC 8291), signs it (RFC 8292) and sends it (RFC 8030). A push
//! contains ids only: the service worker of the client reads the text with the session of its browser.

mod deliveries;
mod payload;
pub mod queue;
pub mod subscriptions;
mod vapid;
mod worker;

use chassis::ServiceContext;
use crawler::fetch::Fetcher;
use sqlx::PgPool;
use url::Url;

use crate::config::PushPlan;

pub use payload::BrowserKeys;
use vapid::VapidKey;

/// A topic of pushes to a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    Messages,
    Connections,
    Posts,
    Reminders,
}

impl Topic {
    pub const ALL: [Self; 4] = [Self::Messages, Self::Connections, Self::Posts, Self::Reminders];

    /// Returns the value in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Messages => "messages",
            Self::Connections => "connections",
            Self::Posts => "posts",
            Self::Reminders => "reminders",
        }
    }
}

/// The state of push in this process: the key, and the client of push services.
#[derive(Clone, Debug)]
pub struct Push {
    key: VapidKey,
    fetcher: Fetcher,
    contact: Option<String>,
    is_on: bool,
}

impl Push {
    /// Reads the key of the installation, which the first process creates.
    ///
    /// # Errors
    /// When the database is unavailable, or TLS cannot be set up.
    pub async fn prepare(context: &ServiceContext, db: &PgPool, plan: PushPlan) -> anyhow::Result<Self> {
        let key = db::at_start(|| VapidKey::load_or_create(db, context.clock.now())).await?;
        let is_on = !plan.services.is_empty();
        Ok(Self { key, fetcher: Fetcher::new(plan.admitted, plan.services)?, contact: plan.contact, is_on })
    }

    /// Returns the key that browsers subscribe with; empty when push is turned off.
    pub fn public_key(&self) -> Vec<u8> {
        if self.is_on { self.key.public().to_vec() } else { Vec::new() }
    }

    /// Returns whether pushes may be sent to an endpoint.
    pub fn allows(&self, endpoint: &Url) -> bool {
        self.is_on && self.fetcher.check(endpoint).is_ok()
    }
}
