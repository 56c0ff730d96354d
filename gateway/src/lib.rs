//! The gateway: JSON over HTTP for browsers, gRPC to the services.
//!
//! A request passes, from the outside in: telemetry, security headers, panic handling, the origin check, the bounds of
//! the body, the limit of concurrent requests, and its handler. `edge` contains these layers, `api` the handlers.
#![expect(unused_qualifications, reason = "the macros of utoipa qualify what they repeat")]

pub mod api;
pub mod edge;

mod config;

use std::sync::Arc;

use axum::Router;
use chassis::ServiceContext;

pub use edge::server::{Connection, serve};

use crate::{
    api::state::{AppState, Gateway},
    edge::cache::Cache,
};

/// The router of the gateway: the same for production, standalone and tests.
///
/// # Errors
/// One sentence for the operator: a setting is missing or invalid, or the web build is not readable.
pub async fn start(context: Arc<ServiceContext>, cache: Cache) -> anyhow::Result<Router> {
    let (api, attributes) = api::routes::api();
    let gateway = Gateway::open(&context, cache, attributes)?;
    Ok(api::routes::router(api, AppState(Arc::new(gateway))))
}
