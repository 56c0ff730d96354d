//! The statements of lists select posts, their versions and the columns that differ between viewers. The body
//! (bodies.rs) has the rest of a post.
//!
//! A version consists of the transactions (`xmin`) that last wrote the post, its link preview, its original and the
//! original's preview, and of the last change of closed accounts. So a writer of one of these rows cannot forget the
//! version. A writer that changes only a top-level comment also updates the row of the post, in the same transaction.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::reactions::ReactionKind;

/// The version of a post as a list shows it to a visitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    post: i64,
    preview: Option<i64>,
    original: Option<i64>,
    original_preview: Option<i64>,
    hidden_members: i64,
}

impl Version {
    /// Builds a version from its columns. `original` contains the versions of the original and its preview.
    pub fn of(post: i64, preview: Option<i64>, original: Option<&[Option<i64>]>, hidden_members: i64) -> Self {
        let part = |n: usize| original.and_then(|parts| *parts.get(n)?);
        Self { post, preview, original: part(0), original_preview: part(1), hidden_members }
    }

    /// Encodes the version for other processes, which only compare it.
    pub fn to_bytes(self) -> Vec<u8> {
        let parts = [Some(self.post), self.preview, self.original, self.original_preview, Some(self.hidden_members)];
        parts.into_iter().flat_map(|part| part.unwrap_or(-1).to_le_bytes()).collect()
    }
}

/// A row of [`versions_query`]. A row without a version contains no post, but information about the page.
#[derive(Debug, Default, PartialEq)]
pub struct Row {
    pub id: Option<Uuid>,
    pub author_id: Option<Uuid>,
    pub community_id: Option<Uuid>,
    pub created_at: Option<DateTime<Utc>>,
    pub like_count: Option<i64>,
    pub leads: Option<bool>,
    pub score: Option<f64>,
    pub is_article: Option<bool>,
    pub version: Option<i64>,
    pub preview_version: Option<i64>,
    pub original_versions: Option<Vec<Option<i64>>>,
    pub hidden_members_version: Option<i64>,
    /// Null for the viewer's own post in a community that they left.
    pub community_name: Option<String>,
    pub my_kind: Option<ReactionKind>,
    pub comment_ids: Option<Vec<Uuid>>,
    pub comment_kinds: Option<Vec<ReactionKind>>,
    /// The viewer is in a block with a member.
    pub has_blocks: Option<bool>,
    /// The viewer mutes words or members: see mutes/filter.rs. Only in home lists.
    pub is_filtered: Option<bool>,
}

/// A post of a page, without its body.
pub struct ListedPost {
    pub id: Uuid,
    pub author_id: Uuid,
    pub community_id: Option<Uuid>,
    pub created_at: DateTime<Utc>,
    pub like_count: i64,
    pub leads: bool,
    pub score: f64,
    pub is_article: bool,
    pub version: Version,
    pub community_name: Option<String>,
    pub my_kind: Option<ReactionKind>,
    /// The viewer's reactions to the comments that the post shows.
    pub comment_kinds: HashMap<Uuid, ReactionKind>,
    pub has_blocks: bool,
}

impl ListedPost {
    /// Returns whether the viewer left the community of this own post, and so sees another body than its members.
    pub const fn has_left(&self) -> bool {
        has_left(self.community_id, self.community_name.as_ref())
    }
}

/// Returns whether the viewer left the community of their own post: only other rows have the name of the community.
pub(super) const fn has_left(community_id: Option<Uuid>, community_name: Option<&String>) -> bool {
    community_id.is_some() && community_name.is_none()
}

