//! The preview of a link in the composer.

use primitives::input::Link;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{FeedService, RpcResult, pb};
use crate::{
    error::Error,
    link_previews::{PreviewState, get_draft},
};

pub(super) async fn get(
    service: &FeedService,
    request: Request<pb::GetLinkPreviewRequest>,
) -> RpcResult<pb::GetLinkPreviewResponse> {
    let member = Actor::member(&request)?;
    let link = Link::parse("url", &request.get_ref().url).map_err(Error::from)?;
    let state = match service.link_previews.normalize(&link.into_string()) {
        Some(url) => {
            let db = &mut *service.connection().await?;
            get_draft(&mut service.work(db), member, &url).await.map_err(Error::from)?
        }
        None => PreviewState::None,
    };
    if matches!(state, PreviewState::Pending) {
        service.link_previews.notify();
    }
    Ok(Response::new(state.into()))
}
