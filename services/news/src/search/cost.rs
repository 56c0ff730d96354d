//! What a search among a hundred thousand stories costs, whole, in buffers: the same for a word that all have and for one
//! that three have.

use ::search::Asked;
use testkit::Harness;

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

/// Pages by which an index that is built in one go differs from run to run.
const SPREAD: i64 = 20;

#[tokio::test]
async fn a_word_of_all_costs_what_a_word_of_three_does() {
    let harness = Harness::of("news").database(&MIGRATOR).await.frame();
    let database = harness.database();
    database.run(MANY).await;
    let mut conn = database.pool().acquire().await.unwrap();
    NEWS.index_all(&mut conn).await.unwrap();
    for table in ["sources", "articles", "search_documents", "search_entries", "search_words"] {
        database.run(format!("vacuum analyze news.{table}")).await;
    }
    let mut told = Vec::new();
    for mode in ["force_custom_plan", "force_generic_plan"] {
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("set plan_cache_mode = {mode}"))).execute(&mut *conn).await.unwrap();
        for (query, pages, found, ceiling) in [
            ("lawyer", 1, 20, 470),
            ("lawyer", 20, 20, 460),
            ("admiralty", 1, 3, 170),
            ("nowhere", 1, 0, 80),
            ("admirality", 1, 3, 200),
            ("topi", 1, 20, 550),
            ("lawyer student", 1, 20, 550),
            ("lawyer admiralty", 1, 3, 230),
            ("moot clerk", 1, 20, 700),
            ("moot clerk admiralty", 1, 0, 245),
        ] {
            let mut token = String::new();
            for page in 1..=pages {
                let asked = Asked::parse(query, 20, &token).unwrap();
                let before = database.touched(&mut conn).await;
                let answer = articles(&mut conn, asked).await.unwrap();
                let touched = database.touched(&mut conn).await - before;
                if page == pages {
                    assert_eq!(answer.rows.len(), found, "{query}, page {page}");
                    told.push((query, page, touched, ceiling));
                    println!("{mode} {query}, page {page}: {touched}");
                }
                token = answer.next_page_token;
            }
        }
    }
    for (query, page, touched, ceiling) in told {
        assert!(touched > 0 && touched <= ceiling + SPREAD, "{query}, page {page}: {touched} is more than {ceiling}");
    }
}
