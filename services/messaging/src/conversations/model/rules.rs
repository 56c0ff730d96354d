//! The rules of conversations in memory.

use std::collections::{BTreeMap, BTreeSet};

use testkit::member;
use uuid::Uuid;

use super::{
    conversation::{Conversation, Message, Participant},
    transitions::{Action, MEMBERS},
};
use crate::{conversations::Folder, publishing::ConversationFact};

/// The facts to publish, or the reason of the refusal.
pub type Outcome = Result<Vec<ConversationFact>, &'static str>;

/// The expected state of one history.
#[derive(Clone, Debug)]
pub struct Model {
    pub conversations: BTreeMap<Uuid, Conversation>,
    /// Ids of deleted conversations, for actions on them.
    pub deleted: Vec<Uuid>,
    blocks: BTreeSet<(u128, u128)>,
    erased: BTreeSet<u128>,
    /// The time since the beginning.
    pub minutes: i64,
    actions: u128,
    /// The expected outcome of the last action.
    pub outcome: Outcome,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            conversations: BTreeMap::new(),
            deleted: Vec::new(),
            blocks: BTreeSet::new(),
            erased: BTreeSet::new(),
            minutes: 0,
            actions: 0,
            outcome: Ok(Vec::new()),
        }
    }
}

impl Model {
    /// Returns the members who are not erased.
    pub fn members(&self) -> Vec<u128> {
        MEMBERS.into_iter().filter(|who| !self.erased.contains(who)).collect()
    }

    /// Returns the id of a conversation or message that the next action creates.
    pub fn next_id(&self) -> Uuid {
        Uuid::from_u128(0x0193_0000_0000_7000_9000_0000_0000_0000 + self.actions)
    }

    pub fn is_blocked(&self, one: u128, other: u128) -> bool {
        self.blocks.contains(&(one, other)) || self.blocks.contains(&(other, one))
    }

    pub fn apply(&mut self, action: &Action) {
        self.actions += 1;
        self.outcome = self.outcome_of(action);
    }

    fn outcome_of(&mut self, action: &Action) -> Outcome {
        match *action {
            Action::Open { who, other, id } => self.open(who, other, id),
            Action::Send { who, conversation, id, content, key } => {
                let (sender, sent_at) = (Some(who), self.minutes);
                self.send(who, conversation, Message { id, sender, content, key, sent_at, edited: false })
            }
            Action::Edit { who, message, content } => self.edit(who, message, content),
            Action::Delete { who, message } => self.delete(who, message),
            Action::Mute { who, conversation, muted } => self.mute(who, conversation, muted),
            Action::MarkRead { who, conversation, message } => self.mark_read(who, conversation, message),
            Action::Clear { who, conversation } => self.clear(who, conversation),
            Action::Accept { who, conversation } => self.accept(who, conversation),
            Action::Connect { one, other, id } => Ok(self.connect(one, other, id)),
            Action::Block { one, other } => Ok(self.block(one, other)),
            Action::Unblock { one, other } => Ok(self.unblock(one, other)),
            Action::Erase { who } => {
                self.erase(who);
                Ok(Vec::new())
            }
        }
    }

    fn open(&mut self, who: u128, other: u128, id: Uuid) -> Outcome {
        if self.is_blocked(who, other) {
            return Err("MEMBER_NOT_FOUND");
        }
        let Some(existing) = self.id_between(who, other) else {
            let mut conversation = Conversation::new(who, other);
            conversation.requested_by = Some(who);
            conversation.participants.insert(who, Participant::NEW);
            self.conversations.insert(id, conversation);
            return Ok(vec![changed(id, who)]);
        };
        let conversation = self.conversations.get_mut(&existing).unwrap();
        let unlisted = Participant { listed: false, ..Participant::NEW };
        let participant = conversation.participants.entry(who).or_insert(unlisted);
        if participant.listed {
            return Ok(Vec::new());
        }
        (participant.listed, participant.folder) = (true, Folder::Inbox);
        let mut facts = vec![changed(existing, who)];
        if conversation.requested_by == Some(other) {
            conversation.requested_by = None;
            facts.push(changed(existing, other));
        }
        Ok(facts)
    }

