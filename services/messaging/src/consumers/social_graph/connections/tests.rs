//! Random facts of connections have the same result together and one by one.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use outbox::Outbox;
use primitives::{ids::Ids, input::Text};
use sqlx::AssertSqlSafe;
use testkit::{Database, clock, member};

use super::*;
use crate::{
    MIGRATOR,
    conversations::{blocks, mute, state, transitions},
    deactivation::{self, erase},
    messages::send::{self, NewMessage},
    notifications::{
        mark_read::{self, ReadMark},
        switches::{self, Switch},
    },
};

const MEMBERS: u64 = 7;
const ROUNDS: usize = 150;

fn changes() -> Changes {
    let clock = clock();
    Changes { outbox: Outbox::new("messaging"), ids: Ids::seeded(clock.clone(), 1), clock }
}

struct Draw(u64);

impl Draw {
    fn below(&mut self, below: u64) -> u128 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u128::from((self.0 >> 33) % below)
    }

    fn member(&mut self) -> Uuid {
        member(1 + self.below(MEMBERS))
    }

    fn pair(&mut self) -> [Uuid; 2] {
        loop {
            let pair = [self.member(), self.member()];
            if pair[0] != pair[1] {
                return pair;
            }
        }
    }

    /// Generates a fact. Each pair has few connections, so that facts repeat, answer each other and name both
    /// directions.
    fn fact(&mut self) -> ConnectionFact {
        let [one, other] = self.pair();
        let [lower, upper] = [one.min(other), one.max(other)].map(|id| id.as_u128() & 0xf);
        let connection_id = member(1_000 + lower * 32 + upper * 2 + self.below(2)).to_string();
        let (requester_id, recipient_id) = (one.to_string(), other.to_string());
        match self.below(5) {
            0 | 1 => ConnectionFact::Requested(ConnectionRequested { connection_id, requester_id, recipient_id }),
            2 | 3 => ConnectionFact::Accepted(ConnectionAccepted { connection_id, requester_id, recipient_id }),
            _ => ConnectionFact::Removed(ConnectionRemoved { connection_id, requester_id, recipient_id }),
        }
    }
}

/// An event other than a fact of a connection.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A request to write, with a message.
    Written(Uuid, Uuid),
    Cleared(Uuid, Uuid),
    Muted(Uuid, Uuid, bool),
    Blocked(Uuid, Uuid),
    Unblocked(Uuid, Uuid),
    Closed(Uuid),
    Reopened(Uuid),
    SwitchedOff(Uuid, Kind, bool),
    Read(Uuid),
    Erased,
}

impl Event {
    fn draw(draw: &mut Draw) -> Self {
        let [one, other] = draw.pair();
        match draw.below(40) {
            0..10 => Self::Written(one, other),
            10..14 => Self::Cleared(one, other),
            14..18 => Self::Muted(one, other, draw.below(2) == 0),
            18..21 => Self::Blocked(one, other),
            21..25 => Self::Unblocked(one, other),
            25..27 => Self::Closed(one),
            27..30 => Self::Reopened(one),
            30..32 => Self::SwitchedOff(one, Kind::ConnectionRequested, draw.below(3) == 0),
            32..34 => Self::SwitchedOff(one, Kind::ConnectionAccepted, draw.below(3) == 0),
            34..39 => Self::Read(one),
            _ => Self::Erased,
        }
    }

