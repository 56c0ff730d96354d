//! What can go wrong here, and how a caller can react to it.

use std::time::Duration;

use primitives::{
    error::{ErrorKind, ServiceError, Violation, to_status},
    input::InvalidRequest,
};
use tonic::Status;

/// Every way a request to feed can fail.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request breaks rules.
    #[error(transparent)]
    Invalid(#[from] InvalidRequest),
    /// There is no such post.
    #[error("Post not found")]
    PostNotFound,
    /// There is no such comment.
    #[error("Comment not found")]
    CommentNotFound,
    /// What is to be changed or taken away is somebody else's.
    #[error("Only its author can do this.")]
    NotTheAuthor,
    /// What is to be passed on is for a community.
    #[error("Only posts for everybody can be shared")]
    NotForEverybody,
    /// A post for a community the author does not belong to, or that is none.
    #[error("Join this community to post in it.")]
    NotAWriter,
    /// The posts of a community the viewer does not belong to, or that is none.
    #[error("Join this community to see its posts.")]
    NotAReader,
    /// One keeps up to a thousand things.
    #[error("You can save up to 1,000 items")]
    TooManySaved,
    /// Somebody reports themselves, or what they wrote.
    #[error("You cannot report yourself")]
    OwnContent,
    /// There is no such report.
    #[error("There is no such report.")]
    ReportNotFound,
    /// It was decided otherwise before.
    #[error("This report was decided before, and otherwise.")]
    ReportDecided,
    /// Too many pictures wait for being decoded.
    #[error("Too many images are being processed. Please try again.")]
    PicturesBusy,
    /// The store of pictures failed.
    #[error("a picture was not kept")]
    PicturesAway(#[source] picture_store::Error),
    /// An idempotency key came back with other words.
    #[error("This request was sent before with other content. Use a new idempotency key.")]
    KeyReused,
    /// The database refused or failed.
    #[error("the database failed")]
    Database(#[source] db::Error),
}

impl ServiceError for Error {
    const SERVICE: &'static str = "feed";

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::PostNotFound | Self::CommentNotFound | Self::ReportNotFound => ErrorKind::NotFound,
            Self::NotAWriter | Self::NotAReader | Self::NotTheAuthor => ErrorKind::Forbidden,
            Self::NotForEverybody | Self::OwnContent | Self::ReportDecided => ErrorKind::Conflict,
            Self::TooManySaved | Self::PicturesBusy => ErrorKind::Limited,
            Self::PicturesAway(_) => ErrorKind::Unavailable,
            Self::KeyReused => ErrorKind::KeyReused,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::PostNotFound => "POST_NOT_FOUND",
            Self::CommentNotFound => "COMMENT_NOT_FOUND",
            Self::NotTheAuthor => "NOT_THE_AUTHOR",
            Self::NotForEverybody => "NOT_FOR_EVERYBODY",
            Self::NotAWriter | Self::NotAReader => "NOT_A_MEMBER",
            Self::TooManySaved => "TOO_MANY_SAVED",
            Self::PicturesBusy => "PICTURES_BUSY",
            Self::PicturesAway(_) => "PICTURES_AWAY",
            Self::OwnContent => "OWN_CONTENT",
            Self::ReportNotFound => "REPORT_NOT_FOUND",
            Self::ReportDecided => "REPORT_DECIDED",
            Self::KeyReused => "IDEMPOTENCY_KEY_REUSED",
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
        let soon = self.kind() == ErrorKind::Unavailable || matches!(self, Self::PicturesBusy);
        soon.then_some(Duration::from_secs(1))
    }
}

impl From<Violation> for Error {
    fn from(violation: Violation) -> Self {
        Self::Invalid(violation.into())
    }
}

impl From<sqlx::Error> for Error {
    /// A row that names a post which is not there is refused by its foreign key: that is how we learn of it.
    fn from(error: sqlx::Error) -> Self {
        db::Error::from(error).into()
    }
}

impl From<db::Error> for Error {
    fn from(error: db::Error) -> Self {
        match error.constraint() {
            Some("reactions_post_id_fkey" | "comments_post_id_fkey") => Self::PostNotFound,
            Some("savers_items_check") => Self::TooManySaved,
            // Only the row knows that it is no article, which may say more.
            Some("posts_content_check") => Violation::new("content", "This must be at most 5000 characters.").into(),
            _ => Self::Database(error),
        }
    }
}

impl From<picture_store::Error> for Error {
    fn from(error: picture_store::Error) -> Self {
        match error {
            picture_store::Error::NotAPicture | picture_store::Error::TooLarge => {
                Violation::new("picture", error.to_string()).into()
            }
            picture_store::Error::Busy => Self::PicturesBusy,
            picture_store::Error::Away(_) => Self::PicturesAway(error),
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        to_status(&error)
    }
}
