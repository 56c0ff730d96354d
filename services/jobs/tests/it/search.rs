//! Full-text search: a posting is found from its crawl until it is closed, and returned as in lists.

use chrono::TimeDelta;
use portia_proto::jobs::{ApplyRequest, ListJobsRequest, SearchJobsRequest, SearchJobsResponse};
use primitives::error::{ErrorKind, StatusDetails};
use testkit::member;
use uuid::Uuid;

use crate::{
    board_server::BoardServer,
    fixtures::{FIRM, FIRM_SOURCE, Fixture, fields, greenhouse, offer, posting, posting_id},
};

impl Fixture {
    async fn search(&self, who: Option<Uuid>, query: &str) -> Result<SearchJobsResponse, StatusDetails> {
        let call = who.map_or_else(|| self.harness.actors.service("gateway"), |who| self.harness.actors.member(who));
        let request = SearchJobsRequest { query: query.to_owned(), ..Default::default() };
        let answer = self.jobs.clone().search_jobs(call.request(request).unwrap()).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    async fn found(&self, query: &str) -> Vec<String> {
        self.search(None, query).await.unwrap().jobs.into_iter().map(|job| job.title).collect()
    }

    /// Waits until all documents and words are indexed.
    async fn read(&self) {
        self.wait_until("select count(*) = 0 from jobs.search_documents where state < 4").await;
    }
}

#[tokio::test]
async fn a_posting_is_found_while_it_is_open() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&[offer(1, "Litigation Attorney"), offer(2, "Paralegal")]));
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    fixture.read().await;
    assert_eq!(fixture.found("attorney").await, ["Litigation Attorney"]);
    assert_eq!(fixture.found("attornies litigaton").await, [""; 0], "one error of two in a word");
    assert_eq!(fixture.found("atorney litigaton").await, ["Litigation Attorney"]);
    assert_eq!(fixture.found("parale albany").await, ["Paralegal"]);
    server.serve(FIRM, greenhouse(&[offer(1, "Tax Attorney")]));
    fixture.refresh().await;
    fixture.refresh().await;
    fixture.read().await;
    assert_eq!(fixture.found("attorney").await, ["Tax Attorney"]);
    assert!(fixture.found("paralegal").await.is_empty());
    assert!(fixture.found("litigation").await.is_empty());
    let kept = "select count(*) from jobs.search_documents d
        where not exists (select from jobs.postings p where p.id = d.id and p.closed_at is null)";
    assert_eq!(fixture.count(kept).await, 0);
}

#[tokio::test]
async fn a_search_returns_list_rows_and_omits_expired_postings() {
    let fixture = Fixture::empty().await;
    let deadline = Some(fixture.harness.clock.now() + TimeDelta::minutes(5));
    fixture.insert_posting(posting(1, "Clerk")).await;
    fixture
        .insert_posting(crate::fixtures::Posting { deadline, description: "To clerk.", ..posting(2, "Intern") })
        .await;
    fixture
        .harness
        .database()
        .run(
            "insert into jobs.search_documents (id, shelf, at, title, body, state)
            select id, 0, 0, '{}', '{}', 0
            from jobs.postings",
        )
        .await;
    fixture.read().await;
    let apply = ApplyRequest { job_id: posting_id(1).to_string(), ..Default::default() };
    fixture.apply(member(1), apply).await.unwrap();
    let found = fixture.search(Some(member(1)), "clerk").await.unwrap();
    let titles: Vec<(&str, bool)> = found.jobs.iter().map(|job| (job.title.as_str(), job.is_applied)).collect();
    assert_eq!((titles, found.terms), (vec![("Clerk", true), ("Intern", false)], vec!["clerk".to_owned()]));
    let listed = fixture.list_jobs(ListJobsRequest::default()).await.unwrap().jobs;
    assert_eq!(fixture.search(None, "clerk").await.unwrap().jobs, listed);
    fixture.harness.clock.advance(TimeDelta::minutes(6));
    assert_eq!(fixture.found("clerk").await, ["Clerk"]);
    let refused = fixture.search(None, "\0").await.unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["query"]));
}
