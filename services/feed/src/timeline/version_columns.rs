//! The columns of versions.rs that every statement reads for a post `p`: its row, its version apart from its own
//! transaction, and the columns that differ between viewers. $1 is the viewer.

/// Calls the macro `$query`, a path, with the parts of a statement: `$head` (up to the columns), the columns, `$from`
/// (further columns and the posts), the viewer's reactions to the comments shown, and `$tail`.
macro_rules! version_columns {
    (
        [$($query:tt)+], $row:path, [$($head:literal),* $(,)?], [$($from:literal),* $(,)?], [$($tail:literal),* $(,)?]
        $(, $argument:expr)* $(,)?
    ) => {
        $($query)+!(
            $row,
            [
                $($head,)*
                r#"
            p.id as "id?",
            p.author_id as "author_id?",
            p.community_id as "community_id?",
            p.created_at as "created_at?",
            p.like_count as "like_count?",
            case
                when p.link_preview_id is not null
                then (select l.xmin::text::bigint from feed.link_previews l where l.id = p.link_preview_id)
            end as "preview_version?",
            case
                when p.repost_of is not null
                then (
                    select
                        array[
                            o.xmin::text::bigint,
                            case
                                when o.link_preview_id is not null
                                then (
                                    select l.xmin::text::bigint
                                    from feed.link_previews l
                                    where l.id = o.link_preview_id
                                )
                            end
                        ]
                    from feed.posts o
                    where o.id = p.repost_of
                )
            end as "original_versions?: Vec<Option<i64>>",
            (select h.xmin::text::bigint from feed.hidden_members_changes h) as "hidden_members_version?",
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
            (
                select r.kind from feed.reactions r where r.post_id = p.id and r.member_id = $1
            ) as "my_kind?: ReactionKind",
            own.ids as "comment_ids?",
            own.kinds as "comment_kinds?: Vec<ReactionKind>"
            "#,
                $($from,)*
                r#"
            cross join lateral (
                select array_agg(r.comment_id) as ids, array_agg(r.kind) as kinds
                from (
                    select id, like_count
                    from feed.comments
                    where post_id = p.id
                        and p.has_comment_reactions
                        and $1::uuid is not null
                        and reply_to is null
                        and not exists (select from feed.hidden_members h where h.member_id = author_id)
                    order by created_at desc, id desc
                    limit 3
                ) as c
                join feed.comment_reactions r on r.comment_id = c.id
                where c.like_count > 0
                    and r.member_id = $1
            ) as own
            "#,
                $($tail,)*
            ]
            $(, $argument)*
        )
    };
}

/// A statement from its parts.
macro_rules! query_of_parts {
    ($row:path, [$first:literal $(, $part:literal)* $(,)?] $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!($row, $first $(+ $part)* $(, $argument)*)
    };
}

pub(super) use {query_of_parts, version_columns};
