//! Keeps the first pages of comments in memory, each for one version of its post and as a visitor sees it. A viewer
//! gets this page with their own reactions.
//!
//! A page has the version of its post (timeline/versions.rs), because each change of a top-level comment or of its
//! counters writes the row of the post. So replicas need no messages. A caller that also keeps pages is not sent a page
//! in a version that it knows.
//!
//! The statement for the version takes 0.08 ms in Postgres and returns one row; the statement for a page takes 0.22 ms
//! and returns twenty.

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

/// The maximum number of members in a block with a viewer who gets shared pages. `limit 101` in the statement depends
/// on it.
const MAX_BLOCKED: usize = 100;

/// The label of the metrics.
const CACHE: &str = "comment_pages";

/// The version of the comments on a post as a visitor sees them: the transactions that wrote the row of the post and
/// the last change of a closed account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Version {
    post: i64,
    hidden_members: i64,
}

impl Version {
    /// Accepts a damaged database that lacks the row of closed accounts: pages still work, and show closed accounts
    /// late.
    fn of(post: i64, hidden_members: Option<i64>) -> Self {
        Self { post, hidden_members: hidden_members.unwrap_or_default() }
    }

    /// Encodes the version for other processes, which only compare it.
    fn to_bytes(self) -> Vec<u8> {
        [self.post, self.hidden_members].into_iter().flat_map(i64::to_le_bytes).collect()
    }
}

/// A page, newest comment first, with one more comment if there is a next page.
pub struct CommentPage {
    version: Version,
    pub comments: Vec<Comment>,
}

impl CommentPage {
    /// Returns whether one of the members wrote a comment or is mentioned in one.
    fn names(&self, members: &[Uuid]) -> bool {
        self.comments.iter().any(|comment| {
            members.contains(&comment.author_id)
                || members_in(&comment.content).iter().any(|mentioned| members.contains(mentioned))
        })
    }
}

/// The version of the comments on a post, and the columns that differ between viewers.
pub struct VersionRow {
    post_version: i64,
    hidden_members_version: Option<i64>,
    author_id: Uuid,
    /// The members in a block with the viewer, at most [`MAX_BLOCKED`] and one more.
    blocked: Option<Vec<Uuid>>,
    /// The viewer is the author and left the community of the post.
    has_left: bool,
    comment_ids: Option<Vec<Uuid>>,
    kinds: Option<Vec<ReactionKind>>,
}

/// A row of a page to keep: a comment, or nulls for a post without comments.
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
    /// The page that visitors see.
    Shared(SharedPage),
    /// The post without comments.
    Empty,
    /// The viewer needs a separate page: the shared one names a member in a block with the viewer, or the post is
    /// changing.
    Own,
    /// The viewer may not see the post.
    NotFound,
}

/// The page for all visitors, and the viewer's reactions.
pub struct SharedPage {
    /// The version, for a caller that keeps pages.
    pub version: Vec<u8>,
    /// `None` for a caller that knows the version.
    pub page: Option<Arc<CommentPage>>,
    /// The viewer's reactions.
    pub kinds: HashMap<Uuid, ReactionKind>,
}

impl CommentPages {
    /// Returns the newest `fetch` top-level comments on a post. `known` is the version that the caller knows, if any.
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

    /// Returns the page in a version, or `None` if the post now has another version.
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
    /// Returns the comments as the viewer sees them, for a caller that knows no version.
    pub fn comments(&self, viewer: Option<Uuid>) -> Vec<Comment> {
        let comments = self.page.iter().flat_map(|page| &page.comments).map(|comment| Comment {
            reaction: own_reaction(viewer, self.kinds.get(&comment.id).copied()),
            ..comment.clone()
        });
        comments.collect()
    }
}

/// Reads the current page; `None` if the post was deleted.
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

/// Selects the version of the comments on a post that the viewer may see (apart from a block with its author), the
/// members in a block with the viewer, and the viewer's reactions to the newest comments. Reads the table of comments
/// only if the viewer may have reacted.
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

/// Selects the newest top-level comments on a post as a visitor sees them, with their version. [`version`] checks who
/// may see them.
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

/// Estimates the memory of a page.
fn bytes(page: &CommentPage) -> usize {
    size_of::<CommentPage>()
        + page.comments.iter().map(|comment| size_of_val(comment) + comment.content.len()).sum::<usize>()
}
