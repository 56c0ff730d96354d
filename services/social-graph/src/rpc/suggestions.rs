//! RPCs of suggested members.

use portia_proto::social_graph as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{RpcResult, SocialGraphService};
use crate::{
    connections::suggestions,
    convert::{ListSuggestions, OtherMember},
};

pub(super) async fn list(
    service: &SocialGraphService,
    request: Request<pb::ListSuggestionsRequest>,
) -> RpcResult<pb::ListSuggestionsResponse> {
    let member = Actor::member(&request)?;
    let ListSuggestions(size) = ListSuggestions::try_from(request.into_inner())?;
    let suggestions =
        suggestions::list(&mut *service.connection_of_memory().await?, &service.memory, member, size).await?;
    let suggestions = suggestions.into_iter().map(Into::into).collect();
    Ok(Response::new(pb::ListSuggestionsResponse { suggestions }))
}

pub(super) async fn dismiss(
    service: &SocialGraphService,
    request: Request<pb::DismissSuggestionRequest>,
) -> RpcResult<pb::DismissSuggestionResponse> {
    let member = Actor::member(&request)?;
    let other = OtherMember::than(member, &request.get_ref().member_id)?;
    let mut db = service.connection().await?;
    suggestions::dismiss(&mut service.work(&mut db), member, other).await?;
    Ok(Response::new(pb::DismissSuggestionResponse {}))
}
