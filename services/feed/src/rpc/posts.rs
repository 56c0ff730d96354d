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
    impressions, link_previews,
    mentions::{MentionPlace, list_to_notify},
    posts::{
        Body, NewPost, Post,
        create::{self, CreateOutcome},
        delete, reposts, update,
    },
    publishing::RepostRef,
    search, timeline, topics,
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
    IdempotentRequest { body: mut new, key }: IdempotentRequest<NewPost>,
) -> Result<Post, Error> {
    let (id, now) = (service.ids.owned_by(member), service.clock.now());
    let claim = Claim { member, route: "CreatePost", key: key.as_ref(), resource: id };
    let mut tx = service.begin().await?;
    if let Some(earlier) = service.keys.claim(&mut tx, &claim, now).await? {
        return timeline::get(&mut tx, Some(member), earlier).await;
    }
    if let Some(shared) = new.repost_of {
        new.repost_of = Some(reposts::resolve_original(&mut tx, member, shared).await?);
    }
    let preview = match new.previewed_text().and_then(|text| service.link_previews.first_link(text)) {
        Some(url) => {
            let place = link_previews::Place { author_id: member, community_id: new.community_id };
            link_previews::attach(&mut tx, service.ids.new_owner(), place, &url, now).await?
        }
        None => None,
    };
    let community = match create::create(&mut tx, id, member, &new, preview, now).await? {
        CreateOutcome::Created(community) => community,
        // The rollback frees the idempotency key, so a retry comes here again.
        CreateOutcome::Existing(earlier) => return timeline::get(&mut tx, Some(member), earlier).await,
    };
    let place = MentionPlace { post_id: id, author_id: member, reply_to_author: None };
    let mentioned = list_to_notify(&mut tx, place, "", new.body.content(), now).await?;
    service.facts.publish_post_created(&mut tx, id, member, new.community_id, &mentioned, now).await?;
    search::index(&mut tx, id).await?;
    topics::insert(&mut tx, id, new.body.title(), new.body.content()).await?;
    if let (Body::Plain(text), None, None, None) = (&new.body, &new.attachment, new.repost_of, preview) {
        let content = (**text).to_owned();
        commit(tx).await?;
        return Ok(Post { community, ..Post::new_public(id, member, content, now) });
    }
    if let Some(original) = new.repost_of {
        let author = reposts::increment_share_count(&mut tx, member, original).await?;
        let repost = RepostRef { post: original, author, repost: id, member };
        service.facts.publish_post_reposted(&mut tx, &repost, now).await?;
    }
    let post = timeline::get(&mut tx, Some(member), id).await?;
    commit(tx).await?;
    if preview.is_some() {
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
    update::update(&mut tx, &service.facts, member, &change, service.clock.now()).await?;
    search::index(&mut tx, change.post_id).await.map_err(Error::from)?;
    topics::update(&mut tx, change.post_id).await.map_err(Error::from)?;
    let (preview, now) = (service.ids.new_owner(), service.clock.now());
    link_previews::update::update(&mut tx, &service.link_previews, preview, change.post_id, now)
        .await
        .map_err(Error::from)?;
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
    let deleter = Deleter { member_id: member, removal_id: service.ids.new_owner(), reason };
    let mut tx = service.begin().await?;
    delete::delete(&mut tx, &service.facts, &deleter, post_id, service.clock.now()).await?;
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
