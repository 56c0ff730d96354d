//! The cost in buffers of a search among 100,000 communities, which does not depend on the frequency of the word.

use ::search::SearchQuery;
use sqlx::PgConnection;
use testkit::{
    Harness, member,
    search_cost::{SearchCase, assert_costs},
};

use super::{COMMUNITIES, search};
use crate::MIGRATOR;

/// 100,000 communities. All contain "lawyer" and "student", every 40th "moot", every 41st "clerk", three "admiralty". One
/// member belongs to 1,000 of them.
const COMMUNITIES_SQL: &str = "
    insert into social_graph.communities (id, name, name_key, description, member_count, created_at)
    select ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Community ' || n, 'community ' || n,
        'Lawyers and students.', 1, to_timestamp(946684800 + n)
    from generate_series(1, 100000) n;
    insert into social_graph.memberships (community_id, member_id, role, joined_at)
    select ('01930000-0000-7000-8000-' || lpad(to_hex(n * 100), 12, '0'))::uuid, '01930000-0000-7000-8000-000000000401',
        'owner', to_timestamp(946684800)
    from generate_series(1, 1000) n;
    insert into social_graph.search_documents (id, shelf, at, title, body, state)
    select id, 0, n, array['community'], '{lawyer,student,the,at}'::text[]
            || case when n % 40 = 1 then '{moot}'::text[] else '{}' end
            || case when n % 41 = 1 then '{clerk}'::text[] else '{}' end
            || case when n % 33336 = 5 then '{admiralty}'::text[] else '{}' end
            || array['topic' || translate((n % 300)::text, '0123456789', 'bcdfghjklm'), 'number' || n], 4
    from (select id, extract(epoch from created_at)::integer - 946684800 as n from social_graph.communities) c";

#[tokio::test]
async fn the_cost_of_a_search_is_bounded_for_frequent_and_rare_words() {
    let harness = Harness::of("social-graph").database(&MIGRATOR).await.context();
    let database = harness.database();
    database.run(COMMUNITIES_SQL).await;
    let mut conn = database.as_owner().await;
    COMMUNITIES.build_entries(&mut conn).await.unwrap();
    database.vacuum(&["communities", "memberships", "search_documents", "search_entries", "search_words"]).await;
    let queries = [
        SearchCase { query: "lawyer", page: 1, found: 20, ceiling: 240 },
        SearchCase { query: "lawyer", page: 20, found: 20, ceiling: 250 },
        SearchCase { query: "admiralty", page: 1, found: 3, ceiling: 85 },
        SearchCase { query: "nowhere", page: 1, found: 0, ceiling: 60 },
        SearchCase { query: "admirality", page: 1, found: 3, ceiling: 115 },
        SearchCase { query: "topi", page: 1, found: 20, ceiling: 280 },
        SearchCase { query: "lawyer student", page: 1, found: 20, ceiling: 400 },
        SearchCase { query: "lawyer admiralty", page: 1, found: 3, ceiling: 105 },
        SearchCase { query: "moot clerk", page: 1, found: 20, ceiling: 550 },
        SearchCase { query: "moot clerk admiralty", page: 1, found: 0, ceiling: 230 },
    ];
    assert_costs(&mut conn, &queries, async |conn: &mut PgConnection, text: &str, token: &str| {
        let query = SearchQuery::parse(text, 20, token).unwrap();
        let page = search(conn, query, Some(member(1))).await.unwrap();
        (page.rows.len(), page.next_page_token)
    })
    .await;
}
