//! Pictures for posts: each is sent as it is, and waits for the post that takes it.

use axum::extract::{FromRequest, Request, State};
use bytes::Bytes;
use futures::stream;
use http::{HeaderMap, StatusCode, header};
use portia_proto::feed::UploadPictureRequest;
use utoipa::ToSchema;

use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::FeedClient;
use crate::{
    api::posts::views::Picture,
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{IdempotencyKey, is_packed},
        problem::Problem,
    },
};

/// Bytes of a message on the way to feed: no message may be as large as a picture.
const PIECE: usize = 256 * 1024;

/// A picture's file, as it was sent. What it is, feed finds out.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
pub struct PictureFile(Bytes);

impl<S: Send + Sync> FromRequest<S> for PictureFile {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let unsupported = |code, sentence| Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, code, sentence));
        if is_packed(request.headers()) {
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

/// Uploads a picture: PNG or JPEG, at most 8 MiB and 4096 x 4096 pixels. A post of mine may take it within a day.
#[utoipa::path(post, path = "/api/pictures", operation_id = "uploadPicture", tag = "posts",
    request_body(description = "The file itself.",
        content((PictureFile = "image/png"), (PictureFile = "image/jpeg"))),
    security(("session" = [])),
    params(("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "The same key and file again answer the first one\'s picture, for 24 hours.")),
    responses((status = 201, description = "As it is kept: made anew, upright, without what the file told besides.",
        body = Picture)))]
pub async fn upload(
    State(mut feed): State<FeedClient>,
    State(limits): State<Limits>,
    member: Member,
    key: IdempotencyKey,
    PictureFile(file): PictureFile,
) -> Result<ApiResponse<Picture>, Problem> {
    member.limit(&limits, rate_limits::POST_PICTURES).await?;
    let first = UploadPictureRequest { chunk: Vec::new(), idempotency_key: key.0 };
    let pieces = (0..file.len()).step_by(PIECE).map(move |at| UploadPictureRequest {
        chunk: file.slice(at..file.len().min(at + PIECE)).to_vec(),
        idempotency_key: None,
    });
    let request = member.call.request(stream::iter([first].into_iter().chain(pieces)))?;
    let kept = feed.upload_picture(request).await?.into_inner();
    let address = kept.url.clone();
    Ok(ApiResponse::created(kept.into()).at(&address))
}
