//! Fake feed: one post.

use std::sync::atomic::Ordering;

use portia_proto::{feed, social_graph::CommunityRole};
use primitives::error::ErrorKind;
use rpc::identity::Actor;
use tokio_stream::StreamExt as _;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{BoxStream, Fake, refuse, search_page, signed_in};
use crate::actors::{self, ANA, BEN, CARL, COMMENT, COMMUNITY, POST};

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
    signed_in(actor)?;
    known_post(raw)?;
    require_author(&[ANA], actor)
}

/// Checks that the comment exists.
fn known_comment(raw: &str, actor: Option<Uuid>) -> Result<(), Status> {
    signed_in(actor)?;
    visible_comment(raw)
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

/// The response to an upload.
fn uploaded(file: &[u8]) -> Result<feed::UploadPictureResponse, Status> {
    if !file.starts_with(crate::pictures::PNG) && !file.starts_with(b"\xff\xd8\xff") {
        let sentence = "Failed to process image file. Please try another image.";
        return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "picture", sentence));
    }
    let (picture_id, url) = (actors::PICTURE_ID.to_string(), actors::PICTURE.to_owned());
    Ok(feed::UploadPictureResponse { picture_id, url, width: 1600, height: 1200 })
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

fake!(feed::feed_service_server::FeedService [exports feed as "feed" with part] [uploads feed::UploadPictureRequest] [also {
    async fn upload_pdf(
        &self,
        request: Request<tonic::Streaming<feed::UploadPdfRequest>>,
    ) -> Result<Response<feed::UploadPdfResponse>, Status> {
        let (metadata, extensions, mut messages) = request.into_parts();
        let mut all = messages.message().await?.unwrap_or_default();
        while let Some(message) = messages.message().await? {
            all.chunk.extend(message.chunk);
        }
        let (is_pdf, name) = (all.chunk.starts_with(b"%PDF-"), all.name.clone());
        let size = all.chunk.len();
        // A summary, because the file may have megabytes.
        let chunk = format!("{size} bytes").into_bytes();
        let seen = Request::from_parts(metadata, extensions, feed::UploadPdfRequest { chunk, ..all });
        self.0.enter("upload_pdf", &seen).await?;
        signed_in(Actor::viewer(&seen)?)?;
        if !is_pdf {
            let sentence = "This is not a PDF file. Please choose another one.";
            return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "file", sentence));
        }
        let size = i32::try_from(size).unwrap();
        Ok(Response::new(feed::UploadPdfResponse { pdf_id: actors::PICTURE_ID.to_string(), name, size }))
    }

    type DownloadPdfStream = BoxStream<feed::DownloadPdfResponse>;

    async fn download_pdf(
        &self,
        request: Request<feed::DownloadPdfRequest>,
    ) -> Result<Response<Self::DownloadPdfStream>, Status> {
        self.0.enter("download_pdf", &request).await?;
        if request.get_ref().post_id != POST.to_string() {
            return Err(refuse(ErrorKind::NotFound, "FILE_NOT_FOUND", "File not found"));
        }
        let pdf = Some(feed::Pdf { name: "Brief \u{2014} \u{f1}.pdf".to_owned(), size: 8 });
        let first = feed::DownloadPdfResponse { pdf, chunk: Vec::new() };
        let rest = feed::DownloadPdfResponse { pdf: None, chunk: b"%PDF-1.7".to_vec() };
        Ok(Response::new(Box::pin(tokio_stream::iter([Ok(first), Ok(rest)]))))
    }
}] {
    check_picture(feed::CheckPictureRequest) -> feed::CheckPictureResponse {
        |fake, feed::CheckPictureRequest { hash, member_id, moderator }, actor| {
            assert_eq!(actor, None, "the gateway asks for itself");
            let viewer = member_id.or_else(|| moderator.then(|| "moderators".to_owned()));
            Ok(feed::CheckPictureResponse { visible: fake.0.is_visible(&hash, viewer.as_deref()) })
        }
    }
    create_post(feed::CreatePostRequest) -> feed::CreatePostResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let community = community(request.community_id.as_deref(), actor, "Join this community to take part in it.")?;
            let repost = original(request.repost_of.as_deref())?;
            let (author_id, content) = (actor.unwrap().to_string(), request.content);
            let post = feed::Post { author_id, content, community, repost, ..actors::post() };
            Ok(feed::CreatePostResponse { post: Some(post) })
        }
    }
    list_posts(feed::ListPostsRequest) -> feed::ListPostsResponse {
        |fake, request, actor| {
            let community = community(request.community_id.as_deref(), actor, "Join this community to see its posts.")?;
            let next_page_token = if request.page_token.is_empty() { "page-2" } else { "" }.to_owned();
            let post = feed::Post { community: community.or_else(|| fake.0.post().community), ..fake.0.post() };
            let is_listed = request.without_bodies && !post.version.is_empty();
            let is_sent = is_listed && fake.0.sends_bodies.load(Ordering::SeqCst);
            let bodies = is_sent.then(|| body(post.clone())).into_iter().collect();
            let post = if is_listed { without_body(post, actor) } else { post };
            Ok(feed::ListPostsResponse { posts: vec![post], next_page_token, bodies })
        }
    }
    search_posts(feed::SearchPostsRequest) -> feed::SearchPostsResponse {
        |fake, request, _| {
            let next_page_token = search_page(&request.query, &request.page_token)?;
            let terms = vec!["passed".to_owned()];
            Ok(feed::SearchPostsResponse { posts: vec![fake.0.post()], next_page_token, terms })
        }
    }
    get_post(feed::GetPostRequest) -> feed::GetPostResponse {
        |fake, request, actor| {
            known_post(&request.post_id)?;
            let post = fake.0.post();
            let Some(known) = request.known_version.filter(|_| !post.version.is_empty()) else {
                return Ok(feed::GetPostResponse { post: Some(post), body: None });
            };
            let body = (known != post.version).then(|| body(post.clone()));
            Ok(feed::GetPostResponse { post: Some(without_body(post, actor)), body })
        }
    }
    update_post(feed::UpdatePostRequest) -> feed::UpdatePostResponse {
        |_, request, actor| {
            own_post(&request.post_id, actor)?;
            let post = feed::Post { content: request.content, edited_at: actors::at(7200), ..actors::post() };
            Ok(feed::UpdatePostResponse { post: Some(post) })
        }
    }
    delete_post(feed::DeletePostRequest) -> feed::DeletePostResponse {
        |_, request, actor| {
            own_post(&request.post_id, actor)?;
            Ok(feed::DeletePostResponse {})
        }
    }
    update_comment(feed::UpdateCommentRequest) -> feed::UpdateCommentResponse {
        |_, request, actor| {
            known_comment(&request.comment_id, actor)?;
            require_author(&[BEN], actor)?;
            let comment = feed::Comment { content: request.content, edited_at: actors::at(7200), ..actors::comment() };
            Ok(feed::UpdateCommentResponse { comment: Some(comment) })
        }
    }
    delete_comment(feed::DeleteCommentRequest) -> feed::DeleteCommentResponse {
        |_, request, actor| {
            known_comment(&request.comment_id, actor)?;
            require_author(&[ANA, BEN], actor)?;
            Ok(feed::DeleteCommentResponse { post_id: POST.to_string(), comment_count: Some(0) })
        }
    }
    batch_get_posts(feed::BatchGetPostsRequest) -> feed::BatchGetPostsResponse {
        |fake, request, _| {
            let posts = request.post_ids.iter().any(|id| *id == POST.to_string()).then(|| fake.0.post());
            Ok(feed::BatchGetPostsResponse { posts: posts.into_iter().collect() })
        }
    }
    batch_get_post_bodies(feed::BatchGetPostBodiesRequest) -> feed::BatchGetPostBodiesResponse {
        |fake, request, actor| {
            assert_eq!(request.post_ids, [POST.to_string()]);
            let post = fake.0.post();
            Ok(feed::BatchGetPostBodiesResponse { bodies: vec![body(post.clone())], posts: vec![without_body(post, actor)] })
        }
    }
    save_item(feed::SaveItemRequest) -> feed::SaveItemResponse {
        |_, request, actor| {
            signed_in(actor)?;
            if request.kind() == feed::SavedKind::Post {
                known_post(&request.id)?;
            }
            // Carl has a thousand saved items.
            if actor == Some(CARL) && request.kind() == feed::SavedKind::Event {
                return Err(refuse(ErrorKind::Conflict, "TOO_MANY_SAVED", "You can save up to 1,000 items"));
            }
            Ok(feed::SaveItemResponse { item: None })
        }
    }
    unsave_item(feed::UnsaveItemRequest) -> feed::UnsaveItemResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(feed::UnsaveItemResponse {})
        }
    }
    list_saved_items(feed::ListSavedItemsRequest) -> feed::ListSavedItemsResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let mut items = actors::saved_items();
            items.retain(|item| request.kind == 0 || item.kind == request.kind);
            let next_page_token = if request.page_token.is_empty() && request.page_size < 1_000 { "page-2" } else { "" };
            Ok(feed::ListSavedItemsResponse { items, next_page_token: next_page_token.to_owned() })
        }
    }
    report_item(feed::ReportItemRequest) -> feed::ReportItemResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let author = match request.kind() {
                feed::ReportedKind::Post => known_post(&request.id).map(|()| Some(ANA.to_string()))?,
                feed::ReportedKind::Comment => known_comment(&request.id, actor).map(|()| Some(BEN.to_string()))?,
                _ => request.subject_member_id,
            };
            if author == actor.map(|actor| actor.to_string()) {
                return Err(refuse(ErrorKind::Conflict, "OWN_CONTENT", "You cannot report yourself"));
            }
            Ok(feed::ReportItemResponse {})
        }
    }
    set_reaction(feed::SetReactionRequest) -> feed::SetReactionResponse {
        |_, request, actor| {
            signed_in(actor)?;
            known_post(&request.post_id)?;
            Ok(feed::SetReactionResponse { reaction: None, like_count: 2 })
        }
    }
    remove_reaction(feed::RemoveReactionRequest) -> feed::RemoveReactionResponse {
        |_, request, actor| {
            signed_in(actor)?;
            known_post(&request.post_id)?;
            Ok(feed::RemoveReactionResponse { like_count: 1 })
        }
    }
    list_reactions(feed::ListReactionsRequest) -> feed::ListReactionsResponse {
        |_, request, _| {
            known_post(&request.post_id)?;
            Ok(feed::ListReactionsResponse { reactions: vec![actors::reaction()], next_page_token: String::new() })
        }
    }
    create_comment(feed::CreateCommentRequest) -> feed::CreateCommentResponse {
        |_, request, actor| {
            signed_in(actor)?;
            known_post(&request.post_id)?;
            let author_id = actor.unwrap().to_string();
            if let Some(reply_to) = &request.reply_to {
                visible_comment(reply_to)?;
            }
            let (reply_to, content) = (request.reply_to, request.content);
            let comment =
                feed::Comment { author_id, content, reply_to, reply_count: 0, like_count: 0, ..actors::comment() };
            Ok(feed::CreateCommentResponse { comment: Some(comment) })
        }
    }
    list_comments(feed::ListCommentsRequest) -> feed::ListCommentsResponse {
        |fake, request, actor| {
            known_post(&request.post_id)?;
            Ok(comments(fake.0.post(), request.known_version, actor))
        }
    }
    get_comment(feed::GetCommentRequest) -> feed::GetCommentResponse {
        |_, request, _| {
            visible_comment(&request.comment_id)?;
            Ok(feed::GetCommentResponse { comment: Some(actors::comment()) })
        }
    }
    list_replies(feed::ListRepliesRequest) -> feed::ListRepliesResponse {
        |_, request, _| {
            visible_comment(&request.comment_id)?;
            Ok(feed::ListRepliesResponse { replies: vec![actors::reply()], next_page_token: "newer".to_owned() })
        }
    }
    set_comment_reaction(feed::SetCommentReactionRequest) -> feed::SetCommentReactionResponse {
        |_, request, actor| {
            known_comment(&request.comment_id, actor)?;
            Ok(feed::SetCommentReactionResponse { reaction: None, like_count: 3 })
        }
    }
    remove_comment_reaction(feed::RemoveCommentReactionRequest) -> feed::RemoveCommentReactionResponse {
        |_, request, actor| {
            known_comment(&request.comment_id, actor)?;
            Ok(feed::RemoveCommentReactionResponse { like_count: 2 })
        }
    }
    list_comment_reactions(feed::ListCommentReactionsRequest) -> feed::ListCommentReactionsResponse {
        |_, request, _| {
            visible_comment(&request.comment_id)?;
            let next_page_token = "older".to_owned();
            Ok(feed::ListCommentReactionsResponse { reactions: vec![actors::reaction()], next_page_token })
        }
    }
    list_activity(feed::ListActivityRequest) -> feed::ListActivityResponse {
        |_, _, _| Ok(feed::ListActivityResponse { activities: actors::activities(), next_page_token: "older".to_owned() })
    }
    get_link_preview(feed::GetLinkPreviewRequest) -> feed::GetLinkPreviewResponse {
        |fake, _, actor| {
            signed_in(actor)?;
            let preview = fake.0.post.lock().unwrap().as_ref().and_then(|post| post.link_preview.clone());
            let state = if preview.is_some() { feed::LinkPreviewState::Ready } else { feed::LinkPreviewState::Pending };
            Ok(feed::GetLinkPreviewResponse { state: state.into(), preview })
        }
    }
    list_topics(feed::ListTopicsRequest) -> feed::ListTopicsResponse {
        |_, _, actor| {
            let trending = vec![feed::TrendingTopic { topic: "moot".to_owned(), member_count: 2 }];
            let followed = actor.map(|_| "civpro".to_owned()).into_iter().collect();
            Ok(feed::ListTopicsResponse { followed, trending })
        }
    }
    list_topic_posts(feed::ListTopicPostsRequest) -> feed::ListTopicPostsResponse {
        |fake, request, _| {
            known_topic(&request.topic)?;
            let next_page_token = if request.page_token.is_empty() { "page-2" } else { "" }.to_owned();
            Ok(feed::ListTopicPostsResponse { posts: vec![fake.0.post()], next_page_token })
        }
    }
    follow_topic(feed::FollowTopicRequest) -> feed::FollowTopicResponse {
        |_, request, actor| {
            signed_in(actor)?;
            known_topic(&request.topic)?;
            Ok(feed::FollowTopicResponse {})
        }
    }
    unfollow_topic(feed::UnfollowTopicRequest) -> feed::UnfollowTopicResponse {
        |_, request, actor| {
            signed_in(actor)?;
            known_topic(&request.topic)?;
            Ok(feed::UnfollowTopicResponse {})
        }
    }
    list_post_reasons(feed::ListPostReasonsRequest) -> feed::ListPostReasonsResponse {
        |_, request, actor| {
            signed_in(actor)?;
            known_post(&request.post_id)?;
            let kinds = [feed::PostReasonKind::FollowedMember, feed::PostReasonKind::Topic];
            let topic = |kind| (kind == feed::PostReasonKind::Topic).then(|| "moot".to_owned());
            let reasons = kinds.map(|kind| feed::PostReason { kind: kind.into(), topic: topic(kind), community: None });
            Ok(feed::ListPostReasonsResponse { reasons: reasons.to_vec() })
        }
    }
    hide_post(feed::HidePostRequest) -> feed::HidePostResponse {
        |_, request, actor| {
            signed_in(actor)?;
            known_post(&request.post_id)?;
            if actor == Some(ANA) {
                return Err(refuse(ErrorKind::Conflict, "OWN_POST", "You cannot hide your own posts"));
            }
            Ok(feed::HidePostResponse {})
        }
    }
    unhide_post(feed::UnhidePostRequest) -> feed::UnhidePostResponse {
        |_, _, actor| signed_in(actor).map(|()| feed::UnhidePostResponse {})
    }
    list_hidden_posts(feed::ListHiddenPostsRequest) -> feed::ListHiddenPostsResponse {
        |fake, _, actor| {
            signed_in(actor)?;
            let hidden = feed::HiddenPost { post: Some(fake.0.post()), hidden_at: actors::at(600), not_interested: true };
            Ok(feed::ListHiddenPostsResponse { posts: vec![hidden], next_page_token: "more".to_owned() })
        }
    }
    create_mute(feed::CreateMuteRequest) -> feed::CreateMuteResponse {
        |_, request, actor| {
            signed_in(actor)?;
            Ok(feed::CreateMuteResponse { mute: Some(mute(request)), created: true })
        }
    }
    delete_mute(feed::DeleteMuteRequest) -> feed::DeleteMuteResponse {
        |_, _, actor| signed_in(actor).map(|()| feed::DeleteMuteResponse {})
    }
    list_mutes(feed::ListMutesRequest) -> feed::ListMutesResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let targets = [(1, Some("bar"), None), (2, None, Some(CARL)), (3, None, Some(COMMUNITY))];
            let mutes = targets.map(|(kind, word, target)| {
                let (word, target_id) = (word.map(str::to_owned), target.map(|id| id.to_string()));
                mute(feed::CreateMuteRequest { kind, word, target_id, duration: kind - 1 })
            });
            Ok(feed::ListMutesResponse { mutes: mutes.to_vec() })
        }
    }
    get_post_stats(feed::GetPostStatsRequest) -> feed::GetPostStatsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(feed::GetPostStatsResponse { impressions: 99 })
        }
    }
    list_reports(feed::ListReportsRequest) -> feed::ListReportsResponse {
        |_, _, _| {
            let reports = vec![actors::moderated_report()];
            Ok(feed::ListReportsResponse { reports, next_page_token: "older".to_owned() })
        }
    }
    get_report(feed::GetReportRequest) -> feed::GetReportResponse {
        |_, request, _| {
            known_report(&request.report_id)?;
            let of_message = request.report_id == actors::MESSAGE_REPORT.to_string();
            Ok(if of_message { actors::message_report_details() } else { actors::report_details() })
        }
    }
    decide_report(feed::DecideReportRequest) -> feed::DecideReportResponse {
        |_, request, actor| {
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
        }
    }
    list_appeals(feed::ListAppealsRequest) -> feed::ListAppealsResponse {
        |_, _, _| {
            let removals = vec![feed::Removal { decidable: true, ..actors::removal() }];
            Ok(feed::ListAppealsResponse { removals, next_page_token: "older".to_owned() })
        }
    }
    decide_appeal(feed::DecideAppealRequest) -> feed::DecideAppealResponse {
        |_, request, actor| {
            let removal = feed::Removal {
                appeal_outcome: request.outcome,
                appeal_reason: request.reason,
                appeal_decided_at: actors::at(0),
                appeal_decided_by: actor.map(|actor| actor.to_string()),
                restored: true,
                ..actors::removal()
            };
            Ok(feed::DecideAppealResponse { removal: Some(removal) })
        }
    }
    get_moderation_stats(feed::GetModerationStatsRequest) -> feed::GetModerationStatsResponse {
        |_, _, _| Ok(actors::moderation_stats())
    }
    get_removal(feed::GetRemovalRequest) -> feed::GetRemovalResponse {
        |_, request, actor| {
            own_removal(&request.removal_id, actor)?;
            let removal = feed::Removal { appeal: None, appealed_at: None, ..actors::removal() };
            Ok(feed::GetRemovalResponse { removal: Some(removal) })
        }
    }
    appeal_removal(feed::AppealRemovalRequest) -> feed::AppealRemovalResponse {
        |_, request, actor| {
            own_removal(&request.removal_id, actor)?;
            Ok(feed::AppealRemovalResponse { removal: Some(actors::removal()) })
        }
    }
});
