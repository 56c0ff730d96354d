//! Decisions of moderators, removed content, appeals and statistics.

use chrono::TimeDelta;
use futures::future::join_all;
use portia_proto::feed::{
    AppealCreated, AppealDecided, AppealOutcome, AppealRemovalRequest, DecideAppealRequest, DecideReportRequest,
    DecisionReason, GetModerationStatsRequest, GetPostRequest, GetRemovalRequest, GetReportRequest, ListAppealsRequest,
    ListCommentsRequest, ListPostsRequest, ListReportsRequest, ModeratedReport, PostDeleted, PostSort, Removal,
    ReportCreated, ReportDecided, ReportItemRequest, ReportOutcome, ReportReason, ReportedKind, SearchPostsRequest,
};
use primitives::error::StatusDetails;
use uuid::Uuid;

use crate::{
    export::export,
    fixtures::{Fixture, UNKNOWN_ID, community, member},
};

const AUTHOR: u128 = 1;
const READER: u128 = 2;
const MODERATOR: u128 = 8;
pub const OTHER_MODERATOR: u128 = 9;

pub async fn report(fixture: &Fixture, who: u128, kind: ReportedKind, id: &str) {
    let request = ReportItemRequest {
        kind: kind.into(),
        id: id.to_owned(),
        reason: ReportReason::Spam.into(),
        ..Default::default()
    };
    fixture.report_item(&fixture.as_member(member(who)), request).await.unwrap();
}

async fn queue(fixture: &Fixture, request: ListReportsRequest) -> Vec<ModeratedReport> {
    fixture.list_reports(&fixture.as_moderator(member(MODERATOR)), request).await.unwrap().reports
}

async fn decide(
    fixture: &Fixture,
    who: u128,
    id: &str,
    outcome: ReportOutcome,
) -> Result<ModeratedReport, StatusDetails> {
    let reason = match outcome {
        ReportOutcome::Removed => DecisionReason::Harassment,
        _ => DecisionReason::NoViolation,
    };
    let request = DecideReportRequest {
        report_id: id.to_owned(),
        outcome: outcome.into(),
        reason: reason.into(),
        note: Some("Seen twice.".to_owned()),
    };
    let decided = fixture.decide_report(&fixture.as_moderator(member(who)), request).await?;
    Ok(decided.report.unwrap())
}

/// Reports an item and removes it. Returns the id of the removal.
pub async fn remove(fixture: &Fixture, kind: ReportedKind, id: &str) -> String {
    report(fixture, READER, kind, id).await;
    let open = queue(fixture, ListReportsRequest::default()).await;
    let of_item = open.iter().find(|report| report.item_id == id).unwrap();
    decide(fixture, MODERATOR, &of_item.id, ReportOutcome::Removed).await.unwrap().id
}

pub async fn appeal(fixture: &Fixture, who: u128, removal: &str) -> Result<Removal, StatusDetails> {
    let request = AppealRemovalRequest { removal_id: removal.to_owned(), text: "It was a joke.".to_owned() };
    Ok(fixture.appeal_removal(&fixture.as_member(member(who)), request).await?.removal.unwrap())
}

pub async fn decide_appeal(
    fixture: &Fixture,
    who: u128,
    id: &str,
    outcome: AppealOutcome,
) -> Result<Removal, StatusDetails> {
    let reason = match outcome {
        AppealOutcome::Overturned => DecisionReason::NoViolation,
        _ => DecisionReason::Harassment,
    };
    let request =
        DecideAppealRequest { removal_id: id.to_owned(), outcome: outcome.into(), reason: reason.into(), note: None };
    Ok(fixture.decide_appeal(&fixture.as_moderator(member(who)), request).await?.removal.unwrap())
}

async fn facts<M: prost::Message + prost::Name + Default>(fixture: &Fixture) -> Vec<M> {
    let payloads = sqlx::query_scalar::<_, Vec<u8>>("select payload from feed.outbox where kind = $1 order by id");
    let payloads = payloads.bind(M::full_name()).fetch_all(fixture.pool()).await.unwrap();
    payloads.iter().map(|payload| M::decode(payload.as_slice()).unwrap()).collect()
}

