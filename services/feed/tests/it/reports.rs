//! Reports of visible items, their stored texts, and the decisions of operators.

use feed::admin::{self, Outcome, Report};
use portia_proto::feed::{
    CreatePostRequest, DeletePostRequest, GetPostRequest, PostCommentRemoved, PostDeleted, PostRepostRemoved,
    ReportItemRequest, ReportReason, ReportedKind, UpdateCommentRequest, UpdatePostRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use uuid::Uuid;

use crate::fixtures::{Fixture, UNKNOWN_ID, community, member};

fn report_request(kind: ReportedKind, id: &str) -> ReportItemRequest {
    ReportItemRequest { kind: kind.into(), id: id.to_owned(), reason: ReportReason::Spam.into(), ..Default::default() }
}

async fn create_report(fixture: &Fixture, who: Uuid, what: ReportItemRequest) -> Result<(), StatusDetails> {
    fixture.report_item(&fixture.as_member(who), what).await.map(drop)
}

async fn list_open_reports(fixture: &Fixture) -> Vec<Report> {
    admin::list(&mut fixture.pool().acquire().await.unwrap(), false).await.unwrap()
}

async fn resolve(fixture: &Fixture, id: Uuid, outcome: Outcome) -> Result<Report, String> {
    let mut conn = fixture.pool().acquire().await.unwrap();
    let decided = admin::resolve(&mut conn, id, outcome, &fixture.harness.clock).await;
    decided.map_err(|refused| refused.to_string())
}

/// Returns the published facts of one kind.
async fn published_facts<M: prost::Message + prost::Name + Default>(fixture: &Fixture) -> Vec<M> {
    let payloads = sqlx::query_scalar::<_, Vec<u8>>("select payload from feed.outbox where kind = $1 order by id");
    let payloads = payloads.bind(M::full_name()).fetch_all(fixture.pool()).await.unwrap();
    payloads.iter().map(|payload| M::decode(payload.as_slice()).unwrap()).collect()
}

fn refusal(answer: Result<(), StatusDetails>) -> (ErrorKind, String) {
    let refused = answer.unwrap_err();
    (refused.kind, refused.reason)
}

#[tokio::test]
async fn a_report_stores_the_text_at_the_time_of_the_report() {
    let fixture = Fixture::new().await;
    let (author, reader) = (member(1), member(2));
    let post = fixture.create_post_of(author, "Buy my essays").await;
    let comment = fixture.create_comment_of(author, &post.id, "You fool").await;
    let words = ReportItemRequest {
        words: Some(" It sells essays. ".to_owned()),
        ..report_request(ReportedKind::Post, &post.id)
    };
    create_report(&fixture, reader, words).await.unwrap();
    fixture.advance_clock(1);
    let harassment = ReportReason::Harassment.into();
    let report = ReportItemRequest { reason: harassment, ..report_request(ReportedKind::Comment, &comment.id) };
    create_report(&fixture, reader, report).await.unwrap();

    let edit = UpdatePostRequest { post_id: post.id.clone(), content: "Hello".to_owned(), ..Default::default() };
    fixture.update_post(&fixture.as_member(author), edit).await.unwrap();
    let edit = UpdateCommentRequest { comment_id: comment.id.clone(), content: "Dear".to_owned() };
    fixture.update_comment(&fixture.as_member(author), edit).await.unwrap();
    fixture
        .delete_post(&fixture.as_member(author), DeletePostRequest { post_id: post.id.clone(), reason: 0 })
        .await
        .unwrap();

    let reports = list_open_reports(&fixture).await;
    let stored: Vec<_> = reports
        .iter()
        .map(|report| (report.kind, report.item_id.to_string(), report.excerpt.as_str(), report.words.as_deref()))
        .collect();
    assert_eq!(
        stored,
        [
            (admin::ReportedKind::Post, post.id, "Buy my essays", Some("It sells essays.")),
            (admin::ReportedKind::Comment, comment.id, "You fool", None),
        ],
        "the one that has waited longest first"
    );
    assert!(reports.iter().all(|report| report.subject_id == Some(author) && report.reporter_id == Some(reader)));
    assert_eq!((reports[0].reason, reports[1].reason), (admin::Reason::Spam, admin::Reason::Harassment));
}

#[tokio::test]
async fn every_reason_is_stored() {
    let fixture = Fixture::new().await;
    let reasons = [
        (ReportReason::Spam, admin::Reason::Spam),
        (ReportReason::Harassment, admin::Reason::Harassment),
        (ReportReason::FalseInformation, admin::Reason::FalseInformation),
        (ReportReason::Impersonation, admin::Reason::Impersonation),
        (ReportReason::PrivilegedInformation, admin::Reason::PrivilegedInformation),
        (ReportReason::Illegal, admin::Reason::Illegal),
        (ReportReason::Other, admin::Reason::Other),
    ];
    for (reason, _) in reasons {
        let post = fixture.create_post_of(member(1), "Reported").await;
        let report = ReportItemRequest { reason: reason.into(), ..report_request(ReportedKind::Post, &post.id) };
        create_report(&fixture, member(2), report).await.unwrap();
        fixture.advance_clock(1);
    }
    let stored: Vec<_> = list_open_reports(&fixture).await.iter().map(|report| report.reason).collect();
    assert_eq!(stored, reasons.map(|(_, stored)| stored));
}

#[tokio::test]
async fn a_report_of_a_repost_without_text_is_about_the_original() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Original").await;
    let passed = |content: &str| CreatePostRequest {
        content: content.to_owned(),
        repost_of: Some(post.id.clone()),
        ..Default::default()
    };
    let repost = fixture.create_post(&fixture.as_member(member(2)), passed("")).await.unwrap().post.unwrap();
    let spoken = fixture.create_post(&fixture.as_member(member(2)), passed("Look")).await.unwrap().post.unwrap();
    fixture.block_member(member(1), member(4)).await;
    for (reporter, item, expected) in [
        (3, &repost.id, (&post.id, "Original", 1)),
        (3, &spoken.id, (&spoken.id, "Look", 2)),
        // The original is invisible to the reporter or the reporter's own: the report is about the member who reposted.
        (4, &repost.id, (&repost.id, "", 2)),
        (1, &repost.id, (&repost.id, "", 2)),
    ] {
        create_report(&fixture, member(reporter), report_request(ReportedKind::Post, item)).await.unwrap();
        fixture.advance_clock(1);
        let reports = list_open_reports(&fixture).await;
        let last = reports.last().unwrap();
        let (id, says, whose) = expected;
        let actual = (last.item_id.to_string(), last.excerpt.as_str(), last.subject_id);
        assert_eq!(actual, (id.clone(), says, Some(member(whose))), "{reporter} {item}");
    }
    let own = create_report(&fixture, member(2), report_request(ReportedKind::Post, &spoken.id)).await;
    assert_eq!(own.unwrap_err().reason, "OWN_CONTENT");
    // The report is deleted with the author of the reported text.
    feed::deactivation::request_erasure(
        &mut fixture.pool().acquire().await.unwrap(),
        &member(1).to_string(),
        fixture.harness.clock.now(),
    )
    .await
    .unwrap();
    feed::deactivation::erase::erase_requested(fixture.pool()).await.unwrap();
    assert_eq!(fixture.count("select count(*) from feed.reports where excerpt = 'Original'").await, 0);
}

