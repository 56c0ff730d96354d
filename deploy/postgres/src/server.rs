//! The server process: configuration, start and readiness.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::sleep,
    time::{Duration, Instant},
};

use crate::{
    account::Account,
    binaries::{Binaries, Source, written_by},
    cluster::{Cluster, Profile, SUPERUSER},
    error::{Doing, Error, Result, relevant_line},
    shutdown::{POLL_INTERVAL, pid_of, shut_down, stop_orphan},
};

/// A start may replay much of the write-ahead log after a crash.
const READY_TIMEOUT: Duration = Duration::from_secs(120);

/// The longest name of a socket of Postgres.
const SOCKET: &str = ".s.PGSQL.65535";
/// The longest path of a socket in bytes: 103 on macOS, 107 on Linux. A data folder deep in a home exceeds it.
const MAX_SOCKET_PATH: usize = 103;

/// Options of a start.
pub struct Options<'a> {
    /// A folder for this Postgres only; see [`crate::home_for`] for choosing one as root.
    pub data: PathBuf,
    /// The durability of the data.
    pub profile: Profile,
    /// The allowed origins of the programs.
    pub source: Source,
    /// Receives a short line before each step that takes time.
    pub progress: &'a dyn Fn(&str),
}

/// The embedded server.
pub struct Postgres;

impl Postgres {
    /// Starts a server on `options.data`, and creates the data if needed. Blocks.
    ///
    /// # Errors
    /// Each [`Error`] is one sentence for the operator.
    pub fn start(options: Options<'_>) -> Result<Running> {
        let cluster = Cluster::open(&options.data)?;
        stop_orphan(&cluster.folder())?;
        let account = Account::for_cluster(&cluster.folder())?;
        let binaries = if cluster.exists() {
            let wanted = written_by(&cluster.folder())?;
            Binaries::find(options.source, Some(wanted), &account, options.progress)
                .map_err(|reason| Error::Version { path: cluster.folder(), wanted, reason })?
        } else {
            let found = Binaries::find(options.source, None, &account, options.progress)
                .map_err(|reason| Error::NoBinaries { reason })?;
            (options.progress)(&format!("Creating the database (PostgreSQL {}) ...", found.major));
            cluster.create(&found, &account, options.profile)?;
            found
        };
        let password = cluster.password()?;

        let launcher = Launcher { cluster, binaries, account, profile: options.profile, cancelled: Arc::default() };
        let (child, port) = launcher.launch_until_ready(None)?;
        Ok(Running { child, port, password, launcher })
    }
}

/// A server that accepts connections; stopped when dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
    port: u16,
    password: String,
    launcher: Launcher,
}

impl Running {
    /// The superuser's URL of the maintenance database.
    #[must_use]
    pub fn admin_url(&self) -> String {
        self.admin_url_of("postgres")
    }

    /// The superuser's URL of a database; its name must need no escaping.
    #[must_use]
    pub fn admin_url_of(&self, database: &str) -> String {
        let (password, port) = (&self.password, self.port);
        format!("postgres://{SUPERUSER}:{password}@127.0.0.1:{port}/{database}")
    }

    /// The server's port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The folder of the server's Unix socket, which costs both sides less than a connection of the loopback; `None` when its path would
    /// be too long for one.
    #[must_use]
    pub fn socket_folder(&self) -> Option<PathBuf> {
        Some(self.launcher.cluster.folder()).filter(|folder| has_short_path(folder))
    }

    /// Whether the server has ended by itself: a crash, the OOM killer, a full disk.
    ///
    /// # Errors
    /// When the process cannot be observed.
    pub fn has_ended(&mut self) -> Result<bool> {
        let ended = self.child.try_wait().doing("wait for", &self.launcher.binaries.program("postgres"))?;
        Ok(ended.is_some())
    }

    /// Returns the last error that the ended server logged.
    #[must_use]
    pub fn last_error(&self) -> String {
        relevant_line(&fs::read_to_string(self.launcher.cluster.log()).unwrap_or_default())
    }