async fn purge(fixture: &Fixture) {
    feed::purge_removed_content(fixture.pool(), fixture.harness.clock.now()).await.unwrap();
    feed::purge_deleted_posts(fixture.pool()).await.unwrap();
}

#[tokio::test]
async fn the_queue_contains_each_item_once_the_oldest_first() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(AUTHOR), "Buy my essays").await;
    let comment = fixture.create_comment_of(member(AUTHOR), &post.id, "Really").await;
    for (who, kind, id) in [
        (READER, ReportedKind::Post, &post.id),
        (READER, ReportedKind::Comment, &comment.id),
        (3, ReportedKind::Post, &post.id),
    ] {
        fixture.advance_clock(1);
        report(&fixture, who, kind, id).await;
    }
    let open = queue(&fixture, ListReportsRequest::default()).await;
    let items: Vec<_> = open.iter().map(|report| (report.item_id.as_str(), report.report_count)).collect();
    assert_eq!(items, [(post.id.as_str(), 2), (comment.id.as_str(), 1)]);
    let comments = ListReportsRequest { kind: ReportedKind::Comment.into(), ..Default::default() };
    assert_eq!(queue(&fixture, comments).await.len(), 1);
    let illegal = ListReportsRequest { reason: ReportReason::Illegal.into(), ..Default::default() };
    assert!(queue(&fixture, illegal).await.is_empty());

    let who = fixture.as_moderator(member(MODERATOR));
    let first = fixture.list_reports(&who, ListReportsRequest { page_size: 1, ..Default::default() }).await.unwrap();
    let next = ListReportsRequest { page_size: 1, page_token: first.next_page_token, ..Default::default() };
    let second = fixture.list_reports(&who, next).await.unwrap();
    assert_eq!((second.reports[0].item_id.as_str(), second.next_page_token.as_str()), (comment.id.as_str(), ""));
}

#[tokio::test]
async fn a_report_is_shown_with_its_context_and_numbers() {
    let fixture = Fixture::new().await;
    fixture.join_community(community(1), &[member(AUTHOR), member(READER)]).await;
    let earlier = fixture.create_post_of(member(AUTHOR), "Earlier").await;
    let removal = remove(&fixture, ReportedKind::Post, &earlier.id).await;
    let post = fixture.create_post_in(member(AUTHOR), community(1), "Buy my essays").await;
    report(&fixture, READER, ReportedKind::Post, &post.id).await;
    let id = queue(&fixture, ListReportsRequest::default()).await.remove(0).id;
    let who = fixture.as_moderator(member(MODERATOR));
    let found = fixture.get_report(&who, GetReportRequest { report_id: id.clone() }).await.unwrap();
    let current = found.current.unwrap();
    assert_eq!(
        (current.content.as_str(), current.community_name.as_deref()),
        ("Buy my essays", Some("Moot Court Society"))
    );
    assert_eq!((found.subject_removed, found.subject_dismissed), (1, 0));
    let [statement] = &found.statements[..] else { panic!("{:?}", found.statements) };
    assert_eq!((statement.reporter_removed, statement.reporter_dismissed), (1, 0));
    assert_eq!(statement.reporter_id, Some(member(READER).to_string()));
    assert!(found.report.unwrap().decidable);

    appeal(&fixture, AUTHOR, &removal).await.unwrap();
    decide_appeal(&fixture, OTHER_MODERATOR, &removal, AppealOutcome::Overturned).await.unwrap();
    let found = fixture.get_report(&who, GetReportRequest { report_id: id }).await.unwrap();
    assert_eq!((found.subject_removed, found.subject_dismissed), (0, 1), "an overturned removal is none");
    assert_eq!((found.statements[0].reporter_removed, found.statements[0].reporter_dismissed), (0, 1));

    let unknown = fixture.get_report(&who, GetReportRequest { report_id: UNKNOWN_ID.to_owned() }).await;
    assert_eq!(unknown.unwrap_err().reason, "REPORT_NOT_FOUND");
}

