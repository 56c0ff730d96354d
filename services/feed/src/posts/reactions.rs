//! Sets and removes reactions to posts. One statement changes the reaction and the counter and publishes the fact, so a
//! transaction needs no further round trip.
//!
//! The statement locks the post first, so the second of two concurrent requests finds the counter and the reaction of
//! the first and does not count it again. Without a change it writes nothing.
//!
//! Top and Relevant order by the counter, so its update writes all indexes of posts. A separate table of counters would
//! cost each listed post a lookup for its version; a separate table for the order costs as much as it saves (55 of 95
//! µs).

use outbox::UnitOfWork;
use uuid::Uuid;

use crate::{
    error::Error,
    publishing,
    reactions::Reaction,
    visibility::{refusal_to_write, visible_post_query},
};

/// The columns of the post that the caller needs.
struct Outcome {
    like_count: i64,
}

/// Sets the member's reaction. Returns the number of reactions to the post.
///
/// # Errors
/// [`Error::NotAWriter`] for an author who no longer belongs to the community of the post.
pub async fn set(work: &mut UnitOfWork<'_>, post_id: Uuid, reaction: Reaction) -> Result<i64, Error> {
    let fact = publishing::prepare_post_reacted(work, post_id, reaction);
    let outcome = visible_post_query!(
        Outcome,
        r#"
        with post as (
            select p.author_id, p.community_id, p.like_count
            from feed.posts p
            where p.id = $2
                and (
                    p.community_id is null
                    or exists (select from feed.memberships w where w.member_id = $1 and w.community_id = p.community_id)
                )
                and
        "#,
        r#"
            for no key update of p
        ),
        changed as (
            insert into feed.reactions as r (member_id, post_id, kind, created_at)
            select $1, $2, $3, $4
            from post
            on conflict (post_id, member_id) do update
            set kind = excluded.kind, changes = r.changes + 1
            where r.kind <> excluded.kind
            returning r.changes
        ),
        counted as (
            update feed.posts p
            set like_count = p.like_count + (changed.changes = 0)::integer
            from changed
            where p.id = $2
            returning p.like_count
        ),
        published as (
            -- Fields of PostReacted: 2 is the author, 5 the community.
            insert into feed.outbox (kind, key, payload, traceparent, at)
            select
                $5, $2::uuid::text,
                $6::bytea || feed.encode_field(2, post.author_id::text)
                    || coalesce(feed.encode_field(5, post.community_id::text), ''),
                $7, $4
            from post, changed
            returning case when $8::text is not null then pg_notify($8, '') end
        )
        select coalesce(counted.like_count, post.like_count) as "like_count!"
        from post
        left join counted on true
        "#,
        reaction.member_id,
        post_id,
        reaction.kind.name(),
        work.now,
        fact.kind,
        fact.payload,
        fact.traceparent,
        fact.channel,
    )
    .fetch_optional(&mut *work.db)
    .await?;
    match outcome {
        Some(outcome) => Ok(outcome.like_count),
        None => Err(refusal_to_write(work.db, reaction.member_id, post_id).await),
    }
}

/// Removes the member's reaction, if there is one. Returns the number of reactions to the post, or 0 to an author who
/// left its community and may not learn it.
pub async fn remove(work: &mut UnitOfWork<'_>, post_id: Uuid, member_id: Uuid) -> Result<i64, Error> {
    let fact = publishing::prepare_post_reaction_removed(work, post_id, member_id);
    let outcome = visible_post_query!(
        Outcome,
        r#"
        with post as (
            select
                p.author_id, p.like_count,
                p.community_id is null
                    or exists (select from feed.memberships w where w.member_id = $1 and w.community_id = p.community_id)
                    as sees_count
            from feed.posts p
            where p.id = $2
                and
        "#,
        r#"
            for no key update of p
        ),
        removed as (
            delete from feed.reactions r
            using post
            where r.member_id = $1
                and r.post_id = $2
            returning r.member_id
        ),
        counted as (
            update feed.posts p
            set like_count = p.like_count - 1
            from removed
            where p.id = $2
            returning p.like_count
        ),
        published as (
            -- Field 2 of PostReactionRemoved is the author.
            insert into feed.outbox (kind, key, payload, traceparent, at)
            select
                $3, $2::uuid::text,
                $4::bytea || feed.encode_field(2, post.author_id::text),
                $5, $6
            from post, removed
            returning case when $7::text is not null then pg_notify($7, '') end
        )
        select case when post.sees_count then coalesce(counted.like_count, post.like_count) else 0 end as "like_count!"
        from post
        left join counted on true
        "#,
        member_id,
        post_id,
        fact.kind,
        fact.payload,
        fact.traceparent,
        work.now,
        fact.channel,
    )
    .fetch_optional(&mut *work.db)
    .await?;
    Ok(outcome.ok_or(Error::PostNotFound)?.like_count)
}
