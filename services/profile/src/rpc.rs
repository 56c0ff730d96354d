//! Every RPC: who asks, parse, call, answer. Owns the transactions; the only one who commits.

use chassis::{actor::Actor, clock::Clock, db, outbox::Outbox};
use portia_proto::profile::{
    BatchGetMembersRequest, BatchGetMembersResponse, EnsureMemberRequest, EnsureMemberResponse, GetMemberRequest,
    GetMemberResponse, profile_service_server::ProfileService,
};
use sqlx::PgPool;
use tonic::{Request, Response, Status};

use crate::{
    convert::{NewMember, member_id, member_ids},
    error::Error,
    facts, members,
};

/// portia.profile.v1.ProfileService.
pub struct Rpc {
    /// The pool on schema profile.
    pub db: PgPool,
    /// Where facts are told.
    pub outbox: Outbox,
    /// The time.
    pub clock: Clock,
}

#[tonic::async_trait]
impl ProfileService for Rpc {
    async fn ensure_member(
        &self,
        request: Request<EnsureMemberRequest>,
    ) -> Result<Response<EnsureMemberResponse>, Status> {
        Actor::require_service(&request, "gateway")?;
        let new = NewMember::try_from(request.into_inner()).map_err(Error::from)?;
        let mut tx = db::begin(&self.db).await.map_err(Error::from)?;
        facts::ensure(&self.outbox, &mut tx, &new, self.clock.now()).await?;
        let member = members::with_id(&mut *tx, new.id).await?;
        tx.commit().await.map_err(Error::from)?;
        Ok(Response::new(EnsureMemberResponse { member: Some(member.into()) }))
    }

    async fn get_member(&self, request: Request<GetMemberRequest>) -> Result<Response<GetMemberResponse>, Status> {
        Actor::of(&request)?;
        let id = member_id(&request.get_ref().member_id).map_err(Error::from)?;
        let member = members::with_id(&self.db, id).await?;
        Ok(Response::new(GetMemberResponse { member: Some(member.into()) }))
    }

    async fn batch_get_members(
        &self,
        request: Request<BatchGetMembersRequest>,
    ) -> Result<Response<BatchGetMembersResponse>, Status> {
        Actor::of(&request)?;
        let ids = member_ids(&request.get_ref().member_ids).map_err(Error::from)?;
        let cards = members::cards(&self.db, &ids).await?;
        Ok(Response::new(BatchGetMembersResponse { members: cards.into_iter().map(Into::into).collect() }))
    }
}
