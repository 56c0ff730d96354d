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
use picture_store::Pictures;
use portia_proto::feed::{self as pb, feed_service_server};
use primitives::{clock::Clock, ids::Ids};
use rpc::identity::Actor;
use tonic::{Request, Response, Status, Streaming};

use self::pdf_files::PdfStream;
use crate::{
    comments::pages::CommentPages,
    error::Error,
    export::{Exporter, RecordStream},
    impressions::ImpressionBuffer,
    link_previews::LinkPreviews,
    publishing::FactPublisher,
    timeline::{bodies::PostBodies, relevance::RelevanceMemory},
};

pub struct FeedService {
    pub db: db::Pool,
    pub clock: Clock,
    pub ids: Ids,
    pub facts: FactPublisher,
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
}

async fn commit(tx: db::Transaction) -> Result<(), Error> {
    Ok(tx.commit().await?)
}

#[tonic::async_trait]
impl feed_service_server::FeedService for FeedService {
    type ExportMemberStream = RecordStream;

    async fn create_post(&self, request: Request<pb::CreatePostRequest>) -> RpcResult<pb::CreatePostResponse> {
        posts::create(self, request).await
    }

    async fn update_post(&self, request: Request<pb::UpdatePostRequest>) -> RpcResult<pb::UpdatePostResponse> {
        posts::update(self, request).await
    }

    async fn delete_post(&self, request: Request<pb::DeletePostRequest>) -> RpcResult<pb::DeletePostResponse> {
        posts::delete(self, request).await
    }

    async fn get_link_preview(
        &self,
        request: Request<pb::GetLinkPreviewRequest>,
    ) -> RpcResult<pb::GetLinkPreviewResponse> {
        link_previews::get(self, request).await
    }

    async fn list_topic_posts(
        &self,
        request: Request<pb::ListTopicPostsRequest>,
    ) -> RpcResult<pb::ListTopicPostsResponse> {
        topics::list_posts(self, request).await
    }

    async fn list_topics(&self, request: Request<pb::ListTopicsRequest>) -> RpcResult<pb::ListTopicsResponse> {
        topics::list(self, request).await
    }

    async fn follow_topic(&self, request: Request<pb::FollowTopicRequest>) -> RpcResult<pb::FollowTopicResponse> {
        topics::follow(self, request).await
    }

    async fn unfollow_topic(&self, request: Request<pb::UnfollowTopicRequest>) -> RpcResult<pb::UnfollowTopicResponse> {
        topics::unfollow(self, request).await
    }

    async fn list_post_reasons(
        &self,
        request: Request<pb::ListPostReasonsRequest>,
    ) -> RpcResult<pb::ListPostReasonsResponse> {
        feed_control::list_reasons(self, request).await
    }

    async fn hide_post(&self, request: Request<pb::HidePostRequest>) -> RpcResult<pb::HidePostResponse> {
        feed_control::hide_post(self, request).await
    }

    async fn unhide_post(&self, request: Request<pb::UnhidePostRequest>) -> RpcResult<pb::UnhidePostResponse> {
        feed_control::unhide_post(self, request).await
    }

    async fn list_hidden_posts(
        &self,
        request: Request<pb::ListHiddenPostsRequest>,
    ) -> RpcResult<pb::ListHiddenPostsResponse> {
        feed_control::list_hidden_posts(self, request).await
    }

    async fn create_mute(&self, request: Request<pb::CreateMuteRequest>) -> RpcResult<pb::CreateMuteResponse> {
        feed_control::create_mute(self, request).await
    }

    async fn delete_mute(&self, request: Request<pb::DeleteMuteRequest>) -> RpcResult<pb::DeleteMuteResponse> {
        feed_control::delete_mute(self, request).await
    }

    async fn list_mutes(&self, request: Request<pb::ListMutesRequest>) -> RpcResult<pb::ListMutesResponse> {
        feed_control::list_mutes(self, request).await
    }

    async fn get_post_stats(&self, request: Request<pb::GetPostStatsRequest>) -> RpcResult<pb::GetPostStatsResponse> {
        posts::get_stats(self, request).await
    }

    async fn upload_picture(
        &self,
        request: Request<Streaming<pb::UploadPictureRequest>>,
    ) -> RpcResult<pb::UploadPictureResponse> {
        pictures::upload(self, request).await
    }

    async fn check_picture(&self, request: Request<pb::CheckPictureRequest>) -> RpcResult<pb::CheckPictureResponse> {
        pictures::check(self, request).await
    }

    async fn upload_pdf(&self, request: Request<Streaming<pb::UploadPdfRequest>>) -> RpcResult<pb::UploadPdfResponse> {
        pdf_files::upload(self, request).await
    }

    type DownloadPdfStream = PdfStream;

    async fn download_pdf(&self, request: Request<pb::DownloadPdfRequest>) -> RpcResult<PdfStream> {
        pdf_files::download(self, request).await
    }

    async fn list_posts(&self, request: Request<pb::ListPostsRequest>) -> RpcResult<pb::ListPostsResponse> {
        timeline::list(self, request).await
    }

    async fn get_post(&self, request: Request<pb::GetPostRequest>) -> RpcResult<pb::GetPostResponse> {
        timeline::get(self, request).await
    }

    async fn batch_get_posts(
        &self,
        request: Request<pb::BatchGetPostsRequest>,
    ) -> RpcResult<pb::BatchGetPostsResponse> {
        timeline::batch_get(self, request).await
    }

