//! What the people who run Portia do to accounts, from the machine it runs on: `portia admin ..` calls these.

use chassis::{clock::Clock, ids::Ids};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::{accounts, convert::Username, error::Error, links, token::Token};

/// A link with which a member sets a new password, told this once.
#[derive(Debug)]
pub struct ResetLink {
    /// The account's name, as its owner typed it.
    pub username: String,
    /// The link's secret.
    pub token: Token,
    /// When it is good no more.
    pub ends_at: DateTime<Utc>,
}

/// Makes a one-time link for an account; earlier ones are good no more. The caller makes sure that who asks for it is
/// the account's owner: the database cannot.
///
/// # Errors
/// [`Error::AccountNotFound`] when there is no account of that name.
pub async fn reset_link(conn: &mut PgConnection, username: &str, ids: &Ids, clock: &Clock) -> Result<ResetLink, Error> {
    let (now, token) = (clock.now(), Token::draw()?);
    let username = Username::parse(username).map_err(|_| Error::AccountNotFound)?;
    let account = accounts::named(&mut *conn, &username, now).await?.ok_or(Error::AccountNotFound)?;
    if !links::keep(conn, account.id, &token, ids.owned_by(account.id), now).await? {
        return Err(Error::AccountNotFound);
    }
    Ok(ResetLink { username: account.username, token, ends_at: now + links::LIFETIME })
}
