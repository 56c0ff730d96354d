//! The demo's graph: who of the cast knows whom, their communities, and events to come.

mod pairs;

use anyhow::Context as _;
use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use outbox::Outbox;
use primitives::{clock::Clock, ids::Ids};
use serde::Deserialize;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use uuid::Uuid;

use crate::{
    communities::{Role, steps},
    facts::{self, events::Announced},
    members::Key,
    search,
};
use pairs::{Pair, lot, pairs};

const STAGE: &str = include_str!("demo/stage.json");
/// Members of the cast; the first two are the sign-ins.
const CAST: u32 = 60;

#[derive(Deserialize)]
struct Stage {
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
    /// The hour it begins, in UTC.
    at_utc: i64,
    hours: i64,
    organiser: u32,
    attendees: usize,
}

/// Makes the cast's graph, unless it is there: all of it or, when something fails, nothing. All of it is told as facts,
/// since others keep their own copies of who knows whom, belongs where and comes to what, and hear from the first moment
/// on.
///
/// # Errors
/// When the database is away.
pub async fn load(context: &ServiceContext) -> anyhow::Result<()> {
    let stage: Stage = serde_json::from_str(STAGE)?;
    let mut connection = context.database.clone().context("social-graph has no database")?.connect().await?;
    let cast: Vec<Uuid> = (1..=CAST).map(member).collect();
    let loaded = sqlx::query_scalar!(
        r#"select exists (select from social_graph.connections where requester_id = any($1)) as "loaded!""#,
        &cast,
    );
    if !loaded.fetch_one(&mut connection).await? {
        let mut tx = connection.begin().await?;
        join(&mut tx, context).await?;
        connect(&mut tx, context).await?;
        for (n, community) in (1..).zip(&stage.communities) {
            gather(&mut tx, context, n, community).await?;
        }
        for (n, event) in (1..).zip(&stage.events) {
            announce(&mut tx, context, n, event).await?;
        }
        tx.commit().await?;
    }
    connection.close().await?;
    Ok(())
}

/// The id of a member of the cast: the same in every service's demo.
fn member(number: u32) -> Uuid {
    let number = u128::from(number);
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 | number << 10 | number)
}

/// The id of a community of the stage, in its order from 1 on: feed's demo has posts in them.
fn community(number: u32) -> Uuid {
    let number = u128::from(number);
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0001_0000_0000 | number << 10 | number)
}

/// When a member of the cast came, as profile's demo has it: the higher the number, the later.
fn joined(now: DateTime<Utc>, number: u32) -> DateTime<Utc> {
    now - TimeDelta::hours(i64::from(24 * 90) - i64::from(30 * number))
}

/// The moment that `part` of the time since `from` has passed.
fn between(from: DateTime<Utc>, now: DateTime<Utc>, part: f64) -> DateTime<Utc> {
    let percent = (part * 10_000.0) as i32;
    from + (now - from) / 10_000 * percent
}

/// `count` of the cast without `but`, by lot.
fn some(count: usize, but: u32, salt: u32) -> Vec<u32> {
    let mut cast: Vec<u32> = (1..=CAST).filter(|number| *number != but).collect();
    cast.sort_by(|a, b| lot(*a, 0, salt).total_cmp(&lot(*b, 0, salt)));
    cast.truncate(count);
    cast
}

async fn join(db: &mut PgConnection, context: &ServiceContext) -> Result<(), sqlx::Error> {
    let now = context.clock.now();
    let joins: Vec<DateTime<Utc>> = (1..=CAST).map(|number| joined(now, number)).collect();
    let active: Vec<DateTime<Utc>> =
        (1..=CAST).map(|number| between(joined(now, number), now, lot(number, 0, 1))).collect();
    sqlx::query!(
        "insert into social_graph.members as known (member_id, joined_at, active_at)
        select member_id, joined_at, active_at
        from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as came (member_id, joined_at, active_at)
        order by member_id
        on conflict (member_id) do update
        set
            joined_at = excluded.joined_at,
            active_at = excluded.active_at",
        &(1..=CAST).map(member).collect::<Vec<_>>(),
        &joins,
        &active,
    )
    .execute(db)
    .await?;
    Ok(())
}