#[tokio::test]
async fn a_report_contains_the_title_of_an_article_and_the_address_of_a_video() {
    let fixture = Fixture::new().await;
    let article =
        CreatePostRequest { content: "Long *read*".to_owned(), title: Some("Title".to_owned()), ..Default::default() };
    let video = CreatePostRequest {
        content: "Watch".to_owned(),
        video_url: Some("https://video.example/1".to_owned()),
        ..Default::default()
    };
    for (request, text) in [(article, "Title\nLong *read*"), (video, "Watch\nhttps://video.example/1")] {
        let post = fixture.create_post(&fixture.as_member(member(1)), request).await.unwrap().post.unwrap();
        create_report(&fixture, member(2), report_request(ReportedKind::Post, &post.id)).await.unwrap();
        assert!(list_open_reports(&fixture).await.iter().any(|report| report.excerpt == text), "{text}");
    }
}

#[tokio::test]
async fn a_report_of_an_invisible_item_is_refused() {
    let fixture = Fixture::new().await;
    let society = community(1);
    fixture.join_community(society, &[member(1), member(2)]).await;
    let open = fixture.create_post_of(member(1), "Open").await;
    let closed = fixture.create_post_in(member(1), society, "Ours").await;
    let under = fixture.create_comment_of(member(2), &closed.id, "Between us").await;
    let text = fixture.create_comment_of(member(2), &open.id, "Said").await;
    let gone = fixture.create_post_of(member(1), "Gone").await;
    fixture
        .delete_post(&fixture.as_member(member(1)), DeletePostRequest { post_id: gone.id.clone(), reason: 0 })
        .await
        .unwrap();
    let no_post = (ErrorKind::NotFound, "POST_NOT_FOUND".to_owned());
    let no_comment = (ErrorKind::NotFound, "COMMENT_NOT_FOUND".to_owned());
    for (who, kind, id, expected) in [
        (5, ReportedKind::Post, closed.id.as_str(), &no_post),
        (5, ReportedKind::Comment, &under.id, &no_comment),
        (5, ReportedKind::Post, &gone.id, &no_post),
        (5, ReportedKind::Post, UNKNOWN_ID, &no_post),
        (5, ReportedKind::Post, &text.id, &no_post),
        (5, ReportedKind::Comment, &open.id, &no_comment),
    ] {
        assert_eq!(
            refusal(create_report(&fixture, member(who), report_request(kind, id)).await),
            *expected,
            "{who} {kind:?}"
        );
    }
    feed::deactivation::deactivate(
        &mut fixture.pool().acquire().await.unwrap(),
        &member(1).to_string(),
        fixture.harness.clock.now(),
    )
    .await
    .unwrap();
    assert_eq!(
        refusal(create_report(&fixture, member(5), report_request(ReportedKind::Post, &open.id)).await),
        no_post,
        "a post of a closed account"
    );
    let visitor = fixture.report_item(&fixture.as_visitor(), report_request(ReportedKind::Post, &open.id)).await;
    assert_eq!(visitor.unwrap_err().kind, ErrorKind::Unauthenticated);
    assert_eq!(fixture.count("select count(*) from feed.reports").await, 0);
}

