//! Demo data: connections of the demo members, their communities and upcoming events.

mod connections;

use anyhow::Context as _;
use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use outbox::{Changes, Outbox, UnitOfWork};
use primitives::{clock::Clock, ids::Ids};
use serde::Deserialize;
use sqlx::{ConnectOptions as _, Connection as _};
use uuid::Uuid;

use crate::{
    communities::{Role, changes, search},
    members::ComparisonKey,
    publishing::{self, events::EventState},
};
use connections::{Pair, fraction, pairs};

const DEMO_DATA: &str = include_str!("demo/communities-and-events.json");
/// The number of demo members. The first two are the accounts that demo users sign in with.
const MEMBERS: u32 = 60;

#[derive(Deserialize)]
struct DemoData {
    communities: Vec<Community>,
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct Community {
    name: String,
    description: String,
    rules: Option<String>,
    owner: u32,
    members: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    title: String,
    description: String,
    location: Option<String>,
    time_zone: String,
    in_days: i64,
    /// The hour of the start, in UTC.
    at_utc: i64,
    hours: i64,
    organiser: u32,
    attendees: usize,
}

/// Inserts the demo data in one transaction, unless it exists, and publishes it as facts for the read models of the other
/// services.
///
/// # Errors
/// When the database is unavailable.
pub async fn load(context: &ServiceContext) -> anyhow::Result<()> {
    let data: DemoData = serde_json::from_str(DEMO_DATA)?;
    let mut connection = context.database.clone().context("social-graph has no database")?.connect().await?;
    let members: Vec<Uuid> = (1..=MEMBERS).map(member).collect();
    let loaded = sqlx::query_scalar!(
        r#"select exists (select from social_graph.connections where requester_id = any($1)) as "loaded!""#,
        &members,
    );
    if !loaded.fetch_one(&mut connection).await? {
        let mut tx = connection.begin().await?;
        let changes = Changes::new(context, &Outbox::new("social_graph"));
        let work = &mut changes.work(&mut tx);
        insert_members(work).await?;
        insert_connections(work).await?;
        for (n, community) in (1..).zip(&data.communities) {
            insert_community(work, n, community).await?;
        }
        for (n, event) in (1..).zip(&data.events) {
            insert_event(work, n, event).await?;
        }
        tx.commit().await?;
    }
    connection.close().await?;
    Ok(())
}

/// The id of a demo member, which is the same in every service.
fn member(number: u32) -> Uuid {
    let number = u128::from(number);
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 | number << 10 | number)
}

/// The id of the community at a position, from 1. The demo data of feed has posts in them.
fn community(number: u32) -> Uuid {
    let number = u128::from(number);
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0001_0000_0000 | number << 10 | number)
}

/// When a demo member registered, as in the demo data of profile: the higher the number, the later.
fn joined_at(now: DateTime<Utc>, number: u32) -> DateTime<Utc> {
    now - TimeDelta::hours(i64::from(24 * 90) - i64::from(30 * number))
}

/// The time at the fraction `part` between `from` and `now`.
fn between(from: DateTime<Utc>, now: DateTime<Utc>, part: f64) -> DateTime<Utc> {
    let percent = (part * 10_000.0) as i32;
    from + (now - from) / 10_000 * percent
}

/// A pseudorandom choice of `count` demo members without `excluded`.
fn sample(count: usize, excluded: u32, salt: u32) -> Vec<u32> {
    let mut members: Vec<u32> = (1..=MEMBERS).filter(|number| *number != excluded).collect();
    members.sort_by(|a, b| fraction(*a, 0, salt).total_cmp(&fraction(*b, 0, salt)));
    members.truncate(count);
    members
}

