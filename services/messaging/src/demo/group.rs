//! The demo group. The service's own functions insert it, so that its lines, counts and reactions are like in any
//! group.

use chrono::TimeDelta;
use outbox::UnitOfWork;
use primitives::input::{Line, Text};
use uuid::Uuid;

use super::member;
use crate::{
    conversations::effects::Effects,
    error::Error,
    groups::create::{self, NewGroup},
    messages::{
        change::MessageRef,
        reactions::{self, ReactionKind},
        send::{self, NewMessage},
    },
};

const TITLE: &str = "Moot court practice";
/// Isabel, who owns the group; then Daniel, Paolo and Pilar, who have conversations with her.
const OWNER: usize = 1;
const OTHERS: [usize; 3] = [2, 36, 55];

/// A message of the group.
struct DemoMessage {
    sender: usize,
    content: &'static str,
    /// The place of the message that it answers, from 0.
    reply_to: Option<usize>,
    reactions: &'static [(usize, ReactionKind)],
}

const fn says(sender: usize, content: &'static str) -> DemoMessage {
    DemoMessage { sender, content, reply_to: None, reactions: &[] }
}

const MESSAGES: [DemoMessage; 8] = [
    says(
        1,
        "Welcome! Four of us, one record, two weeks. Daniel and Pilar judge the practice rounds, Paolo and I argue.",
    ),
    says(36, "Magandang gabi po. I have read the record twice, and the second time I disagreed with myself."),
    DemoMessage {
        reply_to: Some(1),
        reactions: &[(1, ReactionKind::Laugh), (55, ReactionKind::Like)],
        ..says(2, "Good. Write down why: that is the first question I will ask you.")
    },
    says(55, "I can sit on the bench on Thursday evening, Manila time. Which issue do you want to begin with?"),
    DemoMessage {
        reply_to: Some(3),
        ..says(1, "Standing, please. We lose the most points there, and I would rather lose them to you.")
    },
    DemoMessage {
        reactions: &[(1, ReactionKind::Thanks), (36, ReactionKind::Thanks), (55, ReactionKind::Love)],
        ..says(
            2,
            "Thursday works from here as well. I will send three hard questions on Wednesday, and none of them will be fair.",
        )
    },
    says(55, "Then I will ask the fair ones, which are worse."),
    says(36, "Noted po. Bibili na ako ng kape para sa Miyerkules."),
];

/// Inserts the group, once.
pub async fn insert(work: &mut UnitOfWork<'_>) -> anyhow::Result<()> {
    let exists = sqlx::query_scalar!(
        r#"select exists (select from messaging.conversations where is_group and owner_id = $1) as "exists!""#,
        member(OWNER),
    );
    if exists.fetch_one(&mut *work.db).await? {
        return Ok(());
    }
    work.now -= TimeDelta::hours(26);
    let id = work.ids.new_owner();
    let new = NewGroup {
        title: Line::parse_optional("title", Some(TITLE)).map_err(Error::from)?,
        members: OTHERS.map(member).to_vec(),
    };
    let created = create::insert(work, id, member(OWNER), &new).await?;
    count(work, created.effects).await?;
    let mut sent: Vec<Uuid> = Vec::new();
    for message in &MESSAGES {
        work.now += TimeDelta::minutes(7 + i64::try_from(message.content.len())?);
        let new = NewMessage {
            conversation: id,
            content: Some(Text::parse("content", message.content).map_err(Error::from)?),
            attachments: None,
            key: None,
            reply_to: message.reply_to.and_then(|at| sent.get(at).copied()),
        };
        let message_id = work.ids.owned_by(id);
        let inserted = send::insert_once(work, message_id, member(message.sender), &new).await?;
        count(work, inserted.effects).await?;
        for (who, kind) in message.reactions {
            let message = MessageRef { conversation: id, id: message_id };
            let effects = reactions::set(work, member(*who), message, *kind, true).await?;
            count(work, effects).await?;
        }
        sent.push(message_id);
    }
    Ok(())
}

/// Updates only the totals, because the demo publishes no facts.
async fn count(work: &mut UnitOfWork<'_>, effects: Effects) -> Result<(), Error> {
    effects.unread.apply(work.db).await
}