impl Row {
    /// Converts the row to a post; `None` for a row without one.
    pub fn into_listed(self) -> Option<ListedPost> {
        let original = self.original_versions.as_deref();
        // In a damaged database without this row, lists still work and show closed accounts late.
        let hidden_members = self.hidden_members_version.unwrap_or_default();
        Some(ListedPost {
            id: self.id?,
            author_id: self.author_id?,
            community_id: self.community_id,
            created_at: self.created_at?,
            like_count: self.like_count?,
            leads: self.leads?,
            score: self.score?,
            is_article: self.is_article?,
            version: Version::of(self.version?, self.preview_version, original, hidden_members),
            community_name: self.community_name,
            my_kind: self.my_kind,
            comment_kinds: self
                .comment_ids
                .into_iter()
                .flatten()
                .zip(self.comment_kinds.into_iter().flatten())
                .collect(),
            has_blocks: self.has_blocks?,
        })
    }
}

/// A query of versions: `$page` selects posts (columns of feed.listed_posts, `leads`, `score`).
///
/// $1 is the viewer (null for a visitor) and $2 the number of rows. `blocked` contains the members in a block with the viewer,
/// mostly none. Deactivated authors (deactivation.rs) are looked up row by row. Both conditions are below every limit, so that
/// pages are full.
///
/// A `home` query adds CTEs for the viewer's controls, each one range of an index, mostly without a row: `excluded`
/// members (in a block, or muted), `hidden_posts`, and `communities` without muted ones. Its third argument is the
/// current time, for mutes that expire.
///
/// In `$page`, `limit 101` is below each `limit $2`: the maximum page tells the planner the number of rows. With a
/// bound limit alone, the planner assumes a tenth of the table, finds every plan expensive, and plans each call again.
macro_rules! versions_query {
    (home $page:literal, order by $order:literal, $viewer:expr, $rows:expr $(, $argument:expr)* $(,)?) => {
        versions_query!(
            @with
            r#",
            muted as materialized (
                select kind, target_id
                from feed.mutes
                where member_id = $1
                    and target_id is not null
                    and (expires_at is null or expires_at > $3)
            ),
            excluded as materialized (
                select member_id
                from blocked
                union all
                select target_id
                from muted
                where kind = 'member'
            ),
            hidden_posts as materialized (
                select post_id
                from feed.hidden_posts
                where member_id = $1
            ),
            communities as materialized (
                select community_id
                from feed.memberships
                where member_id = $1
                    and community_id not in (select target_id from muted where kind = 'community')
                order by community_id
                limit 100
            )
            "#,
            r#"
            exists (select from blocked) as "has_blocks?",
            (
                exists (select from feed.mutes w where w.member_id = $1 and w.word is not null)
                or exists (select from muted where kind = 'member')
            ) as "is_filtered?"
            "#,
            $page, order by $order, $viewer, $rows $(, $argument)*
        )
    };
    ($page:literal, order by $order:literal, $viewer:expr, $rows:expr $(, $argument:expr)* $(,)?) => {
        versions_query!(
            @with
            "",
            r#"
            exists (select from blocked) as "has_blocks?",
            null::boolean as "is_filtered?"
            "#,
            $page, order by $order, $viewer, $rows $(, $argument)*
        )
    };
    (
        @with $ctes:literal, $filter:literal, $page:literal, order by $order:literal, $viewer:expr, $rows:expr
        $(, $argument:expr)*
    ) => {
        $crate::timeline::version_columns::version_columns!(
            [$crate::timeline::version_columns::query_of_parts],
            $crate::timeline::versions::Row,
            [
                r#"
            with blocked as materialized (
                select blocked_id as member_id
                from feed.blocks
                where blocker_id = $1
                union all
                select blocker_id
                from feed.blocks
                where blocked_id = $1
            )
            "#,
                $ctes,
                r#"
            select
                p.leads as "leads?",
                p.score as "score?",
                p.is_article as "is_article?",
                p.version::text::bigint as "version?",
            "#,
            ],
            [
                ",",
                $filter,
                r#"
            from (
            "#,
                $page,
                r#"
            ) as p
            "#,
            ],
            [
                r#"
            order by "#,
                $order,
            ],
            $viewer,
            $rows
            $(, $argument)*
        )
    };
}

pub(super) use versions_query;
