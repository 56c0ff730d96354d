//! The typed clients of the seven services. Every call passes the layers of standbys and of retries.

use chassis::{ServiceContext, config};
use portia_proto::{
    auth::auth_service_client::AuthServiceClient, feed::feed_service_client::FeedServiceClient,
    jobs::jobs_service_client::JobsServiceClient, messaging::messaging_service_client::MessagingServiceClient,
    news::news_service_client::NewsServiceClient, profile::profile_service_client::ProfileServiceClient,
    social_graph::social_graph_service_client::SocialGraphServiceClient,
};
use rpc::Transport;

use crate::edge::{
    retry::{RetryBudget, Retrying},
    standby_reads::StandbyReads,
};

type Upstream = StandbyReads<Retrying<Transport>>;

/// The client of auth.
pub type AuthClient = AuthServiceClient<Upstream>;
/// The client of profile.
pub type ProfileClient = ProfileServiceClient<Upstream>;
/// The client of social-graph.
pub type SocialGraphClient = SocialGraphServiceClient<Upstream>;
/// The client of feed.
pub type FeedClient = FeedServiceClient<Upstream>;
/// The client of jobs.
pub type JobsClient = JobsServiceClient<Upstream>;
/// The client of news.
pub type NewsClient = NewsServiceClient<Upstream>;
/// The client of messaging.
pub type MessagingClient = MessagingServiceClient<Upstream>;

/// One client of each service. A call needs a clone, which is cheap.
#[derive(Clone)]
pub struct Clients {
    auth: AuthClient,
    profile: ProfileClient,
    graph: SocialGraphClient,
    feed: FeedClient,
    jobs: JobsClient,
    news: NewsClient,
    messaging: MessagingClient,
}

/// Accessors that clone the client of a service.
macro_rules! clients {
    ($($name:ident: $client:ty),+ $(,)?) => {
        impl Clients {
            $(
                /// A client of this service.
                pub fn $name(&self) -> $client {
                    self.$name.clone()
                }
            )+
        }
    };
}

clients! {
    auth: AuthClient,
    profile: ProfileClient,
    graph: SocialGraphClient,
    feed: FeedClient,
    jobs: JobsClient,
    news: NewsClient,
    messaging: MessagingClient,
}

impl Clients {
    /// Creates the clients. They connect on first use and share one retry budget.
    ///
    /// # Errors
    /// Names the variable of an address that is missing or invalid.
    pub fn new(context: &ServiceContext) -> Result<Self, config::Error> {
        let budget = RetryBudget::default();
        let to = |service| {
            let retrying = Retrying::new(context.upstreams.transport(service)?, budget.clone());
            Ok(StandbyReads::new(retrying, service, context.upstreams.position(service)))
        };
        Ok(Self {
            auth: AuthServiceClient::new(to("auth")?),
            profile: ProfileServiceClient::new(to("profile")?),
            graph: SocialGraphServiceClient::new(to("social-graph")?),
            feed: FeedServiceClient::new(to("feed")?),
            jobs: JobsServiceClient::new(to("jobs")?),
            news: NewsServiceClient::new(to("news")?),
            messaging: MessagingServiceClient::new(to("messaging")?),
        })
    }
}
