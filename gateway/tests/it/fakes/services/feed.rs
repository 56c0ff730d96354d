//! The feed, as a fake: one post.

use chassis::{actor::Actor, error::Kind};
use portia_proto::{feed, social_graph::CommunityRole};
use tokio_stream::StreamExt as _;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{BoxStream, Fake, refuse, signed_in};
use crate::cast::{self, COMMUNITY, POST};

fn known_post(raw: &str) -> Result<(), Status> {
    if raw == POST.to_string() { Ok(()) } else { Err(refuse(Kind::NotFound, "POST_NOT_FOUND", "Post not found")) }
}

/// Where a post is; Ana's community is for its members.
fn place(community: Option<&str>, actor: Option<Uuid>, sentence: &str) -> Result<Option<feed::Community>, Status> {
    let Some(community) = community else { return Ok(None) };
    if community != COMMUNITY.to_string() || cast::role(actor) == CommunityRole::Unspecified {
        return Err(refuse(Kind::Forbidden, "NOT_A_MEMBER", sentence));
    }
    Ok(Some(feed::Community { id: community.to_owned(), name: cast::community(actor).name }))
}

fake!(feed::feed_service_server::FeedService [exports feed as "feed"] {
    create_post(feed::CreatePostRequest) -> feed::CreatePostResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let place = place(request.community_id.as_deref(), actor, "Join this community to post in it.")?;
            let (author_id, content) = (actor.unwrap().to_string(), request.content);
            let post = feed::Post { author_id, content, community: place, ..cast::post() };
            Ok(feed::CreatePostResponse { post: Some(post) })
        }
    }
    list_posts(feed::ListPostsRequest) -> feed::ListPostsResponse {
        |_, request, actor| {
            let community = place(request.community_id.as_deref(), actor, "Join this community to see its posts.")?;
            let next_page_token = if request.page_token.is_empty() { "page-2" } else { "" }.to_owned();
            Ok(feed::ListPostsResponse { posts: vec![feed::Post { community, ..cast::post() }], next_page_token })
        }
    }
    get_post(feed::GetPostRequest) -> feed::GetPostResponse {
        |_, request, _| {
            known_post(&request.post_id)?;
            Ok(feed::GetPostResponse { post: Some(cast::post()) })
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
            Ok(feed::ListReactionsResponse { reactions: vec![cast::reaction()], next_page_token: String::new() })
        }
    }
    create_comment(feed::CreateCommentRequest) -> feed::CreateCommentResponse {
        |_, request, actor| {
            signed_in(actor)?;
            known_post(&request.post_id)?;
            let author_id = actor.unwrap().to_string();
            let comment = feed::Comment { author_id, content: request.content, ..cast::comment() };
            Ok(feed::CreateCommentResponse { comment: Some(comment) })
        }
    }
    list_comments(feed::ListCommentsRequest) -> feed::ListCommentsResponse {
        |_, request, _| {
            known_post(&request.post_id)?;
            Ok(feed::ListCommentsResponse { comments: vec![cast::comment()], next_page_token: "older".to_owned() })
        }
    }
    list_activity(feed::ListActivityRequest) -> feed::ListActivityResponse {
        |_, _, _| Ok(feed::ListActivityResponse { activities: cast::activities(), next_page_token: "older".to_owned() })
    }
    get_post_stats(feed::GetPostStatsRequest) -> feed::GetPostStatsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(feed::GetPostStatsResponse { impressions: 99 })
        }
    }
});
