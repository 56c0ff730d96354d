//! The kept numbers are those counted, and the listings have what is open and passes, whatever boards tell and in whatever
//! order.

use chrono::TimeDelta;
use proptest::{collection::vec, prelude::*, test_runner::Config};
use serde_json::json;

use crate::{
    board::{Board, at},
    site::{Page, Site},
};

const PATHS: [&str; 2] = ["/v1/boards/one/jobs", "/v1/boards/two/jobs"];
/// Titles that are counted each in its own way.
const TITLES: [&str; 5] = ["Attorney", "Legal Intern", "Law Clerk", "Full-Time Paralegal", "Senior Counsel"];

/// Places that are listed each in its own way.
const PLACES: [&str; 4] = ["Town", "Albany, NY", "Washington, DC or remote", "Remote"];

#[derive(Clone, Debug)]
enum Step {
    /// A board tells of these: which posting, what it is called, where it is, and whether its deadline is near.
    Told(usize, Vec<(u8, usize, usize, bool)>),
    /// A board fails.
    Failed(usize),
    /// So many hours pass.
    Passed(i64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..2_usize, vec((0..6_u8, 0..TITLES.len(), 0..PLACES.len(), any::<bool>()), 0..6)).prop_map(|(at, told)| Step::Told(at, told)),
        1 => (0..2_usize).prop_map(Step::Failed),
        1 => (1..60_i64).prop_map(Step::Passed),
    ]
}

async fn live(steps: &[Step]) {
    let site = Site::open().await;
    for path in PATHS {
        site.put(path, Page::of("{\"jobs\": []}"));
    }
    let named = "greenhouse:one=Firm,greenhouse:two=Firm,demo";
    let board = Board::with(|builder| at(&site, named, builder)).await;
    let (pool, clock) = (board.harness.pool(), &board.harness.clock);
    let outbox = outbox::Outbox::new("jobs");
    for step in steps {
        match step {
            Step::Told(at, told) => {
                let jobs: Vec<_> = told
                    .iter()
                    .map(|(n, title, place, near)| {
                        let deadline = clock.now() + TimeDelta::hours(if *near { 8 } else { 9_000 });
                        json!({
                            "absolute_url": format!("https://boards.example/{n}"), "title": TITLES[*title],
                            "location": { "name": PLACES[*place] }, "application_deadline": deadline.to_rfc3339(),
                        })
                    })
                    .collect();
                site.put(PATHS[*at], Page::of(json!({ "jobs": jobs }).to_string()));
            }
            Step::Failed(at) => site.put(PATHS[*at], Page::failing(500)),
            Step::Passed(hours) => clock.advance(TimeDelta::hours(*hours)),
        }
        board.refresh().await;
        jobs::closing::overdue(pool, &outbox, clock).await.unwrap();
        board.assert_kept().await;
        let both = "select count(distinct (s.connector = 'demo')) from jobs.postings p join jobs.sources s on s.id = p.source_id
            where p.closed_at is null";
        assert!(board.count(both).await <= 1, "the demo's beside real ones");
    }
    board.harness.stop().await;
}

#[test]
fn what_is_kept_is_what_is_counted_and_derived() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    proptest!(Config { cases: 10, max_shrink_iters: 60, failure_persistence: None, ..Config::default() }, |(steps in vec(step(), 1..14))| {
        runtime.block_on(live(&steps));
    });
}
