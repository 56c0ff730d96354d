//! Every RPC of FeedService: who asks, what for, the answer. Transactions begin and end here and in `writes`.

mod writes;

use picture_store::Pictures;
use portia_proto::feed::{self as proto, feed_service_server::FeedService};
use primitives::{clock::Clock, ids::Ids};
use rpc::identity::Actor;
use sqlx::PgPool;
use tonic::{Request, Response, Status, Streaming};

use crate::{
    activity, comments,
    convert::{Doings, Kinds, NewReaction, Paged, Under, comment_id, looked_for, post_id, post_ids, received},
    cursors::{Commented, Reacted},
    error::Error,
    export::{Exports, Records},
    facts::Facts,
    impressions::{self, Impressions},
    pages::{self, Order},
    reactions::{self, Reaction},
    saved, search,
};

/// The server of FeedService.
#[derive(Debug)]
pub struct Feed {
    pub(crate) db: PgPool,
    pub(crate) clock: Clock,
    pub(crate) ids: Ids,
    pub(crate) facts: Facts,
    pub(crate) impressions: Impressions,
    pub(crate) pictures: Pictures,
    pub(crate) exports: Exports,
}

type Answer<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl FeedService for Feed {
    async fn create_post(&self, request: Request<proto::CreatePostRequest>) -> Answer<proto::CreatePostResponse> {
        let member = Actor::member(&request)?;
        let wanted = request.into_inner().try_into().map_err(Error::from)?;
        let post = self.publish(member, wanted).await?;
        Ok(Response::new(proto::CreatePostResponse { post: Some(post.into()) }))
    }

    async fn list_posts(&self, request: Request<proto::ListPostsRequest>) -> Answer<proto::ListPostsResponse> {
        // A community's posts are nobody's but its members'.
        let for_members = request.get_ref().community_id.is_some();
        let viewer = if for_members { Some(Actor::member(&request)?) } else { Actor::viewer(&request)? };
        let Paged { what, size }: Paged<Order> = request.into_inner().try_into().map_err(Error::from)?;
        let now = self.clock.now();
        let page = pages::list(&mut *self.connection().await?, viewer, what, size, now).await?;
        self.impressions.note(viewer, &page.rows, now);
        let posts = page.rows.into_iter().map(Into::into).collect();
        Ok(Response::new(proto::ListPostsResponse { posts, next_page_token: page.next_page_token }))
    }

    async fn get_post(&self, request: Request<proto::GetPostRequest>) -> Answer<proto::GetPostResponse> {
        let viewer = Actor::viewer(&request)?;
        let id = post_id(&request.get_ref().post_id).map_err(Error::from)?;
        let post = pages::find(&mut *self.connection().await?, viewer, id).await?;
        self.impressions.note(viewer, std::slice::from_ref(&post), self.clock.now());
        Ok(Response::new(proto::GetPostResponse { post: Some(post.into()) }))
    }

    async fn update_post(&self, request: Request<proto::UpdatePostRequest>) -> Answer<proto::UpdatePostResponse> {
        let member = Actor::member(&request)?;
        let edit = request.into_inner().try_into().map_err(Error::from)?;
        let post = self.reword(member, edit).await?;
        Ok(Response::new(proto::UpdatePostResponse { post: Some(post.into()) }))
    }

    async fn delete_post(&self, request: Request<proto::DeletePostRequest>) -> Answer<proto::DeletePostResponse> {
        let member = Actor::member(&request)?;
        let id = post_id(&request.get_ref().post_id).map_err(Error::from)?;
        self.withdraw(member, id).await?;
        Ok(Response::new(proto::DeletePostResponse {}))
    }

    async fn set_reaction(&self, request: Request<proto::SetReactionRequest>) -> Answer<proto::SetReactionResponse> {
        let member_id = Actor::member(&request)?;
        let NewReaction { post_id, kind } = request.into_inner().try_into().map_err(Error::from)?;
        let reaction = Reaction { member_id, kind };
        let like_count = self.react(post_id, reaction).await?;
        Ok(Response::new(proto::SetReactionResponse { reaction: Some(reaction.into()), like_count }))
    }

    async fn remove_reaction(
        &self,
        request: Request<proto::RemoveReactionRequest>,
    ) -> Answer<proto::RemoveReactionResponse> {
        let member = Actor::member(&request)?;
        let post_id = post_id(&request.get_ref().post_id).map_err(Error::from)?;
        let like_count = self.take_back(post_id, member).await?;
        Ok(Response::new(proto::RemoveReactionResponse { like_count }))
    }

    async fn list_reactions(
        &self,
        request: Request<proto::ListReactionsRequest>,
    ) -> Answer<proto::ListReactionsResponse> {
        let viewer = Actor::viewer(&request)?;
        let Paged { what, size }: Paged<Under<Reacted>> = request.into_inner().try_into().map_err(Error::from)?;
        let page = reactions::list(&mut *self.connection().await?, viewer, what.post_id, size, what.after).await?;
        let reactions = page.rows.into_iter().map(Into::into).collect();
        Ok(Response::new(proto::ListReactionsResponse { reactions, next_page_token: page.next_page_token }))
    }

    async fn create_comment(
        &self,
        request: Request<proto::CreateCommentRequest>,
    ) -> Answer<proto::CreateCommentResponse> {
        let member = Actor::member(&request)?;
        let wanted = request.into_inner().try_into().map_err(Error::from)?;
        let comment = self.comment(member, wanted).await?;
        Ok(Response::new(proto::CreateCommentResponse { comment: Some(comment.into()) }))
    }

    async fn update_comment(
        &self,
        request: Request<proto::UpdateCommentRequest>,
    ) -> Answer<proto::UpdateCommentResponse> {
        let member = Actor::member(&request)?;
        let edit = request.into_inner().try_into().map_err(Error::from)?;
        let comment = self.reword_comment(member, edit).await?;
        Ok(Response::new(proto::UpdateCommentResponse { comment: Some(comment.into()) }))
    }

    async fn delete_comment(
        &self,
        request: Request<proto::DeleteCommentRequest>,
    ) -> Answer<proto::DeleteCommentResponse> {
        let member = Actor::member(&request)?;
        let id = comment_id(&request.get_ref().comment_id).map_err(Error::from)?;
        let unsaid = self.withdraw_comment(member, id).await?;
        let (post_id, comment_count) = (unsaid.post_id.to_string(), unsaid.comment_count);
        Ok(Response::new(proto::DeleteCommentResponse { post_id, comment_count }))
    }

    async fn list_comments(&self, request: Request<proto::ListCommentsRequest>) -> Answer<proto::ListCommentsResponse> {
        let viewer = Actor::viewer(&request)?;
        let Paged { what, size }: Paged<Under<Commented>> = request.into_inner().try_into().map_err(Error::from)?;
        let page = comments::list(&mut *self.connection().await?, viewer, what.post_id, size, what.after).await?;
        let comments = page.rows.into_iter().map(Into::into).collect();
        Ok(Response::new(proto::ListCommentsResponse { comments, next_page_token: page.next_page_token }))
    }

    async fn list_activity(&self, request: Request<proto::ListActivityRequest>) -> Answer<proto::ListActivityResponse> {
        let viewer = Actor::viewer(&request)?;
        let Paged { what, size }: Paged<Doings> = request.into_inner().try_into().map_err(Error::from)?;
        let page = activity::list(&mut *self.connection().await?, viewer, what.member_id, size, what.after).await?;
        let (activities, next_page_token) = page.into_wire();
        Ok(Response::new(proto::ListActivityResponse { activities, next_page_token }))
    }

    async fn get_post_stats(
        &self,
        request: Request<proto::GetPostStatsRequest>,
    ) -> Answer<proto::GetPostStatsResponse> {
        let member = Actor::member(&request)?;
        let impressions = impressions::of(&mut *self.connection().await?, member).await?;
        Ok(Response::new(proto::GetPostStatsResponse { impressions }))
    }

    async fn upload_picture(
        &self,
        request: Request<Streaming<proto::UploadPictureRequest>>,
    ) -> Answer<proto::UploadPictureResponse> {
        let member = Actor::member(&request)?;
        let file = received(request.into_inner()).await?;
        let picture = self.keep(member, file).await?;
        Ok(Response::new(picture.into()))
    }

    async fn search_posts(&self, request: Request<proto::SearchPostsRequest>) -> Answer<proto::SearchPostsResponse> {
        let viewer = Actor::viewer(&request)?;
        let asked = looked_for(&request.into_inner()).map_err(Error::from)?;
        let found = search::posts(&mut *self.connection().await?, asked, viewer).await?;
        let (posts, next_page_token, terms) = found.into_wire();
        Ok(Response::new(proto::SearchPostsResponse { posts, next_page_token, terms }))
    }

    async fn batch_get_posts(
        &self,
        request: Request<proto::BatchGetPostsRequest>,
    ) -> Answer<proto::BatchGetPostsResponse> {
        let viewer = Actor::viewer(&request)?;
        let ids = post_ids(request.get_ref()).map_err(Error::from)?;
        let posts = pages::these(&mut *self.connection().await?, viewer, &ids).await.map_err(Error::from)?;
        self.impressions.note(viewer, &posts, self.clock.now());
        Ok(Response::new(proto::BatchGetPostsResponse { posts: posts.into_iter().map(Into::into).collect() }))
    }

    async fn save_item(&self, request: Request<proto::SaveItemRequest>) -> Answer<proto::SaveItemResponse> {
        let member = Actor::member(&request)?;
        let thing = request.into_inner().try_into().map_err(Error::from)?;
        let item = self.save(member, &thing).await?;
        Ok(Response::new(proto::SaveItemResponse { item: Some(item.into()) }))
    }

    async fn unsave_item(&self, request: Request<proto::UnsaveItemRequest>) -> Answer<proto::UnsaveItemResponse> {
        let member = Actor::member(&request)?;
        let thing = request.into_inner().try_into().map_err(Error::from)?;
        self.unsave(member, &thing).await?;
        Ok(Response::new(proto::UnsaveItemResponse {}))
    }

    async fn list_saved_items(
        &self,
        request: Request<proto::ListSavedItemsRequest>,
    ) -> Answer<proto::ListSavedItemsResponse> {
        let member = Actor::member(&request)?;
        let Paged { what, size }: Paged<Kinds> = request.into_inner().try_into().map_err(Error::from)?;
        let page = saved::list(&mut *self.connection().await?, member, what.kind, size, &what.after).await?;
        let (items, next_page_token) = page.into_wire();
        Ok(Response::new(proto::ListSavedItemsResponse { items, next_page_token }))
    }

    async fn report_item(&self, request: Request<proto::ReportItemRequest>) -> Answer<proto::ReportItemResponse> {
        let member = Actor::member(&request)?;
        let report = request.into_inner().try_into().map_err(Error::from)?;
        self.report(member, report).await?;
        Ok(Response::new(proto::ReportItemResponse {}))
    }

    type ExportMemberStream = Records;

    async fn export_member(&self, request: Request<proto::ExportMemberRequest>) -> Answer<Records> {
        let member = Actor::member(&request)?;
        Ok(Response::new(self.exports.stream(member)))
    }
}

impl Feed {
    async fn connection(&self) -> Result<sqlx::pool::PoolConnection<sqlx::Postgres>, Error> {
        Ok(self.db.acquire().await?)
    }
}
