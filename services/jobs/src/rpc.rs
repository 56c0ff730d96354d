//! The RPCs of portia.jobs.v1.JobsService. Each file in `rpc/` holds one feature with its transactions.

mod application_files;
mod applications;
mod postings;
mod sources;

use crawler::schedule::Schedule;
use idempotency::IdempotencyKeys;
use outbox::{Changes, UnitOfWork};
use portia_proto::jobs::{self as pb, jobs_service_server};
use primitives::clock::Clock;
use rpc::identity::Actor;
use sqlx::PgConnection;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use self::application_files::FileStream;
use crate::{
    error::Error,
    export::{ExportStream, MemberExporter},
};

/// The server of portia.jobs.v1.JobsService.
pub struct JobsService {
    pub db: db::Pool,
    pub clock: Clock,
    pub keys: IdempotencyKeys,
    pub changes: Changes,
    pub exports: MemberExporter,
    pub schedule: Schedule<Uuid>,
}

type RpcResult<T> = Result<Response<T>, Status>;

impl JobsService {
    /// A connection for reads, which need no transaction.
    async fn connection(&self) -> Result<db::Connection, Error> {
        Ok(db::acquire(&self.db).await?)
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
    jobs_service_server::JobsService as JobsService, messages of pb {
        list_jobs => postings::list;
        get_job => postings::get;
        batch_get_jobs => postings::batch_get;
        search_jobs => postings::search;
        get_stats => postings::get_stats;
        list_my_applications => applications::list;
        get_application => applications::get;
        apply => applications::apply;
        update_application => applications::update;
        delete_application_file => application_files::delete;
        refresh_jobs => sources::refresh;
        list_sources => sources::list;
    }
    uploads {
        upload_application_file => application_files::upload;
    }
    downloads {
        download_application_file: FileStream => application_files::download;
        export_member: ExportStream => export_member;
    }
}

async fn export_member(service: &JobsService, request: Request<pb::ExportMemberRequest>) -> RpcResult<ExportStream> {
    let member = Actor::member(&request)?;
    Ok(Response::new(service.exports.stream(member)))
}
