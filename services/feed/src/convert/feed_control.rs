//! Hidden posts, mutes and reasons.

use chrono::TimeDelta;
use portia_proto::feed as pb;
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Cursor as _, Form, InvalidRequest, Line, PageSize},
};
use uuid::Uuid;

use super::PageRequest;
use crate::{
    cursors::HiddenPostsCursor,
    hidden_posts::HiddenPost,
    mutes::{MAX_WORD, Mute, MuteKind, MuteTarget, NewMute, filter},
    reasons::Reason,
};

impl TryFrom<pb::ListHiddenPostsRequest> for PageRequest<HiddenPostsCursor> {
    type Error = InvalidRequest;

    fn try_from(request: pb::ListHiddenPostsRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let size = form.take(PageSize::parse(request.page_size));
        let after = form.take(HiddenPostsCursor::from_token(&request.page_token));
        let (size, after) = form.finish(size.zip(after))?;
        Ok(Self { query: after.unwrap_or(HiddenPostsCursor::START), size })
    }
}

/// Parses a mute of `member_id`, who cannot be its target.
pub fn parse_mute(member_id: Uuid, request: &pb::CreateMuteRequest) -> Result<NewMute, InvalidRequest> {
    let id = || {
        let id = ids::parse("targetId", request.target_id.as_deref().unwrap_or_default())?;
        if id == member_id {
            return Err(Violation::new("targetId", "This must be another member than you."));
        }
        Ok(id)
    };
    let target = match request.kind() {
        pb::MuteKind::Word => parse_word(request.word.as_deref().unwrap_or_default()).map(MuteTarget::Word)?,
        pb::MuteKind::Member => id().map(MuteTarget::Member)?,
        pb::MuteKind::Community => id().map(MuteTarget::Community)?,
        pb::MuteKind::Unspecified => {
            return Err(Violation::new("kind", "A mute is one of word, member and community.").into());
        }
    };
    let duration = match request.duration() {
        pb::MuteDuration::Unspecified => None,
        pb::MuteDuration::Day => Some(TimeDelta::days(1)),
        pb::MuteDuration::Week => Some(TimeDelta::days(7)),
        pb::MuteDuration::Month => Some(TimeDelta::days(30)),
    };
    Ok(NewMute { target, duration })
}

/// Parses a word into the form in which words are compared. A topic counts as its word.
fn parse_word(raw: &str) -> Result<String, Violation> {
    const BLANK: &str = "Enter a word to mute.";
    let line = Line::<MAX_WORD>::parse_lenient("word", raw, 1, BLANK)?;
    let word = filter::normalized(line.trim_start_matches('#'));
    if word.is_empty() { Err(Violation::new("word", BLANK)) } else { Ok(word) }
}

pub fn parse_mute_id(raw: &str) -> Result<Uuid, Violation> {
    ids::parse("muteId", raw)
}

impl From<HiddenPost> for pb::HiddenPost {
    fn from(hidden: HiddenPost) -> Self {
        let HiddenPost { post, hidden_at, not_interested } = hidden;
        Self { post: Some(post.into()), hidden_at: Some(timestamp(hidden_at)), not_interested }
    }
}

impl From<Mute> for pb::Mute {
    fn from(mute: Mute) -> Self {
        let kind = match mute.kind {
            MuteKind::Word => pb::MuteKind::Word,
            MuteKind::Member => pb::MuteKind::Member,
            MuteKind::Community => pb::MuteKind::Community,
        };
        let is_community = mute.kind == MuteKind::Community;
        Self {
            id: mute.id.to_string(),
            kind: kind.into(),
            word: mute.word,
            target_id: mute.target_id.map(|id| id.to_string()),
            community: is_community.then(|| mute.community.unwrap_or_default()),
            created_at: Some(timestamp(mute.muted_at)),
            expires_at: mute.expires_at.map(timestamp),
        }
    }
}

impl From<Reason> for pb::PostReason {
    fn from(reason: Reason) -> Self {
        let (mut topic, mut community) = (None, None);
        let kind = match reason {
            Reason::Own => pb::PostReasonKind::Own,
            Reason::Connection => pb::PostReasonKind::Connection,
            Reason::FollowedMember => pb::PostReasonKind::FollowedMember,
            Reason::Community(name) => {
                community = Some(name);
                pb::PostReasonKind::Community
            }
            Reason::School => pb::PostReasonKind::School,
            Reason::Topic(name) => {
                topic = Some(name);
                pb::PostReasonKind::Topic
            }
            Reason::Popular => pb::PostReasonKind::Popular,
            Reason::Public => pb::PostReasonKind::Public,
        };
        Self { kind: kind.into(), topic, community }
    }
}
