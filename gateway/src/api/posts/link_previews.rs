//! Previews of links in posts and in the composer.

use axum::extract::State;
use portia_proto::feed as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::posts::signed_pictures::PictureSigner;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::signed_addresses::SignedAddresses;
use crate::edge::upstreams::FeedClient;
use crate::edge::{answer::ApiResponse, authentication::Member, extract::Body, problem::Problem};

pub use crate::api::contract::feed::LinkPreviewState;

/// What the page of a link says about itself, as plain text.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LinkPreview {
    /// The link: https, without tracking parameters.
    pub url: String,
    /// Its host without `www.`.
    pub host: String,
    /// At most 200 characters.
    pub title: String,
    /// At most 300 characters; empty without a description.
    pub description: String,
    /// The name of the site; empty without a name.
    pub site: String,
    /// The picture, stored by Portia.
    #[schema(required)]
    pub image: Option<LinkPreviewImage>,
}

/// The picture of a preview.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LinkPreviewImage {
    /// The URL of the picture.
    pub url: String,
    /// The width in pixels.
    pub width: i32,
    /// The height in pixels.
    pub height: i32,
}

impl LinkPreview {
    /// A preview with the signed address of its picture.
    pub fn of(preview: pb::LinkPreview, signer: PictureSigner<'_>) -> Self {
        let pb::LinkPreview { url, host, title, description, site, image } = preview;
        let image = image.map(|pb::LinkPreviewImage { url, width, height }| LinkPreviewImage {
            url: signer.sign(url),
            width,
            height,
        });
        Self { url, host, title, description, site, image }
    }
}

/// A link in a text that the member writes.
#[derive(Deserialize, ToSchema)]
pub struct PreviewLink {
    /// http(s), at most 2,048 characters.
    #[schema(format = "link", min_length = 1, max_length = 2048)]
    pub url: String,
}

/// The preview of a link.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LinkPreviewOutcome {
    /// The state.
    pub state: LinkPreviewState,
    /// In state `ready`.
    #[schema(required)]
    pub preview: Option<LinkPreview>,
}

/// Returns the preview of a link that the signed-in member writes. The first request starts to fetch the page; repeated ones
/// return the outcome. A post with this link uses it within an hour. At most 30 new links in an
/// hour, with those of posts.
#[utoipa::path(post, path = "/api/link-previews", operation_id = "previewLink", tag = "posts",
    request_body = PreviewLink,
    security(("session" = [])),
    responses((status = 200, description = "The preview, as far as it is known.", body = LinkPreviewOutcome)))]
pub async fn preview(
    State(mut feed): State<FeedClient>,
    State(limits): State<Limits>,
    State(addresses): State<SignedAddresses>,
    member: Member,
    Body(PreviewLink { url }): Body<PreviewLink>,
) -> Result<ApiResponse<LinkPreviewOutcome>, Problem> {
    member.limit(&limits, rate_limits::LINK_PREVIEWS).await?;
    let request = member.call.request(pb::GetLinkPreviewRequest { url })?;
    let outcome = feed.get_link_preview(request).await?.into_inner();
    let state = match outcome.state() {
        pb::LinkPreviewState::Pending => LinkPreviewState::Pending,
        pb::LinkPreviewState::Ready => LinkPreviewState::Ready,
        pb::LinkPreviewState::None | pb::LinkPreviewState::Unspecified => LinkPreviewState::None,
    };
    let signer = PictureSigner { addresses: addresses.given_to(member.id), is_public: false };
    let preview = outcome.preview.map(|preview| LinkPreview::of(preview, signer));
    Ok(ApiResponse::ok(LinkPreviewOutcome { state, preview }))
}
