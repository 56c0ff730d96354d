//! profile: the member as shown to others.
//!
//! `members` reads and makes profiles, `erase` takes them away, `facts` says what is told and what is heard of auth.

pub mod convert;
pub mod demo;
pub mod erase;
pub mod error;
pub mod facts;
pub mod members;
pub mod rpc;

use std::sync::Arc;

use chassis::{Frame, outbox::Outbox};
use portia_proto::profile::profile_service_server::ProfileServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{facts::Members, rpc::Rpc};

/// The schema's history.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Starts the service: the same in production, tests and standalone.
///
/// # Errors
/// When a setting is wrong, or the database does not come up.
pub async fn start(frame: Arc<Frame>) -> anyhow::Result<Routes> {
    let db = frame.database("profile", &MIGRATOR).await?;
    let outbox = Outbox::new("profile");
    outbox.hear(&frame, &db, "auth", facts::of_auth(&outbox, &frame.clock))?;
    let facts = outbox.serve(&frame, &db, Members);
    let rpc = Rpc { db, outbox, clock: frame.clock.clone() };
    Ok(Routes::new(ProfileServiceServer::new(rpc)).add_service(facts))
}
