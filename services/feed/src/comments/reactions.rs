//! Reactions to comments: set, remove, list. As on posts, a member has at most one.

use outbox::UnitOfWork;
use primitives::input::{Page, PageSize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    cursors::CommentReactionsCursor,
    error::Error,
    publishing::{self, CommentReactionRef},
    reactions::{
        Reaction, ReactionKind,
        list::{self, Row},
    },
    sql::{Mapper, Statement},
    visibility::visible_comment_query,
};

struct ReactionOutcome {
    post_id: Uuid,
    /// The author of the comment.
    author_id: Uuid,
    /// The community of the post.
    community_id: Option<Uuid>,
    /// The reactions to the comment now.
    like_count: i64,
    /// Whether a row was inserted, updated or deleted.
    changed: bool,
}

impl ReactionOutcome {
    const fn comment(&self, id: Uuid) -> CommentReactionRef {
        CommentReactionRef { post: self.post_id, comment: id, author: self.author_id }
    }
}

/// Sets the member's reaction. Returns the number of reactions to the comment.
///
/// Runs one statement, which locks the post, the comment and the reaction in this order, like every writer: otherwise
/// two writers could deadlock. The second of two concurrent requests finds the row of the first and does not count it
/// again. Also writes the row of the post, because a list shows the newest comments (timeline/versions.rs).
pub async fn set(work: &mut UnitOfWork<'_>, comment_id: Uuid, reaction: Reaction) -> Result<i64, Error> {
    let outcome = visible_comment_query!(
        ReactionOutcome,
        r#"
        with locked as (
            select c.id, p.community_id
            from feed.comments c
            join feed.posts p on p.id = c.post_id
            where c.id = $2
                and
        "#,
        r#"
            for no key update of p, c
        ),
        changed as (
            insert into feed.comment_reactions as r (comment_id, member_id, kind, created_at)
            select id, $1, $3, $4
            from locked
            on conflict (comment_id, member_id) do update
            set kind = excluded.kind, changes = r.changes + 1
            where r.kind <> excluded.kind
            returning r.changes
        ),
        counted as (
            update feed.comments c
            set like_count = c.like_count + (select count(*) from changed where changes = 0)
            from locked
            where c.id = locked.id
            returning c.post_id, c.author_id, locked.community_id, c.like_count, c.reply_to
        ),
        shown as (
            update feed.posts p
            set has_comment_reactions = true
            from counted
            where p.id = counted.post_id
                and counted.reply_to is null
                and exists (select from changed)
        )
        select post_id, author_id, community_id, like_count, exists (select from changed) as "changed!"
        from counted
        "#,
        reaction.member_id,
        comment_id,
        reaction.kind.name(),
        work.now
    )
    .fetch_optional(&mut *work.db)
    .await?;
    let outcome = outcome.ok_or(Error::CommentNotFound)?;
    if outcome.changed {
        let comment = outcome.comment(comment_id);
        publishing::publish_comment_reacted(work, &comment, outcome.community_id, reaction).await?;
    }
    Ok(outcome.like_count)
}

/// Removes the member's reaction, if there is one, with one statement like [`set`].
pub async fn remove(work: &mut UnitOfWork<'_>, comment_id: Uuid, member_id: Uuid) -> Result<i64, Error> {
    let outcome = visible_comment_query!(
        ReactionOutcome,
        r#"
        with locked as (
            select c.id, p.community_id
            from feed.comments c
            join feed.posts p on p.id = c.post_id
            where c.id = $2
                and
        "#,
        r#"
            for no key update of p, c
        ),
        removed as (
            delete from feed.comment_reactions r
            using locked
            where r.comment_id = locked.id
                and r.member_id = $1
            returning r.member_id
        ),
        counted as (
            update feed.comments c
            set like_count = c.like_count - (select count(*) from removed)
            from locked
            where c.id = locked.id
            returning c.post_id, c.author_id, locked.community_id, c.like_count, c.reply_to
        ),
        shown as (
            update feed.posts p
            set has_comment_reactions = p.has_comment_reactions
            from counted
            where p.id = counted.post_id
                and counted.reply_to is null
                and exists (select from removed)
        )
        select post_id, author_id, community_id, like_count, exists (select from removed) as "changed!"
        from counted
        "#,
        member_id,
        comment_id
    )
    .fetch_optional(&mut *work.db)
    .await?;
    let outcome = outcome.ok_or(Error::CommentNotFound)?;
    if outcome.changed {
        publishing::publish_comment_reaction_removed(work, &outcome.comment(comment_id), member_id).await?;
    }
    Ok(outcome.like_count)
}

/// Returns a page of the reactions to a comment, newest first.
pub async fn list(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    comment_id: Uuid,
    size: PageSize,
    after: CommentReactionsCursor,
) -> Result<Page<Reaction>, Error> {
    let rows = newest(viewer, comment_id, size.to_fetch(), after).fetch_all(db).await?;
    let page = list::cut(rows, size, |at, id| CommentReactionsCursor { at: at.into(), id });
    page.ok_or(Error::CommentNotFound)
}

/// Selects the newest reactions before `after`, except reactions of blocked and deactivated members.
pub fn newest(
    viewer: Option<Uuid>,
    comment_id: Uuid,
    fetch: i64,
    after: CommentReactionsCursor,
) -> Statement<impl Mapper<Row>> {
    visible_comment_query!(
        Row,
        r#"
        select r.member_id as "member_id?", r.kind as "kind?: ReactionKind", r.created_at as "created_at?"
        from feed.comments c
        join feed.posts p on p.id = c.post_id
        left join lateral (
            select member_id, kind, created_at
            from feed.comment_reactions
            where comment_id = c.id
                and (created_at, member_id) < ($3, $4)
                and member_id not in (
                    select blocked_id
                    from feed.blocks
                    where blocker_id = $1
                    union all
                    select blocker_id
                    from feed.blocks
                    where blocked_id = $1
                )
                and not exists (select from feed.hidden_members h where h.member_id = comment_reactions.member_id)
            order by created_at desc, member_id desc
            limit $5
        ) as r on true
        where c.id = $2
            and
        "#,
        r#"
        order by r.created_at desc, r.member_id desc
        "#,
        viewer,
        comment_id,
        *after.at,
        after.id,
        fetch
    )
}
