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

/// The posts that the viewer may see among at most 101 ids, with the conditions of visibility.rs.
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

/// The versions of these posts.
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

/// The posts with at most 101 ids as a visitor without blocks is shown them, with their versions; `is_whole`: with the whole text of
/// articles. Who may see them is checked by the statement that listed them: in the same version they are the same posts.
pub fn bodies(ids: &[Uuid], is_whole: bool) -> Statement<impl Mapper<Row>> {
    posts_query!(
        versioned "
        select
            id, author_id, content, case when not $4 then excerpt end as excerpt, title, picture_hash, picture_alt,
            picture_width, picture_height, video_url, media, link_preview_id, like_count, comment_count, share_count,
            created_at, edited_at, community_id, repost_of, xmin as version, false as leads, rank as score
        from feed.posts
        where id = any((select $3::uuid[])::uuid[])
        limit $2
        ",
        order by "p.id",
        None::<Uuid>,
        101,
        ids,
        is_whole,
    )
}
