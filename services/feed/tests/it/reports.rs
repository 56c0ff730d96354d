//! Reports: of what one may see, with what it said then, once, and what operators decide.

use feed::admin::{self, Outcome, Report};
use portia_proto::feed::{
    CreatePostRequest, DeletePostRequest, GetPostRequest, PostCommentRemoved, PostDeleted, PostRepostRemoved,
    ReportItemRequest, ReportReason, ReportedKind, UpdateCommentRequest, UpdatePostRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use uuid::Uuid;

use crate::stand::{NOWHERE, Stand, community, member};

fn of(kind: ReportedKind, id: &str) -> ReportItemRequest {
    ReportItemRequest { kind: kind.into(), id: id.to_owned(), reason: ReportReason::Spam.into(), ..Default::default() }
}

async fn tell(stand: &Stand, who: Uuid, what: ReportItemRequest) -> Result<(), StatusDetails> {
    stand.report_item(&stand.by(who), what).await.map(drop)
}

async fn waiting(stand: &Stand) -> Vec<Report> {
    admin::reports(&mut stand.pool().acquire().await.unwrap(), false).await.unwrap()
}

async fn decide(stand: &Stand, id: Uuid, outcome: Outcome) -> Result<Report, String> {
    let mut conn = stand.pool().acquire().await.unwrap();
    let decided = admin::resolve(&mut conn, id, outcome, stand.harness.clock.now()).await;
    decided.map_err(|refused| refused.to_string())
}

/// The facts of one kind that were told.
async fn told<M: prost::Message + prost::Name + Default>(stand: &Stand) -> Vec<M> {
    let payloads = sqlx::query_scalar::<_, Vec<u8>>("select payload from feed.outbox where kind = $1 order by id");
    let payloads = payloads.bind(M::full_name()).fetch_all(stand.pool()).await.unwrap();
    payloads.iter().map(|payload| M::decode(payload.as_slice()).unwrap()).collect()
}

fn refusal(answer: Result<(), StatusDetails>) -> (ErrorKind, String) {
    let refused = answer.unwrap_err();
    (refused.kind, refused.reason)
}

#[tokio::test]
async fn what_was_reported_is_kept_as_it_stood() {
    let stand = Stand::new().await;
    let (author, reader) = (member(1), member(2));
    let post = stand.post(author, "Buy my essays").await;
    let comment = stand.comment(author, &post.id, "You fool").await;
    let words = ReportItemRequest { words: Some(" It sells essays. ".to_owned()), ..of(ReportedKind::Post, &post.id) };
    tell(&stand, reader, words).await.unwrap();
    stand.wait(1);
    let harassment = ReportReason::Harassment.into();
    let report = ReportItemRequest { reason: harassment, ..of(ReportedKind::Comment, &comment.id) };
    tell(&stand, reader, report).await.unwrap();

    let edit = UpdatePostRequest { post_id: post.id.clone(), content: "Hello".to_owned(), ..Default::default() };
    stand.update_post(&stand.by(author), edit).await.unwrap();
    let edit = UpdateCommentRequest { comment_id: comment.id.clone(), content: "Dear".to_owned() };
    stand.update_comment(&stand.by(author), edit).await.unwrap();
    stand.delete_post(&stand.by(author), DeletePostRequest { post_id: post.id.clone() }).await.unwrap();

    let reports = waiting(&stand).await;
    let kept: Vec<_> = reports
        .iter()
        .map(|report| (report.kind, report.item_id.to_string(), report.excerpt.as_str(), report.words.as_deref()))
        .collect();
    assert_eq!(
        kept,
        [
            (admin::Kind::Post, post.id, "Buy my essays", Some("It sells essays.")),
            (admin::Kind::Comment, comment.id, "You fool", None),
        ],
        "the one that has waited longest first"
    );
    assert!(reports.iter().all(|report| report.subject_id == Some(author) && report.reporter_id == Some(reader)));
    assert_eq!((reports[0].reason, reports[1].reason), (admin::Reason::Spam, admin::Reason::Harassment));
}

#[tokio::test]
async fn of_what_passes_another_on_without_words_the_other_is_reported() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Original").await;
    let passed = |content: &str| CreatePostRequest {
        content: content.to_owned(),
        repost_of: Some(post.id.clone()),
        ..Default::default()
    };
    let repost = stand.create_post(&stand.by(member(2)), passed("")).await.unwrap().post.unwrap();
    let spoken = stand.create_post(&stand.by(member(2)), passed("Look")).await.unwrap().post.unwrap();
    stand.block(member(1), member(4)).await;
    for (reporter, item, expected) in [
        (3, &repost.id, (&post.id, "Original", 1)),
        (3, &spoken.id, (&spoken.id, "Look", 2)),
        // What it passes on is not for them, or theirs: there is nothing but who passed it on.
        (4, &repost.id, (&repost.id, "", 2)),
        (1, &repost.id, (&repost.id, "", 2)),
    ] {
        tell(&stand, member(reporter), of(ReportedKind::Post, item)).await.unwrap();
        stand.wait(1);
        let reports = waiting(&stand).await;
        let last = reports.last().unwrap();
        let (id, says, whose) = expected;
        let told = (last.item_id.to_string(), last.excerpt.as_str(), last.subject_id);
        assert_eq!(told, (id.clone(), says, Some(member(whose))), "{reporter} {item}");
    }
    let own = tell(&stand, member(2), of(ReportedKind::Post, &spoken.id)).await;
    assert_eq!(own.unwrap_err().reason, "OWN_CONTENT");
    // Whose words were reported is who takes them along.
    feed::erase::request(&mut stand.pool().acquire().await.unwrap(), &member(1).to_string(), stand.harness.clock.now())
        .await
        .unwrap();
    feed::erase::forget_all(stand.pool()).await.unwrap();
    assert_eq!(stand.count("select count(*) from feed.reports where excerpt = 'Original'").await, 0);
}

