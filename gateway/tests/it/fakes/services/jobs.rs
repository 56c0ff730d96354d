//! Fake jobs: an open and a closed posting, and the application of Ana for the open one.

use portia_proto::jobs::{self, ApplicationStatus};
use primitives::error::ErrorKind;
use tonic::Status;
use uuid::Uuid;

use super::{refuse, require_pdf, search_page};
use crate::actors::{self, ANA, APPLICATION, CLOSED_JOB, JOB};
use crate::fakes::table::Table;

fn known_job(id: &str) -> Result<Uuid, Status> {
    let known = [JOB, CLOSED_JOB].into_iter().find(|job| job.to_string() == id);
    known.ok_or_else(|| refuse(ErrorKind::NotFound, "JOB_NOT_FOUND", "Job not found"))
}

/// Checks that the caller is Ana and the application hers.
fn require_own_application(id: &str, actor: Option<Uuid>) -> Result<(), Status> {
    if actor == Some(ANA) && id == APPLICATION.to_string() {
        return Ok(());
    }
    Err(refuse(ErrorKind::NotFound, "APPLICATION_NOT_FOUND", "Application not found"))
}

pub fn add_to(table: &mut Table) {
    table.exports(["jobs.export_member", "export_member of jobs", "jobs"], |section, json| {
        jobs::ExportMemberResponse { section, json, part: None }
    });
    table.uploads(
        "jobs.upload_application_file",
        |request: &mut jobs::UploadApplicationFileRequest| &mut request.chunk,
        |request, file, actor| {
            require_own_application(&request.application_id, actor)?;
            require_pdf(file)?;
            let application = Some(actors::application(ApplicationStatus::Applied, None));
            Ok(jobs::UploadApplicationFileResponse { application })
        },
    );
    table.streams("jobs.download_application_file", |request: jobs::DownloadApplicationFileRequest, actor| {
        require_own_application(&request.application_id, actor)?;
        if request.kind() != jobs::ApplicationFileKind::Resume {
            return Err(refuse(ErrorKind::NotFound, "FILE_NOT_FOUND", "File not found"));
        }
        let first = jobs::DownloadApplicationFileResponse { file: Some(actors::resume()), chunk: Vec::new() };
        let chunk = |chunk: &str| jobs::DownloadApplicationFileResponse { file: None, chunk: chunk.into() };
        Ok(vec![first, chunk("%PDF-"), chunk("1.7 ...")])
    });
    table.answers("jobs.delete_application_file", |_, request: jobs::DeleteApplicationFileRequest, actor| {
        require_own_application(&request.application_id, actor)?;
        let application = actors::application(ApplicationStatus::Applied, None);
        Ok(jobs::DeleteApplicationFileResponse {
            application: Some(jobs::JobApplication { resume: None, ..application }),
        })
    });
    table.answers("jobs.list_jobs", |_, _: jobs::ListJobsRequest, actor| {
        Ok(jobs::ListJobsResponse { jobs: vec![actors::job(JOB, actor)], next_page_token: String::new() })
    });
    table.answers("jobs.search_jobs", |_, request: jobs::SearchJobsRequest, actor| {
        let next_page_token = search_page(&request.query, &request.page_token)?;
        let terms = vec!["clerk".to_owned()];
        Ok(jobs::SearchJobsResponse { jobs: vec![actors::job(JOB, actor)], next_page_token, terms })
    });
    table.answers("jobs.get_job", |_, request: jobs::GetJobRequest, actor| {
        let id = known_job(&request.job_id)?;
        Ok(jobs::GetJobResponse { job: Some(actors::job(id, actor)) })
    });
    table.answers("jobs.get_stats", |_, _: jobs::GetStatsRequest, _| {
        Ok(jobs::GetStatsResponse { total_jobs: 4, internships: 1, entry_level: 2, full_time: 3 })
    });
    table.answers("jobs.list_my_applications", |_, _: jobs::ListMyApplicationsRequest, _| {
        let applications = vec![actors::application(ApplicationStatus::Applied, Some("Hello".to_owned()))];
        Ok(jobs::ListMyApplicationsResponse { applications, next_page_token: String::new() })
    });
    table.answers("jobs.get_application", |_, request: jobs::GetApplicationRequest, actor| {
        require_own_application(&request.application_id, actor)?;
        let application = actors::application(ApplicationStatus::Interviewed, None);
        Ok(jobs::GetApplicationResponse { application: Some(application), history: actors::history() })
    });
    table.answers("jobs.apply", |_, request: jobs::ApplyRequest, actor| match known_job(&request.job_id)? {
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
    });
    table.answers("jobs.update_application", |_, request: jobs::UpdateApplicationRequest, actor| {
        require_own_application(&request.application_id, actor)?;
        let is_unanswered = request.sent_to_employer() == jobs::SentToEmployer::Unspecified;
        if request.status() == ApplicationStatus::Unspecified && request.notes.is_none() && is_unanswered {
            return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "status", "Send a status or notes."));
        }
        let notes = request.notes.clone().filter(|notes| !notes.is_empty());
        let application = actors::application(request.status(), notes);
        Ok(jobs::UpdateApplicationResponse { application: Some(application) })
    });
    table.answers("jobs.refresh_jobs", |_, _: jobs::RefreshJobsRequest, _| {
        Ok(jobs::RefreshJobsResponse { new_jobs: 3 })
    });
    table.answers("jobs.list_sources", |_, _: jobs::ListSourcesRequest, _| {
        Ok(jobs::ListSourcesResponse { sources: vec![actors::job_source()] })
    });
    table.answers("jobs.batch_get_jobs", |_, request: jobs::BatchGetJobsRequest, actor| {
        let known = [JOB, CLOSED_JOB].into_iter().filter(|job| request.job_ids.contains(&job.to_string()));
        Ok(jobs::BatchGetJobsResponse { jobs: known.map(|job| actors::job(job, actor)).collect() })
    });
}
