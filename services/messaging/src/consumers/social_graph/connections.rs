//! The handlers of connections: two connected members have a conversation, and both learn of requests and answers.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use outbox::{Changes, FactKinds, UnitOfWork};
use portia_proto::social_graph::{ConnectionAccepted, ConnectionRemoved, ConnectionRequested};
use primitives::ids;
use prost::{DecodeError, Message as _, Name as _};
use sqlx::PgConnection;
use uuid::Uuid;

use super::id;
use crate::{
    conversations::connect::{self, Connected},
    error::Error,
    notifications::{Kind, NotificationTrigger, notifier},
};

/// Converts a fact. A snapshot contains connections of any age, and the list orders a conversation by the age of its
/// connection.
fn parse_connected(work: &UnitOfWork<'_>, fact: &ConnectionAccepted) -> Result<Connected, Error> {
    Ok(Connected {
        requester: id(&fact.requester_id)?,
        recipient: id(&fact.recipient_id)?,
        new_id: work.ids.new_owner(),
        at: ids::created_at(id(&fact.connection_id)?).unwrap_or_default().min(work.now),
    })
}

/// Connects the members of a snapshot.
pub async fn copy(db: &mut PgConnection, changes: &Changes, facts: Vec<ConnectionAccepted>) -> Result<(), Error> {
    let work = changes.work(db);
    let accepted = facts.iter().map(|fact| parse_connected(&work, fact)).collect::<Result<Vec<_>, _>>()?;
    connect::connect_all(work.db, &accepted).await
}

/// Applies new facts in their order, with few statements.
pub async fn apply(db: &mut PgConnection, changes: &Changes, facts: Vec<ConnectionFact>) -> Result<(), Error> {
    let work = &mut changes.work(db);
    let accepted = facts.iter().filter_map(|fact| match fact {
        ConnectionFact::Accepted(fact) => Some(parse_connected(work, fact)),
        _ => None,
    });
    let accepted = accepted.collect::<Result<Vec<_>, _>>()?;
    let Net { answered, removed, made } = net(&facts)?;
    if !answered.is_empty() {
        // Notifications are locked before conversations.
        let mut concerned = notifier::list_members(work.db, &answered).await?;
        concerned.extend(accepted.iter().flat_map(|one| [one.requester, one.recipient]));
        concerned.extend(made.iter().map(|(_, recipient)| *recipient));
        notifier::lock(work.db, &concerned).await?;
    }
    if !accepted.is_empty() {
        connect::connect_all(work.db, &accepted).await?;
        connect::publish_connected(work, &accepted).await?;
    }
    notifier::delete_by_subjects(work, Kind::ConnectionRequested, &answered).await?;
    notifier::delete_by_subjects(work, Kind::ConnectionAccepted, &removed).await?;
    if !made.is_empty() {
        notifier::notify_each(work, made).await?;
    }
    Ok(())
}

/// A fact about a connection.
#[derive(Clone, Debug)]
pub enum ConnectionFact {
    Requested(ConnectionRequested),
    Accepted(ConnectionAccepted),
    Removed(ConnectionRemoved),
}

impl FactKinds for ConnectionFact {
    fn kinds() -> Vec<String> {
        vec![ConnectionRequested::full_name(), ConnectionAccepted::full_name(), ConnectionRemoved::full_name()]
    }

    fn decode(kind: &str, payload: &[u8]) -> Result<Self, DecodeError> {
        Ok(if kind == ConnectionRequested::full_name() {
            Self::Requested(ConnectionRequested::decode(payload)?)
        } else if kind == ConnectionAccepted::full_name() {
            Self::Accepted(ConnectionAccepted::decode(payload)?)
        } else {
            Self::Removed(ConnectionRemoved::decode(payload)?)
        })
    }
}

/// The changes of notifications with the same result as all facts in order. Deletions, by the id of the connection,
/// come first.
#[derive(Debug, Default)]
struct Net {
    /// Notifications of requests.
    answered: Vec<Uuid>,
    /// Notifications of acceptances.
    removed: Vec<Uuid>,
    made: Vec<Made>,
}

/// A notification with its recipient.
type Made = (NotificationTrigger<'static>, Uuid);

/// Computes the net result of facts. Only facts of one connection depend on each other: a notification counts unless a
/// later fact deletes it, and a repeated one counts once. A deletion always counts, because of earlier notifications.
fn net(facts: &[ConnectionFact]) -> Result<Net, Error> {
    let mut net = Net::default();
    // By kind and connection, with the places of their facts.
    let mut made: BTreeMap<(Kind, Uuid), Vec<(usize, Made)>> = BTreeMap::new();
    for (place, fact) in facts.iter().enumerate() {
        let (kind, connection, actor, recipient) = match fact {
            ConnectionFact::Requested(fact) => {
                let (requester, recipient) = (id(&fact.requester_id)?, id(&fact.recipient_id)?);
                (Kind::ConnectionRequested, id(&fact.connection_id)?, requester, recipient)
            }
            ConnectionFact::Accepted(fact) => {
                let (requester, recipient) = (id(&fact.requester_id)?, id(&fact.recipient_id)?);
                let connection = id(&fact.connection_id)?;
                net.answered.push(connection);
                made.remove(&(Kind::ConnectionRequested, connection));
                (Kind::ConnectionAccepted, connection, recipient, requester)
            }
            ConnectionFact::Removed(fact) => {
                let connection = id(&fact.connection_id)?;
                net.answered.push(connection);
                net.removed.push(connection);
                made.remove(&(Kind::ConnectionRequested, connection));
                made.remove(&(Kind::ConnectionAccepted, connection));
                continue;
            }
        };
        let trigger = NotificationTrigger::new(kind, connection, actor);
        made.entry((kind, connection)).or_default().push((place, (trigger, recipient)));
    }
    let mut made: Vec<_> = made.into_values().flatten().collect();
    made.sort_unstable_by_key(|(place, _)| *place);
    net.made = made.into_iter().map(|(_, made)| made).collect();
    Ok(net)
}
