//! What lists cost at some thousands of rows, in buffers.

use crate::newsroom::Newsroom;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");
const STORIES: &[&str] = &["from news.articles", "where leads"];
const OF_SOURCE: &[&str] = &["from news.articles", "where a.source_id = $1"];
const SEARCH: &[&str] = &["from news.articles", "ilike"];

/// 20,000 stories a minute apart from two sources, every 2,000th about something rare, and as many resources.
async fn filled() -> Newsroom {
    let newsroom = Newsroom::open().await;
    let sql = "
        insert into news.articles (id, story_id, source_id, url, title, description, published_at, found_at)
        select
            id, id, case when n % 2 = 0 then 'aba' else 'law_com' end, 'https://example.org/' || n,
            case when n % 2000 = 0 then 'Admiralty' else 'Appeal' end,
            repeat('Every article has a description of some length. ', 6), at, at
        from (
            select
                n, ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id,
                '2026-01-01'::timestamptz - n * interval '1 minute' as at
            from generate_series(1, 20000) n
        ) as numbered;
        insert into news.resources (id, title, type, created_at, approved_at)
        select id, title, 'guide', found_at, found_at from news.articles";
    newsroom.harness.database().run(sql).await;
    newsroom.harness.database().run("vacuum analyze news.articles").await;
    newsroom.harness.database().run("vacuum analyze news.resources").await;
    newsroom
}

#[tokio::test]
async fn a_first_page_is_cheap_and_the_last_one_bounded() {
    let newsroom = filled().await;
    let database = newsroom.harness.database();
    for (offset, ceiling) in [(0, 40), (11_988, 3_000)] {
        database.cost(CRATE, STORIES, &format!("{offset}, 13")).await.at_most(ceiling);
    }
    for (offset, ceiling) in [(0, 40), (5_988, 7_000)] {
        database.cost(CRATE, OF_SOURCE, &format!("'aba', {offset}, 13")).await.at_most(ceiling);
    }
    for from in ["2100-01-01", "2025-12-20"] {
        let place = format!("'{from}', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 21");
        database.cost(CRATE, &["from news.resources", "limit"], &place).await.at_most(20);
    }
}

#[tokio::test]
async fn a_search_costs_little_whether_all_articles_match_or_ten_or_none() {
    let newsroom = filled().await;
    for word in ["appeal", "admiralty", "nothing-has-this"] {
        for source in ["null", "'aba'"] {
            let arguments = format!("'%{word}%', array['%{word}%'], {source}, 0, 13");
            let cost = newsroom.harness.database().cost(CRATE, SEARCH, &arguments).await;
            assert!(cost.planned_for_these <= 80, "{cost:?} for {word} of {source}");
        }
    }
}