    /// Set to give up a [`Self::restart`] that waits for a server to become ready.
    #[must_use]
    pub fn cancellation(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.launcher.cancelled)
    }

    /// Starts a server that has ended again, on the same port: the addresses of clients stay valid. It first recovers from its
    /// write-ahead log. Blocks.
    ///
    /// # Errors
    /// As [`Postgres::start`]. The next call tries again.
    pub fn restart(&mut self) -> Result<()> {
        stop_orphan(&self.launcher.cluster.folder())?;
        let (child, _) = self.launcher.launch_until_ready(Some(self.port))?;
        self.child = child;
        Ok(())
    }

    /// Ends all sessions, writes a checkpoint and waits for the end; escalates after a timeout.
    ///
    /// # Errors
    /// When the server cannot be signalled.
    pub fn stop(mut self) -> Result<()> {
        self.shut_down()
    }

    fn shut_down(&mut self) -> Result<()> {
        let pid = pid_of(&self.child);
        let child = &mut self.child;
        shut_down(pid, || matches!(child.try_wait(), Ok(Some(_)) | Err(_)))
    }
}

/// The settings of a first or a later start.
#[derive(Debug)]
struct Launcher {
    cluster: Cluster,
    binaries: Binaries,
    account: Account,
    profile: Profile,
    cancelled: Arc<AtomicBool>,
}

impl Launcher {
    /// Starts the server on `port`, or on a free one.
    fn launch_until_ready(&self, port: Option<u16>) -> Result<(Child, u16)> {
        let deadline = Instant::now() + READY_TIMEOUT;
        loop {
            match self.launch(port, deadline) {
                // Another program took the port between the check and the server's start, or the backends of a killed
                // server have not ended yet: both are temporary.
                Err(Error::Start { detail, .. })
                    if is_temporary(&detail) && Instant::now() < deadline && !self.is_cancelled() =>
                {
                    sleep(POLL_INTERVAL * 10)
                }
                other => return other,
            }
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn launch(&self, port: Option<u16>, deadline: Instant) -> Result<(Child, u16)> {
        let Self { cluster, binaries, account, profile, .. } = self;
        let port = match port {
            Some(port) => port,
            None => free_port().map_err(|error| Error::Io {
                doing: "find a free port on",
                path: "127.0.0.1".into(),
                error,
            })?,
        };
        let log = cluster.log();
        let log_file =
            File::options().create(true).truncate(true).write(true).mode(0o600).open(&log).doing("write", &log)?;
        let log_copy = log_file.try_clone().doing("write", &log)?;
        let program = binaries.program("postgres");
        let mut command = account.command(&program);
        command.arg("-D").arg(cluster.folder());
        configure(&mut command, port, has_short_path(&cluster.folder()), *profile);
        command.stdin(Stdio::null()).stdout(log_file).stderr(log_copy);
        let mut child = command.spawn().doing("run", &program)?;

        let end = loop {
            match child.try_wait() {
                Ok(None) if is_ready(&cluster.folder(), child.id(), port) => {
                    return Ok((child, port));
                }
                Ok(None) if Instant::now() < deadline && !self.is_cancelled() => sleep(POLL_INTERVAL),
                Ok(None) => {
                    break Error::Timeout { seconds: READY_TIMEOUT.as_secs(), log };
                }
                Ok(Some(_)) => break ended_early(cluster, account, &log),
                Err(error) => {
                    break Error::Io { doing: "wait for", path: program, error };
                }
            }
        };
        shut_down(pid_of(&child), || !matches!(child.try_wait(), Ok(None)))?;
        Err(end)
    }
}

/// Whether a socket in `folder` has a path that every system accepts.
fn has_short_path(folder: &Path) -> bool {
    folder.join(SOCKET).as_os_str().len() <= MAX_SOCKET_PATH
}

fn is_temporary(detail: &str) -> bool {
    detail.contains("could not create any TCP/IP sockets") || detail.contains("is still in use")
}

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            // An error cannot be returned here; the next start on this data stops a server that still runs.
            self.shut_down().ok();
        }
    }
}

