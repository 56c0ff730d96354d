//! The RPCs of portia.profile.v1.ProfileService. Each file in `rpc/` holds one feature with its transactions.

mod career;
mod endorsements;
mod members;
mod onboarding;
mod privacy;
mod verifications;

use outbox::{Changes, UnitOfWork};
use picture_store::Pictures;
use portia_proto::profile::{self as pb, profile_service_server};
use primitives::clock::Clock;
use sqlx::PgConnection;
use tonic::{Response, Status};

use crate::{
    error::Error,
    export::{Exporter, RecordStream},
    members::bodies::ProfileBodies,
    search::SearchCards,
    views::ViewBuffer,
};

pub struct ProfileService {
    pub db: db::Pool,
    pub clock: Clock,
    pub changes: Changes,
    pub pictures: Pictures,
    pub views: ViewBuffer,
    pub profiles: ProfileBodies,
    pub search_cards: SearchCards,
    pub exports: Exporter,
}

type RpcResult<T> = Result<Response<T>, Status>;

impl ProfileService {
    /// Acquires a connection for a statement without a transaction.
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
    profile_service_server::ProfileService as ProfileService, messages of pb {
        ensure_member => members::ensure;
        get_member => members::get;
        check_picture => members::check_picture;
        batch_get_members => members::batch_get;
        match_names => members::match_names;
        search_members => members::search;
        update_member => members::update;
        get_privacy_settings => privacy::get;
        update_privacy_settings => privacy::update;
        update_onboarding => onboarding::update;
        replace_profile => career::replace;
        endorse_skill => endorsements::create;
        withdraw_endorsement => endorsements::withdraw;
        hide_endorsement => endorsements::hide;
        list_endorsements => endorsements::list;
        list_namesakes => verifications::list_namesakes;
        match_connection_names => verifications::match_connection_names;
        list_school_members => verifications::list_members;
        verify_member => verifications::verify;
        withdraw_verification => verifications::withdraw;
        list_verification_decisions => verifications::list_decisions;
    }
    downloads {
        export_member: RecordStream => members::export;
    }
}
