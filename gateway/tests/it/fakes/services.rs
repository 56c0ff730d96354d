//! What each fake neighbour answers.

use std::pin::Pin;

use chassis::{
    actor::Actor,
    error::{Kind, frame_status},
};
use portia_proto::{auth, feed, jobs, messaging, news, profile, social_graph};
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::Fake;
use crate::cast::{self, ANA, BEN, CONNECTION, PICTURE, POST, SKILL, TRUSTED, noon};

type BoxStream<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// `method(Request) -> Response { expression over (self, request, actor) }` for each RPC of a service, and the stream of
/// those who export.
macro_rules! fake {
    ($service:path $([exports $contract:ident as $name:literal])? {
        $($method:ident($request:ty) -> $response:ty $body:block)+
    }) => {
        #[tonic::async_trait]
        impl $service for Fake {
            $(async fn $method(&self, request: Request<$request>) -> Result<Response<$response>, Status> {
                self.0.enter(stringify!($method), &request).await?;
                let answer: fn(&Self, $request, Option<Uuid>) -> Result<$response, Status> = $body;
                let actor = Actor::viewer(&request)?;
                answer(self, request.into_inner(), actor).map(Response::new)
            })+
            $(
                type ExportMemberStream = BoxStream<$contract::ExportMemberResponse>;

                async fn export_member(
                    &self,
                    request: Request<$contract::ExportMemberRequest>,
                ) -> Result<Response<Self::ExportMemberStream>, Status> {
                    self.0.enter(concat!("export_member of ", $name), &request).await?;
                    signed_in(Actor::viewer(&request)?)?;
                    let told = self.0.export($name).map(|told| {
                        told.map(|(section, json)| $contract::ExportMemberResponse { section, json })
                    });
                    Ok(Response::new(Box::pin(told)))
                }
            )?
        }
    };
}

fn refuse(kind: Kind, reason: &'static str, message: &str) -> Status {
    frame_status(kind, reason, message)
}

fn signed_in(actor: Option<Uuid>) -> Result<(), Status> {
    actor.map(drop).ok_or_else(|| refuse(Kind::Unauthenticated, "SIGN_IN_REQUIRED", "Sign in required"))
}

/// A password that must be right, where one is needed at all.
fn checked(field: &str, password: Option<&str>) -> Result<(), Status> {
    let refuse = |reason, sentence| Err(cast::at_fault(Kind::Forbidden, reason, field, sentence));
    match password {
        None => refuse("PASSWORD_REQUIRED", "Enter your password to go on."),
        Some("correct horse") => Ok(()),
        Some(_) => refuse("PASSWORD_WRONG", "This is not your password."),
    }
}

fn account(username: &str) -> Result<Uuid, Status> {
    match username.trim().to_lowercase().as_str() {
        "ana" => Ok(ANA),
        "ben" => Ok(BEN),
        _ => Err(refuse(Kind::NotFound, "ACCOUNT_NOT_FOUND", "User not found")),
    }
}

fn known_skill(skill: &str, count: i64, endorsed_by_actor: bool) -> Result<Option<profile::SkillEndorsements>, Status> {
    if skill != SKILL {
        return Err(refuse(Kind::NotFound, "SKILL_NOT_FOUND", "Skill not found"));
    }
    Ok(Some(profile::SkillEndorsements { skill: skill.to_owned(), count, endorsed_by_actor }))
}

/// Who may touch the one connection: what a stranger and the other side get.
fn party(connection: &str, actor: Option<Uuid>, needed: Uuid, reason: &'static str) -> Result<(), Status> {
    signed_in(actor)?;
    match actor {
        Some(ANA | BEN) if connection != CONNECTION.to_string() => {}
        Some(actor) if actor == needed => return Ok(()),
        Some(ANA | BEN) => return Err(refuse(Kind::Forbidden, reason, "This is not yours to decide.")),
        _ => {}
    }
    Err(refuse(Kind::NotFound, "CONNECTION_NOT_FOUND", "Connection not found"))
}

fn known_post(raw: &str) -> Result<(), Status> {
    if raw == POST.to_string() { Ok(()) } else { Err(refuse(Kind::NotFound, "POST_NOT_FOUND", "Post not found")) }
}

