//! The facts of a step, read from the outbox.

use portia_proto::messaging::{ConversationChanged, ConversationRead, MessageChanged, MessageSent};
use prost::{Message as _, Name as _};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::publishing::ConversationFact;

/// Takes the facts that the transaction published since the last call.
pub async fn take(db: &mut PgConnection) -> Vec<ConversationFact> {
    #[expect(clippy::disallowed_methods, reason = "the outbox belongs to a library, which has its statements")]
    let taken = sqlx::query_as::<_, (String, Vec<u8>)>("delete from messaging.outbox returning kind, payload");
    taken.fetch_all(db).await.unwrap().iter().map(|(kind, payload)| decode(kind, payload)).collect()
}

fn decode(kind: &str, payload: &[u8]) -> ConversationFact {
    let id = |text: &String| text.parse::<Uuid>().unwrap();
    if kind == MessageSent::full_name() {
        let fact = MessageSent::decode(payload).unwrap();
        ConversationFact::MessageSent {
            conversation: id(&fact.conversation_id),
            message: id(&fact.message_id),
            sender: id(&fact.sender_id),
            recipients: fact.recipient_id.iter().chain(&fact.recipient_ids).map(id).collect(),
        }
    } else if kind == MessageChanged::full_name() {
        let fact = MessageChanged::decode(payload).unwrap();
        ConversationFact::MessageChanged {
            conversation: id(&fact.conversation_id),
            message: id(&fact.message_id),
            by: id(&fact.member_ids[0]),
            others: fact.member_ids[1..].iter().map(id).collect(),
        }
    } else if kind == ConversationRead::full_name() {
        let fact = ConversationRead::decode(payload).unwrap();
        ConversationFact::Read {
            conversation: id(&fact.conversation_id),
            reader: id(&fact.reader_id),
            others: fact.other_member_id.iter().chain(&fact.other_member_ids).map(id).collect(),
        }
    } else {
        assert_eq!(kind, ConversationChanged::full_name());
        let fact = ConversationChanged::decode(payload).unwrap();
        ConversationFact::Changed { conversation: id(&fact.conversation_id), member: id(&fact.member_id) }
    }
}