#[tokio::test]
async fn a_removed_post_is_invisible_to_everyone_and_an_overturned_decision_restores_it() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(AUTHOR), "Essays about #torts").await;
    fixture.like(member(READER), &post.id).await;
    fixture.create_comment_of(member(3), &post.id, "Nice").await;
    let removal = remove(&fixture, ReportedKind::Post, &post.id).await;
    for who in [fixture.as_member(member(AUTHOR)), fixture.as_member(member(READER)), fixture.as_visitor()] {
        let refused = fixture.get_post(&who, GetPostRequest { post_id: post.id.clone(), ..Default::default() }).await;
        assert_eq!(refused.unwrap_err().reason, "POST_NOT_FOUND");
        let recent = ListPostsRequest { sort: PostSort::Recent.into(), ..Default::default() };
        assert!(fixture.list_posts(&who, recent).await.unwrap().posts.is_empty());
        let own = ListPostsRequest {
            sort: PostSort::Recent.into(),
            author_id: Some(member(AUTHOR).to_string()),
            ..Default::default()
        };
        assert!(fixture.list_posts(&who, own).await.unwrap().posts.is_empty());
        let comments = ListCommentsRequest { post_id: post.id.clone(), ..Default::default() };
        assert!(fixture.list_comments(&who, comments).await.is_err());
        let search = SearchPostsRequest { query: "essays".to_owned(), ..Default::default() };
        assert!(fixture.search_posts(&who, search).await.unwrap().posts.is_empty());
    }
    feed::purge_deleted_posts(fixture.pool()).await.unwrap();
    assert_eq!(facts::<PostDeleted>(&fixture).await.len(), 1);

    let own = fixture.as_member(member(AUTHOR));
    let shown = fixture.get_removal(&own, GetRemovalRequest { removal_id: removal.clone() }).await.unwrap().removal;
    let shown = shown.unwrap();
    assert_eq!((shown.excerpt.as_str(), shown.reason()), ("Essays about #torts", DecisionReason::Harassment));
    assert_eq!((shown.removed_by, shown.restorable), (None, true), "the author does not learn who decided");
    appeal(&fixture, AUTHOR, &removal).await.unwrap();
    let decided = decide_appeal(&fixture, OTHER_MODERATOR, &removal, AppealOutcome::Overturned).await.unwrap();
    assert!(decided.restored);
    let restored = fixture.get_post_as(&fixture.as_visitor(), &post.id).await;
    assert_eq!((restored.author_id, restored.like_count, restored.comment_count), (member(AUTHOR).to_string(), 1, 1));
    fixture.assert_counters().await;
    let [fact] = &facts::<AppealDecided>(&fixture).await[..] else { panic!("one fact") };
    assert!(fact.overturned);
    fixture.advance_clock(31 * 86_400);
    purge(&fixture).await;
    fixture.get_post_as(&fixture.as_visitor(), &post.id).await;
}

#[tokio::test]
async fn a_removed_comment_is_restored_with_its_replies() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(3), "Thoughts?").await;
    let comment = fixture.create_comment_of(member(AUTHOR), &post.id, "You fool").await;
    fixture.create_reply_of(member(4), &comment, "No").await;
    let removal = remove(&fixture, ReportedKind::Comment, &comment.id).await;
    assert_eq!(fixture.get_post_as(&fixture.as_visitor(), &post.id).await.comment_count, 0);
    // The author of the reply has it in the export.
    let exported = export(&fixture, member(4)).await;
    let reply = exported.iter().find(|(section, _)| section == "removed-replies").unwrap();
    assert_eq!(reply.1["content"], "No");
    appeal(&fixture, AUTHOR, &removal).await.unwrap();
    assert!(decide_appeal(&fixture, OTHER_MODERATOR, &removal, AppealOutcome::Overturned).await.unwrap().restored);
    let restored = fixture.get_comment_as(&fixture.as_visitor(), &comment.id).await;
    assert_eq!((restored.content.as_str(), restored.reply_count), ("You fool", 1));
    assert_eq!(fixture.get_post_as(&fixture.as_visitor(), &post.id).await.comment_count, 2);
    fixture.assert_counters().await;
}

