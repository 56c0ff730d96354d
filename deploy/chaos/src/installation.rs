//! An installation on this machine: two replicas of each service and two gateways as processes, a private Postgres, and Redis if it
//! is installed, some of them behind proxies.

mod process;

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    net::Ipv4Addr,
    path::{Path, PathBuf},
    process::Command,
    str::FromStr as _,
    time::Duration,
};

use anyhow::{Context as _, ensure};
use chassis::config::{Source, field_name};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use portia::{SERVICES, certificates, database::Database, environment, folder::Folder, keys, migrate};
use sqlx::{ConnectOptions as _, PgConnection, postgres::PgConnectOptions};
use tokio::net::TcpStream;

pub use self::process::Process;
use crate::{
    Options,
    clock::Clocks,
    disk::Disk,
    plan::{Possible, replicas},
    ports::Ports,
    proxy::Proxy,
    wait::eventually,
};

/// The proxy in front of Postgres, and its process.
pub const POSTGRES: &str = "postgres";
/// The proxy in front of Redis, and its process.
pub const REDIS: &str = "redis";
/// The connections of one process to Postgres, which allows two hundred in total.
const CONNECTIONS: &str = "5";
/// The time between a failing `/readyz` and the end of listening. Of a gateway it must suffice for the client to notice.
const DRAIN_SECONDS: [(&str, &str); 2] = [("gateway", "5"), ("service", "1")];

/// The running installation. The drop ends every process.
pub struct Installation {
    processes: BTreeMap<String, Process>,
    proxies: BTreeMap<String, Proxy>,
    /// The addresses of the gateways: `http://127.0.0.1:10042`.
    pub gateways: Vec<String>,
    // Dropped after the processes: Postgres, then its folder.
    database: Database,
    postgres: u16,
    folder: Folder,
    data: tempfile::TempDir,
    /// The disk of the data folder.
    disk: Option<Disk>,
    /// The clocks of the second replicas; the first replicas run without the library.
    clocks: Option<Clocks>,
}

impl Installation {
    /// Starts all of it, and waits until every process is ready.
    ///
    /// # Errors
    /// When a program is missing, or a process does not become ready.
    pub async fn start(options: &Options) -> anyhow::Result<Self> {
        let data = tempfile::Builder::new()
            .prefix("portia-chaos-")
            .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .tempdir()?;
        let path = data.path().join("data");
        fs::create_dir(&path)?;
        let disk = options.own_mounts.then(|| Disk::mount(path.clone())).transpose()?;
        let folder = Folder::open(path)?;
        keys::ensure(&folder.keys())?;
        certificates::ensure(&folder.keys().join("tls"))?;
        fs::create_dir_all(data.path().join("logs"))?;
        // A killed process loses nothing that it has given to the system; only a power failure would.
        let database = Database::open(&Source::default().with("database_sync", "off"), &folder, &|_| {}).await?;
        let of_migrations = database.of_migrations("auth").context("there is no role of migrations")?;
        let postgres = of_migrations.get_port();
        let url = of_migrations.to_url_lossy().to_string();
        migrate::run(&Source::default().with("migration_database_url", url), &|_| {}).await?;
        let clocks =
            options.faketime.clone().map(|library| Clocks::new(library, data.path().join("clocks"))).transpose()?;
        let mut installation = Self {
            processes: BTreeMap::new(),
            proxies: BTreeMap::new(),
            gateways: Vec::new(),
            database,
            postgres,
            folder,
            data,
            disk,
            clocks,
        };
        installation.prepare(&options.programs, options.redis.clone()).await?;
        for name in installation.names() {
            installation.process(&name)?.start()?;
        }
        for name in installation.names() {
            installation.wait_until_ready(&name).await?;
        }
        Ok(installation)
    }

