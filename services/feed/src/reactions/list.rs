//! Pages of the reactions on a post.

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, Page, PageSize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Reaction, ReactionKind};
use crate::{
    cursors::ReactionsCursor,
    error::Error,
    sql::{Mapper, Statement},
    visibility::visible_post_query,
};

/// Returns a page of the reactions on a post, newest first.
pub async fn list(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    post_id: Uuid,
    size: PageSize,
    after: ReactionsCursor,
) -> Result<Page<Reaction>, Error> {
    let rows = newest(viewer, post_id, size.to_fetch(), after).fetch_all(db).await?;
    cut(rows, size, |at, id| ReactionsCursor { at: at.into(), id }).ok_or(Error::PostNotFound)
}

/// Cuts the rows to a page, or returns `None` without a row. `cursor` makes the cursor after a reaction from its time
/// and member.
pub fn cut<C: Cursor>(
    rows: Vec<Row>,
    size: PageSize,
    cursor: impl Fn(DateTime<Utc>, Uuid) -> C,
) -> Option<Page<Reaction>> {
    if rows.is_empty() {
        return None;
    }
    let rows = rows
        .into_iter()
        .filter_map(|row| Some((Reaction { member_id: row.member_id?, kind: row.kind? }, row.created_at?)));
    let page = Page::cut(rows.collect(), size, |(reaction, at): &(Reaction, _)| cursor(*at, reaction.member_id));
    Some(Page {
        rows: page.rows.into_iter().map(|(reaction, _)| reaction).collect(),
        next_page_token: page.next_page_token,
    })
}

/// A row of a page. A post or comment without reactions gives one row of nulls; one that the viewer may not see gives none.
pub struct Row {
    pub member_id: Option<Uuid>,
    pub kind: Option<ReactionKind>,
    pub created_at: Option<DateTime<Utc>>,
}

/// Selects the newest reactions before `after`, except reactions of blocked and deactivated members. Selects none in a
/// community that the viewer left.
pub fn newest(viewer: Option<Uuid>, post_id: Uuid, fetch: i64, after: ReactionsCursor) -> Statement<impl Mapper<Row>> {
    visible_post_query!(
        Row,
        r#"
        select r.member_id as "member_id?", r.kind as "kind?: ReactionKind", r.created_at as "created_at?"
        from feed.posts p
        left join lateral (
            select member_id, kind, created_at
            from feed.reactions
            where post_id = p.id
                and (
                    p.community_id is null
                    or exists (
                        select from feed.memberships m where m.member_id = $1 and m.community_id = p.community_id
                    )
                )
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
                and not exists (select from feed.hidden_members h where h.member_id = reactions.member_id)
            order by created_at desc, member_id desc
            limit $5
        ) as r on true
        where p.id = $2
            and
        "#,
        r#"
        order by r.created_at desc, r.member_id desc
        "#,
        viewer,
        post_id,
        *after.at,
        after.id,
        fetch
    )
}
