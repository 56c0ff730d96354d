//! ReplaceProfile: bio, experience, education and skills.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{ProfileService, RpcResult, commit, pb};
use crate::{
    career::{self, Career},
    error::Error,
    members,
};

pub(super) async fn replace(
    service: &ProfileService,
    request: Request<pb::ReplaceProfileRequest>,
) -> RpcResult<pb::ReplaceProfileResponse> {
    let id = Actor::member(&request)?;
    let career = Career::try_from(request.into_inner()).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    career::replace(&mut service.work(&mut tx), id, career).await?;
    let member = members::get(&mut *tx, id, Some(id)).await?;
    commit(tx).await?;
    Ok(Response::new(pb::ReplaceProfileResponse { member: Some(member.into()) }))
}
