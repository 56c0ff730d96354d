//! Link previews: the new links of a member, and the cards of reported, removed and restored posts.

use portia_proto::feed::{AppealOutcome, LinkPreviewState, ReportedKind, UpdatePostRequest};

use crate::{
    fixtures::{community, member},
    link_previews::Site,
    moderation::{OTHER_MODERATOR, appeal, decide_appeal, remove, report},
};

const QUOTAS: &str = "select count(*) from feed.link_quotas";

#[tokio::test]
async fn a_member_uses_thirty_new_links_in_an_hour() {
    let site = Site::start().await;
    let known = site.server.url("/case");
    site.publish(member(2), &known).await;
    site.settle().await;
    // In the composer, in posts and in edits together.
    for n in 0..14 {
        assert_eq!(site.draft(member(1), &site.server.url(&format!("/{n}"))).await.state(), LinkPreviewState::Pending);
    }
    let post = site.publish(member(1), &site.server.url("/14")).await;
    let edit = async |path: &str| {
        let content = site.server.url(path);
        let request = UpdatePostRequest { post_id: post.id.clone(), content, ..Default::default() };
        site.fixture.update_post(&site.fixture.as_member(member(1)), request).await.unwrap();
        site.settle().await;
    };
    for n in 15..30 {
        edit(&format!("/{n}")).await;
    }
    assert_eq!(site.server.count("/29"), 1);
    edit("/30").await;
    site.publish(member(1), &site.server.url("/31")).await;
    assert_eq!(site.draft(member(1), &site.server.url("/32")).await.state(), LinkPreviewState::None);
    site.settle().await;
    for path in ["/30", "/31", "/32"] {
        assert_eq!(site.server.count(path), 0, "{path}");
    }
    // A link with a preview costs nothing, and other members have their own number.
    assert!(site.publish(member(1), &known).await.link_preview.is_some());
    assert_eq!(
        site.draft(member(1), &site.server.url("/0")).await.state(),
        LinkPreviewState::None,
        "known, without one"
    );
    site.publish(member(3), &site.server.url("/33")).await;
    site.settle().await;
    assert_eq!(site.server.count("/33"), 1);
    site.fixture.advance_clock(3_600);
    edit("/34").await;
    assert_eq!((site.server.count("/34"), site.fixture.count(QUOTAS).await), (1, 3));
    site.fixture.advance_clock(3_600);
    site.clean().await;
    assert_eq!(site.fixture.count(QUOTAS).await, 0);
}

#[tokio::test]
async fn a_draft_and_its_post_are_one_new_link() {
    let site = Site::start().await;
    let url = site.server.url("/case");
    site.draft(member(1), &url).await;
    site.settle().await;
    site.publish(member(1), &url).await;
    let used = "select used::bigint from feed.link_quotas";
    assert_eq!(site.fixture.count(used).await, 1);
}

#[tokio::test]
async fn a_report_contains_the_card_that_the_reporter_saw() {
    let site = Site::start().await;
    let url = site.server.url("/case");
    let post = site.publish(member(1), &format!("Read {url}")).await;
    let long = site.publish(member(1), &format!("{url} {}", "x".repeat(4_900))).await;
    site.settle().await;
    for id in [&post.id, &long.id] {
        report(&site.fixture, 2, ReportedKind::Post, id).await;
    }
    let card = format!("\nThe \"case\"\nAbout it\n{url}");
    let reports = feed::admin::list(&mut site.fixture.pool().acquire().await.unwrap(), false).await.unwrap();
    let excerpt = |id: &str| reports.iter().find(|report| report.item_id.to_string() == id).unwrap().excerpt.clone();
    assert_eq!(excerpt(&post.id), format!("Read {url}{card}"));
    assert!(excerpt(&long.id).ends_with(&card), "the end of a long text is left out");
}

#[tokio::test]
async fn a_restored_post_has_its_card_again() {
    let site = Site::start().await;
    let (society, url) = (community(1), site.server.url("/case"));
    site.fixture.join_community(society, &[member(1), member(2)]).await;
    for is_public in [true, false] {
        let post = match is_public {
            true => site.publish(member(1), &url).await,
            false => site.fixture.create_post_in(member(1), society, &url).await,
        };
        site.settle().await;
        let removal = remove(&site.fixture, ReportedKind::Post, &post.id).await;
        assert_eq!(site.clean().await, 1, "the preview is deleted");
        appeal(&site.fixture, 1, &removal).await.unwrap();
        site.fixture.harness.database().run("update feed.link_quotas set used = 30").await;
        decide_appeal(&site.fixture, OTHER_MODERATOR, &removal, AppealOutcome::Overturned).await.unwrap();
        site.fixture.harness.database().run("update feed.link_quotas set used = 1").await;
        site.settle().await;
        let shown = site.fixture.get_post_as(&site.fixture.as_member(member(2)), &post.id).await;
        let preview = shown.link_preview.unwrap();
        assert_eq!((preview.title.as_str(), preview.image.is_some()), ("The \"case\"", true), "public: {is_public}");
    }
    // A post whose author removed the card has none.
    let request =
        portia_proto::feed::CreatePostRequest { content: url, without_link_preview: true, ..Default::default() };
    let plain = site.fixture.create_post(&site.fixture.as_member(member(1)), request).await.unwrap().post.unwrap();
    let removal = remove(&site.fixture, ReportedKind::Post, &plain.id).await;
    appeal(&site.fixture, 1, &removal).await.unwrap();
    decide_appeal(&site.fixture, OTHER_MODERATOR, &removal, AppealOutcome::Overturned).await.unwrap();
    assert_eq!(site.shown(&plain.id).await, None);
}
