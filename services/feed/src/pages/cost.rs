//! What a page may cost, in buffers touched: they do not depend on the machine's mood.

use chassis::input::PageSize;
use chrono::TimeDelta;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Execute, PgConnection, Postgres, Row as _};
use testkit::{Database, clock};
use uuid::Uuid;

use super::{Walk, statement};
use crate::{
    MIGRATOR, activity, comments,
    cursors::{Acted, Authored, Commented, Rank, Reacted, Recent, Relevant, Top},
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

/// Every twentieth member is hidden.
const HIDE: &str = "
    insert into feed.hidden_members (member_id, hidden_at)
    select ('01930000-0000-7000-8000-' || lpad(to_hex(n * 20), 12, '0'))::uuid, to_timestamp(0)
    from generate_series(1, 19) n;
";

/// Buffers a page may touch while nobody is hidden, and while some are: then each author, fan and commentator is looked
/// up, mostly in one buffer that is always the same.
const CEILINGS: [(&str, i64, i64); 14] = [
    ("relevant", 440, 870),
    ("relevant, deep", 200, 290),
    ("recent", 420, 850),
    ("recent, deep", 210, 330),
    ("recent, visitor", 370, 810),
    ("top", 350, 700),
    ("top, deep", 300, 560),
    ("author", 120, 150),
    ("one", 25, 45),
    ("reactions", 20, 40),
    ("comments", 20, 40),
    ("activity", 220, 260),
    ("activity, deep", 90, 110),
    ("activity, one of the hidden", 260, 5),
];

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

/// What each page of [`CEILINGS`] touches.
async fn pages(conn: &mut PgConnection) -> [i64; 14] {
    let viewer = Some(Uuid::from_u128(0x01930000_0000_7000_8000_000000000007));
    let author = Uuid::from_u128(0x01930000_0000_7000_8000_000000000100);
    let hidden = Uuid::from_u128(0x01930000_0000_7000_8000_000000000014);
    let (fetch, now) = (PageSize::parse(0).unwrap().to_fetch(), clock().now());
    let deep = (now - TimeDelta::days(20)).into();
    let deep_rank = Rank(crate::ranking::freshness(now) - 20.0);
    let walk = |after| Walk::new(after, now);
    let id = Uuid::max();
    let after = Relevant { as_of: now.into(), leads: false, rank: deep_rank, id };
    let acted = Acted { at: deep, id, part: 3 };
    [
        buffers(conn, statement::relevant(viewer, fetch, walk(None))).await,
        buffers(conn, statement::relevant(viewer, fetch, walk(Some(after)))).await,
        buffers(conn, statement::recent(viewer, fetch, Recent::START)).await,
        buffers(conn, statement::recent(viewer, fetch, Recent { at: deep, id })).await,
        buffers(conn, statement::recent(None, fetch, Recent::START)).await,
        buffers(conn, statement::top(viewer, fetch, Top::START)).await,
        buffers(conn, statement::top(viewer, fetch, Top { likes: 40, at: deep, id })).await,
        buffers(conn, statement::by(viewer, fetch, author, Authored::START)).await,
        buffers(conn, statement::one(viewer, POPULAR)).await,
        buffers(conn, reactions::newest(POPULAR, fetch, Reacted::START)).await,
        buffers(conn, comments::newest(POPULAR, fetch, Commented::START)).await,
        buffers(conn, activity::newest(author, fetch, Acted::START)).await,
        buffers(conn, activity::newest(author, fetch, acted)).await,
        buffers(conn, activity::newest(hidden, fetch, Acted::START)).await,
    ]
}

#[tokio::test]
async fn every_page_stays_below_its_ceiling() {
    let database = Database::fresh("feed", &MIGRATOR).await;
    let mut conn = database.pool().acquire().await.unwrap();
    sqlx::raw_sql(FILL).execute(&mut *conn).await.unwrap();
    for table in ["posts", "reactions", "comments", "hidden_members"] {
        sqlx::raw_sql(AssertSqlSafe(format!("vacuum analyze feed.{table}"))).execute(&mut *conn).await.unwrap();
    }
    let open = pages(&mut conn).await;
    sqlx::raw_sql(HIDE).execute(&mut *conn).await.unwrap();
    let some_hidden = pages(&mut conn).await;

    let mut over = Vec::new();
    for ((page, of_open, of_some_hidden), (open, some_hidden)) in
        CEILINGS.into_iter().zip(open.into_iter().zip(some_hidden))
    {
        println!("{page}: {open} buffers of {of_open}, {some_hidden} of {of_some_hidden} with some hidden");
        if open > of_open || some_hidden > of_some_hidden {
            over.push(page);
        }
    }
    assert!(over.is_empty(), "{over:?}");
}
