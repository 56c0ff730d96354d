//! profile: the member as shown to others.
//!
//! `members` makes and reads profiles, `card` and `life` change them, `endorsements` and `views` count what others say and
//! look at; `closing` hides a member from all, `blocks` two from each other, and `erase` takes one away; `facts` says what
//! is told and what is heard.

pub mod blocks;
pub mod card;
pub mod closing;
pub mod connections;
pub mod convert;
pub mod demo;
pub mod endorsements;
pub mod erase;
pub mod error;
pub mod export;
pub mod facts;
pub mod life;
pub mod members;
pub mod pictures;
pub mod rpc;
pub mod search;
pub mod views;

use std::sync::Arc;

use chassis::ServiceContext;
use outbox::Outbox;
use picture_store::Pictures;
use portia_proto::profile::profile_service_server::ProfileServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{
    export::{Everything, Exports},
    facts::Members,
    rpc::Rpc,
    views::Views,
};

/// The schema's history.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Starts the service: the same in production, tests and standalone.
///
/// # Errors
/// When a setting is wrong, or the database does not come up.
pub async fn start(context: Arc<ServiceContext>) -> anyhow::Result<Routes> {
    let pictures = Pictures::open(&context.config)?;
    let db = context.database("profile", &MIGRATOR).await?;
    let outbox = Outbox::new("profile");
    facts::hear(&outbox, &context, &db)?;
    let facts = outbox.serve(&context, &db, Members);
    let views = Views::default();
    views.work(&context, &db);
    pictures::work(&context, &db, &pictures);
    search::MEMBERS.work(&context, &db, search::read);
    let rpc = Rpc {
        exports: Exports::new(&context, &db, Everything),
        outbox,
        clock: context.clock.clone(),
        ids: context.ids.clone(),
        pictures,
        views,
        db,
    };
    Ok(Routes::new(ProfileServiceServer::new(rpc)).add_service(facts))
}
