//! auth: accounts, credentials, sessions and the audit log.
//!
//! `rpc` lists the calls of the gateway, `admin` the operator's commands. `credentials` holds passwords and tokens,
//! `passkeys` the credentials of WebAuthn, `second_factor` the codes of authenticator apps, `recovery` the proofs for a forgotten
//! password, `suspension` the suspended and `deactivation` the closed and erased accounts. `sign_in`, `sign_out` and `passwords`
//! hold the rules that change rows of several others.

pub mod accounts;
pub mod admin;
mod audit;
mod background;
mod browser;
mod config;
mod consumers;
pub mod convert;
pub mod credentials;
pub mod deactivation;
pub mod demo;
mod disputes;
pub mod error;
pub mod export;
pub mod known_browsers;
pub mod moderators;
mod notices;
pub mod passkeys;
mod passwords;
mod publishing;
pub mod recovery;
pub mod reset_proofs;
pub mod rpc;
pub mod second_factor;
pub mod sessions;
mod sign_in;
mod sign_out;
pub mod step_up;
mod suspension;

use std::{
    path::Path,
    sync::{Arc, LazyLock},
};

use ::rpc::identity::{KeyPair, Keyring, Signer};
use anyhow::Context as _;
use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use outbox::{Changes, Outbox};
use portia_proto::auth::auth_service_server::AuthServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;
use uuid::Uuid;

use crate::{
    background::{AuditSealing, Cleanup},
    config::Settings,
    credentials::{
        hashing::{Cost, PasswordHashing},
        sealing::SealingKeys,
    },
    export::{Exporter, MemberData},
    publishing::AccountSnapshot,
    rpc::AuthService,
    sessions::member_tokens::MemberTokens,
};

/// The migrations of the schema `auth`, with the tables of the outbox.
pub static MIGRATOR: LazyLock<Migrator> = LazyLock::new(|| db::migrator("auth", sqlx::migrate!(), &[&outbox::TABLES]));

/// Starts the service: the same in production, tests and standalone.
///
/// # Errors
/// When a setting is wrong, a key cannot be used, or the database is unavailable.
pub async fn start(context: Arc<ServiceContext>) -> anyhow::Result<Routes> {
    let settings: Settings = context.config.extract()?;
    let signer = signer(&settings, &context)?;
    let secrets = SealingKeys::read(settings.credential_key_files())?;
    let db = context.database("auth", &MIGRATOR).await?;
    let outbox = Outbox::new("auth");
    consumers::subscribe(&context, &db, &outbox)?;
    let facts = outbox.serve(&context, &db, AccountSnapshot);
    let changes = Changes::new(&context, &outbox);
    let cleanup = Cleanup { db: db.clone(), changes: changes.clone(), secrets: secrets.clone() };
    context.tasks.spawn("cleanup", move |stopped| cleanup.clone().run(stopped));
    let sealing = AuditSealing { db: db.clone(), activity: context.activity.clone() };
    context.tasks.spawn("audit sealing", move |stopped| sealing.clone().run(stopped));
    let service = AuthService {
        exports: Exporter::new(&context, &db, MemberData),
        db: db::Pool::of(&db),
        changes,
        clock: context.clock.clone(),
        hashing: PasswordHashing::new(Cost::STANDARD, settings.hashing_threads())?,
        policy: settings.password_policy,
        tokens: MemberTokens::new(signer),
        secrets,
        tasks: context.tasks.clone(),
    };
    Ok(Routes::new(AuthServiceServer::new(service)).add_service(facts))
}

/// Reads every signing key and returns the first. Each key must be in the public key set: services would reject the
/// tokens of a missing one, which would sign every member out.
fn signing_key(settings: &Settings, keyring: &Keyring, now: DateTime<Utc>) -> anyhow::Result<KeyPair> {
    let mut first = None;
    for file in settings.signing_key_files() {
        for pair in KeyPair::read_all(file)? {
            let (tokens, _) = Signer::new(&pair)?.member(Uuid::nil(), Uuid::nil(), now)?;
            if !tokens.iter().all(|(audience, token)| keyring.verify(token, audience).is_some()) {
                anyhow::bail!("PORTIA_SIGNING_KEYS: PORTIA_PUBLIC_KEYS does not contain a key of {}", file.display());
            }
            first.get_or_insert(pair);
        }
    }
    first.context("PORTIA_SIGNING_KEYS names no file with a key")
}

/// Returns the signer of member tokens, which follows changes of its key files.
fn signer(settings: &Settings, context: &ServiceContext) -> anyhow::Result<Arc<Signer>> {
    let key = {
        let (settings, keyring, clock) = (settings.clone(), Arc::clone(&context.keyring), context.clock.clone());
        move || signing_key(&settings, &keyring, clock.now())
    };
    let signer = Arc::new(Signer::new(&key()?)?);
    let files = settings.signing_key_files().map(Path::to_path_buf).collect();
    let watched = Arc::clone(&signer);
    context.tasks.watch_keys(files, move || Ok(watched.replace(&key()?)?));
    Ok(signer)
}
