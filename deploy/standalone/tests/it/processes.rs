//! Eight processes on loopback, as docker-compose runs them: seven services and the gateway, on one Postgres.

use std::{
    collections::HashMap,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
    },
    time::{Duration, Instant},
};

use chassis::config::{Source, field_name};
use portia::{SERVICES, certificates, database::Database, environment, folder::Folder, keys};
use rpc::{Transport, tls::Tls};
use sqlx::{ConnectOptions as _, postgres::PgConnectOptions};

use crate::{browser::Browser, prepared};

/// The timeout of the start of eight debug builds on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(90);

/// The running processes; they end when the value is dropped.
pub struct Processes {
    /// The gateway's address.
    pub base: String,
    children: HashMap<String, Child>,
    environment: HashMap<String, Vec<(String, String)>>,
    // Dropped after the children: Postgres, then its folder.
    database: Database,
    data: tempfile::TempDir,
}

/// Waits until a service consumes the facts of a source one by one. Before that it receives a snapshot, which causes no
/// notification. On a first start both may happen after a member's first write.
pub async fn wait_until_consumes(database: &PgConnectOptions, service: &str, source: &str) {
    let mut db = database.connect().await.unwrap();
    let begun = Instant::now();
    let subscribed = format!("select exists (select from {}.cursors where source = '{source}')", field_name(service));
    while !sqlx::query_scalar::<_, bool>(sqlx::AssertSqlSafe(subscribed.clone())).fetch_one(&mut db).await.unwrap() {
        assert!(begun.elapsed() < TIMEOUT, "{service} does not consume {source}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

impl Processes {
    /// Starts all of them and waits until the gateway serves posts. `more` is set for each.
    pub async fn start(more: &[(&str, &str)]) -> Self {
        Self::start_with(more, |_| {}).await
    }

    /// `prepare` may change the environment and start more processes.
    async fn start_with(more: &[(&str, &str)], prepare: impl FnOnce(&mut Self)) -> Self {
        let data = tempfile::Builder::new()
            .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .tempdir()
            .unwrap();
        prepared::put_into(&data.path().join("data")).await;
        let folder = Folder::at(data.path().join("data"));
        keys::ensure(&folder.keys()).unwrap();
        certificates::ensure(&folder.keys().join("tls")).unwrap();
        let database = Database::open(&Source::default().with("database_sync", "off"), &folder, &|_| {}).await.unwrap();
        let ports: HashMap<String, u16> =
            SERVICES.iter().chain(&["gateway"]).map(|service| ((*service).to_owned(), free_port())).collect();
        let environment = ports
            .iter()
            .map(|(service, port)| (service.clone(), variables(service, *port, &ports, &database, &folder, more)))
            .collect();
        let mut processes = Self {
            base: format!("http://127.0.0.1:{}", ports["gateway"]),
            children: HashMap::new(),
            environment,
            database,
            data,
        };
        processes.migrate().await;
        prepare(&mut processes);
        for service in ports.keys() {
            processes.spawn(service);
        }
        processes.wait_until_started().await;
        processes
    }

    /// Waits until the services that members use first are ready, after all processes were started.
    pub async fn wait_until_started(&mut self) {
        self.wait_until_ready().await;
        // auth is ready when it refuses an unknown session, profile when it responds 404 for an unknown member.
        let mut stranger = Browser::new(&self.base).with_cookie(&format!("portia_session={}", "A".repeat(43)));
        self.wait_for_status(&mut stranger, "/api/auth/me", 401).await;
        let mut visitor = Browser::new(&self.base);
        self.wait_for_status(&mut visitor, "/api/users/01930000-0000-7000-8000-000000000401/profile", 404).await;
        self.wait_until_complete("/api/communities").await;
    }

    /// Migrates like `portia migrate`.
    async fn migrate(&self) {
        let config = Source::default().with("migration_database_url", self.migrations());
        portia::migrate::run(&config, &|_| {}).await.unwrap();
    }

    /// The folder with the keys of all processes.
    pub fn keys(&self) -> PathBuf {
        Folder::at(self.data.path().join("data")).keys()
    }

    /// The data folder, with the folders of keys, pictures and the private Postgres.
    pub fn folder(&self) -> PathBuf {
        self.data.path().join("data")
    }

    /// The port of the private Postgres and the password of its superuser.
    pub fn superuser(&self) -> (u16, String) {
        let password = std::fs::read_to_string(self.folder().join("postgres/password")).unwrap();
        (self.database("auth").get_port(), password.trim().to_owned())
    }

    /// The address of Postgres for `portia migrate`.
    pub fn migrations(&self) -> String {
        self.database.of_migrations("auth").unwrap().to_url_lossy().to_string()
    }

    /// Sets a variable of one process for its next start.
    pub fn set(&mut self, process: &str, name: &str, value: &str) {
        self.environment.get_mut(process).unwrap().push((name.to_owned(), value.to_owned()));
    }

    /// Stops one process and starts it again.
    pub async fn restart(&mut self, process: &str) {
        self.stop(process).await;
        self.spawn(process);
    }

    /// The address of one service.
    pub fn address(&self, service: &str) -> String {
        format!("https://{}", self.variable(service, "PORTIA_LISTEN"))
    }

    /// A variable of one process.
    pub fn variable(&self, process: &str, name: &str) -> &str {
        &self.environment[process].iter().rfind(|(known, _)| known == name).unwrap().1
    }

    /// The connection of the gateway to a service, without its token.
    pub fn transport(&self, service: &'static str) -> Transport {
        let tls = Tls::open(Path::new(self.variable("gateway", "PORTIA_TLS_DIR"))).unwrap();
        Transport::remote(service, &self.address(service), Some(Arc::new(tls))).unwrap()
    }

    /// Starts one process with variables that it refuses. Returns its standard error.
    pub fn refusal(&self, process: &str, more: &[(&str, &str)]) -> String {
        let mut command = Command::new(binary(process));
        command.envs(self.environment[process].clone()).env("PORTIA_LISTEN", "127.0.0.1:0").envs(more.iter().copied());
        let ended = command.output().unwrap();
        assert_eq!(ended.status.code(), Some(1), "{process} {more:?}");
        String::from_utf8(ended.stderr).unwrap()
    }

    /// The connection options of a service.
    pub fn database(&self, service: &str) -> PgConnectOptions {
        self.database.of(service).unwrap()
    }

    /// The connection options of the owner of the schema of a service.
    pub fn owner(&self, service: &str) -> PgConnectOptions {
        let owner = format!("portia_{}_owner", field_name(service));
        self.database.of_migrations(service).unwrap().options([("role", owner)])
    }

    /// See [`wait_until_consumes`].
    pub async fn wait_until_consumes(&self, service: &str, source: &str) {
        wait_until_consumes(&self.database(service), service, source).await;
    }

    /// Starts one process again.
    pub fn spawn(&mut self, service: &str) {
        let child = Command::new(binary(service))
            .envs(self.environment[service].clone())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}; build it with `cargo build --workspace --bins`", service));
        self.children.insert(service.to_owned(), child);
    }

    /// Kills one process, as a crash or the OOM killer does.
    pub fn kill(&mut self, service: &str) {
        let mut child = self.children.remove(service).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// The resident memory of one process, in KiB.
    #[cfg(target_os = "linux")]
    pub fn resident(&self, service: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.children[service].id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Starts a second gateway, and waits until it is ready. Returns its address.
    pub async fn second_gateway(&mut self) -> String {
        let address = format!("127.0.0.1:{}", free_port());
        let mut environment = self.environment["gateway"].clone();
        environment.push(("PORTIA_LISTEN".to_owned(), address.clone()));
        self.environment.insert("gateway-2".to_owned(), environment);
        self.spawn("gateway-2");
        let base = format!("http://{address}");
        let (mut visitor, begun) = (Browser::new(&base), Instant::now());
        while visitor.get_once("/api/communities").await.status != 200 {
            assert!(begun.elapsed() < TIMEOUT, "the second gateway is not ready");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        base
    }

    /// Starts all of them, with a second process of `service` on another address of loopback. Both have an admin port.
    pub async fn start_replicated(service: &'static str) -> Self {
        let (port, admin) = (free_port(), free_port());
        let addresses = format!("https://127.0.0.1:{port},https://127.0.0.2:{port}");
        let variable = format!("PORTIA_{}_URL", field_name(service).to_uppercase());
        let second = format!("{service}-2");
        let own = |processes: &mut Self| {
            let mut environment = processes.environment[service].clone();
            for (name, host) in [(second.clone(), "127.0.0.2"), (service.to_owned(), "127.0.0.1")] {
                environment.push(("PORTIA_LISTEN".to_owned(), format!("{host}:{port}")));
                environment.push(("PORTIA_ADMIN_LISTEN".to_owned(), format!("{host}:{admin}")));
                processes.environment.insert(name, environment.clone());
            }
            processes.spawn(&second);
        };
        Self::start_with(&[(&variable, &addresses)], own).await
    }

    /// Starts all of them, each with an admin port.
    pub async fn start_with_admin_ports(more: &[(&str, &str)]) -> Self {
        let with_ports = |processes: &mut Self| {
            for environment in processes.environment.values_mut() {
                environment.push(("PORTIA_ADMIN_LISTEN".to_owned(), format!("127.0.0.1:{}", free_port())));
            }
        };
        Self::start_with(more, with_ports).await
    }

    /// The address of the admin port of one process.
    pub fn admin(&self, service: &str) -> String {
        format!("http://{}", self.variable(service, "PORTIA_ADMIN_LISTEN"))
    }

    /// Stops one process in an orderly way, and waits for its end. Returns the time.
    pub async fn stop(&mut self, service: &str) -> Duration {
        let mut child = self.children.remove(service).unwrap();
        let begun = Instant::now();
        assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
        let status = tokio::task::spawn_blocking(move || child.wait().unwrap()).await.unwrap();
        assert!(status.success(), "{service}: {status}");
        begun.elapsed()
    }

    /// Waits until the gateway and the services of a page of posts are ready.
    pub async fn wait_until_ready(&mut self) {
        self.wait_until_complete("/api/posts?sort=recent").await;
    }

    /// Waits until a read has this status.
    pub async fn wait_for_status(&self, browser: &mut Browser, path: &str, status: u16) {
        let begun = Instant::now();
        while browser.get_once(path).await.status != status {
            assert!(begun.elapsed() < TIMEOUT, "{path} is not ready");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Waits until the gateway serves this read completely.
    pub async fn wait_until_complete(&mut self, path: &str) {
        let (mut browser, begun) = (Browser::new(&self.base), Instant::now());
        loop {
            let answer = browser.get_once(path).await;
            if answer.status == 200 && !answer.headers.contains_key("x-degraded") {
                return;
            }
            for (service, child) in &mut self.children {
                assert!(child.try_wait().unwrap().is_none(), "{service} ended");
            }
            assert!(begun.elapsed() < TIMEOUT, "not ready: {} {}", answer.status, answer.body);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        for child in self.children.values_mut() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn variables(
    service: &str,
    port: u16,
    ports: &HashMap<String, u16>,
    database: &Database,
    folder: &Folder,
    more: &[(&str, &str)],
) -> Vec<(String, String)> {
    let upstreams = ports.iter().filter(|(upstream, _)| *upstream != "gateway");
    let upstreams = upstreams.map(|(upstream, port)| (upstream.clone(), format!("https://127.0.0.1:{port}"))).collect();
    let url = database.of(service).map(|options| options.to_url_lossy().to_string());
    let listen = format!("127.0.0.1:{port}");
    let mut variables = environment::of_process(service, &listen, &upstreams, url.as_deref(), folder);
    variables.extend(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    variables
}

/// A program that was built next to this test's own binary: target/debug/deps/it-... and target/debug/feed.
pub fn binary(service: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.ancestors().nth(2).map(Path::to_path_buf).unwrap().join(service.trim_end_matches("-2"))
}

/// Returns an unused port, a different one in each call. It is below the ports of outgoing connections: one of these
/// could take it before the process listens.
pub fn free_port() -> u16 {
    static TAKEN: AtomicU16 = AtomicU16::new(0);
    const FIRST: u16 = 10_000;
    const COUNT: u16 = 22_000;
    let start = u16::try_from(std::process::id() % u32::from(COUNT)).unwrap();
    loop {
        let next = start + TAKEN.fetch_add(1, Ordering::Relaxed);
        let port = FIRST + next % COUNT;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