#[tokio::test]
async fn removed_content_is_deleted_after_thirty_days_unless_an_appeal_waits() {
    let fixture = Fixture::new().await;
    let (one, other) =
        (fixture.create_post_of(member(AUTHOR), "One").await, fixture.create_post_of(member(AUTHOR), "Two").await);
    let first = remove(&fixture, ReportedKind::Post, &one.id).await;
    let second = remove(&fixture, ReportedKind::Post, &other.id).await;
    appeal(&fixture, AUTHOR, &second).await.unwrap();
    fixture.advance_clock(30 * 86_400);
    purge(&fixture).await;
    assert_eq!(fixture.count("select count(*) from feed.posts").await, 1);
    assert_eq!(appeal(&fixture, AUTHOR, &first).await.unwrap_err().reason, "APPEAL_TOO_LATE");
    let upheld = decide_appeal(&fixture, OTHER_MODERATOR, &second, AppealOutcome::Upheld).await.unwrap();
    assert!(!upheld.restored);
    purge(&fixture).await;
    assert_eq!(fixture.count("select count(*) from feed.posts").await, 0);
}

#[tokio::test]
async fn an_appeal_is_made_once_by_the_author_and_decided_by_another_moderator() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(AUTHOR), "One").await;
    let removal = remove(&fixture, ReportedKind::Post, &post.id).await;
    assert_eq!(appeal(&fixture, READER, &removal).await.unwrap_err().reason, "APPEAL_NOT_FOUND");
    let undecidable = decide_appeal(&fixture, OTHER_MODERATOR, &removal, AppealOutcome::Upheld).await;
    assert_eq!(undecidable.unwrap_err().reason, "APPEAL_NOT_FOUND", "there is no appeal yet");
    appeal(&fixture, AUTHOR, &removal).await.unwrap();
    assert_eq!(appeal(&fixture, AUTHOR, &removal).await.unwrap_err().reason, "APPEALED_ALREADY");
    for own in [MODERATOR, AUTHOR] {
        let refused = decide_appeal(&fixture, own, &removal, AppealOutcome::Upheld).await;
        assert_eq!(refused.unwrap_err().reason, "OWN_CASE");
    }
    let other = fixture.as_moderator(member(OTHER_MODERATOR));
    let listed = fixture.list_appeals(&other, ListAppealsRequest::default()).await.unwrap().removals;
    assert!(listed[0].decidable && listed[0].appeal.as_deref() == Some("It was a joke."));
    for _ in 0..2 {
        decide_appeal(&fixture, OTHER_MODERATOR, &removal, AppealOutcome::Upheld).await.unwrap();
    }
    assert_eq!(facts::<AppealDecided>(&fixture).await.len(), 1, "a repetition changes nothing");
    let late = decide_appeal(&fixture, 7, &removal, AppealOutcome::Overturned).await;
    assert_eq!(late.unwrap_err().reason, "APPEAL_DECIDED");
}

#[tokio::test]
async fn a_moderator_does_not_decide_on_own_content_or_own_reports() {
    let fixture = Fixture::new().await;
    let own = fixture.create_post_of(member(MODERATOR), "Mine").await;
    let foreign = fixture.create_post_of(member(AUTHOR), "Theirs").await;
    report(&fixture, READER, ReportedKind::Post, &own.id).await;
    report(&fixture, MODERATOR, ReportedKind::Post, &foreign.id).await;
    report(&fixture, READER, ReportedKind::Post, &foreign.id).await;
    // A moderator does not find the report of own content: it names the reporter.
    let listed = queue(&fixture, ListReportsRequest::default()).await;
    assert_eq!(listed.iter().map(|report| &report.item_id).collect::<Vec<_>>(), [&foreign.id]);
    assert!(!listed[0].decidable);
    let other = fixture.as_moderator(member(OTHER_MODERATOR));
    let all = fixture.list_reports(&other, ListReportsRequest::default()).await.unwrap().reports;
    let of_own = all.iter().find(|report| report.item_id == own.id).unwrap();
    let who = fixture.as_moderator(member(MODERATOR));
    let found = fixture.get_report(&who, GetReportRequest { report_id: of_own.id.clone() }).await;
    assert_eq!(found.unwrap_err().reason, "REPORT_NOT_FOUND");
    for report in &all {
        for outcome in [ReportOutcome::Removed, ReportOutcome::Dismissed] {
            let refused = decide(&fixture, MODERATOR, &report.id, outcome).await.unwrap_err();
            assert_eq!(refused.reason, "OWN_CASE");
        }
    }
    assert!(facts::<ReportDecided>(&fixture).await.is_empty());
}