    fn send(&mut self, who: u128, id: Uuid, new: Message) -> Outcome {
        let other = self.visible(who, id)?.other(who);
        let present = self.present(other);
        let conversation = self.visible(who, id)?;
        let before = conversation.messages.len();
        let allowed = match present {
            None => Err("FORMER_MEMBER"),
            Some(_) if conversation.requested_by == Some(who) && before >= 5 => Err("REQUEST_WAITING"),
            Some(other) => Ok(other),
        };
        let mut messages = conversation.messages.iter();
        let earlier = messages.find(|one| new.key.is_some() && one.key == new.key && one.sender == new.sender);
        if let Some(earlier) = earlier {
            let is_repeated = earlier.content == new.content || earlier.edited || earlier.content.is_empty();
            return if is_repeated { Ok(Vec::new()) } else { Err("IDEMPOTENCY_KEY_REUSED") };
        }
        let other = allowed?;
        let message = new.id;
        conversation.messages.push(new);
        let is_request = conversation.requested_by == Some(who);
        let readers = if conversation.requested_by.is_some() { Vec::new() } else { vec![member(other)] };
        if !is_request {
            conversation.requested_by = None;
        }
        let sender = conversation.participants.get_mut(&who).unwrap();
        let previous = *sender;
        *sender = Participant { folder: Folder::Inbox, listed: true, read: before + 1, ..previous };
        let folder = if is_request { Folder::Requests } else { Folder::Inbox };
        let unlisted = Participant { folder, listed: false, ..Participant::NEW };
        let recipient = conversation.participants.entry(other).or_insert(unlisted);
        let appears = !recipient.listed;
        recipient.listed = true;

        let accepts = previous.folder == Folder::Requests;
        let [sender, recipient] = [who, other].map(member);
        let recipients = vec![recipient];
        let mut facts = vec![ConversationFact::MessageSent { conversation: id, message, sender, recipients }];
        if previous.read < before {
            facts.push(ConversationFact::Read { conversation: id, reader: sender, others: readers });
        }
        if accepts || !previous.listed {
            facts.push(changed(id, who));
        }
        if accepts || appears {
            facts.push(changed(id, other));
        }
        Ok(facts)
    }

    fn mark_read(&mut self, who: u128, id: Uuid, message: Uuid) -> Outcome {
        let conversation = self.visible(who, id)?;
        let position = conversation.messages.iter().position(|one| one.id == message).ok_or("MESSAGE_NOT_FOUND")?;
        let participant = conversation.participants.get_mut(&who).unwrap();
        if position < participant.cleared {
            return Err("MESSAGE_NOT_FOUND");
        }
        if position < participant.read {
            return Ok(Vec::new());
        }
        participant.read = position + 1;
        let other = Some(conversation.other(who)).filter(|_| conversation.requested_by.is_none());
        let others = other.and_then(|other| self.present(other)).map(member).into_iter().collect();
        Ok(vec![ConversationFact::Read { conversation: id, reader: member(who), others }])
    }

    fn clear(&mut self, who: u128, id: Uuid) -> Outcome {
        let conversation = self.visible(who, id)?;
        let count = conversation.messages.len();
        let participant = conversation.participants.get_mut(&who).unwrap();
        if !participant.listed {
            return Ok(Vec::new());
        }
        (participant.listed, participant.cleared) = (false, count);
        Ok(vec![changed(id, who)])
    }

    fn accept(&mut self, who: u128, id: Uuid) -> Outcome {
        let conversation = self.visible(who, id)?;
        let participant = conversation.participants.get_mut(&who).unwrap();
        if participant.folder == Folder::Inbox {
            return Ok(Vec::new());
        }
        participant.folder = Folder::Inbox;
        conversation.requested_by = None;
        let other = conversation.other(who);
        Ok([who].into_iter().chain(self.present(other)).map(|who| changed(id, who)).collect())
    }

