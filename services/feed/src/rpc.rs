//! Every RPC of FeedService: who asks, what for, the answer. Transactions begin and end here.

use chassis::{actor::Actor, clock::Clock, db::begin, ids::Ids};
use portia_proto::feed::{self as proto, feed_service_server::FeedService};
use sqlx::PgPool;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::{
    activity,
    comments::{self, Comment, NewComment},
    convert::{Doings, Keyed, NewReaction, Paged, Under, post_id},
    cursors::{Commented, Reacted},
    error::Error,
    export::{Exports, Records},
    facts::Facts,
    idempotency::{self, claim, hash},
    impressions::{self, Impressions},
    pages::{self, Order},
    posts::{self, NewPost, Post},
    reactions::{self, Reaction},
};

/// The server of FeedService.
#[derive(Debug)]
pub struct Feed {
    pub(crate) db: PgPool,
    pub(crate) clock: Clock,
    pub(crate) ids: Ids,
    pub(crate) facts: Facts,
    pub(crate) impressions: Impressions,
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

    type ExportMemberStream = Records;

    async fn export_member(&self, request: Request<proto::ExportMemberRequest>) -> Answer<Records> {
        let member = Actor::member(&request)?;
        Ok(Response::new(self.exports.of(member)))
    }
}

impl Feed {
    async fn connection(&self) -> Result<sqlx::pool::PoolConnection<sqlx::Postgres>, Error> {
        Ok(self.db.acquire().await?)
    }

    async fn publish(&self, member: Uuid, wanted: Keyed<NewPost>) -> Result<Post, Error> {
        let (new, now) = (wanted.what, self.clock.now());
        let id = self.ids.owned_by(member);
        let mut tx = begin(&self.db).await?;
        if let Some(key) = &wanted.key {
            // Without a community the hash is what it was before there were any: keys live for a day.
            let community = new.community_id.as_ref().map(|id| id.as_bytes().as_slice());
            let parts: Vec<&[u8]> = [Some(new.content.as_bytes()), community].into_iter().flatten().collect();
            let request = idempotency::Request { member_id: member, route: "CreatePost", key, body_hash: hash(&parts) };
            if let Some(earlier) = claim(&mut tx, &request, id, now).await? {
                return pages::find(&mut tx, Some(member), earlier).await;
            }
        }
        let community = posts::publish(&mut tx, id, member, &new, now).await?;
        self.facts.post_created(&mut tx, id, member, new.community_id, now).await?;
        tx.commit().await?;
        Ok(Post { community, ..Post::fresh(id, member, new.content.into_string(), now) })
    }

    async fn react(&self, post_id: Uuid, reaction: Reaction) -> Result<i64, Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        let outcome = reactions::set(&mut tx, post_id, reaction.member_id, reaction.kind, now).await?;
        if outcome.changed {
            self.facts.post_reacted(&mut tx, post_id, outcome.author_id, reaction, now).await?;
        }
        tx.commit().await?;
        Ok(outcome.like_count)
    }

    async fn take_back(&self, post_id: Uuid, member: Uuid) -> Result<i64, Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        let outcome = reactions::remove(&mut tx, post_id, member).await?;
        if outcome.changed {
            self.facts.post_reaction_removed(&mut tx, post_id, outcome.author_id, member, now).await?;
        }
        tx.commit().await?;
        Ok(outcome.like_count)
    }

    async fn comment(&self, member: Uuid, wanted: Keyed<NewComment>) -> Result<Comment, Error> {
        let (new, now) = (wanted.what, self.clock.now());
        // In the bucket of the post's author, which the post's id carries.
        let id = self.ids.owned_by(new.post_id);
        let mut tx = begin(&self.db).await?;
        if let Some(key) = &wanted.key {
            let body_hash = hash(&[new.post_id.as_bytes(), new.content.as_bytes()]);
            let request = idempotency::Request { member_id: member, route: "CreateComment", key, body_hash };
            if let Some(earlier) = claim(&mut tx, &request, id, now).await? {
                return comments::find(&mut tx, earlier).await?.ok_or(Error::PostNotFound);
            }
        }
        let post_author = comments::add(&mut tx, id, member, &new, now).await?;
        self.facts.post_commented(&mut tx, new.post_id, post_author, id, member, now).await?;
        tx.commit().await?;
        Ok(Comment { id, post_id: new.post_id, author_id: member, content: new.content.into_string(), created_at: now })
    }
}
