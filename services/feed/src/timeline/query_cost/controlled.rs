//! The cost of the lists that a member controls: feeds, hidden posts and mutes.

use primitives::input::PageSize;
use sqlx::PgConnection;
use testkit::{Database, clock};
use uuid::Uuid;

use super::{FILL, RELATE, TOPICS, buffers, vacuum};
use crate::{
    MIGRATOR,
    cursors::{Rank, RecentCursor, RelevantCursor, SchoolCursor, Timestamp, TopCursor},
    posts,
    timeline::{
        RelevantPage,
        following::{self, Sources},
        home, relevant, school,
    },
};

/// The maximum number of buffers of the lists that a member controls: for the viewer with every relation, who also
/// follows 300 members and a topic. The first number is without mutes, the second with 1,000 hidden posts (20 lower
/// authors and topics), 20 muted members, 3 muted communities and 50 muted words.
const CONTROLLED_CEILINGS: [(&str, [i64; 2]); 7] = [
    ("relevant", [1430, 2200]),
    ("relevant, deep", [1070, 1880]),
    ("recent", [290, 325]),
    ("top", [310, 340]),
    ("following", [1175, 1165]),
    ("school", [270, 300]),
    ("communities", [940, 620]),
];

/// Inserts the follows of the viewer.
const FOLLOW: &str = "
    insert into feed.follows (member_id, followed_id, followed_at)
    select
        ('01930000-0000-7000-8000-' || lpad(to_hex(m), 12, '0'))::uuid,
        ('01930000-0000-7000-8000-' || lpad(to_hex((m + n) % 400), 12, '0'))::uuid,
        to_timestamp(1772442000 - n)
    from generate_series(0, 30) m, generate_series(1, 300) n;

    insert into feed.topic_follows (member_id, topic, followed_at)
    values ('01930000-0000-7000-8000-000000000007', 'moot', to_timestamp(0));
";

/// Inserts the hidden posts and mutes of the viewer and thirty others.
const CONTROL: &str = "
    insert into feed.hidden_posts (member_id, post_id, hidden_at, not_interested, author_id, topics)
    select
        ('01930000-0000-7000-8000-' || lpad(to_hex(m), 12, '0'))::uuid,
        ('01940000-0000-7000-8000-' || lpad(to_hex(n * 4), 12, '0'))::uuid,
        to_timestamp(1772442000 - n),
        n <= 20,
        ('01930000-0000-7000-8000-' || lpad(to_hex(n * 28 % 400), 12, '0'))::uuid,
        case when n % 4 = 0 then array['moot'] else '{}' end
    from generate_series(0, 30) m, generate_series(1, 1000) n;

    insert into feed.mutes (id, member_id, kind, target_id, muted_at)
    select
        gen_random_uuid(),
        ('01930000-0000-7000-8000-' || lpad(to_hex(m), 12, '0'))::uuid,
        'member',
        ('01930000-0000-7000-8000-' || lpad(to_hex((m + n * 9) % 400), 12, '0'))::uuid,
        to_timestamp(1772442000)
    from generate_series(0, 30) m, generate_series(1, 20) n;

    insert into feed.mutes (id, member_id, kind, target_id, muted_at)
    select
        gen_random_uuid(),
        ('01930000-0000-7000-8000-' || lpad(to_hex(m), 12, '0'))::uuid,
        'community',
        ('01930000-0000-7000-8001-' || lpad(to_hex(n * 4), 12, '0'))::uuid,
        to_timestamp(1772442000)
    from generate_series(0, 30) m, generate_series(1, 3) n;

    insert into feed.mutes (id, member_id, kind, word, muted_at)
    select
        gen_random_uuid(),
        ('01930000-0000-7000-8000-' || lpad(to_hex(m), 12, '0'))::uuid,
        'word',
        'word ' || n,
        to_timestamp(1772442000)
    from generate_series(0, 30) m, generate_series(1, 50) n;
";

/// Returns the buffers of each page of [`CONTROLLED_CEILINGS`].
async fn controlled_pages(conn: &mut PgConnection) -> [i64; 7] {
    let me = Uuid::from_u128(0x01930000_0000_7000_8000_000000000007);
    let (fetch, now, viewer) = (PageSize::parse(0).unwrap().to_fetch(), clock().now(), Some(me));
    let page = |after| RelevantPage::new(after, now);
    let (score, id) = (Rank(posts::freshness(now) - 20.0), Uuid::max());
    let after = RelevantCursor { as_of: now.into(), leads: false, score, id };
    let start = (*Timestamp::END, id);
    [
        buffers(conn, relevant::by_relevance(viewer, fetch, page(None))).await,
        buffers(conn, relevant::by_relevance(viewer, fetch, page(Some(after)))).await,
        buffers(conn, home::recent(viewer, fetch, now, RecentCursor::START)).await,
        buffers(conn, home::top(viewer, fetch, now, TopCursor::START)).await,
        buffers(conn, following::newest(me, fetch, now, Sources::All, start)).await,
        buffers(conn, school::newest(me, fetch, now, SchoolCursor::START)).await,
        buffers(conn, following::newest(me, fetch, now, Sources::Communities, start)).await,
    ]
}

#[tokio::test]
async fn no_list_that_a_member_controls_exceeds_its_buffers() {
    let database = Database::fresh("feed", &MIGRATOR).await;
    let mut conn = database.pool().acquire().await.unwrap();
    for fill in [FILL, RELATE, TOPICS, FOLLOW] {
        sqlx::raw_sql(fill).execute(&mut *conn).await.unwrap();
    }
    vacuum(&database).await;
    let followed = controlled_pages(&mut conn).await;
    sqlx::raw_sql(CONTROL).execute(&mut *conn).await.unwrap();
    vacuum(&database).await;
    let controlled = controlled_pages(&mut conn).await;
    let mut over = Vec::new();
    for (n, (page, ceilings)) in CONTROLLED_CEILINGS.into_iter().enumerate() {
        let buffers = [followed[n], controlled[n]];
        println!("{page}: {buffers:?} buffers of {ceilings:?}");
        if buffers.into_iter().zip(ceilings).any(|(buffers, ceiling)| buffers > ceiling) {
            over.push(page);
        }
    }
    assert!(over.is_empty(), "{over:?}");
}
