//! Forgetting a member of whom there is more than a batch, in bites, by processes that are killed between and within them;
//! and what an eraser waits for.

use std::time::Duration;

use outbox::Outbox;
use primitives::ids::Ids;
use sqlx::{AssertSqlSafe, PgPool};
use testkit::{Database, clock, member};
use tokio::time::timeout;
use uuid::Uuid;

use super::{BATCH, bite, request, work_off};
use crate::{
    MIGRATOR,
    notifications::{Bell, marks::Seen},
};

const ME: Uuid = member(1);
/// What is waited for longer than this does not come.
const PATIENCE: Duration = Duration::from_secs(30);

/// How much there is of the member, sort by sort: groups that tell others of them, conversations, messages, blocks, causes
/// of what they were told, and what they were told.
const LEFT: &str = "select array[
    (select count(distinct notification_id) from messaging.notification_causes where actor_id = '{me}'),
    (select count(*) from messaging.conversations where '{me}' in (lower_member_id, upper_member_id)),
    (
        select count(*)
        from messaging.messages
        where sender_id = '{me}'
            or conversation_id = '01930000-0000-7000-a000-000000000000'
    ),
    (select count(*) from messaging.blocks where '{me}' in (blocker_id, blocked_id)),
    (
        select count(*)
        from messaging.notification_causes c
        join messaging.notifications n on n.id = c.notification_id
        where n.member_id = '{me}'
    ),
    (select count(*) from messaging.notifications where member_id = '{me}')
]";

struct World {
    database: Database,
    bell: Bell,
}

impl World {
    async fn of(fill: &str) -> Self {
        let (database, clock) = (Database::fresh("messaging", &MIGRATOR).await, clock());
        let others = "(
            select n, ('01940000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id
            from generate_series(1, 1200) n
        ) as others";
        database.run(fill.replace("{others}", others).replace("{me}", &ME.to_string())).await;
        let bell = Bell::new(Outbox::new("messaging"), clock.clone(), Ids::seeded(clock, 1));
        let world = Self { database, bell };
        world.assert_true().await;
        world
    }

    fn pool(&self) -> &PgPool {
        self.database.pool()
    }

    async fn request(&self) {
        let mut tx = db::begin(self.pool()).await.unwrap();
        request(&mut tx, ME, clock().now()).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn left(&self) -> Vec<i64> {
        let left = LEFT.replace("{me}", &ME.to_string());
        sqlx::query_scalar(AssertSqlSafe(left)).fetch_one(self.pool()).await.unwrap()
    }

    async fn count(&self, what: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(format!("select count(*) from {what}"))).fetch_one(self.pool()).await.unwrap()
    }

    /// Waits until somebody waits for a lock, or until nobody does.
    async fn until(&self, somebody_waits: bool) {
        let waiting = "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        let reached = async { while (self.count(waiting).await > 0) != somebody_waits {} };
        timeout(PATIENCE, reached).await.unwrap();
    }

    async fn assert_true(&self) {
        let of_conversations = include_str!("../../tests/it/truth.sql");
        let of_bells = include_str!("../../tests/it/notifications/truth.sql");
        for truth in [of_conversations, of_bells] {
            let wrong: Vec<String> = sqlx::query_scalar(truth).fetch_all(self.pool()).await.unwrap();
            assert_eq!(wrong, Vec::<String>::new());
        }
    }

    async fn assert_forgotten(&self) {
        assert_eq!(self.database.tables_referencing(ME).await, Vec::<String>::new());
        assert_eq!(self.count("messaging.messages").await, 2_400, "what was said to others stays, from nobody");
        assert_eq!(self.count("messaging.messages where sender_id is null").await, 1_200);
        assert_eq!(self.count("messaging.participants").await, 1_200);
        assert_eq!(self.count("messaging.conversations where former_read_seq = 1").await, 1_200, "and so do the ticks");
        assert_eq!(self.count("messaging.notifications").await, 1, "the one another has caused too");
        self.assert_true().await;
    }
}

/// Works off what is noted until nothing is.
async fn work_off_all(db: PgPool, bell: Bell) {
    let noted = "select count(*) from messaging.erasures";
    while sqlx::query_scalar::<_, i64>(noted).fetch_one(&db).await.unwrap() > 0 {
        work_off(&db, &bell).await.unwrap();
    }
}

