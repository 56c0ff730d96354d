//! `portia admin ..`: the commands of operators, on the machine of a running Portia.

mod access;
mod audit;
mod facts;
mod moderators;
mod reports;
mod reset_link;
mod resources;
mod sources;
mod suspension;
mod table;
mod verifications;

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use auth::admin::Note;
use chassis::config::{Source, field_name};
use chrono::{DateTime, Utc};
use clap::{Args, Subcommand};
use sqlx::{ConnectOptions as _, PgConnection, postgres::PgConnectOptions};

use self::suspension::AdminAction;
use crate::{database, folder::Folder, output};

/// The commands. Reset links, suspensions, restorations, ended sessions, removed apps and passkeys, roles, verifications and decisions on reports have a row in the
/// audit.
#[derive(Subcommand)]
pub enum Command {
    /// Make a one-time link with which a member sets a new password: give it to that member only
    ResetLink(reset_link::ResetLink),
    /// Show the sources of jobs and news with the results of their last crawls
    Sources(Target),
    /// Decide on the resources that members suggested
    #[command(subcommand)]
    Resources(resources::Command),
    /// Show the reports of members, and decide on them
    Reports(reports::Reports),
    /// Suspend an account: every session ends, sign-in is refused, the member is hidden
    Suspend(suspension::Account),
    /// Restore a suspended account
    Restore(suspension::Account),
    /// End every session of an account, and the trust in its browsers
    RevokeSessions(suspension::Account),
    /// Remove the authenticator app of a member who has lost it: verify the identity first
    RemoveTotp(suspension::Account),
    /// Remove every passkey of an account, for example after another person added one: verify the identity first
    RemovePasskeys(suspension::Account),
    /// Decide which members are moderators
    #[command(subcommand)]
    Moderators(moderators::Command),
    /// Confirm that a member is the person of that name: a mark stands beside the name everywhere
    Verify(verifications::Verify),
    /// Withdraw that
    Unverify(verifications::Unverify),
    /// Decide which members may verify the members of a school
    #[command(subcommand)]
    Stewards(verifications::Stewards),
    /// Decide on facts that a service could not apply
    #[command(subcommand)]
    Facts(facts::Command),
    /// Show the actions of operators and moderators: links, suspensions, roles, verifications, decisions; or verify the audit
    Audit(audit::Audit),
}

/// Selects the Portia where several run. PORTIA_DATABASE_URL, or PORTIA_AUTH_DATABASE_URL and so on, select one with an
/// external Postgres.
#[derive(Args)]
pub struct Target {
    /// The data folder of the running Portia
    #[arg(long, default_value = "data")]
    pub data: PathBuf,
}

/// Executes the command and prints its result.
///
/// # Errors
/// One sentence for the operator.
pub async fn run(command: Command, config: &Source) -> anyhow::Result<()> {
    let text = match command {
        Command::ResetLink(arguments) => reset_link::reset_link(arguments, config).await?,
        Command::Sources(target) => sources::list(&target, config).await?,
        Command::Resources(command) => resources::run(command, config).await?,
        Command::Reports(command) => reports::run(command, config).await?,
        Command::Suspend(account) => suspension::decide(&account, AdminAction::Suspend, config).await?,
        Command::Restore(account) => suspension::decide(&account, AdminAction::Restore, config).await?,
        Command::RevokeSessions(account) => access::revoke_sessions(&account, config).await?,
        Command::RemoveTotp(account) => access::remove_totp(&account, config).await?,
        Command::RemovePasskeys(account) => access::remove_passkeys(&account, config).await?,
        Command::Moderators(command) => moderators::run(command, config).await?,
        Command::Verify(arguments) => verifications::verify(&arguments, config).await?,
        Command::Unverify(arguments) => verifications::unverify(&arguments, config).await?,
        Command::Stewards(command) => verifications::stewards(command, config).await?,
        Command::Facts(command) => facts::run(command, config).await?,
        Command::Audit(arguments) => audit::run(arguments, config).await?,
    };
    output::print(&format!("{text}\n"))?;
    Ok(())
}

/// A connection to a service's schema, with the rights of the service.
async fn connect(target: &Target, service: &str, config: &Source) -> anyhow::Result<PgConnection> {
    if config.is_set(&format!("{}_database_url", field_name(service))) || config.is_set("database_url") {
        return config.database(service)?.connect().await.context("The configured database does not answer");
    }
    let data = portia_postgres::home_for(&std::path::absolute(&target.data)?)?;
    let folder = Folder::at(data);
    let Some(options) = running(&folder.postgres(), service)? else { return Err(not_running(&folder)) };
    options.connect().await.map_err(|error| match error {
        sqlx::Error::Io(_) => not_running(&folder),
        other => anyhow::Error::new(other).context("Portia's database does not answer"),
    })
}

/// The note of an operator on an action.
fn note(raw: Option<&str>) -> anyhow::Result<Option<Note>> {
    Note::parse_optional("note", raw).map_err(|refused| anyhow::anyhow!("The note is refused: {}", refused.message))
}

/// A time in the format of every list.
fn time(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M UTC").to_string()
}

fn not_running(folder: &Folder) -> anyhow::Error {
    let data = folder.path().display();
    anyhow::anyhow!("Portia is not running on the data in {data}: start it first, or name its folder with --data.")
}

/// The connection options of the private Postgres that runs on a data folder; `None` when none is running. Only the
/// superuser has a stored password; the session then takes the role of the service.
fn running(postgres: &Path, service: &str) -> anyhow::Result<Option<PgConnectOptions>> {
    if !is_locked(&postgres.join("lock"))? {
        return Ok(None);
    }
    let Some(pid_file) = read(&postgres.join("cluster/postmaster.pid"))? else { return Ok(None) };
    let Some(password) = read(&postgres.join("password"))? else { return Ok(None) };
    // postmaster.pid: the port in the fourth line, the readiness in the eighth.
    let line = |number: usize| pid_file.lines().nth(number - 1).map(str::trim);
    let (Some(port), Some("ready")) = (line(4).and_then(|port| port.parse().ok()), line(8)) else { return Ok(None) };
    let options = PgConnectOptions::new()
        .host("127.0.0.1")
        .port(port)
        .username("postgres")
        .password(password.trim())
        .database(database::NAME)
        .options([("role", format!("portia_{}", field_name(service)))]);
    Ok(Some(options))
}

/// Whether a process holds the lock of the folder. A killed process leaves its files behind, and another program may
/// then listen on its port, which must not receive a password.
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
    fn an_unlocked_folder_is_not_running() {
        let folder = tempfile::tempdir().unwrap();
        assert!(running(folder.path(), "auth").unwrap().is_none(), "nothing is there");
        fs::create_dir(folder.path().join("cluster")).unwrap();
        fs::write(folder.path().join("cluster/postmaster.pid"), "1\n/x\n0\n5432\n\n127.0.0.1\n0\nready\n").unwrap();
        fs::write(folder.path().join("password"), "00ff").unwrap();
        let lock = File::create(folder.path().join("lock")).unwrap();
        assert!(running(folder.path(), "auth").unwrap().is_none(), "left behind by one that was killed");
        lock.lock().unwrap();
        let options = running(folder.path(), "auth").unwrap().unwrap();
        assert_eq!((options.get_port(), options.get_username()), (5432, "postgres"));
        fs::write(folder.path().join("cluster/postmaster.pid"), "1\n/x\n0\n5432\n\n127.0.0.1\n0\nstarting\n").unwrap();
        assert!(running(folder.path(), "auth").unwrap().is_none(), "not ready yet");
    }
}
