//! auth: accounts and sessions; who may say they are whom.
//!
//! `accounts` and `sessions` hold the rules with their SQL, `password` and `hashing` keep secrets from leaking and from
//! being guessed; `reset` knows the three proofs of who forgot theirs (`trusted`, `recovery`, `links`), `closing` how an
//! account ends, `suspension` how operators keep one shut, `rpc` is what the gateway calls and `admin` what an operator does.

pub mod accounts;
pub mod admin;
mod audit;
pub mod closing;
pub mod config;
pub mod convert;
pub mod demo;
pub mod error;
pub mod export;
pub mod facts;
pub mod hashing;
pub mod links;
pub mod password;
pub mod recovery;
pub mod reset;
pub mod rpc;
pub mod sessions;
pub mod suspension;
mod sweep;
pub mod token;
pub mod trusted;

use std::sync::Arc;

use ::rpc::identity::{Actor, KeyPair, Signer};
use anyhow::Context as _;
use chassis::ServiceContext;
use outbox::Outbox;
use portia_proto::auth::auth_service_server::AuthServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;
use uuid::Uuid;

use crate::{
    config::Settings,
    export::{Everything, Exports},
    facts::Accounts,
    hashing::{Cost, Hashing},
    rpc::Rpc,
    sweep::Sweep,
};

/// The schema's history.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Starts the service: the same in production, tests and standalone.
///
/// # Errors
/// When a setting is wrong, a key cannot be used, or the database does not come up.
pub async fn start(context: Arc<ServiceContext>) -> anyhow::Result<Routes> {
    let settings: Settings = context.config.extract()?;
    let signer = signer(&settings, &context)?;
    let db = context.database("auth", &MIGRATOR).await?;
    let outbox = Outbox::new("auth");
    let facts = outbox.serve(&context, &db, Accounts);
    let sweep =
        Sweep { db: db.clone(), outbox: outbox.clone(), ids: context.ids.clone(), clock: context.clock.clone() };
    context.tasks.spawn("sweeping", move |stopped| sweep.clone().hourly(stopped));
    let rpc = Rpc {
        exports: Exports::new(&context, &db, Everything),
        db,
        outbox,
        clock: context.clock.clone(),
        ids: context.ids.clone(),
        hashing: Hashing::new(Cost::STANDARD, settings.hashing_threads())?,
        policy: settings.password_policy,
        signer: Arc::new(signer),
        tasks: context.tasks.clone(),
    };
    Ok(Routes::new(AuthServiceServer::new(rpc)).add_service(facts))
}

/// Reads every signing key, and makes sure that whoever verifies would take its tokens: a key that is not in the public
/// set yet would sign everybody out. Returns the first.
fn signer(settings: &Settings, context: &ServiceContext) -> anyhow::Result<Signer> {
    let mut first = None;
    for file in settings.signing_key_files() {
        let signer = Signer::new(&KeyPair::read(file)?)?;
        let (token, _) = signer.member(Uuid::nil(), Uuid::nil(), context.clock.now())?;
        if !matches!(context.keyring.verify(&token), Some(Actor::Member { .. })) {
            anyhow::bail!("PORTIA_SIGNING_KEYS: PORTIA_PUBLIC_KEYS does not know the key of {}", file.display());
        }
        first.get_or_insert(signer);
    }
    first.context("PORTIA_SIGNING_KEYS names no file")
}