/// Settings are on the command line: the cluster's files belong to the user who runs Postgres, and a process with
/// higher rights should not write where an unprivileged one can place links.
fn configure(command: &mut Command, port: u16, has_socket: bool, profile: Profile) {
    let port = port.to_string();
    let common = [
        ("port", port.as_str()),
        ("listen_addresses", "127.0.0.1"),
        // In the folder of the cluster, which only its user and root enter.
        ("unix_socket_directories", if has_socket { "." } else { "" }),
        ("shared_buffers", "256MB"),
        ("random_page_cost", "1.1"),
        ("timezone", "UTC"),
        ("log_timezone", "UTC"),
        // Details of a violated constraint contain personal data; the services log refusals themselves.
        ("log_min_messages", "fatal"),
        ("log_error_verbosity", "terse"),
        ("log_min_error_statement", "panic"),
    ];
    let own: &[(&str, &str)] = match profile {
        Profile::Durable => &[("max_connections", "200")],
        Profile::Unsynced => &[("max_connections", "200"), ("fsync", "off"), ("full_page_writes", "off")],
        Profile::Throwaway => &[
            // Two programs run three tests per core in all, and some tests start every service twice.
            ("max_connections", "600"),
            ("fsync", "off"),
            ("synchronous_commit", "off"),
            ("full_page_writes", "off"),
            ("wal_level", "minimal"),
            ("max_wal_senders", "0"),
            // Tests that count buffers depend on plans and visibility maps. They vacuum and analyze themselves, and a
            // sample of 300,000 rows contains every row of theirs: the same rows always give the same plan.
            ("autovacuum", "off"),
            ("default_statistics_target", "1000"),
        ],
    };
    for (name, value) in common.iter().chain(own) {
        command.arg("-c").arg(format!("{name}={value}"));
    }
}

/// The postmaster writes "ready" in line 8 of its pid file, and an accepted start-up packet proves it.
fn is_ready(cluster: &Path, pid: u32, port: u16) -> bool {
    let Ok(text) = fs::read_to_string(cluster.join("postmaster.pid")) else {
        return false;
    };
    let mut lines = text.lines().map(str::trim);
    let same = lines.next() == Some(pid.to_string().as_str());
    same && lines.nth(6).is_some_and(|status| status == "ready") && answers(port).unwrap_or(false)
}

/// Whether the server asks a new connection for its password (message `R`) rather than refusing it.
fn answers(port: u16) -> io::Result<bool> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    let mut packet = vec![0, 0, 0, 0, 0, 3, 0, 0]; // length, protocol 3.0
    packet.extend(format!("user\0{SUPERUSER}\0database\0postgres\0\0").into_bytes());
    let length = u32::try_from(packet.len()).map_err(io::Error::other)?;
    packet.splice(..4, length.to_be_bytes());
    stream.write_all(&packet)?;
    let mut kind = [0];
    stream.read_exact(&mut kind)?;
    Ok(kind == *b"R")
}

fn ended_early(cluster: &Cluster, account: &Account, log: &Path) -> Error {
    let said = fs::read_to_string(log).unwrap_or_default();
    let path = cluster.folder();
    // On a full disk the message itself may be missing from the log.
    let mute =
        said.is_empty() && fs::write(log, [0; 8192]).is_err_and(|error| error.kind() == io::ErrorKind::StorageFull);
    if mute || said.contains("No space left on device") {
        Error::DiskFull { path }
    } else if let Some(closed) = crate::location::closed_to(account, &path) {
        Error::Unreachable { path: closed, user: account.name.clone() }
    } else {
        Error::Start { path, detail: relevant_line(&said) }
    }
}

fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
