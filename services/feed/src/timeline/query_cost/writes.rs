//! The cost of writes in row versions and entries of indexes.

use std::collections::BTreeMap;

use outbox::{Changes, Outbox};
use primitives::ids::Ids;
use sqlx::{AssertSqlSafe, PgConnection};
use testkit::{Database, clock};
use uuid::Uuid;

use super::FILL;
use crate::{
    MIGRATOR, comments, posts,
    reactions::{Reaction, ReactionKind},
};

/// Returns the number of updates of a table since its statistics were reset.
async fn updates(conn: &mut PgConnection, table: &str) -> i64 {
    sqlx::raw_sql("select pg_stat_force_next_flush()").execute(&mut *conn).await.unwrap();
    let updates = format!("select n_tup_upd from pg_stat_user_tables where relid = '{table}'::regclass");
    sqlx::query_scalar(AssertSqlSafe(updates)).fetch_one(conn).await.unwrap()
}

/// Returns the indexes that contain each column of a table: as a key, included, in an expression or in the condition.
/// An update of no listed column can be HOT and write no index.
async fn indexes(conn: &mut PgConnection, table: &str) -> BTreeMap<String, Vec<String>> {
    let rows: Vec<(String, Vec<String>)> = {
        #[expect(clippy::disallowed_methods, reason = "the catalogue of Postgres, for any table")]
        let query = sqlx::query_as(
            "select a.attname::text, array_agg(distinct c.relname::text order by c.relname::text)
            from pg_index i
            join pg_class c on c.oid = i.indexrelid
            join pg_attribute a on a.attrelid = i.indrelid
            where i.indrelid = $1::text::regclass
                and a.attnum > 0
                and (
                    a.attnum = any(i.indkey::smallint[])
                    or exists (
                        select
                        from pg_depend d
                        where d.classid = 'pg_class'::regclass
                            and d.objid = i.indexrelid
                            and d.refclassid = 'pg_class'::regclass
                            and d.refobjid = i.indrelid
                            and d.refobjsubid = a.attnum
                    )
                )
            group by a.attname",
        );
        query.bind(table).fetch_all(conn).await.unwrap()
    };
    rows.into_iter().collect()
}

#[tokio::test]
async fn a_change_of_a_comment_or_of_reactions_to_it_writes_no_index() {
    let database = Database::fresh("feed", &MIGRATOR).await;
    let mut conn = database.pool().acquire().await.unwrap();
    let comments = indexes(&mut conn, "feed.comments").await;
    let columns: Vec<&str> = comments.keys().map(String::as_str).collect();
    // The list omits content, edited_at, reply_count and like_count.
    assert_eq!(columns, ["author_id", "created_at", "id", "post_id", "reply_to"]);
    let posts = indexes(&mut conn, "feed.posts").await;
    // A change of a comment writes this column of its post, apart from the number of comments.
    assert_eq!(posts.get("has_comment_reactions"), None);
}

#[tokio::test]
async fn the_counters_of_a_post_are_in_the_indexes_of_its_orders_only() {
    let database = Database::fresh("feed", &MIGRATOR).await;
    let mut conn = database.pool().acquire().await.unwrap();
    let posts = indexes(&mut conn, "feed.posts").await;
    let of = |column: &str| posts.get(column).map(|names| names.join(" ")).unwrap_or_default();
    assert_eq!(of("like_count"), "posts_community_top_idx posts_own_top_idx posts_top_idx");
    // The rank is generated from both counters.
    assert_eq!(
        of("rank"),
        "posts_author_relevant_idx posts_community_relevant_idx posts_relevant_idx posts_school_idx"
    );
    for column in ["comment_count", "share_count", "edited_at", "title", "excerpt", "media", "has_comment_reactions"] {
        assert_eq!(of(column), "", "{column}");
    }
}

#[tokio::test]
async fn a_reaction_to_a_comment_writes_one_row_version_of_it_and_of_the_post() {
    let database = Database::fresh("feed", &MIGRATOR).await;
    let mut conn = database.pool().acquire().await.unwrap();
    sqlx::raw_sql(FILL).execute(&mut *conn).await.unwrap();
    let ids = "select id from feed.comments where reply_to is null order by md5(id::text) limit 100";
    let ids: Vec<Uuid> = sqlx::query_scalar(ids).fetch_all(&mut *conn).await.unwrap();
    let before = [updates(&mut conn, "feed.comments").await, updates(&mut conn, "feed.posts").await];
    let reaction = Reaction { member_id: Uuid::from_u128(1), kind: ReactionKind::Like };
    let changes = Changes { outbox: Outbox::new("feed"), ids: Ids::random(clock()), clock: clock() };
    for comment in &ids {
        let work = &mut changes.work(&mut conn);
        comments::reactions::set(work, *comment, reaction).await.unwrap();
        comments::reactions::remove(work, *comment, reaction.member_id).await.unwrap();
    }
    let after = [updates(&mut conn, "feed.comments").await, updates(&mut conn, "feed.posts").await];
    assert_eq!([after[0] - before[0], after[1] - before[1]], [200, 200]);
}

#[tokio::test]
async fn a_reaction_to_a_post_writes_one_row_version_of_it() {
    let database = Database::fresh("feed", &MIGRATOR).await;
    let mut conn = database.pool().acquire().await.unwrap();
    sqlx::raw_sql(FILL).execute(&mut *conn).await.unwrap();
    let ids = "select id from feed.posts order by md5(id::text) limit 100";
    let ids: Vec<Uuid> = sqlx::query_scalar(ids).fetch_all(&mut *conn).await.unwrap();
    let before = updates(&mut conn, "feed.posts").await;
    let reaction = Reaction { member_id: Uuid::from_u128(1), kind: ReactionKind::Like };
    let changes = Changes { outbox: Outbox::new("feed"), ids: Ids::random(clock()), clock: clock() };
    // A repeated one writes nothing.
    for post in ids.iter().chain(&ids) {
        let work = &mut changes.work(&mut conn);
        posts::reactions::set(work, *post, reaction).await.unwrap();
    }
    assert_eq!(updates(&mut conn, "feed.posts").await - before, 100);
}