#[tokio::test]
async fn what_a_member_received_can_be_reported_after_a_block() {
    let fixture = Fixture::new().await;
    let (author, victim, third) = (member(1), member(2), member(3));
    let society = community(1);
    fixture.join_community(society, &[author, third]).await;
    let post = fixture.create_post_of(author, &format!("Look at @[{victim}]")).await;
    let own = fixture.create_post_of(victim, "My first brief").await;
    let comment = fixture.create_comment_of(author, &own.id, "You fool").await;
    let closed = fixture.create_post_in(author, society, "Between us").await;
    let under = fixture.create_comment_of(third, &closed.id, "Indeed").await;
    fixture.block_member(author, victim).await;
    fixture.block_member(victim, third).await;
    let get = fixture
        .get_post(&fixture.as_member(victim), GetPostRequest { post_id: post.id.clone(), ..Default::default() })
        .await;
    assert_eq!(get.unwrap_err().reason, "POST_NOT_FOUND", "the post stays hidden");
    create_report(&fixture, victim, report_request(ReportedKind::Post, &post.id)).await.unwrap();
    create_report(&fixture, victim, report_request(ReportedKind::Comment, &comment.id)).await.unwrap();
    let reports = list_open_reports(&fixture).await;
    assert!(reports.iter().all(|report| report.subject_id == Some(author)), "{reports:?}");
    let mut excerpts: Vec<&str> = reports.iter().map(|report| report.excerpt.as_str()).collect();
    excerpts.sort_unstable();
    assert_eq!(excerpts, [format!("Look at @[{victim}]").as_str(), "You fool"]);
    // A block opens nothing that the member could not see before.
    for (kind, id) in [(ReportedKind::Post, &closed.id), (ReportedKind::Comment, &under.id)] {
        assert_eq!(refusal(create_report(&fixture, victim, report_request(kind, id)).await).0, ErrorKind::NotFound);
    }
}

