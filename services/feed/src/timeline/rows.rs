//! The common part of the statements that read posts: all columns of a post that a viewer sees.

use chrono::{DateTime, Utc};
use sqlx::types::Json;
use uuid::Uuid;

use crate::{
    comments::{Comment, own_reaction},
    link_previews::LinkPreview,
    media::{self, Media},
    pictures::{self, PostPicture},
    posts::{Community, Post, Repost, reposts::Original},
    reactions::{Reaction, ReactionKind},
    timeline::versions::{Version, has_left},
};

/// The maximum number of reactions in a listed post.
pub(super) const MAX_REACTIONS: usize = 20;

/// A row of [`posts_query`], or of the statement of bodies (batch.rs).
pub struct Row {
    pub id: Option<Uuid>,
    pub author_id: Option<Uuid>,
    pub content: Option<String>,
    pub title: Option<String>,
    pub picture_hash: Option<String>,
    pub picture_alt: Option<String>,
    pub picture_width: Option<i32>,
    pub picture_height: Option<i32>,
    pub video_url: Option<String>,
    pub media: Option<Json<Media>>,
    pub link_preview: Option<Json<LinkPreview>>,
    pub like_count: Option<i64>,
    pub comment_count: Option<i64>,
    pub share_count: Option<i64>,
    pub created_at: Option<DateTime<Utc>>,
    pub edited_at: Option<DateTime<Utc>>,
    pub leads: Option<bool>,
    pub score: Option<f64>,
    pub community_id: Option<Uuid>,
    /// Null for the viewer's own post in a community that they left.
    pub community_name: Option<String>,
    pub my_id: Option<Uuid>,
    pub my_kind: Option<ReactionKind>,
    pub reaction_members: Option<Vec<Uuid>>,
    pub reaction_kinds: Option<Vec<ReactionKind>>,
    pub comment_ids: Option<Vec<Uuid>>,
    pub comment_authors: Option<Vec<Uuid>>,
    pub comment_contents: Option<Vec<String>>,
    pub comment_times: Option<Vec<DateTime<Utc>>>,
    pub comment_edits: Option<Vec<Option<DateTime<Utc>>>>,
    pub comment_replies: Option<Vec<i64>>,
    pub comment_likes: Option<Vec<i64>>,
    pub comment_kinds: Option<Vec<Option<ReactionKind>>>,
    pub repost_of: Option<Uuid>,
    pub original_author: Option<Uuid>,
    pub original_content: Option<String>,
    pub original_title: Option<String>,
    pub original_picture_hash: Option<String>,
    pub original_picture_alt: Option<String>,
    pub original_picture_width: Option<i32>,
    pub original_picture_height: Option<i32>,
    pub original_video_url: Option<String>,
    pub original_media: Option<Json<Media>>,
    pub original_link_preview: Option<Json<LinkPreview>>,
    pub original_created_at: Option<DateTime<Utc>>,
    pub original_edited_at: Option<DateTime<Utc>>,
    /// See versions.rs. Only of a body.
    pub version: Option<i64>,
    pub preview_version: Option<i64>,
    pub original_versions: Option<Vec<Option<i64>>>,
    pub hidden_members_version: Option<i64>,
}

