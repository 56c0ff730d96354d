//! What each fake neighbour answers.

use chassis::{
    actor::Actor,
    error::{Kind, frame_status},
};
use portia_proto::{auth, feed, jobs, messaging, news, profile, social_graph};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::Fake;
use crate::cast::{self, ANA, BEN, POST, noon};

/// `method(Request) -> Response { expression over (self, request, actor) }` for each RPC of a service.
macro_rules! fake {
    ($service:path { $($method:ident($request:ty) -> $response:ty $body:block)+ }) => {
        #[tonic::async_trait]
        impl $service for Fake {
            $(async fn $method(&self, request: Request<$request>) -> Result<Response<$response>, Status> {
                self.0.enter(stringify!($method), &request).await?;
                let answer: fn(&Self, $request, Option<Uuid>) -> Result<$response, Status> = $body;
                let actor = Actor::viewer(&request)?;
                answer(self, request.into_inner(), actor).map(Response::new)
            })+
        }
    };
}

fn refuse(kind: Kind, reason: &'static str, message: &str) -> Status {
    frame_status(kind, reason, message)
}

fn signed_in(actor: Option<Uuid>) -> Result<(), Status> {
    actor.map(drop).ok_or_else(|| refuse(Kind::Unauthenticated, "SIGN_IN_REQUIRED", "Sign in required"))
}

fn known_post(raw: &str) -> Result<(), Status> {
    if raw == POST.to_string() { Ok(()) } else { Err(refuse(Kind::NotFound, "POST_NOT_FOUND", "Post not found")) }
}

fake!(auth::auth_service_server::AuthService {
    register(auth::RegisterRequest) -> auth::RegisterResponse {
        |fake, request, _| {
            if request.username == "ana" {
                return Err(refuse(Kind::Conflict, "USERNAME_TAKEN", "This username is taken."));
            }
            let id = Uuid::try_parse(&request.member_id).unwrap();
            Ok(auth::RegisterResponse { username: request.username.trim().to_owned(), session: fake.session(id) })
        }
    }
    login(auth::LoginRequest) -> auth::LoginResponse {
        |fake, request, _| {
            if request.password != "correct horse" {
                return Err(refuse(Kind::Unauthenticated, "BAD_CREDENTIALS", "Invalid username or password"));
            }
            Ok(auth::LoginResponse { member_id: ANA.to_string(), session: fake.session(ANA) })
        }
    }
    logout(auth::LogoutRequest) -> auth::LogoutResponse {
        |fake, request, _| {
            let ended = fake.0.sessions.lock().unwrap().remove(&request.session_token);
            Ok(auth::LogoutResponse { session_id: ended.map(|(_, session)| session.to_string()) })
        }
    }
    resolve_session(auth::ResolveSessionRequest) -> auth::ResolveSessionResponse {
        |fake, request, _| {
            let known = fake.0.sessions.lock().unwrap().get(&request.session_token).copied();
            let ended = || refuse(Kind::Unauthenticated, "SESSION_ENDED", "Sign in required");
            let (member, session) = known.ok_or_else(ended)?;
            let (member_token, _) = fake.0.members.member(member, session, noon()).unwrap();
            let (member_id, session_id) = (member.to_string(), session.to_string());
            Ok(auth::ResolveSessionResponse { member_id, session_id, member_token, expires_at: cast::in_an_hour() })
        }
    }
});

fake!(profile::profile_service_server::ProfileService {
    ensure_member(profile::EnsureMemberRequest) -> profile::EnsureMemberResponse {
        |_, request, _| {
            let form = request.form.unwrap();
            Ok(profile::EnsureMemberResponse { member: Some(profile::Member {
                id: request.member_id,
                username: request.username,
                full_name: form.full_name,
                headline: form.headline,
                school: form.school,
                ..cast::member(ANA).unwrap()
            }) })
        }
    }
    get_member(profile::GetMemberRequest) -> profile::GetMemberResponse {
        |_, request, _| {
            let member = Uuid::try_parse(&request.member_id).ok().and_then(cast::member);
            let member = member.ok_or_else(|| refuse(Kind::NotFound, "MEMBER_NOT_FOUND", "User not found"))?;
            Ok(profile::GetMemberResponse { member: Some(member) })
        }
    }
    batch_get_members(profile::BatchGetMembersRequest) -> profile::BatchGetMembersResponse {
        |_, request, _| {
            let ids = request.member_ids.iter().filter_map(|id| Uuid::try_parse(id).ok());
            Ok(profile::BatchGetMembersResponse { members: ids.filter_map(cast::card).collect() })
        }
    }
});

fake!(feed::feed_service_server::FeedService {
    create_post(feed::CreatePostRequest) -> feed::CreatePostResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let post = feed::Post { author_id: actor.unwrap().to_string(), content: request.content, ..cast::post() };
            Ok(feed::CreatePostResponse { post: Some(post) })
        }
    }
    list_posts(feed::ListPostsRequest) -> feed::ListPostsResponse {
        |_, request, _| {
            let next_page_token = if request.page_token.is_empty() { "page-2" } else { "" }.to_owned();
            Ok(feed::ListPostsResponse { posts: vec![cast::post()], next_page_token })
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
});

