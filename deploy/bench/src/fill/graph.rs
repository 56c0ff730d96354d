//! social_graph: connections, requests, blocks, communities, events, and the copies of members.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use super::Progress;
use crate::{
    copy::copy,
    world::{Stamps, World, rng::Rng, words},
};

const CONNECTIONS: u64 = 21;
const COMMUNITIES: u64 = 22;

const RULES: &str = "Be kind, cite what you rely on, and keep clients out of it.";

pub(super) async fn fill(db: &mut PgConnection, world: &World, progress: Progress<'_>) -> anyhow::Result<()> {
    progress("Connecting members ...");
    members(db, world).await?;
    connections(db, world).await?;
    blocks(db, world).await?;
    progress("Creating communities and events ...");
    communities(db, world).await?;
    events(db, world).await
}

async fn members(db: &mut PgConnection, world: &World) -> anyhow::Result<()> {
    let columns = "social_graph.members (member_id, school_key, location_key, joined_at, active_at)";
    copy(db, columns, world.members.iter(), |row, member| {
        let (school, place) = (member.school_key(), member.place_key());
        row.put(member.id).put(school.as_deref()).put(place.as_deref()).put(member.joined_at).put(member.active_at);
    })
    .await?;
    let columns = "social_graph.member_counts (member_id, connections, requests)";
    let counted =
        world.members.numbered().zip(world.relationships.degrees.iter().zip(world.relationships.requests.iter()));
    copy(db, columns, counted, |row, ((_, member), (connections, requests))| {
        row.put(member.id).put(i64::from(*connections)).put(i64::from(*requests));
    })
    .await?;
    Ok(())
}

/// Pairs with one status, and its date.
type StatusPairs<'a> = (&'static str, &'a [(u32, u32)], DateTime<Utc>);

async fn connections(db: &mut PgConnection, world: &World) -> anyhow::Result<()> {
    let (mut rng, mut stamps) = (Rng::of(CONNECTIONS), Stamps::of(CONNECTIONS));
    let days = |days| world.now - TimeDelta::days(days);
    let relationships = &world.relationships;
    // Accepted ones are spread over two years; pending and rejected ones are recent, within the 30 days before a new
    // request.
    let lists: [StatusPairs<'_>; 3] = [
        ("accepted", &relationships.accepted, days(729)),
        ("pending", &relationships.pending, days(20)),
        ("rejected", &relationships.rejected, days(25)),
    ];
    let rows = lists.into_iter().flat_map(|(status, pairs, since)| pairs.iter().map(move |pair| (status, pair, since)));
    let columns = "social_graph.connections (id, requester_id, recipient_id, status, requested_at, answered_at)";
    copy(db, columns, rows, |row, (status, (requester, recipient), since)| {
        let (requester, recipient) = (world.members[*requester].id, world.members[*recipient].id);
        let requested = rng.between(since, world.now);
        let answered =
            (status != "pending").then(|| rng.between(requested, (requested + TimeDelta::days(3)).min(world.now)));
        row.put(stamps.owned_by(requester, requested))
            .put(requester)
            .put(recipient)
            .put(status)
            .put(requested)
            .put(answered);
    })
    .await?;
    Ok(())
}

/// Blocks and dismissed suggestions.
async fn blocks(db: &mut PgConnection, world: &World) -> anyhow::Result<()> {
    let mut rng = Rng::of(CONNECTIONS + 100);
    let lists = [
        ("social_graph.blocks (blocker_id, blocked_id, blocked_at)", &world.relationships.blocks),
        ("social_graph.dismissed_suggestions (member_id, dismissed_id, dismissed_at)", &world.relationships.dismissed),
    ];
    for (columns, pairs) in lists {
        copy(db, columns, pairs, |row, (one, other)| {
            let at = rng.between(world.now - TimeDelta::days(700), world.now);
            row.put(world.members[*one].id).put(world.members[*other].id).put(at);
        })
        .await?;
    }
    Ok(())
}

async fn communities(db: &mut PgConnection, world: &World) -> anyhow::Result<()> {
    let mut rng = Rng::of(COMMUNITIES);
    let columns = "social_graph.communities (id, name, name_key, description, rules, member_count, created_at)";
    copy(db, columns, world.communities.iter(), |row, community| {
        let about = format!("Everything about {}, for those who do it and those who mean to.", community.name);
        let count = i64::try_from(community.members.len()).unwrap_or_default();
        row.put(community.id).put(&*community.name).put(&*community.name.to_lowercase()).put(&*about);
        row.put(rng.chance(0.7).then_some(RULES)).put(count).put(community.created_at);
    })
    .await?;
    sqlx::raw_sql(
        "update social_graph.totals
        set communities = (select count(*) from social_graph.communities)",
    )
    .execute(&mut *db)
    .await?;
    let belonging = world.communities.iter().flat_map(|community| {
        community.members.iter().enumerate().map(move |(index, member)| (community, index, member))
    });
    let columns = "social_graph.memberships (community_id, member_id, role, joined_at)";
    copy(db, columns, belonging, |row, (community, index, member)| {
        let joined = if index == 0 { community.created_at } else { rng.between(community.created_at, world.now) };
        let role = if index == 0 { "owner" } else { "member" };
        row.put(community.id).put(world.members[*member].id).put(role).put(joined);
    })
    .await?;
    Ok(())
}

async fn events(db: &mut PgConnection, world: &World) -> anyhow::Result<()> {
    let mut stamps = Stamps::of(COMMUNITIES);
    let mut rng = Rng::of(COMMUNITIES + 100);
    let columns = "social_graph.events (id, title, description, location, starts_at, ends_at, time_zone, \
        organiser_id, attendee_count, created_at)";
    copy(db, columns, world.events.numbered(), |row, (number, event)| {
        let (town, _, zone) = words::town(rng.below(1_000));
        let title = format!("{} in {town}", words::field(number));
        let count = i64::try_from(event.attendees.len()).unwrap_or_default();
        row.put(event.id)
            .put(&*title)
            .put("Doors open half an hour before. Bring your bar card, or your student's one.");
        row.put(rng.chance(0.8).then_some(town)).put(event.starts_at).put(event.ends_at).put(zone);
        row.put(world.members[event.organiser].id).put(count).put(event.created_at);
    })
    .await?;
    let coming = world
        .events
        .iter()
        .flat_map(|event| event.attendees.iter().enumerate().map(move |(index, member)| (event, index, member)));
    copy(db, "social_graph.attendances (id, event_id, member_id, said_at)", coming, |row, (event, index, member)| {
        let end = event.starts_at.min(world.now);
        let at = if index == 0 { event.created_at } else { rng.between(event.created_at, end) };
        row.put(stamps.owned_by(event.id, at)).put(event.id).put(world.members[*member].id).put(at);
    })
    .await?;
    Ok(())
}
