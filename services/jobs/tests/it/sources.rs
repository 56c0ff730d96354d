//! Sources as the configuration names them, from one start to the next.

use chrono::TimeDelta;
use jobs::{config::Settings, sources};
use portia_proto::jobs::SourceState;
use testkit::Harness;

use crate::{
    board::{Board, FIRM, FIRM_SOURCE, at, greenhouse, offer},
    site::{Page, Site},
};

/// As another start with other settings would.
async fn configured(board: &Board, named: &str) {
    let settings: Settings = board.harness.context.config.clone().with("jobs_sources", named).extract().unwrap();
    let named = settings.sources().unwrap();
    let mut db = board.harness.pool().acquire().await.unwrap();
    sources::configure(&mut db, &board.harness.context.ids, &named, board.harness.clock.now()).await.unwrap();
}

#[tokio::test]
async fn one_that_is_new_waits_then_does_well_or_fails() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&[offer(1, "Attorney"), offer(2, "Paralegal")]));
    site.hold();
    let board = Board::with(|builder| at(&site, &format!("{FIRM_SOURCE},lever:none=Other"), builder)).await;
    let states = async || board.sources().await.into_iter().map(|source| source.state()).collect::<Vec<_>>();
    assert_eq!(states().await, [SourceState::Waiting, SourceState::Waiting]);
    site.let_go();
    board.until("select count(*) = 2 from jobs.sources where last_run_at is not null").await;
    let told = board.sources().await;
    assert_eq!(states().await, [SourceState::Healthy, SourceState::Failing]);
    let (firm, other) = (&told[0], &told[1]);
    assert_eq!(
        (firm.name.as_str(), firm.connector.as_str(), firm.new_items, firm.open_items),
        ("Firm", "greenhouse", 2, 2)
    );
    assert_eq!((firm.last_run_at, firm.failure.as_deref()), (firm.last_success_at, None));
    assert_eq!((other.failure.as_deref(), other.last_success_at), (Some("The server answered 404."), None));
    assert!(other.last_run_at.is_some() && other.due_at.is_some());
    let seen = jobs::admin::sources(&mut board.harness.pool().acquire().await.unwrap()).await.unwrap();
    assert_eq!(seen.iter().map(|source| source.name.as_str()).collect::<Vec<_>>(), ["Firm", "Other"]);
}

#[tokio::test]
async fn one_that_is_named_no_more_is_not_asked_and_keeps_its_postings() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&[offer(1, "Attorney")]));
    let board = Board::crawling(&site, FIRM_SOURCE).await;
    configured(&board, "none").await;
    assert_eq!(board.sources().await, []);
    let asked = site.asked().len();
    board.refresh().await;
    assert_eq!(site.asked().len(), asked);
    assert_eq!(board.open_titles().await, ["Attorney"]);
    // Named again it is asked at once, whatever it said last.
    configured(&board, FIRM_SOURCE).await;
    assert_eq!(board.count("select count(*) from jobs.sources where is_on and etag is null").await, 1);
    board.refresh().await;
    assert_eq!(site.asked().len(), asked + 1);
    board.assert_kept().await;
}

#[tokio::test]
async fn a_start_changes_nothing_about_one_that_is_still_named() {
    let site = Site::open().await;
    site.put(FIRM, Page { etag: Some("\"v1\""), ..greenhouse(&[offer(1, "Attorney")]) });
    let board = Board::crawling(&site, FIRM_SOURCE).await;
    let before = board.sources().await;
    board.harness.clock.advance(TimeDelta::hours(1));
    configured(&board, FIRM_SOURCE).await;
    assert_eq!(board.sources().await, before);
    assert_eq!(board.count("select count(*) from jobs.sources where etag = '\"v1\"'").await, 1);
    // Its name may be what the employer is called, so another one is read anew.
    configured(&board, "greenhouse:firm=The Firm").await;
    assert_eq!(board.count("select count(*) from jobs.sources where etag is null").await, 1);
    board.refresh().await;
    assert_eq!(board.count("select count(*) from jobs.postings where company = 'The Firm'").await, 1);
    board.assert_kept().await;
}

#[tokio::test]
async fn a_wrong_setting_is_told_before_anything_is_asked() {
    for (field, value) in [("jobs_sources", "workday:x=X"), ("crawl_admit", "not a port"), ("jobs_sources", "usajobs")]
    {
        let harness = Harness::of("jobs").database(&jobs::MIGRATOR).await.with(field, value).context();
        let refused = jobs::start(std::sync::Arc::clone(&harness.context)).await.expect_err("it does not start");
        let refused = format!("{refused:#}");
        assert!(refused.starts_with(&format!("PORTIA_{}: ", field.to_uppercase())), "{refused}");
    }
}
