//! Sends the pushes that are due. Any number of replicas share them.

use std::time::Duration;

use chassis::{ServiceContext, lifecycle::Activity};
use chrono::{DateTime, TimeDelta, Utc};
use futures::{StreamExt as _, stream};
use http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, USER_AGENT},
};
use metrics::{counter, describe_counter, describe_gauge, gauge};
use primitives::{clock::Clock, error::ErrorChain};
use sqlx::PgPool;
use url::Url;

use super::{
    Push,
    deliveries::{self, Delivery},
    payload::{BrowserKeys, Payload},
    subscriptions,
};
use crate::error::Error;

/// How often the task looks for due pushes.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The number of polls between two counts of the waiting pushes: a long queue takes a while to count.
const POLLS_PER_COUNT: u64 = 15;
/// The number of pushes that a process sends concurrently.
const CONCURRENCY: usize = 8;
/// The timeout of a request. A batch takes less than a lease.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The delay after the first failure; it doubles with each, up to the maximum.
const FIRST_DELAY: TimeDelta = TimeDelta::seconds(30);
const MAX_DELAY: TimeDelta = TimeDelta::hours(1);

const TTL: HeaderName = HeaderName::from_static("ttl");
const TOPIC: HeaderName = HeaderName::from_static("topic");
const URGENCY: HeaderName = HeaderName::from_static("urgency");

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Sent,
    /// Read, muted, withdrawn or expired before it was sent.
    Cancelled,
    /// The browser ended the subscription.
    Gone,
    /// A response that a retry would not change.
    Rejected,
    /// The push is sent again after the delay that the push service asked for, or a growing one.
    Throttled {
        retry_after: Option<Duration>,
    },
    Unavailable {
        retry_after: Option<Duration>,
    },
}

impl Outcome {
    const fn label(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Cancelled => "cancelled",
            Self::Gone => "gone",
            Self::Rejected => "rejected",
            Self::Throttled { .. } => "throttled",
            Self::Unavailable { .. } => "unavailable",
        }
    }

    fn of(status: u16, retry_after: Option<Duration>) -> Self {
        match status {
            200..=299 => Self::Sent,
            404 | 410 => Self::Gone,
            429 => Self::Throttled { retry_after },
            408 | 500..=599 => Self::Unavailable { retry_after },
            _ => Self::Rejected,
        }
    }
}

/// The sender of a process.
#[derive(Clone)]
struct Sender {
    push: Push,
    db: PgPool,
    clock: Clock,
    activity: Activity,
}

impl Push {
    /// Sends pushes until the process stops.
    pub fn spawn(&self, context: &ServiceContext, db: &PgPool) {
        if !self.is_on {
            return;
        }
        describe_counter!("push_deliveries_total", "Attempts to send a push, by outcome");
        // A series that appears with the first push has no rate for an alert.
        counter!("push_deliveries_total", "outcome" => "sent").increment(0);
        describe_gauge!("push_deliveries_waiting", "Pushes that wait, of all replicas");
        let (clock, activity) = (context.clock.clone(), context.activity.clone());
        let sender = Sender { push: self.clone(), db: db.clone(), clock, activity };
        context.tasks.spawn("push", move |stopped| {
            let sender = sender.clone();
            async move {
                for poll in 0_u64.. {
                    tokio::select! {
                        () = stopped.cancelled() => break,
                        done = sender.poll(poll % POLLS_PER_COUNT == 0) => done?,
                    }
                }
                Ok(())
            }
        });
    }
}

impl Sender {
    /// Sends the pushes of one lease, or waits.
    async fn poll(&self, with_count: bool) -> Result<(), Error> {
        if with_count {
            gauge!("push_deliveries_waiting").set(deliveries::count(&self.db).await? as f64);
        }
        let leased = deliveries::lease(&self.db, self.clock.now()).await?;
        let is_full = usize::try_from(deliveries::BATCH).is_ok_and(|batch| leased.len() == batch);
        stream::iter(leased).for_each_concurrent(CONCURRENCY, |delivery| self.handle(delivery)).await;
        if !is_full {
            self.activity.pause(POLL_INTERVAL).await;
        }
        Ok(())
    }

    /// Sends a push and records the outcome. After an error the push waits for the end of its lease.
    async fn handle(&self, delivery: Delivery) {
        let outcome = if delivery.is_wanted { self.send(&delivery).await } else { Outcome::Cancelled };
        counter!("push_deliveries_total", "outcome" => outcome.label()).increment(1);
        if let Err(error) = self.record(&delivery, outcome).await {
            tracing::warn!(error = %ErrorChain(&error), "the outcome of a push could not be stored");
        }
    }

