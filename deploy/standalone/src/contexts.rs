//! The contexts of the eight processes, in one process.

use std::{collections::HashMap, ops::RangeInclusive, path::PathBuf, sync::Arc};

use anyhow::Context as _;
use chassis::{
    ServiceContext,
    config::Source,
    lifecycle::{self, Activity, Readiness, Standby, Tasks, Upstreams},
};
use db::Limits;
use primitives::{clock::Clock, ids::Ids};
use rpc::identity::{KeyPair, Keyring, Signer, read_public_set};

use crate::{SERVICES, database::Database, folder::Folder, keys};

/// The maximum number of connections of one service to the private Postgres, which allows a hundred in total.
const CONNECTIONS: u32 = 10;

/// The contexts of one stack, by service.
pub struct Contexts(HashMap<&'static str, Arc<ServiceContext>>);

impl Contexts {
    /// The contexts of the distributed installation, with in-process transports and keys.
    pub(crate) fn of_stack(
        database: &Database,
        folder: &Folder,
        config: &Source,
        web: Option<PathBuf>,
    ) -> anyhow::Result<Self> {
        let clock = Clock::system();
        let keys = folder.keys();
        let public = keys.join(keys::PUBLIC);
        let keyring = Arc::new(Keyring::new(&read_public_set(&public)?, clock.clone())?);
        let upstreams = Upstreams::local();
        let config = if config.is_set("pictures_url") {
            config.clone()
        } else {
            config.clone().with("pictures_url", std::path::absolute(folder.pictures())?)
        };
        let mut contexts = HashMap::new();
        for service in SERVICES.into_iter().chain(["gateway"]) {
            let own = match service {
                "auth" => {
                    let config = config.clone().with("signing_keys", keys.join(keys::MEMBERS));
                    config.with("credential_keys", keys.join(keys::CREDENTIALS))
                }
                "gateway" => {
                    let config = config.clone().with("picture_keys", keys.join(keys::PICTURES));
                    match &web {
                        Some(web) => config.with("web_dir", web),
                        None => config,
                    }
                }
                _ => config.clone(),
            };
            let own_key = keys.join(keys::own(service));
            let signer = Arc::new(Signer::new(&KeyPair::read(&own_key)?)?);
            let tasks = Tasks::default();
            lifecycle::watch_service_key(&tasks, own_key, Arc::clone(&signer));
            if service == "gateway" {
                lifecycle::watch_public_keys(&tasks, public.clone(), Arc::clone(&keyring));
            }
            let context = ServiceContext {
                service,
                config: own,
                ids: Ids::random(clock.clone()),
                clock: clock.clone(),
                keyring: Arc::clone(&keyring),
                signer,
                upstreams: upstreams.clone(),
                tasks,
                activity: Activity::default(),
                readiness: Readiness::default(),
                standby: Standby::default(),
                database: database.of(service),
                database_limits: Limits::for_requests(connections(&config, service)?),
            };
            contexts.insert(service, Arc::new(context));
        }
        Ok(Self(contexts))
    }

    /// A service's context.
    ///
    /// # Errors
    /// When there is no such service.
    pub fn of(&self, service: &str) -> anyhow::Result<&Arc<ServiceContext>> {
        self.0.get(service).with_context(|| format!("there is no service {service}"))
    }
}

/// The connections of a service: fewer of an idle one through a connection pooler.
fn connections(config: &Source, service: &str) -> anyhow::Result<RangeInclusive<u32>> {
    let is_pooled = config.direct_database(service)?.is_some();
    Ok(if is_pooled { 2..=CONNECTIONS } else { CONNECTIONS..=CONNECTIONS })
}
