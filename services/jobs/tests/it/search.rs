//! Open postings found by their words, as lists carry them, as soon as they are read and until they are closed.

use chrono::TimeDelta;
use portia_proto::jobs::{ApplyRequest, ListJobsRequest, SearchJobsRequest, SearchJobsResponse};
use primitives::error::{ErrorKind, StatusDetails};
use testkit::member;
use uuid::Uuid;

use crate::{
    board::{Board, FIRM, FIRM_SOURCE, fields, greenhouse, offer, posting, posting_id},
    site::Site,
};

impl Board {
    async fn search(&self, who: Option<Uuid>, query: &str) -> Result<SearchJobsResponse, StatusDetails> {
        let call = who.map_or_else(|| self.harness.actors.service("gateway"), |who| self.harness.actors.member(who));
        let request = SearchJobsRequest { query: query.to_owned(), ..Default::default() };
        let answer = self.jobs.clone().search_jobs(call.request(request).unwrap()).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    async fn found(&self, query: &str) -> Vec<String> {
        self.search(None, query).await.unwrap().jobs.into_iter().map(|job| job.title).collect()
    }

    /// Waits until everything was read, and its words learnt.
    async fn read(&self) {
        self.until("select count(*) = 0 from jobs.search_documents where state < 2").await;
    }
}

#[tokio::test]
async fn a_posting_is_found_from_its_crawl_to_its_closing() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&[offer(1, "Litigation Attorney"), offer(2, "Paralegal")]));
    let board = Board::crawling(&site, FIRM_SOURCE).await;
    board.read().await;
    assert_eq!(board.found("attorney").await, ["Litigation Attorney"]);
    assert_eq!(board.found("attornies litigaton").await, [""; 0], "one error of two in a word");
    assert_eq!(board.found("atorney litigaton").await, ["Litigation Attorney"]);
    assert_eq!(board.found("parale albany").await, ["Paralegal"]);
    site.put(FIRM, greenhouse(&[offer(1, "Tax Attorney")]));
    board.refresh().await;
    board.refresh().await;
    board.read().await;
    assert_eq!(board.found("attorney").await, ["Tax Attorney"]);
    assert!(board.found("paralegal").await.is_empty());
    assert!(board.found("litigation").await.is_empty());
    let kept = "select count(*) from jobs.search_documents d
        where not exists (select from jobs.postings p where p.id = d.id and p.closed_at is null)";
    assert_eq!(board.count(kept).await, 0);
}

#[tokio::test]
async fn it_is_told_as_the_list_tells_it_and_gone_with_its_deadline() {
    let board = Board::open().await;
    let deadline = Some(board.harness.clock.now() + TimeDelta::minutes(5));
    board.put(posting(1, "Clerk")).await;
    board.put(crate::board::Posting { deadline, description: "To clerk.", ..posting(2, "Intern") }).await;
    board
        .harness
        .database()
        .run(
            "insert into jobs.search_documents (id, shelf, at, title, body, state)
            select id, 0, 0, '{}', '{}', 0
            from jobs.postings",
        )
        .await;
    board.read().await;
    let apply = ApplyRequest { job_id: posting_id(1).to_string(), ..Default::default() };
    board.applies(member(1), apply).await.unwrap();
    let found = board.search(Some(member(1)), "clerk").await.unwrap();
    let titles: Vec<(&str, bool)> = found.jobs.iter().map(|job| (job.title.as_str(), job.is_applied)).collect();
    assert_eq!((titles, found.terms), (vec![("Clerk", true), ("Intern", false)], vec!["clerk".to_owned()]));
    let listed = board.list(ListJobsRequest::default()).await.unwrap().jobs;
    assert_eq!(board.search(None, "clerk").await.unwrap().jobs, listed);
    board.harness.clock.advance(TimeDelta::minutes(6));
    assert_eq!(board.found("clerk").await, ["Clerk"]);
    let refused = board.search(None, "\0").await.unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["query"]));
}
