//! What a page may cost, in buffers touched: they do not depend on the machine's mood.

use chassis::input::PageSize;
use chrono::TimeDelta;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Execute, PgConnection, Postgres, Row as _};
use testkit::{Database, clock};
use uuid::Uuid;

use super::{Walk, statement};
use crate::{
    MIGRATOR, comments,
    cursors::{Authored, Commented, Rank, Reacted, Recent, Relevant, Top},
    reactions,
};

/// 4,000 posts of 400 members, 24,000 reactions and 12,000 comments, more of both to the newer posts. Everybody reacts
/// to the fifth newest, and 5,000 people more, twice as many as comment on it.
const FILL: &str = "
    insert into feed.posts (id, author_id, content, created_at, freshness, like_count, comment_count)
    select
        ('01940000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        ('01930000-0000-7000-8000-' || lpad(to_hex(n * 7 % 400), 12, '0'))::uuid,
        repeat('Moot court again, and again. ', 1 + n % 12),
        to_timestamp(1772442000 - n * 600),
        (1772442000 - n * 600) / 86400.0,
        n * 13 % 97,
        n * 5 % 11
    from generate_series(1, 4000) n;

    insert into feed.reactions (post_id, member_id, kind, created_at)
    select
        ('01940000-0000-7000-8000-' || lpad(to_hex(1 + (n * n / 7 + n) % 4000 * (n % 5 + 1) / 5), 12, '0'))::uuid,
        ('01930000-0000-7000-8000-' || lpad(to_hex(n % 400), 12, '0'))::uuid,
        'like',
        to_timestamp(1772442000 - n * 100)
    from generate_series(1::bigint, 24000) n
    on conflict do nothing;

    insert into feed.comments (id, post_id, author_id, content, created_at)
    select
        ('01950000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        ('01940000-0000-7000-8000-' || lpad(to_hex(1 + n * 31 % 4000 * (n % 5 + 1) / 5), 12, '0'))::uuid,
        ('01930000-0000-7000-8000-' || lpad(to_hex(n % 400), 12, '0'))::uuid,
        'Well argued.',
        to_timestamp(1772442000 - n * 200)
    from generate_series(1, 12000) n;

    insert into feed.reactions (post_id, member_id, kind, created_at)
    select '01940000-0000-7000-8000-000000000005', gen_random_uuid(), 'thanks', to_timestamp(1772442000 - n)
    from generate_series(1, 5000) n;

    insert into feed.comments (id, post_id, author_id, content, created_at)
    select
        gen_random_uuid(),
        '01940000-0000-7000-8000-000000000005',
        gen_random_uuid(),
        'Hear, hear.',
        to_timestamp(1772442000 - n)
    from generate_series(1, 2500) n;
";

/// The post everybody reacts to.
const POPULAR: Uuid = Uuid::from_u128(0x0194_0000_0000_7000_8000_0000_0000_0005);

/// Buffers a statement touches when nothing is cold.
async fn buffers(conn: &mut PgConnection, mut statement: impl Execute<'static, Postgres>) -> i64 {
    let arguments = statement.take_arguments().unwrap().unwrap();
    let sql = format!("explain (analyze, buffers, format json) {}", statement.sql().as_str());
    let plan = sqlx::query_with(AssertSqlSafe(sql), arguments).fetch_one(conn).await.unwrap();
    let plan: Value = plan.get(0);
    plan[0]["Plan"]["Shared Hit Blocks"].as_i64().unwrap() + plan[0]["Plan"]["Shared Read Blocks"].as_i64().unwrap()
}

#[tokio::test]
async fn every_page_stays_below_its_ceiling() {
    let database = Database::fresh("feed", &MIGRATOR).await;
    let mut conn = database.pool().acquire().await.unwrap();
    sqlx::raw_sql(FILL).execute(&mut *conn).await.unwrap();
    for table in ["posts", "reactions", "comments"] {
        sqlx::raw_sql(AssertSqlSafe(format!("vacuum analyze feed.{table}"))).execute(&mut *conn).await.unwrap();
    }

    let viewer = Some(Uuid::from_u128(0x01930000_0000_7000_8000_000000000007));
    let author = Uuid::from_u128(0x01930000_0000_7000_8000_000000000100);
    let (fetch, now) = (PageSize::parse(0).unwrap().to_fetch(), clock().now());
    let deep = (now - TimeDelta::days(20)).into();
    let deep_rank = Rank(crate::ranking::freshness(now) - 20.0);
    let walk = |after| Walk::new(after, now);
    let id = Uuid::max();
    let after = Relevant { as_of: now.into(), leads: false, rank: deep_rank, id };

    let mut over = Vec::new();
    let mut check = |page: &'static str, spent: i64, ceiling: i64| {
        println!("{page}: {spent} buffers of {ceiling}");
        if spent > ceiling {
            over.push((page, spent, ceiling));
        }
    };
    check("relevant", buffers(&mut conn, statement::relevant(viewer, fetch, walk(None))).await, 440);
    check("relevant, deep", buffers(&mut conn, statement::relevant(viewer, fetch, walk(Some(after)))).await, 200);
    check("recent", buffers(&mut conn, statement::recent(viewer, fetch, Recent::START)).await, 420);
    check("recent, deep", buffers(&mut conn, statement::recent(viewer, fetch, Recent { at: deep, id })).await, 210);
    check("recent, visitor", buffers(&mut conn, statement::recent(None, fetch, Recent::START)).await, 370);
    check("top", buffers(&mut conn, statement::top(viewer, fetch, Top::START)).await, 350);
    check("top, deep", buffers(&mut conn, statement::top(viewer, fetch, Top { likes: 40, at: deep, id })).await, 300);
    check("author", buffers(&mut conn, statement::by(viewer, fetch, author, Authored::START)).await, 120);
    check("one", buffers(&mut conn, statement::one(viewer, POPULAR)).await, 25);
    check("reactions", buffers(&mut conn, reactions::newest(POPULAR, fetch, Reacted::START)).await, 20);
    check("comments", buffers(&mut conn, comments::newest(POPULAR, fetch, Commented::START)).await, 20);
    assert!(over.is_empty(), "{over:?}");
}
