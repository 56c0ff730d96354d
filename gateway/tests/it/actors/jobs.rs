//! The responses of jobs.

use portia_proto::jobs;
use uuid::Uuid;

use super::{ANA, APPLICATION, CLOSED_JOB, JOB, at};

/// A posting; Ana applied for it.
pub fn job(id: Uuid, actor: Option<Uuid>) -> jobs::Job {
    jobs::Job {
        id: id.to_string(),
        title: "Summer associate".to_owned(),
        company: "Firm LLP".to_owned(),
        location: Some("New York, NY".to_owned()),
        description: "Research and drafting.".to_owned(),
        employment_type: jobs::EmploymentType::FullTime.into(),
        experience_level: jobs::ExperienceLevel::EntryLevel.into(),
        practice_area: jobs::PracticeArea::Unspecified.into(),
        salary: None,
        source: "greenhouse".to_owned(),
        application_deadline: at(172_800),
        application_deadline_date: Some("2026-12-01".to_owned()),
        external_url: Some("https://firm.example/1".to_owned()),
        posted_at: at(7200),
        posted_date: None,
        closed_at: (id == CLOSED_JOB).then(|| at(3600)).flatten(),
        is_demo: false,
        is_applied: actor == Some(ANA),
    }
}

/// The application of Ana with a status.
pub fn application(status: jobs::ApplicationStatus, notes: Option<String>) -> jobs::JobApplication {
    jobs::JobApplication {
        id: APPLICATION.to_string(),
        job_id: JOB.to_string(),
        job: Some(job(JOB, Some(ANA))),
        application_date: at(600),
        notes,
        status: status.into(),
        sent_to_employer: jobs::SentToEmployer::NotYet.into(),
        sent_to_employer_at: at(500),
        resume: Some(resume()),
        cover_letter: None,
    }
}

/// The résumé of the application.
pub fn resume() -> jobs::ApplicationFile {
    jobs::ApplicationFile { name: "Résumé \"Ana\".pdf".to_owned(), size: 12, uploaded_at: at(500) }
}

/// The history of the application.
pub fn history() -> Vec<jobs::ApplicationStep> {
    let step = |status: jobs::ApplicationStatus, at| jobs::ApplicationStep { status: status.into(), at };
    vec![step(jobs::ApplicationStatus::Applied, at(600)), step(jobs::ApplicationStatus::Interviewed, at(300))]
}

/// A source whose last crawl failed.
pub fn job_source() -> jobs::Source {
    jobs::Source {
        name: "Firm LLP".to_owned(),
        connector: "greenhouse".to_owned(),
        state: jobs::SourceState::Failing.into(),
        last_run_at: at(60),
        last_success_at: at(21_660),
        new_items: 0,
        open_items: 4,
        failure: Some("The server answered 503.".to_owned()),
        due_at: at(-60),
    }
}