#[tokio::test]
async fn a_reporter_and_an_earlier_decider_do_not_decide_an_appeal() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(AUTHOR), "One").await;
    // Moderator 6 dismissed an earlier report of the post, moderator 7 reported it.
    report(&fixture, 3, ReportedKind::Post, &post.id).await;
    let first = queue(&fixture, ListReportsRequest::default()).await.remove(0).id;
    decide(&fixture, 6, &first, ReportOutcome::Dismissed).await.unwrap();
    report(&fixture, 7, ReportedKind::Post, &post.id).await;
    let removal = remove(&fixture, ReportedKind::Post, &post.id).await;
    appeal(&fixture, AUTHOR, &removal).await.unwrap();
    for own in [6, 7, MODERATOR] {
        let listed = fixture.list_appeals(&fixture.as_moderator(member(own)), ListAppealsRequest::default()).await;
        assert!(!listed.unwrap().removals[0].decidable, "{own}");
        for outcome in [AppealOutcome::Upheld, AppealOutcome::Overturned] {
            assert_eq!(decide_appeal(&fixture, own, &removal, outcome).await.unwrap_err().reason, "OWN_CASE", "{own}");
        }
    }
    decide_appeal(&fixture, OTHER_MODERATOR, &removal, AppealOutcome::Overturned).await.unwrap();
}

#[tokio::test]
async fn an_earlier_reporter_and_an_earlier_decider_do_not_decide_the_next_report() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(AUTHOR), "One").await;
    report(&fixture, 7, ReportedKind::Post, &post.id).await;
    let first = queue(&fixture, ListReportsRequest::default()).await.remove(0).id;
    decide(&fixture, 6, &first, ReportOutcome::Dismissed).await.unwrap();
    fixture.advance_clock(1);
    report(&fixture, READER, ReportedKind::Post, &post.id).await;
    let second = queue(&fixture, ListReportsRequest::default()).await.remove(0);
    assert!(second.decidable);
    for own in [6, 7] {
        let listed = fixture.list_reports(&fixture.as_moderator(member(own)), ListReportsRequest::default()).await;
        assert!(!listed.unwrap().reports[0].decidable, "{own}");
        let refused = decide(&fixture, own, &second.id, ReportOutcome::Removed).await.unwrap_err();
        assert_eq!(refused.reason, "OWN_CASE", "{own}");
    }
    let removal = decide(&fixture, MODERATOR, &second.id, ReportOutcome::Removed).await.unwrap().id;
    appeal(&fixture, AUTHOR, &removal).await.unwrap();
    decide_appeal(&fixture, OTHER_MODERATOR, &removal, AppealOutcome::Overturned).await.unwrap();
    // The restored post is reported again: both of them decided before.
    report(&fixture, 4, ReportedKind::Post, &post.id).await;
    let third = queue(&fixture, ListReportsRequest::default()).await.remove(0).id;
    for own in [MODERATOR, OTHER_MODERATOR] {
        assert_eq!(decide(&fixture, own, &third, ReportOutcome::Removed).await.unwrap_err().reason, "OWN_CASE");
    }
    decide(&fixture, 5, &third, ReportOutcome::Removed).await.unwrap();
}

