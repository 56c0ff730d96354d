//! Posts by their ids.

use uuid::Uuid;

use super::rows::{Row, posts_query};
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
