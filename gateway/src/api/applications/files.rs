//! The files of the caller's applications: upload, download, delete.

use axum::{
    extract::{FromRequestParts, Path, State},
    response::Response,
};
use futures::{TryStreamExt as _, stream};
use http::request::Parts;
use portia_proto::jobs::{
    self as pb, DeleteApplicationFileRequest, DownloadApplicationFileRequest, UploadApplicationFileRequest,
};
use primitives::ids;
use uuid::Uuid;

use crate::api::ids::OfApplication;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::JobsClient;
use crate::{
    api::applications::views::{ApplicationFileKind, JobApplication},
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::Noun as _,
        pdf::{self, PdfFile, UploadedPdf},
        problem::Problem,
    },
};

/// The `{id}` and `{kind}` of a path.
pub struct FilePath {
    application: Uuid,
    kind: ApplicationFileKind,
}

impl<S: Send + Sync> FromRequestParts<S> for FilePath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let raw = Path::<(String, ApplicationFileKind)>::from_request_parts(parts, state).await;
        let Path((raw, kind)) = raw.map_err(|_| Problem::not_found("This does not exist."))?;
        let application = ids::parse("id", &raw).map_err(|_| Problem::not_found(OfApplication::MISSING))?;
        Ok(Self { application, kind })
    }
}

impl FilePath {
    fn kind(&self) -> i32 {
        pb::ApplicationFileKind::from(self.kind).into()
    }
}

/// Returns a file of an application of the signed-in member, as a download. Only that member can read it.
#[utoipa::path(get, path = "/api/jobs/applications/{id}/files/{kind}", operation_id = "downloadApplicationFile", tag = "jobs",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the application."),
        ("kind" = ApplicationFileKind, Path, description = "The file.")),
    responses((status = 200, content_type = "application/pdf", body = inline(PdfFile),
        description = "The file as uploaded, always as an attachment.")))]
pub async fn download(State(mut jobs): State<JobsClient>, member: Member, path: FilePath) -> Result<Response, Problem> {
    let request = DownloadApplicationFileRequest { application_id: path.application.to_string(), kind: path.kind() };
    let mut messages = jobs.download_application_file(member.call.request(request)?).await?.into_inner();
    let first = messages.message().await?.ok_or(Problem::internal())?;
    let file = first.file.ok_or(Problem::internal())?;
    Ok(pdf::download(&file.name, file.size, messages.map_ok(|message| message.chunk)))
}

/// Stores a PDF file with an application of the signed-in member, in place of an earlier one: at most 5 MiB. It is not sent to
/// the employer.
#[utoipa::path(put, path = "/api/jobs/applications/{id}/files/{kind}", operation_id = "uploadApplicationFile", tag = "jobs",
    request_body(description = "The file.", content((PdfFile = "application/pdf"))),
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the application."),
        ("kind" = ApplicationFileKind, Path, description = "The file."),
        ("X-File-Name" = String, Header, description = "The name of the file, percent-encoded UTF-8, at most 255 characters.")),
    responses((status = 200, description = "The application with the file.", body = JobApplication)))]
pub async fn upload(
    State(mut jobs): State<JobsClient>,
    State(limits): State<Limits>,
    member: Member,
    path: FilePath,
    file: UploadedPdf,
) -> Result<ApiResponse<JobApplication>, Problem> {
    member.limit(&limits, rate_limits::PDF_FILES).await?;
    let (application_id, kind, name) = (path.application.to_string(), path.kind(), file.name.clone());
    let first = UploadApplicationFileRequest { application_id, kind, name, chunk: Vec::new() };
    let chunks = file.chunks().map(|chunk| UploadApplicationFileRequest { chunk, ..Default::default() });
    let request = member.call.request(stream::iter([first].into_iter().chain(chunks)))?;
    let answer = jobs.upload_application_file(request).await.map_err(Problem::from);
    let answer = answer.map_err(|problem| problem.renamed("name", "X-File-Name"))?.into_inner();
    answer.application.map(|application| ApiResponse::ok(application.into())).ok_or(Problem::internal())
}

/// Deletes a file of an application of the signed-in member. A missing file is no error.
#[utoipa::path(delete, path = "/api/jobs/applications/{id}/files/{kind}", operation_id = "deleteApplicationFile", tag = "jobs",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the application."),
        ("kind" = ApplicationFileKind, Path, description = "The file.")),
    responses((status = 200, description = "The application without the file.", body = JobApplication)))]
pub async fn delete(
    State(mut jobs): State<JobsClient>,
    State(limits): State<Limits>,
    member: Member,
    path: FilePath,
) -> Result<ApiResponse<JobApplication>, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = DeleteApplicationFileRequest { application_id: path.application.to_string(), kind: path.kind() };
    let answer = jobs.delete_application_file(member.call.request(request)?).await?.into_inner();
    answer.application.map(|application| ApiResponse::ok(application.into())).ok_or(Problem::internal())
}