    /// A refused event changes nothing.
    async fn happen(self, db: &mut PgConnection, changes: &Changes, number: u128) {
        let work = &mut changes.work(db);
        match self {
            Self::Written(one, other) => {
                let id = member(5_000 + 2 * number);
                let Ok(opened) = transitions::open(work, id, one, other).await else { return };
                let content = Some(Text::parse("content", "Hello").unwrap());
                let new = NewMessage { conversation: opened.id, content, attachments: None, key: None, reply_to: None };
                if let Ok(sent) = send::insert_once(work, member(5_001 + 2 * number), one, &new).await {
                    sent.effects.apply(work).await.unwrap();
                }
            }
            Self::Cleared(one, other) => {
                let Some(id) = state::lock_pair(work.db, one, other).await.unwrap() else { return };
                transitions::clear(work, id, one).await.ok();
            }
            Self::Muted(one, other, muted) => {
                let Some(id) = state::lock_pair(work.db, one, other).await.unwrap() else { return };
                mute::set(work, id, one, muted).await.ok();
            }
            Self::Blocked(one, other) => {
                notifier::delete_between(work, one, other).await.unwrap();
                blocks::block(work, one, other).await.unwrap();
            }
            Self::Unblocked(one, other) => blocks::unblock(work, one, other).await.unwrap(),
            Self::Closed(who) => deactivation::deactivate(work.db, who).await.unwrap(),
            Self::Reopened(who) => deactivation::reactivate(work.db, who).await.unwrap(),
            Self::SwitchedOff(who, kind, on) => {
                switches::set(work.db, who, &[Switch { kind, on }]).await.unwrap();
            }
            Self::Read(who) => {
                mark_read::mark_read(work, who, ReadMark::UpTo(DateTime::<Utc>::MAX_UTC)).await.unwrap();
            }
            // Nothing notifies the member from now on.
            Self::Erased => erase::request_erasure(work, member(u128::from(MEMBERS))).await.unwrap(),
        }
    }
}

/// Applies the effects of a single fact one after another.
async fn apply_alone(work: &mut UnitOfWork<'_>, fact: &ConnectionFact) -> Result<(), Error> {
    match fact {
        ConnectionFact::Requested(fact) => {
            let (connection, requester) = (id(&fact.connection_id)?, id(&fact.requester_id)?);
            let trigger = NotificationTrigger::new(Kind::ConnectionRequested, connection, requester);
            notifier::notify(work, &trigger, &[id(&fact.recipient_id)?]).await
        }
        ConnectionFact::Accepted(fact) => {
            let (requester, recipient) = (id(&fact.requester_id)?, id(&fact.recipient_id)?);
            notifier::lock(work.db, &[requester, recipient]).await?;
            let connected = [parse_connected(work, fact)?];
            connect::connect_all(work.db, &connected).await?;
            connect::publish_connected(work, &connected).await?;
            let connection = id(&fact.connection_id)?;
            notifier::delete_by_subject(work, &[Kind::ConnectionRequested], connection).await?;
            let trigger = NotificationTrigger::new(Kind::ConnectionAccepted, connection, recipient);
            notifier::notify(work, &trigger, &[requester]).await
        }
        ConnectionFact::Removed(fact) => {
            let kinds = [Kind::ConnectionRequested, Kind::ConnectionAccepted];
            notifier::delete_by_subject(work, &kinds, id(&fact.connection_id)?).await
        }
    }
}

/// Describes conversations and notifications without their ids, and the totals. Each row begins with its member.
/// Notifications are in order, without their times.
async fn describe(database: &Database) -> Vec<String> {
    let described = "select format('%s %s %s %s: %s', n.member_id, n.kind, n.subject_id, n.member_ids, n.place)
            || case when n.read_at >= n.active_at then ' read' else '' end
        from (
            select *, row_number() over (partition by member_id order by active_at) as place
            from messaging.notifications
        ) n
        union all
        select format('%s with %s: %s', p.member_id, p.other_member_id, array_to_string(array[
            p.folder, p.listed::text, p.muted::text, p.unread_count::text, p.read_seq::text, p.cleared_seq::text, p.active_at::text,
            c.requested_by::text, c.opened_at::text, c.last_seq::text
        ], ' ', '-'))
        from messaging.participants p
        join messaging.conversations c on c.id = p.conversation_id
        union all
        select format('%s unread: %s %s %s', member_id, messages, requests, notifications)
        from messaging.unread_counts
        where messages + requests + notifications > 0
        order by 1";
    let mut rows: Vec<String> = sqlx::query_scalar(AssertSqlSafe(described)).fetch_all(database.pool()).await.unwrap();
    for violations in
        [include_str!("../../../../tests/it/truth.sql"), include_str!("../../../../tests/it/notifications/truth.sql")]
    {
        rows.extend(sqlx::query_scalar::<_, String>(violations).fetch_all(database.pool()).await.unwrap());
    }
    rows
}

