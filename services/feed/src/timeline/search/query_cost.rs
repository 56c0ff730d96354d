//! The cost of a search in 100,000 posts, in buffers: similar for a word of all posts and for a word of three; for a visitor, a
//! member of ten communities and a member of 100, who pays for each community when more than 1,000 posts of communities
//! contain the word.

use ::search::{SearchQuery, audience};
use sqlx::PgConnection;
use testkit::{
    Harness, member,
    search_cost::{SearchCase, assert_costs},
};
use uuid::Uuid;

use super::posts;
use crate::{MIGRATOR, search::POSTS};

/// 100,000 posts of 2,000 members, every tenth in one of 100 communities. All contain "lawyer" and "student", every 40th
/// "moot" and every 41st "clerk", three "admiralty". Twenty members block the viewers of ten and of 100 communities; ten
/// accounts are deactivated.
const POSTS_SQL: &str = "
    insert into feed.communities (id, name)
    select ('01930000-0000-7000-8001-' || lpad(to_hex(n), 12, '0'))::uuid, 'Community ' || n
    from generate_series(0, 99) n;
    insert into feed.posts (id, author_id, content, created_at, freshness, community_id)
    select ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        ('01930000-0000-7000-8002-' || lpad(to_hex(n % 2000), 12, '0'))::uuid, 'A post of some length, ' || n,
        to_timestamp(946684800 + n), n / 86400.0,
        case when n % 10 = 0 then ('01930000-0000-7000-8001-' || lpad(to_hex(n / 10 % 100), 12, '0'))::uuid end
    from generate_series(1, 100000) n;
    insert into feed.memberships (member_id, community_id)
    select '01930000-0000-7000-8000-000000000401', id from feed.communities order by id limit 10;
    insert into feed.memberships (member_id, community_id)
    select '01930000-0000-7000-8000-000000000802', id from feed.communities;
    insert into feed.blocks (blocker_id, blocked_id)
    select ('01930000-0000-7000-8002-' || lpad(to_hex(n * 7), 12, '0'))::uuid, viewer
    from generate_series(1, 20) n,
        unnest('{01930000-0000-7000-8000-000000000401, 01930000-0000-7000-8000-000000000802}'::uuid[]) as viewer;
    insert into feed.hidden_members (member_id, hidden_at)
    select ('01930000-0000-7000-8002-' || lpad(to_hex(n * 11), 12, '0'))::uuid, to_timestamp(946684800)
    from generate_series(1, 10) n";

/// Inserts the documents of the posts. `$partitions` are the partitions of the communities.
const DOCUMENTS_SQL: &str = "
    insert into feed.search_documents (id, shelf, at, title, body, state)
    select id, coalesce(shelf, 0), n, '{}', '{lawyer,student,the,at}'::text[]
            || case when n % 40 = 1 then '{moot}'::text[] else '{}' end
            || case when n % 41 = 1 then '{clerk}'::text[] else '{}' end
            || case when n % 33336 = 5 then '{admiralty}'::text[] else '{}' end
            || array['topic' || translate((n % 300)::text, '0123456789', 'bcdfghjklm'), 'number' || n], 4
    from (select id, community_id, extract(epoch from created_at)::integer - 946684800 as n from feed.posts) p
    left join (values $partitions) as s (community_id, shelf) using (community_id)";

#[tokio::test]
async fn frequent_and_rare_words_cost_the_same() {
    let harness = Harness::of("feed").database(&MIGRATOR).await.context();
    let database = harness.database();
    database.run(POSTS_SQL).await;
    let communities = (0..100).map(|n| Uuid::from_u128(0x0193_0000_0000_7000_8001_0000_0000_0000 + n));
    let partitions: Vec<String> = communities.map(|id| format!("('{id}'::uuid, {})", 2 * audience(id))).collect();
    database.run(DOCUMENTS_SQL.replace("$partitions", &partitions.join(", "))).await;
    let mut conn = database.as_owner().await;
    POSTS.build_entries(&mut conn).await.unwrap();
    database
        .vacuum(&[
            "communities",
            "posts",
            "memberships",
            "blocks",
            "hidden_members",
            "search_documents",
            "search_entries",
            "search_words",
        ])
        .await;
    let searches = [
        ("lawyer", 1, 20, [350, 425, 1070]),
        ("lawyer", 20, 20, [325, 385, 730]),
        ("admiralty", 1, 3, [140, 155, 155]),
        ("nowhere", 1, 0, [85, 95, 95]),
        ("admirality", 1, 3, [170, 195, 195]),
        ("topi", 1, 20, [405, 560, 525]),
        ("lawyer student", 1, 20, [420, 700, 2930]),
        ("lawyer admiralty", 1, 3, [195, 365, 1650]),
        ("moot clerk", 1, 20, [560, 790, 1560]),
        ("lawyer student the at moot clerk", 1, 20, [625, 1360, 7400]),
        // The order of the words does not matter: 2,400 posts match.
        ("lawyer moot", 20, 20, [400, 495, 1125]),
        ("moot lawyer", 20, 20, [400, 495, 1125]),
        ("moot clerk admiralty", 1, 0, [250, 465, 1260]),
    ];
    for (nth, viewer) in [None, Some(member(1)), Some(member(2))].into_iter().enumerate() {
        let searches =
            searches.map(|(query, page, found, ceiling)| SearchCase { query, page, found, ceiling: ceiling[nth] });
        assert_costs(&mut conn, &searches, async |conn: &mut PgConnection, query: &str, token: &str| {
            let query = SearchQuery::parse(query, 20, token).unwrap();
            let page = posts(conn, query, viewer).await.unwrap();
            (page.rows.len(), page.next_page_token)
        })
        .await;
    }
}
