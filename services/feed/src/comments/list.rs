//! Pages of the top-level comments on a post.

use std::collections::HashMap;

use primitives::input::{Page, PageSize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    Comment, Row,
    pages::{CommentPages, FirstPage},
};
use crate::{
    cursors::CommentsCursor,
    error::Error,
    reactions::ReactionKind,
    sql::{Mapper, Statement},
    visibility::visible_post_query,
};

/// A page of the top-level comments on a post. Pages run from newest to oldest, the comments in a page from oldest to
/// newest.
pub enum CommentList {
    /// As the viewer is shown it.
    Complete(Page<Comment>),
    /// For a caller that keeps first pages.
    Shared {
        version: Vec<u8>,
        /// As a visitor is shown it; `None` for a caller that knows the version.
        page: Option<Page<Comment>>,
        /// The viewer's reactions.
        kinds: HashMap<Uuid, ReactionKind>,
    },
}

/// Returns a page of the comments on a post. The first page is mostly in memory (pages.rs). `known` is the version that
/// the caller knows: empty without one, `None` for a caller that keeps no pages.
pub async fn list(
    db: &mut PgConnection,
    pages: &CommentPages,
    viewer: Option<Uuid>,
    (post_id, after): (Uuid, CommentsCursor),
    size: PageSize,
    known: Option<&[u8]>,
) -> Result<CommentList, Error> {
    let first = if after == CommentsCursor::START {
        pages.first(&mut *db, viewer, post_id, size.to_fetch(), known).await?
    } else {
        FirstPage::Own
    };
    let comments = match first {
        FirstPage::Shared(shared) if known.is_some() => {
            let page = shared.page.map(|page| cut(page.comments.clone(), size));
            return Ok(CommentList::Shared { version: shared.version, page, kinds: shared.kinds });
        }
        FirstPage::Shared(shared) => shared.comments(viewer),
        FirstPage::Empty => Vec::new(),
        FirstPage::Own => read(db, viewer, post_id, size, after).await?,
        FirstPage::NotFound => return Err(Error::PostNotFound),
    };
    Ok(CommentList::Complete(cut(comments, size)))
}

fn cut(newest: Vec<Comment>, size: PageSize) -> Page<Comment> {
    let cursor = |comment: &Comment| CommentsCursor { at: comment.created_at.into(), id: comment.id };
    let mut page = Page::cut(newest, size, cursor);
    page.rows.reverse();
    page
}

async fn read(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    post_id: Uuid,
    size: PageSize,
    after: CommentsCursor,
) -> Result<Vec<Comment>, Error> {
    let rows = newest(viewer, post_id, size.to_fetch(), after).fetch_all(db).await?;
    if rows.is_empty() {
        return Err(Error::PostNotFound);
    }
    Ok(rows.into_iter().filter_map(|row| row.into_comment(viewer)).collect())
}

/// Selects the newest top-level comments before `after`, except comments of blocked and deactivated members. A post
/// without comments, or one in a community that its author left, gives one row of nulls; a post that the viewer may not
/// see gives none.
///
/// `limit 101`: as in versions.rs of the timeline.
pub fn newest(viewer: Option<Uuid>, post_id: Uuid, fetch: i64, after: CommentsCursor) -> Statement<impl Mapper<Row>> {
    visible_post_query!(
        Row,
        r#"
        select
            c.id as "id?",
            c.post_id as "post_id?",
            c.author_id as "author_id?",
            c.content as "content?",
            c.created_at as "created_at?",
            c.edited_at as "edited_at?",
            c.reply_to as "reply_to?",
            c.reply_count as "reply_count?",
            c.like_count as "like_count?",
            case
                when c.like_count > 0
                then (select r.kind from feed.comment_reactions r where r.comment_id = c.id and r.member_id = $1)
            end as "my_kind?: ReactionKind"
        from feed.posts p
        left join lateral (
            select *
            from (
                select *
                from feed.comments
                where post_id = p.id
                    and (
                        p.community_id is null
                        or exists (
                            select from feed.memberships m where m.member_id = $1 and m.community_id = p.community_id
                        )
                    )
                    and reply_to is null
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
                limit 101
            ) as most
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