/// Returns the published facts about conversations, by pair in order, and the members whose notifications changed.
/// Deletes the facts.
async fn published(database: &Database) -> (Vec<String>, BTreeSet<Uuid>) {
    let changed = "select format('%s %s: %s', c.lower_member_id, c.upper_member_id, string_agg(
            right(encode(o.payload, 'escape'), 36), ' ' order by o.id
        ))
        from messaging.outbox o
        join messaging.conversations c on c.id::text = o.key
        where o.kind like '%.ConversationChanged'
        group by c.id
        order by 1";
    let changed = sqlx::query_scalar(AssertSqlSafe(changed)).fetch_all(database.pool()).await.unwrap();
    let notified = "select distinct key::uuid from messaging.outbox where kind like '%.NotificationsChanged'";
    let notified: Vec<Uuid> = sqlx::query_scalar(notified).fetch_all(database.pool()).await.unwrap();
    sqlx::raw_sql("delete from messaging.outbox").execute(database.pool()).await.unwrap();
    (changed, notified.into_iter().collect())
}

/// Returns the members whose notifications or notification totals differ.
fn changed_members(before: &[String], after: &[String]) -> BTreeSet<Uuid> {
    let [before, after] = [before, after].map(|rows| {
        let of_notifications = |row: &&String| row.contains(" connection_");
        rows.iter().filter(of_notifications).collect::<BTreeSet<_>>()
    });
    before.symmetric_difference(&after).map(|row| row[..36].parse().unwrap()).collect()
}

#[tokio::test]
async fn connections_have_the_same_result_together_as_one_by_one() {
    let (together, alone) =
        (Database::fresh("messaging", &MIGRATOR).await, Database::fresh("messaging", &MIGRATOR).await);
    let changes = changes();
    let mut draw = Draw(3);
    let mut number = 0;
    let mut kinds = [0; 3];
    for _ in 0..ROUNDS {
        changes.clock.advance(TimeDelta::minutes(1));
        for _ in 0..draw.below(4) {
            let event = Event::draw(&mut draw);
            number += 1;
            for database in [&together, &alone] {
                let mut tx = db::begin(database.pool()).await.unwrap();
                event.happen(&mut tx, &changes, number).await;
                tx.commit().await.unwrap();
            }
        }
        let before = describe(&together).await;
        assert_eq!(before, describe(&alone).await);
        for database in [&together, &alone] {
            published(database).await;
        }

        let facts: Vec<ConnectionFact> = (0..=draw.below(16)).map(|_| draw.fact()).collect();
        let mut tx = db::begin(together.pool()).await.unwrap();
        apply(&mut tx, &changes, facts.clone()).await.unwrap();
        tx.commit().await.unwrap();
        for fact in &facts {
            kinds[match fact {
                ConnectionFact::Requested(_) => 0,
                ConnectionFact::Accepted(_) => 1,
                ConnectionFact::Removed(_) => 2,
            }] += 1;
            let mut tx = db::begin(alone.pool()).await.unwrap();
            apply_alone(&mut changes.work(&mut tx), fact).await.unwrap();
            tx.commit().await.unwrap();
        }
        let after = describe(&together).await;
        assert_eq!(after, describe(&alone).await, "{facts:?}");
        let ((changed, notified), (changed_alone, notified_alone)) =
            (published(&together).await, published(&alone).await);
        assert_eq!(changed, changed_alone, "{facts:?}");
        // Together, a notification and its withdrawal change nothing.
        assert!(
            notified.is_subset(&notified_alone) && changed_members(&before, &after).is_subset(&notified),
            "{facts:?}"
        );
    }
    assert!(kinds.iter().all(|n| *n > 100), "{kinds:?}");
}

/// The batch contains one invalid connection, which connects a member with itself.
#[tokio::test]
async fn an_invalid_fact_fails_together_and_alone() {
    let database = Database::fresh("messaging", &MIGRATOR).await;
    let changes = changes();
    let accepted = |requester: u128, recipient: u128| {
        ConnectionFact::Accepted(ConnectionAccepted {
            connection_id: member(100).to_string(),
            requester_id: member(requester).to_string(),
            recipient_id: member(recipient).to_string(),
        })
    };
    for facts in [vec![accepted(1, 2), accepted(3, 3)], vec![accepted(3, 3)]] {
        let mut tx = db::begin(database.pool()).await.unwrap();
        apply(&mut tx, &changes, facts).await.unwrap_err();
        tx.rollback().await.unwrap();
    }
}
