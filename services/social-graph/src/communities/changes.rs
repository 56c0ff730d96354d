//! Creation and update of communities. Lock order: member, communities, totals.

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    CommunityText, Role,
    access::{Access, Joining, Visibility},
    refusal, search,
};
use crate::{
    error::Error,
    publishing::{self, admissions},
};

pub struct NewCommunity {
    pub text: CommunityText,
    pub access: Access,
}

pub struct UpdateCommunity {
    pub community: Uuid,
    pub text: CommunityText,
    pub access: Access,
}

/// Creates a community with `member` as its owner. The caller holds [`crate::members::lock`].
pub async fn create(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid, new: &NewCommunity) -> Result<(), Error> {
    let NewCommunity { text, access } = new;
    let (visibility, joining) = access.of_new();
    sqlx::query!(
        "with founded as (
            insert into social_graph.communities
                (id, name, name_key, description, rules, member_count, created_at, visibility, joining)
            select $1, $3, $4, $5, $6, case when hidden then 0 else 1 end, $7, $8, $9
            from social_graph.members
            where member_id = $2
            returning id
        )
        insert into social_graph.memberships (community_id, member_id, role, joined_at, hidden, is_private)
        select f.id, m.member_id, 'owner', $7, m.hidden, $8 = 'private'
        from founded f, social_graph.members m
        where m.member_id = $2",
        id,
        member,
        &*text.name,
        text.name_key,
        text.description.as_deref(),
        text.rules.as_deref(),
        work.now,
        visibility as Visibility,
        joining as Joining,
    )
    .execute(&mut *work.db)
    .await?;
    search::index(work.db, id).await?;
    adjust_count(work.db, listed(visibility)).await?;
    publishing::publish_community_changed(work, id, &text.name).await?;
    publishing::publish_community_joined(work, id, member, Role::Owner).await
}

/// Returns the number that a community adds to the stored number of public ones.
pub(crate) fn listed(visibility: Visibility) -> i64 {
    i64::from(visibility == Visibility::Public)
}

/// Changes the stored number of public communities.
pub async fn adjust_count(db: &mut PgConnection, by: i64) -> Result<(), Error> {
    if by != 0 {
        sqlx::query!("update social_graph.totals set communities = communities + $1 where id = 1", by)
            .execute(db)
            .await?;
    }
    Ok(())
}

/// Replaces the texts of a community, and changes its access. The requests to join end when members do not join on request any more.
pub async fn update(work: &mut UnitOfWork<'_>, member: Uuid, update: &UpdateCommunity) -> Result<(), Error> {
    let &UpdateCommunity { community: id, ref text, access } = update;
    lock(work.db, id).await?;
    let before = sqlx::query!(
        r#"select name, description, rules, visibility as "visibility: Visibility", joining as "joining: Joining"
        from social_graph.communities
        where id = $1"#,
        id,
    );
    let before = before.fetch_one(&mut *work.db).await?;
    let updated = sqlx::query!(
        r#"update social_graph.communities c
        set
            name = $3,
            name_key = $4,
            description = $5,
            rules = $6,
            visibility = coalesce($7, c.visibility),
            joining = coalesce(
                $8, case when coalesce($7, c.visibility) = 'private' then 'invitation' else c.joining end
            )
        where c.id = $1
            and exists (
                select
                from social_graph.memberships m
                where m.community_id = c.id
                    and m.member_id = $2
                    and m.role = 'owner'
            )
        returning c.visibility as "visibility: Visibility", c.joining as "joining: Joining""#,
        id,
        member,
        &*text.name,
        text.name_key,
        text.description.as_deref(),
        text.rules.as_deref(),
        access.visibility as Option<Visibility>,
        access.joining as Option<Joining>,
    );
    let Some(updated) = updated.fetch_optional(&mut *work.db).await? else {
        return Err(refusal(work.db, member, id, Error::NotOwner).await);
    };
    if updated.visibility != before.visibility {
        sqlx::query!(
            "update social_graph.memberships set is_private = $2 where community_id = $1",
            id,
            updated.visibility == Visibility::Private,
        )
        .execute(&mut *work.db)
        .await?;
    }
    let ended_requests = sqlx::query_scalar!(
        "delete from social_graph.community_requests r
        using social_graph.communities c
        where r.community_id = $1
            and c.id = r.community_id
            and c.joining <> 'request'
        returning r.member_id",
        id,
    );
    let ended_requests = ended_requests.fetch_all(&mut *work.db).await?;
    search::index(work.db, id).await?;
    adjust_count(work.db, listed(updated.visibility) - listed(before.visibility)).await?;
    let texts = (&*text.name, text.description.as_deref(), text.rules.as_deref());
    let changed = texts != (&*before.name, before.description.as_deref(), before.rules.as_deref())
        || (updated.visibility, updated.joining) != (before.visibility, before.joining);
    if listed(updated.visibility) < listed(before.visibility) {
        publishing::publish_community_hidden(work, id, &text.name).await?;
    } else if changed {
        publishing::publish_community_changed(work, id, &text.name).await?;
    }
    for requester in ended_requests {
        admissions::publish_join_request_removed(work, id, requester).await?;
    }
    Ok(())
}

/// Locks a community until the transaction ends, and returns its visibility.
pub(super) async fn lock(db: &mut PgConnection, id: Uuid) -> Result<Visibility, Error> {
    let visibility = sqlx::query_scalar!(
        r#"select visibility as "visibility: Visibility" from social_graph.communities where id = $1 for update"#,
        id,
    );
    visibility.fetch_optional(db).await?.ok_or(Error::CommunityNotFound)
}
