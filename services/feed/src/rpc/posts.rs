//! Create, update and delete posts; the statistics of an author.

use idempotency::Claim;
use rpc::identity::Actor;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{FeedService, RpcResult, commit, mentions, pb};
use crate::{
    community_removals::Deleter,
    convert::{ContentDeletion, IdempotentRequest},
    error::Error,
    impressions,
    posts::{
        NewPost, Post,
        create::{self, CreateOutcome},
        delete, update,
    },
    timeline,
};

pub(super) async fn create(
    service: &FeedService,
    request: Request<pb::CreatePostRequest>,
) -> RpcResult<pb::CreatePostResponse> {
    let member = Actor::member(&request)?;
    let new = request.into_inner().try_into().map_err(Error::from)?;
    let post = create_post(service, member, new).await?;
    let post = mentions::of_new_post(service, member, post).await?;
    Ok(Response::new(pb::CreatePostResponse { post: Some(post) }))
}

async fn create_post(
    service: &FeedService,
    member: Uuid,
    IdempotentRequest { body: new, key }: IdempotentRequest<NewPost>,
) -> Result<Post, Error> {
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    let id = work.ids.owned_by(member);
    let claim = Claim { member, route: "CreatePost", key: key.as_ref(), resource: id };
    if let Some(earlier) = service.keys.claim(work.db, &claim, work.now).await? {
        return timeline::get(work.db, Some(member), earlier).await;
    }
    let (post, has_preview) = match create::create(work, &service.link_previews, id, member, &new).await? {
        // The rollback frees the idempotency key, so a retry comes here again.
        CreateOutcome::Existing(earlier) => return timeline::get(work.db, Some(member), earlier).await,
        CreateOutcome::Text(community) => {
            let content = new.body.content().to_owned();
            (Post { community, ..Post::new_public(id, member, content, work.now) }, false)
        }
        CreateOutcome::Composed { has_preview } => (timeline::get(work.db, Some(member), id).await?, has_preview),
    };
    commit(tx).await?;
    if has_preview {
        service.link_previews.notify();
    }
    Ok(post)
}

pub(super) async fn update(
    service: &FeedService,
    request: Request<pb::UpdatePostRequest>,
) -> RpcResult<pb::UpdatePostResponse> {
    let member = Actor::member(&request)?;
    let change: update::PostUpdate = request.into_inner().try_into().map_err(Error::from)?;
    let mut tx = service.begin().await?;
    update::update(&mut service.work(&mut tx), &service.link_previews, member, &change).await?;
    let post = timeline::get(&mut tx, Some(member), change.post_id).await?;
    let post = mentions::of_post(&mut tx, Some(member), post).await?;
    commit(tx).await?;
    service.link_previews.notify();
    Ok(Response::new(pb::UpdatePostResponse { post: Some(post) }))
}

pub(super) async fn delete(
    service: &FeedService,
    request: Request<pb::DeletePostRequest>,
) -> RpcResult<pb::DeletePostResponse> {
    let member = Actor::member(&request)?;
    let ContentDeletion { id: post_id, reason } = request.into_inner().try_into().map_err(Error::from)?;
    let deleter = Deleter { member_id: member, reason };
    let mut tx = service.begin().await?;
    delete::delete(&mut service.work(&mut tx), &deleter, post_id).await?;
    commit(tx).await?;
    Ok(Response::new(pb::DeletePostResponse {}))
}

pub(super) async fn get_stats(
    service: &FeedService,
    request: Request<pb::GetPostStatsRequest>,
) -> RpcResult<pb::GetPostStatsResponse> {
    let member = Actor::member(&request)?;
    let impressions = impressions::count(&mut *service.connection().await?, member).await?;
    Ok(Response::new(pb::GetPostStatsResponse { impressions }))
}