/// A query of posts: `$page` selects them (columns of feed.posts, `leads`, `score`), and the statement joins all
/// columns that a list shows. `versions_query` (versions.rs), which selects the posts of lists, has the same other
/// parameters.
///
/// The original of a repost is public or deleted (posts/delete.rs): it is read by its id, with the two conditions of
/// authors. The statement reads the excerpt of an article, so that its text is not fetched; a page for the whole text
/// sets the excerpt to null.
macro_rules! posts_query {
    ($page:literal, order by $order:literal, $viewer:expr, $rows:expr $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            $crate::timeline::rows::Row,
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
                p.media as "media?: sqlx::types::Json<crate::media::Media>",
                case
                    when p.link_preview_id is not null
                    then (select l.card from feed.link_previews l where l.id = p.link_preview_id)
                end as "link_preview?: crate::link_previews::Card",
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
                        and (
                            p.author_id is distinct from $1
                            or exists (
                                select
                                from feed.memberships m
                                where m.member_id = $1
                                    and m.community_id = p.community_id
                            )
                        )
                    then (select coalesce(max(c.name), '') from feed.communities c where c.id = p.community_id)
                end as "community_name?",
                mine.member_id as "my_id?",
                mine.kind as "my_kind?: ReactionKind",
                newest_reactions.members as "reaction_members?",
                newest_reactions.kinds as "reaction_kinds?: Vec<ReactionKind>",
                newest_comments.ids as "comment_ids?",
                newest_comments.authors as "comment_authors?",
                newest_comments.contents as "comment_contents?",
                newest_comments.times as "comment_times?",
                newest_comments.edits as "comment_edits?: Vec<Option<chrono::DateTime<chrono::Utc>>>",
                newest_comments.replies as "comment_replies?",
                newest_comments.likes as "comment_likes?",
                newest_comments.kinds as "comment_kinds?: Vec<Option<ReactionKind>>",
                p.repost_of as "repost_of?",
                original.author_id as "original_author?",
                original.content as "original_content?",
                original.title as "original_title?",
                original.picture_hash as "original_picture_hash?",
                original.picture_alt as "original_picture_alt?",
                original.picture_width as "original_picture_width?",
                original.picture_height as "original_picture_height?",
                original.video_url as "original_video_url?",
                original.media as "original_media?: sqlx::types::Json<crate::media::Media>",
                case
                    when original.link_preview_id is not null
                    then (select l.card from feed.link_previews l where l.id = original.link_preview_id)
                end as "original_link_preview?: crate::link_previews::Card",
                original.created_at as "original_created_at?",
                original.edited_at as "original_edited_at?",
                null::bigint as "version?",
                null::bigint as "preview_version?",
                null::bigint[] as "original_versions?: Vec<Option<i64>>",
                null::bigint as "hidden_members_version?"
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
            ) as newest_reactions
            cross join lateral (
                select
                    array_agg(id) as ids,
                    array_agg(author_id) as authors,
                    array_agg(content) as contents,
                    array_agg(created_at) as times,
                    array_agg(edited_at) as edits,
                    array_agg(reply_count) as replies,
                    array_agg(like_count) as likes,
                    array_agg(
                        case
                            when like_count > 0
                            then (
                                select r.kind
                                from feed.comment_reactions r
                                where r.comment_id = c.id
                                    and r.member_id = $1
                            )
                        end
                    ) as kinds
                from (
                    select id, author_id, content, created_at, edited_at, reply_count, like_count
                    from feed.comments
                    where post_id = p.id
                        and reply_to is null
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
            ) as newest_comments
            left join lateral (
                select
                    author_id, coalesce(excerpt, content) as content, title, picture_hash, picture_alt, picture_width,
                    picture_height, video_url, media, link_preview_id, created_at, edited_at
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

pub(super) use posts_query;

impl Row {
    /// Returns the version of a body.
    pub fn version(&self) -> Option<Version> {
        let original = self.original_versions.as_deref();
        Some(Version::of(self.version?, self.preview_version, original, self.hidden_members_version?))
    }

    /// Converts the row to a post; `None` for a row without content.
    pub fn into_post(self, viewer: Option<Uuid>) -> Option<Post> {
        let id = self.id?;
        let has_left = has_left(self.community_id, self.community_name.as_ref());
        let reaction = |(member_id, kind)| Reaction { member_id, kind };
        let mine = self.my_id.zip(self.my_kind);
        let others = self.reaction_members.into_iter().flatten().zip(self.reaction_kinds.into_iter().flatten());
        let comments = self.comment_ids.into_iter().flatten().zip(self.comment_authors.into_iter().flatten());
        let contents = self.comment_contents.into_iter().flatten().zip(self.comment_times.into_iter().flatten());
        let counts = self.comment_replies.into_iter().flatten().zip(self.comment_likes.into_iter().flatten());
        let changes = self.comment_edits.into_iter().flatten().zip(self.comment_kinds.into_iter().flatten());
        let mut comments: Vec<_> = comments
            .zip(contents)
            .zip(counts.zip(changes))
            .map(|(((comment, author_id), (content, created_at)), ((reply_count, like_count), (edited_at, kind)))| {
                Comment {
                    id: comment,
                    post_id: id,
                    author_id,
                    content,
                    created_at,
                    edited_at,
                    reply_to: None,
                    reply_count,
                    like_count,
                    reaction: own_reaction(viewer, kind),
                }
            })
            .collect();
        comments.reverse();
        let name = self.community_name.unwrap_or_default();
        let original =
            self.repost_of.zip(self.original_author).zip(self.original_content.zip(self.original_created_at));
        let (edited_at, title, video_url) = (self.original_edited_at, self.original_title, self.original_video_url);
        let named = self.original_picture_hash.zip(self.original_picture_alt);
        let first = picture(named, self.original_picture_width.zip(self.original_picture_height));
        let media = self.original_media.map(|media| media.0);
        let (pictures, pdf) = (media::pictures(first, media.as_ref()), media.and_then(|media| media.pdf));
        let repost = self.repost_of.map(|_| match original {
            Some(((id, author_id), (content, created_at))) => {
                let link_preview = self.original_link_preview.map(|preview| preview.0);
                Repost::Of(Box::new(Original {
                    id,
                    author_id,
                    content,
                    title,
                    pictures,
                    pdf,
                    link_preview,
                    video_url,
                    created_at,
                    edited_at,
                }))
            }
            None => Repost::Unavailable,
        });
        let first = picture(self.picture_hash.zip(self.picture_alt), self.picture_width.zip(self.picture_height));
        let media = self.media.map(|media| media.0);
        let post = Post {
            id,
            author_id: self.author_id?,
            content: self.content?,
            title: self.title,
            pictures: media::pictures(first, media.as_ref()),
            pdf: media.and_then(|media| media.pdf),
            link_preview: self.link_preview.map(|preview| preview.0),
            video_url: self.video_url,
            created_at: self.created_at?,
            like_count: self.like_count?,
            comment_count: self.comment_count?,
            share_count: self.share_count?,
            edited_at: self.edited_at,
            repost,
            community: self.community_id.map(|id| Community { id, name }),
            reactions: mine.into_iter().chain(others).take(MAX_REACTIONS).map(reaction).collect(),
            comments,
            score: self.score?,
            leads: self.leads?,
        };
        Some(if has_left { alone(post) } else { post })
    }
}

/// Removes the parts of the viewer's own post that they no longer see after leaving its community.
fn alone(post: Post) -> Post {
    Post { reactions: Vec::new(), comments: Vec::new(), like_count: 0, comment_count: 0, ..post }
}

fn picture(named: Option<(String, String)>, size: Option<(i32, i32)>) -> Option<PostPicture> {
    let ((hash, alt), (width, height)) = named.zip(size)?;
    Some(PostPicture { url: pictures::url(&hash), alt, width, height })
}
