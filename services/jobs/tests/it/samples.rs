//! What becomes of what boards really send: a handful of items in the shape of each service, and what a member sees of
//! them. `samples/<connector>/kept.txt` is the table of what is expected, a line a posting.

use chrono::DateTime;
use portia_proto::jobs::{Job, ListJobsRequest};

use crate::{
    board::Board,
    site::{Page, Site},
};

/// A posting in one line.
fn line(job: &Job) -> String {
    let day = |at: Option<&prost_types::Timestamp>| {
        at.and_then(|at| DateTime::from_timestamp(at.seconds, 0))
            .map_or("-".to_owned(), |at| at.format("%Y-%m-%d %H:%M").to_string())
    };
    let name = |name: &str| name.rsplit_once("_TYPE_").map_or(name.to_owned(), |(_, name)| name.to_lowercase());
    format!(
        "{} | {} | {} | {} {} {} | {} | since {} until {} | {} | {}",
        job.title,
        job.company,
        job.location.as_deref().unwrap_or("-"),
        name(job.employment_type().as_str_name()),
        job.experience_level().as_str_name().trim_start_matches("EXPERIENCE_LEVEL_").to_lowercase(),
        job.practice_area().as_str_name().trim_start_matches("PRACTICE_AREA_").to_lowercase(),
        job.salary.as_deref().unwrap_or("-"),
        day(job.posted_at.as_ref()),
        day(job.application_deadline.as_ref()),
        job.external_url.as_deref().unwrap_or("-"),
        job.description.replace('\n', "/"),
    )
}

async fn kept(path: &str, sample: &str, source: &str) -> (Board, Vec<String>) {
    let site = Site::open().await;
    site.put(path, Page::of(sample));
    let board = Board::crawling(&site, source).await;
    let request = ListJobsRequest { page_size: 100, ..Default::default() };
    let mut lines: Vec<String> = board.list(request).await.unwrap().jobs.iter().map(line).collect();
    lines.sort();
    board.assert_kept().await;
    (board, lines)
}

/// How many items the only crawl was told of.
async fn found(board: &Board) -> i64 {
    board.count("select found::bigint from jobs.crawls").await
}

fn expected(kept: &str) -> Vec<String> {
    kept.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn greenhouse() {
    let (board, lines) =
        kept("/v1/boards/lantern/jobs", include_str!("samples/greenhouse/board.json"), "greenhouse:lantern=Lantern")
            .await;
    assert_eq!(lines, expected(include_str!("samples/greenhouse/kept.txt")), "{}", lines.join("\n"));
    assert_eq!(found(&board).await, 10);
}

#[tokio::test]
async fn lever() {
    let (board, lines) =
        kept("/v0/postings/fair", include_str!("samples/lever/postings.json"), "lever:fair=Fair Hearing").await;
    assert_eq!(lines, expected(include_str!("samples/lever/kept.txt")), "{}", lines.join("\n"));
    assert_eq!(found(&board).await, 9);
}

#[tokio::test]
async fn ashby() {
    let (board, lines) =
        kept("/posting-api/job-board/quill", include_str!("samples/ashby/board.json"), "ashby:quill=Quillworks").await;
    assert_eq!(lines, expected(include_str!("samples/ashby/kept.txt")), "{}", lines.join("\n"));
    assert_eq!(found(&board).await, 9);
}

#[tokio::test]
async fn usajobs() {
    let (board, lines) = kept("/api/Search", include_str!("samples/usajobs/search.json"), "usajobs=USAJOBS").await;
    assert_eq!(lines, expected(include_str!("samples/usajobs/kept.txt")), "{}", lines.join("\n"));
    assert_eq!(found(&board).await, 10);
}

#[tokio::test]
async fn rss() {
    let (board, lines) = kept("/feed", include_str!("samples/rss/feed.xml"), "rss:feed=Public Service").await;
    assert_eq!(lines, expected(include_str!("samples/rss/kept.txt")), "{}", lines.join("\n"));
    assert_eq!(found(&board).await, 9);
}

#[tokio::test]
async fn each_connector_asks_what_its_service_answers_to() {
    let site = Site::open().await;
    site.put("/v1/boards/firm/jobs", Page::of("{\"jobs\": []}"));
    site.put("/v0/postings/firm", Page::of("[]"));
    site.put("/posting-api/job-board/firm", Page::of("{\"jobs\": []}"));
    site.put("/api/Search", Page::of("{\"SearchResult\": {\"SearchResultItems\": []}}"));
    let board = Board::crawling(&site, "greenhouse:firm=G,lever:firm=L,ashby:firm=A,usajobs=U").await;
    let mut asked: Vec<String> = site.asked();
    asked.sort();
    assert_eq!(
        asked,
        [
            "/api/Search?JobCategoryCode=0905&ResultsPerPage=500&Page=1",
            "/posting-api/job-board/firm?includeCompensation=true",
            "/v0/postings/firm?mode=json",
            "/v1/boards/firm/jobs?content=true",
        ]
    );
    assert!(board.sources().await.iter().all(|source| source.failure.is_none()));
    let keys: Vec<_> = site.headers().into_iter().filter(|headers| headers.contains_key("authorization-key")).collect();
    assert_eq!(keys.len(), 1, "a key goes to whom it is for");
    assert_eq!(
        (keys[0]["authorization-key"].to_str().unwrap(), keys[0]["user-agent"].to_str().unwrap()),
        ("a-key", "ops@portia.example")
    );
}

#[tokio::test]
async fn usajobs_is_read_page_by_page() {
    let site = Site::open().await;
    let item = |n: usize| {
        serde_json::json!({ "MatchedObjectDescriptor": {
            "PositionTitle": format!("Attorney {n}"), "PositionURI": format!("https://www.usajobs.example/job/{n}"),
            "OrganizationName": "Office",
        } })
    };
    let page = |from: usize, until: usize| {
        let items: Vec<_> = (from..until).map(item).collect();
        Page::of(serde_json::json!({ "SearchResult": { "SearchResultItems": items } }).to_string())
    };
    site.put("/api/Search?JobCategoryCode=0905&ResultsPerPage=500&Page=1", page(0, 500));
    site.put("/api/Search?JobCategoryCode=0905&ResultsPerPage=500&Page=2", page(500, 503));
    let board = Board::crawling(&site, "usajobs=USAJOBS").await;
    assert_eq!(board.count("select total from jobs.stats").await, 503);
    // Without its second page it is not whole, and nothing is missed.
    site.put("/api/Search?JobCategoryCode=0905&ResultsPerPage=500&Page=2", Page::failing(500));
    for _ in 0..3 {
        assert_eq!(board.refresh().await, 0);
    }
    assert_eq!(board.sources().await[0].failure.as_deref(), Some("The server answered 500."));
    assert_eq!(board.count("select total from jobs.stats").await, 503);
    board.assert_kept().await;
}
