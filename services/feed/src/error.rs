//! The errors of this service, with their kinds and reasons.

use std::time::Duration;

use primitives::{
    error::{ErrorKind, ServiceError, Violation, to_status},
    input::InvalidRequest,
};
use tonic::Status;

/// The error of a request.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidRequest),
    /// A new account has used up its daily allowance of comments on posts of strangers.
    #[error(
        "You have commented on posts of members you do not know as often as a new account can for now. You can write more later."
    )]
    CommentsOfDay {
        /// The time after which one more is possible.
        retry_after: Duration,
    },
    /// The member uploaded the maximum number of bytes within a day.
    #[error("You have added 150 MB of files to posts within a day, which is the most. Please try again later.")]
    FilesOfDay {
        /// The time after which the file fits.
        retry_after: Duration,
    },
    /// Unknown, or not visible to the caller.
    #[error("Post not found")]
    PostNotFound,
    /// Unknown, or not visible to the caller.
    #[error("Comment not found")]
    CommentNotFound,
    /// Unknown, or of a post that is not visible to the caller.
    #[error("File not found")]
    FileNotFound,
    /// The post or comment belongs to another member.
    #[error("Only its author can do this.")]
    NotTheAuthor,
    /// Only public posts can be reposted.
    #[error("Only posts for everybody can be shared")]
    NotPublic,
    /// A post in a community that the author does not belong to, or that does not exist.
    #[error("Join this community to take part in it.")]
    NotAWriter,
    /// The posts of a community that the viewer does not belong to, or that does not exist.
    #[error("Join this community to see its posts.")]
    NotAReader,
    /// A member saves at most 1,000 items.
    #[error("You can save up to 1,000 items")]
    TooManySaved,
    /// A member follows at most 100 topics.
    #[error("You can follow up to 100 topics")]
    TooManyTopics,
    /// A member hides posts of others only.
    #[error("You cannot hide your own posts")]
    OwnPost,
    /// A member mutes at most 100 words, 500 members and 100 communities.
    #[error("{0}")]
    TooManyMutes(&'static str),
    /// A report about the reporter or their content.
    #[error("You cannot report yourself")]
    OwnContent,
    /// Unknown.
    #[error("There is no such report.")]
    ReportNotFound,
    /// The report was decided before, with another outcome.
    #[error("This report was decided before, and otherwise.")]
    ReportDecided,
    /// The deciding moderator owns the content, reported it or removed it.
    #[error("You cannot decide on your own content, reports or removals.")]
    OwnCase,
    /// A member or a message.
    #[error("This cannot be removed. Suspend the account, then dismiss the report.")]
    NotRemovable,
    /// Unknown, or about content of another member.
    #[error("There is no such removal.")]
    AppealNotFound,
    /// The author has appealed before.
    #[error("You have appealed already.")]
    AppealedAlready,
    /// More than 30 days after the removal.
    #[error("The time for an appeal is over.")]
    AppealTooLate,
    /// Another moderator decided it.
    #[error("This appeal was decided before.")]
    AppealDecided,
    /// Too many pictures are waiting to be decoded.
    #[error("Too many images are being processed. Please try again.")]
    PicturesBusy,
    /// The picture store failed.
    #[error("the picture store failed")]
    PictureStore(#[source] picture_store::Error),
    /// The idempotency key was used with another body.
    #[error("This request was sent before with other content. Use a new idempotency key.")]
    KeyReused,
    /// A statement failed.
    #[error("the database failed")]
    Database(#[source] db::Error),
}

impl ServiceError for Error {
    const SERVICE: &'static str = "feed";

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::PostNotFound
            | Self::CommentNotFound
            | Self::FileNotFound
            | Self::ReportNotFound
            | Self::AppealNotFound => ErrorKind::NotFound,
            Self::NotAWriter | Self::NotAReader | Self::NotTheAuthor | Self::OwnCase => ErrorKind::Forbidden,
            Self::NotPublic
            | Self::TooManySaved
            | Self::TooManyTopics
            | Self::OwnPost
            | Self::TooManyMutes(_)
            | Self::OwnContent
            | Self::ReportDecided => ErrorKind::Conflict,
            Self::NotRemovable | Self::AppealedAlready | Self::AppealTooLate | Self::AppealDecided => {
                ErrorKind::Conflict
            }
            Self::PicturesBusy => ErrorKind::Limited,
            Self::PictureStore(_) => ErrorKind::Unavailable,
            Self::CommentsOfDay { .. } | Self::FilesOfDay { .. } => ErrorKind::Limited,
            Self::KeyReused => ErrorKind::KeyReused,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::PostNotFound => "POST_NOT_FOUND",
            Self::CommentNotFound => "COMMENT_NOT_FOUND",
            Self::FileNotFound => "FILE_NOT_FOUND",
            Self::NotTheAuthor => "NOT_THE_AUTHOR",
            Self::NotPublic => "NOT_FOR_EVERYBODY",
            Self::NotAWriter | Self::NotAReader => "NOT_A_MEMBER",
            Self::TooManySaved => "TOO_MANY_SAVED",
            Self::TooManyTopics => "TOO_MANY_TOPICS",
            Self::OwnPost => "OWN_POST",
            Self::TooManyMutes(_) => "TOO_MANY_MUTES",
            Self::PicturesBusy => "PICTURES_BUSY",
            Self::PictureStore(_) => "PICTURES_UNAVAILABLE",
            Self::OwnContent => "OWN_CONTENT",
            Self::ReportNotFound => "REPORT_NOT_FOUND",
            Self::ReportDecided => "REPORT_DECIDED",
            Self::OwnCase => "OWN_CASE",
            Self::NotRemovable => "NOT_REMOVABLE",
            Self::AppealNotFound => "APPEAL_NOT_FOUND",
            Self::AppealedAlready => "APPEALED_ALREADY",
            Self::AppealTooLate => "APPEAL_TOO_LATE",
            Self::AppealDecided => "APPEAL_DECIDED",
            Self::CommentsOfDay { .. } => "COMMENTS_OF_DAY",
            Self::FilesOfDay { .. } => "FILES_OF_DAY",
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
        if let Self::CommentsOfDay { retry_after } | Self::FilesOfDay { retry_after } = self {
            return Some(*retry_after);
        }
        let is_temporary = self.kind() == ErrorKind::Unavailable || matches!(self, Self::PicturesBusy);
        is_temporary.then_some(Duration::from_secs(1))
    }
}

impl From<Violation> for Error {
    fn from(violation: Violation) -> Self {
        Self::Invalid(violation.into())
    }
}

impl From<sqlx::Error> for Error {
    /// Maps the foreign keys that refuse rows of missing posts and comments.
    fn from(error: sqlx::Error) -> Self {
        db::Error::from(error).into()
    }
}

impl From<db::Error> for Error {
    fn from(error: db::Error) -> Self {
        match error.constraint() {
            Some("reactions_post_id_fkey" | "comments_post_id_fkey") => Self::PostNotFound,
            Some("comments_reply_to_fkey" | "comment_reactions_comment_id_fkey") => Self::CommentNotFound,
            Some("savers_items_check") => Self::TooManySaved,
            // Only the row knows whether it is an article, which may be longer.
            Some("posts_content_check") => Violation::new("content", "This must be at most 5000 characters.").into(),
            _ => Self::Database(error),
        }
    }
}

impl From<idempotency::Error> for Error {
    fn from(error: idempotency::Error) -> Self {
        match error {
            idempotency::Error::KeyReused => Self::KeyReused,
            idempotency::Error::Database(error) => error.into(),
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
            picture_store::Error::Unavailable(_) => Self::PictureStore(error),
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        to_status(&error)
    }
}
