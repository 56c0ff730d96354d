//! The activity of a member: posts, comments and reactions in one list, newest first.

use chrono::{DateTime, Utc};
use primitives::input::{Page, PageSize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    comments::{Comment, own_reaction},
    cursors::ActivityCursor,
    error::Error,
    reactions::ReactionKind,
    sql::{Mapper, Statement},
};

/// The kind of an activity.
pub enum ActivityKind {
    Posted,
    Commented(Comment),
    Reacted(ReactionKind),
}

pub struct Activity {
    pub at: DateTime<Utc>,
    /// The member's post, or the post with the comment or reaction.
    pub post_id: Uuid,
    pub post_author_id: Uuid,
    /// The first 300 characters of the post.
    pub post_excerpt: String,
    pub kind: ActivityKind,
}

/// Lists the activity of a member on posts that the viewer may see. The page is empty for an unknown or deactivated
/// member, after a block between the two, and when the member's privacy settings exclude the viewer.
pub async fn list(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    member_id: Uuid,
    size: PageSize,
    after: ActivityCursor,
) -> Result<Page<Activity>, Error> {
    let rows = newest(viewer, member_id, size.to_fetch(), after).fetch_all(db).await?;
    let page = Page::cut(rows, size, |row| ActivityCursor { at: row.at.into(), id: row.id, part: row.part });
    Ok(Page {
        rows: page.rows.into_iter().map(|row| row.into_activity(viewer, member_id)).collect(),
        next_page_token: page.next_page_token,
    })
}

/// A row of a page: a post, a comment (with text) or a reaction (with kind).
pub struct Row {
    at: DateTime<Utc>,
    id: Uuid,
    part: i32,
    post_id: Uuid,
    post_author_id: Uuid,
    post_excerpt: String,
    content: Option<String>,
    kind: Option<ReactionKind>,
    edited_at: Option<DateTime<Utc>>,
    reply_to: Option<Uuid>,
    reply_count: i64,
    like_count: i64,
    /// The viewer's reaction to the comment.
    my_kind: Option<ReactionKind>,
}

impl Row {
    fn into_activity(self, viewer: Option<Uuid>, member_id: Uuid) -> Activity {
        let kind = match (self.content, self.kind) {
            (Some(content), _) => ActivityKind::Commented(Comment {
                id: self.id,
                post_id: self.post_id,
                author_id: member_id,
                content,
                created_at: self.at,
                edited_at: self.edited_at,
                reply_to: self.reply_to,
                reply_count: self.reply_count,
                like_count: self.like_count,
                reaction: own_reaction(viewer, self.my_kind),
            }),
            (None, Some(kind)) => ActivityKind::Reacted(kind),
            (None, None) => ActivityKind::Posted,
        };
        Activity {
            at: self.at,
            post_id: self.post_id,
            post_author_id: self.post_author_id,
            post_excerpt: self.post_excerpt,
            kind,
        }
    }
}

