//! Demo conversations: what the cast of sixty say to each other, told in `demo/talks.txt`.

mod script;

use anyhow::Context as _;
use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use uuid::Uuid;

use crate::{
    conversations::Folder,
    standing::{self, Effects},
};
use script::Talk;

/// Writes the demo's conversations, unless it was done before. Tells no facts: nobody is to be notified of what happened
/// before they came.
///
/// # Errors
/// When the database is away.
pub async fn load(context: &ServiceContext) -> anyhow::Result<()> {
    let mut connection = context.database.clone().context("messaging has no database")?.connect().await?;
    let talks = script::read()?;
    let mut tx = connection.begin().await?;
    let mut counted = Effects::default();
    for talk in &talks {
        stage(&mut tx, context, talk, &mut counted).await?;
    }
    counted.unread.keep(&mut tx).await?;
    tx.commit().await?;
    connection.close().await?;
    Ok(())
}

/// The id of a member of the cast: the same in every service's demo.
fn member(number: usize) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 | (number << 10) as u128 | number as u128)
}

/// When each message was sent, the last one so long ago: mostly minutes apart, and now and then somebody slept over it.
fn times(now: DateTime<Utc>, talk: &Talk) -> Vec<DateTime<Utc>> {
    let mut at = now - talk.ago;
    let mut times: Vec<DateTime<Utc>> = talk
        .said
        .iter()
        .rev()
        .map(|(_, words)| {
            let (said, length) = (at, i64::try_from(words.len()).unwrap_or_default());
            let pause = TimeDelta::seconds(20 + length * 3);
            at -= if length % 5 == 0 { pause + TimeDelta::hours(7) } else { pause };
            said
        })
        .collect();
    times.reverse();
    times
}

/// One conversation. That the two are connected may have been heard before, which opened it, or is heard later; where
/// something was said, all of it was.
async fn stage(
    db: &mut PgConnection,
    context: &ServiceContext,
    talk: &Talk,
    counted: &mut Effects,
) -> anyhow::Result<()> {
    let [one, other] = talk.members.map(member);
    let times = times(context.clock.now(), talk);
    let (opened_at, ended_at) = times.first().copied().zip(times.last().copied()).context("nobody says anything")?;
    sqlx::query!(
        "insert into messaging.conversations (id, lower_member_id, upper_member_id, opened_at)
        values ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), $4)
        on conflict (lower_member_id, upper_member_id) do nothing",
        context.ids.new_owner(),
        one,
        other,
        opened_at,
    )
    .execute(&mut *db)
    .await?;
    let id = standing::lock_of(db, one, other).await?.context("the conversation is gone")?;
    let count = i64::try_from(talk.said.len())?;
    let begun = sqlx::query!(
        "update messaging.conversations
        set
            last_seq = $2,
            last_message = $3,
            last_message_at = $4,
            requested_by = $5
        where id = $1
            and last_seq = 0",
        id,
        count,
        talk.said.last().map(|(_, words)| words),
        ended_at,
        talk.request.then_some(one),
    )
    .execute(&mut *db)
    .await?;
    if begun.rows_affected() == 1 {
        say(db, context, id, talk, &times).await?;
        take_sides(db, id, talk, ended_at, counted).await?;
    }
    Ok(())
}

async fn say(
    db: &mut PgConnection,
    context: &ServiceContext,
    id: Uuid,
    talk: &Talk,
    times: &[DateTime<Utc>],
) -> Result<(), sqlx::Error> {
    let ids: Vec<Uuid> = talk.said.iter().map(|_| context.ids.owned_by(id)).collect();
    let senders: Vec<Uuid> = talk.said.iter().map(|(who, _)| member(*who)).collect();
    let contents: Vec<String> = talk.said.iter().map(|(_, words)| words.clone()).collect();
    sqlx::query!(
        "insert into messaging.messages (id, conversation_id, seq, sender_id, content, sent_at)
        select said.id, $1, said.seq, said.sender_id, said.content, said.sent_at
        from unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[])
            with ordinality as said (id, sender_id, content, sent_at, seq)",
        id,
        &ids,
        &senders,
        &contents,
        times,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Both have read it, but for what waits for whoever did not say the last of it.
async fn take_sides(
    db: &mut PgConnection,
    id: Uuid,
    talk: &Talk,
    ended_at: DateTime<Utc>,
    counted: &mut Effects,
) -> anyhow::Result<()> {
    let [one, other] = talk.members;
    let last = talk.said.last().map(|(who, _)| *who);
    for (who, partner) in [(one, other), (other, one)] {
        let unread = if last == Some(who) { 0 } else { talk.unread };
        let folder = if talk.request && who == other { Folder::Requests } else { Folder::Inbox };
        sqlx::query!(
            "insert into messaging.participants
                (conversation_id, member_id, other_member_id, active_at, folder, read_seq, unread_count)
            values ($1, $2, $3, $4, $5, $6, $7)
            on conflict (conversation_id, member_id) do update
            set
                active_at = excluded.active_at,
                read_seq = excluded.read_seq,
                unread_count = excluded.unread_count",
            id,
            member(who),
            member(partner),
            ended_at,
            folder.name(),
            i64::try_from(talk.said.len() - unread)?,
            i32::try_from(unread)?,
        )
        .execute(&mut *db)
        .await?;
        counted.count(member(who), folder, 0, i32::try_from(unread)?);
    }
    Ok(())
}
