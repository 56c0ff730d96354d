//! `portia admin ..`: what the people who run Portia do to accounts, on the machine it runs on and while it runs.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use chassis::{clock::Clock, config::Source, ids::Ids, input::Link};
use clap::{Args, Subcommand};
use sqlx::{ConnectOptions as _, Connection as _, PgConnection, postgres::PgConnectOptions};

use crate::{database, folder::Folder};

/// What can be done. Each leaves a row in auth's audit.
#[derive(Subcommand)]
pub enum Command {
    /// Make a one-time link with which a member sets a new password: give it to nobody but them
    ResetLink(ResetLink),
}

/// Whose account, and how they reach Portia.
#[derive(Args)]
pub struct ResetLink {
    /// The account's username, in either case
    pub username: String,
    /// Where members reach this Portia [default: PORTIA_PUBLIC_ORIGIN, else http://127.0.0.1:8080]
    #[arg(long)]
    pub origin: Option<String>,
    /// Which Portia
    #[command(flatten)]
    pub place: Place,
}

/// Which Portia is meant where several run. PORTIA_AUTH_DATABASE_URL and PORTIA_DATABASE_URL say it for one whose
/// Postgres is not its own.
#[derive(Args)]
pub struct Place {
    /// The data folder of the Portia that runs
    #[arg(long, default_value = "data")]
    pub data: PathBuf,
}

/// Does it and prints what came of it.
///
/// # Errors
/// One sentence for the person who asked.
pub async fn run(command: Command, config: &Source) -> anyhow::Result<()> {
    match command {
        Command::ResetLink(ask) => println!("{}", reset_link(ask, config).await?),
    }
    Ok(())
}

/// The link and what to know about it.
///
/// # Errors
/// When there is no account of that name, the origin is no address, or Portia is not running.
pub async fn reset_link(ask: ResetLink, config: &Source) -> anyhow::Result<String> {
    let origin = origin(ask.origin, config)?;
    let mut auth = connect(&ask.place, config).await?;
    let clock = Clock::system();
    let made = auth::admin::reset_link(&mut auth, &ask.username, &Ids::random(clock.clone()), &clock).await;
    auth.close().await?;
    let link = match made {
        Err(auth::error::Error::AccountNotFound) => {
            anyhow::bail!("There is no account named '{}'.", ask.username.escape_debug())
        }
        other => other.context("The link could not be made")?,
    };
    let fields = form_urlencoded::Serializer::new(String::new())
        .append_pair("token", &link.token.encoded())
        .append_pair("username", &link.username)
        .finish();
    let ends = link.ends_at.format("%Y-%m-%d %H:%M UTC");
    // Behind the #, so that no server and no log on the way reads it.
    Ok(format!(
        "{origin}/forgot-password#{fields}\n\nFor {} and nobody else. It works once, until {ends}.",
        link.username
    ))
}

fn origin(given: Option<String>, config: &Source) -> anyhow::Result<String> {
    let origin = given.or_else(|| config.text("public_origin")).unwrap_or_else(|| "http://127.0.0.1:8080".to_owned());
    let refused = || {
        anyhow::anyhow!(
            "'{}' is not where members reach Portia: it must be like https://portia.example.",
            origin.escape_debug()
        )
    };
    let parsed = Link::parse("origin", &origin).map_err(|_| refused())?.into_string();
    let parsed = parsed.trim_end_matches('/').to_owned();
    if parsed.contains(['#', '?']) { Err(refused()) } else { Ok(parsed) }
}

/// A connection to auth's schema, as auth has it.
async fn connect(place: &Place, config: &Source) -> anyhow::Result<PgConnection> {
    if config.is_set("auth_database_url") || config.is_set("database_url") {
        return config.database("auth")?.connect().await.context("The configured database does not answer");
    }
    let data = portia_postgres::home_for(&std::path::absolute(&place.data)?)?;
    let folder = Folder::at(data);
    let Some(options) = running(&folder.postgres())? else { return Err(not_running(&folder)) };
    options.connect().await.map_err(|error| match error {
        sqlx::Error::Io(_) => not_running(&folder),
        other => anyhow::Error::new(other).context("Portia's database does not answer"),
    })
}

fn not_running(folder: &Folder) -> anyhow::Error {
    let data = folder.path().display();
    anyhow::anyhow!("Portia is not running on the data in {data}: start it first, or name its folder with --data.")
}

/// How to reach the private Postgres of the Portia that runs on a data folder; `None` when none does. The superuser's
/// password is the only one that is kept; what is done with it is done as auth.
fn running(postgres: &Path) -> anyhow::Result<Option<PgConnectOptions>> {
    if !is_locked(&postgres.join("lock"))? {
        return Ok(None);
    }
    let Some(pid_file) = read(&postgres.join("cluster/postmaster.pid"))? else { return Ok(None) };
    let Some(password) = read(&postgres.join("password"))? else { return Ok(None) };
    // Postgres writes one thing a line: in the fourth its port, in the eighth whether it takes connections.
    let line = |number: usize| pid_file.lines().nth(number - 1).map(str::trim);
    let (Some(port), Some("ready")) = (line(4).and_then(|port| port.parse().ok()), line(8)) else { return Ok(None) };
    let options = PgConnectOptions::new()
        .host("127.0.0.1")
        .port(port)
        .username("postgres")
        .password(password.trim())
        .database(database::NAME)
        .options([("role", "portia_auth")]);
    Ok(Some(options))
}

/// Whether a process holds the folder. One that was killed leaves its files behind and its port to whoever comes next,
/// who must not be asked to take a password.
fn is_locked(lock: &Path) -> anyhow::Result<bool> {
    let cannot = || format!("{} cannot be read", lock.display());
    let file = match File::open(lock) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        other => other.with_context(cannot)?,
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error).with_context(cannot),
    }
}

fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        other => Ok(Some(other.with_context(|| format!("{} cannot be read", path.display()))?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_given_configured_or_this_machine() {
        let config = Source::default().with("public_origin", "https://portia.example/");
        assert_eq!(origin(None, &config).unwrap(), "https://portia.example");
        assert_eq!(origin(Some("http://10.0.0.1:9000".into()), &config).unwrap(), "http://10.0.0.1:9000");
        assert_eq!(origin(None, &Source::default()).unwrap(), "http://127.0.0.1:8080");
        for bad in ["", "portia.example", "javascript:alert(1)", "https://a@b", "https://a.b/#x", "https://a.b/?x"] {
            assert!(origin(Some(bad.into()), &config).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_folder_nobody_holds_is_not_running() {
        let folder = tempfile::tempdir().unwrap();
        assert!(running(folder.path()).unwrap().is_none(), "nothing is there");
        fs::create_dir(folder.path().join("cluster")).unwrap();
        fs::write(folder.path().join("cluster/postmaster.pid"), "1\n/x\n0\n5432\n\n127.0.0.1\n0\nready\n").unwrap();
        fs::write(folder.path().join("password"), "00ff").unwrap();
        let lock = File::create(folder.path().join("lock")).unwrap();
        assert!(running(folder.path()).unwrap().is_none(), "left behind by one that was killed");
        lock.lock().unwrap();
        let options = running(folder.path()).unwrap().unwrap();
        assert_eq!((options.get_port(), options.get_username()), (5432, "postgres"));
        fs::write(folder.path().join("cluster/postmaster.pid"), "1\n/x\n0\n5432\n\n127.0.0.1\n0\nstarting\n").unwrap();
        assert!(running(folder.path()).unwrap().is_none(), "not ready yet");
    }
}