async fn connect(db: &mut PgConnection, context: &ServiceContext) -> Result<(), anyhow::Error> {
    let (outbox, now) = (Outbox::new("social_graph"), context.clock.now());
    for Pair { requester, recipient, accepted } in pairs() {
        let both = joined(now, requester.max(recipient));
        // Who waits has not waited long.
        let since = if accepted { both } else { both.max(now - TimeDelta::days(6)) };
        let asked = between(since, now, lot(requester, recipient, 4));
        // An id tells when it was made, and messaging's lists follow it.
        let id = Ids::random(Clock::fixed(asked)).owned_by(member(requester));
        let answered = accepted.then(|| between(asked, now, lot(requester, recipient, 5) / 2.0));
        let (one, other) = (member(requester), member(recipient));
        sqlx::query!(
            "insert into social_graph.connections
                (id, requester_id, recipient_id, status, requested_at, answered_at)
            values ($1, $2, $3, case when $4 then 'accepted' else 'pending' end, $5, $6)",
            id,
            one,
            other,
            accepted,
            asked,
            answered,
        )
        .execute(&mut *db)
        .await?;
        facts::stood(&outbox, db, id, one, other, accepted, now).await?;
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
        &(1..=CAST).map(member).collect::<Vec<_>>(),
    )
    .execute(db)
    .await?;
    Ok(())
}

async fn gather(
    db: &mut PgConnection,
    context: &ServiceContext,
    n: u32,
    on_stage: &Community,
) -> Result<(), anyhow::Error> {
    let (id, now) = (community(n), context.clock.now());
    let mut cast = vec![on_stage.owner];
    cast.extend(some(on_stage.members - 1, on_stage.owner, 100 + n));
    let began = now - TimeDelta::days(58) + TimeDelta::hours(i64::from(7 * n));
    let times: Vec<DateTime<Utc>> = cast
        .iter()
        .map(|number| if *number == on_stage.owner { began } else { between(began, now, lot(*number, n, 6)) })
        .collect();
    let members: Vec<Uuid> = cast.into_iter().map(member).collect();
    sqlx::query!(
        "insert into social_graph.communities (id, name, name_key, description, rules, member_count, created_at)
        values ($1, $2, $3, $4, $5, cardinality($6::uuid[]), $7)",
        id,
        on_stage.name,
        Key::of(Some(&on_stage.name)).0,
        on_stage.description,
        on_stage.rules,
        &members,
        began,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "insert into social_graph.memberships (community_id, member_id, role, joined_at)
        select $1, member_id, case when member_id = $2 then 'owner' else 'member' end, joined_at
        from unnest($3::uuid[], $4::timestamptz[]) as joined (member_id, joined_at)",
        id,
        member(on_stage.owner),
        &members,
        &times,
    )
    .execute(&mut *db)
    .await?;
    search::index(db, id).await?;
    steps::count(db, 1).await?;
    let outbox = Outbox::new("social_graph");
    facts::community_called(&outbox, db, id, &on_stage.name, now).await?;
    for one in members {
        let role = if one == member(on_stage.owner) { Role::Owner } else { Role::Member };
        facts::joined(&outbox, db, id, one, role, now).await?;
    }
    Ok(())
}

async fn announce(db: &mut PgConnection, context: &ServiceContext, n: u32, event: &Event) -> Result<(), sqlx::Error> {
    let (organiser, now) = (member(event.organiser), context.clock.now());
    let id = context.ids.owned_by(organiser);
    let midnight = now.date_naive().and_time(chrono::NaiveTime::MIN).and_utc();
    let starts_at = midnight + TimeDelta::days(event.in_days) + TimeDelta::hours(event.at_utc);
    let created_at = now - TimeDelta::days(9) + TimeDelta::hours(i64::from(5 * n));
    let mut attendees = vec![event.organiser];
    attendees.extend(some(event.attendees - 1, event.organiser, 200 + n));
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
    .execute(&mut *db)
    .await?;
    let ids: Vec<Uuid> = attendees.iter().map(|_| context.ids.owned_by(id)).collect();
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
    .execute(&mut *db)
    .await?;
    let (outbox, organiser) = (Outbox::new("social_graph"), Some(organiser));
    let announced = Announced { id, organiser, title: &event.title, revision: 0, moved: false };
    facts::events::told(&outbox, db, &announced, now).await?;
    for one in attendees {
        facts::events::joined(&outbox, db, id, one, now).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stage_keeps_to_the_tables_and_the_cast() {
        let stage: Stage = serde_json::from_str(STAGE).unwrap();
        for community in &stage.communities {
            assert!((1..=CAST).contains(&community.owner) && (1..=60).contains(&community.members));
        }
        for event in &stage.events {
            assert!((1..=CAST).contains(&event.organiser) && (1..=30).contains(&event.attendees));
        }
    }
}
