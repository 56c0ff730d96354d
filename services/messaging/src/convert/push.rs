//! Requests and responses about web push.

use portia_proto::messaging as pb;
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Form, Line},
};
use url::Url;
use uuid::Uuid;

use crate::{
    error::Error,
    push::{
        BrowserKeys, Topic,
        subscriptions::{Language, NewSubscription, Subscription},
    },
};

/// The maximum length of an endpoint, in bytes.
const MAX_ENDPOINT: usize = 2_000;

impl TryFrom<pb::SetPushSubscriptionRequest> for NewSubscription {
    type Error = Error;

    fn try_from(request: pb::SetPushSubscriptionRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let topics = form.take(parse_topics(&request));
        let endpoint = form.take(parse_endpoint(&request.endpoint));
        let language = form.take(parse_language(&request.language));
        let browser = form.take(Line::parse("browser", &request.browser, 1, "This must not be empty."));
        let keys = BrowserKeys::parse(&request.p256dh, &request.auth);
        let keys = form.take(keys.map_err(|_| Violation::new("p256dh", "These are not the keys of a browser.")));
        let taken = topics.zip(endpoint).zip(language).zip(browser).zip(keys);
        let ((((topics, endpoint), language), browser), _) = form.finish(taken)?;
        Ok(Self { endpoint, p256dh: request.p256dh, auth: request.auth, language, topics, browser })
    }
}

fn parse_endpoint(raw: &str) -> Result<Url, Violation> {
    let url = Url::parse(raw).ok().filter(|url| url.as_str().len() <= MAX_ENDPOINT);
    url.ok_or_else(foreign_endpoint)
}

/// Returns the violation of an endpoint that belongs to no configured push service.
pub fn foreign_endpoint() -> Violation {
    Violation::new("endpoint", "This is not the address of a known push service.")
}

fn parse_language(raw: &str) -> Result<Language, Violation> {
    match raw {
        "en" => Ok(Language::English),
        "fil" => Ok(Language::Filipino),
        _ => Err(Violation::new("language", "This must be en or fil.")),
    }
}

fn parse_topics(request: &pb::SetPushSubscriptionRequest) -> Result<Vec<Topic>, Violation> {
    let refused = |message: &str| Violation::new("topics", message);
    let mut topics = Vec::new();
    for raw in request.topics() {
        let topic = match raw {
            pb::PushTopic::Unspecified => return Err(refused("There is no such topic.")),
            pb::PushTopic::Messages => Topic::Messages,
            pb::PushTopic::Connections => Topic::Connections,
            pb::PushTopic::Posts => Topic::Posts,
            pb::PushTopic::Reminders => Topic::Reminders,
        };
        // This also bounds their number.
        if topics.contains(&topic) {
            return Err(refused("Name each topic once."));
        }
        topics.push(topic);
    }
    if topics.is_empty() { Err(refused("Name a topic.")) } else { Ok(topics) }
}

pub fn parse_subscription_id(raw: &str) -> Result<Uuid, Violation> {
    ids::parse("subscriptionId", raw)
}

impl From<Topic> for pb::PushTopic {
    fn from(topic: Topic) -> Self {
        match topic {
            Topic::Messages => Self::Messages,
            Topic::Connections => Self::Connections,
            Topic::Posts => Self::Posts,
            Topic::Reminders => Self::Reminders,
        }
    }
}

impl From<Subscription> for pb::PushSubscription {
    fn from(subscription: Subscription) -> Self {
        let topics = Topic::ALL.into_iter().filter(|topic| subscription.topics.iter().any(|t| t == topic.as_str()));
        Self {
            id: subscription.id.to_string(),
            topics: topics.map(|topic| pb::PushTopic::from(topic).into()).collect(),
            browser: subscription.browser,
            language: subscription.language,
            created_at: Some(timestamp(subscription.created_at)),
            last_success_at: subscription.last_success_at.map(timestamp),
            is_current_session: subscription.is_current_session,
        }
    }
}