#[tokio::test]
async fn a_report_and_an_appeal_are_facts_once() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(AUTHOR), "One").await;
    report(&fixture, READER, ReportedKind::Post, &post.id).await;
    let removal = remove(&fixture, ReportedKind::Post, &post.id).await;
    appeal(&fixture, AUTHOR, &removal).await.unwrap();
    appeal(&fixture, AUTHOR, &removal).await.unwrap_err();
    let reports = facts::<ReportCreated>(&fixture).await;
    assert_eq!(reports.len(), 1, "a repeated report is none");
    assert_eq!((&reports[0].kind, &reports[0].item_id), (&"post".to_owned(), &post.id));
    assert_eq!(reports[0].reporter_id, member(READER).to_string());
    assert_eq!(reports[0].subject_member_id, member(AUTHOR).to_string());
    let appeals = facts::<AppealCreated>(&fixture).await;
    assert_eq!(appeals.len(), 1);
    assert_eq!(appeals[0].author_id, member(AUTHOR).to_string());
    assert_eq!(appeals[0].removed_by, Some(member(MODERATOR).to_string()));
}

#[tokio::test]
async fn of_two_moderators_who_decide_at_once_one_wins() {
    let fixture = Fixture::new().await;
    for round in 0..5 {
        let post = fixture.create_post_of(member(AUTHOR), &format!("Post {round}")).await;
        for who in [READER, 3] {
            report(&fixture, who, ReportedKind::Post, &post.id).await;
        }
        let id = queue(&fixture, ListReportsRequest::default()).await.remove(0).id;
        let decisions = [(MODERATOR, ReportOutcome::Removed), (OTHER_MODERATOR, ReportOutcome::Dismissed)];
        let results = join_all(decisions.map(|(who, outcome)| decide(&fixture, who, &id, outcome))).await;
        let refused: Vec<_> = results.into_iter().filter_map(Result::err).map(|refused| refused.reason).collect();
        assert_eq!(refused, ["REPORT_DECIDED"]);
        assert!(queue(&fixture, ListReportsRequest::default()).await.is_empty());
    }
    assert_eq!(facts::<ReportDecided>(&fixture).await.len(), 5);
}

#[tokio::test]
async fn members_and_messages_are_not_removed_and_only_moderators_may_call() {
    let fixture = Fixture::new().await;
    report(&fixture, READER, ReportedKind::Member, &member(AUTHOR).to_string()).await;
    let id = queue(&fixture, ListReportsRequest::default()).await.remove(0).id;
    let refused = decide(&fixture, MODERATOR, &id, ReportOutcome::Removed).await.unwrap_err();
    assert_eq!(refused.reason, "NOT_REMOVABLE");
    decide(&fixture, MODERATOR, &id, ReportOutcome::Dismissed).await.unwrap();
    let [fact] = &facts::<ReportDecided>(&fixture).await[..] else { panic!("one fact") };
    assert_eq!((fact.moderator_id.clone(), fact.removed), (Some(member(MODERATOR).to_string()), false));

    let who = fixture.as_member(member(READER));
    let reasons = [
        fixture.list_reports(&who, ListReportsRequest::default()).await.unwrap_err().reason,
        fixture.get_report(&who, GetReportRequest { report_id: id.clone() }).await.unwrap_err().reason,
        fixture.decide_report(&who, DecideReportRequest::default()).await.unwrap_err().reason,
        fixture.list_appeals(&who, ListAppealsRequest::default()).await.unwrap_err().reason,
        fixture.decide_appeal(&who, DecideAppealRequest::default()).await.unwrap_err().reason,
        fixture.get_moderation_stats(&who, GetModerationStatsRequest {}).await.unwrap_err().reason,
    ];
    assert!(reasons.iter().all(|reason| reason == "NOT_FOUND"), "{reasons:?}");
}