#[tokio::test]
async fn no_bite_takes_more_than_a_batch_of_anything() {
    let world = World::of(include_str!("fill.sql")).await;
    world.request().await;
    let mut left = world.left().await;
    assert_eq!(left, [1_201, 1_201, 2_500, 1_200, 2_500, 1_201]);
    let (mut bites, mut more) = (0, true);
    while more {
        let mut tx = db::begin(world.pool()).await.unwrap();
        more = bite(&mut tx, &world.bell, ME).await.unwrap();
        tx.commit().await.unwrap();
        let now = world.left().await;
        let taken: Vec<i64> = left.iter().zip(&now).map(|(before, now)| before - now).collect();
        // Of each kind of row, and of kinds that only go together.
        assert!(taken.iter().all(|taken| (0..=BATCH).contains(taken)), "{left:?} {now:?}");
        assert!(!more || taken.iter().any(|taken| *taken > 0), "{left:?} {now:?}");
        (left, bites) = (now, bites + 1);
    }
    assert!((20..40).contains(&bites), "{bites}");
    world.assert_forgotten().await;
}

#[tokio::test]
async fn whoever_is_killed_on_the_way_goes_on_where_they_stood() {
    let world = World::of(include_str!("fill.sql")).await;
    world.request().await;
    let mut left = world.left().await;
    let other = "01940000-0000-7000-8000-0000000002bc";
    for held in [
        format!("messaging.bells where member_id = '{other}'"),
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
        format!("messaging.bells where member_id = '{ME}'"),
        "messaging.notifications where id = '01970000-0000-7000-8000-0000000002bc'".to_owned(),
    ] {
        let mut holder = db::begin(world.pool()).await.unwrap();
        let hold = sqlx::raw_sql(AssertSqlSafe(format!("select 1 from {held} for update")));
        assert_eq!(hold.fetch_all(&mut *holder).await.unwrap().len(), 1, "{held}");
        let life = tokio::spawn(work_off_all(world.pool().clone(), world.bell.clone()));
        world.until(true).await;
        life.abort();
        assert!(life.await.unwrap_err().is_cancelled());
        holder.rollback().await.unwrap();
        world.until(false).await;
        let now = world.left().await;
        assert!(now.iter().zip(&left).all(|(now, before)| now <= before) && now[5] > 0, "{held}: {left:?} {now:?}");
        assert_eq!(world.count("messaging.erasures").await, 1);
        left = now;
    }
    // Two at once do not do it twice.
    let lives = [(); 2].map(|()| tokio::spawn(work_off_all(world.pool().clone(), world.bell.clone())));
    for life in lives {
        life.await.unwrap();
    }
    world.assert_forgotten().await;
}

#[tokio::test]
async fn who_looks_at_their_bell_while_it_is_forgotten_does_not_wait_for_whoever_waits_for_them() {
    let world = World::of(
        "insert into messaging.notifications (id, member_id, kind, subject_id, active_at, member_ids, member_count)
        select gen_random_uuid(), '{me}', 'post_liked', gen_random_uuid(), '2026-01-01', array[id], 1
        from {others}
        where n <= 3;
        insert into messaging.notification_causes (notification_id, actor_id, at)
        select id, member_ids[1], active_at from messaging.notifications;
        insert into messaging.unread_counts (member_id, notifications) values ('{me}', 3);
        insert into messaging.bells (member_id, rung_at) values ('{me}', '2026-01-01')",
    )
    .await;
    let mut look = db::begin(world.pool()).await.unwrap();
    world.bell.hold(&mut look, &[ME]).await.unwrap();
    world.request().await;
    let life = tokio::spawn(work_off_all(world.pool().clone(), world.bell.clone()));
    world.until(true).await;
    world.bell.seen(&mut look, ME, Seen::UpTo(clock().now())).await.unwrap();
    look.commit().await.unwrap();
    life.await.unwrap();
    assert_eq!(world.database.tables_referencing(ME).await, Vec::<String>::new());
    world.assert_true().await;
}
