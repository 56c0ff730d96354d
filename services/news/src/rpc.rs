//! The RPCs of portia.news.v1.NewsService. Each file in `rpc/` holds one feature with its transactions.

mod articles;
mod resources;
mod sources;

use crawler::schedule::Schedule;
use outbox::{Changes, UnitOfWork};
use portia_proto::news::{self as pb, news_service_server};
use primitives::clock::Clock;
use rpc::identity::Actor;
use sqlx::PgConnection;
use tonic::{Request, Response, Status};

use crate::{
    error::Error,
    export::{ExportStream, MemberExporter},
};

/// The server of portia.news.v1.NewsService.
pub struct NewsService {
    pub db: db::Pool,
    pub clock: Clock,
    pub changes: Changes,
    pub schedule: Schedule<String>,
    pub exports: MemberExporter,
}

type RpcResult<T> = Result<Response<T>, Status>;

impl NewsService {
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
    news_service_server::NewsService as NewsService, messages of pb {
        list_articles => articles::list;
        get_article => articles::get;
        batch_get_articles => articles::batch_get;
        search_articles => articles::search;
        refresh_news => sources::refresh;
        list_sources => sources::list;
        list_crawled_sources => sources::list_crawled;
        list_resources => resources::list;
        get_resource => resources::get;
        batch_get_resources => resources::batch_get;
        search_resources => resources::search;
        suggest_resource => resources::suggest;
    }
    downloads {
        export_member: ExportStream => export_member;
    }
}

async fn export_member(service: &NewsService, request: Request<pb::ExportMemberRequest>) -> RpcResult<ExportStream> {
    let member = Actor::member(&request)?;
    Ok(Response::new(service.exports.stream(member)))
}
