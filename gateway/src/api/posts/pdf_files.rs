//! PDF files of posts: upload and download.

use axum::{extract::State, response::Response};
use futures::{TryStreamExt as _, stream};
use portia_proto::feed::{DownloadPdfRequest, UploadPdfRequest};

use crate::api::ids::OfPost;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::FeedClient;
use crate::edge::{
    answer::ApiResponse,
    authentication::{Caller, Member},
    extract::{Id, IdempotencyKey},
    pdf::{self, PdfFile, UploadedPdf},
    problem::Problem,
};

pub use crate::api::contract::feed::StoredPdf;

/// Uploads a PDF file of at most 5 MiB. A post can use it within a day.
#[utoipa::path(post, path = "/api/pdf-files", operation_id = "uploadPdf", tag = "posts",
    request_body(description = "The file.", content((PdfFile = "application/pdf"))),
    security(("session" = [])),
    params(("X-File-Name" = String, Header, description = "The name of the file, percent-encoded UTF-8, at most 255 characters."),
        ("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "A repeated request with the same key and file returns the file of the first one, for 24 hours.")),
    responses((status = 201, description = "The stored file.", body = StoredPdf)))]
pub async fn upload(
    State(mut feed): State<FeedClient>,
    State(limits): State<Limits>,
    member: Member,
    key: IdempotencyKey,
    file: UploadedPdf,
) -> Result<ApiResponse<StoredPdf>, Problem> {
    member.limit(&limits, rate_limits::PDF_FILES).await?;
    let first = UploadPdfRequest { name: file.name.clone(), chunk: Vec::new(), idempotency_key: key.0 };
    let chunks = file.chunks().map(|chunk| UploadPdfRequest { chunk, ..Default::default() });
    let request = member.call.request(stream::iter([first].into_iter().chain(chunks)))?;
    let stored = feed.upload_pdf(request).await.map_err(Problem::from);
    let stored = stored.map_err(|problem| problem.renamed("name", "X-File-Name"))?.into_inner();
    Ok(ApiResponse::created(stored.into()))
}

/// Returns the PDF file of a post as a download, to callers who may see the post.
#[utoipa::path(get, path = "/api/posts/{id}/pdf", operation_id = "downloadPdf", tag = "posts",
    params(("id" = Uuid, Path, description = "The id of the post.")),
    responses((status = 200, content_type = "application/pdf", body = inline(PdfFile),
        description = "The file as uploaded, always as an attachment.")))]
pub async fn download(State(mut feed): State<FeedClient>, caller: Caller, id: Id<OfPost>) -> Result<Response, Problem> {
    let request = DownloadPdfRequest { post_id: id.0.to_string() };
    let mut messages = feed.download_pdf(caller.call.request(request)?).await?.into_inner();
    let first = messages.message().await?.ok_or(Problem::internal())?;
    let file = first.pdf.ok_or(Problem::internal())?;
    Ok(pdf::download(&file.name, file.size, messages.map_ok(|message| message.chunk)))
}