#[tokio::test]
async fn what_a_member_received_can_be_reported_after_a_removal_from_the_community() {
    let fixture = Fixture::new().await;
    let (author, victim) = (member(1), member(2));
    let society = community(1);
    fixture.join_community(society, &[author, victim]).await;
    let mention = fixture.create_post_in(author, society, &format!("Look at @[{victim}]")).await;
    let post = fixture.create_post_in(author, society, "Moot on Friday").await;
    let own = fixture.create_comment_of(victim, &post.id, "Count me in").await;
    let answer = fixture.create_reply_of(author, &own, "Not you").await;
    let named = fixture.create_comment_of(author, &post.id, &format!("Never again @[{victim}]")).await;
    let other = fixture.create_comment_of(author, &post.id, "Bring your briefs").await;
    fixture.leave_community(society, victim).await;
    let report = async |kind, id| create_report(&fixture, victim, report_request(kind, id)).await;
    report(ReportedKind::Post, &mention.id).await.unwrap();
    for id in [&answer.id, &named.id] {
        report(ReportedKind::Comment, id).await.unwrap();
    }
    for (kind, id) in [(ReportedKind::Post, &post.id), (ReportedKind::Comment, &other.id)] {
        assert_eq!(refusal(report(kind, id).await).0, ErrorKind::NotFound, "what was not addressed to the member");
    }
}

#[tokio::test]
async fn a_report_of_an_own_item_is_refused() {
    let fixture = Fixture::new().await;
    let me = member(1);
    let post = fixture.create_post_of(me, "Mine").await;
    let comment = fixture.create_comment_of(me, &post.id, "Mine too").await;
    let message = ReportItemRequest {
        subject_member_id: Some(me.to_string()),
        ..report_request(ReportedKind::Message, UNKNOWN_ID)
    };
    // A report of a member is about the id; other fields do not matter.
    let member = ReportItemRequest {
        subject_member_id: Some(member(2).to_string()),
        ..report_request(ReportedKind::Member, &me.to_string())
    };
    for own in [
        report_request(ReportedKind::Post, &post.id),
        report_request(ReportedKind::Comment, &comment.id),
        message,
        member,
    ] {
        let refused = create_report(&fixture, me, own).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "OWN_CONTENT"));
        assert_eq!(refused.message, "You cannot report yourself");
    }
    assert_eq!(fixture.count("select count(*) from feed.reports").await, 0);
}

#[tokio::test]
async fn a_report_of_an_item_of_another_service_stores_the_given_text() {
    let fixture = Fixture::new().await;
    let report_of = |kind, subject: Option<Uuid>, excerpt: &str| ReportItemRequest {
        subject_member_id: subject.map(|id| id.to_string()),
        excerpt: Some(excerpt.to_owned()),
        ..report_request(kind, &member(9).to_string())
    };
    let long = "ñ".repeat(9_000);
    create_report(&fixture, member(1), report_of(ReportedKind::Member, None, "Mallory")).await.unwrap();
    create_report(&fixture, member(1), report_of(ReportedKind::Message, Some(member(8)), "\u{1b}[2Jboo"))
        .await
        .unwrap();
    create_report(&fixture, member(1), report_of(ReportedKind::Job, None, &long)).await.unwrap();
    create_report(&fixture, member(2), report_of(ReportedKind::Message, None, "From a former member")).await.unwrap();
    let mut stored: Vec<_> =
        list_open_reports(&fixture).await.into_iter().map(|report| (report.subject_id, report.excerpt)).collect();
    stored.sort();
    let mut expected = [
        (Some(member(9)), "Mallory".to_owned()),
        (Some(member(8)), " [2Jboo".to_owned()),
        (None, "ñ".repeat(4_000)),
        (None, "From a former member".to_owned()),
    ];
    expected.sort();
    assert_eq!(stored, expected);
}

