//! Keys on a real Postgres, in a schema that has only their table.
#![cfg(test)]

use chrono::TimeDelta;
use idempotency::{Claim, Error, IdempotencyKeys, RETENTION, RequestKey};
use primitives::clock::Clock;
use sqlx::migrate::Migrator;
use testkit::{Database, clock, member};
use uuid::Uuid;

const SCHEMA: &str = "feed";

struct Fixture {
    database: Database,
    keys: IdempotencyKeys,
    clock: Clock,
}

impl Fixture {
    async fn new() -> Self {
        let migrator = db::migrator(SCHEMA, Migrator::with_migrations(vec![]), &[&idempotency::TABLES]);
        let database = Database::fresh(SCHEMA, &migrator).await;
        Self { database, keys: IdempotencyKeys::new(SCHEMA), clock: clock() }
    }

    /// Claims a key in a transaction of its own.
    async fn claim(&self, n: u128, route: &'static str, key: &str, body: &str) -> Result<Option<Uuid>, Error> {
        let mut tx = db::begin(self.database.pool()).await.unwrap();
        let key = RequestKey::parse(Some(key), &body.to_owned()).unwrap();
        let claim = Claim { member: member(n), route, key: key.as_ref(), resource: resource(body) };
        let result = self.keys.claim(&mut tx, &claim, self.clock.now()).await?;
        tx.commit().await.unwrap();
        Ok(result)
    }
}

/// The resource that a request with this body creates.
fn resource(body: &str) -> Uuid {
    Uuid::from_u128(body.bytes().fold(1, |id, byte| id << 8 | u128::from(byte)))
}

#[tokio::test]
async fn a_repeated_request_gets_the_first_resource_and_another_body_is_refused() {
    let fixture = Fixture::new().await;
    assert_eq!(fixture.claim(1, "Create", "k", "a").await.unwrap(), None);
    assert_eq!(fixture.claim(1, "Create", "k", "a").await.unwrap(), Some(resource("a")));
    assert!(matches!(fixture.claim(1, "Create", "k", "b").await, Err(Error::KeyReused)));
}

#[tokio::test]
async fn keys_of_other_members_and_routes_are_independent() {
    let fixture = Fixture::new().await;
    for (n, route, body) in [(1, "Create", "a"), (2, "Create", "b"), (1, "Apply", "c")] {
        assert_eq!(fixture.claim(n, route, "k", body).await.unwrap(), None, "{n} {route}");
    }
}

#[tokio::test]
async fn an_expired_key_is_claimed_anew() {
    let fixture = Fixture::new().await;
    assert_eq!(fixture.claim(1, "Create", "k", "a").await.unwrap(), None);
    fixture.clock.advance(RETENTION - TimeDelta::seconds(1));
    assert_eq!(fixture.claim(1, "Create", "k", "a").await.unwrap(), Some(resource("a")));
    fixture.clock.advance(TimeDelta::seconds(1));
    assert_eq!(fixture.claim(1, "Create", "k", "b").await.unwrap(), None);
}

#[tokio::test]
async fn a_rolled_back_request_frees_its_key() {
    let fixture = Fixture::new().await;
    let key = RequestKey::parse(Some("k"), &"a".to_owned()).unwrap();
    let claim = Claim { member: member(1), route: "Create", key: key.as_ref(), resource: resource("a") };
    let mut tx = db::begin(fixture.database.pool()).await.unwrap();
    assert_eq!(fixture.keys.claim(&mut tx, &claim, fixture.clock.now()).await.unwrap(), None);
    let second = fixture.claim(1, "Create", "k", "b");
    let rollback = async { tx.rollback().await.unwrap() };
    assert_eq!(tokio::join!(second, rollback).0.unwrap(), None);
}

#[tokio::test]
async fn all_expired_keys_are_deleted_in_batches() {
    let fixture = Fixture::new().await;
    let put = |from: i64, until: i64, at| {
        fixture.database.run(format!(
            "insert into {SCHEMA}.idempotency_keys (member_id, route, key, body_hash, resource_id, created_at)
            select '{who}', 'Create', n::text, sha256('x'), '{who}', '{at}'
            from generate_series({from}, {until}) n",
            who = member(1),
        ))
    };
    put(1, 2_500, fixture.clock.now()).await;
    put(2_501, 2_502, fixture.clock.now() + TimeDelta::seconds(1)).await;
    fixture.clock.advance(RETENTION);
    fixture.keys.purge(fixture.database.pool(), &fixture.clock).await.unwrap();
    let left = sqlx::query_scalar("select key from feed.idempotency_keys order by key");
    let left: Vec<String> = left.fetch_all(fixture.database.pool()).await.unwrap();
    assert_eq!(left, ["2501", "2502"]);
}