#[tokio::test]
async fn an_articles_title_and_a_videos_address_are_part_of_what_it_says() {
    let stand = Stand::new().await;
    let article =
        CreatePostRequest { content: "Long *read*".to_owned(), title: Some("Title".to_owned()), ..Default::default() };
    let video = CreatePostRequest {
        content: "Watch".to_owned(),
        video_url: Some("https://video.example/1".to_owned()),
        ..Default::default()
    };
    for (request, said) in [(article, "Title\nLong *read*"), (video, "Watch\nhttps://video.example/1")] {
        let post = stand.create_post(&stand.by(member(1)), request).await.unwrap().post.unwrap();
        tell(&stand, member(2), of(ReportedKind::Post, &post.id)).await.unwrap();
        assert!(waiting(&stand).await.iter().any(|report| report.excerpt == said), "{said}");
    }
}

#[tokio::test]
async fn nobody_reports_what_they_may_not_see() {
    let stand = Stand::new().await;
    let society = community(1);
    stand.join(society, &[member(1), member(2)]).await;
    let open = stand.post(member(1), "Open").await;
    let closed = stand.post_in(member(1), society, "Ours").await;
    let under = stand.comment(member(2), &closed.id, "Between us").await;
    let said = stand.comment(member(2), &open.id, "Said").await;
    stand.block(member(1), member(3)).await;
    stand.block(member(4), member(2)).await;
    let gone = stand.post(member(1), "Gone").await;
    stand.delete_post(&stand.by(member(1)), DeletePostRequest { post_id: gone.id.clone() }).await.unwrap();
    let no_post = (ErrorKind::NotFound, "POST_NOT_FOUND".to_owned());
    let no_comment = (ErrorKind::NotFound, "COMMENT_NOT_FOUND".to_owned());
    for (who, kind, id, expected) in [
        (5, ReportedKind::Post, closed.id.as_str(), &no_post),
        (5, ReportedKind::Comment, &under.id, &no_comment),
        (3, ReportedKind::Post, &open.id, &no_post),
        (3, ReportedKind::Comment, &said.id, &no_comment),
        (4, ReportedKind::Comment, &said.id, &no_comment),
        (5, ReportedKind::Post, &gone.id, &no_post),
        (5, ReportedKind::Post, NOWHERE, &no_post),
        (5, ReportedKind::Post, &said.id, &no_post),
        (5, ReportedKind::Comment, &open.id, &no_comment),
    ] {
        assert_eq!(refusal(tell(&stand, member(who), of(kind, id)).await), *expected, "{who} {kind:?}");
    }
    feed::hidden::hide(&mut stand.pool().acquire().await.unwrap(), &member(1).to_string(), stand.harness.clock.now())
        .await
        .unwrap();
    assert_eq!(refusal(tell(&stand, member(5), of(ReportedKind::Post, &open.id)).await), no_post, "a closed account's");
    let visitor = stand.report_item(&stand.visitor(), of(ReportedKind::Post, &open.id)).await;
    assert_eq!(visitor.unwrap_err().kind, ErrorKind::Unauthenticated);
    assert_eq!(stand.count("select count(*) from feed.reports").await, 0);
}

