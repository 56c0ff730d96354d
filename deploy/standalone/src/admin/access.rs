//! Ends the sessions of an account, and removes a lost authenticator app or the passkeys.

use anyhow::Context as _;
use auth::error::Error;
use chassis::config::Source;
use primitives::{clock::Clock, ids::Ids};
use sqlx::Connection as _;

use super::{connect, note, suspension::Account};

/// Ends every session and returns the result.
///
/// # Errors
/// When there is no account of that name, or Portia is not running.
pub(super) async fn revoke_sessions(account: &Account, config: &Source) -> anyhow::Result<String> {
    let Account { username, note: remark, target } = account;
    let (remark, mut auth) = (note(remark.as_deref())?, connect(target, "auth", config).await?);
    let clock = Clock::system();
    let ids = Ids::random(clock.clone());
    let revoked = auth::admin::revoke_sessions(&mut auth, username, remark.as_ref(), &ids, &clock).await;
    auth.close().await?;
    match revoked {
        Ok((username, 1)) => Ok(format!("{username}: 1 session ended, and no browser is trusted.")),
        Ok((username, ended)) => Ok(format!("{username}: {ended} sessions ended, and no browser is trusted.")),
        Err(Error::AccountNotFound) => Err(unknown(username)),
        Err(error) => Err(error).context("The sessions could not be ended"),
    }
}

/// Removes the app and returns the result.
///
/// # Errors
/// When there is no account of that name, it has no app, or Portia is not running.
pub(super) async fn remove_totp(account: &Account, config: &Source) -> anyhow::Result<String> {
    let Account { username, note: remark, target } = account;
    let (remark, mut auth) = (note(remark.as_deref())?, connect(target, "auth", config).await?);
    let clock = Clock::system();
    let ids = Ids::random(clock.clone());
    let removed = auth::admin::remove_totp(&mut auth, username, remark.as_ref(), &ids, &clock).await;
    auth.close().await?;
    match removed {
        Ok(username) => Ok(format!("{username} signs in with the password only, and is told so.")),
        Err(Error::AccountNotFound) => Err(unknown(username)),
        Err(Error::StateUnchanged) => {
            anyhow::bail!("The account '{}' has no authenticator app.", username.escape_debug())
        }
        Err(error) => Err(error).context("The authenticator app could not be removed"),
    }
}

/// Removes every passkey and returns the result.
///
/// # Errors
/// When there is no account of that name, it has no passkey, or Portia is not running.
pub(super) async fn remove_passkeys(account: &Account, config: &Source) -> anyhow::Result<String> {
    let Account { username, note: remark, target } = account;
    let (remark, mut auth) = (note(remark.as_deref())?, connect(target, "auth", config).await?);
    let clock = Clock::system();
    let ids = Ids::random(clock.clone());
    let removed = auth::admin::remove_passkeys(&mut auth, username, remark.as_ref(), &ids, &clock).await;
    auth.close().await?;
    match removed {
        Ok((username, 1)) => Ok(format!("{username}: 1 passkey removed. The member is told.")),
        Ok((username, removed)) => Ok(format!("{username}: {removed} passkeys removed. The member is told.")),
        Err(Error::AccountNotFound) => Err(unknown(username)),
        Err(Error::StateUnchanged) => anyhow::bail!("The account '{}' has no passkeys.", username.escape_debug()),
        Err(error) => Err(error).context("The passkeys could not be removed"),
    }
}

fn unknown(username: &str) -> anyhow::Error {
    anyhow::anyhow!("There is no account named '{}'.", username.escape_debug())
}
