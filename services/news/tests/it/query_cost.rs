//! The cost of lists at 100,000 articles, in buffers, which do not depend on the load of the machine.

use testkit::Cost;

use crate::fixtures::Fixture;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");
const ONE: &[&str] = &["copies.sources", "from news.articles\n        where id = $1"];
const BATCH: &[&str] = &["copies.sources", "where id = any((select $1::uuid[])::uuid[])\n        limit 101"];
const LEADERS: &[&str] = &["copies.sources", "select id\n        from news.articles\n        where leads"];
const OF_SOURCE: &[&str] = &["copies.sources", "select id\n        from news.articles\n        where source_id = $2"];
const SCAN: &[&str] = &["copies.sources", "limit $3", "where leads"];
const SCAN_OF_SOURCE: &[&str] = &["copies.sources", "limit $3", "where source_id = $4"];
const COPIES: &[&str] = &["a.keys && $1", "limit $6"];
const INDEXED: &[&str] = &["copies.sources", "searched like lower($3)"];

/// 100,000 articles of five sources within two years, every tenth a copy of the one before it. 'Appeal' is in all of them,
/// 'mediation' in a tenth (none of aba), 'tribunal' in a hundredth, 'admiralty' in fifty, 'pandemic' in the older half,
/// 'impeachment' in the oldest tenth.
async fn filled() -> Fixture {
    let fixture = Fixture::empty().await;
    // Building the indexes afterwards takes seconds instead of minutes.
    let indexes = fixture
        .column("select indexdef from pg_indexes where indexname in ('articles_searched_idx', 'articles_keys_idx')")
        .await;
    fixture.harness.database().run_as_owner("drop index news.articles_searched_idx, news.articles_keys_idx").await;
    fixture
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
                -- The newest is written last.
                order by n desc
            ) as numbered",
        )
        .await;
    fixture.harness.database().run_as_owner(indexes.join(";")).await;
    fixture.harness.database().vacuum(&["articles", "sources"]).await;
    fixture
}

#[tokio::test]
async fn the_cost_of_lists_is_bounded_at_every_number_of_matches() {
    let fixture = filled().await;
    let cost = async |query: &[&str], arguments: &str| -> Cost {
        let cost = fixture.harness.database().cost(CRATE, query, arguments).await;
        println!("{arguments:.70}: {cost:?}");
        cost
    };
    let id = "'01930000-0000-7000-8000-000000000009'";
    cost(ONE, id).await.at_most(20);
    let hundred: Vec<String> = (1..=100).map(|n| format!("01930000-0000-7000-8000-{:012x}", n * 997)).collect();
    cost(BATCH, &format!("'{{{}}}'", hundred.join(","))).await.at_most(1_500);
    cost(LEADERS, "0").await.at_most(200);
    cost(LEADERS, "11988").await.at_most(400);
    cost(OF_SOURCE, "0, 'aba'").await.at_most(200);
    cost(OF_SOURCE, "11988, 'aba'").await.at_most(400);

    // As articles/search.rs does: a scan first, then the index if the page is not full.
    for (word, scan, scan_of_source, index) in [
        ("appeal", 200, 200, 1_000),
        ("mediation", 250, 900, 2_300),
        ("tribunal", 400, 900, 2_300),
        ("admiralty", 400, 900, 2_300),
        ("pandemic", 400, 900, 2_300),
        ("impeachment", 400, 900, 2_300),
        ("nothing-has-this", 400, 900, 2_300),
    ] {
        cost(SCAN, &format!("0, array['%{word}%'], 1013, '{{}}'")).await.at_most(scan);
        cost(SCAN_OF_SOURCE, &format!("0, array['%{word}%'], 1013, 'aba', '{{}}'")).await.at_most(scan_of_source);
        for (source, ceiling) in [("null", index), ("'aba'", index)] {
            cost(INDEXED, &format!("0, array['%{word}%'], '%{word}%', {source}, 318, 293, '{{}}'"))
                .await
                .at_most(ceiling);
        }
    }
    // The last allowed page.
    for word in ["appeal", "mediation", "pandemic"] {
        cost(SCAN, &format!("11988, array['%{word}%'], 13001, '{{}}'")).await.at_most(3_000);
        cost(INDEXED, &format!("11988, array['%{word}%'], '%{word}%', null, 318, 293, '{{}}'")).await.at_most(12_000);
    }
    // Two letters, which the index does not serve: the long scan.
    cost(SCAN, "0, array['%zq%'], 20013, '{}'").await.at_most(4_000);

    // Candidates for a cluster: by two words that a twentieth of all titles contain, over seven days with ten times the usual
    // articles; and by words that no article contains.
    let frequent: Vec<String> = (20..=26).map(|day| format!("'court word7@{day}'")).collect();
    for (keys, ceiling) in [(frequent.join(", "), 4_000), ("'none@20'".to_owned(), 20)] {
        let arguments = format!("array[{keys}], array['#none@20'], 'aba', '2025-04-01', '2025-06-30', 200");
        cost(COPIES, &arguments).await.at_most(ceiling);
    }
}

#[tokio::test]
async fn every_page_of_resources_costs_the_same() {
    let fixture = Fixture::empty().await;
    let database = fixture.harness.database();
    fixture
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
    fixture.harness.database().vacuum(&["resources"]).await;
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
