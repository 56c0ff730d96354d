//! A conversation of the model, and the views of its members: counted from the messages, not stored.

use std::collections::{BTreeMap, BTreeSet};

use testkit::member;
use uuid::Uuid;

use super::rules::Model;
use crate::conversations::Folder;

/// A row of a list: id, other member, last message, unread count, waiting, muted.
type Row = (Uuid, Option<Uuid>, Option<String>, i32, bool, bool);

#[derive(Clone, Copy, Debug)]
pub struct Participant {
    pub folder: Folder,
    pub listed: bool,
    /// The number of messages, from the first one, that are read or cleared.
    pub read: usize,
    pub cleared: usize,
    pub muted: bool,
}

impl Participant {
    pub const NEW: Self = Self { folder: Folder::Inbox, listed: true, read: 0, cleared: 0, muted: false };
}

#[derive(Clone, Debug)]
pub struct Message {
    pub id: Uuid,
    pub sender: Option<u128>,
    /// Empty for a deleted message.
    pub content: &'static str,
    pub key: Option<&'static str>,
    /// The minutes since the beginning of the history.
    pub sent_at: i64,
    pub edited: bool,
}

/// A conversation of two members. One of them may be erased.
#[derive(Clone, Debug)]
pub struct Conversation {
    pub pair: [u128; 2],
    pub requested_by: Option<u128>,
    pub messages: Vec<Message>,
    pub participants: BTreeMap<u128, Participant>,
    /// The read mark of the erased member.
    pub former_read: usize,
}

impl Conversation {
    pub const fn new(one: u128, other: u128) -> Self {
        Self {
            pair: [one, other],
            requested_by: None,
            messages: Vec::new(),
            participants: BTreeMap::new(),
            former_read: 0,
        }
    }

    pub fn other(&self, who: u128) -> u128 {
        self.pair.into_iter().find(|other| *other != who).unwrap()
    }

    pub fn unread_count(&self, who: u128) -> i32 {
        let participant = self.participants[&who];
        let unread = self.messages.iter().skip(participant.read.max(participant.cleared));
        i32::try_from(unread.filter(|message| message.sender != Some(who) && !message.content.is_empty()).count())
            .unwrap()
    }
}

impl Model {
    /// Returns the rows of a folder, in no order.
    pub fn listed(&self, who: u128, folder: Folder) -> BTreeSet<Row> {
        let listed = self.conversations.iter().filter(|(id, conversation)| {
            self.is_visible(who, **id)
                && conversation.participants[&who].listed
                && conversation.participants[&who].folder == folder
        });
        listed
            .map(|(id, conversation)| {
                let last = conversation.messages.get(conversation.participants[&who].cleared..).unwrap().last();
                let other = self.present(conversation.other(who)).map(member);
                let waiting = conversation.requested_by == Some(who);
                let (last, muted) =
                    (last.map(|message| message.content.to_owned()), conversation.participants[&who].muted);
                (*id, other, last, conversation.unread_count(who), waiting, muted)
            })
            .collect()
    }

    /// Returns the numbers of unread messages in the inbox and of requests with unread messages, except muted
    /// conversations.
    pub fn unread_totals(&self, who: u128) -> (i32, i32) {
        let counts = |one: &&Conversation| one.participants.get(&who).is_some_and(|participant| !participant.muted);
        let own: Vec<&Conversation> = self.conversations.values().filter(counts).collect();
        let counts = |folder| {
            own.iter()
                .filter(move |conversation| conversation.participants[&who].folder == folder)
                .map(|conversation| conversation.unread_count(who))
        };
        let requests = counts(Folder::Requests).filter(|unread| *unread > 0).count();
        (counts(Folder::Inbox).sum(), i32::try_from(requests).unwrap())
    }

    /// Returns content and read state of each message of a conversation, oldest first, or None when it is not visible.
    pub fn messages(&self, who: u128, id: Uuid) -> Option<Vec<(String, bool)>> {
        let conversation = self.conversations.get(&id).filter(|_| self.is_visible(who, id))?;
        let own = conversation.participants[&who];
        let mut others = conversation.participants.iter().filter(|(other, _)| **other != who);
        let other_read = others.next().map_or(conversation.former_read, |(_, participant)| participant.read);
        let visible = conversation.messages.iter().enumerate().skip(own.cleared);
        // The sender of a request does not learn that it was opened.
        let other_read = if conversation.requested_by == Some(who) { 0 } else { other_read };
        let views = visible.map(|(position, message)| {
            let read = if message.sender == Some(who) { other_read } else { own.read };
            (message.content.to_owned(), position < read)
        });
        Some(views.collect())
    }
}