    fn connect(&mut self, one: u128, other: u128, id: Uuid) -> Vec<ConversationFact> {
        let id = self.id_between(one, other).unwrap_or(id);
        let conversation = self.conversations.entry(id).or_insert_with(|| Conversation::new(one, other));
        conversation.requested_by = None;
        for who in [one, other] {
            conversation.participants.entry(who).or_insert(Participant::NEW).folder = Folder::Inbox;
        }
        vec![changed(id, one), changed(id, other)]
    }

    fn block(&mut self, one: u128, other: u128) -> Vec<ConversationFact> {
        let id = self.id_between(one, other);
        if !self.blocks.insert((one, other)) {
            return Vec::new();
        }
        if let Some(conversation) = id.and_then(|id| self.conversations.get_mut(&id)) {
            for participant in conversation.participants.values_mut() {
                participant.read = conversation.messages.len();
            }
        }
        id.map_or(Vec::new(), |id| self.changed_where_listed(id))
    }

    fn unblock(&mut self, one: u128, other: u128) -> Vec<ConversationFact> {
        let visible = self.blocks.remove(&(one, other)) && !self.is_blocked(one, other);
        let id = self.id_between(one, other).filter(|_| visible);
        id.map_or(Vec::new(), |id| self.changed_where_listed(id))
    }

    fn erase(&mut self, who: u128) {
        let ids: Vec<Uuid> = self.conversations.keys().copied().collect();
        for id in ids {
            let pair = self.conversations[&id].pair;
            if !pair.contains(&who) {
                continue;
            }
            let blocked = self.is_blocked(pair[0], pair[1]);
            let conversation = self.conversations.get_mut(&id).unwrap();
            if let Some(participant) = conversation.participants.remove(&who) {
                conversation.former_read = participant.read;
                if blocked {
                    for participant in conversation.participants.values_mut() {
                        (participant.listed, participant.cleared) = (false, conversation.messages.len());
                    }
                }
            }
            conversation.requested_by = None;
            for message in conversation.messages.iter_mut().filter(|message| message.sender == Some(who)) {
                (message.sender, message.key) = (None, None);
            }
            if conversation.participants.is_empty() {
                self.conversations.remove(&id);
                self.deleted.push(id);
            }
        }
        self.blocks.retain(|(one, other)| *one != who && *other != who);
        self.erased.insert(who);
    }

    /// Returns the conversation, if it is visible to `who`.
    pub fn visible(&mut self, who: u128, id: Uuid) -> Result<&mut Conversation, &'static str> {
        if self.is_visible(who, id) {
            Ok(self.conversations.get_mut(&id).unwrap())
        } else {
            Err("CONVERSATION_NOT_FOUND")
        }
    }

    pub fn is_visible(&self, who: u128, id: Uuid) -> bool {
        let conversation = self.conversations.get(&id).filter(|one| one.participants.contains_key(&who));
        conversation.is_some_and(|conversation| !self.is_blocked(conversation.pair[0], conversation.pair[1]))
    }

    /// Returns the member, unless erased.
    pub fn present(&self, who: u128) -> Option<u128> {
        Some(who).filter(|who| !self.erased.contains(who))
    }

    fn id_between(&self, one: u128, other: u128) -> Option<Uuid> {
        let mut between = self
            .conversations
            .iter()
            .filter(|(_, conversation)| conversation.pair.contains(&one) && conversation.pair.contains(&other));
        between.next().map(|(id, _)| *id)
    }

    fn changed_where_listed(&self, id: Uuid) -> Vec<ConversationFact> {
        let participants = self.conversations[&id].participants.iter();
        participants.filter(|(_, participant)| participant.listed).map(|(who, _)| changed(id, *who)).collect()
    }
}

pub fn changed(conversation: Uuid, who: u128) -> ConversationFact {
    ConversationFact::Changed { conversation, member: member(who) }
}
