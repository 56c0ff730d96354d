//! The RPCs of portia.feed.v1.FeedService. Each file in `rpc/` holds one feature with its transactions.

mod comment_reactions;
mod comments;
mod feed_control;
mod link_previews;
mod mentions;
mod moderation;
mod pdf_files;
mod pictures;
mod posts;
mod reactions;
mod reports;
mod saved_items;
mod timeline;
mod topics;

use std::sync::Arc;

use idempotency::IdempotencyKeys;
use outbox::{Changes, UnitOfWork};
use picture_store::Pictures;
use portia_proto::feed::{self as pb, feed_service_server};
use primitives::clock::Clock;
use rpc::identity::Actor;
use sqlx::PgConnection;
use tonic::{Request, Response, Status};

use self::pdf_files::PdfStream;
use crate::{
    comments::pages::CommentPages,
    error::Error,
    export::{Exporter, RecordStream},
    impressions::ImpressionBuffer,
    link_previews::LinkPreviews,
    timeline::{bodies::PostBodies, relevance::RelevanceMemory},
};

pub struct FeedService {
    pub db: db::Pool,
    pub clock: Clock,
    pub changes: Changes,
    pub impressions: ImpressionBuffer,
    pub pictures: Pictures,
    pub link_previews: LinkPreviews,
    pub keys: IdempotencyKeys,
    pub exports: Exporter,
    pub bodies: PostBodies,
    pub relevance: Arc<RelevanceMemory>,
    pub comment_pages: CommentPages,
    pub rate_limit_scale: u32,
}

type RpcResult<T> = Result<Response<T>, Status>;

impl FeedService {
    /// Acquires a connection for a single statement, which needs no transaction.
    async fn connection(&self) -> Result<db::Connection, Error> {
        Ok(db::acquire(&self.db).await?)
    }

    /// Acquires a connection like [`Self::connection`], for the memory of relevant posts, which follows the primary.
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
    feed_service_server::FeedService as FeedService, messages of pb {
        create_post => posts::create;
        update_post => posts::update;
        delete_post => posts::delete;
        get_link_preview => link_previews::get;
        list_topic_posts => topics::list_posts;
        list_topics => topics::list;
        follow_topic => topics::follow;
        unfollow_topic => topics::unfollow;
        list_post_reasons => feed_control::list_reasons;
        hide_post => feed_control::hide_post;
        unhide_post => feed_control::unhide_post;
        list_hidden_posts => feed_control::list_hidden_posts;
        create_mute => feed_control::create_mute;
        delete_mute => feed_control::delete_mute;
        list_mutes => feed_control::list_mutes;
        get_post_stats => posts::get_stats;
        check_picture => pictures::check;
        list_posts => timeline::list;
        get_post => timeline::get;
        batch_get_posts => timeline::batch_get;
        batch_get_post_bodies => timeline::batch_get_bodies;
        search_posts => timeline::search;
        list_activity => timeline::list_activity;
        set_reaction => reactions::set;
        remove_reaction => reactions::remove;
        list_reactions => reactions::list;
        create_comment => comments::create;
        update_comment => comments::update;
        delete_comment => comments::delete;
        list_comments => comments::list;
        get_comment => comments::get;
        list_replies => comments::list_replies;
        set_comment_reaction => comment_reactions::set;
        remove_comment_reaction => comment_reactions::remove;
        list_comment_reactions => comment_reactions::list;
        save_item => saved_items::save;
        unsave_item => saved_items::unsave;
        list_saved_items => saved_items::list;
        report_item => reports::create;
        list_reports => moderation::list_reports;
        get_report => moderation::get_report;
        decide_report => moderation::decide_report;
        list_appeals => moderation::list_appeals;
        decide_appeal => moderation::decide_appeal;
        get_moderation_stats => moderation::get_stats;
        get_removal => moderation::get_removal;
        appeal_removal => moderation::appeal;
    }
    uploads {
        upload_picture => pictures::upload;
        upload_pdf => pdf_files::upload;
    }
    downloads {
        download_pdf: PdfStream => pdf_files::download;
        export_member: RecordStream => export_member;
    }
}

async fn export_member(service: &FeedService, request: Request<pb::ExportMemberRequest>) -> RpcResult<RecordStream> {
    let member = Actor::member(&request)?;
    Ok(Response::new(service.exports.stream(member)))
}
