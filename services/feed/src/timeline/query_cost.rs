//! The cost of pages in buffers, which do not depend on the load of the machine.

mod controlled;
mod writes;

use chrono::TimeDelta;
use primitives::input::PageSize;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Execute, PgConnection, Postgres, Row as _};
use testkit::{Database, clock};
use uuid::Uuid;

use super::{RelevantPage, activity, batch, home, lists, relevance, relevant, topic};
use crate::{
    MIGRATOR, comments,
    cursors::{
        ActivityCursor, AuthorCursor, CommentReactionsCursor, CommentsCursor, CommunityCursor, Rank, ReactionsCursor,
        RecentCursor, RelevantCursor, RepliesCursor, TopCursor, TopicCursor,
    },
    posts, reactions,
    saved_items::{self, list::SavedItemsCursor},
};

/// 4,000 posts of 400 members, 24,000 reactions and 12,000 comments, more of both on the newer posts. The fifth newest
/// post has 5,400 reactions and half as many comments; the newest comment has 2,000 replies and 3,000 reactions. Every
/// third comment has a reaction. Every fourth post is a repost. Twenty members have 1,000 saved items each.
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

    update feed.posts
    set repost_of = ('01940000-0000-7000-8000-' || lpad(to_hex(1 + like_count * 41), 12, '0'))::uuid
    where comment_count % 5 = 0;

    insert into feed.saved_items (member_id, kind, item_id, saved_at)
    select
        ('01930000-0000-7000-8000-' || lpad(to_hex(n % 20 * 16), 12, '0'))::uuid,
        case when n % 7 = 0 then 'event' else 'post' end,
        gen_random_uuid()::text,
        to_timestamp(1772442000 - n * 13)
    from generate_series(1, 20000) n;

    insert into feed.comments (id, post_id, author_id, content, created_at)
    select
        gen_random_uuid(),
        '01940000-0000-7000-8000-000000000005',
        gen_random_uuid(),
        'Well said.',
        to_timestamp(1772442000 - n)
    from generate_series(1, 2500) n;

    insert into feed.comment_reactions (comment_id, member_id, kind, created_at)
    select
        ('01950000-0000-7000-8000-' || lpad(to_hex(n * 3), 12, '0'))::uuid,
        ('01930000-0000-7000-8000-' || lpad(to_hex(n % 14), 12, '0'))::uuid,
        'like',
        to_timestamp(1772442000 - n * 500)
    from generate_series(1, 4000) n;

    insert into feed.comments (id, post_id, author_id, content, created_at)
    values (
        '01950000-0000-7000-9000-000000000001',
        '01940000-0000-7000-8000-000000000005',
        gen_random_uuid(),
        'Is it?',
        to_timestamp(1772442000)
    );

    insert into feed.comment_reactions (comment_id, member_id, kind, created_at)
    select '01950000-0000-7000-9000-000000000001', gen_random_uuid(), 'thanks', to_timestamp(1772442000 + n)
    from generate_series(1, 3000) n;

    insert into feed.comments (id, post_id, author_id, content, created_at, reply_to)
    select
        gen_random_uuid(),
        '01940000-0000-7000-8000-000000000005',
        ('01930000-0000-7000-8000-' || lpad(to_hex(n % 400), 12, '0'))::uuid,
        'It is.',
        to_timestamp(1772442000 + n),
        '01950000-0000-7000-9000-000000000001'
    from generate_series(1, 2000) n;

    update feed.comments c
    set
        like_count = (select count(*) from feed.comment_reactions r where r.comment_id = c.id),
        reply_count = case when c.id = '01950000-0000-7000-9000-000000000001' then 2000 else 0 end;

    update feed.posts
    set has_comment_reactions = true
    where id in (select post_id from feed.comments where like_count > 0);
";

/// Every third post has a topic.
const TOPICS: &str = "
    insert into feed.post_topics (post_id, topic, author_id, community_id, created_at)
    select id, 'moot', author_id, community_id, created_at
    from feed.posts
    where like_count % 3 = 0;
";

