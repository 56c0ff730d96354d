//! Topics.

use portia_proto::feed as pb;
use primitives::{
    error::Violation,
    input::{Cursor as _, Form, InvalidRequest, PageSize},
};

use super::PageRequest;
use crate::{
    cursors::TopicCursor,
    topics::{Topic, TrendingTopic},
};

/// The posts with a topic.
pub struct TopicQuery {
    pub topic: Topic,
    pub after: TopicCursor,
}

impl TryFrom<pb::ListTopicPostsRequest> for PageRequest<TopicQuery> {
    type Error = InvalidRequest;

    fn try_from(request: pb::ListTopicPostsRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let topic = form.take(parse_topic(&request.topic));
        let size = form.take(PageSize::parse(request.page_size));
        let after = form.take(TopicCursor::from_token(&request.page_token));
        let ((topic, size), after) = form.finish(topic.zip(size).zip(after))?;
        Ok(Self { query: TopicQuery { topic, after: after.unwrap_or(TopicCursor::START) }, size })
    }
}

pub fn parse_topic(raw: &str) -> Result<Topic, Violation> {
    let topic = portia_proto::topics::parse(raw).map(Topic);
    topic.ok_or_else(|| Violation::new("topic", "A topic has 2 to 50 letters, digits and underscores."))
}

impl From<TrendingTopic> for pb::TrendingTopic {
    fn from(trending: TrendingTopic) -> Self {
        Self { topic: trending.topic, member_count: trending.member_count }
    }
}
