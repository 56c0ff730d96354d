//! The cost of writes in row versions and entries of indexes.

use sqlx::{AssertSqlSafe, PgConnection, Row as _};
use testkit::{Database, clock};
use uuid::Uuid;

use super::{FILL, vacuum};
use crate::{MIGRATOR, comments, reactions, reactions::ReactionKind};

/// The updates of a table since its statistics were reset, and those without entries in indexes (HOT).
async fn updates(conn: &mut PgConnection, table: &str) -> (i64, i64) {
    sqlx::raw_sql("select pg_stat_force_next_flush()").execute(&mut *conn).await.unwrap();
    let updates = format!("select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relid = '{table}'::regclass");
    let row = sqlx::raw_sql(AssertSqlSafe(updates)).fetch_one(conn).await.unwrap();
    (row.get(0), row.get(1))
}

#[tokio::test]
async fn a_reaction_to_a_comment_writes_no_index_of_comments_and_posts() {
    let database = Database::fresh("feed", &MIGRATOR).await;
    let mut conn = database.pool().acquire().await.unwrap();
    sqlx::raw_sql(FILL).execute(&mut *conn).await.unwrap();
    vacuum(&database).await;
    let ids = "select id from feed.comments where reply_to is null order by md5(id::text) limit 400";
    let ids: Vec<Uuid> = sqlx::query_scalar(ids).fetch_all(&mut *conn).await.unwrap();
    let before = (updates(&mut conn, "feed.comments").await, updates(&mut conn, "feed.posts").await);
    for comment in &ids {
        let member = Uuid::from_u128(1);
        comments::reactions::set(&mut conn, *comment, member, ReactionKind::Like, clock().now()).await.unwrap();
        comments::reactions::remove(&mut conn, *comment, member).await.unwrap();
    }
    let after = (updates(&mut conn, "feed.comments").await, updates(&mut conn, "feed.posts").await);
    assert_eq!(after.0.0 - before.0.0, 800);
    // Not all: a page may be full, of old versions too while a background process of Postgres can still see them. With an index on a
    // changed column there would be none.
    assert!(after.0.1 - before.0.1 > 400, "{} of 800", after.0.1 - before.0.1);
    assert_eq!(after.1.0 - before.1.0, 800);
    assert!(after.1.1 - before.1.1 > 200, "{} of 800", after.1.1 - before.1.1);
}

#[tokio::test]
async fn a_reaction_to_a_post_writes_one_row_version_of_it() {
    let database = Database::fresh("feed", &MIGRATOR).await;
    let mut conn = database.pool().acquire().await.unwrap();
    sqlx::raw_sql(FILL).execute(&mut *conn).await.unwrap();
    let ids = "select id from feed.posts order by md5(id::text) limit 100";
    let ids: Vec<Uuid> = sqlx::query_scalar(ids).fetch_all(&mut *conn).await.unwrap();
    let before = updates(&mut conn, "feed.posts").await;
    for post in &ids {
        let member = Uuid::from_u128(1);
        reactions::changes::set(&mut conn, *post, member, ReactionKind::Like, clock().now()).await.unwrap();
    }
    assert_eq!(updates(&mut conn, "feed.posts").await.0 - before.0, 100);
}
