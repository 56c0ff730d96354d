//! What lists cost at a hundred thousand articles, in buffers: a number that does not depend on the machine's mood.

use testkit::Cost;

use crate::newsroom::Newsroom;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");
const ONE: &[&str] = &["told.sources", "from news.articles\n        where id = $1"];
const SEVERAL: &[&str] = &["told.sources", "where id = any((select $1::uuid[])::uuid[])\n        limit 101"];
const STORIES: &[&str] = &["told.sources", "select id\n        from news.articles\n        where leads"];
const OF_SOURCE: &[&str] = &["told.sources", "select id\n        from news.articles\n        where source_id = $2"];
const WALK: &[&str] = &["told.sources", "limit $3", "where leads"];
const WALK_OF_SOURCE: &[&str] = &["told.sources", "limit $3", "where source_id = $4"];
const COPIES: &[&str] = &["a.keys && $1", "limit $6"];
const INDEXED: &[&str] = &["told.sources", "searched like lower($3)"];

/// 100,000 articles of five sources within two years, every tenth a copy of the one before it. 'Appeal' is in all of them,
/// 'mediation' in a tenth (and none of aba's), 'tribunal' in a hundredth, 'admiralty' in fifty; 'pandemic' is in the older
/// half alone, 'impeachment' in the oldest tenth.
async fn filled() -> Newsroom {
    let newsroom = Newsroom::open().await;
    // Built at once, the indexes take seconds; row by row, minutes.
    let indexes = newsroom
        .column("select indexdef from pg_indexes where indexname in ('articles_searched_idx', 'articles_keys_idx')")
        .await;
    newsroom.run("drop index news.articles_searched_idx, news.articles_keys_idx").await;
    newsroom
        .run(
            "insert into news.sources (id, name) values ('wire', 'Wire');
            insert into news.articles
                (id, story_id, source_id, url, canonical_url, title, description, published_at, found_at, keys)
            select
                id,
                case when n % 10 = 0 then ('01930000-0000-7000-8000-' || lpad(to_hex(n - 1), 12, '0'))::uuid else id end,
                (array['aba', 'law_com', 'above_the_law', 'law_school_org', 'wire'])[1 + n % 5],
                'https://example.org/' || n, 'https://example.org/' || n,
                'Appeal ' || n
                    || case when n % 10 = 3 then ' mediation' else '' end
                    || case when n % 100 = 7 then ' tribunal' else '' end
                    || case when n % 2000 = 11 then ' admiralty' else '' end
                    || case when n > 50000 then ' pandemic' else '' end
                    || case when n > 90000 then ' impeachment' else '' end,
                repeat(md5(n::text) || ' is described at some length here. ', 5),
                at, at, array['court word' || n % 20 || '@' || n / 1440, 'some word' || n || '@' || n / 1440]
            from (
                select
                    n, ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id,
                    '2026-01-01'::timestamptz - n * interval '10 minutes' as at
                from generate_series(1, 100000) n
                -- As they come in: the newest is written last.
                order by n desc
            ) as numbered",
        )
        .await;
    newsroom.run(&indexes.join(";")).await;
    newsroom.run("vacuum analyze news.articles").await;
    newsroom.run("vacuum analyze news.sources").await;
    newsroom
}

#[tokio::test]
async fn lists_of_a_hundred_thousand_articles_are_bounded_at_every_hit_count() {
    let newsroom = filled().await;
    let cost = async |query: &[&str], arguments: &str| -> Cost {
        let cost = newsroom.harness.database().cost(CRATE, query, arguments).await;
        println!("{arguments:.70}: {cost:?}");
        cost
    };
    let id = "'01930000-0000-7000-8000-000000000009'";
    cost(ONE, id).await.at_most(20);
    let hundred: Vec<String> = (1..=100).map(|n| format!("01930000-0000-7000-8000-{:012x}", n * 997)).collect();
    cost(SEVERAL, &format!("'{{{}}}'", hundred.join(","))).await.at_most(1_500);
    cost(STORIES, "0").await.at_most(200);
    cost(STORIES, "11988").await.at_most(400);
    cost(OF_SOURCE, "0, 'aba'").await.at_most(200);
    cost(OF_SOURCE, "11988, 'aba'").await.at_most(400);

    // As search.rs asks: the walk first, and the index where that does not fill the page.
    for (word, walk, walk_of_source, index) in [
        ("appeal", 200, 200, 1_000),
        ("mediation", 250, 900, 2_300),
        ("tribunal", 400, 900, 2_300),
        ("admiralty", 400, 900, 2_300),
        ("pandemic", 400, 900, 2_300),
        ("impeachment", 400, 900, 2_300),
        ("nothing-has-this", 400, 900, 2_300),
    ] {
        cost(WALK, &format!("0, array['%{word}%'], 1013")).await.at_most(walk);
        cost(WALK_OF_SOURCE, &format!("0, array['%{word}%'], 1013, 'aba'")).await.at_most(walk_of_source);
        for (source, ceiling) in [("null", index), ("'aba'", index)] {
            cost(INDEXED, &format!("0, array['%{word}%'], '%{word}%', {source}, 318, 293")).await.at_most(ceiling);
        }
    }
    // The last page there may be.
    for word in ["appeal", "mediation", "pandemic"] {
        cost(WALK, &format!("11988, array['%{word}%'], 13001")).await.at_most(3_000);
        cost(INDEXED, &format!("11988, array['%{word}%'], '%{word}%', null, 318, 293")).await.at_most(12_000);
    }
    // Two letters no index knows: as far as they are looked for.
    cost(WALK, "0, array['%zq%'], 20013").await.at_most(4_000);

    // A new story's copies: by two words that a twentieth of all titles have, over seven days, of which each has ten times
    // as many articles as it has where a hundred thousand are two years' worth; and by words nobody has.
    let frequent: Vec<String> = (20..=26).map(|day| format!("'court word7@{day}'")).collect();
    for (keys, ceiling) in [(frequent.join(", "), 4_000), ("'none@20'".to_owned(), 20)] {
        let arguments = format!("array[{keys}], array['#none@20'], 'aba', '2025-04-01', '2025-06-30', 200");
        cost(COPIES, &arguments).await.at_most(ceiling);
    }
}

#[tokio::test]
async fn a_page_of_resources_costs_the_same_wherever_it_is() {
    let newsroom = Newsroom::open().await;
    let database = newsroom.harness.database();
    newsroom
        .run(
            "insert into news.resources (id, title, type, created_at, approved_at)
            select
                ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Outline ' || n,
                case when n % 500 = 0 then 'case-brief' else 'guide' end, at, at
            from (
                select n, '2026-01-01'::timestamptz - n * interval '1 minute' as at from generate_series(1, 20000) n
            ) numbered",
        )
        .await;
    newsroom.run("vacuum analyze news.resources").await;
    for from in ["2100-01-01", "2025-12-20"] {
        let place = format!("'{from}', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 21");
        let all = &["from news.resources", "approved_at is not null\n            and (approved_at, id)"];
        database.cost(CRATE, all, &place).await.at_most(20);
        let of_type = &["from news.resources", "and type = $4"];
        for kind in ["guide", "case-brief"] {
            database.cost(CRATE, of_type, &format!("{place}, '{kind}'")).await.at_most(30);
        }
    }
}
