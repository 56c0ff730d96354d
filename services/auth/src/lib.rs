//! auth: accounts and sessions; who may say they are whom.
//!
//! `accounts` and `sessions` hold the rules with their SQL, `password` and `hashing` keep secrets from leaking and from
//! being guessed, `rpc` is what the gateway calls.

pub mod accounts;
mod audit;
pub mod config;
pub mod convert;
pub mod demo;
pub mod error;
pub mod facts;
pub mod hashing;
pub mod password;
pub mod rpc;
pub mod sessions;

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use chassis::{
    Frame,
    actor::{Actor, KeyPair, Signer},
    clock::Clock,
    outbox::Outbox,
};
use portia_proto::auth::auth_service_server::AuthServiceServer;
use sqlx::{PgPool, migrate::Migrator};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use uuid::Uuid;

use crate::{
    config::Settings,
    facts::Registrations,
    hashing::{Cost, Hashing},
    rpc::Rpc,
};

/// The schema's history.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// How often sessions that are over are deleted. They open nothing meanwhile.
const SWEEP_EVERY: Duration = Duration::from_secs(60 * 60);

/// Starts the service: the same in production, tests and standalone.
///
/// # Errors
/// When a setting is wrong, a key cannot be used, or the database does not come up.
pub async fn start(frame: Arc<Frame>) -> anyhow::Result<Routes> {
    let settings: Settings = frame.config.extract()?;
    let signer = signer(&settings, &frame)?;
    let db = frame.database("auth", &MIGRATOR).await?;
    let outbox = Outbox::new("auth");
    let facts = outbox.serve(&frame, &db, Registrations);
    frame.tasks.spawn("sweeping", {
        let (db, clock) = (db.clone(), frame.clock.clone());
        move |stopped| sweep(db.clone(), clock.clone(), stopped)
    });
    let rpc = Rpc {
        db,
        outbox,
        clock: frame.clock.clone(),
        ids: frame.ids.clone(),
        hashing: Hashing::new(Cost::STANDARD, settings.hashing_threads())?,
        policy: settings.password_policy,
        signer: Arc::new(signer),
        tasks: frame.tasks.clone(),
    };
    Ok(Routes::new(AuthServiceServer::new(rpc)).add_service(facts))
}

/// Reads every signing key, and makes sure that whoever verifies would take its tokens: a key that is not in the public
/// set yet would sign everybody out. Returns the first.
fn signer(settings: &Settings, frame: &Frame) -> anyhow::Result<Signer> {
    let mut first = None;
    for file in settings.signing_key_files() {
        let signer = Signer::new(&KeyPair::read(file)?)?;
        let (token, _) = signer.member(Uuid::nil(), Uuid::nil(), frame.clock.now())?;
        if !matches!(frame.keyring.verify(&token), Some(Actor::Member { .. })) {
            anyhow::bail!("PORTIA_SIGNING_KEYS: PORTIA_PUBLIC_KEYS does not know the key of {}", file.display());
        }
        first.get_or_insert(signer);
    }
    first.context("PORTIA_SIGNING_KEYS names no file")
}

async fn sweep(db: PgPool, clock: Clock, stopped: CancellationToken) -> anyhow::Result<()> {
    let mut hourly = tokio::time::interval(SWEEP_EVERY);
    while stopped.run_until_cancelled(hourly.tick()).await.is_some() {
        let swept = sessions::sweep(&db, clock.now()).await?;
        tracing::debug!(swept, "deleted sessions that are over");
    }
    Ok(())
}
