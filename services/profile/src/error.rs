//! What can go wrong in profile, and what each case means to a caller.

use chassis::{
    db,
    error::{Explain, Kind, Violation},
    input::Invalid,
};
use tonic::Status;

/// Everything profile answers besides success.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request breaks rules.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// Nobody has this id.
    #[error("User not found")]
    MemberNotFound,
    /// The database refused or is away.
    #[error("the database refused")]
    Database(#[from] db::Error),
}

impl Explain for Error {
    const SERVICE: &'static str = "profile";

    fn kind(&self) -> Kind {
        match self {
            Self::Invalid(_) => Kind::Invalid,
            Self::MemberNotFound => Kind::NotFound,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::MemberNotFound => "MEMBER_NOT_FOUND",
            Self::Database(error) => error.reason(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(Invalid(violations)) => violations,
            _ => &[],
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        chassis::error::status(&error)
    }
}

/// Which field a constraint guards. convert.rs checks the same limits first; should the two ever disagree, the member
/// still reads which field it was.
const FIELDS: [(&str, &str); 16] = [
    ("members_username_check", "username"),
    ("members_full_name_check", "fullName"),
    ("members_headline_check", "headline"),
    ("members_location_check", "location"),
    ("members_bio_check", "bio"),
    ("members_avatar_url_check", "avatarUrl"),
    ("members_website_check", "website"),
    ("members_linkedin_check", "linkedin"),
    ("members_school_check", "school"),
    ("members_graduation_year_check", "graduationYear"),
    ("experiences_pkey", "experiences"),
    ("experiences_position_check", "experiences"),
    ("educations_pkey", "education"),
    ("educations_position_check", "education"),
    ("skills_pkey", "skills"),
    ("skills_position_check", "skills"),
];

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let error = db::Error::from(error);
        let field = error.constraint().and_then(|name| FIELDS.iter().find(|(constraint, _)| *constraint == name));
        match field {
            Some((_, field)) => Invalid::from(Violation::new(*field, "This cannot be kept as it is.")).into(),
            None => Self::Database(error),
        }
    }
}
