//! The first pages of the comments on posts, kept in memory for one version: as a visitor is shown them. A page for a viewer is such a
//! page with the viewer's reactions.
//!
//! The version is that of the post (timeline/versions.rs), because each change of a top-level comment, its counters included, writes the
//! row of its post. So replicas need no messages. A caller that keeps pages too is not sent one in the version that it knows.
//!
//! The statement of the version takes 0.08 ms of Postgres where that of a page of twenty takes 0.22, and one row in place of twenty is sent.

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, Utc};
use moka::sync::Cache;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Comment, Row, own_reaction};
use crate::{
    mentions::members_in,
    reactions::ReactionKind,
    sql::{MAX_AGE_OF_VERSION, Mapper, Statement},
};

/// The most memory for pages: some 1,500 of twenty comments.
const MAX_BYTES: u64 = 8 << 20;

/// The most members in a block with a viewer whose pages are shared; as `limit 101` in the statement.
const MAX_BLOCKED: usize = 100;

/// The label of the metrics.
const CACHE: &str = "comment_pages";

/// The version of what a visitor is shown of the comments on a post: the transactions that wrote its row, and the last change of a
/// closed account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Version {
    post: i64,
    hidden_members: i64,
}

impl Version {
    /// Without the row of a damaged database, pages go on and closed accounts are seen late.
    fn of(post: i64, hidden_members: Option<i64>) -> Self {
        Self { post, hidden_members: hidden_members.unwrap_or_default() }
    }

    /// The version for other processes, which only compare it.
    fn to_bytes(self) -> Vec<u8> {
        [self.post, self.hidden_members].into_iter().flat_map(i64::to_le_bytes).collect()
    }
}

/// A page, and one comment more if there are more: the newest first.
pub struct CommentPage {
    version: Version,
    pub comments: Vec<Comment>,
}

impl CommentPage {
    /// One of the members wrote a comment, or is mentioned in one.
    fn names(&self, members: &[Uuid]) -> bool {
        self.comments.iter().any(|comment| {
            members.contains(&comment.author_id)
                || members_in(&comment.content).iter().any(|mentioned| members.contains(mentioned))
        })
    }
}

/// The page of a post in its version, and what differs between viewers.
pub struct VersionRow {
    post_version: i64,
    hidden_members_version: Option<i64>,
    author_id: Uuid,
    /// The members in a block with the viewer, at most [`MAX_BLOCKED`] and one more.
    blocked: Option<Vec<Uuid>>,
    /// The viewer left the community of the own post.
    has_left: bool,
    comment_ids: Option<Vec<Uuid>>,
    kinds: Option<Vec<ReactionKind>>,
}

/// A row of the page that is kept: a comment, or nulls for a post without comments.
pub struct PageRow {
    post_version: i64,
    hidden_members_version: Option<i64>,
    id: Option<Uuid>,
    author_id: Option<Uuid>,
    content: Option<String>,
    created_at: Option<DateTime<Utc>>,
    edited_at: Option<DateTime<Utc>>,
    reply_count: Option<i64>,
    like_count: Option<i64>,
}

/// The cache. Clones share it.
#[derive(Clone)]
pub struct CommentPages {
    pages: Cache<(Uuid, i64), Arc<CommentPage>>,
}

impl Default for CommentPages {
    fn default() -> Self {
        telemetry::cache_requests(CACHE, 0, 0);
        let weigher = |_: &(Uuid, i64), page: &Arc<CommentPage>| u32::try_from(bytes(page)).unwrap_or(u32::MAX);
        Self {
            pages: Cache::builder().max_capacity(MAX_BYTES).weigher(weigher).time_to_live(MAX_AGE_OF_VERSION).build(),
        }
    }
}

/// The first page for a viewer.
pub enum FirstPage {
    /// That of a visitor.
    Shared(SharedPage),
    /// The post without comments.
    Empty,
    /// The viewer must be shown a page of their own: this one names a member in a block with the viewer, or the post changes just
    /// now.
    Own,
    /// The viewer may not see the post.
    NotFound,
}