#[tokio::test]
async fn a_repeated_report_is_one_report_until_it_is_resolved() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Spam").await;
    let again = async || {
        let one = create_report(&fixture, member(2), report_request(ReportedKind::Post, &post.id));
        let illegal = ReportReason::Illegal.into();
        let other = create_report(
            &fixture,
            member(2),
            ReportItemRequest { reason: illegal, ..report_request(ReportedKind::Post, &post.id) },
        );
        let (one, other) = futures::join!(one, other);
        one.unwrap();
        other.unwrap();
        list_open_reports(&fixture).await
    };
    assert_eq!(again().await.len(), 1);
    create_report(&fixture, member(3), report_request(ReportedKind::Post, &post.id)).await.unwrap();
    let reports = again().await;
    assert_eq!(reports.len(), 2, "a report of another member is separate");
    let mine = reports.iter().find(|report| report.reporter_id == Some(member(2))).unwrap();
    resolve(&fixture, mine.id, Outcome::Dismissed).await.unwrap();
    assert_eq!(list_open_reports(&fixture).await.len(), 1);
    assert_eq!(again().await.len(), 2, "a resolved item can be reported again");
}

#[tokio::test]
async fn removing_a_reported_post_deletes_it() {
    let fixture = Fixture::new().await;
    let (author, reader) = (member(1), member(2));
    let original = fixture.create_post_of(member(3), "Passed on").await;
    let passed =
        CreatePostRequest { content: "Look".to_owned(), repost_of: Some(original.id.clone()), ..Default::default() };
    let repost = fixture.create_post(&fixture.as_member(author), passed).await.unwrap().post.unwrap();
    fixture.like(reader, &repost.id).await;
    for who in [reader, member(4)] {
        create_report(&fixture, who, report_request(ReportedKind::Post, &repost.id)).await.unwrap();
    }
    let reports = list_open_reports(&fixture).await;
    // Posts of a suspended author are hidden and still exist.
    let mut conn = fixture.pool().acquire().await.unwrap();
    feed::deactivation::deactivate(&mut conn, &author.to_string(), fixture.harness.clock.now()).await.unwrap();
    drop(conn);
    let decided = resolve(&fixture, reports[0].id, Outcome::Removed).await.unwrap();
    assert_eq!((decided.item_id.to_string(), decided.outcome), (repost.id.clone(), Some(Outcome::Removed)));
    assert!(list_open_reports(&fixture).await.is_empty(), "all reports of the item are resolved");

    let find = GetPostRequest { post_id: repost.id.clone(), ..Default::default() };
    assert_eq!(fixture.get_post(&fixture.as_member(author), find).await.unwrap_err().reason, "POST_NOT_FOUND");
    assert_eq!(fixture.get_post_as(&fixture.as_visitor(), &original.id).await.share_count, 0);
    assert_eq!(published_facts::<PostDeleted>(&fixture).await.len(), 1);
    assert_eq!(published_facts::<PostRepostRemoved>(&fixture).await.len(), 1);
    fixture.assert_counters().await;

    // A repeated decision changes nothing and publishes nothing.
    let again = resolve(&fixture, reports[0].id, Outcome::Removed).await.unwrap();
    assert_eq!(again.resolved_at, decided.resolved_at);
    assert_eq!(published_facts::<PostDeleted>(&fixture).await.len(), 1);
    let otherwise = resolve(&fixture, reports[0].id, Outcome::Dismissed).await.unwrap_err();
    assert_eq!(otherwise, "This report was decided before, and otherwise.");
    assert_eq!(
        resolve(&fixture, UNKNOWN_ID.parse().unwrap(), Outcome::Removed).await.unwrap_err(),
        "There is no such report."
    );
}

