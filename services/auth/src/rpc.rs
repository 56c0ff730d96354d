//! The RPCs of portia.auth.v1.AuthService. Each file in `rpc/` holds one feature with its transactions.

mod account;
mod moderation;
mod passkeys;
mod passwords;
mod reauthentication;
mod recovery_codes;
mod registration;
mod sessions;
mod totp;

use chassis::lifecycle::Tasks;
use outbox::{Changes, UnitOfWork};
use portia_proto::auth::{self as pb, auth_service_server};
use primitives::clock::Clock;
use rpc::identity::Actor;
use sqlx::PgConnection;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::{
    audit::{self, AuditEvent},
    credentials::{hashing::PasswordHashing, password::PasswordPolicy, sealing::SealingKeys},
    error::Error,
    export::{Exporter, RecordStream},
    sessions::{Browser, Session, member_tokens::MemberTokens},
};

/// The implementation of the RPCs.
pub struct AuthService {
    /// The pool on schema auth.
    pub db: db::Pool,
    /// Begins units of work.
    pub changes: Changes,
    /// The time.
    pub clock: Clock,
    /// Hashes passwords.
    pub hashing: PasswordHashing,
    /// The rules for new passwords.
    pub policy: PasswordPolicy,
    /// Signs member tokens.
    pub tokens: MemberTokens,
    /// Encrypts the secrets of authenticator apps.
    pub secrets: SealingKeys,
    /// Streams the data of a member.
    pub exports: Exporter,
    /// Shutdown waits for these tasks.
    pub tasks: Tasks,
}

type RpcResult<T> = Result<Response<T>, Status>;

rpc::forward! {
    auth_service_server::AuthService as AuthService, messages of pb {
        register => registration::register;
        login => sessions::login;
        logout => sessions::logout;
        resolve_session => sessions::resolve;
        check_username => passwords::check_username;
        reset_password => passwords::reset;
        change_password => passwords::change;
        reauthenticate => reauthentication::reauthenticate;
        check_reauthentication => reauthentication::check;
        list_sessions => sessions::list;
        list_trusted_browsers => sessions::list_trusted_browsers;
        delete_trusted_browser => sessions::delete_trusted_browser;
        end_sessions => sessions::end;
        get_recovery_codes => recovery_codes::get;
        renew_recovery_codes => recovery_codes::renew;
        list_passkeys => passkeys::list;
        start_passkey_registration => passkeys::start_registration;
        create_passkey => passkeys::create;
        update_passkey => passkeys::update;
        delete_passkey => passkeys::delete;
        start_passkey_authentication => passkeys::start_authentication;
        start_passkey_proof => passkeys::start_proof;
        login_with_passkey => passkeys::login;
        get_totp => totp::get;
        create_totp => totp::create;
        confirm_totp => totp::confirm;
        delete_totp => totp::delete;
        close_account => account::close;
        get_member_standing => moderation::get_standing;
        list_suspended_members => moderation::list_suspended;
        suspend_member => moderation::suspend;
        restore_member => moderation::restore;
        appeal_suspension => moderation::appeal;
        list_suspension_appeals => moderation::list_appeals;
        decide_suspension_appeal => moderation::decide_appeal;
        list_moderation_log => moderation::list_log;
        check_password => passwords::check;
    }
    downloads {
        export_member: RecordStream => account::export;
    }
}

impl AuthService {
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

    /// Writes an audit row after the response: the response time must not reveal whether the account exists.
    fn record_later(&self, member: Uuid, event: AuditEvent, browser: &Browser) {
        let (db, changes, browser) = (self.db.clone(), self.changes.clone(), browser.clone());
        self.tasks.track(async move {
            let mut db = db::acquire(&db).await?;
            Ok(audit::record(&mut changes.work(&mut db), member, event, Some(&browser)).await?)
        });
    }
}

async fn commit(tx: db::Transaction) -> Result<(), Error> {
    Ok(tx.commit().await?)
}

fn require_gateway<T>(request: &Request<T>) -> Result<(), Status> {
    Actor::require_service(request, "gateway")
}

/// Returns the session of the calling member. The database decides whether it is still valid.
fn caller<T>(request: &Request<T>) -> Result<Session, Status> {
    match Actor::of(request)? {
        Actor::Member { id, session, .. } => Ok(Session { id: *session, member: *id }),
        Actor::Service(_) => Err(Error::SessionEnded.into()),
    }
}

fn to_strings(ids: &[Uuid]) -> Vec<String> {
    ids.iter().map(Uuid::to_string).collect()
}
