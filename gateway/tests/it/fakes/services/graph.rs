//! Fake social-graph: the connection that Ben requested, the community and the event of Ana.

use portia_proto::social_graph;
use primitives::error::ErrorKind;
use rpc::identity::Actor;
use tokio_stream::StreamExt as _;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{BoxStream, Fake, refuse, search_page, signed_in};
use crate::actors::{self, ANA, BEN, CARL, COMMUNITY, CONNECTION, DINA, EVENT, SET_UP_COMMUNITY};

/// Checks that the caller is the needed participant of the connection.
fn require_participant(
    connection: &str,
    actor: Option<Uuid>,
    needed: Uuid,
    reason: &'static str,
) -> Result<(), Status> {
    signed_in(actor)?;
    match actor {
        Some(ANA | BEN) if connection != CONNECTION.to_string() => {}
        Some(actor) if actor == needed => return Ok(()),
        Some(ANA | BEN) => return Err(refuse(ErrorKind::Forbidden, reason, "This is not yours to decide.")),
        _ => {}
    }
    Err(refuse(ErrorKind::NotFound, "CONNECTION_NOT_FOUND", "Connection not found"))
}

fn not_oneself(member: &str, actor: Option<Uuid>) -> Result<(), Status> {
    signed_in(actor)?;
    let own = actor.map(|actor| actor.to_string()).as_deref() == Some(member);
    let refusal = || actors::invalid_field(ErrorKind::Invalid, "INVALID", "memberId", "This is yourself.");
    if own { Err(refusal()) } else { Ok(()) }
}

fn known_community(raw: &str) -> Result<(), Status> {
    let missing = || refuse(ErrorKind::NotFound, "COMMUNITY_NOT_FOUND", "Community not found");
    if raw == COMMUNITY.to_string() { Ok(()) } else { Err(missing()) }
}

fn known_event(raw: &str) -> Result<(), Status> {
    let missing = || refuse(ErrorKind::NotFound, "EVENT_NOT_FOUND", "Event not found");
    if raw == EVENT.to_string() { Ok(()) } else { Err(missing()) }
}

fn require_ana(actor: Option<Uuid>, reason: &'static str) -> Result<(), Status> {
    signed_in(actor)?;
    if actor == Some(ANA) { Ok(()) } else { Err(refuse(ErrorKind::Forbidden, reason, "This is not yours to change.")) }
}

fn last_owner() -> Status {
    refuse(ErrorKind::Conflict, "LAST_OWNER", "A community needs an owner: make another member one first.")
}

/// The community with these texts.
fn community_with(text: Option<social_graph::CommunityText>, actor: Option<Uuid>) -> Option<social_graph::Community> {
    let social_graph::CommunityText { name, description, rules } = text?;
    Some(social_graph::Community { name, description, rules, ..actors::community(actor) })
}

/// The event with these texts.
fn event_with(text: Option<social_graph::EventText>, actor: Option<Uuid>) -> Option<social_graph::Event> {
    let social_graph::EventText { title, description, location, start_date, end_date, time_zone } = text?;
    Some(social_graph::Event { title, description, location, start_date, end_date, time_zone, ..actors::event(actor) })
}

