//! The values of columns for the enums of the contract.

use portia_proto::jobs::{
    ApplicationFileKind, ApplicationStatus, EmploymentType, ExperienceLevel, LocationFilter, PracticeArea,
    SentToEmployer,
};

/// The values of the columns for each enum.
pub const EMPLOYMENT_TYPES: [(EmploymentType, &str); 4] = [
    (EmploymentType::Internship, "internship"),
    (EmploymentType::FullTime, "full-time"),
    (EmploymentType::PartTime, "part-time"),
    (EmploymentType::Contract, "contract"),
];
pub const EXPERIENCE_LEVELS: [(ExperienceLevel, &str); 3] = [
    (ExperienceLevel::EntryLevel, "entry-level"),
    (ExperienceLevel::MidLevel, "mid-level"),
    (ExperienceLevel::Senior, "senior"),
];
pub const PRACTICE_AREAS: [(PracticeArea, &str); 6] = [
    (PracticeArea::Corporate, "corporate"),
    (PracticeArea::Litigation, "litigation"),
    (PracticeArea::PublicInterest, "public-interest"),
    (PracticeArea::Government, "government"),
    (PracticeArea::Immigration, "immigration"),
    (PracticeArea::IntellectualProperty, "intellectual-property"),
];
/// The values of the column `facets` for each location.
pub const LOCATIONS: [(LocationFilter, &str); 13] = [
    (LocationFilter::Washington, "washington"),
    (LocationFilter::NewYork, "new-york"),
    (LocationFilter::California, "california"),
    (LocationFilter::Remote, "remote"),
    (LocationFilter::Philippines, "philippines"),
    (LocationFilter::MetroManila, "metro-manila"),
    (LocationFilter::Manila, "manila"),
    (LocationFilter::Makati, "makati"),
    (LocationFilter::QuezonCity, "quezon-city"),
    (LocationFilter::Taguig, "taguig"),
    (LocationFilter::Pasig, "pasig"),
    (LocationFilter::CebuCity, "cebu-city"),
    (LocationFilter::DavaoCity, "davao-city"),
];
pub const STATUSES: [(ApplicationStatus, &str); 6] = [
    (ApplicationStatus::Applied, "applied"),
    (ApplicationStatus::Interviewed, "interviewed"),
    (ApplicationStatus::Offered, "offered"),
    (ApplicationStatus::Accepted, "accepted"),
    (ApplicationStatus::Rejected, "rejected"),
    (ApplicationStatus::Withdrawn, "withdrawn"),
];

/// The values of the column `kind` of files.
pub const APPLICATION_FILE_KINDS: [(ApplicationFileKind, &str); 2] =
    [(ApplicationFileKind::Resume, "resume"), (ApplicationFileKind::CoverLetter, "cover-letter")];

pub const SENT_TO_EMPLOYER: [(SentToEmployer, &str); 2] =
    [(SentToEmployer::Yes, "yes"), (SentToEmployer::NotYet, "not-yet")];
