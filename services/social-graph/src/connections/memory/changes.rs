//! Reads the facts after a position and checks candidates in one statement, and reads the rows that the facts concern.

use std::collections::{HashMap, HashSet};

use portia_proto::social_graph::{ConnectionAccepted, ConnectionRemoved, MemberErased, MemberVisibilityChanged};
use primitives::ids;
use prost::{Message, Name as _};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{super::adjacency::Contact, Position};
use crate::error::Error;

/// The most facts that one look reads, with a number and without one each.
const MAX_FACTS: i64 = 2_000;

/// A change of the connections in memory, as a fact states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Connected(Uuid, Uuid),
    /// Also the end of a request.
    Disconnected(Uuid, Uuid),
    /// An account was closed or reopened.
    Closed(Uuid),
    Erased(Uuid),
}

/// A candidate without a row between it and the viewer, and with an open account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValidCandidate {
    /// The place among the candidates, from 0.
    pub place: usize,
    /// Only connections see the profile.
    pub unlisted: bool,
}

/// The result of a look.
#[derive(Debug)]
pub struct ChangeBatch {
    /// The changes, each with the id of its fact. A fact has an id before it has a number.
    pub changes: Vec<(i64, Change)>,
    pub valid: Vec<ValidCandidate>,
    /// The position after the changes.
    pub reached: Position,
    /// All facts were read.
    pub is_complete: bool,
    /// The facts follow the position. Otherwise some are pruned, or Postgres was restarted or restored.
    pub is_continuous: bool,
    /// Facts after the position that have a number.
    pub behind: i64,
    /// The time of the oldest fact that was read.
    pub oldest_at: Option<chrono::DateTime<chrono::Utc>>,
}

/// Reads the facts after `position`, and which of `candidates` can be suggested to `member`, in one statement.
///
/// The conditions are alternatives of one `or`, and an aggregate: otherwise they may become joins that read whole tables.
pub async fn read_changes(
    db: &mut PgConnection,
    position: Position,
    member: Uuid,
    candidates: &[Uuid],
) -> Result<ChangeBatch, Error> {
    let kinds = [
        ConnectionAccepted::full_name(),
        ConnectionRemoved::full_name(),
        MemberVisibilityChanged::full_name(),
        MemberErased::full_name(),
    ];
    let row = sqlx::query!(
        r#"with recent as materialized (
            (
                select id, seq, kind, payload, at
                from social_graph.outbox
                where seq > (select $1::bigint)
                order by seq
                limit (select $2::bigint)
            )
            union all
            (
                select id, seq, kind, payload, at
                from social_graph.outbox
                where seq is null
                order by id
                limit (select $2::bigint)
            )
        ),
        changes as (
            select array_agg(id) as ids, array_agg(kind) as kinds, array_agg(payload) as payloads
            from recent
            where kind = any($3)
        ),
        read as (
            select count(seq) as numbered, count(*) - count(seq) as unnumbered, min(seq) as first, max(seq) as last,
                min(at) as oldest_at
            from recent
        ),
        checked as (
            select array_agg(c.place order by c.place) as places, array_agg(c.unlisted order by c.place) as unlisted
            from (
                select c.place, account.unlisted
                from unnest($5::uuid[]) with ordinality as c (id, place)
                cross join lateral (
                    select coalesce(bool_or(m.hidden), false) as hidden, coalesce(bool_or(m.unlisted), false) as unlisted
                    from social_graph.members m
                    where m.member_id = c.id
                ) as account
                where not (
                    account.hidden
                    or exists (
                        select
                        from social_graph.connections k
                        where least(k.requester_id, k.recipient_id) = least($4::uuid, c.id)
                            and greatest(k.requester_id, k.recipient_id) = greatest($4::uuid, c.id)
                    )
                    or exists (
                        select
                        from social_graph.dismissed_suggestions d
                        where d.member_id = $4
                            and d.dismissed_id = c.id
                    )
                    or exists (
                        select
                        from social_graph.blocks b
                        where b.blocker_id = $4
                            and b.blocked_id = c.id
                    )
                    or exists (
                        select
                        from social_graph.blocks b
                        where b.blocker_id = c.id
                            and b.blocked_id = $4
                    )
                )
            ) as c
        )
        select
            s.history, s.n, changes.ids as "ids?", changes.kinds as "kinds?", changes.payloads as "payloads?",
            read.numbered as "numbered!", read.unnumbered as "unnumbered!", read.first, read.last, read.oldest_at,
            checked.places as "places?", checked.unlisted as "unlisted?"
        from social_graph.outbox_sequence s, changes, read, checked
        where s.id = 1"#,
        position.seq,
        MAX_FACTS,
        &kinds,
        member,
        candidates,
    )
    .fetch_one(db)
    .await?;
    let facts = row.kinds.unwrap_or_default().into_iter().zip(row.payloads.unwrap_or_default());
    let facts = row.ids.unwrap_or_default().into_iter().zip(facts);
    let checked = row.places.unwrap_or_default().into_iter().zip(row.unlisted.unwrap_or_default());
    let is_next = row.n == position.seq || row.first == position.seq.checked_add(1);
    let all_numbered = row.numbered < MAX_FACTS;
    Ok(ChangeBatch {
        changes: facts.filter_map(|(id, (kind, payload))| Some((id, parse(&kind, &payload)?))).collect(),
        valid: checked
            .filter_map(|(place, unlisted)| Some(ValidCandidate { place: usize::try_from(place - 1).ok()?, unlisted }))
            .collect(),
        reached: Position { seq: if all_numbered { row.n } else { row.last.unwrap_or(row.n) }, ..position },
        is_complete: all_numbered && row.unnumbered < MAX_FACTS,
        is_continuous: row.history == position.history && is_next,
        behind: row.n - position.seq,
        oldest_at: row.oldest_at,
    })
}

