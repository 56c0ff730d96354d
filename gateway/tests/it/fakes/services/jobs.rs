//! Fake jobs: an open and a closed posting, and the application of Ana for the open one.

use portia_proto::jobs::{self, ApplicationStatus};
use primitives::error::ErrorKind;
use rpc::identity::Actor;
use tokio_stream::StreamExt as _;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{BoxStream, Fake, refuse, search_page, signed_in};
use crate::actors::{self, ANA, APPLICATION, CLOSED_JOB, JOB};

fn known_job(id: &str) -> Result<Uuid, Status> {
    let known = [JOB, CLOSED_JOB].into_iter().find(|job| job.to_string() == id);
    known.ok_or_else(|| refuse(ErrorKind::NotFound, "JOB_NOT_FOUND", "Job not found"))
}

/// Checks that the caller is Ana and the application hers.
fn require_own_application(id: &str, actor: Option<Uuid>) -> Result<(), Status> {
    signed_in(actor)?;
    if actor == Some(ANA) && id == APPLICATION.to_string() {
        return Ok(());
    }
    Err(refuse(ErrorKind::NotFound, "APPLICATION_NOT_FOUND", "Application not found"))
}

fake!(jobs::jobs_service_server::JobsService [exports jobs as "jobs" with part] [also {
    async fn upload_application_file(
        &self,
        request: Request<tonic::Streaming<jobs::UploadApplicationFileRequest>>,
    ) -> Result<Response<jobs::UploadApplicationFileResponse>, Status> {
        let (metadata, extensions, mut messages) = request.into_parts();
        let mut all = messages.message().await?.unwrap_or_default();
        let mut largest = 0;
        while let Some(message) = messages.message().await? {
            largest = largest.max(message.chunk.len());
            all.chunk.extend(message.chunk);
        }
        let is_pdf = all.chunk.starts_with(b"%PDF-");
        // A summary, because the file may have megabytes.
        let chunk = format!("{} bytes, at most {largest} at once", all.chunk.len()).into_bytes();
        let seen = Request::from_parts(metadata, extensions, jobs::UploadApplicationFileRequest { chunk, ..all });
        self.0.enter("upload_application_file", &seen).await?;
        require_own_application(&seen.get_ref().application_id, Actor::viewer(&seen)?)?;
        if !is_pdf {
            let sentence = "This is not a PDF file. Please choose another one.";
            return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "file", sentence));
        }
        let application = Some(actors::application(ApplicationStatus::Applied, None));
        Ok(Response::new(jobs::UploadApplicationFileResponse { application }))
    }

    type DownloadApplicationFileStream = BoxStream<jobs::DownloadApplicationFileResponse>;

    async fn download_application_file(
        &self,
        request: Request<jobs::DownloadApplicationFileRequest>,
    ) -> Result<Response<Self::DownloadApplicationFileStream>, Status> {
        self.0.enter("download_application_file", &request).await?;
        require_own_application(&request.get_ref().application_id, Actor::viewer(&request)?)?;
        if request.get_ref().kind() != jobs::ApplicationFileKind::Resume {
            return Err(refuse(ErrorKind::NotFound, "FILE_NOT_FOUND", "File not found"));
        }
        let first = jobs::DownloadApplicationFileResponse { file: Some(actors::resume()), chunk: Vec::new() };
        let chunks = ["%PDF-", "1.7 ..."].map(|chunk| jobs::DownloadApplicationFileResponse { file: None, chunk: chunk.into() });
        Ok(Response::new(Box::pin(tokio_stream::iter([first].into_iter().chain(chunks).map(Ok)))))
    }
}] {
    delete_application_file(jobs::DeleteApplicationFileRequest) -> jobs::DeleteApplicationFileResponse {
        |_, request, actor| {
            require_own_application(&request.application_id, actor)?;
            let application = actors::application(ApplicationStatus::Applied, None);
            Ok(jobs::DeleteApplicationFileResponse { application: Some(jobs::JobApplication { resume: None, ..application }) })
        }
    }
    list_jobs(jobs::ListJobsRequest) -> jobs::ListJobsResponse {
        |_, _, actor| Ok(jobs::ListJobsResponse { jobs: vec![actors::job(JOB, actor)], next_page_token: String::new() })
    }
    search_jobs(jobs::SearchJobsRequest) -> jobs::SearchJobsResponse {
        |_, request, actor| {
            let next_page_token = search_page(&request.query, &request.page_token)?;
            let terms = vec!["clerk".to_owned()];
            Ok(jobs::SearchJobsResponse { jobs: vec![actors::job(JOB, actor)], next_page_token, terms })
        }
    }
    get_job(jobs::GetJobRequest) -> jobs::GetJobResponse {
        |_, request, actor| {
            let id = known_job(&request.job_id)?;
            Ok(jobs::GetJobResponse { job: Some(actors::job(id, actor)) })
        }
    }
    get_stats(jobs::GetStatsRequest) -> jobs::GetStatsResponse {
        |_, _, _| Ok(jobs::GetStatsResponse { total_jobs: 4, internships: 1, entry_level: 2, full_time: 3 })
    }
    list_my_applications(jobs::ListMyApplicationsRequest) -> jobs::ListMyApplicationsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let applications = vec![actors::application(ApplicationStatus::Applied, Some("Hello".to_owned()))];
            Ok(jobs::ListMyApplicationsResponse { applications, next_page_token: String::new() })
        }
    }
    get_application(jobs::GetApplicationRequest) -> jobs::GetApplicationResponse {
        |_, request, actor| {
            require_own_application(&request.application_id, actor)?;
            let application = actors::application(ApplicationStatus::Interviewed, None);
            Ok(jobs::GetApplicationResponse { application: Some(application), history: actors::history() })
        }
    }
    apply(jobs::ApplyRequest) -> jobs::ApplyResponse {
        |_, request, actor| {
            signed_in(actor)?;
            match known_job(&request.job_id)? {
                CLOSED_JOB => Err(refuse(ErrorKind::Conflict, "JOB_CLOSED", "This job is no longer open")),
                _ if actor == Some(ANA) && request.idempotency_key.is_none() => {
                    Err(refuse(ErrorKind::Conflict, "ALREADY_APPLIED", "You have already applied for this job"))
                }
                _ => {
                    let notes = (!request.notes.is_empty()).then(|| request.notes.clone());
                    let application = actors::application(ApplicationStatus::Applied, notes);
                    let answered = request.sent_to_employer() != jobs::SentToEmployer::Unspecified;
                    let application = jobs::JobApplication {
                        sent_to_employer: request.sent_to_employer,
                        sent_to_employer_at: application.sent_to_employer_at.filter(|_| answered),
                        ..application
                    };
                    Ok(jobs::ApplyResponse { application: Some(application) })
                }
            }
        }
    }
    update_application(jobs::UpdateApplicationRequest) -> jobs::UpdateApplicationResponse {
        |_, request, actor| {
            require_own_application(&request.application_id, actor)?;
            let is_unanswered = request.sent_to_employer() == jobs::SentToEmployer::Unspecified;
            if request.status() == ApplicationStatus::Unspecified && request.notes.is_none() && is_unanswered {
                return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "status", "Send a status or notes."));
            }
            let notes = request.notes.clone().filter(|notes| !notes.is_empty());
            let application = actors::application(request.status(), notes);
            Ok(jobs::UpdateApplicationResponse { application: Some(application) })
        }
    }
    refresh_jobs(jobs::RefreshJobsRequest) -> jobs::RefreshJobsResponse {
        |_, _, _| Ok(jobs::RefreshJobsResponse { new_jobs: 3 })
    }
    list_sources(jobs::ListSourcesRequest) -> jobs::ListSourcesResponse {
        |_, _, _| Ok(jobs::ListSourcesResponse { sources: vec![actors::job_source()] })
    }
    batch_get_jobs(jobs::BatchGetJobsRequest) -> jobs::BatchGetJobsResponse {
        |_, request, actor| {
            let known = [JOB, CLOSED_JOB].into_iter().filter(|job| request.job_ids.contains(&job.to_string()));
            Ok(jobs::BatchGetJobsResponse { jobs: known.map(|job| actors::job(job, actor)).collect() })
        }
    }
});