#[tokio::test]
async fn removing_a_reported_comment_updates_the_count() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Thoughts?").await;
    let comment = fixture.create_comment_of(member(2), &post.id, "You fool").await;
    fixture.create_comment_of(member(3), &post.id, "Good ones").await;
    create_report(&fixture, member(1), report_request(ReportedKind::Comment, &comment.id)).await.unwrap();
    let reports = list_open_reports(&fixture).await;
    resolve(&fixture, reports[0].id, Outcome::Removed).await.unwrap();
    let left = fixture.get_post_as(&fixture.as_visitor(), &post.id).await;
    assert_eq!((left.comment_count, left.comments[0].content.as_str()), (1, "Good ones"));
    assert_eq!(published_facts::<PostCommentRemoved>(&fixture).await.len(), 1);
    fixture.assert_counters().await;
}

#[tokio::test]
async fn dismissing_a_report_changes_nothing_and_a_deleted_item_is_no_error() {
    let fixture = Fixture::new().await;
    let (stored, gone) =
        (fixture.create_post_of(member(1), "Fine").await, fixture.create_post_of(member(1), "Quick").await);
    for post in [&stored, &gone] {
        create_report(&fixture, member(2), report_request(ReportedKind::Post, &post.id)).await.unwrap();
    }
    fixture
        .delete_post(&fixture.as_member(member(1)), DeletePostRequest { post_id: gone.id.clone(), reason: 0 })
        .await
        .unwrap();
    let reports = list_open_reports(&fixture).await;
    let id = |post: &str| reports.iter().find(|report| report.item_id.to_string() == post).unwrap().id;
    resolve(&fixture, id(&stored.id), Outcome::Dismissed).await.unwrap();
    resolve(&fixture, id(&gone.id), Outcome::Removed).await.unwrap();
    assert_eq!(fixture.get_post_as(&fixture.as_visitor(), &stored.id).await.content, "Fine");
    assert_eq!(published_facts::<PostDeleted>(&fixture).await.len(), 1, "its author's");
    let all = admin::list(&mut fixture.pool().acquire().await.unwrap(), true).await.unwrap();
    assert_eq!((all.len(), list_open_reports(&fixture).await.len()), (2, 0));
}

#[tokio::test]
async fn invalid_reports_are_refused_by_field() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "The only one").await;
    let good = report_request(ReportedKind::Post, &post.id);
    let long = "a".repeat(1_001);
    let mut asked = vec![
        ("kind", ReportItemRequest { kind: 0, ..good.clone() }),
        ("kind", ReportItemRequest { kind: 99, ..good.clone() }),
        ("reason", ReportItemRequest { reason: 0, ..good.clone() }),
        ("reason", ReportItemRequest { reason: -1, ..good.clone() }),
        ("words", ReportItemRequest { words: Some(long), ..good.clone() }),
        ("subjectMemberId", ReportItemRequest { subject_member_id: Some("x".to_owned()), ..good.clone() }),
    ];
    for bad in ["", "1", "\0", "' or 1=1 --", "00000000-0000-0000-0000-000000000000", &"a".repeat(1 << 20)] {
        asked.push(("id", ReportItemRequest { id: bad.to_owned(), ..good.clone() }));
    }
    for bad in ["\0", "a\0b", "\u{202e}gpj", "\u{1b}[31m", "non\u{ffff}character"] {
        asked.push(("words", ReportItemRequest { words: Some(bad.to_owned()), ..good.clone() }));
    }
    for (field, request) in asked {
        let refused = create_report(&fixture, member(2), request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    assert_eq!(fixture.count("select count(*) from feed.reports").await, 0);
    let blank = ReportItemRequest { words: Some(" \n".to_owned()), ..good };
    create_report(&fixture, member(2), blank).await.unwrap();
    assert_eq!(list_open_reports(&fixture).await[0].words, None);
}