fake!(social_graph::social_graph_service_server::SocialGraphService {
    list_connections(social_graph::ListConnectionsRequest) -> social_graph::ListConnectionsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let connections = vec![cast::connection(social_graph::ConnectionStatus::Accepted)];
            Ok(social_graph::ListConnectionsResponse { connections, next_page_token: String::new(), total: 1 })
        }
    }
    list_pending_requests(social_graph::ListPendingRequestsRequest) -> social_graph::ListPendingRequestsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let connections = vec![cast::connection(social_graph::ConnectionStatus::Pending)];
            Ok(social_graph::ListPendingRequestsResponse { connections, next_page_token: String::new(), total: 1 })
        }
    }
    find_connection(social_graph::FindConnectionRequest) -> social_graph::FindConnectionResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let known = request.member_id == BEN.to_string() || request.member_id == ANA.to_string();
            let connection = known.then(|| cast::connection(social_graph::ConnectionStatus::Pending));
            Ok(social_graph::FindConnectionResponse { connection })
        }
    }
    list_suggestions(social_graph::ListSuggestionsRequest) -> social_graph::ListSuggestionsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let suggestions = vec![social_graph::Suggestion {
                member_id: BEN.to_string(),
                mutual_connections: 3,
                reason: social_graph::SuggestionReason::MutualConnections.into(),
            }];
            Ok(social_graph::ListSuggestionsResponse { suggestions })
        }
    }
    dismiss_suggestion(social_graph::DismissSuggestionRequest) -> social_graph::DismissSuggestionResponse {
        |_, _, actor| signed_in(actor).map(|()| social_graph::DismissSuggestionResponse {})
    }
    block_member(social_graph::BlockMemberRequest) -> social_graph::BlockMemberResponse {
        |_, _, actor| signed_in(actor).map(|()| social_graph::BlockMemberResponse {})
    }
    unblock_member(social_graph::UnblockMemberRequest) -> social_graph::UnblockMemberResponse {
        |_, _, actor| signed_in(actor).map(|()| social_graph::UnblockMemberResponse {})
    }
    list_blocks(social_graph::ListBlocksRequest) -> social_graph::ListBlocksResponse {
        |_, _, actor| signed_in(actor).map(|()| social_graph::ListBlocksResponse::default())
    }
    list_communities(social_graph::ListCommunitiesRequest) -> social_graph::ListCommunitiesResponse {
        |_, _, _| {
            let communities = vec![cast::community()];
            Ok(social_graph::ListCommunitiesResponse { communities, next_page_token: String::new() })
        }
    }
    list_events(social_graph::ListEventsRequest) -> social_graph::ListEventsResponse {
        |_, _, _| Ok(social_graph::ListEventsResponse { events: vec![cast::event()], next_page_token: String::new() })
    }
});

fake!(jobs::jobs_service_server::JobsService {
    list_jobs(jobs::ListJobsRequest) -> jobs::ListJobsResponse {
        |_, _, _| Ok(jobs::ListJobsResponse { jobs: vec![cast::job()], next_page_token: String::new() })
    }
    get_stats(jobs::GetStatsRequest) -> jobs::GetStatsResponse {
        |_, _, _| Ok(jobs::GetStatsResponse { total_jobs: 4, internships: 1, entry_level: 2, full_time: 3 })
    }
    list_my_applications(jobs::ListMyApplicationsRequest) -> jobs::ListMyApplicationsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let applications = vec![cast::application()];
            Ok(jobs::ListMyApplicationsResponse { applications, next_page_token: String::new() })
        }
    }
});

fake!(news::news_service_server::NewsService {
    list_articles(news::ListArticlesRequest) -> news::ListArticlesResponse {
        |_, request, _| {
            if !(1..=1000).contains(&request.page) {
                return Err(refuse(Kind::Invalid, "PAGE", "The page must be between 1 and 1000."));
            }
            Ok(news::ListArticlesResponse { articles: vec![cast::article()], has_more: true })
        }
    }
    list_sources(news::ListSourcesRequest) -> news::ListSourcesResponse {
        |_, _, _| {
            let source = news::Source { source: "aba".to_owned(), source_name: "ABA Journal".to_owned() };
            Ok(news::ListSourcesResponse { sources: vec![source] })
        }
    }
    list_resources(news::ListResourcesRequest) -> news::ListResourcesResponse {
        |_, _, _| Ok(news::ListResourcesResponse { resources: vec![cast::resource()], next_page_token: String::new() })
    }
});

fake!(messaging::messaging_service_server::MessagingService {
    list_conversations(messaging::ListConversationsRequest) -> messaging::ListConversationsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let conversations = vec![cast::conversation(Some(BEN)), cast::conversation(None)];
            Ok(messaging::ListConversationsResponse { conversations, next_page_token: String::new() })
        }
    }
});
