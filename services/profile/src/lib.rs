//! profile: the member as shown to others.
//!
//! `rpc` lists the calls of the gateway. `members`, `career` and `endorsements` hold the member's own data,
//! `verifications` the confirmed identities, `read_model` the copies of social-graph's connections and blocks, `deactivation`
//! the hidden and erased members. `publishing` contains the facts for other services, `consumers` applies theirs. `admin` is for
//! operators.

pub mod admin;
mod background;
mod career;
mod consumers;
mod convert;
mod deactivation;
mod decisions;
pub mod demo;
mod endorsements;
pub mod error;
mod export;
mod members;
mod namesakes;
mod onboarding;
pub mod pictures;
mod privacy;
mod publishing;
mod read_model;
mod rpc;
pub mod search;
mod settings;
mod verifications;
mod version;
pub mod views;

use std::sync::{Arc, LazyLock};

use chassis::ServiceContext;
use outbox::{Changes, Outbox};
use picture_store::Pictures;
use portia_proto::profile::profile_service_server::ProfileServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{
    export::{Exporter, MemberData},
    members::bodies::ProfileBodies,
    publishing::MemberSnapshot,
    rpc::ProfileService,
    search::SearchCards,
    views::ViewBuffer,
};

/// The migrations of the schema `profile`, with the tables of the outbox.
pub static MIGRATOR: LazyLock<Migrator> =
    LazyLock::new(|| db::migrator("profile", sqlx::migrate!(), &[&outbox::TABLES, &::search::TABLES]));

/// Starts the service: the same in production, tests and standalone.
///
/// # Errors
/// When a setting is wrong, or the database is unavailable.
pub async fn start(context: Arc<ServiceContext>) -> anyhow::Result<Routes> {
    let pictures = Pictures::open(&context.config)?;
    let db = context.database("profile", &MIGRATOR).await?;
    let connections = context.connections("profile", &db)?;
    let outbox = Outbox::new("profile");
    let changes = Changes::new(&context, &outbox);
    consumers::subscribe(&changes, &context, &db)?;
    let facts = outbox.serve(&context, &db, MemberSnapshot);
    let views = ViewBuffer::default();
    background::start(&context, &db, &views, &pictures);
    let service = ProfileService {
        exports: Exporter::new(&context, &db, MemberData),
        changes,
        clock: context.clock.clone(),
        pictures,
        views,
        profiles: ProfileBodies::default(),
        search_cards: SearchCards::default(),
        db: connections,
    };
    Ok(Routes::new(ProfileServiceServer::new(service)).add_service(facts))
}