#[tokio::test]
async fn nobody_reports_themselves() {
    let stand = Stand::new().await;
    let me = member(1);
    let post = stand.post(me, "Mine").await;
    let comment = stand.comment(me, &post.id, "Mine too").await;
    let message = ReportItemRequest { subject_member_id: Some(me.to_string()), ..of(ReportedKind::Message, NOWHERE) };
    // Of a member it counts who they are, whatever else is said.
    let member = ReportItemRequest {
        subject_member_id: Some(member(2).to_string()),
        ..of(ReportedKind::Member, &me.to_string())
    };
    for own in [of(ReportedKind::Post, &post.id), of(ReportedKind::Comment, &comment.id), message, member] {
        let refused = tell(&stand, me, own).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "OWN_CONTENT"));
        assert_eq!(refused.message, "You cannot report yourself");
    }
    assert_eq!(stand.count("select count(*) from feed.reports").await, 0);
}

#[tokio::test]
async fn what_others_own_is_kept_as_they_told_it() {
    let stand = Stand::new().await;
    let told = |kind, subject: Option<Uuid>, excerpt: &str| ReportItemRequest {
        subject_member_id: subject.map(|id| id.to_string()),
        excerpt: Some(excerpt.to_owned()),
        ..of(kind, &member(9).to_string())
    };
    let long = "ñ".repeat(9_000);
    tell(&stand, member(1), told(ReportedKind::Member, None, "Mallory")).await.unwrap();
    tell(&stand, member(1), told(ReportedKind::Message, Some(member(8)), "\u{1b}[2Jboo")).await.unwrap();
    tell(&stand, member(1), told(ReportedKind::Job, None, &long)).await.unwrap();
    tell(&stand, member(2), told(ReportedKind::Message, None, "From a former member")).await.unwrap();
    let mut kept: Vec<_> =
        waiting(&stand).await.into_iter().map(|report| (report.subject_id, report.excerpt)).collect();
    kept.sort();
    let mut expected = [
        (Some(member(9)), "Mallory".to_owned()),
        (Some(member(8)), " [2Jboo".to_owned()),
        (None, "ñ".repeat(4_000)),
        (None, "From a former member".to_owned()),
    ];
    expected.sort();
    assert_eq!(kept, expected);
}

#[tokio::test]
async fn the_same_again_is_one_report_until_it_is_decided() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Spam").await;
    let again = async || {
        let one = tell(&stand, member(2), of(ReportedKind::Post, &post.id));
        let illegal = ReportReason::Illegal.into();
        let other = tell(&stand, member(2), ReportItemRequest { reason: illegal, ..of(ReportedKind::Post, &post.id) });
        let (one, other) = futures::join!(one, other);
        one.unwrap();
        other.unwrap();
        waiting(&stand).await
    };
    assert_eq!(again().await.len(), 1);
    tell(&stand, member(3), of(ReportedKind::Post, &post.id)).await.unwrap();
    let reports = again().await;
    assert_eq!(reports.len(), 2, "another member's is another");
    let mine = reports.iter().find(|report| report.reporter_id == Some(member(2))).unwrap();
    decide(&stand, mine.id, Outcome::Dismissed).await.unwrap();
    assert_eq!(waiting(&stand).await.len(), 1);
    assert_eq!(again().await.len(), 2, "what was changed since may be told of again");
}

