//! Fake feed: one post.

use std::sync::atomic::Ordering;

use portia_proto::{feed, social_graph::CommunityRole};
use primitives::error::ErrorKind;
use tonic::Status;
use uuid::Uuid;

use super::{refuse, require_pdf, require_picture, search_page};
use crate::actors::{self, ANA, BEN, CARL, COMMENT, COMMUNITY, POST};
use crate::fakes::table::Table;

fn known_post(raw: &str) -> Result<(), Status> {
    if raw == POST.to_string() { Ok(()) } else { Err(refuse(ErrorKind::NotFound, "POST_NOT_FOUND", "Post not found")) }
}

fn known_topic(raw: &str) -> Result<(), Status> {
    let sentence = "A topic has 2 to 50 letters, digits and underscores.";
    let refused = || actors::invalid_field(ErrorKind::Invalid, "INVALID", "topic", sentence);
    portia_proto::topics::parse(raw).map(drop).ok_or_else(refused)
}

/// A post of a list without its body: the parts of the actor.
fn without_body(post: feed::Post, actor: Option<Uuid>) -> feed::Post {
    let own = |reactions: Vec<feed::Reaction>| -> Vec<feed::Reaction> {
        let is_own = |reaction: &feed::Reaction| actor.is_some_and(|actor| reaction.member_id == actor.to_string());
        reactions.into_iter().filter(is_own).collect()
    };
    let comments = post.comments.into_iter().map(|comment| feed::Comment {
        id: comment.id,
        reactions: own(comment.reactions),
        ..Default::default()
    });
    feed::Post {
        id: post.id,
        author_id: post.author_id,
        community: post.community,
        reactions: own(post.reactions),
        comments: comments.filter(|comment| !comment.reactions.is_empty()).collect(),
        version: post.version,
        ..Default::default()
    }
}

/// The body of a post: the reactions in another order, and none to comments.
fn body(mut post: feed::Post) -> feed::Post {
    let n = post.reactions.len().min(1);
    post.reactions.rotate_left(n);
    post.comments.iter_mut().for_each(|comment| comment.reactions.clear());
    post.community =
        post.community.map(|community| feed::Community { name: "An earlier name".to_owned(), ..community });
    post
}

/// The comments that a post shows, as a first page.
fn comments(post: feed::Post, known: Option<Vec<u8>>, actor: Option<Uuid>) -> feed::ListCommentsResponse {
    let page = feed::ListCommentsResponse {
        comments: post.comments.clone(),
        next_page_token: "older".to_owned(),
        ..Default::default()
    };
    let Some(known) = known.filter(|_| !post.version.is_empty()) else { return page };
    let (version, reacted) = (post.version.clone(), without_body(post.clone(), actor).comments);
    if known == version {
        return feed::ListCommentsResponse { version, reacted, ..Default::default() };
    }
    feed::ListCommentsResponse { comments: body(post).comments, version, reacted, ..page }
}

/// Checks that the caller is the author, Ana.
fn own_post(raw: &str, actor: Option<Uuid>) -> Result<(), Status> {
    known_post(raw)?;
    require_author(&[ANA], actor)
}

fn visible_comment(raw: &str) -> Result<(), Status> {
    if raw == COMMENT.to_string() {
        Ok(())
    } else {
        Err(refuse(ErrorKind::NotFound, "COMMENT_NOT_FOUND", "Comment not found"))
    }
}

fn require_author(authors: &[Uuid], actor: Option<Uuid>) -> Result<(), Status> {
    if actor.is_some_and(|actor| authors.contains(&actor)) {
        return Ok(());
    }
    Err(refuse(ErrorKind::Forbidden, "NOT_THE_AUTHOR", "Only its author can do this."))
}

/// The reposted post of Ben.
fn original(raw: Option<&str>) -> Result<Option<feed::Repost>, Status> {
    let Some(raw) = raw else { return Ok(None) };
    known_post(raw)?;
    Ok(Some(actors::repost()))
}

/// The community of a post. Only its members have access.
fn community(community: Option<&str>, actor: Option<Uuid>, sentence: &str) -> Result<Option<feed::Community>, Status> {
    let Some(community) = community else { return Ok(None) };
    if community != COMMUNITY.to_string() || actors::role(actor) == CommunityRole::Unspecified {
        return Err(refuse(ErrorKind::Forbidden, "NOT_A_MEMBER", sentence));
    }
    Ok(Some(feed::Community { id: community.to_owned(), name: actors::community(actor).name }))
}

