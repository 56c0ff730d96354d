//! The responses of messaging.

use portia_proto::messaging;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    ANA, APPLICATION, BEN, CARL, COMMENT, COMMUNITY, CONVERSATION, MESSAGE, NOTIFICATION, POST, PUSH_SUBSCRIPTION, at,
    id,
};

/// The conversation of Ana and Ben, or of Ana and a closed account without messages.
pub fn conversation(other: Option<Uuid>) -> messaging::Conversation {
    messaging::Conversation {
        id: CONVERSATION.to_string(),
        other_member_id: other.map(|other| other.to_string()),
        last_message: other.map(|_| "See you".to_owned()),
        last_message_at: other.and_then(|_| at(30)),
        unread_count: 1,
        folder: messaging::Folder::Inbox.into(),
        waiting: false,
        files_refused: other.is_none(),
        last_message_deleted: false,
        muted: other.is_none(),
        group: None,
        last_system_line: None,
        last_sender_id: None,
        last_attachments: other.map(|_| messaging::AttachmentSummary { pictures: 0, file: true }),
    }
}

/// The group of Ana, with Ben, whose newest message adds an erased account and Carl.
pub fn group() -> messaging::Conversation {
    let members = [BEN, CARL].map(|member| member.to_string()).to_vec();
    messaging::Conversation {
        last_message: None,
        group: Some(messaging::Group {
            title: Some("Moot court".to_owned()),
            member_count: 3,
            member_ids: members,
            role: messaging::GroupRole::Owner.into(),
        }),
        last_system_line: Some(system_line()),
        last_sender_id: Some(ANA.to_string()),
        last_message_at: at(30),
        ..conversation(None)
    }
}

fn system_line() -> messaging::SystemLine {
    let kind = messaging::SystemLineKind::Added.into();
    messaging::SystemLine { kind, subject_ids: vec![CARL.to_string()], former_members: 1 }
}

/// The messages of the group, newest first.
pub fn group_messages() -> Vec<messaging::Message> {
    let message = messages().remove(0);
    let message = messaging::Message {
        of_group: true,
        read_count: 2,
        is_read: true,
        pictures: Vec::new(),
        file: Some(messaging::MessageFile { name: "Brief.pdf".to_owned(), size: 9 }),
        ..message
    };
    let line = messaging::Message {
        id: id(0x34).to_string(),
        sender_id: Some(ANA.to_string()),
        content: String::new(),
        file: None,
        system_line: Some(system_line()),
        ..message.clone()
    };
    vec![message, line]
}

/// Their messages, newest first; the first message is of a closed account, and the reply to it has reactions, one of them of an
/// unknown kind.
pub fn messages() -> Vec<messaging::Message> {
    let message = |id: Uuid, sender: Option<Uuid>, content: &str, seconds_ago| messaging::Message {
        id: id.to_string(),
        conversation_id: CONVERSATION.to_string(),
        sender_id: sender.map(|sender| sender.to_string()),
        content: content.to_owned(),
        sent_at: at(seconds_ago),
        is_read: id != MESSAGE,
        ..Default::default()
    };
    let reactions = [(messaging::MessageReactionKind::Love.into(), vec![BEN, ANA]), (99, vec![BEN])];
    let reactions = reactions.map(|(kind, members)| messaging::MessageReactions {
        kind,
        member_ids: members.iter().map(Uuid::to_string).collect(),
    });
    let (reactions, content) = (reactions.to_vec(), Some("Hello".to_owned()));
    let attachments = Some(messaging::AttachmentSummary { pictures: 2, file: false });
    let picture = |alt: &str| messaging::MessagePicture { alt: alt.to_owned(), width: 1600, height: 1200 };
    let reply_to = Some(messaging::RepliedMessage { id: id(0x33).to_string(), sender_id: None, content, attachments });
    vec![
        messaging::Message {
            pictures: vec![picture("A court"), picture("")],
            ..message(MESSAGE, Some(BEN), "See you", 30)
        },
        messaging::Message { edited_at: at(50), reactions, reply_to, ..message(id(0x31), Some(ANA), "At nine?", 60) },
        message(id(0x33), None, "Hello", 90),
    ]
}

