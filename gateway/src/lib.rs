//! The gateway: JSON over HTTP for browsers, gRPC to the services.
//!
//! A request passes, from the outside in: telemetry, security headers, panic handling, the origin check, the bounds of
//! the body, the limit of concurrent requests, and its handler. `edge` contains these layers, `api` the handlers.
#![expect(unused_qualifications, reason = "the macros of utoipa qualify what they repeat")]

pub mod api;
pub mod edge;

mod config;

use std::sync::Arc;

use chassis::ServiceContext;

pub use edge::server::{Connection, Server};

use crate::{
    api::state::{AppState, Gateway},
    config::Settings,
    edge::{cache::Cache, server::Clients},
};

/// The gateway, ready to serve: the same for production, standalone and tests.
///
/// # Errors
/// One sentence for the operator: a setting is missing or invalid, or the web build is not readable.
pub async fn start(context: Arc<ServiceContext>, cache: Cache) -> anyhow::Result<Server> {
    let (api, attributes) = api::routes::api();
    let settings = Settings::read(&context.config)?;
    let clients = Clients::new(settings.connections_per_client, &settings.trusted_hops);
    let gateway = Gateway::open(&context, settings, cache, attributes)?;
    Ok(Server { router: api::routes::router(api, AppState(Arc::new(gateway))), clients })
}
