//! Uploads of pictures for posts.

use axum::extract::{FromRequest, Request, State};
use bytes::Bytes;
use futures::stream;
use http::{HeaderMap, StatusCode, header};
use portia_proto::feed::UploadPictureRequest;
use rpc::Call;
use utoipa::ToSchema;

use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::FeedClient;
use crate::{
    api::posts::views::Picture,
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{IdempotencyKey, has_content_encoding},
        problem::Problem,
        signed_addresses::SignedAddresses,
    },
};

/// The size of a message to a service, in bytes. A picture can exceed the maximum size of a message.
const CHUNK: usize = 256 * 1024;

/// An uploaded file. The service validates it.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
pub struct PictureFile(Bytes);

impl PictureFile {
    /// Extends the timeout of the member's call by the time that encoding this picture may take.
    pub fn call(&self, member: Member) -> Call {
        member.call.extended(picture_store::encoding_time(&self.0))
    }

    /// The file in parts that fit into messages.
    pub fn chunks(self) -> impl Iterator<Item = Vec<u8>> + Send + 'static {
        let Self(file) = self;
        (0..file.len()).step_by(CHUNK).map(move |at| file.slice(at..file.len().min(at + CHUNK)).to_vec())
    }
}

impl<S: Send + Sync> FromRequest<S> for PictureFile {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let unsupported = |code, sentence| Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, code, sentence));
        if has_content_encoding(request.headers()) {
            return unsupported("ENCODED", "The picture must be sent without a content encoding.");
        }
        if !is_picture(request.headers()) {
            return unsupported("NOT_A_PICTURE", "The picture must be sent as image/png or image/jpeg.");
        }
        let unread = || Problem::new(StatusCode::BAD_REQUEST, "BROKEN_BODY", "The body could not be read to its end.");
        Bytes::from_request(request, state).await.map(Self).map_err(|_| unread())
    }
}

fn is_picture(headers: &HeaderMap) -> bool {
    let media = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default().trim();
    ["image/png", "image/jpeg"].iter().any(|picture| media.eq_ignore_ascii_case(picture))
}

/// Uploads a picture: PNG or JPEG, at most 8 MiB and 4096 x 4096 pixels. A post can use it within a day.
#[utoipa::path(post, path = "/api/pictures", operation_id = "uploadPicture", tag = "posts",
    request_body(description = "The file.",
        content((PictureFile = "image/png"), (PictureFile = "image/jpeg"))),
    security(("session" = [])),
    params(("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "A repeated request with the same key and file returns the picture of the first one, for 24 hours.")),
    responses((status = 201, description = "The stored picture: re-encoded, upright, without metadata.",
        body = Picture)))]
pub async fn upload(
    State(mut feed): State<FeedClient>,
    State(limits): State<Limits>,
    State(addresses): State<SignedAddresses>,
    member: Member,
    key: IdempotencyKey,
    file: PictureFile,
) -> Result<ApiResponse<Picture>, Problem> {
    member.limit(&limits, rate_limits::POST_PICTURES).await?;
    let viewer = member.id;
    let call = file.call(member);
    let first = UploadPictureRequest { chunk: Vec::new(), idempotency_key: key.0 };
    let chunks = file.chunks().map(|chunk| UploadPictureRequest { chunk, idempotency_key: None });
    let request = call.request(stream::iter([first].into_iter().chain(chunks)))?;
    let stored = feed.upload_picture(request).await?.into_inner();
    let picture = Picture::of(stored, addresses.given_to(viewer));
    let address = picture.url.clone();
    Ok(ApiResponse::created(picture).at(&address))
}