/// Likes of a post, an endorsement, a closed job, and an unknown kind.
pub fn notifications() -> Vec<messaging::Notification> {
    let notification = |id: Uuid, kind: i32, subject: Uuid, name: Option<&str>| messaging::Notification {
        id: id.to_string(),
        kind,
        subject_id: subject.to_string(),
        subject_name: name.map(str::to_owned),
        member_ids: vec![BEN.to_string(), CARL.to_string()],
        member_count: 4,
        active_at: at(45),
        is_read: false,
        due_at: None,
        due_date: None,
        post_id: None,
        origin: None,
        reason: None,
    };
    let security = messaging::Notification {
        member_ids: Vec::new(),
        member_count: 0,
        origin: Some(messaging::SecurityOrigin {
            user_agent: "Firefox".to_owned(),
            address: "192.0.2.7".to_owned(),
            at: at(50),
            passkeys: vec!["Phone".to_owned()],
        }),
        ..notification(id(0x3e), messaging::NotificationKind::Security.into(), id(0x3f), Some("new_browser"))
    };
    let replied = messaging::NotificationKind::CommentReplied.into();
    let endorsed = messaging::NotificationKind::SkillEndorsed.into();
    let closed = messaging::NotificationKind::PostingClosed.into();
    let due = messaging::NotificationKind::ApplicationDue.into();
    vec![
        notification(NOTIFICATION, messaging::NotificationKind::PostLiked.into(), POST, None),
        messaging::Notification { is_read: true, ..notification(id(0x39), endorsed, ANA, Some("Research")) },
        messaging::Notification {
            member_ids: Vec::new(),
            member_count: 0,
            ..notification(id(0x3b), closed, APPLICATION, Some("Summer associate"))
        },
        messaging::Notification {
            member_ids: Vec::new(),
            member_count: 0,
            due_at: at(-86_400),
            ..notification(id(0x3c), due, APPLICATION, Some("Summer associate"))
        },
        notification(id(0x3a), 99, POST, None),
        messaging::Notification { post_id: Some(POST.to_string()), ..notification(id(0x3d), replied, COMMENT, None) },
        security,
        messaging::Notification {
            member_ids: Vec::new(),
            member_count: 0,
            reason: Some("off_topic".to_owned()),
            ..notification(
                id(0x40),
                messaging::NotificationKind::CommunityContentRemoved.into(),
                COMMUNITY,
                Some("Law Review"),
            )
        },
    ]
}

/// Every kind of notification, on but for posts in communities, with these changes.
pub fn switches(changed: &[messaging::NotificationSwitch]) -> Vec<messaging::NotificationSwitch> {
    // The numbers have gaps.
    let kinds = (1..100).filter_map(|kind| messaging::NotificationKind::try_from(kind).ok());
    kinds
        .map(|kind| {
            let named = changed.iter().find(|switch| switch.kind() == kind);
            let on = named.map_or(kind != messaging::NotificationKind::CommunityPosted, |switch| switch.on);
            messaging::NotificationSwitch { kind: kind.into(), on }
        })
        .collect()
}

/// The browser of Ana.
pub fn push_subscription() -> messaging::PushSubscription {
    messaging::PushSubscription {
        id: PUSH_SUBSCRIPTION.to_string(),
        browser: "Firefox on Linux".to_owned(),
        language: "en".to_owned(),
        topics: vec![messaging::PushTopic::Messages.into(), messaging::PushTopic::Reminders.into()],
        created_at: at(30),
        last_success_at: None,
        is_current_session: true,
    }
}

/// The form of that browser, with the keys of the example of RFC 8291.
pub fn subscribe_form() -> Value {
    json!({ "endpoint": "https://fcm.googleapis.com/fcm/send/a",
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg", "language": "fil", "topics": ["messages", "posts"],
            "browser": "Chrome on Android" })
}
