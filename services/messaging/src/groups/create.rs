//! Create a group.

use outbox::UnitOfWork;
use uuid::Uuid;

use super::{
    Title,
    invite::{self, Addition, Invited},
};
use crate::{
    conversations::{
        Folder,
        group::Group,
        lines::{self, NewLine, SystemKind},
    },
    error::Error,
};

/// A group to create.
pub struct NewGroup {
    pub title: Option<Title>,
    /// Other members, each once.
    pub members: Vec<Uuid>,
}

/// Creates a group with the id `id`, owned by the actor. `scale` multiplies the allowance of requests.
pub async fn create(work: &mut UnitOfWork<'_>, scale: u32, id: Uuid, actor: Uuid, new: &NewGroup) -> Result<(), Error> {
    insert(work, id, actor, new).await?.apply(work, scale, actor).await
}

/// Inserts a group with its members and its first line. [`create`] applies the effects; the demo publishes no facts.
pub async fn insert(work: &mut UnitOfWork<'_>, id: Uuid, actor: Uuid, new: &NewGroup) -> Result<Addition, Error> {
    let mut invited = invite::check(work.db, actor, &new.members).await?;
    let requests = invite::count_requests(&invited);
    invited.push(Invited { member: actor, folder: Folder::Inbox });
    sqlx::query!(
        "insert into messaging.conversations (id, opened_at, is_group, title, owner_id, member_count)
        values ($1, $2, true, $3, $4, $5)",
        id,
        work.now,
        new.title.as_deref(),
        actor,
        i32::try_from(invited.len()).unwrap_or(i32::MAX),
    )
    .execute(&mut *work.db)
    .await?;
    invite::insert(work.db, id, &invited, 0, work.now).await?;
    let line = NewLine::of(work, id, actor, SystemKind::Created, &[]);
    lines::insert(work.db, &line).await?;
    let unseen = Group { owner: Some(actor), others: Vec::new() };
    let changed = invited.into_iter().map(|invited| invited.member).collect();
    Ok(Addition { effects: lines::effects(&line, &unseen, changed), requests })
}