/// A page for every visitor, and the part of the viewer.
pub struct SharedPage {
    /// For a caller that keeps pages.
    pub version: Vec<u8>,
    /// `None` for a caller that knows the version.
    pub page: Option<Arc<CommentPage>>,
    /// The viewer's reactions.
    pub kinds: HashMap<Uuid, ReactionKind>,
}

impl CommentPages {
    /// The newest `fetch` top-level comments on a post. `known` is the version that the caller knows, if any.
    pub async fn first(
        &self,
        db: &mut PgConnection,
        viewer: Option<Uuid>,
        post_id: Uuid,
        fetch: i64,
        known: Option<&[u8]>,
    ) -> Result<FirstPage, sqlx::Error> {
        let Some(row) = version(viewer, post_id, fetch).fetch_optional(&mut *db).await? else {
            return Ok(FirstPage::NotFound);
        };
        let blocked = row.blocked.unwrap_or_default();
        if blocked.contains(&row.author_id) {
            return Ok(FirstPage::NotFound);
        }
        if row.has_left {
            return Ok(FirstPage::Empty);
        }
        if blocked.len() > MAX_BLOCKED {
            return Ok(FirstPage::Own);
        }
        let version = Version::of(row.post_version, row.hidden_members_version);
        let ids = row.comment_ids.into_iter().flatten();
        let kinds = ids.zip(row.kinds.into_iter().flatten()).collect();
        let bytes = version.to_bytes();
        let is_known = known == Some(bytes.as_slice());
        let page = if is_known && blocked.is_empty() {
            None
        } else {
            let page = self.page_of(db, post_id, fetch, version).await?;
            match page.filter(|page| blocked.is_empty() || !page.names(&blocked)) {
                Some(page) => Some(page).filter(|_| !is_known),
                None => return Ok(FirstPage::Own),
            }
        };
        Ok(FirstPage::Shared(SharedPage { version: bytes, page, kinds }))
    }

    /// The page in a version; `None` if the post has another one now.
    async fn page_of(
        &self,
        db: &mut PgConnection,
        post_id: Uuid,
        fetch: i64,
        version: Version,
    ) -> Result<Option<Arc<CommentPage>>, sqlx::Error> {
        let key = (post_id, fetch);
        let kept = self.pages.get(&key).filter(|page| page.version == version);
        telemetry::cache_requests(CACHE, usize::from(kept.is_some()), usize::from(kept.is_none()));
        if kept.is_some() {
            return Ok(kept);
        }
        let read = read(db, post_id, fetch).await?.map(Arc::new);
        if let Some(page) = &read {
            self.pages.insert(key, Arc::clone(page));
        }
        Ok(read.filter(|page| page.version == version))
    }
}

impl SharedPage {
    /// The comments as the viewer is shown them, for a caller that knows no version.
    pub fn comments(&self, viewer: Option<Uuid>) -> Vec<Comment> {
        let comments = self.page.iter().flat_map(|page| &page.comments).map(|comment| Comment {
            reaction: own_reaction(viewer, self.kinds.get(&comment.id).copied()),
            ..comment.clone()
        });
        comments.collect()
    }
}

/// The page as it is now; `None` if the post was deleted.
async fn read(db: &mut PgConnection, post_id: Uuid, fetch: i64) -> Result<Option<CommentPage>, sqlx::Error> {
    let rows = page(post_id, fetch).fetch_all(db).await?;
    let Some(first) = rows.first() else { return Ok(None) };
    let version = Version::of(first.post_version, first.hidden_members_version);
    let comment = |row: PageRow| {
        let row = Row {
            id: row.id,
            post_id: Some(post_id),
            author_id: row.author_id,
            content: row.content,
            created_at: row.created_at,
            edited_at: row.edited_at,
            reply_to: None,
            reply_count: row.reply_count,
            like_count: row.like_count,
            my_kind: None,
        };
        row.into_comment(None)
    };
    Ok(Some(CommentPage { version, comments: rows.into_iter().filter_map(comment).collect() }))
}

