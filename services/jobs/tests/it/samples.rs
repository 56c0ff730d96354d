//! Sample responses of each service and the postings that members see. `samples/<connector>/expected.txt` contains one line
//! per posting.

use chrono::DateTime;
use portia_proto::jobs::{Job, ListJobsRequest};

use crate::{
    board_server::{BoardServer, Page},
    fixtures::Fixture,
};

/// A posting in one line.
fn line(job: &Job) -> String {
    let time = |at: Option<&prost_types::Timestamp>| {
        at.and_then(|at| DateTime::from_timestamp(at.seconds, 0))
            .map_or("-".to_owned(), |at| at.format("%Y-%m-%d %H:%M").to_string())
    };
    let day = |date: &Option<String>, at| date.clone().unwrap_or_else(|| time(at));
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
        day(&job.posted_date, job.posted_at.as_ref()),
        day(&job.application_deadline_date, job.application_deadline.as_ref()),
        job.external_url.as_deref().unwrap_or("-"),
        job.description.replace('\n', "/"),
    )
}

async fn crawl_sample(path: &str, sample: &str, source: &str) -> (Fixture, Vec<String>) {
    let server = BoardServer::start().await;
    server.serve(path, Page::of(sample));
    let fixture = Fixture::crawling(&server, source).await;
    let request = ListJobsRequest { page_size: 100, ..Default::default() };
    let mut lines: Vec<String> = fixture.list_jobs(request).await.unwrap().jobs.iter().map(line).collect();
    lines.sort();
    fixture.assert_derived_rows().await;
    (fixture, lines)
}

/// The number of items of the only crawl.
async fn count_items(fixture: &Fixture) -> i64 {
    fixture.count("select found::bigint from jobs.crawls").await
}

fn expected(lines: &str) -> Vec<String> {
    lines.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn greenhouse() {
    let (fixture, lines) = crawl_sample(
        "/v1/boards/lantern/jobs",
        include_str!("samples/greenhouse/board.json"),
        "greenhouse:lantern=Lantern",
    )
    .await;
    assert_eq!(lines, expected(include_str!("samples/greenhouse/expected.txt")), "{}", lines.join("\n"));
    assert_eq!(count_items(&fixture).await, 10);
}

#[tokio::test]
async fn lever() {
    let (fixture, lines) =
        crawl_sample("/v0/postings/fair", include_str!("samples/lever/postings.json"), "lever:fair=Fair Hearing").await;
    assert_eq!(lines, expected(include_str!("samples/lever/expected.txt")), "{}", lines.join("\n"));
    assert_eq!(count_items(&fixture).await, 9);
}

#[tokio::test]
async fn ashby() {
    let (fixture, lines) = crawl_sample(
        "/posting-api/job-board/quill",
        include_str!("samples/ashby/board.json"),
        "ashby:quill=Quillworks",
    )
    .await;
    assert_eq!(lines, expected(include_str!("samples/ashby/expected.txt")), "{}", lines.join("\n"));
    assert_eq!(count_items(&fixture).await, 9);
}

#[tokio::test]
async fn usajobs() {
    let (fixture, lines) =
        crawl_sample("/api/Search", include_str!("samples/usajobs/search.json"), "usajobs=USAJOBS").await;
    assert_eq!(lines, expected(include_str!("samples/usajobs/expected.txt")), "{}", lines.join("\n"));
    assert_eq!(count_items(&fixture).await, 10);
}

#[tokio::test]
async fn rss() {
    let (fixture, lines) = crawl_sample("/feed", include_str!("samples/rss/feed.xml"), "rss:feed=Public Service").await;
    assert_eq!(lines, expected(include_str!("samples/rss/expected.txt")), "{}", lines.join("\n"));
    assert_eq!(count_items(&fixture).await, 9);
}

#[tokio::test]
async fn each_connector_sends_the_request_of_its_service() {
    let server = BoardServer::start().await;
    server.serve("/v1/boards/firm/jobs", Page::of("{\"jobs\": []}"));
    server.serve("/v0/postings/firm", Page::of("[]"));
    server.serve("/posting-api/job-board/firm", Page::of("{\"jobs\": []}"));
    server.serve("/api/Search", Page::of("{\"SearchResult\": {\"SearchResultItems\": []}}"));
    let fixture = Fixture::crawling(&server, "greenhouse:firm=G,lever:firm=L,ashby:firm=A,usajobs=U").await;
    let mut asked: Vec<String> = server.requests();
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
    assert!(fixture.list_sources().await.iter().all(|source| source.failure.is_none()));
    let keys: Vec<_> =
        server.headers().into_iter().filter(|headers| headers.contains_key("authorization-key")).collect();
    assert_eq!(keys.len(), 1, "the key is sent to one service only");
    assert_eq!(
        (keys[0]["authorization-key"].to_str().unwrap(), keys[0]["user-agent"].to_str().unwrap()),
        ("a-key", "ops@portia.example")
    );
}

#[tokio::test]
async fn usajobs_is_read_in_pages() {
    let server = BoardServer::start().await;
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
    server.serve("/api/Search?JobCategoryCode=0905&ResultsPerPage=500&Page=1", page(0, 500));
    server.serve("/api/Search?JobCategoryCode=0905&ResultsPerPage=500&Page=2", page(500, 503));
    let fixture = Fixture::crawling(&server, "usajobs=USAJOBS").await;
    assert_eq!(fixture.count("select total from jobs.stats").await, 503);
    // Without its second page the crawl is incomplete and counts no misses.
    server.serve("/api/Search?JobCategoryCode=0905&ResultsPerPage=500&Page=2", Page::failing(500));
    for _ in 0..3 {
        assert_eq!(fixture.refresh().await, 0);
    }
    assert_eq!(fixture.list_sources().await[0].failure.as_deref(), Some("The server answered 500."));
    assert_eq!(fixture.count("select total from jobs.stats").await, 503);
    fixture.assert_derived_rows().await;
}