async fn insert_members(work: &mut UnitOfWork<'_>) -> Result<(), sqlx::Error> {
    let now = work.now;
    let joins: Vec<DateTime<Utc>> = (1..=MEMBERS).map(|number| joined_at(now, number)).collect();
    let active: Vec<DateTime<Utc>> =
        (1..=MEMBERS).map(|number| between(joined_at(now, number), now, fraction(number, 0, 1))).collect();
    sqlx::query!(
        "insert into social_graph.members as known (member_id, joined_at, active_at)
        select member_id, joined_at, active_at
        from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as came (member_id, joined_at, active_at)
        order by member_id
        on conflict (member_id) do update
        set
            joined_at = excluded.joined_at,
            active_at = excluded.active_at",
        &(1..=MEMBERS).map(member).collect::<Vec<_>>(),
        &joins,
        &active,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

async fn insert_connections(work: &mut UnitOfWork<'_>) -> anyhow::Result<()> {
    let now = work.now;
    for Pair { requester, recipient, accepted } in pairs() {
        let registered = joined_at(now, requester.max(recipient));
        // A pending request is at most six days old.
        let since = if accepted { registered } else { registered.max(now - TimeDelta::days(6)) };
        let requested = between(since, now, fraction(requester, recipient, 4));
        // The id contains the creation time, and the lists of messaging are ordered by it.
        let id = Ids::random(Clock::fixed(requested)).owned_by(member(requester));
        let answered = accepted.then(|| between(requested, now, fraction(requester, recipient, 5) / 2.0));
        let (requester_id, recipient_id) = (member(requester), member(recipient));
        sqlx::query!(
            "insert into social_graph.connections
                (id, requester_id, recipient_id, status, requested_at, answered_at)
            values ($1, $2, $3, case when $4 then 'accepted' else 'pending' end, $5, $6)",
            id,
            requester_id,
            recipient_id,
            accepted,
            requested,
            answered,
        )
        .execute(&mut *work.db)
        .await?;
        if accepted {
            publishing::publish_accepted(work, id, requester_id, recipient_id).await?;
        } else {
            publishing::publish_requested(work, id, requester_id, recipient_id).await?;
        }
    }
    sqlx::query!(
        "insert into social_graph.member_counts (member_id, connections, requests)
        select member_id, sum(connections), sum(requests)
        from (
            select requester_id as member_id, 1 as connections, 0 as requests
            from social_graph.connections
            where status = 'accepted'
            union all
            select recipient_id, 1, 0
            from social_graph.connections
            where status = 'accepted'
            union all
            select recipient_id, 0, 1
            from social_graph.connections
            where status = 'pending'
        ) as sides
        where member_id = any($1)
        group by member_id
        order by member_id",
        &(1..=MEMBERS).map(member).collect::<Vec<_>>(),
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

async fn insert_community(work: &mut UnitOfWork<'_>, n: u32, data: &Community) -> anyhow::Result<()> {
    let (id, now) = (community(n), work.now);
    let mut numbers = vec![data.owner];
    numbers.extend(sample(data.members - 1, data.owner, 100 + n));
    let created_at = now - TimeDelta::days(58) + TimeDelta::hours(i64::from(7 * n));
    let times: Vec<DateTime<Utc>> = numbers
        .iter()
        .map(
            |number| if *number == data.owner { created_at } else { between(created_at, now, fraction(*number, n, 6)) },
        )
        .collect();
    let members: Vec<Uuid> = numbers.into_iter().map(member).collect();
    sqlx::query!(
        "insert into social_graph.communities (id, name, name_key, description, rules, member_count, created_at)
        values ($1, $2, $3, $4, $5, cardinality($6::uuid[]), $7)",
        id,
        data.name,
        ComparisonKey::from_text(Some(&data.name)).0,
        data.description,
        data.rules,
        &members,
        created_at,
    )
    .execute(&mut *work.db)
    .await?;
    sqlx::query!(
        "insert into social_graph.memberships (community_id, member_id, role, joined_at)
        select $1, member_id, case when member_id = $2 then 'owner' else 'member' end, joined_at
        from unnest($3::uuid[], $4::timestamptz[]) as joined (member_id, joined_at)",
        id,
        member(data.owner),
        &members,
        &times,
    )
    .execute(&mut *work.db)
    .await?;
    search::index(work.db, id).await?;
    changes::adjust_count(work.db, 1).await?;
    publishing::publish_community_changed(work, id, &data.name).await?;
    for member_id in members {
        let role = if member_id == member(data.owner) { Role::Owner } else { Role::Member };
        publishing::publish_community_joined(work, id, member_id, role).await?;
    }
    Ok(())
}

async fn insert_event(work: &mut UnitOfWork<'_>, n: u32, event: &Event) -> anyhow::Result<()> {
    let (organiser, now) = (member(event.organiser), work.now);
    let id = work.ids.owned_by(organiser);
    let midnight = now.date_naive().and_time(chrono::NaiveTime::MIN).and_utc();
    let starts_at = midnight + TimeDelta::days(event.in_days) + TimeDelta::hours(event.at_utc);
    let created_at = now - TimeDelta::days(9) + TimeDelta::hours(i64::from(5 * n));
    let mut attendees = vec![event.organiser];
    attendees.extend(sample(event.attendees - 1, event.organiser, 200 + n));
    let attendees: Vec<Uuid> = attendees.into_iter().map(member).collect();
    sqlx::query!(
        "insert into social_graph.events
            (id, title, description, location, starts_at, ends_at, time_zone, organiser_id, attendee_count, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, cardinality($9::uuid[]), $10)",
        id,
        event.title,
        event.description,
        event.location,
        starts_at,
        starts_at + TimeDelta::hours(event.hours),
        event.time_zone,
        organiser,
        &attendees,
        created_at,
    )
    .execute(&mut *work.db)
    .await?;
    let ids: Vec<Uuid> = attendees.iter().map(|_| work.ids.owned_by(id)).collect();
    let times: Vec<DateTime<Utc>> =
        (0..).zip(&attendees).map(|(place, _)| between(created_at, now, f64::from(place) / 30.0)).collect();
    sqlx::query!(
        "insert into social_graph.attendances (id, event_id, member_id, said_at)
        select id, $1, member_id, said_at
        from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as said (id, member_id, said_at)",
        id,
        &ids,
        &attendees,
        &times,
    )
    .execute(&mut *work.db)
    .await?;
    let state = EventState { id, organiser: Some(organiser), title: &event.title, revision: 0, moved: false };
    publishing::events::publish_changed(work, &state).await?;
    for attendee in attendees {
        publishing::events::publish_attended(work, id, attendee).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_data_refers_to_demo_members_and_fits_the_tables() {
        let data: DemoData = serde_json::from_str(DEMO_DATA).unwrap();
        for community in &data.communities {
            assert!((1..=MEMBERS).contains(&community.owner) && (1..=60).contains(&community.members));
        }
        for event in &data.events {
            assert!((1..=MEMBERS).contains(&event.organiser) && (1..=30).contains(&event.attendees));
        }
    }
}
