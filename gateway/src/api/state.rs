//! The state of the handlers. Extractors and middlewares take the parts they need.

use std::sync::Arc;

use axum::extract::FromRef;
use chassis::ServiceContext;
use picture_store::Pictures;
use primitives::{clock::Clock, ids::Ids};
use tokio::sync::Semaphore;

use crate::{
    api::{
        link_previews::LinkPreviews,
        live::hub::Hub,
        members::{bodies::ProfileBodies, cache::MemberCache},
        picture_access::PictureAccess,
        posts::{bodies::PostBodies, comment_pages::CommentPages},
    },
    config::Settings,
    edge::{
        assets::Assets,
        authentication::{Authentication, Cookies},
        cache::Cache,
        coalesce::Coalesced,
        limits::Limits,
        load::Load,
        origin::PublicOrigin,
        proof_of_work::ProofOfWork,
        route_attributes::RouteAttributes,
        sessions::Sessions,
        signed_addresses::SignedAddresses,
        upstreams::{
            AuthClient, Clients, FeedClient, JobsClient, MessagingClient, NewsClient, ProfileClient, SocialGraphClient,
        },
    },
};

/// The maximum of concurrent exports: each keeps streams to five services open.
const MAX_EXPORTS: usize = 16;

/// The state of the handlers.
pub struct Gateway {
    /// Clients of the services.
    pub clients: Clients,
    /// Resolves callers.
    pub authentication: Authentication,
    /// Rate limits.
    pub limits: Limits,
    /// Limits of concurrent work.
    pub load: Load,
    /// The public origin.
    pub origin: PublicOrigin,
    /// Where vulnerabilities are reported.
    pub security_contact: Option<String>,
    /// Member cards by id.
    pub members: MemberCache,
    /// The bodies of posts.
    pub bodies: PostBodies,
    /// The first pages of the comments on posts.
    pub comment_pages: CommentPages,
    /// The bodies of profiles.
    pub profiles: ProfileBodies,
    /// Link previews of pages.
    pub previews: LinkPreviews,
    /// The live streams of this process.
    pub live: Hub,
    /// Typing indicators between replicas.
    pub cache: Cache,
    /// The store of pictures.
    pub pictures: Pictures,
    /// Whether a viewer may see a picture.
    pub picture_access: PictureAccess,
    /// Signs the addresses of pictures.
    pub addresses: SignedAddresses,
    /// The proofs of work of registrations and attempts.
    pub proof_of_work: ProofOfWork,
    /// The web client, if this gateway serves it.
    pub assets: Option<Assets>,
    /// Permits for exports.
    pub exports: Arc<Semaphore>,
    /// The running refresh of jobs.
    pub job_refreshes: Coalesced,
    /// The running refresh of news.
    pub news_refreshes: Coalesced,
    /// The current time.
    pub clock: Clock,
    /// The generator of ids.
    pub ids: Ids,
}

impl Gateway {
    /// Starts the background tasks.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub fn open(
        context: &Arc<ServiceContext>,
        settings: Settings,
        cache: Cache,
        routes: RouteAttributes,
    ) -> anyhow::Result<Self> {
        let routes = Arc::new(routes);
        let clients = Clients::new(context)?;
        let live = Hub::open(context)?;
        let streams = live.clone();
        let sessions = Sessions::open(context, clients.clone(), move |session| streams.end(session))?;
        let (clock, hops) = (context.clock.clone(), &settings.trusted_hops);
        let limits = Limits::new(cache.clone(), clock.clone(), settings.rate_limit_scale, hops);
        let cookies = Cookies::new(settings.is_https());
        let authentication = Authentication::new(context, cookies, sessions, limits.clone(), Arc::clone(&routes));
        let origin = PublicOrigin(settings.public_origin.clone());
        let previews = LinkPreviews::new(clients.clone(), authentication.clone(), limits.clone(), origin.clone());
        let addresses = SignedAddresses::read(&settings.picture_keys, clock.clone())?;
        Ok(Self {
            bodies: PostBodies::new(clients.clone()),
            comment_pages: CommentPages::new(clients.clone()),
            profiles: ProfileBodies::default(),
            members: MemberCache::open(context, clients.clone(), previews.clone())?,
            load: Load::new(settings.in_flight, routes),
            pictures: Pictures::open(&context.config)?,
            picture_access: PictureAccess::new(clients.clone(), authentication.clone(), clock.clone()),
            proof_of_work: ProofOfWork::new(&addresses, cache.clone(), clock.clone()),
            addresses,
            assets: settings.web_dir.as_deref().map(Assets::load).transpose()?,
            exports: Arc::new(Semaphore::new(MAX_EXPORTS)),
            security_contact: settings.security_contact,
            job_refreshes: Coalesced::default(),
            news_refreshes: Coalesced::default(),
            ids: context.ids.clone(),
            clients,
            authentication,
            limits,
            origin,
            previews,
            live,
            cache,
            clock,
        })
    }
}

/// The state of the router. The orphan rule requires a local type to extract the clients of the services from.
#[derive(Clone)]
pub struct AppState(pub Arc<Gateway>);

impl FromRef<AppState> for Arc<Gateway> {
    fn from_ref(AppState(gateway): &AppState) -> Self {
        Self::clone(gateway)
    }
}

/// Makes a part of the state available to extractors, middlewares and handlers.
macro_rules! parts {
    ($($part:ty = $field:ident),+ $(,)?) => {
        $(
            impl FromRef<AppState> for $part {
                fn from_ref(AppState(gateway): &AppState) -> Self {
                    gateway.$field.clone()
                }
            }
        )+
    };
}

parts! {
    Authentication = authentication,
    Clients = clients,
    Clock = clock,
    CommentPages = comment_pages,
    Limits = limits,
    Load = load,
    MemberCache = members,
    PostBodies = bodies,
    ProfileBodies = profiles,
    PublicOrigin = origin,
    SignedAddresses = addresses,
}

/// Makes the client of one service available to handlers.
macro_rules! clients {
    ($($client:ty = $service:ident),+ $(,)?) => {
        $(
            impl FromRef<AppState> for $client {
                fn from_ref(AppState(gateway): &AppState) -> Self {
                    gateway.clients.$service()
                }
            }
        )+
    };
}

clients! {
    AuthClient = auth,
    FeedClient = feed,
    JobsClient = jobs,
    MessagingClient = messaging,
    NewsClient = news,
    ProfileClient = profile,
    SocialGraphClient = graph,
}
