//! The statement that reads posts: what is the same whichever posts a page holds.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{
    comments::Comment,
    pictures::{self, Shown},
    posts::{Community, Post},
    reactions::{Kind, Reaction},
    reposts::{Original, Repost},
};

/// Reactions a listed post carries at most.
const REACTIONS: usize = 20;

/// A post as the statement below reads it. Without words it is none: the page says something of itself.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) id: Option<Uuid>,
    pub(super) author_id: Option<Uuid>,
    pub(super) content: Option<String>,
    pub(super) title: Option<String>,
    pub(super) picture_hash: Option<String>,
    pub(super) picture_alt: Option<String>,
    pub(super) picture_width: Option<i32>,
    pub(super) picture_height: Option<i32>,
    pub(super) video_url: Option<String>,
    pub(super) like_count: Option<i64>,
    pub(super) comment_count: Option<i64>,
    pub(super) share_count: Option<i64>,
    pub(super) created_at: Option<DateTime<Utc>>,
    pub(super) edited_at: Option<DateTime<Utc>>,
    pub(super) leads: Option<bool>,
    pub(super) score: Option<f64>,
    pub(super) community_id: Option<Uuid>,
    pub(super) community_name: Option<String>,
    pub(super) my_id: Option<Uuid>,
    pub(super) my_kind: Option<Kind>,
    pub(super) reaction_members: Option<Vec<Uuid>>,
    pub(super) reaction_kinds: Option<Vec<Kind>>,
    pub(super) comment_ids: Option<Vec<Uuid>>,
    pub(super) comment_authors: Option<Vec<Uuid>>,
    pub(super) comment_contents: Option<Vec<String>>,
    pub(super) comment_times: Option<Vec<DateTime<Utc>>>,
    pub(super) comment_edits: Option<Vec<Option<DateTime<Utc>>>>,
    pub(super) repost_of: Option<Uuid>,
    pub(super) original_author: Option<Uuid>,
    pub(super) original_content: Option<String>,
    pub(super) original_title: Option<String>,
    pub(super) original_picture_hash: Option<String>,
    pub(super) original_picture_alt: Option<String>,
    pub(super) original_picture_width: Option<i32>,
    pub(super) original_picture_height: Option<i32>,
    pub(super) original_video_url: Option<String>,
    pub(super) original_created_at: Option<DateTime<Utc>>,
    pub(super) original_edited_at: Option<DateTime<Utc>>,
}

/// The one statement that reads posts: `$page` says which (columns of feed.posts, `leads`, `score`), and everything a
/// list shows of them is joined here.
///
/// $1 is the viewer (null for a visitor) and $2 the number of rows. `unseen` is whom the viewer does not meet: hashed where
/// it is asked for; most viewers block nobody. Whose account is closed (hidden.rs) is looked up row by row.
/// Both are left out below every limit, so that pages are full. What a post passes on is for everybody, or was taken away
/// (removal.rs): it is read by its id, and by the same two rules. An article stands there with its excerpt, so that its text
/// is not even fetched; where it is shown whole, `$page` leaves the excerpt out.
///
/// Inside `$page`, `limit 101` stands below `limit $2`: it is the most a page can be, and tells the planner so. With a
/// bound limit alone it reckons with a tenth of the table, finds every plan for it dear, and plans each call anew.
macro_rules! posts {
    ($page:literal, order by $order:literal, $viewer:expr, $rows:expr $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            $crate::pages::statement::Row,
            r#"
            with unseen as materialized (
                select blocked_id as member_id
                from feed.blocks
                where blocker_id = $1
                union all
                select blocker_id
                from feed.blocks
                where blocked_id = $1
            )
            select
                p.id as "id?",
                p.author_id as "author_id?",
                coalesce(p.excerpt, p.content) as "content?",
                p.title as "title?",
                p.picture_hash as "picture_hash?",
                p.picture_alt as "picture_alt?",
                p.picture_width as "picture_width?",
                p.picture_height as "picture_height?",
                p.video_url as "video_url?",
                p.like_count as "like_count?",
                p.comment_count as "comment_count?",
                p.share_count as "share_count?",
                p.created_at as "created_at?",
                p.edited_at as "edited_at?",
                p.leads as "leads?",
                p.score as "score?",
                p.community_id as "community_id?",
                case
                    when p.community_id is not null
                    then (select c.name from feed.communities c where c.id = p.community_id)
                end as "community_name?",
                mine.member_id as "my_id?",
                mine.kind as "my_kind?: Kind",
                newest.members as "reaction_members?",
                newest.kinds as "reaction_kinds?: Vec<Kind>",
                said.ids as "comment_ids?",
                said.authors as "comment_authors?",
                said.contents as "comment_contents?",
                said.times as "comment_times?",
                said.edits as "comment_edits?: Vec<Option<chrono::DateTime<chrono::Utc>>>",
                p.repost_of as "repost_of?",
                original.author_id as "original_author?",
                original.content as "original_content?",
                original.title as "original_title?",
                original.picture_hash as "original_picture_hash?",
                original.picture_alt as "original_picture_alt?",
                original.picture_width as "original_picture_width?",
                original.picture_height as "original_picture_height?",
                original.video_url as "original_video_url?",
                original.created_at as "original_created_at?",
                original.edited_at as "original_edited_at?"
            from (
            "#
                + $page
                + r#"
            ) as p
            left join feed.reactions mine on mine.post_id = p.id and mine.member_id = $1
            cross join lateral (
                select array_agg(member_id) as members, array_agg(kind) as kinds
                from (
                    select member_id, kind
                    from feed.reactions
                    where post_id = p.id
                        and member_id is distinct from $1
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
                    limit 20
                ) as r
            ) as newest
            cross join lateral (
                select
                    array_agg(id) as ids,
                    array_agg(author_id) as authors,
                    array_agg(content) as contents,
                    array_agg(created_at) as times,
                    array_agg(edited_at) as edits
                from (
                    select id, author_id, content, created_at, edited_at
                    from feed.comments
                    where post_id = p.id
                        and author_id not in (
                            select blocked_id
                            from feed.blocks
                            where blocker_id = $1
                            union all
                            select blocker_id
                            from feed.blocks
                            where blocked_id = $1
                        )
                        and not exists (select from feed.hidden_members h where h.member_id = author_id)
                    order by created_at desc, id desc
                    limit 3
                ) as c
            ) as said
            left join lateral (
                select
                    author_id, coalesce(excerpt, content) as content, title, picture_hash, picture_alt, picture_width,
                    picture_height, video_url, created_at, edited_at
                from feed.posts
                where id = p.repost_of
                    and community_id is null
                    and author_id not in (
                        select blocked_id
                        from feed.blocks
                        where blocker_id = $1
                        union all
                        select blocker_id
                        from feed.blocks
                        where blocked_id = $1
                    )
                    and not exists (select from feed.hidden_members h where h.member_id = author_id)
                limit 1
            ) as original on true
            order by "#
                + $order,
            $viewer,
            $rows
            $(, $argument)*
        )
    };
}

