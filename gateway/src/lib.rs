//! The REST door: JSON over HTTP outside, gRPC inside.
//!
//! A request meets, from the outside in: telemetry, the security headers, the net for panics, the origin rule, the
//! body's bounds, the bound on what runs at once, and its handler. Who asks is `identity`, what may be asked is
//! `routes`, one file a feature answers, `views` is how.
#![expect(unused_qualifications, reason = "utoipa's macros qualify what they repeat")]

pub mod edge;
pub mod openapi;
pub mod routes;

mod account;
mod activity;
mod answer;
mod applications;
mod assets;
mod auth;
mod blocks;
mod comments;
mod communities;
mod compression;
mod config;
mod connections;
mod data_url;
mod docs;
mod endorsements;
mod events;
mod export;
mod extract;
mod headers;
mod identity;
mod jobs;
mod likes;
mod limits;
mod live;
mod load;
mod media;
mod messaging;
mod news;
mod notifications;
mod origin;
mod people;
mod pictures;
mod posts;
mod previews;
mod problem;
mod profile;
mod reports;
mod reset;
mod resources;
mod retry;
mod saved;
mod search;
mod serve;
mod services;
mod sessions;
mod status;
mod together;
mod users;
mod views;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::Router;
use chassis::ServiceContext;
use picture_store::Pictures;
use rpc::Call;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

pub use serve::serve;

use crate::{
    assets::Assets, config::Settings, edge::cache::Cache, identity::Cookies, limits::Limits, live::Hub, load::Places,
    people::Directory, previews::Previews, problem::Problem, services::Services, sessions::Sessions,
    together::Together,
};

/// The two ends of a client's connection, in the extensions of each request that came over one.
#[derive(Clone, Copy, Debug)]
pub struct Connection {
    /// The other end.
    pub peer: SocketAddr,
    /// Ours.
    pub local: SocketAddr,
}

/// Ends a client's connection when cancelled, in the extensions of each request that has one for itself (HTTP/1).
#[derive(Clone, Debug)]
struct HangUp(CancellationToken);

/// What every handler works with.
pub struct Gateway {
    cache: Cache,
    context: Arc<ServiceContext>,
    settings: Settings,
    services: Services,
    sessions: Sessions,
    live: Hub,
    people: Directory,
    previews: Previews,
    limits: Limits,
    cookies: Cookies,
    places: Places,
    /// Places of bodies that are longer than a form's.
    long_bodies: Places,
    assets: Option<Assets>,
    pictures: Pictures,
    /// Places of archives in the making.
    exports: Arc<Semaphore>,
    job_refreshes: Together,
    news_refreshes: Together,
}

impl Gateway {
    fn open(context: Arc<ServiceContext>, cache: Cache) -> anyhow::Result<Self> {
        let settings = Settings::read(&context.config)?;
        let services = Services::new(&context)?;
        let live = live::open(&context)?;
        let ending = live.clone();
        let previews = Previews::default();
        Ok(Self {
            sessions: Sessions::open(&context, services.clone(), move |session| ending.end(session))?,
            live,
            people: Directory::open(&context, services.clone(), previews.clone())?,
            previews,
            limits: Limits::new(cache.clone(), context.clock.clone(), settings.rate_limit_scale),
            cookies: Cookies::new(settings.is_https()),
            places: Places::new(settings.in_flight),
            long_bodies: Places::new(load::LONG_AT_ONCE),
            pictures: Pictures::open(&context.config)?,
            exports: Arc::new(Semaphore::new(export::AT_ONCE)),
            job_refreshes: Together::default(),
            news_refreshes: Together::default(),
            assets: settings.web_dir.as_deref().map(Assets::load).transpose()?,
            services,
            settings,
            cache,
            context,
        })
    }

    /// A call as the gateway itself: for visitors, and before it is known who asks.
    fn own_call(&self, budget: Duration) -> Result<Call, Problem> {
        let token = self.context.signer.service(self.context.clock.now()).map_err(|error| {
            tracing::error!(%error, "no service token");
            Problem::our_fault()
        })?;
        Ok(Call::new(&token, budget)?)
    }
}

/// The door, ready to be served: the same for production, standalone and tests.
///
/// # Errors
/// One sentence for the operator: a setting that is missing or wrong, or a web build that cannot be read.
pub async fn start(context: Arc<ServiceContext>, cache: Cache) -> anyhow::Result<Router> {
    Ok(routes::router(Arc::new(Gateway::open(context, cache)?)))
}
