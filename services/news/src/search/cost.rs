//! What a search among a hundred thousand stories costs, whole, in buffers: the same for a word that all have and for one
//! that three have.

use ::search::SearchQuery;
use sqlx::PgConnection;
use testkit::{
    Harness,
    search_cost::{Looked, assert_costs},
};

use super::{NEWS, articles};
use crate::MIGRATOR;

/// A hundred thousand stories, every tenth told by a second source. All are about lawyers and students, every 40th moots and
/// every 41st clerks, three know admiralty.
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
            || array['topic' || translate((n % 300)::text, '0123456789', 'bcdfghjklm'), 'number' || n], 2
    from (
        select id, extract(epoch from listed_at)::integer - 946684800 as n from news.articles where leads
    ) as stories";

#[tokio::test]
async fn a_word_of_all_costs_what_a_word_of_three_does() {
    let harness = Harness::of("news").database(&MIGRATOR).await.context();
    let database = harness.database();
    database.run(MANY).await;
    let mut conn = database.pool().acquire().await.unwrap();
    NEWS.build_entries(&mut conn).await.unwrap();
    for table in ["sources", "articles", "search_documents", "search_entries", "search_words"] {
        database.run(format!("vacuum analyze news.{table}")).await;
    }
    let looked = [
        Looked { query: "lawyer", page: 1, found: 20, ceiling: 470 },
        Looked { query: "lawyer", page: 20, found: 20, ceiling: 460 },
        Looked { query: "admiralty", page: 1, found: 3, ceiling: 170 },
        Looked { query: "nowhere", page: 1, found: 0, ceiling: 80 },
        Looked { query: "admirality", page: 1, found: 3, ceiling: 200 },
        Looked { query: "topi", page: 1, found: 20, ceiling: 550 },
        Looked { query: "lawyer student", page: 1, found: 20, ceiling: 550 },
        Looked { query: "lawyer admiralty", page: 1, found: 3, ceiling: 230 },
        Looked { query: "moot clerk", page: 1, found: 20, ceiling: 700 },
        Looked { query: "moot clerk admiralty", page: 1, found: 0, ceiling: 245 },
    ];
    assert_costs(database, &mut conn, &looked, async |conn: &mut PgConnection, query: &str, token: &str| {
        let asked = SearchQuery::parse(query, 20, token).unwrap();
        let answer = articles(conn, asked).await.unwrap();
        (answer.rows.len(), answer.next_page_token)
    })
    .await;
}
