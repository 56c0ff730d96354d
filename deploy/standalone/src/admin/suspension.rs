//! Suspends and restores accounts.

use anyhow::Context as _;
use auth::{admin::SuspensionChange, error::Error};
use chassis::config::Source;
use clap::Args;
use primitives::{clock::Clock, ids::Ids};
use sqlx::Connection as _;

use super::{Target, connect, note};

/// The account and the reason.
#[derive(Args)]
pub struct Account {
    /// The account's username, in either case
    pub username: String,
    /// The reason, for the audit
    #[arg(long)]
    pub note: Option<String>,
    /// The Portia
    #[command(flatten)]
    pub target: Target,
}

/// The action on an account.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AdminAction {
    Suspend,
    Restore,
}

/// Executes the action and returns its result.
///
/// # Errors
/// When there is no account of that name, it is in that state already, or Portia is not running.
pub(super) async fn decide(account: &Account, action: AdminAction, config: &Source) -> anyhow::Result<String> {
    let note = note(account.note.as_deref())?;
    let mut auth = connect(&account.target, "auth", config).await?;
    let clock = Clock::system();
    let (ids, name) = (Ids::random(clock.clone()), account.username.as_str());
    let decided = match action {
        AdminAction::Suspend => auth::admin::suspend(&mut auth, name, note.as_ref(), &ids, &clock).await,
        AdminAction::Restore => auth::admin::restore(&mut auth, name, note.as_ref(), &ids, &clock).await,
    };
    auth.close().await?;
    match decided {
        Ok(decided) => Ok(render(&decided, action)),
        Err(Error::AccountNotFound) => anyhow::bail!("There is no account named '{}'.", name.escape_debug()),
        Err(Error::StateUnchanged) => {
            let state = if action == AdminAction::Suspend { "suspended already" } else { "not suspended" };
            anyhow::bail!("The account '{}' is {state}.", name.escape_debug())
        }
        Err(error) => Err(error).context("This could not be decided"),
    }
}

fn render(decided: &SuspensionChange, action: AdminAction) -> String {
    let SuspensionChange { username, is_closed, ended } = decided;
    let mut text = match (action, ended) {
        (AdminAction::Suspend, 1) => format!("{username} is suspended, and hidden. 1 session ended."),
        (AdminAction::Suspend, _) => format!("{username} is suspended, and hidden. {ended} sessions ended."),
        (AdminAction::Restore, _) => format!("{username} is restored."),
    };
    if *is_closed {
        text.push_str(" Its owner closed the account: it stays closed, and is erased in time unless they come back.");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_mentions_that_a_closed_account_stays_closed() {
        let decided = SuspensionChange { username: "Mallory".to_owned(), is_closed: false, ended: 1 };
        assert_eq!(render(&decided, AdminAction::Suspend), "Mallory is suspended, and hidden. 1 session ended.");
        assert_eq!(render(&decided, AdminAction::Restore), "Mallory is restored.");
        let closed = SuspensionChange { is_closed: true, ended: 0, ..decided };
        assert!(render(&closed, AdminAction::Restore).contains("it stays closed"));
    }
}
