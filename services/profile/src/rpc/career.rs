//! ReplaceProfile: bio, experience, education and skills.

use rpc::identity::Actor;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{ProfileService, RpcResult, pb};
use crate::{
    career::{self, Career},
    endorsements::Skill,
    error::Error,
    members::{self, Member},
    publishing,
};

pub(super) async fn replace(
    service: &ProfileService,
    request: Request<pb::ReplaceProfileRequest>,
) -> RpcResult<pb::ReplaceProfileResponse> {
    let member = Actor::member(&request)?;
    let career = Career::try_from(request.into_inner()).map_err(Error::from)?;
    let member = apply(service, member, career.with_ids(&service.ids, member)).await?;
    Ok(Response::new(pb::ReplaceProfileResponse { member: Some(member.into()) }))
}

async fn apply(service: &ProfileService, id: Uuid, career: Career) -> Result<Member, Error> {
    let now = service.clock.now();
    let mut tx = db::begin(&service.db).await?;
    for removed in career::replace(&mut tx, id, career).await? {
        let skill = Skill { member_id: id, name: removed.skill };
        publishing::publish_endorsement_removed(&service.outbox, &mut tx, &skill, removed.endorser_id, now).await?;
    }
    publishing::publish_member_changed(&service.outbox, &mut tx, id, now).await?;
    let member = members::get(&mut *tx, id, Some(id)).await?;
    tx.commit().await?;
    Ok(member)
}