/// The version of the comments on a post that the viewer may see, except for a block with its author, the members in a block with the
/// viewer, and the viewer's reactions to the newest comments. The table of comments is read only where the viewer may have reacted.
///
/// As in versions.rs of the timeline, `limit 101` tells the planner the number of rows.
pub fn version(viewer: Option<Uuid>, post_id: Uuid, fetch: i64) -> Statement<impl Mapper<VersionRow>> {
    sqlx::query_as!(
        VersionRow,
        r#"
        select
            p.xmin::text::bigint as "post_version!",
            (select h.xmin::text::bigint from feed.hidden_members_changes h) as "hidden_members_version?",
            p.author_id,
            (
                select array_agg(member_id)
                from (
                    select blocked_id as member_id
                    from feed.blocks
                    where blocker_id = $1
                    union all
                    select blocker_id
                    from feed.blocks
                    where blocked_id = $1
                    limit 101
                ) as blocked
            ) as "blocked?",
            p.community_id is not null
                and p.author_id = $1
                and not exists (
                    select from feed.memberships w where w.member_id = $1 and w.community_id = p.community_id
                ) as "has_left!",
            own.ids as "comment_ids?",
            own.kinds as "kinds?: Vec<ReactionKind>"
        from feed.posts p
        cross join lateral (
            select array_agg(r.comment_id) as ids, array_agg(r.kind) as kinds
            from (
                select id, like_count
                from (
                    select id, like_count, created_at
                    from feed.comments
                    where post_id = p.id
                        and p.has_comment_reactions
                        and $1::uuid is not null
                        and reply_to is null
                        and not exists (select from feed.hidden_members h where h.member_id = author_id)
                    order by created_at desc, id desc
                    limit 101
                ) as most
                order by created_at desc, id desc
                limit $3
            ) as c
            join feed.comment_reactions r on r.comment_id = c.id
            where c.like_count > 0
                and r.member_id = $1
        ) as own
        where p.id = $2
            and (
                p.community_id is null
                or p.author_id = $1
                or exists (select from feed.memberships m where m.member_id = $1 and m.community_id = p.community_id)
            )
            and not exists (select from feed.hidden_members h where h.member_id = p.author_id)
        "#,
        viewer,
        post_id,
        fetch
    )
}

/// The newest top-level comments on a post as a visitor is shown them, with their version. Who may see them is checked by the
/// statement of the version.
pub fn page(post_id: Uuid, fetch: i64) -> Statement<impl Mapper<PageRow>> {
    sqlx::query_as!(
        PageRow,
        r#"select
            p.xmin::text::bigint as "post_version!",
            (select h.xmin::text::bigint from feed.hidden_members_changes h) as "hidden_members_version?",
            c.id as "id?",
            c.author_id as "author_id?",
            c.content as "content?",
            c.created_at as "created_at?",
            c.edited_at as "edited_at?",
            c.reply_count as "reply_count?",
            c.like_count as "like_count?"
        from feed.posts p
        left join lateral (
            select *
            from (
                select *
                from feed.comments
                where post_id = p.id
                    and reply_to is null
                    and not exists (select from feed.hidden_members h where h.member_id = comments.author_id)
                order by created_at desc, id desc
                limit 101
            ) as most
            order by created_at desc, id desc
            limit $2
        ) as c on true
        where p.id = $1
        order by c.created_at desc, c.id desc"#,
        post_id,
        fetch
    )
}

/// About the memory of a page.
fn bytes(page: &CommentPage) -> usize {
    size_of::<CommentPage>()
        + page.comments.iter().map(|comment| size_of_val(comment) + comment.content.len()).sum::<usize>()
}