fake!(auth::auth_service_server::AuthService [exports auth as "auth"] {
    register(auth::RegisterRequest) -> auth::RegisterResponse {
        |fake, request, _| {
            if request.username == "ana" {
                return Err(refuse(Kind::Conflict, "USERNAME_TAKEN", "This username is taken."));
            }
            let id = Uuid::try_parse(&request.member_id).unwrap();
            Ok(auth::RegisterResponse {
                username: request.username.trim().to_owned(),
                session: fake.session(id),
                trusted_browser: Fake::trust(request.shared_computer),
            })
        }
    }
    login(auth::LoginRequest) -> auth::LoginResponse {
        |fake, request, _| {
            if request.password != "correct horse" {
                return Err(refuse(Kind::Unauthenticated, "BAD_CREDENTIALS", "Invalid username or password"));
            }
            Ok(auth::LoginResponse {
                member_id: ANA.to_string(),
                session: fake.session(ANA),
                trusted_browser: Fake::trust(request.shared_computer),
                // Whoever shouts comes back.
                reopened: request.username == "ANA",
            })
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
    check_username(auth::CheckUsernameRequest) -> auth::CheckUsernameResponse {
        |_, request, _| {
            let trusted = account(&request.username)? == ANA && request.trusted_browser_token == TRUSTED;
            let mut methods = vec![auth::ProofMethod::RecoveryCode, auth::ProofMethod::OperatorLink];
            if trusted {
                methods.insert(0, auth::ProofMethod::TrustedBrowser);
            }
            Ok(auth::CheckUsernameResponse { methods: methods.into_iter().map(i32::from).collect() })
        }
    }
    reset_password(auth::ResetPasswordRequest) -> auth::ResetPasswordResponse {
        |fake, request, _| {
            let member = account(&request.username)?;
            let proven = match (&request.link_token, &request.recovery_code, request.trusted_browser_token.as_str()) {
                (Some(link), _, _) => link == "link",
                (None, Some(code), _) => code == "CODE",
                (None, None, TRUSTED) => member == ANA,
                (None, None, _) => {
                    return Err(refuse(Kind::Forbidden, "PROOF_MISSING", "This browser is not known to this account."));
                }
            };
            if !proven {
                return Err(refuse(Kind::Forbidden, "PROOF_REFUSED", "This recovery code or link is not valid."));
            }
            let ended_session_ids = fake.0.end(Some(member), |_| false);
            Ok(auth::ResetPasswordResponse { member_id: member.to_string(), ended_session_ids })
        }
    }
    change_password(auth::ChangePasswordRequest) -> auth::ChangePasswordResponse {
        |fake, request, actor| {
            signed_in(actor)?;
            checked("currentPassword", Some(&request.current_password))?;
            let ended_session_ids = fake.0.end(actor, cast::standing);
            Ok(auth::ChangePasswordResponse { ended_session_ids })
        }
    }
    list_sessions(auth::ListSessionsRequest) -> auth::ListSessionsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(auth::ListSessionsResponse { sessions: vec![cast::open_session()] })
        }
    }
    end_sessions(auth::EndSessionsRequest) -> auth::EndSessionsResponse {
        |fake, request, actor| {
            signed_in(actor)?;
            let asked = request.session_id.as_deref();
            let ended_session_ids = fake.0.end(actor, |id| asked.is_some_and(|asked| asked != id.to_string()));
            if asked.is_some() && ended_session_ids.is_empty() {
                return Err(refuse(Kind::NotFound, "SESSION_NOT_FOUND", "Session not found"));
            }
            Ok(auth::EndSessionsResponse { ended_session_ids })
        }
    }
    get_recovery_codes(auth::GetRecoveryCodesRequest) -> auth::GetRecoveryCodesResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(auth::GetRecoveryCodesResponse { remaining: 7, made_at: cast::in_an_hour() })
        }
    }
    renew_recovery_codes(auth::RenewRecoveryCodesRequest) -> auth::RenewRecoveryCodesResponse {
        |_, request, actor| {
            signed_in(actor)?;
            checked("password", request.password.as_deref())?;
            Ok(auth::RenewRecoveryCodesResponse { codes: (0..8).map(|n| format!("AAAA-BBBB-CCCC-000{n}")).collect() })
        }
    }
    close_account(auth::CloseAccountRequest) -> auth::CloseAccountResponse {
        |fake, request, actor| {
            signed_in(actor)?;
            checked("password", request.password.as_deref())?;
            let ended_session_ids = fake.0.end(actor, |_| false);
            Ok(auth::CloseAccountResponse { ended_session_ids, erased_at: cast::in_an_hour() })
        }
    }
});