    async fn batch_get_post_bodies(
        &self,
        request: Request<pb::BatchGetPostBodiesRequest>,
    ) -> RpcResult<pb::BatchGetPostBodiesResponse> {
        timeline::batch_get_bodies(self, request).await
    }

    async fn search_posts(&self, request: Request<pb::SearchPostsRequest>) -> RpcResult<pb::SearchPostsResponse> {
        timeline::search(self, request).await
    }

    async fn list_activity(&self, request: Request<pb::ListActivityRequest>) -> RpcResult<pb::ListActivityResponse> {
        timeline::list_activity(self, request).await
    }

    async fn set_reaction(&self, request: Request<pb::SetReactionRequest>) -> RpcResult<pb::SetReactionResponse> {
        reactions::set(self, request).await
    }

    async fn remove_reaction(
        &self,
        request: Request<pb::RemoveReactionRequest>,
    ) -> RpcResult<pb::RemoveReactionResponse> {
        reactions::remove(self, request).await
    }

    async fn list_reactions(&self, request: Request<pb::ListReactionsRequest>) -> RpcResult<pb::ListReactionsResponse> {
        reactions::list(self, request).await
    }

    async fn create_comment(&self, request: Request<pb::CreateCommentRequest>) -> RpcResult<pb::CreateCommentResponse> {
        comments::create(self, request).await
    }

    async fn update_comment(&self, request: Request<pb::UpdateCommentRequest>) -> RpcResult<pb::UpdateCommentResponse> {
        comments::update(self, request).await
    }

    async fn delete_comment(&self, request: Request<pb::DeleteCommentRequest>) -> RpcResult<pb::DeleteCommentResponse> {
        comments::delete(self, request).await
    }

    async fn list_comments(&self, request: Request<pb::ListCommentsRequest>) -> RpcResult<pb::ListCommentsResponse> {
        comments::list(self, request).await
    }

    async fn get_comment(&self, request: Request<pb::GetCommentRequest>) -> RpcResult<pb::GetCommentResponse> {
        comments::get(self, request).await
    }

    async fn list_replies(&self, request: Request<pb::ListRepliesRequest>) -> RpcResult<pb::ListRepliesResponse> {
        comments::list_replies(self, request).await
    }

    async fn set_comment_reaction(
        &self,
        request: Request<pb::SetCommentReactionRequest>,
    ) -> RpcResult<pb::SetCommentReactionResponse> {
        comment_reactions::set(self, request).await
    }

    async fn remove_comment_reaction(
        &self,
        request: Request<pb::RemoveCommentReactionRequest>,
    ) -> RpcResult<pb::RemoveCommentReactionResponse> {
        comment_reactions::remove(self, request).await
    }

    async fn list_comment_reactions(
        &self,
        request: Request<pb::ListCommentReactionsRequest>,
    ) -> RpcResult<pb::ListCommentReactionsResponse> {
        comment_reactions::list(self, request).await
    }

    async fn save_item(&self, request: Request<pb::SaveItemRequest>) -> RpcResult<pb::SaveItemResponse> {
        saved_items::save(self, request).await
    }

    async fn unsave_item(&self, request: Request<pb::UnsaveItemRequest>) -> RpcResult<pb::UnsaveItemResponse> {
        saved_items::unsave(self, request).await
    }

    async fn list_saved_items(
        &self,
        request: Request<pb::ListSavedItemsRequest>,
    ) -> RpcResult<pb::ListSavedItemsResponse> {
        saved_items::list(self, request).await
    }

    async fn report_item(&self, request: Request<pb::ReportItemRequest>) -> RpcResult<pb::ReportItemResponse> {
        reports::create(self, request).await
    }

    async fn list_reports(&self, request: Request<pb::ListReportsRequest>) -> RpcResult<pb::ListReportsResponse> {
        moderation::list_reports(self, request).await
    }

    async fn get_report(&self, request: Request<pb::GetReportRequest>) -> RpcResult<pb::GetReportResponse> {
        moderation::get_report(self, request).await
    }

    async fn decide_report(&self, request: Request<pb::DecideReportRequest>) -> RpcResult<pb::DecideReportResponse> {
        moderation::decide_report(self, request).await
    }

    async fn list_appeals(&self, request: Request<pb::ListAppealsRequest>) -> RpcResult<pb::ListAppealsResponse> {
        moderation::list_appeals(self, request).await
    }

    async fn decide_appeal(&self, request: Request<pb::DecideAppealRequest>) -> RpcResult<pb::DecideAppealResponse> {
        moderation::decide_appeal(self, request).await
    }

    async fn get_moderation_stats(
        &self,
        request: Request<pb::GetModerationStatsRequest>,
    ) -> RpcResult<pb::GetModerationStatsResponse> {
        moderation::get_stats(self, request).await
    }

    async fn get_removal(&self, request: Request<pb::GetRemovalRequest>) -> RpcResult<pb::GetRemovalResponse> {
        moderation::get_removal(self, request).await
    }

    async fn appeal_removal(&self, request: Request<pb::AppealRemovalRequest>) -> RpcResult<pb::AppealRemovalResponse> {
        moderation::appeal(self, request).await
    }

    async fn export_member(&self, request: Request<pb::ExportMemberRequest>) -> RpcResult<RecordStream> {
        let member = Actor::member(&request)?;
        Ok(Response::new(self.exports.stream(member)))
    }
}
