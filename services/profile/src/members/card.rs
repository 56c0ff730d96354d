//! Updates of the card: name, headline, location, links, school, interests and picture.

use bytes::Bytes;
use outbox::UnitOfWork;
use picture_store::Name;
use primitives::{
    error::Violation,
    input::{InvalidRequest, Line, Link},
};
use uuid::Uuid;

use crate::{error::Error, pictures, publishing, search, verifications};

/// A change of one field: `None` leaves it unchanged, `Some(None)` clears it.
pub type Change<T> = Option<Option<T>>;

/// Valid changes of the fields.
#[derive(Debug, Default)]
pub struct CardChanges {
    /// It cannot be cleared.
    pub full_name: Option<Line<100>>,
    pub headline: Change<Line<200>>,
    pub location: Change<Line<100>>,
    pub website: Change<Link>,
    pub linkedin: Change<Link>,
    pub school: Change<Line<200>>,
    pub graduation_year: Change<Line<10>>,
    pub jurisdictions: Option<Vec<String>>,
    pub interests: Option<Vec<String>>,
}

/// The change of the picture in the request.
#[derive(Debug, Default)]
pub enum PictureChange {
    #[default]
    Unchanged,
    /// Unchanged, if the current picture has this address.
    Same(String),
    Cleared,
    File(Bytes),
}

/// A valid update.
#[derive(Debug)]
pub struct MemberUpdate {
    pub changes: CardChanges,
    pub picture: PictureChange,
}

/// The change of the picture after an uploaded file was stored.
#[derive(Debug)]
pub enum StoredPicture {
    Unchanged,
    /// Unchanged, if the current picture has this address.
    Same(String),
    Cleared,
    Object(Name),
}

/// Updates the card. Locks the row first, so that the second of two concurrent updates releases the picture of the
/// first. Ends a verification that no longer fits the name or the school.
///
/// # Errors
/// [`Error::MemberNotFound`]; a violation when [`StoredPicture::Same`] is not the current picture.
pub async fn update(
    work: &mut UnitOfWork<'_>,
    id: Uuid,
    changes: CardChanges,
    picture: StoredPicture,
) -> Result<(), Error> {
    let current = sqlx::query!(
        r#"select avatar_url, full_name, verified_at is not null as "is_verified!"
        from profile.members
        where id = $1
            and not hidden
        for no key update"#,
        id,
    )
    .fetch_optional(&mut *work.db)
    .await?
    .ok_or(Error::MemberNotFound)?;
    let avatar_url = replace_picture(work, id, current.avatar_url, picture).await?;
    let CardChanges {
        full_name,
        headline,
        location,
        website,
        linkedin,
        school,
        graduation_year,
        jurisdictions,
        interests,
    } = changes;
    sqlx::query!(
        "update profile.members
        set full_name = coalesce($2, full_name),
            headline = case when $3 then $4 else headline end,
            location = case when $5 then $6 else location end,
            website = case when $7 then $8 else website end,
            linkedin = case when $9 then $10 else linkedin end,
            school = case when $11 then $12 else school end,
            graduation_year = case when $13 then $14 else graduation_year end,
            avatar_url = $15,
            jurisdictions = coalesce($16, jurisdictions),
            interests = coalesce($17, interests)
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
        avatar_url,
        jurisdictions.as_deref(),
        interests.as_deref(),
    )
    .execute(&mut *work.db)
    .await?;
    if current.is_verified {
        verifications::end_if_changed(work, id, &current.full_name).await?;
    }
    search::index(work.db, id).await?;
    publishing::publish_member_changed(work, id).await
}

/// Releases the replaced picture and returns the new address.
async fn replace_picture(
    work: &mut UnitOfWork<'_>,
    id: Uuid,
    current: Option<String>,
    picture: StoredPicture,
) -> Result<Option<String>, Error> {
    let new = match picture {
        StoredPicture::Unchanged => return Ok(current),
        StoredPicture::Same(address) if current.as_ref() == Some(&address) => return Ok(current),
        StoredPicture::Same(_) => {
            return Err(InvalidRequest::from(Violation::new("avatarUrl", "This is not your present picture.")).into());
        }
        StoredPicture::Cleared => None,
        StoredPicture::Object(name) => Some(name),
    };
    let old = current.as_deref().and_then(Name::from_address);
    if new == old {
        return Ok(current);
    }
    if let Some(new) = &new {
        pictures::acquire(work.db, new, id).await?;
    }
    if let Some(old) = &old {
        pictures::release(work.db, old, work.now).await?;
    }
    Ok(new.map(|name| name.address()))
}