    /// Starts the proxies, and describes the processes.
    async fn prepare(&mut self, programs: &Path, redis: Option<PathBuf>) -> anyhow::Result<()> {
        let mut ports = Ports::new();
        let to_postgres = self.add_proxy(POSTGRES, ports.free()?, self.postgres).await?;
        let mut redis_url = None;
        if let Some(program) = redis {
            let port = ports.free()?;
            let to_redis = self.add_proxy(REDIS, ports.free()?, port).await?;
            redis_url = Some(format!("redis://127.0.0.1:{to_redis}"));
            self.processes.insert(REDIS.to_owned(), Process::redis(program, port, self.data.path())?);
        }
        let (mut listens, mut upstreams) = (HashMap::new(), HashMap::new());
        for service in SERVICES {
            let [first, second] = replicas(service);
            let (one, other) = (ports.free()?, ports.free()?);
            let to_first = self.add_proxy(&first, ports.free()?, one).await?;
            upstreams.insert(service.to_owned(), format!("https://127.0.0.1:{to_first},https://127.0.0.1:{other}"));
            listens.extend([(first, one), (second, other)]);
        }
        for gateway in replicas("gateway") {
            let port = ports.free()?;
            self.gateways.push(format!("http://127.0.0.1:{port}"));
            listens.insert(gateway, port);
        }
        for (name, port) in listens {
            let process = name.trim_end_matches(['-', '1', '2']);
            let url = self.database.of(process).map(|options| through(&options, to_postgres)).transpose()?;
            let listen = format!("127.0.0.1:{port}");
            let admin = format!("127.0.0.1:{}", ports.free()?);
            let mut variables = environment::of_process(process, &listen, &upstreams, url.as_deref(), &self.folder);
            let kind = if process == "gateway" { "gateway" } else { "service" };
            let drain = DRAIN_SECONDS.iter().find(|(of, _)| *of == kind).map_or("0", |(_, seconds)| *seconds);
            let own = [("PORTIA_ADMIN_LISTEN", admin.as_str()), ("PORTIA_DRAIN_SECONDS", drain)];
            variables.extend(own.map(|(name, value)| (name.to_owned(), value.to_owned())));
            if url.is_some() {
                variables.push(("PORTIA_DATABASE_CONNECTIONS".to_owned(), CONNECTIONS.to_owned()));
            } else if let Some(url) = &redis_url {
                variables.push(("PORTIA_REDIS_URL".to_owned(), url.clone()));
            }
            if let Some(clocks) = self.clocks.as_ref().filter(|_| name.ends_with("-2")) {
                variables.extend(clocks.variables(&name)?);
            }
            let log = self.log(&name);
            self.processes.insert(name.clone(), Process::portia(&name, programs.join(process), variables, admin, log));
        }
        Ok(())
    }

    async fn add_proxy(&mut self, name: &str, port: u16, upstream: u16) -> anyhow::Result<u16> {
        self.proxies.insert(name.to_owned(), Proxy::start(port, upstream).await?);
        Ok(port)
    }

    fn log(&self, name: &str) -> PathBuf {
        self.data.path().join("logs").join(format!("{name}.log"))
    }

