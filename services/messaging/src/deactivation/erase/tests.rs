//! Erasure of a member with more than a batch of every kind of row, by processes that are killed between and within
//! batches.

use std::time::Duration;

use outbox::{Changes, Outbox};
use primitives::ids::Ids;
use sqlx::{AssertSqlSafe, PgPool};
use testkit::{Database, clock, member};
use tokio::time::timeout;
use uuid::Uuid;

use super::{erase_batch, request_erasure};
use crate::{
    MIGRATOR,
    batches::BATCH,
    deactivation::run_requested,
    notifications::{
        mark_read::{self, ReadMark},
        notifier,
    },
};

const ME: Uuid = member(1);
const TIMEOUT: Duration = Duration::from_secs(30);

/// The number of the member's rows by kind: notifications of others that name the member, conversations, messages,
/// reactions, blocks, causes of own notifications, own notifications, and groups.
const REMAINING: &str = "select array[
    (select count(distinct notification_id) from messaging.notification_causes where actor_id = '{me}'),
    (select count(*) from messaging.conversations where '{me}' in (lower_member_id, upper_member_id)),
    (
        select count(*)
        from messaging.messages
        where sender_id = '{me}'
            or '{me}' = any (subject_ids)
            or conversation_id = '01930000-0000-7000-a000-000000000000'
    ),
    (select count(*) from messaging.message_reactions where member_id = '{me}'),
    (select count(*) from messaging.blocks where '{me}' in (blocker_id, blocked_id)),
    (
        select count(*)
        from messaging.notification_causes c
        join messaging.notifications n on n.id = c.notification_id
        where n.member_id = '{me}'
    ),
    (select count(*) from messaging.notifications where member_id = '{me}'),
    (
        select count(*)
        from messaging.participants p
        join messaging.conversations c on c.id = p.conversation_id and c.is_group
        where p.member_id = '{me}'
    )
]";

struct Fixture {
    database: Database,
    changes: Changes,
}

impl Fixture {
    async fn with_rows(fill: &str) -> Self {
        let (database, clock) = (Database::fresh("messaging", &MIGRATOR).await, clock());
        let others = "(
            select n, ('01940000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id
            from generate_series(1, 1200) n
        ) as others";
        database.run(fill.replace("{others}", others).replace("{me}", &ME.to_string())).await;
        let changes = Changes { outbox: Outbox::new("messaging"), ids: Ids::seeded(clock.clone(), 1), clock };
        let fixture = Self { database, changes };
        fixture.assert_invariants().await;
        fixture
    }

    fn pool(&self) -> &PgPool {
        self.database.pool()
    }

    async fn request_erasure(&self) {
        let mut tx = db::begin(self.pool()).await.unwrap();
        request_erasure(&mut self.changes.work(&mut tx), ME).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn count_remaining(&self) -> Vec<i64> {
        let remaining = REMAINING.replace("{me}", &ME.to_string());
        sqlx::query_scalar(AssertSqlSafe(remaining)).fetch_one(self.pool()).await.unwrap()
    }

    async fn count(&self, what: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(format!("select count(*) from {what}"))).fetch_one(self.pool()).await.unwrap()
    }

    /// Waits until a connection waits for a lock, or until none does.
    async fn wait_for_lock_waiters(&self, expected: bool) {
        let waiters = "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        let reached = async {
            while (self.count(waiters).await > 0) != expected {
                testkit::pause().await;
            }
        };
        timeout(TIMEOUT, reached).await.unwrap();
    }

    async fn assert_invariants(&self) {
        let conversations = include_str!("../../../tests/it/truth.sql");
        let notifications = include_str!("../../../tests/it/notifications/truth.sql");
        for violations in [conversations, notifications] {
            let violations: Vec<String> = sqlx::query_scalar(violations).fetch_all(self.pool()).await.unwrap();
            assert_eq!(violations, Vec::<String>::new());
        }
    }

    async fn assert_erased(&self) {
        assert_eq!(self.database.tables_referencing(ME).await, Vec::<String>::new());
        assert_eq!(self.count("messaging.messages").await, 3_600, "messages to others stay without a sender");
        assert_eq!(self.count("messaging.messages where sender_id is null").await, 1_200);
        assert_eq!(self.count("messaging.messages where subject_ids = array[null::uuid]").await, 1_200);
        assert_eq!(self.count("messaging.participants").await, 2_400);
        assert_eq!(self.count("messaging.conversations where is_group and owner_id is not null").await, 1_200);
        assert_eq!(self.count("messaging.conversations where former_read_seq = 1").await, 1_200, "read receipts stay");
        assert_eq!(self.count("messaging.notifications").await, 1, "the one with another actor");
        self.assert_invariants().await;
    }
}

/// Runs the requested erasures until there are none.
async fn erase_all(db: PgPool, changes: Changes) {
    let requests = "select count(*) from messaging.erasures";
    while sqlx::query_scalar::<_, i64>(requests).fetch_one(&db).await.unwrap() > 0 {
        run_requested(&db, &changes).await.unwrap();
    }
}

