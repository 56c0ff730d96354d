//! The facts about conversations and notifications that this service publishes to the gateways.

use outbox::UnitOfWork;
use portia_proto::messaging::{
    ConversationChanged, ConversationRead, MessageChanged, MessageSent, NotificationsChanged,
};
use uuid::Uuid;

use crate::{batches::STATEMENT_MEMBERS, error::Error};

/// A fact about a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversationFact {
    MessageSent {
        conversation: Uuid,
        message: Uuid,
        sender: Uuid,
        recipients: Vec<Uuid>,
    },
    /// A message was edited or deleted, or its reactions changed.
    MessageChanged {
        conversation: Uuid,
        message: Uuid,
        /// The member who changed it.
        by: Uuid,
        others: Vec<Uuid>,
    },
    /// The read mark of a participant moved.
    Read {
        conversation: Uuid,
        reader: Uuid,
        others: Vec<Uuid>,
    },
    /// The conversation appeared in a member's list, left it, moved to another folder, was muted or unmuted, or an unread message of it
    /// was deleted.
    Changed {
        conversation: Uuid,
        member: Uuid,
    },
    /// The members or the title of a group changed, or a message was deleted that these members had not read.
    GroupChanged {
        conversation: Uuid,
        members: Vec<Uuid>,
    },
}

/// Publishes a fact in the transaction of the change.
async fn publish(work: &mut UnitOfWork<'_>, fact: &ConversationFact) -> Result<(), Error> {
    match fact {
        ConversationFact::MessageSent { conversation, message, sender, recipients } => {
            let (recipient_id, recipient_ids) = one_or_all(recipients);
            let fact = MessageSent {
                conversation_id: conversation.to_string(),
                message_id: message.to_string(),
                sender_id: sender.to_string(),
                recipient_id,
                recipient_ids,
            };
            work.publish(*conversation, &fact).await?;
        }
        ConversationFact::MessageChanged { conversation, message, by, others } => {
            let fact = MessageChanged {
                conversation_id: conversation.to_string(),
                message_id: message.to_string(),
                member_ids: [by].into_iter().chain(others).map(Uuid::to_string).collect(),
            };
            work.publish(*conversation, &fact).await?;
        }
        ConversationFact::Read { conversation, reader, others } => {
            let (other_member_id, other_member_ids) = one_or_all(others);
            let fact = ConversationRead {
                conversation_id: conversation.to_string(),
                reader_id: reader.to_string(),
                other_member_id,
                other_member_ids,
            };
            work.publish(*conversation, &fact).await?;
        }
        ConversationFact::Changed { conversation, member } => {
            work.publish(*conversation, &changed(*conversation, *member)).await?;
        }
        ConversationFact::GroupChanged { conversation, members } => {
            let member_ids = members.iter().map(Uuid::to_string).collect();
            let (conversation_id, member_id) = (conversation.to_string(), String::new());
            let fact = ConversationChanged { conversation_id, member_id, member_ids };
            work.publish(*conversation, &fact).await?;
        }
    }
    Ok(())
}

/// Publishes facts in order. Publishes consecutive facts about members' lists together.
pub async fn publish_all(work: &mut UnitOfWork<'_>, facts: &[ConversationFact]) -> Result<(), Error> {
    let listed = |fact: &ConversationFact| match fact {
        ConversationFact::Changed { conversation, member } => Some((*conversation, changed(*conversation, *member))),
        _ => None,
    };
    for facts in facts.chunk_by(|one, next| listed(one).is_some() && listed(next).is_some()) {
        if let [fact] = facts {
            publish(work, fact).await?;
        } else {
            let facts: Vec<_> = facts.iter().filter_map(listed).collect();
            work.publish_all(&facts).await?;
        }
    }
    Ok(())
}

/// Publishes that the notifications of members changed.
pub async fn publish_notifications_changed(work: &mut UnitOfWork<'_>, members: &[Uuid]) -> Result<(), Error> {
    for members in members.chunks(STATEMENT_MEMBERS) {
        let fact = |member: &Uuid| (*member, NotificationsChanged { member_id: member.to_string() });
        let facts: Vec<_> = members.iter().map(fact).collect();
        work.publish_all(&facts).await?;
    }
    Ok(())
}

fn changed(conversation: Uuid, member: Uuid) -> ConversationChanged {
    let (conversation_id, member_id) = (conversation.to_string(), member.to_string());
    ConversationChanged { conversation_id, member_id, member_ids: Vec::new() }
}

/// Returns a single member as the first part, several members as the second.
fn one_or_all(members: &[Uuid]) -> (Option<String>, Vec<String>) {
    match members {
        [one] => (Some(one.to_string()), Vec::new()),
        all => (None, all.iter().map(Uuid::to_string).collect()),
    }
}