    /// The processes of Portia, and Redis.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.processes.keys().cloned().collect()
    }

    /// Returns the parts that faults can disturb.
    #[must_use]
    pub fn possible(&self) -> Possible {
        Possible { redis: self.processes.contains_key(REDIS), disk: self.disk.is_some(), clocks: self.clocks.is_some() }
    }

    /// A process by its name.
    ///
    /// # Errors
    /// When there is none.
    pub fn process(&mut self, name: &str) -> anyhow::Result<&mut Process> {
        self.processes.get_mut(name).with_context(|| format!("there is no process {name}"))
    }

    /// A proxy by the name of the process behind it.
    ///
    /// # Errors
    /// When there is none.
    pub fn proxy(&self, name: &str) -> anyhow::Result<&Proxy> {
        self.proxies.get(name).with_context(|| format!("there is no proxy of {name}"))
    }

    /// Where each gateway says whether it is ready.
    #[must_use]
    pub fn probes(&self) -> Vec<String> {
        let gateways = replicas("gateway");
        gateways.iter().filter_map(|name| self.processes.get(name)).filter_map(Process::probe).collect()
    }

    /// The clocks of the second replicas.
    ///
    /// # Errors
    /// When the replicas use the system's clock.
    pub(crate) fn clocks(&self) -> anyhow::Result<&Clocks> {
        self.clocks.as_ref().context("there are no clocks of their own")
    }

    /// The disk of Postgres.
    ///
    /// # Errors
    /// When Postgres uses the system's disk.
    pub fn disk(&self) -> anyhow::Result<&Disk> {
        self.disk.as_ref().context("there is no disk of its own")
    }

    /// Begins another segment of the write-ahead log. Postgres ends when it cannot write one.
    ///
    /// # Errors
    /// When Postgres does not answer.
    pub async fn use_another_segment(&self) -> anyhow::Result<()> {
        let mut db = self.superuser().await?;
        let written = "select pg_logical_emit_message(false, 'chaos', repeat('-', 1000)), pg_switch_wal()";
        sqlx::raw_sql(written).execute(&mut db).await?;
        Ok(())
    }

    /// Waits until a process is ready.
    ///
    /// # Errors
    /// When it does not become ready in time.
    pub async fn wait_until_ready(&self, name: &str) -> anyhow::Result<()> {
        if name == POSTGRES {
            return eventually("Postgres accepts connections", async || self.superuser().await.is_ok()).await;
        }
        let process = self.processes.get(name).with_context(|| format!("there is no process {name}"))?;
        eventually(&format!("{name} is ready"), async || process.is_ready().await).await
    }

    /// Kills the postmaster. The supervisor of the database starts it again.
    ///
    /// # Errors
    /// When it does not run.
    pub fn kill_postgres(&self) -> anyhow::Result<()> {
        let pid = self.postmaster().context("Postgres does not run")?;
        Ok(kill(Pid::from_raw(pid), Signal::SIGKILL)?)
    }

    /// The process id of the postmaster.
    #[must_use]
    pub fn postmaster(&self) -> Option<i32> {
        let file = self.folder.postgres().join("cluster/postmaster.pid");
        fs::read_to_string(file).ok()?.lines().next()?.trim().parse().ok()
    }

    /// A connection with all rights, past the proxy.
    ///
    /// # Errors
    /// When Postgres does not answer.
    pub async fn superuser(&self) -> anyhow::Result<PgConnection> {
        let password = fs::read_to_string(self.folder.postgres().join("password"))?;
        let url = format!("postgres://postgres:{}@127.0.0.1:{}/portia", password.trim(), self.postgres);
        let connecting =
            tokio::time::timeout(
                Duration::from_secs(5),
                async move { PgConnectOptions::from_str(&url)?.connect().await },
            );
        Ok(connecting.await??)
    }

    /// The processes that ended without being asked to, and starts them again.
    ///
    /// # Errors
    /// When one cannot be started.
    pub fn restart_crashed(&mut self) -> anyhow::Result<Vec<String>> {
        let mut crashed = Vec::new();
        for (name, process) in &mut self.processes {
            if let Some(status) = process.has_crashed()? {
                crashed.push(format!("{name} ended by itself: {status}"));
                process.start()?;
            }
        }
        Ok(crashed)
    }

    /// Keeps the folder, with the logs, after the end. Returns the path of the logs.
    pub fn keep_logs(&mut self) -> PathBuf {
        self.data.disable_cleanup(true);
        self.data.path().join("logs")
    }
}

/// The URL of a database through the proxy.
fn through(options: &PgConnectOptions, proxy: u16) -> anyhow::Result<String> {
    let mut url = options.to_url_lossy();
    // The query has the folder of the socket.
    url.set_query(None);
    ensure!(
        url.set_host(Some(&Ipv4Addr::LOCALHOST.to_string())).is_ok() && url.set_port(Some(proxy)).is_ok(),
        "the address of the database cannot be changed"
    );
    Ok(url.to_string())
}

/// The variables of this environment that the processes must not see.
fn without_own_variables(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if ["PORTIA_", "OTEL_"].iter().any(|ours| name.to_string_lossy().starts_with(ours)) {
            command.env_remove(name);
        }
    }
}

/// Whether a port of the loopback accepts connections.
async fn accepts(port: u16) -> bool {
    let connecting = TcpStream::connect((Ipv4Addr::LOCALHOST, port));
    tokio::time::timeout(Duration::from_secs(1), connecting).await.is_ok_and(|connected| connected.is_ok())
}

/// The schema of a service.
#[must_use]
pub fn schema(service: &str) -> String {
    field_name(service)
}