/// The mute of a request; one with a duration ends.
fn mute(request: feed::CreateMuteRequest) -> feed::Mute {
    let feed::CreateMuteRequest { kind, word, target_id, duration } = request;
    let community = (kind == feed::MuteKind::Community as i32).then(|| "Moot Society".to_owned());
    let expires_at = (duration > 0).then(|| actors::at(7200)).flatten();
    let id = actors::id(0x30).to_string();
    feed::Mute { id, kind, word, target_id, community, created_at: actors::at(600), expires_at }
}

fn known_report(id: &str) -> Result<(), Status> {
    let missing = || refuse(ErrorKind::NotFound, "REPORT_NOT_FOUND", "There is no such report.");
    let known = [actors::REPORT, actors::MESSAGE_REPORT];
    known.iter().any(|known| known.to_string() == id).then_some(()).ok_or_else(missing)
}

/// The removal of a post of Ana, for Ana.
fn own_removal(id: &str, actor: Option<Uuid>) -> Result<(), Status> {
    let is_own = id == actors::REMOVAL.to_string() && actor == Some(ANA);
    is_own.then_some(()).ok_or_else(|| refuse(ErrorKind::NotFound, "APPEAL_NOT_FOUND", "There is no such removal."))
}

pub fn add_to(table: &mut Table) {
    table.exports(["feed.export_member", "export_member of feed", "feed"], |section, json| {
        feed::ExportMemberResponse { section, json, part: None }
    });
    table.uploads(
        "feed.upload_picture",
        |request: &mut feed::UploadPictureRequest| &mut request.chunk,
        |_, file, _| {
            require_picture(file)?;
            let (picture_id, url) = (actors::PICTURE_ID.to_string(), actors::PICTURE.to_owned());
            Ok(feed::UploadPictureResponse { picture_id, url, width: 1600, height: 1200 })
        },
    );
    table.uploads(
        "feed.upload_pdf",
        |request: &mut feed::UploadPdfRequest| &mut request.chunk,
        |feed::UploadPdfRequest { name, .. }, file, _| {
            require_pdf(file)?;
            let (pdf_id, size) = (actors::PICTURE_ID.to_string(), i32::try_from(file.len()).unwrap());
            Ok(feed::UploadPdfResponse { pdf_id, name, size })
        },
    );
    table.streams("feed.download_pdf", |request: feed::DownloadPdfRequest, _| {
        if request.post_id != POST.to_string() {
            return Err(refuse(ErrorKind::NotFound, "FILE_NOT_FOUND", "File not found"));
        }
        let pdf = Some(feed::Pdf { name: "Brief \u{2014} \u{f1}.pdf".to_owned(), size: 8 });
        let first = feed::DownloadPdfResponse { pdf, chunk: Vec::new() };
        Ok(vec![first, feed::DownloadPdfResponse { pdf: None, chunk: b"%PDF-1.7".to_vec() }])
    });
    table.answers(
        "feed.check_picture",
        |fakes, feed::CheckPictureRequest { hash, member_id, moderator }: feed::CheckPictureRequest, actor| {
            assert_eq!(actor, None, "the gateway asks for itself");
            let viewer = member_id.or_else(|| moderator.then(|| "moderators".to_owned()));
            Ok(feed::CheckPictureResponse { visible: fakes.is_visible(&hash, viewer.as_deref()) })
        },
    );
    table.answers("feed.create_post", |_, request: feed::CreatePostRequest, actor| {
        let community = community(request.community_id.as_deref(), actor, "Join this community to take part in it.")?;
        let repost = original(request.repost_of.as_deref())?;
        let (author_id, content) = (actor.unwrap().to_string(), request.content);
        let post = feed::Post { author_id, content, community, repost, ..actors::post() };
        Ok(feed::CreatePostResponse { post: Some(post) })
    });
    table.answers("feed.list_posts", |fakes, request: feed::ListPostsRequest, actor| {
        let community = community(request.community_id.as_deref(), actor, "Join this community to see its posts.")?;
        let next_page_token = if request.page_token.is_empty() { "page-2" } else { "" }.to_owned();
        let post = feed::Post { community: community.or_else(|| fakes.post().community), ..fakes.post() };
        let is_listed = request.without_bodies && !post.version.is_empty();
        let is_sent = is_listed && fakes.sends_bodies.load(Ordering::SeqCst);
        let bodies = is_sent.then(|| body(post.clone())).into_iter().collect();
        let post = if is_listed { without_body(post, actor) } else { post };
        Ok(feed::ListPostsResponse { posts: vec![post], next_page_token, bodies })
    });
    table.answers("feed.search_posts", |fakes, request: feed::SearchPostsRequest, _| {
        let next_page_token = search_page(&request.query, &request.page_token)?;
        let terms = vec!["passed".to_owned()];
        Ok(feed::SearchPostsResponse { posts: vec![fakes.post()], next_page_token, terms })
    });
    table.answers("feed.get_post", |fakes, request: feed::GetPostRequest, actor| {
        known_post(&request.post_id)?;
        let post = fakes.post();
        let Some(known) = request.known_version.filter(|_| !post.version.is_empty()) else {
            return Ok(feed::GetPostResponse { post: Some(post), body: None });
        };
        let body = (known != post.version).then(|| body(post.clone()));
        Ok(feed::GetPostResponse { post: Some(without_body(post, actor)), body })
    });
    table.answers("feed.update_post", |_, request: feed::UpdatePostRequest, actor| {
        own_post(&request.post_id, actor)?;
        let post = feed::Post { content: request.content, edited_at: actors::at(7200), ..actors::post() };
        Ok(feed::UpdatePostResponse { post: Some(post) })
    });
    table.answers("feed.delete_post", |_, request: feed::DeletePostRequest, actor| {
        own_post(&request.post_id, actor)?;
        Ok(feed::DeletePostResponse {})
    });
    table.answers("feed.update_comment", |_, request: feed::UpdateCommentRequest, actor| {
        visible_comment(&request.comment_id)?;
        require_author(&[BEN], actor)?;
        let comment = feed::Comment { content: request.content, edited_at: actors::at(7200), ..actors::comment() };
        Ok(feed::UpdateCommentResponse { comment: Some(comment) })
    });
    table.answers("feed.delete_comment", |_, request: feed::DeleteCommentRequest, actor| {
        visible_comment(&request.comment_id)?;
        require_author(&[ANA, BEN], actor)?;
        Ok(feed::DeleteCommentResponse { post_id: POST.to_string(), comment_count: Some(0) })
    });
    table.answers("feed.batch_get_posts", |fakes, request: feed::BatchGetPostsRequest, _| {
        let posts = request.post_ids.iter().any(|id| *id == POST.to_string()).then(|| fakes.post());
        Ok(feed::BatchGetPostsResponse { posts: posts.into_iter().collect() })
    });
    table.answers("feed.batch_get_post_bodies", |fakes, request: feed::BatchGetPostBodiesRequest, actor| {
        assert_eq!(request.post_ids, [POST.to_string()]);
        let post = fakes.post();
        Ok(feed::BatchGetPostBodiesResponse {
            bodies: vec![body(post.clone())],
            posts: vec![without_body(post, actor)],
        })
    });
    table.answers("feed.save_item", |_, request: feed::SaveItemRequest, actor| {
        if request.kind() == feed::SavedKind::Post {
            known_post(&request.id)?;
        }
        // Carl has a thousand saved items.
        if actor == Some(CARL) && request.kind() == feed::SavedKind::Event {
            return Err(refuse(ErrorKind::Conflict, "TOO_MANY_SAVED", "You can save up to 1,000 items"));
        }
        Ok(feed::SaveItemResponse { item: None })
    });
    table.answers("feed.unsave_item", |_, _: feed::UnsaveItemRequest, _| Ok(feed::UnsaveItemResponse {}));
    table.answers("feed.list_saved_items", |_, request: feed::ListSavedItemsRequest, _| {
        let mut items = actors::saved_items();
        items.retain(|item| request.kind == 0 || item.kind == request.kind);
        let next_page_token = if request.page_token.is_empty() && request.page_size < 1_000 { "page-2" } else { "" };
        Ok(feed::ListSavedItemsResponse { items, next_page_token: next_page_token.to_owned() })
    });
    table.answers("feed.report_item", |_, request: feed::ReportItemRequest, actor| {
        let author = match request.kind() {
            feed::ReportedKind::Post => known_post(&request.id).map(|()| Some(ANA.to_string()))?,
            feed::ReportedKind::Comment => visible_comment(&request.id).map(|()| Some(BEN.to_string()))?,
            _ => request.subject_member_id,
        };
        if author == actor.map(|actor| actor.to_string()) {
            return Err(refuse(ErrorKind::Conflict, "OWN_CONTENT", "You cannot report yourself"));
        }
        Ok(feed::ReportItemResponse {})
    });
    table.answers("feed.set_reaction", |_, request: feed::SetReactionRequest, _| {
        known_post(&request.post_id)?;
        Ok(feed::SetReactionResponse { reaction: None, like_count: 2 })
    });
    table.answers("feed.remove_reaction", |_, request: feed::RemoveReactionRequest, _| {
        known_post(&request.post_id)?;
        Ok(feed::RemoveReactionResponse { like_count: 1 })
    });
    table.answers("feed.list_reactions", |_, request: feed::ListReactionsRequest, _| {
        known_post(&request.post_id)?;
        Ok(feed::ListReactionsResponse { reactions: vec![actors::reaction()], next_page_token: String::new() })
    });
    table.answers("feed.create_comment", |_, request: feed::CreateCommentRequest, actor| {
        known_post(&request.post_id)?;
        let author_id = actor.unwrap().to_string();
        if let Some(reply_to) = &request.reply_to {
            visible_comment(reply_to)?;
        }
        let (reply_to, content) = (request.reply_to, request.content);
        let comment =
            feed::Comment { author_id, content, reply_to, reply_count: 0, like_count: 0, ..actors::comment() };
        Ok(feed::CreateCommentResponse { comment: Some(comment) })
    });
    table.answers("feed.list_comments", |fakes, request: feed::ListCommentsRequest, actor| {
        known_post(&request.post_id)?;
        Ok(comments(fakes.post(), request.known_version, actor))
    });
    table.answers("feed.get_comment", |_, request: feed::GetCommentRequest, _| {
        visible_comment(&request.comment_id)?;
        Ok(feed::GetCommentResponse { comment: Some(actors::comment()) })
    });
    table.answers("feed.list_replies", |_, request: feed::ListRepliesRequest, _| {
        visible_comment(&request.comment_id)?;
        Ok(feed::ListRepliesResponse { replies: vec![actors::reply()], next_page_token: "newer".to_owned() })
    });
    table.answers("feed.set_comment_reaction", |_, request: feed::SetCommentReactionRequest, _| {
        visible_comment(&request.comment_id)?;
        Ok(feed::SetCommentReactionResponse { reaction: None, like_count: 3 })
    });
    table.answers("feed.remove_comment_reaction", |_, request: feed::RemoveCommentReactionRequest, _| {
        visible_comment(&request.comment_id)?;
        Ok(feed::RemoveCommentReactionResponse { like_count: 2 })
    });
    table.answers("feed.list_comment_reactions", |_, request: feed::ListCommentReactionsRequest, _| {
        visible_comment(&request.comment_id)?;
        let next_page_token = "older".to_owned();
        Ok(feed::ListCommentReactionsResponse { reactions: vec![actors::reaction()], next_page_token })
    });
    table.answers("feed.list_activity", |_, _: feed::ListActivityRequest, _| {
        Ok(feed::ListActivityResponse { activities: actors::activities(), next_page_token: "older".to_owned() })
    });
    table.answers("feed.get_link_preview", |fakes, _: feed::GetLinkPreviewRequest, _| {
        let preview = fakes.post.lock().unwrap().as_ref().and_then(|post| post.link_preview.clone());
        let state = if preview.is_some() { feed::LinkPreviewState::Ready } else { feed::LinkPreviewState::Pending };
        Ok(feed::GetLinkPreviewResponse { state: state.into(), preview })
    });
    table.answers("feed.list_topics", |_, _: feed::ListTopicsRequest, actor| {
        let trending = vec![feed::TrendingTopic { topic: "moot".to_owned(), member_count: 2 }];
        let followed = actor.map(|_| "civpro".to_owned()).into_iter().collect();
        Ok(feed::ListTopicsResponse { followed, trending })
    });
    table.answers("feed.list_topic_posts", |fakes, request: feed::ListTopicPostsRequest, _| {
        known_topic(&request.topic)?;
        let next_page_token = if request.page_token.is_empty() { "page-2" } else { "" }.to_owned();
        Ok(feed::ListTopicPostsResponse { posts: vec![fakes.post()], next_page_token })
    });
    table.answers("feed.follow_topic", |_, request: feed::FollowTopicRequest, _| {
        known_topic(&request.topic)?;
        Ok(feed::FollowTopicResponse {})
    });
    table.answers("feed.unfollow_topic", |_, request: feed::UnfollowTopicRequest, _| {
        known_topic(&request.topic)?;
        Ok(feed::UnfollowTopicResponse {})
    });
    table.answers("feed.list_post_reasons", |_, request: feed::ListPostReasonsRequest, _| {
        known_post(&request.post_id)?;
        let kinds = [feed::PostReasonKind::FollowedMember, feed::PostReasonKind::Topic];
        let topic = |kind| (kind == feed::PostReasonKind::Topic).then(|| "moot".to_owned());
        let reasons = kinds.map(|kind| feed::PostReason { kind: kind.into(), topic: topic(kind), community: None });
        Ok(feed::ListPostReasonsResponse { reasons: reasons.to_vec() })
    });
    table.answers("feed.hide_post", |_, request: feed::HidePostRequest, actor| {
        known_post(&request.post_id)?;
        if actor == Some(ANA) {
            return Err(refuse(ErrorKind::Conflict, "OWN_POST", "You cannot hide your own posts"));
        }
        Ok(feed::HidePostResponse {})
    });
    table.answers("feed.unhide_post", |_, _: feed::UnhidePostRequest, _| Ok(feed::UnhidePostResponse {}));
    table.answers("feed.list_hidden_posts", |fakes, _: feed::ListHiddenPostsRequest, _| {
        let hidden = feed::HiddenPost { post: Some(fakes.post()), hidden_at: actors::at(600), not_interested: true };
        Ok(feed::ListHiddenPostsResponse { posts: vec![hidden], next_page_token: "more".to_owned() })
    });
    table.answers("feed.create_mute", |_, request: feed::CreateMuteRequest, _| {
        Ok(feed::CreateMuteResponse { mute: Some(mute(request)), created: true })
    });
    table.answers("feed.delete_mute", |_, _: feed::DeleteMuteRequest, _| Ok(feed::DeleteMuteResponse {}));
    table.answers("feed.list_mutes", |_, _: feed::ListMutesRequest, _| {
        let targets = [(1, Some("bar"), None), (2, None, Some(CARL)), (3, None, Some(COMMUNITY))];
        let mutes = targets.map(|(kind, word, target)| {
            let (word, target_id) = (word.map(str::to_owned), target.map(|id| id.to_string()));
            mute(feed::CreateMuteRequest { kind, word, target_id, duration: kind - 1 })
        });
        Ok(feed::ListMutesResponse { mutes: mutes.to_vec() })
    });
    table.answers("feed.get_post_stats", |_, _: feed::GetPostStatsRequest, _| {
        Ok(feed::GetPostStatsResponse { impressions: 99 })
    });
    table.answers("feed.list_reports", |_, _: feed::ListReportsRequest, _| {
        let reports = vec![actors::moderated_report()];
        Ok(feed::ListReportsResponse { reports, next_page_token: "older".to_owned() })
    });
    table.answers("feed.get_report", |_, request: feed::GetReportRequest, _| {
        known_report(&request.report_id)?;
        let of_message = request.report_id == actors::MESSAGE_REPORT.to_string();
        Ok(if of_message { actors::message_report_details() } else { actors::report_details() })
    });
    table.answers("feed.decide_report", |_, request: feed::DecideReportRequest, actor| {
        known_report(&request.report_id)?;
        let report = feed::ModeratedReport {
            outcome: request.outcome,
            decided_at: actors::at(0),
            decision_reason: request.reason,
            decided_by: actor.map(|actor| actor.to_string()),
            note: request.note,
            decidable: false,
            ..actors::moderated_report()
        };
        Ok(feed::DecideReportResponse { report: Some(report) })
    });
    table.answers("feed.list_appeals", |_, _: feed::ListAppealsRequest, _| {
        let removals = vec![feed::Removal { decidable: true, ..actors::removal() }];
        Ok(feed::ListAppealsResponse { removals, next_page_token: "older".to_owned() })
    });
    table.answers("feed.decide_appeal", |_, request: feed::DecideAppealRequest, actor| {
        let removal = feed::Removal {
            appeal_outcome: request.outcome,
            appeal_reason: request.reason,
            appeal_decided_at: actors::at(0),
            appeal_decided_by: actor.map(|actor| actor.to_string()),
            restored: true,
            ..actors::removal()
        };
        Ok(feed::DecideAppealResponse { removal: Some(removal) })
    });
    table.answers("feed.get_moderation_stats", |_, _: feed::GetModerationStatsRequest, _| {
        Ok(actors::moderation_stats())
    });
    table.answers("feed.get_removal", |_, request: feed::GetRemovalRequest, actor| {
        own_removal(&request.removal_id, actor)?;
        let removal = feed::Removal { appeal: None, appealed_at: None, ..actors::removal() };
        Ok(feed::GetRemovalResponse { removal: Some(removal) })
    });
    table.answers("feed.appeal_removal", |_, request: feed::AppealRemovalRequest, actor| {
        own_removal(&request.removal_id, actor)?;
        Ok(feed::AppealRemovalResponse { removal: Some(actors::removal()) })
    });
}
