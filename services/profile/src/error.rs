//! The errors of profile with their kinds and reasons.

use std::time::Duration;

use primitives::{
    error::{ErrorKind, ServiceError, Violation},
    input::InvalidRequest,
};
use tonic::Status;

/// The errors of profile.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidRequest),
    /// No member of this id is visible to the caller.
    #[error("User not found")]
    MemberNotFound,
    /// The member has no such skill, or is not visible to the caller.
    #[error("Skill not found")]
    SkillNotFound,
    /// No endorsement of this member exists.
    #[error("Endorsement not found")]
    EndorsementNotFound,
    /// Only connections may endorse.
    #[error("You can endorse the skills of your connections only.")]
    NotConnected,
    /// The caller is no steward. The message and the reason are the same as for an unknown route.
    #[error("This does not exist.")]
    NotSteward,
    /// The member is verified.
    #[error("This member is verified already.")]
    AlreadyVerified,
    /// The member has no verification by this school.
    #[error("Your school has not verified this member.")]
    NotVerified,
    /// The member changed the name after the steward read it.
    #[error("This member has changed their name. Please check it again.")]
    NameChanged,
    /// The member does not state the school.
    #[error("the member does not state this school")]
    OtherSchool,
    /// The member is in this state already.
    #[error("nothing to change")]
    StateUnchanged,
    /// The decoding queue is full.
    #[error("Too many images are being processed. Please try again.")]
    PicturesBusy,
    /// The picture store failed.
    #[error("the picture store is unavailable")]
    PictureStore(#[source] picture_store::Error),
    /// The cleanup deleted the picture before its use.
    #[error("the picture was deleted before its use")]
    PictureDeleted,
    /// A statement failed, or the database is unavailable.
    #[error("database error")]
    Database(#[source] db::Error),
}

impl ServiceError for Error {
    const SERVICE: &'static str = "profile";

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::MemberNotFound | Self::SkillNotFound | Self::EndorsementNotFound | Self::NotSteward => {
                ErrorKind::NotFound
            }
            Self::AlreadyVerified
            | Self::NotVerified
            | Self::NameChanged
            | Self::OtherSchool
            | Self::StateUnchanged => ErrorKind::Conflict,
            Self::NotConnected => ErrorKind::Forbidden,
            Self::PicturesBusy => ErrorKind::Limited,
            Self::PictureStore(_) | Self::PictureDeleted => ErrorKind::Unavailable,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::MemberNotFound => "MEMBER_NOT_FOUND",
            Self::SkillNotFound => "SKILL_NOT_FOUND",
            Self::EndorsementNotFound => "ENDORSEMENT_NOT_FOUND",
            Self::NotConnected => "NOT_CONNECTED",
            Self::NotSteward => "NOT_FOUND",
            Self::AlreadyVerified => "ALREADY_VERIFIED",
            Self::NotVerified => "NOT_VERIFIED",
            Self::NameChanged => "NAME_CHANGED",
            Self::OtherSchool => "OTHER_SCHOOL",
            Self::StateUnchanged => "STATE_UNCHANGED",
            Self::PicturesBusy => "PICTURES_BUSY",
            Self::PictureStore(_) | Self::PictureDeleted => "PICTURES_UNAVAILABLE",
            Self::Database(error) => error.reason(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(InvalidRequest(violations)) => violations,
            _ => &[],
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        matches!(self.kind(), ErrorKind::Limited | ErrorKind::Unavailable).then_some(Duration::from_secs(1))
    }
}

impl From<picture_store::Error> for Error {
    fn from(error: picture_store::Error) -> Self {
        match error {
            picture_store::Error::NotAPicture | picture_store::Error::TooLarge => {
                InvalidRequest::from(Violation::new("avatarUrl", error.to_string())).into()
            }
            picture_store::Error::Busy => Self::PicturesBusy,
            picture_store::Error::Unavailable(_) => Self::PictureStore(error),
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        primitives::error::to_status(&error)
    }
}

/// The field of each constraint. convert.rs checks the same limits first; this table names the field if the two differ.
const FIELDS: [(&str, &str); 18] = [
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
    ("members_jurisdictions_check", "jurisdictions"),
    ("members_interests_check", "interests"),
    ("experiences_pkey", "experiences"),
    ("experiences_position_check", "experiences"),
    ("educations_pkey", "education"),
    ("educations_position_check", "education"),
    ("skills_pkey", "skills"),
    ("skills_position_check", "skills"),
];

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        db::Error::from(error).into()
    }
}

impl From<db::Error> for Error {
    fn from(error: db::Error) -> Self {
        match error.constraint() {
            Some("endorsements_skill_fkey") => return Self::SkillNotFound,
            Some("pictures_member_id_fkey") => return Self::MemberNotFound,
            _ => {}
        }
        let field = error.constraint().and_then(|name| FIELDS.iter().find(|(constraint, _)| *constraint == name));
        match field {
            Some((_, field)) => InvalidRequest::from(Violation::new(*field, "This cannot be kept as it is.")).into(),
            None => Self::Database(error),
        }
    }
}
