//! The cost of a search among 100,000 articles in buffers: about the same for a word in all of them and a word in three.

use ::search::SearchQuery;
use sqlx::PgConnection;
use testkit::{
    Harness,
    search_cost::{SearchCase, assert_costs},
};

use super::{NEWS, search_articles};
use crate::MIGRATOR;

/// 100,000 clusters, every tenth with a copy of a second source. All contain lawyer and student, every 40th moot, every 41st
/// clerk, three admiralty.
const MANY: &str = "
    drop index news.articles_searched_idx, news.articles_keys_idx;
    truncate news.search_documents;
    insert into news.articles
        (id, story_id, source_id, url, canonical_url, title, description, published_at, found_at, keys)
    select id, ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        case when copy then 'law_com' else 'aba' end, 'https://example.org/' || copy || n,
        'https://example.org/' || copy || n, 'Court rules ' || n, repeat('A story of some length. ', 20), at, at, '{}'
    from (
        select n, copy, ('01930000-0000-7000-800' || copy::integer || '-' || lpad(to_hex(n), 12, '0'))::uuid as id,
            to_timestamp(946684800 + n + copy::integer) as at
        from generate_series(1, 100000) n, unnest(array[false, true]) as copy
        where not copy or n % 10 = 0
    ) as numbered;
    insert into news.search_documents (id, shelf, at, title, body, state)
    select id, 0, n, array['court', 'rules'], '{lawyer,student,the,at}'::text[]
            || case when n % 40 = 1 then '{moot}'::text[] else '{}' end
            || case when n % 41 = 1 then '{clerk}'::text[] else '{}' end
            || case when n % 33336 = 5 then '{admiralty}'::text[] else '{}' end
            || array['topic' || translate((n % 300)::text, '0123456789', 'bcdfghjklm'), 'number' || n], 4
    from (
        select id, extract(epoch from listed_at)::integer - 946684800 as n from news.articles where leads
    ) as stories";

#[tokio::test]
async fn a_frequent_word_costs_about_as_much_as_a_rare_one() {
    let harness = Harness::of("news").database(&MIGRATOR).await.context();
    let database = harness.database();
    database.run_as_owner(MANY).await;
    let mut conn = database.as_owner().await;
    NEWS.build_entries(&mut conn).await.unwrap();
    database.vacuum(&["sources", "articles", "search_documents", "search_entries", "search_words"]).await;
    let looked = [
        SearchCase { query: "lawyer", page: 1, found: 20, ceiling: 470 },
        SearchCase { query: "lawyer", page: 20, found: 20, ceiling: 460 },
        SearchCase { query: "admiralty", page: 1, found: 3, ceiling: 170 },
        SearchCase { query: "nowhere", page: 1, found: 0, ceiling: 80 },
        SearchCase { query: "admirality", page: 1, found: 3, ceiling: 200 },
        SearchCase { query: "topi", page: 1, found: 20, ceiling: 550 },
        SearchCase { query: "lawyer student", page: 1, found: 20, ceiling: 550 },
        SearchCase { query: "lawyer admiralty", page: 1, found: 3, ceiling: 230 },
        SearchCase { query: "moot clerk", page: 1, found: 20, ceiling: 700 },
        SearchCase { query: "moot clerk admiralty", page: 1, found: 0, ceiling: 245 },
    ];
    assert_costs(&mut conn, &looked, async |conn: &mut PgConnection, query: &str, token: &str| {
        let parsed = SearchQuery::parse(query, 20, token).unwrap();
        let answer = search_articles(conn, parsed).await.unwrap();
        (answer.rows.len(), answer.next_page_token)
    })
    .await;
}
