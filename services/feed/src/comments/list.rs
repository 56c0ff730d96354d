//! Pages of the comments on a post.

use chrono::{DateTime, Utc};
use primitives::input::{Page, PageSize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::Comment;
use crate::{
    error::Error,
    sql::{Mapper, Statement},
    timeline::cursors::CommentsCursor,
    visibility::visible_post_query,
};

/// A page of the comments on a post: the newest page first, in a page the oldest comment first.
pub async fn list(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    post_id: Uuid,
    size: PageSize,
    after: CommentsCursor,
) -> Result<Page<Comment>, Error> {
    let rows = newest(viewer, post_id, size.to_fetch(), after).fetch_all(db).await?;
    if rows.is_empty() {
        return Err(Error::PostNotFound);
    }
    let comments = rows.into_iter().filter_map(|row| {
        let (id, author_id, content, created_at) = (row.id?, row.author_id?, row.content?, row.created_at?);
        Some(Comment { id, post_id, author_id, content, created_at, edited_at: row.edited_at })
    });
    let cursor = |comment: &Comment| CommentsCursor { at: comment.created_at.into(), id: comment.id };
    let mut page = Page::cut(comments.collect(), size, cursor);
    page.rows.reverse();
    Ok(page)
}

/// A row of a page. A post without comments gives one row of nulls; a post that the viewer may not see gives none.
pub struct Row {
    id: Option<Uuid>,
    author_id: Option<Uuid>,
    content: Option<String>,
    created_at: Option<DateTime<Utc>>,
    edited_at: Option<DateTime<Utc>>,
}

/// The newest comments before `after`, without those of blocked and deactivated members.
pub fn newest(viewer: Option<Uuid>, post_id: Uuid, fetch: i64, after: CommentsCursor) -> Statement<impl Mapper<Row>> {
    visible_post_query!(
        Row,
        r#"
        select
            c.id as "id?",
            c.author_id as "author_id?",
            c.content as "content?",
            c.created_at as "created_at?",
            c.edited_at as "edited_at?"
        from feed.posts p
        left join lateral (
            select id, author_id, content, created_at, edited_at
            from feed.comments
            where post_id = p.id
                and (created_at, id) < ($3, $4)
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
            order by created_at desc, id desc
            limit $5
        ) as c on true
        where p.id = $2
            and
        "#,
        r#"
        order by c.created_at desc, c.id desc
        "#,
        viewer,
        post_id,
        *after.at,
        after.id,
        fetch
    )
}