/// Selects the newest rows before `after`. Each part is an index scan that ends at the limit; posts in communities are
/// read as in home.rs. The scan skips invisible comments (visibility.rs) one by one. A reaction has the id of its post;
/// `part` distinguishes the two. For `limit 101` see versions.rs.
pub fn newest(viewer: Option<Uuid>, member_id: Uuid, fetch: i64, after: ActivityCursor) -> Statement<impl Mapper<Row>> {
    sqlx::query_as!(
        Row,
        r#"
        with blocked as materialized (
            select blocked_id as member_id
            from feed.blocks
            where blocker_id = $1
            union all
            select blocker_id
            from feed.blocks
            where blocked_id = $1
        ),
        communities as materialized (
            select community_id
            from feed.memberships
            where member_id = $1
        )
        select
            a.at as "at!",
            a.id as "id!",
            a.part as "part!",
            a.post_id as "post_id!",
            a.post_author_id as "post_author_id!",
            a.post_excerpt as "post_excerpt!",
            a.content as "content?",
            a.kind as "kind?: ReactionKind",
            a.edited_at as "edited_at?",
            a.reply_to as "reply_to?",
            a.reply_count as "reply_count!",
            a.like_count as "like_count!",
            case
                when a.like_count > 0
                then (select r.kind from feed.comment_reactions r where r.comment_id = a.id and r.member_id = $1)
            end as "my_kind?: ReactionKind"
        from (
            (
                select *
                from (
                    select
                        p.created_at as at,
                        p.id,
                        3 as part,
                        p.id as post_id,
                        p.author_id as post_author_id,
                        left(coalesce(p.excerpt, p.content), 300) as post_excerpt,
                        null::text as content,
                        null::text as kind,
                        null::timestamptz as edited_at,
                        null::uuid as reply_to,
                        0::bigint as reply_count,
                        0::bigint as like_count
                    from feed.posts p
                    where p.author_id = $2
                        and p.community_id is null
                        and (p.created_at, p.id, 3) < ($4, $5, $6)
                    order by p.created_at desc, p.id desc
                    limit 101
                ) as posted
                limit $3
            )
            union all
            select posted.*
            from (
                select community_id
                from communities
                where $1 is distinct from $2
                order by community_id
                limit 100
            ) as shared
            cross join lateral (
                select *
                from (
                    select
                        p.created_at, p.id, 3, p.id, p.author_id, left(coalesce(p.excerpt, p.content), 300), null, null,
                        null::timestamptz, null::uuid, 0, 0
                    from feed.posts p
                    where p.author_id = $2
                        and p.community_id = shared.community_id
                        and (p.created_at, p.id, 3) < ($4, $5, $6)
                    order by p.created_at desc, p.id desc
                    limit 101
                ) as most
                limit $3
            ) as posted
            union all
            (
                select *
                from (
                    select
                        p.created_at, p.id, 3, p.id, p.author_id, left(coalesce(p.excerpt, p.content), 300), null, null,
                        null::timestamptz, null::uuid, 0, 0
                    from feed.posts p
                    where p.author_id = $2
                        and p.author_id = $1
                        and p.community_id is not null
                        and (p.created_at, p.id, 3) < ($4, $5, $6)
                    order by p.created_at desc, p.id desc
                    limit 101
                ) as posted
                limit $3
            )
            union all
            (
                select *
                from (
                    select
                        c.created_at, c.id, 2, p.id, p.author_id, left(coalesce(p.excerpt, p.content), 300), c.content,
                        null, c.edited_at, c.reply_to, c.reply_count, c.like_count
                    from feed.comments c
                    join feed.posts p on p.id = c.post_id
                    where c.author_id = $2
                        and (c.created_at, c.id, 2) < ($4, $5, $6)
                        and (
                            p.community_id is null
                            or p.community_id in (select community_id from communities)
                        )
                        and p.author_id not in (select member_id from blocked)
                        and not exists (select from feed.hidden_members h where h.member_id = p.author_id)
                        and not exists (
                            select
                            from feed.comments t
                            where t.id = c.reply_to
                                and (
                                    t.author_id in (select member_id from blocked)
                                    or exists (select from feed.hidden_members h where h.member_id = t.author_id)
                                )
                        )
                    order by c.created_at desc, c.id desc
                    limit 101
                ) as commented
                limit $3
            )
            union all
            (
                select *
                from (
                    select
                        r.created_at, r.post_id, 1, p.id, p.author_id, left(coalesce(p.excerpt, p.content), 300), null,
                        r.kind, null::timestamptz, null::uuid, 0, 0
                    from feed.reactions r
                    join feed.posts p on p.id = r.post_id
                    where r.member_id = $2
                        and (r.created_at, r.post_id, 1) < ($4, $5, $6)
                        and (
                            p.community_id is null
                            or p.community_id in (select community_id from communities)
                        )
                        and p.author_id not in (select member_id from blocked)
                        and not exists (select from feed.hidden_members h where h.member_id = p.author_id)
                    order by r.created_at desc, r.post_id desc
                    limit 101
                ) as reacted
                limit $3
            )
        ) as a
        where $2 not in (select member_id from blocked)
            and not exists (select from feed.hidden_members where member_id = $2)
            and not exists (
                select
                from feed.privacy_settings s
                where s.member_id = $2
                    and $1::uuid is distinct from $2
                    and (
                        not s.activity_shown
                        or (s.profile_audience = 'members' and $1 is null)
                        or (
                            s.profile_audience = 'connections'
                            and not exists (
                                select
                                from feed.connections c
                                where c.member_id = $2
                                    and c.other_id = $1
                            )
                        )
                    )
            )
        order by a.at desc, a.id desc, a.part desc
        limit $3
        "#,
        viewer,
        member_id,
        fetch,
        *after.at,
        after.id,
        after.part
    )
}
