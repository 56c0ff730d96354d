//! Pages of the replies to a comment.

use primitives::input::{Page, PageSize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Comment, Row};
use crate::{
    cursors::RepliesCursor,
    error::Error,
    reactions::ReactionKind,
    sql::{Mapper, Statement},
    visibility::visible_comment_query,
};

/// Returns a page of the replies to a comment, oldest first.
pub async fn list(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    comment_id: Uuid,
    size: PageSize,
    after: RepliesCursor,
) -> Result<Page<Comment>, Error> {
    let rows = oldest(viewer, comment_id, size.to_fetch(), after).fetch_all(db).await?;
    if rows.is_empty() {
        return Err(Error::CommentNotFound);
    }
    let replies = rows.into_iter().filter_map(|row| row.into_comment(viewer));
    let cursor = |reply: &Comment| RepliesCursor { at: reply.created_at.into(), id: reply.id };
    Ok(Page::cut(replies.collect(), size, cursor))
}

/// Selects the oldest replies after `after`, except replies of blocked and deactivated members. A comment without
/// replies gives one row of nulls; a comment that the viewer may not see gives none.
///
/// `limit 101`: as in versions.rs of the timeline.
pub fn oldest(viewer: Option<Uuid>, comment_id: Uuid, fetch: i64, after: RepliesCursor) -> Statement<impl Mapper<Row>> {
    visible_comment_query!(
        Row,
        r#"
        select
            r.id as "id?",
            r.post_id as "post_id?",
            r.author_id as "author_id?",
            r.content as "content?",
            r.created_at as "created_at?",
            r.edited_at as "edited_at?",
            r.reply_to as "reply_to?",
            r.reply_count as "reply_count?",
            r.like_count as "like_count?",
            case
                when r.like_count > 0
                then (select m.kind from feed.comment_reactions m where m.comment_id = r.id and m.member_id = $1)
            end as "my_kind?: ReactionKind"
        from feed.comments c
        join feed.posts p on p.id = c.post_id
        left join lateral (
            select *
            from (
                select *
                from feed.comments
                where reply_to = c.id
                    and (created_at, id) > ($3, $4)
                    and author_id not in (
                        select blocked_id
                        from feed.blocks
                        where blocker_id = $1
                        union all
                        select blocker_id
                        from feed.blocks
                        where blocked_id = $1
                    )
                    and not exists (select from feed.hidden_members h where h.member_id = comments.author_id)
                order by created_at, id
                limit 101
            ) as first
            order by created_at, id
            limit $5
        ) as r on true
        where c.id = $2
            and
        "#,
        r#"
        order by r.created_at, r.id
        "#,
        viewer,
        comment_id,
        *after.at,
        after.id,
        fetch
    )
}