fake!(profile::profile_service_server::ProfileService [exports profile as "profile"] {
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
        |_, request, actor| {
            let id = Uuid::try_parse(&request.member_id).ok();
            let member = id.and_then(cast::member);
            let member = member.ok_or_else(|| refuse(Kind::NotFound, "MEMBER_NOT_FOUND", "User not found"))?;
            let stats = (actor == id).then_some(profile::MemberStats { profile_views: 12, connections: 3 });
            Ok(profile::GetMemberResponse { member: Some(member), stats })
        }
    }
    update_member(profile::UpdateMemberRequest) -> profile::UpdateMemberResponse {
        |_, request, actor| {
            signed_in(actor)?;
            if let Some(profile::update_member_request::Picture::SamePicture(address)) = &request.picture
                && address != PICTURE
            {
                return Err(cast::at_fault(Kind::Invalid, "INVALID", "avatarUrl", "The picture must be a PNG or a JPEG."));
            }
            let member = profile::Member { full_name: request.full_name, ..cast::member(ANA).unwrap() };
            Ok(profile::UpdateMemberResponse { member: Some(member) })
        }
    }
    replace_profile(profile::ReplaceProfileRequest) -> profile::ReplaceProfileResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let member = profile::Member {
                bio: request.bio,
                experiences: request.experiences,
                education: request.education,
                skills: request.skills,
                ..cast::member(ANA).unwrap()
            };
            Ok(profile::ReplaceProfileResponse { member: Some(member) })
        }
    }
    endorse_skill(profile::EndorseSkillRequest) -> profile::EndorseSkillResponse {
        |_, request, actor| {
            signed_in(actor)?;
            if actor.map(|actor| actor.to_string()) == Some(request.member_id) {
                return Err(refuse(Kind::Forbidden, "NOT_CONNECTED", "You can endorse skills of your connections."));
            }
            Ok(profile::EndorseSkillResponse { endorsements: known_skill(&request.skill, 2, true)? })
        }
    }
    withdraw_endorsement(profile::WithdrawEndorsementRequest) -> profile::WithdrawEndorsementResponse {
        |_, request, actor| {
            signed_in(actor)?;
            Ok(profile::WithdrawEndorsementResponse { endorsements: known_skill(&request.skill, 1, false)? })
        }
    }
    hide_endorsement(profile::HideEndorsementRequest) -> profile::HideEndorsementResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let count = i64::from(!request.hidden);
            Ok(profile::HideEndorsementResponse { endorsements: known_skill(&request.skill, count, false)? })
        }
    }
    list_endorsements(profile::ListEndorsementsRequest) -> profile::ListEndorsementsResponse {
        |_, request, _| {
            known_skill(&request.skill, 0, false)?;
            let endorsements = vec![cast::endorsement()];
            Ok(profile::ListEndorsementsResponse { endorsements, next_page_token: "more".to_owned() })
        }
    }
    batch_get_members(profile::BatchGetMembersRequest) -> profile::BatchGetMembersResponse {
        |_, request, _| {
            let ids = request.member_ids.iter().filter_map(|id| Uuid::try_parse(id).ok());
            Ok(profile::BatchGetMembersResponse { members: ids.filter_map(cast::card).collect() })
        }
    }
});

fake!(feed::feed_service_server::FeedService [exports feed as "feed"] {
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

fake!(social_graph::social_graph_service_server::SocialGraphService [exports social_graph as "social-graph"] {
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
    request_connection(social_graph::RequestConnectionRequest) -> social_graph::RequestConnectionResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let requester_id = actor.unwrap().to_string();
            if request.member_id == requester_id || Uuid::try_parse(&request.member_id).is_err() {
                return Err(cast::at_fault(Kind::Invalid, "INVALID", "memberId", "You cannot connect with yourself."));
            }
            let asked = cast::connection(social_graph::ConnectionStatus::Pending);
            let connection = social_graph::Connection { requester_id, recipient_id: request.member_id, ..asked };
            // Ben asked before.
            let changed = actor != Some(BEN);
            Ok(social_graph::RequestConnectionResponse { connection: Some(connection), changed })
        }
    }
    answer_connection(social_graph::AnswerConnectionRequest) -> social_graph::AnswerConnectionResponse {
        |_, request, actor| {
            party(&request.connection_id, actor, ANA, "NOT_RECIPIENT")?;
            let connection = Some(cast::connection(request.status()));
            Ok(social_graph::AnswerConnectionResponse { connection })
        }
    }
    remove_connection(social_graph::RemoveConnectionRequest) -> social_graph::RemoveConnectionResponse {
        |_, request, actor| {
            party(&request.connection_id, actor, BEN, "NOT_REQUESTER")?;
            Ok(social_graph::RemoveConnectionResponse {})
        }
    }
    list_events(social_graph::ListEventsRequest) -> social_graph::ListEventsResponse {
        |_, _, _| Ok(social_graph::ListEventsResponse { events: vec![cast::event()], next_page_token: String::new() })
    }
});

fake!(jobs::jobs_service_server::JobsService [exports jobs as "jobs"] {
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

fake!(messaging::messaging_service_server::MessagingService [exports messaging as "messaging"] {
    list_conversations(messaging::ListConversationsRequest) -> messaging::ListConversationsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let conversations = vec![cast::conversation(Some(BEN)), cast::conversation(None)];
            Ok(messaging::ListConversationsResponse { conversations, next_page_token: String::new() })
        }
    }
});
