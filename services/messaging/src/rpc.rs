//! The RPCs of portia.messaging.v1.MessagingService. Each file in `rpc/` holds one feature with its transactions.

mod attachments;
mod conversations;
mod groups;
mod messages;
mod notifications;
mod push;
mod unread;

use idempotency::IdempotencyKeys;
use outbox::{Changes, UnitOfWork};
use picture_store::Encoder;
use portia_proto::messaging::{self as pb, messaging_service_server};
use rpc::identity::Actor;
use sqlx::PgConnection;
use tonic::{Request, Response, Status};

use self::attachments::{AttachmentStream, ReportedAttachmentStream};
use crate::{
    error::Error,
    export::{Exporter, RecordStream},
    push::Push,
};

pub struct MessagingService {
    pub db: db::Pool,
    pub changes: Changes,
    pub push: Push,
    /// Re-encodes pictures of messages.
    pub encoder: Encoder,
    /// The idempotency keys of uploads. Keys of messages are stored elsewhere and do not expire.
    pub keys: IdempotencyKeys,
    pub exports: Exporter,
    /// Multiplies the allowance of message requests.
    pub rate_limit_scale: u32,
}

type RpcResult<T> = Result<Response<T>, Status>;

impl MessagingService {
    /// Acquires a connection for reads, which need no transaction.
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
    messaging_service_server::MessagingService as MessagingService, messages of pb {
        list_conversations => conversations::list;
        list_partners => conversations::list_partners;
        get_conversation => conversations::get;
        open_conversation => conversations::open;
        accept_request => conversations::accept;
        clear_conversation => conversations::clear;
        mute_conversation => conversations::set_muted;
        list_messages => messages::list;
        search_messages => messages::search;
        preserve_message => messages::preserve;
        list_reported_attachments => attachments::list_reported;
        send_message => messages::send;
        edit_message => messages::edit;
        delete_message => messages::delete;
        react_to_message => messages::react;
        get_message => messages::get;
        mark_read => messages::mark_read;
        note_typing => messages::note_typing;
        get_unread => unread::get;
        list_notifications => notifications::list;
        mark_notifications_read => notifications::mark_read;
        list_notification_switches => notifications::list_switches;
        set_notification_switches => notifications::set_switches;
        create_group => groups::create;
        update_group => groups::update;
        add_group_members => groups::add_members;
        remove_group_member => groups::remove_member;
        list_group_members => groups::list_members;
        get_push_settings => push::settings;
        set_push_subscription => push::set;
        delete_push_subscription => push::delete;
    }
    uploads {
        upload_picture => attachments::upload_picture;
        upload_file => attachments::upload_file;
    }
    downloads {
        download_attachment: AttachmentStream => attachments::download;
        download_reported_attachment: ReportedAttachmentStream => attachments::download_reported;
        export_member: RecordStream => export_member;
    }
}

async fn export_member(
    service: &MessagingService,
    request: Request<pb::ExportMemberRequest>,
) -> RpcResult<RecordStream> {
    let member = Actor::member(&request)?;
    Ok(Response::new(service.exports.stream(member)))
}
