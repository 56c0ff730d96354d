//! Portia as eight processes with mutual TLS, beside the standalone one: further replicas on its database, as in production.

use std::{
    collections::HashMap,
    net::{Ipv4Addr, TcpListener},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use chassis::config::field_name;
use portia::{SERVICES, certificates, environment, folder::Folder, passwords::random_password};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, postgres::PgConnectOptions};

use crate::{data_folder::DataFolder, portia::without_own_variables};

const GATEWAY: &str = "gateway";
/// The longest start.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// The running processes; killed when dropped, because the standalone Portia finishes their work.
#[derive(Debug)]
pub struct Processes {
    children: Vec<Child>,
    /// The address of the gateway.
    pub base: String,
}

impl Processes {
    /// Starts the eight programs of the folder `programs` on the data of a running standalone Portia. Returns when all are ready.
    ///
    /// # Errors
    /// When a program is missing, or does not become ready.
    pub async fn start(programs: &Path, data: &DataFolder) -> anyhow::Result<Self> {
        let folder = Folder::at(data.path().to_path_buf());
        certificates::ensure(&folder.keys().join("tls"))?;
        let (_, superuser) = data.server()?;
        let names: Vec<&str> = SERVICES.into_iter().chain([GATEWAY]).collect();
        // Each process has a port and an administration port.
        let ports = free_ports(2 * names.len())?;
        let (ports, admin_ports) = ports.split_at(names.len());
        let address = |port: &u16| format!("127.0.0.1:{port}");
        let upstreams: HashMap<String, String> = names
            .iter()
            .zip(ports)
            .map(|(name, port)| ((*name).to_owned(), format!("https://{}", address(port))))
            .collect();
        let mut processes = Self { children: Vec::new(), base: String::new() };
        let mut probes = Vec::new();
        for ((name, port), admin_port) in names.into_iter().zip(ports).zip(admin_ports) {
            let database = if name == GATEWAY { None } else { Some(role(&superuser, name).await?) };
            let (listen, admin) = (address(port), address(admin_port));
            let own = upstreams.iter().filter(|(upstream, _)| *upstream != GATEWAY);
            let upstreams = own.map(|(upstream, address)| (upstream.clone(), address.clone())).collect();
            let mut command = Command::new(programs.join(name));
            without_own_variables(&mut command);
            command.envs(environment::of_process(name, &listen, &upstreams, database.as_deref(), &folder));
            command.env("PORTIA_ADMIN_LISTEN", &admin).stdin(Stdio::null()).stdout(Stdio::null());
            let child = command.spawn().with_context(|| format!("{name} could not be started"))?;
            processes.children.push(child);
            probes.push(format!("http://{admin}/readyz"));
            if name == GATEWAY {
                processes.base = format!("http://{listen}");
            }
        }
        processes.wait_until_ready(&probes).await?;
        Ok(processes)
    }

    /// Their process ids.
    pub fn ids(&self) -> impl Iterator<Item = u32> {
        self.children.iter().map(Child::id)
    }

    async fn wait_until_ready(&mut self, probes: &[String]) -> anyhow::Result<()> {
        let client = reqwest::Client::builder().timeout(Duration::from_secs(2)).build()?;
        let latest = Instant::now() + START_TIMEOUT;
        for (probe, child) in probes.iter().zip(&mut self.children) {
            while !client.get(probe).send().await.is_ok_and(|response| response.status().is_success()) {
                if let Some(status) = child.try_wait()? {
                    anyhow::bail!("the process of {probe} ended before it was ready ({status})");
                }
                anyhow::ensure!(Instant::now() < latest, "{probe} does not become ready");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        Ok(())
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        for child in &mut self.children {
            child.kill().ok();
            child.wait().ok();
        }
    }
}

/// The URL of a service's schema with a role that acts as the one of the service, whose password only the standalone Portia knows.
async fn role(superuser: &PgConnectOptions, service: &str) -> anyhow::Result<String> {
    let (schema, password) = (field_name(service), random_password(32)?);
    let (serving, own) = (format!("portia_{schema}"), format!("bench_{schema}"));
    let statement = format!(
        "do $$ begin
            create role {own} login in role {serving};
        exception when duplicate_object then null;
        end $$;
        alter role {own} password '{password}'"
    );
    let mut db = superuser.connect().await?;
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut db).await?;
    db.close().await?;
    let settings = [("role", serving.as_str()), ("search_path", &format!("{schema},ext"))];
    Ok(superuser.clone().username(&own).password(&password).options(settings).to_url_lossy().to_string())
}

/// Ports that are free now.
fn free_ports(number: usize) -> anyhow::Result<Vec<u16>> {
    let listeners: Result<Vec<_>, _> = (0..number).map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).collect();
    Ok(listeners?
        .iter()
        .map(TcpListener::local_addr)
        .collect::<Result<Vec<_>, _>>()?
        .iter()
        .map(|own| own.port())
        .collect())
}
