//! The role of moderators: grant, revoke, list.

use anyhow::Context as _;
use auth::error::Error;
use chassis::config::Source;
use clap::Subcommand;
use primitives::{clock::Clock, ids::Ids};
use sqlx::Connection as _;

use super::{Target, connect, note, suspension::Account, table::table, time};

/// The commands on the role.
#[derive(Subcommand)]
pub enum Command {
    /// Give a member the role: the moderation screen, with the power of `reports`, `suspend` and `restore`
    Grant(Account),
    /// Take the role away, within seconds
    Revoke(Account),
    /// Show the members with the role
    List(Target),
}

/// Executes the command and returns its result.
///
/// # Errors
/// When there is no account of that name, it is in that state already, or Portia is not running.
pub(super) async fn run(command: Command, config: &Source) -> anyhow::Result<String> {
    match command {
        Command::Grant(account) => change(&account, true, config).await,
        Command::Revoke(account) => change(&account, false, config).await,
        Command::List(target) => list(&target, config).await,
    }
}

async fn change(account: &Account, grant: bool, config: &Source) -> anyhow::Result<String> {
    let note = note(account.note.as_deref())?;
    let mut auth = connect(&account.target, "auth", config).await?;
    let clock = Clock::system();
    let (ids, name) = (Ids::random(clock.clone()), account.username.as_str());
    let changed = if grant {
        auth::admin::grant_moderator(&mut auth, name, note.as_ref(), &ids, &clock).await
    } else {
        auth::admin::revoke_moderator(&mut auth, name, note.as_ref(), &ids, &clock).await
    };
    auth.close().await?;
    match (changed, grant) {
        (Ok(username), true) => Ok(format!("{username} is a moderator.")),
        (Ok(username), false) => Ok(format!("{username} is no longer a moderator.")),
        (Err(Error::AccountNotFound), _) => anyhow::bail!("There is no account named '{}'.", name.escape_debug()),
        (Err(Error::StateUnchanged), true) => {
            anyhow::bail!("The account '{}' is a moderator already.", name.escape_debug())
        }
        (Err(Error::StateUnchanged), false) => anyhow::bail!("The account '{}' is no moderator.", name.escape_debug()),
        (Err(error), _) => Err(error).context("The role could not be changed"),
    }
}

async fn list(target: &Target, config: &Source) -> anyhow::Result<String> {
    let mut auth = connect(target, "auth", config).await?;
    let moderators = auth::admin::list_moderators(&mut auth).await.context("The moderators cannot be read")?;
    auth.close().await?;
    let rows: Vec<_> =
        moderators.into_iter().map(|moderator| [moderator.username, time(moderator.granted_at)]).collect();
    Ok(table(["moderator", "since"], &rows))
}
