//! Connections have the same result together as one by one.

use std::slice;

use outbox::{Outbox, UnitOfWork};
use primitives::ids::Ids;
use sqlx::AssertSqlSafe;
use testkit::{Database, clock, member};
use uuid::Uuid;

use super::{delete, insert_all};
use crate::{
    MIGRATOR,
    deactivation::{deactivate, reactivate},
};

/// The members that exist; one more does not.
const MEMBERS: u128 = 7;

async fn run(database: &Database, statement: String) {
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(database.pool()).await.unwrap();
}

/// The counts of the members, the connections, and wrong counts.
async fn describe(database: &Database) -> Vec<String> {
    let described = "select format('%s: %s', id, connection_count) from profile.members
        union all
        select format('%s %s', lower_id, upper_id) from profile.connections
        union all
        select format('%s: the count is wrong', m.id)
        from profile.members m
        where connection_count <> (
            select count(*)
            from profile.connections c
            left join profile.members o on o.id in (c.lower_id, c.upper_id) and o.id <> m.id
            where m.id in (c.lower_id, c.upper_id)
                and not coalesce(o.hidden, false)
        )
        order by 1";
    sqlx::query_scalar(described).fetch_all(database.pool()).await.unwrap()
}

#[tokio::test]
async fn connections_have_the_same_result_together_as_one_by_one() {
    let (together, alone) = (Database::fresh("profile", &MIGRATOR).await, Database::fresh("profile", &MIGRATOR).await);
    for (database, n) in [&together, &alone].into_iter().flat_map(|database| (1..=MEMBERS).map(move |n| (database, n)))
    {
        let insert = "insert into profile.members (id, username, full_name, created_at) values";
        run(database, format!("{insert} ('{}', 'member{n}', 'Member {n}', 'epoch')", member(n))).await;
    }
    let (outbox, clock) = (Outbox::new("profile"), clock());
    let ids = Ids::seeded(clock.clone(), 1);
    let mut seed = 5_u64;
    let mut draw = |below: u128| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u128::from(seed >> 33) % below
    };
    let mut pair = || loop {
        let (one, other) = (draw(MEMBERS + 1), draw(MEMBERS + 1));
        if one != other {
            return (member(one + 1), member(other + 1), draw(12));
        }
    };
    for round in 0..80 {
        // Connections end, and accounts close and open.
        let (one, other, change) = pair();
        for database in [&together, &alone] {
            let mut tx = db::begin(database.pool()).await.unwrap();
            let work = &mut UnitOfWork::new(&mut tx, &outbox, &ids, &clock);
            if change < 8 {
                delete(work.db, one, other).await.unwrap();
            } else if change < 10 {
                deactivate(work, one).await.unwrap();
            } else {
                reactivate(work, one).await.unwrap();
            }
            tx.commit().await.unwrap();
        }

        let connected: Vec<(Uuid, Uuid)> =
            (0..=round % 9).map(|_| pair()).map(|(one, other, _)| (one, other)).collect();
        let (requesters, recipients): (Vec<Uuid>, Vec<Uuid>) = connected.iter().copied().unzip();
        let mut tx = db::begin(together.pool()).await.unwrap();
        insert_all(&mut tx, &requesters, &recipients).await.unwrap();
        tx.commit().await.unwrap();
        for (requester, recipient) in &connected {
            let mut tx = db::begin(alone.pool()).await.unwrap();
            insert_all(&mut tx, slice::from_ref(requester), slice::from_ref(recipient)).await.unwrap();
            tx.commit().await.unwrap();
        }
        let described = describe(&together).await;
        assert_eq!(described, describe(&alone).await, "{connected:?}");
        assert!(described.iter().all(|row| !row.ends_with("wrong")), "{described:?}");
    }
}
