//! What lists cost at some thousands of rows, in buffers: a number that does not depend on the machine's mood.

use testkit::member;

use crate::board::{Board, SOURCE};

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// 20,000 postings a minute apart, every 2,000th of a rare kind, and 2,000 applications of one member.
async fn filled() -> Board {
    let board = Board::open().await;
    let sql = format!(
        "insert into jobs.postings (
            id, source_id, url, title, company, location, remote, description, employment_type, posted_at
        )
        select
            ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '{SOURCE}', 'https://example.org/' || n,
            case when n % 2000 = 0 then 'Admiralty clerk' else 'Associate' end, 'Firm ' || n % 500, 'Albany, NY', false,
            repeat('Every posting has a description of some length. ', 8), 'full-time',
            '2026-01-01'::timestamptz - n * interval '1 minute'
        from generate_series(1, 20000) n;
        insert into jobs.applications (id, posting_id, member_id, status, applied_at)
        select id, id, '{member}', 'applied', posted_at from jobs.postings order by id limit 2000",
        member = member(1),
    );
    board.harness.database().run(sql).await;
    board.harness.database().run("vacuum analyze jobs.postings").await;
    board.harness.database().run("vacuum analyze jobs.applications").await;
    board
}

/// The list without and with a search share most of their text.
const NEWEST: &[&str] = &["from jobs.postings p", "closed_at is null\n            and (p.posted_at, p.id)"];
const SEARCH: &[&str] = &["from jobs.postings p", "ilike"];

#[tokio::test]
async fn a_page_costs_the_same_wherever_it_is() {
    let board = filled().await;
    let database = board.harness.database();
    for from in ["2100-01-01", "2025-12-20"] {
        let place = format!("'{from}', 'ffffffff-ffff-ffff-ffff-ffffffffffff'");
        let newest = format!("{place}, '2026-01-01', null, null, null, null, 21");
        database.cost(CRATE, NEWEST, &newest).await.at_most(20);
        let mine = format!("'{}', {place}, 21", member(1));
        database.cost(CRATE, &["from jobs.applications a", "a.applied_at desc"], &mine).await.at_most(120);
    }
}

#[tokio::test]
async fn a_search_costs_little_whether_all_postings_match_or_ten_or_none() {
    let board = filled().await;
    let database = board.harness.database();
    for word in ["associate", "admiralty", "nothing-has-this"] {
        let arguments = format!(
            "'2100-01-01', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '2026-01-01', null, null, null, null, 21, \
             '%{word}%', array['%{word}%']"
        );
        let cost = database.cost(CRATE, SEARCH, &arguments).await;
        assert!(cost.planned_for_these <= 80, "{cost:?} for {word}");
    }
}