    async fn send(&self, delivery: &Delivery) -> Outcome {
        let now = self.clock.now();
        let (url, headers, body) = match self.request(delivery, now) {
            Ok(request) => request,
            Err(error) => {
                tracing::error!(subscription = %delivery.subscription_id, %error, "a push could not be prepared");
                return Outcome::Rejected;
            }
        };
        // An endpoint is a secret: only its host is logged.
        let host = url.host_str();
        match self.push.fetcher.post(&url, headers, body, TIMEOUT).await {
            Ok(response) => {
                let outcome = Outcome::of(response.status.as_u16(), response.retry_after);
                if outcome != Outcome::Sent {
                    tracing::info!(host, status = response.status.as_u16(), "a push was not accepted");
                }
                outcome
            }
            Err(failure) => {
                tracing::info!(host, error = %failure, "a push could not be sent");
                Outcome::Unavailable { retry_after: None }
            }
        }
    }

    fn request(&self, delivery: &Delivery, now: DateTime<Utc>) -> anyhow::Result<(Url, HeaderMap, Vec<u8>)> {
        let url = Url::parse(&delivery.endpoint)?;
        let language = delivery.language.as_str();
        let payload = match delivery.message_id {
            Some(_) if delivery.is_request => Payload::Request { conversation_id: delivery.subject_id, language },
            Some(message_id) => Payload::Message { conversation_id: delivery.subject_id, message_id, language },
            None => Payload::Notification { notification_id: delivery.subject_id, language },
        };
        let body = payload.encrypt(&BrowserKeys::parse(&delivery.p256dh, &delivery.auth)?)?;
        let ttl = (delivery.expires_at - now).num_seconds().max(0);
        let urgency = if delivery.message_id.is_some() { "high" } else { "normal" };
        let headers = HeaderMap::from_iter([
            (AUTHORIZATION, self.push.key.authorization(&url, self.push.contact.as_deref(), now)?),
            (CONTENT_ENCODING, HeaderValue::from_static("aes128gcm")),
            (CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
            (USER_AGENT, HeaderValue::from_static(concat!("Portia/", env!("CARGO_PKG_VERSION")))),
            (TTL, HeaderValue::from(ttl)),
            // A phone that was off gets the newest push of a subject only. 32 characters are the maximum.
            (TOPIC, HeaderValue::from_str(&delivery.subject_id.simple().to_string())?),
            (URGENCY, HeaderValue::from_static(urgency)),
        ]);
        Ok((url, headers, body))
    }

    async fn record(&self, delivery: &Delivery, outcome: Outcome) -> Result<(), Error> {
        let now = self.clock.now();
        match outcome {
            Outcome::Sent => {
                let mut tx = db::begin(&self.db).await?;
                deliveries::complete(&mut tx, delivery, now).await?;
                subscriptions::note_success(&mut tx, delivery.subscription_id, now).await?;
                tx.commit().await?;
            }
            Outcome::Cancelled | Outcome::Rejected => {
                deliveries::complete(&mut *self.db.acquire().await?, delivery, now).await?;
            }
            Outcome::Gone => {
                let db = &mut *self.db.acquire().await?;
                subscriptions::drop_expired(db, delivery.subscription_id, &delivery.endpoint).await?;
            }
            Outcome::Throttled { retry_after } | Outcome::Unavailable { retry_after } => {
                deliveries::postpone(&self.db, delivery, now + delay(delivery.attempts, retry_after)).await?;
            }
        }
        Ok(())
    }
}

/// Returns the delay after attempt number `attempts`: the push service's own, or a growing one.
fn delay(attempts: i32, retry_after: Option<Duration>) -> TimeDelta {
    let doublings = u32::try_from(attempts.saturating_sub(1)).unwrap_or_default().min(16);
    let own = (FIRST_DELAY * 2_i32.pow(doublings)).min(MAX_DELAY);
    retry_after.and_then(|delay| TimeDelta::from_std(delay).ok()).unwrap_or(own).max(TimeDelta::seconds(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_doubles_up_to_an_hour() {
        let delays: Vec<i64> = [1, 2, 3, 7, 8, 100, i32::MAX].map(|n| delay(n, None).num_seconds()).into();
        assert_eq!(delays, [30, 60, 120, 1_920, 3_600, 3_600, 3_600]);
        assert_eq!(delay(1, Some(Duration::from_secs(7_200))), TimeDelta::hours(2));
        assert_eq!(delay(1, Some(Duration::ZERO)), TimeDelta::seconds(1));
    }

    #[test]
    fn a_status_decides_the_outcome() {
        for (status, label) in [
            (200, "sent"),
            (201, "sent"),
            (301, "rejected"),
            (400, "rejected"),
            (403, "rejected"),
            (404, "gone"),
            (410, "gone"),
            (413, "rejected"),
            (429, "throttled"),
            (500, "unavailable"),
            (503, "unavailable"),
        ] {
            assert_eq!(Outcome::of(status, None).label(), label, "{status}");
        }
    }
}
