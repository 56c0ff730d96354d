//! The graph, as a fake: one connection, which Ben asked for.

use chassis::{actor::Actor, error::Kind};
use portia_proto::social_graph;
use tokio_stream::StreamExt as _;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{BoxStream, Fake, refuse, signed_in};
use crate::cast::{self, ANA, BEN, CONNECTION};

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
