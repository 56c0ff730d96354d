//! Statistics and listings equal the postings after random histories of boards.

use chrono::TimeDelta;
use proptest::{collection::vec, prelude::*, test_runner::Config};
use serde_json::json;

use crate::{
    board_server::{BoardServer, Page},
    fixtures::{Fixture, at, changes},
};

const PATHS: [&str; 2] = ["/v1/boards/one/jobs", "/v1/boards/two/jobs"];
/// Titles that are counted differently.
const TITLES: [&str; 5] = ["Attorney", "Legal Intern", "Law Clerk", "Full-Time Paralegal", "Senior Counsel"];

/// Places that are listed differently.
const PLACES: [&str; 4] = ["Town", "Albany, NY", "Washington, DC or remote", "Remote"];

#[derive(Clone, Debug)]
enum Step {
    /// A board lists these postings: number, title, place, and whether the deadline is near.
    Listed(usize, Vec<(u8, usize, usize, bool)>),
    /// A board fails.
    Failed(usize),
    /// Hours pass.
    Passed(i64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..2_usize, vec((0..6_u8, 0..TITLES.len(), 0..PLACES.len(), any::<bool>()), 0..6)).prop_map(|(at, postings)| Step::Listed(at, postings)),
        1 => (0..2_usize).prop_map(Step::Failed),
        1 => (1..60_i64).prop_map(Step::Passed),
    ]
}

async fn replay(steps: &[Step]) {
    let server = BoardServer::start().await;
    for path in PATHS {
        server.serve(path, Page::of("{\"jobs\": []}"));
    }
    let named = "greenhouse:one=Firm,greenhouse:two=Firm,demo";
    let fixture = Fixture::with(|builder| at(&server, named, builder)).await;
    let (pool, clock) = (fixture.harness.pool(), &fixture.harness.clock);
    for step in steps {
        match step {
            Step::Listed(at, postings) => {
                let jobs: Vec<_> = postings
                    .iter()
                    .map(|(n, title, place, near)| {
                        let deadline = clock.now() + TimeDelta::hours(if *near { 8 } else { 9_000 });
                        json!({
                            "absolute_url": format!("https://boards.example/{n}"), "title": TITLES[*title],
                            "location": { "name": PLACES[*place] }, "application_deadline": deadline.to_rfc3339(),
                        })
                    })
                    .collect();
                server.serve(PATHS[*at], Page::of(json!({ "jobs": jobs }).to_string()));
            }
            Step::Failed(at) => server.serve(PATHS[*at], Page::failing(500)),
            Step::Passed(hours) => clock.advance(TimeDelta::hours(*hours)),
        }
        fixture.refresh().await;
        jobs::expiry::close_expired(pool, &changes(&fixture.harness)).await.unwrap();
        fixture.assert_derived_rows().await;
        let both = "select count(distinct (s.connector = 'demo')) from jobs.postings p join jobs.sources s on s.id = p.source_id
            where p.closed_at is null";
        assert!(fixture.count(both).await <= 1, "postings of the demo beside real ones");
    }
    fixture.harness.stop().await;
}

#[test]
fn statistics_and_listings_equal_the_postings_after_any_history() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    proptest!(Config { cases: 10, max_shrink_iters: 60, failure_persistence: None, ..Config::default() }, |(steps in vec(step(), 1..14))| {
        runtime.block_on(replay(&steps));
    });
}
