//! Conversion of the requests to delete a post or comment.

use portia_proto::feed as pb;
use primitives::{
    error::Violation,
    input::{Form, InvalidRequest},
};
use uuid::Uuid;

use super::{comments::parse_comment_id, parse_post_id};
use crate::community_removals::CommunityReason;

/// The post or comment to delete.
pub struct ContentDeletion {
    pub id: Uuid,
    pub reason: Option<CommunityReason>,
}

impl ContentDeletion {
    fn parse(id: Result<Uuid, Violation>, raw: i32) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let id = form.take(id);
        let reason = form.take(reason(raw));
        let (id, reason) = form.finish(id.zip(reason))?;
        Ok(Self { id, reason })
    }
}

impl TryFrom<pb::DeletePostRequest> for ContentDeletion {
    type Error = InvalidRequest;

    fn try_from(request: pb::DeletePostRequest) -> Result<Self, InvalidRequest> {
        Self::parse(parse_post_id(&request.post_id), request.reason)
    }
}

impl TryFrom<pb::DeleteCommentRequest> for ContentDeletion {
    type Error = InvalidRequest;

    fn try_from(request: pb::DeleteCommentRequest) -> Result<Self, InvalidRequest> {
        Self::parse(parse_comment_id(&request.comment_id), request.reason)
    }
}

fn reason(raw: i32) -> Result<Option<CommunityReason>, Violation> {
    use pb::CommunityReason as Stated;
    match Stated::try_from(raw) {
        Ok(Stated::Unspecified) => Ok(None),
        Ok(Stated::Rules) => Ok(Some(CommunityReason::Rules)),
        Ok(Stated::OffTopic) => Ok(Some(CommunityReason::OffTopic)),
        Ok(Stated::Spam) => Ok(Some(CommunityReason::Spam)),
        Ok(Stated::Harassment) => Ok(Some(CommunityReason::Harassment)),
        Ok(Stated::Other) => Ok(Some(CommunityReason::Other)),
        Err(_) => Err(Violation::new("reason", "This is not a reason.")),
    }
}