/// Parses the change in a fact; `None` for a fact of another release.
fn parse(kind: &str, payload: &[u8]) -> Option<Change> {
    let id = |raw: &str| ids::parse("memberId", raw).ok();
    match kind.rsplit('.').next()? {
        ConnectionAccepted::NAME => {
            let fact = ConnectionAccepted::decode(payload).ok()?;
            Some(Change::Connected(id(&fact.requester_id)?, id(&fact.recipient_id)?))
        }
        ConnectionRemoved::NAME => {
            let fact = ConnectionRemoved::decode(payload).ok()?;
            Some(Change::Disconnected(id(&fact.requester_id)?, id(&fact.recipient_id)?))
        }
        MemberVisibilityChanged::NAME => {
            Some(Change::Closed(id(&MemberVisibilityChanged::decode(payload).ok()?.member_id)?))
        }
        MemberErased::NAME => Some(Change::Erased(id(&MemberErased::decode(payload).ok()?.member_id)?)),
        _ => None,
    }
}

/// Reads the accepted connections of members, newest first.
pub(super) async fn read_lists(db: &mut PgConnection, members: &[Uuid]) -> Result<HashMap<Uuid, Vec<Contact>>, Error> {
    let rows = sqlx::query!(
        r#"select d.id as "member!", c.recipient_id = d.id as "received!",
            case when c.recipient_id = d.id then c.requester_id else c.recipient_id end as "other!",
            case when c.recipient_id = d.id then c.requester_hidden else c.recipient_hidden end as "hidden!"
        from unnest($1::uuid[]) as d (id)
        cross join lateral (
            select id, requester_id, recipient_id, requester_hidden, recipient_hidden, status, answered_at
            from social_graph.connections
            where least(requester_id, recipient_id) = d.id
            union all
            select id, requester_id, recipient_id, requester_hidden, recipient_hidden, status, answered_at
            from social_graph.connections
            where greatest(requester_id, recipient_id) = d.id
        ) as c
        where c.status = 'accepted'
        order by d.id, c.answered_at desc, c.id desc"#,
        members,
    )
    .fetch_all(db)
    .await?;
    let mut lists: HashMap<Uuid, Vec<Contact>> = members.iter().map(|member| (*member, Vec::new())).collect();
    for row in rows {
        let contact = Contact { member: row.other, received: row.received, hidden: row.hidden };
        lists.entry(row.member).or_default().push(contact);
    }
    Ok(lists)
}

/// Reads which of `members` have closed accounts.
pub(super) async fn read_closed(db: &mut PgConnection, members: &[Uuid]) -> Result<HashSet<Uuid>, Error> {
    let closed = sqlx::query_scalar!(
        "select member_id
        from social_graph.members
        where member_id = any($1)
            and hidden",
        members,
    );
    Ok(closed.fetch_all(db).await?.into_iter().collect())
}
