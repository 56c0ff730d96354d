//! The seven services behind the door, as typed clients over one guarded way each.

use chassis::{ServiceContext, config};
use portia_proto::{
    auth::auth_service_client::AuthServiceClient, feed::feed_service_client::FeedServiceClient,
    jobs::jobs_service_client::JobsServiceClient, messaging::messaging_service_client::MessagingServiceClient,
    news::news_service_client::NewsServiceClient, profile::profile_service_client::ProfileServiceClient,
    social_graph::social_graph_service_client::SocialGraphServiceClient,
};
use rpc::Transport;

use crate::edge::retry::{RetryBudget, RetryOnce};

/// Clients are cheap to clone; a call needs one of its own.
#[derive(Clone)]
pub struct Clients {
    auth: AuthServiceClient<RetryOnce<Transport>>,
    profile: ProfileServiceClient<RetryOnce<Transport>>,
    graph: SocialGraphServiceClient<RetryOnce<Transport>>,
    feed: FeedServiceClient<RetryOnce<Transport>>,
    jobs: JobsServiceClient<RetryOnce<Transport>>,
    news: NewsServiceClient<RetryOnce<Transport>>,
    messaging: MessagingServiceClient<RetryOnce<Transport>>,
}

/// A client of each service, under the service's name.
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
    auth: AuthServiceClient<RetryOnce<Transport>>,
    profile: ProfileServiceClient<RetryOnce<Transport>>,
    graph: SocialGraphServiceClient<RetryOnce<Transport>>,
    feed: FeedServiceClient<RetryOnce<Transport>>,
    jobs: JobsServiceClient<RetryOnce<Transport>>,
    news: NewsServiceClient<RetryOnce<Transport>>,
    messaging: MessagingServiceClient<RetryOnce<Transport>>,
}

impl Clients {
    /// Knows the way to each; nothing is connected to yet.
    ///
    /// # Errors
    /// Names the variable of an address that is missing or none.
    pub fn new(context: &ServiceContext) -> Result<Self, config::Error> {
        let budget = RetryBudget::default();
        let to = |service| Ok(RetryOnce::new(context.upstreams.transport(service)?, budget.clone()));
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