pub(super) use posts;

impl Row {
    /// The post, unless it is none.
    pub(super) fn into_post(self) -> Option<Post> {
        let id = self.id?;
        let reaction = |(member_id, kind)| Reaction { member_id, kind };
        let mine = self.my_id.zip(self.my_kind);
        let others = self.reaction_members.into_iter().flatten().zip(self.reaction_kinds.into_iter().flatten());
        let said = self.comment_ids.into_iter().flatten().zip(self.comment_authors.into_iter().flatten());
        let words = self.comment_contents.into_iter().flatten().zip(self.comment_times.into_iter().flatten());
        let mut comments: Vec<_> = said
            .zip(words)
            .zip(self.comment_edits.into_iter().flatten())
            .map(|(((comment, author_id), (content, created_at)), edited_at)| Comment {
                id: comment,
                post_id: id,
                author_id,
                content,
                created_at,
                edited_at,
            })
            .collect();
        comments.reverse();
        let name = self.community_name.unwrap_or_default();
        let original =
            self.repost_of.zip(self.original_author).zip(self.original_content.zip(self.original_created_at));
        let (edited_at, title, video_url) = (self.original_edited_at, self.original_title, self.original_video_url);
        let shown = self.original_picture_hash.zip(self.original_picture_alt);
        let picture = picture(shown, self.original_picture_width.zip(self.original_picture_height));
        let repost = self.repost_of.map(|_| match original {
            Some(((id, author_id), (content, created_at))) => {
                Repost::Of(Original { id, author_id, content, title, picture, video_url, created_at, edited_at })
            }
            None => Repost::Gone,
        });
        Some(Post {
            id,
            author_id: self.author_id?,
            content: self.content?,
            title: self.title,
            picture: self::picture(
                self.picture_hash.zip(self.picture_alt),
                self.picture_width.zip(self.picture_height),
            ),
            video_url: self.video_url,
            created_at: self.created_at?,
            like_count: self.like_count?,
            comment_count: self.comment_count?,
            share_count: self.share_count?,
            edited_at: self.edited_at,
            repost,
            community: self.community_id.map(|id| Community { id, name }),
            reactions: mine.into_iter().chain(others).take(REACTIONS).map(reaction).collect(),
            comments,
            score: self.score?,
            leads: self.leads?,
        })
    }
}

fn picture(shown: Option<(String, String)>, size: Option<(i32, i32)>) -> Option<Shown> {
    let ((hash, alt), (width, height)) = shown.zip(size)?;
    Some(Shown { address: pictures::address(&hash), alt, width, height })
}
