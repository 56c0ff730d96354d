//! The service's RPCs, one line each; the feature files hold the transactions.

mod blocks;
mod communities;
mod community_admission;
mod community_moderation;
mod connections;
mod events;
mod follows;
mod suggestions;

use std::sync::Arc;

use idempotency::IdempotencyKeys;
use outbox::{Changes, UnitOfWork};
use portia_proto::social_graph::{self as pb, social_graph_service_server};
use primitives::clock::Clock;
use rpc::identity::Actor;
use sqlx::PgConnection;
use tonic::{Request, Response, Status};

use crate::{
    connections::memory::GraphMemory,
    error::Error,
    export::{ExportStream, MemberExporter},
};

/// The server of portia.social_graph.v1.SocialGraphService.
pub struct SocialGraphService {
    pub db: db::Pool,
    pub clock: Clock,
    pub changes: Changes,
    pub keys: IdempotencyKeys,
    pub exports: MemberExporter,
    pub memory: Arc<GraphMemory>,
    /// Multiplies the allowance of requests to connect.
    pub rate_limit_scale: u32,
}

type RpcResult<T> = Result<Response<T>, Status>;

impl SocialGraphService {
    /// Acquires a connection for reads, which need no transaction.
    async fn connection(&self) -> Result<db::Connection, Error> {
        Ok(db::acquire(&self.db).await?)
    }

    /// Like [`Self::connection`], for the memory of connections, which follows the primary.
    async fn connection_of_memory(&self) -> Result<db::Connection, Error> {
        Ok(db::acquire_at_primary(&self.db).await?)
    }

    async fn begin(&self) -> Result<db::Transaction, Error> {
        Ok(db::begin(&self.db).await?)
    }

    fn work<'a>(&'a self, db: &'a mut PgConnection) -> UnitOfWork<'a> {
        self.changes.work(db)
    }
}

async fn commit(tx: db::Transaction) -> Result<(), Error> {
    Ok(tx.commit().await?)
}

rpc::forward! {
    social_graph_service_server::SocialGraphService as SocialGraphService, messages of pb {
        list_connections => connections::list;
        list_pending_requests => connections::list_pending;
        find_connection => connections::find;
        batch_find_connections => connections::batch_find;
        request_connection => connections::request;
        answer_connection => connections::answer;
        remove_connection => connections::remove;
        list_suggestions => suggestions::list;
        dismiss_suggestion => suggestions::dismiss;
        block_member => blocks::block;
        unblock_member => blocks::unblock;
        list_blocks => blocks::list;
        follow_member => follows::follow;
        unfollow_member => follows::unfollow;
        get_follow => follows::get;
        list_follows => follows::list;
        list_communities => communities::list;
        search_communities => communities::search;
        get_community => communities::get;
        create_community => communities::create;
        update_community => communities::update;
        list_members => communities::list_members;
        join_community => communities::join;
        leave_community => communities::leave;
        set_member_role => communities::set_member_role;
        transfer_community => community_moderation::transfer;
        dissolve_community => community_moderation::dissolve;
        remove_member => community_moderation::remove_member;
        unban_member => community_moderation::unban_member;
        list_bans => community_moderation::list_bans;
        batch_get_communities => communities::batch_get;
        list_join_requests => community_admission::list_requests;
        answer_join_request => community_admission::answer_request;
        invite_member => community_admission::invite;
        withdraw_invitation => community_admission::withdraw_invitation;
        list_invitations => community_admission::list_invitations;
        list_own_invitations => community_admission::list_own_invitations;
        list_community_log => community_moderation::list_log;
        list_events => events::list;
        get_event => events::get;
        batch_get_events => events::batch_get;
        create_event => events::create;
        update_event => events::update;
        cancel_event => events::cancel;
        list_attendees => events::list_attendees;
        attend_event => events::attend;
        unattend_event => events::unattend;
    }
    downloads {
        export_member: ExportStream => export_member;
    }
}

async fn export_member(
    service: &SocialGraphService,
    request: Request<pb::ExportMemberRequest>,
) -> RpcResult<ExportStream> {
    let member = Actor::member(&request)?;
    Ok(Response::new(service.exports.stream(member)))
}
