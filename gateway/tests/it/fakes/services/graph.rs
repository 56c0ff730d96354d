//! Fake social-graph: the connection that Ben requested, the community and the event of Ana.

use portia_proto::social_graph;
use primitives::error::ErrorKind;
use tonic::Status;
use uuid::Uuid;

use super::{refuse, search_page};
use crate::actors::{self, ANA, BEN, CARL, COMMUNITY, CONNECTION, DINA, EVENT, SET_UP_COMMUNITY};
use crate::fakes::table::Table;

/// Checks that the caller is the needed participant of the connection.
fn require_participant(
    connection: &str,
    actor: Option<Uuid>,
    needed: Uuid,
    reason: &'static str,
) -> Result<(), Status> {
    match actor {
        Some(ANA | BEN) if connection != CONNECTION.to_string() => {}
        Some(actor) if actor == needed => return Ok(()),
        Some(ANA | BEN) => return Err(refuse(ErrorKind::Forbidden, reason, "This is not yours to decide.")),
        _ => {}
    }
    Err(refuse(ErrorKind::NotFound, "CONNECTION_NOT_FOUND", "Connection not found"))
}

fn not_oneself(member: &str, actor: Option<Uuid>) -> Result<(), Status> {
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

pub fn add_to(table: &mut Table) {
    table.exports(["social_graph.export_member", "export_member of social-graph", "social-graph"], |section, json| {
        social_graph::ExportMemberResponse { section, json }
    });
    table.answers("social_graph.list_connections", |_, _: social_graph::ListConnectionsRequest, _| {
        let connections = vec![actors::connection(social_graph::ConnectionStatus::Accepted)];
        Ok(social_graph::ListConnectionsResponse { connections, next_page_token: String::new(), total: 1 })
    });
    table.answers("social_graph.list_pending_requests", |_, _: social_graph::ListPendingRequestsRequest, _| {
        let connections = vec![actors::connection(social_graph::ConnectionStatus::Pending)];
        Ok(social_graph::ListPendingRequestsResponse { connections, next_page_token: String::new(), total: 1 })
    });
    table.answers("social_graph.find_connection", |_, request: social_graph::FindConnectionRequest, _| {
        let known = request.member_id == BEN.to_string() || request.member_id == ANA.to_string();
        let connection = known.then(|| actors::connection(social_graph::ConnectionStatus::Pending));
        Ok(social_graph::FindConnectionResponse { connection })
    });
    table.answers("social_graph.batch_find_connections", |_, request: social_graph::BatchFindConnectionsRequest, _| {
        let known = request.member_ids.contains(&BEN.to_string()) || request.member_ids.contains(&ANA.to_string());
        let connection = known.then(|| actors::connection(social_graph::ConnectionStatus::Pending));
        Ok(social_graph::BatchFindConnectionsResponse { connections: connection.into_iter().collect() })
    });
    table.answers("social_graph.list_suggestions", |_, _: social_graph::ListSuggestionsRequest, _| {
        let suggestions = vec![social_graph::Suggestion {
            member_id: BEN.to_string(),
            mutual_connections: 3,
            reason: social_graph::SuggestionReason::MutualConnections.into(),
        }];
        Ok(social_graph::ListSuggestionsResponse { suggestions })
    });
    table.answers("social_graph.dismiss_suggestion", |_, request: social_graph::DismissSuggestionRequest, actor| {
        not_oneself(&request.member_id, actor).map(|()| social_graph::DismissSuggestionResponse {})
    });
    table.answers("social_graph.block_member", |_, request: social_graph::BlockMemberRequest, actor| {
        not_oneself(&request.member_id, actor).map(|()| social_graph::BlockMemberResponse {})
    });
    table.answers("social_graph.unblock_member", |_, _: social_graph::UnblockMemberRequest, _| {
        Ok(social_graph::UnblockMemberResponse {})
    });
    table.answers("social_graph.list_blocks", |_, _: social_graph::ListBlocksRequest, _| {
        Ok(social_graph::ListBlocksResponse { blocks: vec![actors::block()], next_page_token: "more".to_owned() })
    });
    table.answers("social_graph.follow_member", |_, request: social_graph::FollowMemberRequest, actor| {
        not_oneself(&request.member_id, actor)?;
        // Dina's profile is for connections: Ben.
        if request.member_id == DINA.to_string() && actor != Some(BEN) {
            return Err(refuse(ErrorKind::NotFound, "MEMBER_NOT_FOUND", "Member not found"));
        }
        Ok(social_graph::FollowMemberResponse {})
    });
    table.answers("social_graph.unfollow_member", |_, _: social_graph::UnfollowMemberRequest, _| {
        Ok(social_graph::UnfollowMemberResponse {})
    });
    table.answers("social_graph.get_follow", |_, request: social_graph::GetFollowRequest, _| {
        Ok(social_graph::GetFollowResponse { followed: request.member_id == CARL.to_string() })
    });
    table.answers("social_graph.list_follows", |_, _: social_graph::ListFollowsRequest, _| {
        let follow = social_graph::Follow { member_id: CARL.to_string(), created_at: actors::at(600) };
        Ok(social_graph::ListFollowsResponse { follows: vec![follow], next_page_token: "more".to_owned() })
    });
    table.answers("social_graph.list_communities", |fakes, _: social_graph::ListCommunitiesRequest, actor| {
        let community = social_graph::Community { rules: None, ..actors::community(actor) };
        let communities = vec![community; *fakes.communities.lock().unwrap()];
        Ok(social_graph::ListCommunitiesResponse { communities, next_page_token: "more".to_owned(), total: 41 })
    });
    table.answers("social_graph.search_communities", |_, request: social_graph::SearchCommunitiesRequest, actor| {
        let next_page_token = search_page(&request.query, &request.page_token)?;
        let communities = vec![social_graph::Community { rules: None, ..actors::community(actor) }];
        let terms = vec!["moot".to_owned()];
        Ok(social_graph::SearchCommunitiesResponse { communities, next_page_token, terms })
    });
    table.answers("social_graph.get_community", |_, request: social_graph::GetCommunityRequest, actor| {
        known_community(&request.community_id)?;
        Ok(social_graph::GetCommunityResponse { community: Some(actors::community(actor)) })
    });
    table.answers("social_graph.create_community", |_, request: social_graph::CreateCommunityRequest, _| {
        let text = request.text.unwrap();
        if text.name == "Law Review" {
            let sentence = "There is a community of this name already.";
            return Err(actors::invalid_field(ErrorKind::Conflict, "COMMUNITY_NAME_TAKEN", "name", sentence));
        }
        Ok(social_graph::CreateCommunityResponse { community: community_with(Some(text), Some(ANA)) })
    });
    table.answers("social_graph.update_community", |_, request: social_graph::UpdateCommunityRequest, actor| {
        require_ana(actor, "NOT_OWNER")?;
        known_community(&request.community_id)?;
        Ok(social_graph::UpdateCommunityResponse { community: community_with(request.text, actor) })
    });
    table.answers("social_graph.list_members", |_, request: social_graph::ListMembersRequest, _| {
        known_community(&request.community_id)?;
        let members = [ANA, BEN].map(actors::community_member).to_vec();
        Ok(social_graph::ListMembersResponse { members, next_page_token: "more".to_owned() })
    });
    table.answers("social_graph.join_community", |_, request: social_graph::JoinCommunityRequest, actor| {
        known_community(&request.community_id)?;
        let role = if actor == Some(ANA) { actors::role(actor) } else { social_graph::CommunityRole::Member };
        let community = social_graph::Community { role: role.into(), ..actors::community(actor) };
        Ok(social_graph::JoinCommunityResponse { community: Some(community) })
    });
    table.answers("social_graph.leave_community", |_, request: social_graph::LeaveCommunityRequest, actor| {
        known_community(&request.community_id)?;
        if actor == Some(ANA) {
            return Err(last_owner());
        }
        Ok(social_graph::LeaveCommunityResponse { community: Some(actors::community(None)) })
    });
    table.answers("social_graph.set_member_role", |_, request: social_graph::SetMemberRoleRequest, actor| {
        require_ana(actor, "NOT_OWNER")?;
        known_community(&request.community_id)?;
        if request.member_id == ANA.to_string() && request.role() == social_graph::CommunityRole::Member {
            return Err(last_owner());
        }
        if request.member_id == CARL.to_string() {
            return Err(refuse(ErrorKind::NotFound, "MEMBER_NOT_FOUND", "Member not found"));
        }
        let role = request.role;
        let member =
            social_graph::CommunityMember { member_id: request.member_id, role, ..actors::community_member(BEN) };
        Ok(social_graph::SetMemberRoleResponse { member: Some(member) })
    });
    table.answers("social_graph.remove_member", |_, request: social_graph::RemoveMemberRequest, actor| {
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
    });
    table.answers("social_graph.unban_member", |_, request: social_graph::UnbanMemberRequest, actor| {
        require_ana(actor, "NOT_MODERATOR")?;
        known_community(&request.community_id)?;
        Ok(social_graph::UnbanMemberResponse {})
    });
    table.answers("social_graph.list_bans", |_, request: social_graph::ListBansRequest, actor| {
        require_ana(actor, "NOT_MODERATOR")?;
        known_community(&request.community_id)?;
        Ok(social_graph::ListBansResponse { bans: vec![actors::community_ban()], next_page_token: "more".to_owned() })
    });
    table.answers("social_graph.list_community_log", |_, request: social_graph::ListCommunityLogRequest, actor| {
        require_ana(actor, "NOT_MODERATOR")?;
        known_community(&request.community_id)?;
        let entries = actors::community_log();
        Ok(social_graph::ListCommunityLogResponse { entries, next_page_token: "more".to_owned() })
    });
    table.answers(
        "social_graph.batch_get_communities",
        |_, request: social_graph::BatchGetCommunitiesRequest, actor| {
            let known = [COMMUNITY, SET_UP_COMMUNITY].map(|id| id.to_string());
            let ids = request.community_ids.into_iter().filter(|id| known.contains(id));
            let communities =
                ids.map(|id| social_graph::Community { id, rules: None, ..actors::community(actor) }).collect();
            Ok(social_graph::BatchGetCommunitiesResponse { communities })
        },
    );
    table.answers("social_graph.list_join_requests", |_, request: social_graph::ListJoinRequestsRequest, actor| {
        require_ana(actor, "NOT_MODERATOR")?;
        known_community(&request.community_id)?;
        let requests = vec![actors::join_request()];
        Ok(social_graph::ListJoinRequestsResponse { requests, next_page_token: "more".to_owned() })
    });
    table.answers("social_graph.answer_join_request", |_, request: social_graph::AnswerJoinRequestRequest, actor| {
        require_ana(actor, "NOT_MODERATOR")?;
        known_community(&request.community_id)?;
        if request.member_id == DINA.to_string() {
            return Err(refuse(ErrorKind::NotFound, "JOIN_REQUEST_NOT_FOUND", "This member does not ask to join."));
        }
        Ok(social_graph::AnswerJoinRequestResponse {})
    });
    table.answers("social_graph.invite_member", |_, request: social_graph::InviteMemberRequest, actor| {
        require_ana(actor, "NOT_MODERATOR")?;
        known_community(&request.community_id)?;
        Ok(social_graph::InviteMemberResponse {})
    });
    table.answers("social_graph.withdraw_invitation", |_, request: social_graph::WithdrawInvitationRequest, actor| {
        require_ana(actor, "NOT_MODERATOR")?;
        known_community(&request.community_id)?;
        Ok(social_graph::WithdrawInvitationResponse {})
    });
    table.answers("social_graph.list_invitations", |_, request: social_graph::ListInvitationsRequest, actor| {
        require_ana(actor, "NOT_MODERATOR")?;
        known_community(&request.community_id)?;
        let invitations = vec![actors::community_invitation()];
        Ok(social_graph::ListInvitationsResponse { invitations, next_page_token: "more".to_owned() })
    });
    table.answers("social_graph.list_own_invitations", |_, _: social_graph::ListOwnInvitationsRequest, actor| {
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
    });
    table.answers("social_graph.transfer_community", |_, request: social_graph::TransferCommunityRequest, actor| {
        require_ana(actor, "NOT_OWNER")?;
        known_community(&request.community_id)?;
        if request.member_id.is_empty() {
            return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "memberId", "This is not an id."));
        }
        let role = social_graph::CommunityRole::Moderator.into();
        let community = social_graph::Community { role, ..actors::community(actor) };
        Ok(social_graph::TransferCommunityResponse { community: Some(community) })
    });
    table.answers("social_graph.dissolve_community", |_, request: social_graph::DissolveCommunityRequest, actor| {
        require_ana(actor, "NOT_OWNER")?;
        known_community(&request.community_id)?;
        Ok(social_graph::DissolveCommunityResponse {})
    });
    table.answers("social_graph.request_connection", |_, request: social_graph::RequestConnectionRequest, actor| {
        let requester_id = actor.unwrap().to_string();
        if request.member_id == requester_id || Uuid::try_parse(&request.member_id).is_err() {
            return Err(actors::invalid_field(
                ErrorKind::Invalid,
                "INVALID",
                "memberId",
                "You cannot connect with yourself.",
            ));
        }
        let request_by_ben = actors::connection(social_graph::ConnectionStatus::Pending);
        let connection = social_graph::Connection { requester_id, recipient_id: request.member_id, ..request_by_ben };
        // A request of Ben exists.
        let changed = actor != Some(BEN);
        Ok(social_graph::RequestConnectionResponse { connection: Some(connection), changed })
    });
    table.answers("social_graph.answer_connection", |_, request: social_graph::AnswerConnectionRequest, actor| {
        require_participant(&request.connection_id, actor, ANA, "NOT_RECIPIENT")?;
        let connection = Some(actors::connection(request.status()));
        Ok(social_graph::AnswerConnectionResponse { connection })
    });
    table.answers("social_graph.remove_connection", |_, request: social_graph::RemoveConnectionRequest, actor| {
        require_participant(&request.connection_id, actor, BEN, "NOT_REQUESTER")?;
        Ok(social_graph::RemoveConnectionResponse {})
    });
    table.answers("social_graph.list_events", |_, _: social_graph::ListEventsRequest, actor| {
        let events = vec![social_graph::Event { description: None, ..actors::event(actor) }];
        Ok(social_graph::ListEventsResponse { events, next_page_token: "more".to_owned() })
    });
    table.answers("social_graph.get_event", |fakes, request: social_graph::GetEventRequest, actor| {
        known_event(&request.event_id)?;
        let event = fakes.event.lock().unwrap().clone().unwrap_or_else(|| actors::event(actor));
        Ok(social_graph::GetEventResponse { event: Some(event) })
    });
    table.answers("social_graph.create_event", |_, request: social_graph::CreateEventRequest, actor| {
        let own = |event| social_graph::Event { organiser_id: actor.map(|id| id.to_string()), ..event };
        Ok(social_graph::CreateEventResponse { event: event_with(request.text, actor).map(own) })
    });
    table.answers("social_graph.update_event", |_, request: social_graph::UpdateEventRequest, actor| {
        require_ana(actor, "NOT_ORGANISER")?;
        known_event(&request.event_id)?;
        Ok(social_graph::UpdateEventResponse { event: event_with(request.text, actor) })
    });
    table.answers("social_graph.cancel_event", |_, request: social_graph::CancelEventRequest, actor| {
        require_ana(actor, "NOT_ORGANISER")?;
        known_event(&request.event_id).map(|()| social_graph::CancelEventResponse {})
    });
    table.answers("social_graph.list_attendees", |_, request: social_graph::ListAttendeesRequest, _| {
        known_event(&request.event_id)?;
        let attendees = vec![actors::attendee()];
        Ok(social_graph::ListAttendeesResponse { attendees, next_page_token: "more".to_owned() })
    });
    table.answers("social_graph.attend_event", |_, request: social_graph::AttendEventRequest, actor| {
        known_event(&request.event_id)?;
        let event = social_graph::Event { attending: true, ..actors::event(actor) };
        Ok(social_graph::AttendEventResponse { event: Some(event) })
    });
    table.answers("social_graph.unattend_event", |_, request: social_graph::UnattendEventRequest, actor| {
        known_event(&request.event_id)?;
        let event = social_graph::Event { attending: false, ..actors::event(actor) };
        Ok(social_graph::UnattendEventResponse { event: Some(event) })
    });
    table.answers("social_graph.batch_get_events", |_, request: social_graph::BatchGetEventsRequest, actor| {
        let known = request.event_ids.contains(&EVENT.to_string());
        let event = known.then(|| social_graph::Event { description: None, ..actors::event(actor) });
        Ok(social_graph::BatchGetEventsResponse { events: event.into_iter().collect() })
    });
}