fake!(social_graph::social_graph_service_server::SocialGraphService [exports social_graph as "social-graph"] {
    list_connections(social_graph::ListConnectionsRequest) -> social_graph::ListConnectionsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let connections = vec![actors::connection(social_graph::ConnectionStatus::Accepted)];
            Ok(social_graph::ListConnectionsResponse { connections, next_page_token: String::new(), total: 1 })
        }
    }
    list_pending_requests(social_graph::ListPendingRequestsRequest) -> social_graph::ListPendingRequestsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let connections = vec![actors::connection(social_graph::ConnectionStatus::Pending)];
            Ok(social_graph::ListPendingRequestsResponse { connections, next_page_token: String::new(), total: 1 })
        }
    }
    find_connection(social_graph::FindConnectionRequest) -> social_graph::FindConnectionResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let known = request.member_id == BEN.to_string() || request.member_id == ANA.to_string();
            let connection = known.then(|| actors::connection(social_graph::ConnectionStatus::Pending));
            Ok(social_graph::FindConnectionResponse { connection })
        }
    }
    batch_find_connections(social_graph::BatchFindConnectionsRequest) -> social_graph::BatchFindConnectionsResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let known = request.member_ids.contains(&BEN.to_string()) || request.member_ids.contains(&ANA.to_string());
            let connection = known.then(|| actors::connection(social_graph::ConnectionStatus::Pending));
            Ok(social_graph::BatchFindConnectionsResponse { connections: connection.into_iter().collect() })
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
        |_, request, actor| {
            not_oneself(&request.member_id, actor).map(|()| social_graph::DismissSuggestionResponse {})
        }
    }
    block_member(social_graph::BlockMemberRequest) -> social_graph::BlockMemberResponse {
        |_, request, actor| not_oneself(&request.member_id, actor).map(|()| social_graph::BlockMemberResponse {})
    }
    unblock_member(social_graph::UnblockMemberRequest) -> social_graph::UnblockMemberResponse {
        |_, _, actor| signed_in(actor).map(|()| social_graph::UnblockMemberResponse {})
    }
    list_blocks(social_graph::ListBlocksRequest) -> social_graph::ListBlocksResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(social_graph::ListBlocksResponse { blocks: vec![actors::block()], next_page_token: "more".to_owned() })
        }
    }
    follow_member(social_graph::FollowMemberRequest) -> social_graph::FollowMemberResponse {
        |_, request, actor| {
            not_oneself(&request.member_id, actor)?;
            // Dina's profile is for connections: Ben.
            if request.member_id == DINA.to_string() && actor != Some(BEN) {
                return Err(refuse(ErrorKind::NotFound, "MEMBER_NOT_FOUND", "Member not found"));
            }
            Ok(social_graph::FollowMemberResponse {})
        }
    }
    unfollow_member(social_graph::UnfollowMemberRequest) -> social_graph::UnfollowMemberResponse {
        |_, _, actor| signed_in(actor).map(|()| social_graph::UnfollowMemberResponse {})
    }
    get_follow(social_graph::GetFollowRequest) -> social_graph::GetFollowResponse {
        |_, request, actor| {
            signed_in(actor)?;
            Ok(social_graph::GetFollowResponse { followed: request.member_id == CARL.to_string() })
        }
    }
    list_follows(social_graph::ListFollowsRequest) -> social_graph::ListFollowsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let follow = social_graph::Follow { member_id: CARL.to_string(), created_at: actors::at(600) };
            Ok(social_graph::ListFollowsResponse { follows: vec![follow], next_page_token: "more".to_owned() })
        }
    }
    list_communities(social_graph::ListCommunitiesRequest) -> social_graph::ListCommunitiesResponse {
        |fake, _, actor| {
            let community = social_graph::Community { rules: None, ..actors::community(actor) };
            let communities = vec![community; *fake.0.communities.lock().unwrap()];
            Ok(social_graph::ListCommunitiesResponse { communities, next_page_token: "more".to_owned(), total: 41 })
        }
    }
    search_communities(social_graph::SearchCommunitiesRequest) -> social_graph::SearchCommunitiesResponse {
        |_, request, actor| {
            let next_page_token = search_page(&request.query, &request.page_token)?;
            let communities = vec![social_graph::Community { rules: None, ..actors::community(actor) }];
            let terms = vec!["moot".to_owned()];
            Ok(social_graph::SearchCommunitiesResponse { communities, next_page_token, terms })
        }
    }
    get_community(social_graph::GetCommunityRequest) -> social_graph::GetCommunityResponse {
        |_, request, actor| {
            known_community(&request.community_id)?;
            Ok(social_graph::GetCommunityResponse { community: Some(actors::community(actor)) })
        }
    }
    create_community(social_graph::CreateCommunityRequest) -> social_graph::CreateCommunityResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let text = request.text.unwrap();
            if text.name == "Law Review" {
                let sentence = "There is a community of this name already.";
                return Err(actors::invalid_field(ErrorKind::Conflict, "COMMUNITY_NAME_TAKEN", "name", sentence));
            }
            Ok(social_graph::CreateCommunityResponse { community: community_with(Some(text), Some(ANA)) })
        }
    }
    update_community(social_graph::UpdateCommunityRequest) -> social_graph::UpdateCommunityResponse {
        |_, request, actor| {
            require_ana(actor, "NOT_OWNER")?;
            known_community(&request.community_id)?;
            Ok(social_graph::UpdateCommunityResponse { community: community_with(request.text, actor) })
        }
    }
    list_members(social_graph::ListMembersRequest) -> social_graph::ListMembersResponse {
        |_, request, _| {
            known_community(&request.community_id)?;
            let members = [ANA, BEN].map(actors::community_member).to_vec();
            Ok(social_graph::ListMembersResponse { members, next_page_token: "more".to_owned() })
        }
    }
    join_community(social_graph::JoinCommunityRequest) -> social_graph::JoinCommunityResponse {
        |_, request, actor| {
            signed_in(actor)?;
            known_community(&request.community_id)?;
            let role = if actor == Some(ANA) { actors::role(actor) } else { social_graph::CommunityRole::Member };
            let community = social_graph::Community { role: role.into(), ..actors::community(actor) };
            Ok(social_graph::JoinCommunityResponse { community: Some(community) })
        }
    }
    leave_community(social_graph::LeaveCommunityRequest) -> social_graph::LeaveCommunityResponse {
        |_, request, actor| {
            signed_in(actor)?;
            known_community(&request.community_id)?;
            if actor == Some(ANA) {
                return Err(last_owner());
            }
            Ok(social_graph::LeaveCommunityResponse { community: Some(actors::community(None)) })
        }
    }
    set_member_role(social_graph::SetMemberRoleRequest) -> social_graph::SetMemberRoleResponse {
        |_, request, actor| {
            require_ana(actor, "NOT_OWNER")?;
            known_community(&request.community_id)?;
            if request.member_id == ANA.to_string() && request.role() == social_graph::CommunityRole::Member {
                return Err(last_owner());
            }
            if request.member_id == CARL.to_string() {
                return Err(refuse(ErrorKind::NotFound, "MEMBER_NOT_FOUND", "Member not found"));
            }
            let role = request.role;
            let member = social_graph::CommunityMember { member_id: request.member_id, role, ..actors::community_member(BEN) };
            Ok(social_graph::SetMemberRoleResponse { member: Some(member) })
        }
    }
    remove_member(social_graph::RemoveMemberRequest) -> social_graph::RemoveMemberResponse {
        |_, request, actor| {
            require_ana(actor, "NOT_MODERATOR")?;
            known_community(&request.community_id)?;
            if request.member_id == ANA.to_string() {
                let sentence = "Owners cannot be removed, and moderators only by an owner.";
                return Err(refuse(ErrorKind::Forbidden, "MEMBER_PROTECTED", sentence));
            }
            if request.member_id == CARL.to_string() {
                return Err(refuse(ErrorKind::NotFound, "MEMBER_NOT_FOUND", "Member not found"));
            }
            Ok(social_graph::RemoveMemberResponse {})
        }
    }
    unban_member(social_graph::UnbanMemberRequest) -> social_graph::UnbanMemberResponse {
        |_, request, actor| {
            require_ana(actor, "NOT_MODERATOR")?;
            known_community(&request.community_id)?;
            Ok(social_graph::UnbanMemberResponse {})
        }
    }
    list_bans(social_graph::ListBansRequest) -> social_graph::ListBansResponse {
        |_, request, actor| {
            require_ana(actor, "NOT_MODERATOR")?;
            known_community(&request.community_id)?;
            Ok(social_graph::ListBansResponse { bans: vec![actors::community_ban()], next_page_token: "more".to_owned() })
        }
    }
    list_community_log(social_graph::ListCommunityLogRequest) -> social_graph::ListCommunityLogResponse {
        |_, request, actor| {
            require_ana(actor, "NOT_MODERATOR")?;
            known_community(&request.community_id)?;
            let entries = actors::community_log();
            Ok(social_graph::ListCommunityLogResponse { entries, next_page_token: "more".to_owned() })
        }
    }
    batch_get_communities(social_graph::BatchGetCommunitiesRequest) -> social_graph::BatchGetCommunitiesResponse {
        |_, request, actor| {
            let known = [COMMUNITY, SET_UP_COMMUNITY].map(|id| id.to_string());
            let ids = request.community_ids.into_iter().filter(|id| known.contains(id));
            let communities =
                ids.map(|id| social_graph::Community { id, rules: None, ..actors::community(actor) }).collect();
            Ok(social_graph::BatchGetCommunitiesResponse { communities })
        }
    }
    list_join_requests(social_graph::ListJoinRequestsRequest) -> social_graph::ListJoinRequestsResponse {
        |_, request, actor| {
            require_ana(actor, "NOT_MODERATOR")?;
            known_community(&request.community_id)?;
            let requests = vec![actors::join_request()];
            Ok(social_graph::ListJoinRequestsResponse { requests, next_page_token: "more".to_owned() })
        }
    }
    answer_join_request(social_graph::AnswerJoinRequestRequest) -> social_graph::AnswerJoinRequestResponse {
        |_, request, actor| {
            require_ana(actor, "NOT_MODERATOR")?;
            known_community(&request.community_id)?;
            if request.member_id == DINA.to_string() {
                return Err(refuse(ErrorKind::NotFound, "JOIN_REQUEST_NOT_FOUND", "This member does not ask to join."));
            }
            Ok(social_graph::AnswerJoinRequestResponse {})
        }
    }
    invite_member(social_graph::InviteMemberRequest) -> social_graph::InviteMemberResponse {
        |_, request, actor| {
            require_ana(actor, "NOT_MODERATOR")?;
            known_community(&request.community_id)?;
            Ok(social_graph::InviteMemberResponse {})
        }
    }
    withdraw_invitation(social_graph::WithdrawInvitationRequest) -> social_graph::WithdrawInvitationResponse {
        |_, request, actor| {
            require_ana(actor, "NOT_MODERATOR")?;
            known_community(&request.community_id)?;
            Ok(social_graph::WithdrawInvitationResponse {})
        }
    }
    list_invitations(social_graph::ListInvitationsRequest) -> social_graph::ListInvitationsResponse {
        |_, request, actor| {
            require_ana(actor, "NOT_MODERATOR")?;
            known_community(&request.community_id)?;
            let invitations = vec![actors::community_invitation()];
            Ok(social_graph::ListInvitationsResponse { invitations, next_page_token: "more".to_owned() })
        }
    }
    list_own_invitations(social_graph::ListOwnInvitationsRequest) -> social_graph::ListOwnInvitationsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let community = social_graph::Community {
                rules: None,
                role: 0,
                visibility: social_graph::CommunityVisibility::Private.into(),
                joining: social_graph::CommunityJoining::Invitation.into(),
                standing: social_graph::CommunityStanding::Invited.into(),
                ..actors::community(actor)
            };
            let invited_by_id = Some(ANA.to_string());
            let invitation =
                social_graph::OwnInvitation { community: Some(community), invited_by_id, invited_at: actors::at(600) };
            let (invitations, next_page_token) = (vec![invitation], "more".to_owned());
            Ok(social_graph::ListOwnInvitationsResponse { invitations, next_page_token })
        }
    }
    transfer_community(social_graph::TransferCommunityRequest) -> social_graph::TransferCommunityResponse {
        |_, request, actor| {
            require_ana(actor, "NOT_OWNER")?;
            known_community(&request.community_id)?;
            if request.member_id.is_empty() {
                return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "memberId", "This is not an id."));
            }
            let role = social_graph::CommunityRole::Moderator.into();
            let community = social_graph::Community { role, ..actors::community(actor) };
            Ok(social_graph::TransferCommunityResponse { community: Some(community) })
        }
    }
    dissolve_community(social_graph::DissolveCommunityRequest) -> social_graph::DissolveCommunityResponse {
        |_, request, actor| {
            require_ana(actor, "NOT_OWNER")?;
            known_community(&request.community_id)?;
            Ok(social_graph::DissolveCommunityResponse {})
        }
    }
    request_connection(social_graph::RequestConnectionRequest) -> social_graph::RequestConnectionResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let requester_id = actor.unwrap().to_string();
            if request.member_id == requester_id || Uuid::try_parse(&request.member_id).is_err() {
                return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "memberId", "You cannot connect with yourself."));
            }
            let request_by_ben = actors::connection(social_graph::ConnectionStatus::Pending);
            let connection = social_graph::Connection { requester_id, recipient_id: request.member_id, ..request_by_ben };
            // A request of Ben exists.
            let changed = actor != Some(BEN);
            Ok(social_graph::RequestConnectionResponse { connection: Some(connection), changed })
        }
    }
    answer_connection(social_graph::AnswerConnectionRequest) -> social_graph::AnswerConnectionResponse {
        |_, request, actor| {
            require_participant(&request.connection_id, actor, ANA, "NOT_RECIPIENT")?;
            let connection = Some(actors::connection(request.status()));
            Ok(social_graph::AnswerConnectionResponse { connection })
        }
    }
    remove_connection(social_graph::RemoveConnectionRequest) -> social_graph::RemoveConnectionResponse {
        |_, request, actor| {
            require_participant(&request.connection_id, actor, BEN, "NOT_REQUESTER")?;
            Ok(social_graph::RemoveConnectionResponse {})
        }
    }
    list_events(social_graph::ListEventsRequest) -> social_graph::ListEventsResponse {
        |_, _, actor| {
            let events = vec![social_graph::Event { description: None, ..actors::event(actor) }];
            Ok(social_graph::ListEventsResponse { events, next_page_token: "more".to_owned() })
        }
    }
    get_event(social_graph::GetEventRequest) -> social_graph::GetEventResponse {
        |fake, request, actor| {
            known_event(&request.event_id)?;
            let event = fake.0.event.lock().unwrap().clone().unwrap_or_else(|| actors::event(actor));
            Ok(social_graph::GetEventResponse { event: Some(event) })
        }
    }
    create_event(social_graph::CreateEventRequest) -> social_graph::CreateEventResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let own = |event| social_graph::Event { organiser_id: actor.map(|id| id.to_string()), ..event };
            Ok(social_graph::CreateEventResponse { event: event_with(request.text, actor).map(own) })
        }
    }
    update_event(social_graph::UpdateEventRequest) -> social_graph::UpdateEventResponse {
        |_, request, actor| {
            require_ana(actor, "NOT_ORGANISER")?;
            known_event(&request.event_id)?;
            Ok(social_graph::UpdateEventResponse { event: event_with(request.text, actor) })
        }
    }
    cancel_event(social_graph::CancelEventRequest) -> social_graph::CancelEventResponse {
        |_, request, actor| {
            require_ana(actor, "NOT_ORGANISER")?;
            known_event(&request.event_id).map(|()| social_graph::CancelEventResponse {})
        }
    }
    list_attendees(social_graph::ListAttendeesRequest) -> social_graph::ListAttendeesResponse {
        |_, request, _| {
            known_event(&request.event_id)?;
            let attendees = vec![actors::attendee()];
            Ok(social_graph::ListAttendeesResponse { attendees, next_page_token: "more".to_owned() })
        }
    }
    attend_event(social_graph::AttendEventRequest) -> social_graph::AttendEventResponse {
        |_, request, actor| {
            signed_in(actor)?;
            known_event(&request.event_id)?;
            let event = social_graph::Event { attending: true, ..actors::event(actor) };
            Ok(social_graph::AttendEventResponse { event: Some(event) })
        }
    }
    unattend_event(social_graph::UnattendEventRequest) -> social_graph::UnattendEventResponse {
        |_, request, actor| {
            signed_in(actor)?;
            known_event(&request.event_id)?;
            let event = social_graph::Event { attending: false, ..actors::event(actor) };
            Ok(social_graph::UnattendEventResponse { event: Some(event) })
        }
    }
    batch_get_events(social_graph::BatchGetEventsRequest) -> social_graph::BatchGetEventsResponse {
        |_, request, actor| {
            let known = request.event_ids.contains(&EVENT.to_string());
            let event = known.then(|| social_graph::Event { description: None, ..actors::event(actor) });
            Ok(social_graph::BatchGetEventsResponse { events: event.into_iter().collect() })
        }
    }
});
