//! What lists and headers show of a member, as the member changes it.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use picture_store::Name;
use primitives::{
    error::Violation,
    input::{InvalidRequest, Line, Link},
};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, pictures, search};

/// What becomes of one field: `None` leaves it as it is, `Some(None)` clears it.
pub type Change<T> = Option<Option<T>>;

/// What a member changes, acceptable in every part.
#[derive(Debug, Default)]
pub struct Changes {
    /// As shown; it cannot be cleared.
    pub full_name: Option<Line<100>>,
    /// What they are.
    pub headline: Change<Line<200>>,
    /// Where they are.
    pub location: Change<Line<100>>,
    /// http(s).
    pub website: Change<Link>,
    /// http(s).
    pub linkedin: Change<Link>,
    /// Where they study or studied.
    pub school: Change<Line<200>>,
    /// When they finish.
    pub graduation_year: Change<Line<10>>,
}

/// What becomes of the picture, as asked for.
#[derive(Debug, Default)]
pub enum NewPicture {
    /// It stays.
    #[default]
    Kept,
    /// It stays, being the one at this address.
    Same(String),
    /// It goes.
    Cleared,
    /// This file takes its place.
    File(Bytes),
}

/// The same, once a file has become an object in the store.
#[derive(Debug)]
pub enum Shown {
    /// It stays.
    Kept,
    /// It stays, being the one at this address.
    Same(String),
    /// It goes.
    Cleared,
    /// This one takes its place.
    Object(Name),
}

/// Changes the member's card. The row is locked first: of two changes at once, the second gives up the picture which the
/// first took into use.
///
/// # Errors
/// [`Error::MemberNotFound`]; a violation when the picture to be kept is not the present one.
pub async fn change(
    conn: &mut PgConnection,
    id: Uuid,
    changes: Changes,
    shown: Shown,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let former = sqlx::query_scalar!(
        "select avatar_url
        from profile.members
        where id = $1
            and not hidden
        for no key update",
        id,
    )
    .fetch_optional(&mut *conn)
    .await?
    .ok_or(Error::MemberNotFound)?;
    let picture = picture(conn, id, former, shown, now).await?;
    let Changes { full_name, headline, location, website, linkedin, school, graduation_year } = changes;
    sqlx::query!(
        "update profile.members
        set full_name = coalesce($2, full_name),
            headline = case when $3 then $4 else headline end,
            location = case when $5 then $6 else location end,
            website = case when $7 then $8 else website end,
            linkedin = case when $9 then $10 else linkedin end,
            school = case when $11 then $12 else school end,
            graduation_year = case when $13 then $14 else graduation_year end,
            avatar_url = $15
        where id = $1",
        id,
        full_name.map(Line::into_string),
        headline.is_some(),
        headline.flatten().map(Line::into_string),
        location.is_some(),
        location.flatten().map(Line::into_string),
        website.is_some(),
        website.flatten().map(Link::into_string),
        linkedin.is_some(),
        linkedin.flatten().map(Link::into_string),
        school.is_some(),
        school.flatten().map(Line::into_string),
        graduation_year.is_some(),
        graduation_year.flatten().map(Line::into_string),
        picture,
    )
    .execute(&mut *conn)
    .await?;
    search::index(conn, id).await
}

/// The picture's address from now on; what it replaces is given up.
async fn picture(
    conn: &mut PgConnection,
    id: Uuid,
    former: Option<String>,
    shown: Shown,
    now: DateTime<Utc>,
) -> Result<Option<String>, Error> {
    let new = match shown {
        Shown::Kept => return Ok(former),
        Shown::Same(address) if former.as_ref() == Some(&address) => return Ok(former),
        Shown::Same(_) => {
            return Err(InvalidRequest::from(Violation::new("avatarUrl", "This is not your present picture.")).into());
        }
        Shown::Cleared => None,
        Shown::Object(name) => Some(name),
    };
    let old = former.as_deref().and_then(Name::from_address);
    if new == old {
        return Ok(former);
    }
    if let Some(new) = &new {
        pictures::take(conn, new, id).await?;
    }
    if let Some(old) = &old {
        pictures::release(conn, old, now).await?;
    }
    Ok(new.map(|name| name.address()))
}
