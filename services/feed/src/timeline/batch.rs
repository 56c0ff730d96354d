//! Posts by their ids, and the bodies of posts.

use uuid::Uuid;

use super::{
    rows::{Row, posts_query},
    versions::{self, versions_query},
};
use crate::{
    reactions::ReactionKind,
    sql::{Mapper, Statement},
};

/// Selects the posts that the viewer may see among at most 101 ids, with the conditions of visibility.rs.
pub fn by_ids(viewer: Option<Uuid>, ids: &[Uuid]) -> Statement<impl Mapper<Row>> {
    posts_query!(
        "
        select *, false as leads, rank as score
        from feed.posts
        where id = any((select $3::uuid[])::uuid[])
            and (
                community_id is null
                or author_id = $1
                or exists (
                    select from feed.memberships m where m.member_id = $1 and m.community_id = posts.community_id
                )
            )
            and author_id not in (select member_id from blocked)
            and not exists (select from feed.hidden_members h where h.member_id = author_id)
        limit $2
        ",
        order by "p.id",
        viewer,
        101,
        ids,
    )
}

/// Selects the versions of the posts that the viewer may see among at most 101 ids.
pub fn versions_by_ids(viewer: Option<Uuid>, ids: &[Uuid]) -> Statement<impl Mapper<versions::Row>> {
    versions_query!(
        "
        select *, false as leads, rank as score
        from feed.listed_posts
        where id = any((select $3::uuid[])::uuid[])
            and (
                community_id is null
                or author_id = $1
                or exists (
                    select
                    from feed.memberships m
                    where m.member_id = $1
                        and m.community_id = listed_posts.community_id
                )
            )
            and author_id not in (select member_id from blocked)
            and not exists (select from feed.hidden_members h where h.member_id = author_id)
        limit $2
        ",
        order by "p.id",
        viewer,
        101,
        ids,
    )
}

/// Selects the posts with at most 101 ids as a visitor sees them, with their versions and, if `is_whole`, the whole
/// text of articles. The statement that listed the posts checked who may see them; the same version means the same
/// post.
///
/// This is `posts_query` (rows.rs) without a viewer, with half of its plan. It reads the tables of reactions and
/// comments only where the counters, which include hidden rows, are not 0.
pub fn bodies(ids: &[Uuid], is_whole: bool) -> Statement<impl Mapper<Row>> {
    sqlx::query_as!(
        Row,
        r#"
        select
            p.id as "id?",
            p.author_id as "author_id?",
            case when $2 then p.content else coalesce(p.excerpt, p.content) end as "content?",
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
            false as "leads?",
            p.rank as "score?",
            p.community_id as "community_id?",
            case when p.community_id is not null then '' end as "community_name?",
            null::uuid as "my_id?",
            null::text as "my_kind?: ReactionKind",
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
            original.shown_author as "original_author?",
            coalesce(original.excerpt, original.content) as "original_content?",
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
            p.xmin::text::bigint as "version?",
            case
                when p.link_preview_id is not null
                then (select l.xmin::text::bigint from feed.link_previews l where l.id = p.link_preview_id)
            end as "preview_version?",
            case
                when original.version is not null
                then
                    array[
                        original.version::text::bigint,
                        case
                            when original.link_preview_id is not null
                            then (
                                select l.xmin::text::bigint
                                from feed.link_previews l
                                where l.id = original.link_preview_id
                            )
                        end
                    ]
            end as "original_versions?: Vec<Option<i64>>",
            (select h.xmin::text::bigint from feed.hidden_members_changes h) as "hidden_members_version?"
        from feed.posts p
        cross join lateral (
            select array_agg(member_id) as members, array_agg(kind) as kinds
            from (
                select member_id, kind
                from feed.reactions
                where post_id = p.id
                    and p.like_count > 0
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
                array_agg(null::text) as kinds
            from (
                select id, author_id, content, created_at, edited_at, reply_count, like_count
                from feed.comments
                where post_id = p.id
                    and p.comment_count > 0
                    and reply_to is null
                    and not exists (select from feed.hidden_members h where h.member_id = author_id)
                order by created_at desc, id desc
                limit 3
            ) as c
        ) as newest_comments
        left join lateral (
            select
                o.content, o.excerpt, o.title, o.picture_hash, o.picture_alt, o.picture_width, o.picture_height,
                o.video_url, o.media, o.link_preview_id, o.created_at, o.edited_at, o.xmin as version,
                case
                    when o.community_id is null
                        and not exists (select from feed.hidden_members h where h.member_id = o.author_id)
                    then o.author_id
                end as shown_author
            from feed.posts o
            where o.id = p.repost_of
            limit 1
        ) as original on true
        where p.id = any((select $1::uuid[])::uuid[])
        limit 101
        "#,
        ids,
        is_whole,
    )
}