/// A third of the posts has a preview.
const PREVIEWS: &str = "
    insert into feed.link_previews (id, audience, url, card, fetched_at, created_at)
    select
        ('01970000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        '00000000-0000-0000-0000-000000000000',
        'https://example.org/' || n,
        jsonb_build_object('url', 'https://example.org/' || n, 'title', repeat('A case ', 20),
            'description', repeat('About it ', 30)),
        to_timestamp(1772442000),
        to_timestamp(1772442000)
    from generate_series(0, 1999) n;

    update feed.posts
    set link_preview_id =
        ('01970000-0000-7000-8000-' || lpad(to_hex(('x' || substr(id::text, 33))::bit(16)::int % 2000), 12, '0'))::uuid
    where like_count % 3 = 0
        and repost_of is null;
";

/// The maximum number of buffers that a page reads for the previews of 21 posts and their originals: three index levels
/// and a row each.
const PREVIEW_BUFFERS: i64 = 21 * 4;

/// Deactivates every twentieth member.
const DEACTIVATE: &str = "
    insert into feed.hidden_members (member_id, hidden_at)
    select ('01930000-0000-7000-8000-' || lpad(to_hex(n * 20), 12, '0'))::uuid, to_timestamp(0)
    from generate_series(1, 19) n;
";

/// Every other post is in one of 40 communities, and the viewer belongs to 11 of them; every third author is of the
/// viewer's school; the viewer has 200 connections, twice the number with a boost, and blocks five members.
const RELATE: &str = "
    update feed.posts
    set
        community_id = case
            when substr(id::text, 36)::char(1) in ('1', '3', '5', '7', '9', 'b', 'd', 'f')
            then ('01930000-0000-7000-8001-' || lpad(to_hex(like_count % 40), 12, '0'))::uuid
        end,
        school_key = case when comment_count % 3 = 0 then 'yale' else 'ateneo' end;

    insert into feed.communities (id, name)
    select ('01930000-0000-7000-8001-' || lpad(to_hex(n), 12, '0'))::uuid, 'Community ' || n
    from generate_series(0, 39) n;

    insert into feed.memberships (member_id, community_id)
    select '01930000-0000-7000-8000-000000000007', ('01930000-0000-7000-8001-' || lpad(to_hex(n * 4), 12, '0'))::uuid
    from generate_series(0, 9) n;

    insert into feed.memberships (member_id, community_id)
    select '01930000-0000-7000-8000-000000000007', community_id
    from feed.posts
    where id = '01940000-0000-7000-8000-000000000005';

    insert into feed.connections (member_id, connection_id, other_id)
    select
        ('01930000-0000-7000-8000-' || lpad(to_hex(m), 12, '0'))::uuid,
        ('01960000-0000-7000-8000-' || lpad(to_hex(m * 1000 + n), 12, '0'))::uuid,
        ('01930000-0000-7000-8000-' || lpad(to_hex((m + n * 2 - 1) % 400), 12, '0'))::uuid
    from generate_series(0, 30) m, generate_series(1, 200) n;

    insert into feed.blocks (blocker_id, blocked_id)
    select
        ('01930000-0000-7000-8000-' || lpad(to_hex(m), 12, '0'))::uuid,
        ('01930000-0000-7000-8000-' || lpad(to_hex(m + n * 40), 12, '0'))::uuid
    from generate_series(0, 30) m, generate_series(1, 5) n;

    insert into feed.members (member_id, school_key)
    select ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'yale'
    from generate_series(1, 399) n;
";

/// The maximum number of buffers of a page: without deactivated members; with some, when each author is looked up, mostly in
/// the same buffer; and for a viewer with every relation, while half of all posts are in communities.
const CEILINGS: [(&str, [i64; 3]); 26] = [
    ("relevant", [290, 400, 830]),
    ("relevant, deep", [140, 160, 620]),
    ("relevant, in memory", [300, 390, 330]),
    ("recent", [230, 360, 290]),
    ("recent, deep", [160, 195, 195]),
    ("recent, visitor", [30, 60, 30]),
    ("top", [245, 340, 310]),
    ("top, deep", [205, 270, 230]),
    ("author", [80, 90, 110]),
    ("community", [1, 1, 320]),
    ("topic", [320, 460, 370]),
    ("one", [20, 45, 32]),
    ("version of one", [16, 20, 20]),
    ("bodies", [225, 545, 225]),
    ("reactions", [12, 40, 20]),
    ("comments", [12, 40, 20]),
    ("version of comments", [14, 38, 17]),
    ("comments in memory", [16, 40, 20]),
    ("comment", [14, 16, 22]),
    ("replies", [16, 66, 72]),
    ("reactions to a comment", [16, 66, 72]),
    ("activity", [255, 335, 350]),
    ("activity, deep", [85, 100, 110]),
    ("activity, one of the hidden", [260, 5, 295]),
    ("saved", [12, 12, 12]),
    ("saved, of one kind", [14, 14, 14]),
];

/// The post with the most reactions.
const POPULAR: Uuid = Uuid::from_u128(0x0194_0000_0000_7000_8000_0000_0000_0005);

/// The comment with the most replies.
const ANSWERED: Uuid = Uuid::from_u128(0x0195_0000_0000_7000_9000_0000_0000_0001);

/// Returns the buffers of a statement.
async fn buffers(conn: &mut PgConnection, mut statement: impl Execute<'static, Postgres>) -> i64 {
    let arguments = statement.take_arguments().unwrap().unwrap();
    let sql = format!("explain (analyze, buffers, format json) {}", statement.sql().as_str());
    let plan = sqlx::query_with(AssertSqlSafe(sql), arguments).fetch_one(conn).await.unwrap();
    let plan: Value = plan.get(0);
    // For a distributed table, count the plans of the shards: Citus reads nothing of the table itself.
    match plan[0].pointer("/Plan/Distributed Query/Job/Tasks").and_then(Value::as_array) {
        Some(tasks) => tasks.iter().map(|task| blocks(&task["Remote Plan"][0][0])).sum(),
        None => blocks(&plan[0]),
    }
}

fn blocks(plan: &Value) -> i64 {
    ["Shared Hit Blocks", "Shared Read Blocks"].map(|kind| plan["Plan"][kind].as_i64().unwrap()).iter().sum()
}

/// Returns the buffers of each page of [`CEILINGS`].
async fn pages(conn: &mut PgConnection) -> [i64; 26] {
    let viewer = Some(Uuid::from_u128(0x01930000_0000_7000_8000_000000000007));
    let author = Uuid::from_u128(0x01930000_0000_7000_8000_000000000100);
    let hidden = Uuid::from_u128(0x01930000_0000_7000_8000_000000000014);
    let (fetch, now) = (PageSize::parse(0).unwrap().to_fetch(), clock().now());
    let deep = (now - TimeDelta::days(20)).into();
    let deep_rank = Rank(posts::freshness(now) - 20.0);
    let page = |after| RelevantPage::new(after, now);
    let id = Uuid::max();
    let after = RelevantCursor { as_of: now.into(), leads: false, score: deep_rank, id };
    let deep_activity = ActivityCursor { at: deep, id, part: 3 };
    let community = Uuid::from_u128(0x01930000_0000_7000_8001_000000000008);
    let newest: Vec<Uuid> = (1..=21).map(|n| Uuid::from_u128(0x01940000_0000_7000_8000_000000000000 + n)).collect();
    [
        buffers(conn, relevant::by_relevance(viewer, fetch, page(None))).await,
        buffers(conn, relevant::by_relevance(viewer, fetch, page(Some(after)))).await,
        buffers(conn, relevance::check_statement(viewer, now, 0, &newest)).await,
        buffers(conn, home::recent(viewer, fetch, now, RecentCursor::START)).await,
        buffers(conn, home::recent(viewer, fetch, now, RecentCursor { at: deep, id })).await,
        buffers(conn, home::recent(None, fetch, now, RecentCursor::START)).await,
        buffers(conn, home::top(viewer, fetch, now, TopCursor::START)).await,
        buffers(conn, home::top(viewer, fetch, now, TopCursor { likes: 40, at: deep, id })).await,
        buffers(conn, lists::by_author(viewer, fetch, author, AuthorCursor::START)).await,
        buffers(conn, lists::in_community(viewer, fetch, community, CommunityCursor::START)).await,
        buffers(conn, topic::by_topic(viewer, fetch, "moot", TopicCursor::START)).await,
        buffers(conn, lists::single(viewer, POPULAR)).await,
        buffers(conn, lists::version(viewer, POPULAR)).await,
        buffers(conn, batch::bodies(&newest, false)).await,
        buffers(conn, reactions::list::newest(viewer, POPULAR, fetch, ReactionsCursor::START)).await,
        buffers(conn, comments::list::newest(viewer, POPULAR, fetch, CommentsCursor::START)).await,
        buffers(conn, comments::pages::version(viewer, POPULAR, fetch)).await,
        buffers(conn, comments::pages::page(POPULAR, fetch)).await,
        buffers(conn, comments::single(viewer, ANSWERED)).await,
        buffers(conn, comments::replies::oldest(viewer, ANSWERED, fetch, RepliesCursor::START)).await,
        buffers(conn, comments::reactions::newest(viewer, ANSWERED, fetch, CommentReactionsCursor::START)).await,
        buffers(conn, activity::newest(viewer, author, fetch, ActivityCursor::START)).await,
        buffers(conn, activity::newest(viewer, author, fetch, deep_activity)).await,
        buffers(conn, activity::newest(viewer, hidden, fetch, ActivityCursor::START)).await,
        buffers(conn, saved_items::list::newest(author, None, fetch, &SavedItemsCursor::START)).await,
        buffers(
            conn,
            saved_items::list::newest(author, Some(saved_items::ItemKind::Event), fetch, &SavedItemsCursor::START),
        )
        .await,
    ]
}

/// Removes dead rows and updates statistics.
async fn vacuum(database: &Database) {
    let tables = [
        "posts",
        "reactions",
        "comments",
        "comment_reactions",
        "hidden_members",
        "connections",
        "memberships",
        "blocks",
        "members",
        "saved_items",
        "post_topics",
        "link_previews",
        "follows",
        "hidden_posts",
        "mutes",
        "topic_follows",
    ];
    // A rewrite keeps dead rows that a transaction of another test may still see, so they are vacuumed first. The
    // placement of updated posts also depends on such transactions.
    database.vacuum(&tables).await;
    for table in tables {
        database.run_as_owner(format!("vacuum full feed.{table}")).await;
    }
    database.run_as_owner("cluster feed.posts using posts_pkey").await;
    database.vacuum(&tables).await;
}

#[tokio::test]
async fn no_page_exceeds_its_buffers() {
    let database = Database::fresh("feed", &MIGRATOR).await;
    let mut conn = database.pool().acquire().await.unwrap();
    sqlx::raw_sql(FILL).execute(&mut *conn).await.unwrap();
    sqlx::raw_sql(TOPICS).execute(&mut *conn).await.unwrap();
    vacuum(&database).await;
    let active = pages(&mut conn).await;
    sqlx::raw_sql(DEACTIVATE).execute(&mut *conn).await.unwrap();
    let deactivated = pages(&mut conn).await;
    sqlx::raw_sql("delete from feed.hidden_members").execute(&mut *conn).await.unwrap();
    sqlx::raw_sql(RELATE).execute(&mut *conn).await.unwrap();
    sqlx::raw_sql("delete from feed.post_topics").execute(&mut *conn).await.unwrap();
    sqlx::raw_sql(TOPICS).execute(&mut *conn).await.unwrap();
    vacuum(&database).await;
    let related = pages(&mut conn).await;
    sqlx::raw_sql(PREVIEWS).execute(&mut *conn).await.unwrap();
    vacuum(&database).await;
    let previewed = pages(&mut conn).await;

    let mut over = Vec::new();
    for (n, (page, ceilings)) in CEILINGS.into_iter().enumerate() {
        let buffers = [active[n], deactivated[n], related[n]];
        println!("{page}: {buffers:?} buffers of {ceilings:?}");
        if buffers.into_iter().zip(ceilings).any(|(buffers, ceiling)| buffers > ceiling) {
            over.push(page);
        }
        println!("{page}: {} buffers with previews", previewed[n]);
        if previewed[n] > related[n] + PREVIEW_BUFFERS {
            over.push(page);
        }
    }
    assert!(over.is_empty(), "{over:?}");
}