#[tokio::test]
async fn a_transaction_deletes_at_most_one_batch_of_each_kind() {
    let fixture = Fixture::with_rows(include_str!("fill.sql")).await;
    fixture.request_erasure().await;
    let mut remaining = fixture.count_remaining().await;
    assert_eq!(remaining, [1_201, 1_201, 3_700, 4_800, 1_200, 2_500, 1_201, 1_200]);
    let (mut batches, mut more) = (0, true);
    while more {
        let mut tx = db::begin(fixture.pool()).await.unwrap();
        more = erase_batch(&mut fixture.changes.work(&mut tx), ME).await.unwrap();
        tx.commit().await.unwrap();
        let now = fixture.count_remaining().await;
        let deleted: Vec<i64> = remaining.iter().zip(&now).map(|(before, now)| before - now).collect();
        // This holds for each kind of row, including kinds that are deleted together.
        assert!(deleted.iter().all(|deleted| (0..=BATCH).contains(deleted)), "{remaining:?} {now:?}");
        assert!(!more || deleted.iter().any(|deleted| *deleted > 0), "{remaining:?} {now:?}");
        (remaining, batches) = (now, batches + 1);
    }
    assert!((30..60).contains(&batches), "{batches}");
    fixture.assert_erased().await;
}

#[tokio::test]
async fn an_erasure_continues_after_a_kill_at_any_point() {
    let fixture = Fixture::with_rows(include_str!("fill.sql")).await;
    fixture.request_erasure().await;
    let mut remaining = fixture.count_remaining().await;
    let other = "01940000-0000-7000-8000-0000000002bc";
    for locked in [
        format!("messaging.notification_locks where member_id = '{other}'"),
        format!("messaging.conversations where upper_member_id = '{other}'"),
        format!(
            "messaging.messages
            where id = (
                select max(id::text)::uuid
                from messaging.messages
                where sender_id = '{ME}'
                    and content = 'Yes'
            )"
        ),
        "messaging.blocks where blocker_id::text || blocked_id like '%01980000-0000-7000-8000-0000000002bc%'"
            .to_owned(),
        format!("messaging.notification_locks where member_id = '{ME}'"),
        "messaging.notifications where id = '01970000-0000-7000-8000-0000000002bc'".to_owned(),
    ] {
        let mut holder = db::begin(fixture.pool()).await.unwrap();
        let lock = sqlx::raw_sql(AssertSqlSafe(format!("select 1 from {locked} for update")));
        assert_eq!(lock.fetch_all(&mut *holder).await.unwrap().len(), 1, "{locked}");
        let process = tokio::spawn(erase_all(fixture.pool().clone(), fixture.changes.clone()));
        fixture.wait_for_lock_waiters(true).await;
        process.abort();
        assert!(process.await.unwrap_err().is_cancelled());
        holder.rollback().await.unwrap();
        fixture.wait_for_lock_waiters(false).await;
        let now = fixture.count_remaining().await;
        let decreased = now.iter().zip(&remaining).all(|(now, before)| now <= before);
        assert!(decreased && now[5] > 0, "{locked}: {remaining:?} {now:?}");
        assert_eq!(fixture.count("messaging.erasures").await, 1);
        remaining = now;
    }
    // Two concurrent processes do not interfere.
    let processes = [(); 2].map(|()| tokio::spawn(erase_all(fixture.pool().clone(), fixture.changes.clone())));
    for process in processes {
        process.await.unwrap();
    }
    fixture.assert_erased().await;
}

#[tokio::test]
async fn a_read_mark_during_an_erasure_does_not_deadlock() {
    let fixture = Fixture::with_rows(
        "insert into messaging.notifications (id, member_id, kind, subject_id, active_at, member_ids, member_count)
        select gen_random_uuid(), '{me}', 'post_liked', gen_random_uuid(), '2026-01-01', array[id], 1
        from {others}
        where n <= 3;
        insert into messaging.notification_causes (notification_id, actor_id, at)
        select id, member_ids[1], active_at from messaging.notifications;
        insert into messaging.unread_counts (member_id, notifications) values ('{me}', 3);
        insert into messaging.notification_locks (member_id, latest_at) values ('{me}', '2026-01-01')",
    )
    .await;
    let mut reader = db::begin(fixture.pool()).await.unwrap();
    notifier::lock(&mut reader, &[ME]).await.unwrap();
    fixture.request_erasure().await;
    let process = tokio::spawn(erase_all(fixture.pool().clone(), fixture.changes.clone()));
    fixture.wait_for_lock_waiters(true).await;
    let mark = ReadMark::UpTo(clock().now());
    mark_read::mark_read(&mut fixture.changes.work(&mut reader), ME, mark).await.unwrap();
    reader.commit().await.unwrap();
    process.await.unwrap();
    assert_eq!(fixture.database.tables_referencing(ME).await, Vec::<String>::new());
    fixture.assert_invariants().await;
}