#[tokio::test]
async fn a_removed_post_goes_as_if_its_author_had_deleted_it() {
    let stand = Stand::new().await;
    let (author, reader) = (member(1), member(2));
    let original = stand.post(member(3), "Passed on").await;
    let passed =
        CreatePostRequest { content: "Look".to_owned(), repost_of: Some(original.id.clone()), ..Default::default() };
    let repost = stand.create_post(&stand.by(author), passed).await.unwrap().post.unwrap();
    stand.like(reader, &repost.id).await;
    for who in [reader, member(4)] {
        tell(&stand, who, of(ReportedKind::Post, &repost.id)).await.unwrap();
    }
    let reports = waiting(&stand).await;
    // A suspended author's posts are hidden, and there all the same.
    let mut conn = stand.pool().acquire().await.unwrap();
    feed::hidden::hide(&mut conn, &author.to_string(), stand.harness.clock.now()).await.unwrap();
    drop(conn);
    let decided = decide(&stand, reports[0].id, Outcome::Removed).await.unwrap();
    assert_eq!((decided.item_id.to_string(), decided.outcome), (repost.id.clone(), Some(Outcome::Removed)));
    assert!(waiting(&stand).await.is_empty(), "every report of it is decided");

    let find = GetPostRequest { post_id: repost.id.clone() };
    assert_eq!(stand.get_post(&stand.by(author), find).await.unwrap_err().reason, "POST_NOT_FOUND");
    assert_eq!(stand.seen(&stand.visitor(), &original.id).await.share_count, 0);
    assert_eq!(told::<PostDeleted>(&stand).await.len(), 1);
    assert_eq!(told::<PostRepostRemoved>(&stand).await.len(), 1);
    stand.assert_counters_true().await;

    // Again, because what was done could not be noted: nothing changes and nothing is told twice.
    let again = decide(&stand, reports[0].id, Outcome::Removed).await.unwrap();
    assert_eq!(again.resolved_at, decided.resolved_at);
    assert_eq!(told::<PostDeleted>(&stand).await.len(), 1);
    let otherwise = decide(&stand, reports[0].id, Outcome::Dismissed).await.unwrap_err();
    assert_eq!(otherwise, "This report was decided before, and otherwise.");
    assert_eq!(
        decide(&stand, NOWHERE.parse().unwrap(), Outcome::Removed).await.unwrap_err(),
        "There is no such report."
    );
}

#[tokio::test]
async fn a_removed_comment_is_counted_off() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Thoughts?").await;
    let comment = stand.comment(member(2), &post.id, "You fool").await;
    stand.comment(member(3), &post.id, "Good ones").await;
    tell(&stand, member(1), of(ReportedKind::Comment, &comment.id)).await.unwrap();
    let reports = waiting(&stand).await;
    decide(&stand, reports[0].id, Outcome::Removed).await.unwrap();
    let left = stand.seen(&stand.visitor(), &post.id).await;
    assert_eq!((left.comment_count, left.comments[0].content.as_str()), (1, "Good ones"));
    assert_eq!(told::<PostCommentRemoved>(&stand).await.len(), 1);
    stand.assert_counters_true().await;
}

#[tokio::test]
async fn a_dismissed_report_touches_nothing_and_what_its_author_took_away_is_no_error() {
    let stand = Stand::new().await;
    let (kept, gone) = (stand.post(member(1), "Fine").await, stand.post(member(1), "Quick").await);
    for post in [&kept, &gone] {
        tell(&stand, member(2), of(ReportedKind::Post, &post.id)).await.unwrap();
    }
    stand.delete_post(&stand.by(member(1)), DeletePostRequest { post_id: gone.id.clone() }).await.unwrap();
    let reports = waiting(&stand).await;
    let id = |post: &str| reports.iter().find(|report| report.item_id.to_string() == post).unwrap().id;
    decide(&stand, id(&kept.id), Outcome::Dismissed).await.unwrap();
    decide(&stand, id(&gone.id), Outcome::Removed).await.unwrap();
    assert_eq!(stand.seen(&stand.visitor(), &kept.id).await.content, "Fine");
    assert_eq!(told::<PostDeleted>(&stand).await.len(), 1, "its author's");
    let all = admin::reports(&mut stand.pool().acquire().await.unwrap(), true).await.unwrap();
    assert_eq!((all.len(), waiting(&stand).await.len()), (2, 0));
}

#[tokio::test]
async fn bad_input_is_named_and_nothing_is_written() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "The only one").await;
    let good = of(ReportedKind::Post, &post.id);
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
        let refused = tell(&stand, member(2), request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    assert_eq!(stand.count("select count(*) from feed.reports").await, 0);
    let blank = ReportItemRequest { words: Some(" \n".to_owned()), ..good };
    tell(&stand, member(2), blank).await.unwrap();
    assert_eq!(waiting(&stand).await[0].words, None);
}