#[tokio::test]
async fn an_invalid_decision_names_its_field() {
    let fixture = Fixture::new().await;
    let who = fixture.as_moderator(member(MODERATOR));
    let valid = || DecideReportRequest {
        report_id: UNKNOWN_ID.to_owned(),
        outcome: ReportOutcome::Removed.into(),
        reason: DecisionReason::Spam.into(),
        note: None,
    };
    for (request, field) in [
        (DecideReportRequest { report_id: "x".into(), ..valid() }, "id"),
        (DecideReportRequest { outcome: 0, ..valid() }, "decision"),
        (DecideReportRequest { reason: 0, ..valid() }, "reason"),
        (DecideReportRequest { reason: DecisionReason::NoViolation.into(), ..valid() }, "reason"),
        (DecideReportRequest { outcome: ReportOutcome::Dismissed.into(), ..valid() }, "reason"),
        (DecideReportRequest { note: Some("x".repeat(1_001)), ..valid() }, "note"),
        (DecideReportRequest { note: Some("a\0b".into()), ..valid() }, "note"),
    ] {
        assert_eq!(fixture.decide_report(&who, request).await.unwrap_err().violations[0].field, field);
    }
    let author = fixture.as_member(member(AUTHOR));
    for text in ["", " ", "a\0b", &"x".repeat(1_001)] {
        let request = AppealRemovalRequest { removal_id: UNKNOWN_ID.to_owned(), text: text.to_owned() };
        assert_eq!(fixture.appeal_removal(&author, request).await.unwrap_err().violations[0].field, "text");
    }
    let forged = ListReportsRequest { page_token: "eyJyIjoxfQ".to_owned(), ..Default::default() };
    assert_eq!(fixture.list_reports(&who, forged).await.unwrap_err().violations[0].field, "pageToken");
}

#[tokio::test]
async fn the_statistics_count_items() {
    let fixture = Fixture::new().await;
    let who = fixture.as_moderator(member(MODERATOR));
    let empty = fixture.get_moderation_stats(&who, GetModerationStatsRequest {}).await.unwrap();
    assert_eq!((empty.open, empty.days.len(), empty.median_seconds), (0, 30, None));
    let post = fixture.create_post_of(member(AUTHOR), "One").await;
    report(&fixture, 3, ReportedKind::Post, &post.id).await;
    fixture.harness.clock.advance(TimeDelta::seconds(60));
    let removal = remove(&fixture, ReportedKind::Post, &post.id).await;
    appeal(&fixture, AUTHOR, &removal).await.unwrap();
    decide_appeal(&fixture, OTHER_MODERATOR, &removal, AppealOutcome::Overturned).await.unwrap();
    report(&fixture, 3, ReportedKind::Post, &post.id).await;
    let who = fixture.as_moderator(member(MODERATOR));
    let stats = fixture.get_moderation_stats(&who, GetModerationStatsRequest {}).await.unwrap();
    assert_eq!((stats.open, stats.open_appeals, stats.appeals_overturned), (1, 0, 1));
    assert_eq!(stats.median_seconds, Some(60.0));
    let today = stats.days.last().unwrap();
    assert_eq!((today.removed, today.dismissed), (1, 0));
    let [spam] = &stats.reasons[..] else { panic!("{:?}", stats.reasons) };
    assert_eq!((spam.reason(), spam.removed), (ReportReason::Spam, 1));
}

#[tokio::test]
async fn erasure_deletes_the_removed_content_of_a_member_and_the_name_of_a_moderator() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(AUTHOR), "Mine").await;
    let comment = fixture.create_comment_of(member(3), &post.id, "Theirs").await;
    remove(&fixture, ReportedKind::Comment, &comment.id).await;
    remove(&fixture, ReportedKind::Post, &post.id).await;
    for gone in [AUTHOR, 3, MODERATOR] {
        let mut conn = fixture.pool().acquire().await.unwrap();
        let now = fixture.harness.clock.now();
        feed::deactivation::erase::request_erasure(&mut conn, &member(gone).to_string(), now).await.unwrap();
    }
    feed::deactivation::erase::erase_requested(fixture.pool()).await.unwrap();
    feed::purge_deleted_posts(fixture.pool()).await.unwrap();
    for table in ["posts", "comments", "removals", "removed_comments"] {
        assert_eq!(fixture.count(&format!("select count(*) from feed.{table}")).await, 0, "{table}");
    }
    let named = Uuid::to_string(&member(MODERATOR));
    let reports = format!("select count(*) from feed.reports r where r::text like '%{named}%'");
    assert_eq!(fixture.count(&reports).await, 0);
}
