//! What reads cost at a hundred thousand postings, in buffers: a number that does not depend on the machine's mood.

use testkit::member;

use crate::board::{Board, SOURCE};

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// 100,000 postings a minute apart. Every one is a full-time position and says 'associate'; one in 20,000 is for
/// admiralty, one in three is in Albany, and there is one for immigration, among the oldest. One member
/// has applied for 2,000.
async fn filled() -> Board {
    let board = Board::open().await;
    let sql = format!(
        "insert into jobs.postings (
            id, source_id, url, title, company, location, remote, description, employment_type, experience_level,
            practice_area, posted_at
        )
        select
            ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '{SOURCE}', 'https://example.org/' || n,
            case when n % 20000 = 0 then 'Admiralty clerk' else 'Associate' end, 'Firm ' || n % 500,
            case when n % 3 = 0 then 'Albany, NY' else 'Boston, MA' end, false,
            repeat('Every posting has a description of some length, associate. ', 40), 'full-time',
            case when n % 30 = 0 then 'senior' else 'mid-level' end,
            case when n = 99500 then 'immigration' when n % 200 = 0 then 'government' else 'corporate' end,
            '2026-01-01'::timestamptz - n * interval '1 minute'
        from generate_series(1, 100000) n;
        insert into jobs.applications (id, posting_id, member_id, status, applied_at, job, job_description)
        select id, id, '{member}', 'applied', posted_at,
            json_build_object(
                'title', title, 'company', company, 'summary', summary, 'source', 'Court Jobs', 'posted_at', posted_at,
                'is_demo', false
            ),
            description
        from jobs.postings
        order by id
        limit 2000",
        member = member(1),
    );
    board.harness.database().run(sql).await;
    board.harness.database().run("vacuum analyze jobs.postings").await;
    board.harness.database().run("vacuum analyze jobs.applications").await;
    board.harness.database().run("analyze jobs.sources").await;
    board
}

const NEWEST: &[&str] = &["as most"];
const GLANCE: &[&str] = &["as newest", "limit 150\n"];
const LOOK: &[&str] = &["as newest", "limit 1500\n"];
const FILTERED: &[&str] = &["from found", "facets @> $6\n                and (posted_at"];
const SEARCHED: &[&str] = &["from found", "lower($8)"];

#[tokio::test]
async fn reads_cost_what_they_give_whatever_they_look_for() {
    let board = filled().await;
    let database = board.harness.database();
    let (visitor, ana) = ("null".to_owned(), format!("'{}'", member(1)));
    let first = "'2100-01-01', 'ffffffff-ffff-ffff-ffff-ffffffffffff'";
    let deep = "'2025-11-01', 'ffffffff-ffff-ffff-ffff-ffffffffffff'";
    for (who, ceiling) in [(&visitor, 40), (&ana, 120)] {
        for place in [first, deep] {
            let page = format!("{who}, 21, '2026-01-01', {place}");
            database.cost(CRATE, NEWEST, &page).await.at_most(ceiling);
            // What every posting has is found among the first.
            let common = format!("{page}, array['all', 'full-time'], array['%ASSOCIATE%']");
            database.cost(CRATE, GLANCE, &common).await.at_most(ceiling + 80);
            // What few have is looked for among so many and no more.
            let rare = format!("{page}, array['all', 'senior', 'new-york'], array['%admiralty%']");
            database.cost(CRATE, GLANCE, &rare).await.at_most(300);
            let some = format!("{page}, array['all', 'senior', 'new-york'], array[]::text[]");
            database.cost(CRATE, LOOK, &some).await.at_most(1_700);
        }
    }
    let page = format!("null, 21, '2026-01-01', {first}");
    for (filters, ceiling) in [
        ("array['all', 'immigration']", 60),
        ("array['all', 'immigration', 'senior', 'new-york', 'full-time']", 120),
        ("array['all', 'government', 'internship']", 60),
        ("array['all', 'government', 'senior']", 500),
    ] {
        database.cost(CRATE, FILTERED, &format!("{page}, {filters}")).await.at_most(ceiling);
    }
    for (filters, word, ceiling) in [
        ("array['all']", "admiralty", 200),
        ("array['all']", "nothing-has-this", 200),
        ("array['all', 'immigration']", "associate", 400),
        ("array['all', 'internship']", "associate", 400),
    ] {
        let search = format!("{page}, {filters}, array['%{word}%'], '%{word}%'");
        database.cost(CRATE, SEARCHED, &search).await.at_most(ceiling);
    }
    for from in [first, deep] {
        let mine = format!("'{}', {from}, 21, '2026-01-01'", member(1));
        database.cost(CRATE, &["from jobs.applications a", "a.applied_at desc"], &mine).await.at_most(160);
    }
    let id = "'01930000-0000-7000-8000-000000000010'";
    database
        .cost(CRATE, &["where p.id = $1", "coalesce(p.closed_at"], &format!("{id}, {ana}, '2026-01-01'"))
        .await
        .at_most(20);
}

#[tokio::test]
async fn what_is_rare_is_found_wherever_it_is() {
    let board = filled().await;
    let list = async |search: &str, practice_area: i32| {
        let request =
            portia_proto::jobs::ListJobsRequest { search: search.to_owned(), practice_area, ..Default::default() };
        let page = board.list(request).await.unwrap();
        (page.jobs.len(), !page.next_page_token.is_empty())
    };
    assert_eq!(list("admiralty", 0).await, (5, false));
    assert_eq!(list("associate", 5).await, (1, false), "the last but five hundred");
    assert_eq!(list("associate", 4).await, (20, true), "one in two hundred");
    assert_eq!(list("associate", 1).await, (20, true));
    assert_eq!(list("nothing-has-this", 0).await, (0, false));
}
