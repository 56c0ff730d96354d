//! Configured sources, at one start and the next.

use chrono::TimeDelta;
use jobs::sources::{self, ConfiguredSource};
use portia_proto::jobs::SourceState;
use testkit::Harness;

use crate::{
    board_server::{BoardServer, Page},
    fixtures::{FIRM, FIRM_SOURCE, Fixture, at, changes, greenhouse, offer},
};

/// Applies the settings of another start.
async fn configured(fixture: &Fixture, named: &str) {
    let settings = fixture.harness.context.config.clone().with("jobs_sources", named).extract().unwrap();
    let named = ConfiguredSource::all_of(&settings).unwrap();
    let mut db = fixture.harness.pool().acquire().await.unwrap();
    sources::configure(&mut changes(&fixture.harness).work(&mut db), &named).await.unwrap();
}

#[tokio::test]
async fn a_new_source_waits_then_succeeds_or_fails() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&[offer(1, "Attorney"), offer(2, "Paralegal")]));
    server.hold();
    let fixture = Fixture::with(|builder| at(&server, &format!("{FIRM_SOURCE},lever:none=Other"), builder)).await;
    let states = async || fixture.list_sources().await.into_iter().map(|source| source.state()).collect::<Vec<_>>();
    assert_eq!(states().await, [SourceState::Waiting, SourceState::Waiting]);
    server.release();
    fixture.wait_until("select count(*) = 2 from jobs.sources where last_run_at is not null").await;
    let listed = fixture.list_sources().await;
    assert_eq!(states().await, [SourceState::Healthy, SourceState::Failing]);
    let (firm, other) = (&listed[0], &listed[1]);
    assert_eq!(
        (firm.name.as_str(), firm.connector.as_str(), firm.new_items, firm.open_items),
        ("Firm", "greenhouse", 2, 2)
    );
    assert_eq!((firm.last_run_at, firm.failure.as_deref()), (firm.last_success_at, None));
    assert_eq!((other.failure.as_deref(), other.last_success_at), (Some("The server answered 404."), None));
    assert!(other.last_run_at.is_some() && other.due_at.is_some());
    let seen = jobs::admin::list_sources(&mut fixture.harness.pool().acquire().await.unwrap()).await.unwrap();
    assert_eq!(seen.iter().map(|source| source.name.as_str()).collect::<Vec<_>>(), ["Firm", "Other"]);
}

#[tokio::test]
async fn a_removed_source_is_not_crawled_and_keeps_its_postings() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&[offer(1, "Attorney")]));
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    configured(&fixture, "none").await;
    assert_eq!(fixture.list_sources().await, []);
    let asked = server.requests().len();
    fixture.refresh().await;
    assert_eq!(server.requests().len(), asked);
    assert_eq!(fixture.open_titles().await, ["Attorney"]);
    // Configured again, it is due at once, without validators.
    configured(&fixture, FIRM_SOURCE).await;
    assert_eq!(fixture.count("select count(*) from jobs.sources where is_on and etag is null").await, 1);
    fixture.refresh().await;
    assert_eq!(server.requests().len(), asked + 1);
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn a_restart_keeps_configured_sources() {
    let server = BoardServer::start().await;
    server.serve(FIRM, Page { etag: Some("\"v1\""), ..greenhouse(&[offer(1, "Attorney")]) });
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    let before = fixture.list_sources().await;
    fixture.harness.clock.advance(TimeDelta::hours(1));
    configured(&fixture, FIRM_SOURCE).await;
    assert_eq!(fixture.list_sources().await, before);
    assert_eq!(fixture.count("select count(*) from jobs.sources where etag = '\"v1\"'").await, 1);
    // The name may be the employer of its postings, so a renamed source is read again.
    configured(&fixture, "greenhouse:firm=The Firm").await;
    assert_eq!(fixture.count("select count(*) from jobs.sources where etag is null").await, 1);
    fixture.refresh().await;
    assert_eq!(fixture.count("select count(*) from jobs.postings where company = 'The Firm'").await, 1);
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn an_invalid_setting_fails_before_any_request() {
    for (field, value) in [("jobs_sources", "workday:x=X"), ("crawl_admit", "not a port"), ("jobs_sources", "usajobs")]
    {
        let harness = Harness::of("jobs").database(&jobs::MIGRATOR).await.with(field, value).context();
        let refused = jobs::start(std::sync::Arc::clone(&harness.context)).await.expect_err("it does not start");
        let refused = format!("{refused:#}");
        assert!(refused.starts_with(&format!("PORTIA_{}: ", field.to_uppercase())), "{refused}");
    }
}
