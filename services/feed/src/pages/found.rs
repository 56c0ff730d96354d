//! Posts of which one has the ids.

use uuid::Uuid;

use super::statement::{Row, posts};
use crate::{
    reactions::Kind,
    sql::{Mapper, Statement},
};

/// Those of at most 101 posts that the viewer may see, by the rule of sight.rs.
pub(super) fn these(viewer: Option<Uuid>, ids: &[Uuid]) -> Statement<impl Mapper<Row>> {
    posts!(
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
            and author_id not in (select member_id from unseen)
            and not exists (select from feed.hidden_members h where h.member_id = author_id)
        limit $2
        ",
        order by "p.id",
        viewer,
        101,
        ids,
    )
}
