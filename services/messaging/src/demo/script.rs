//! Parses the script of the demo conversations.

use anyhow::Context as _;
use chrono::TimeDelta;

const SCRIPT: &str = include_str!("conversations.txt");

/// A conversation between two demo members, by their numbers from 1.
#[derive(Debug, PartialEq, Eq)]
pub struct DemoConversation {
    /// The sender of a request comes first.
    pub members: [usize; 2],
    /// The age of the last message.
    pub age: TimeDelta,
    /// The number of unread messages at the end.
    pub unread: usize,
    pub request: bool,
    /// Sender and content, in order.
    pub messages: Vec<(usize, String)>,
}

/// Returns all demo conversations.
pub fn read() -> anyhow::Result<Vec<DemoConversation>> {
    parse(SCRIPT)
}

fn parse(script: &str) -> anyhow::Result<Vec<DemoConversation>> {
    let mut conversations: Vec<DemoConversation> = Vec::new();
    let mut names = ["", ""];
    for line in script.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        if let Some(heading) = line.strip_prefix("== ") {
            let (conversation, members) =
                parse_heading(heading).with_context(|| format!("invalid heading of a conversation: {line:?}"))?;
            names = members;
            conversations.push(conversation);
            continue;
        }
        let message =
            line.split_once(": ").zip(conversations.last_mut()).and_then(|((name, content), conversation)| {
                let [one, other] = conversation.members;
                let sender = if name == names[0] { one } else { Some(other).filter(|_| name == names[1])? };
                conversation.messages.push((sender, content.to_owned()));
                Some(())
            });
        message.with_context(|| format!("a message without a participant as its sender: {line:?}"))?;
    }
    Ok(conversations)
}

/// Parses `1 Isabel, 2 Daniel | 25m | request, 1 unread`. Returns also the two names.
fn parse_heading(heading: &str) -> Option<(DemoConversation, [&str; 2])> {
    let mut parts = heading.split(" | ");
    let (one, other) = parts.next()?.split_once(", ")?;
    let ((one, first), (other, second)) = (one.split_once(' ')?, other.split_once(' ')?);
    let age = parts.next()?;
    let count: i64 = age.get(..age.len().checked_sub(1)?)?.parse().ok()?;
    let age = match age.chars().last()? {
        'm' => TimeDelta::minutes(count),
        'h' => TimeDelta::hours(count),
        'd' => TimeDelta::days(count),
        _ => return None,
    };
    let (mut unread, mut request) = (0, false);
    for option in parts.next().into_iter().flat_map(|options| options.split(", ")) {
        match option.strip_suffix(" unread") {
            Some(count) => unread = count.parse().ok()?,
            None if option == "request" => request = true,
            None => return None,
        }
    }
    let members = [one.parse().ok()?, other.parse().ok()?];
    Some((DemoConversation { members, age, unread, request, messages: Vec::new() }, [first, second]))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use primitives::input::Text;

    use super::*;
    use crate::messages::send::MAX_LENGTH;

    #[test]
    fn a_conversation_is_a_heading_and_messages() {
        let script = "# a remark\n== 1 Isabel, 36 Paolo | 2h | 1 unread\nPaolo: Tanong: kailan?\nIsabel: Bukas.\n\n\
            == 15 Noor, 1 Isabel | 3d | request\nNoor: Hello.\n";
        let conversation = |members, age, unread, request, messages: &[(usize, &str)]| DemoConversation {
            members,
            age,
            unread,
            request,
            messages: messages.iter().map(|(sender, content)| (*sender, (*content).to_owned())).collect(),
        };
        let messages = [(36, "Tanong: kailan?"), (1, "Bukas.")];
        let expected = [
            conversation([1, 36], TimeDelta::hours(2), 1, false, &messages),
            conversation([15, 1], TimeDelta::days(3), 0, true, &[(15, "Hello.")]),
        ];
        assert_eq!(parse(script).unwrap(), expected);
    }

    #[test]
    fn an_invalid_heading_or_an_unknown_sender_is_refused() {
        for bad in ["Isabel: Hello.", "== 1 Isabel | 2h\n", "== 1 Isabel, 2 Daniel | 2y\n", "== a b, c d | 1h\n"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        for bad in ["Thea: Hello.", "Hello."] {
            assert!(parse(&format!("== 1 Isabel, 2 Daniel | 2h\n{bad}")).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_demo_conversations_are_plausible_and_give_both_accounts_unread_messages() {
        let conversations = read().unwrap();
        assert!((12..=15).contains(&conversations.len()), "{}", conversations.len());
        let pairs: HashSet<_> =
            conversations.iter().map(|one| one.members.iter().min().zip(one.members.iter().max())).collect();
        assert_eq!(pairs.len(), conversations.len(), "one conversation for each pair");
        let mut contents = HashSet::new();
        for conversation in &conversations {
            let messages = &conversation.messages;
            let lengths = if conversation.request { 1..=5 } else { 6..=15 };
            assert!(lengths.contains(&messages.len()), "{conversation:?}");
            for (_, content) in messages {
                assert!(Text::<MAX_LENGTH>::parse("content", content).is_ok(), "{content}");
                assert!(contents.insert(content), "repeated: {content}");
            }
            let (unread, read) =
                (messages.iter().rev().take(conversation.unread), messages.len() - conversation.unread);
            let last = messages.last().unwrap().0;
            assert!(
                unread.map(|(sender, _)| sender).all(|sender| *sender == last),
                "{conversation:?}: own messages are read"
            );
            let requester = conversation.members[0];
            assert!(
                !conversation.request || (read == 0 && messages.iter().all(|(sender, _)| *sender == requester)),
                "{conversation:?}"
            );
        }
        for account in [1, 2] {
            let received =
                |one: &&DemoConversation| one.members.contains(&account) && one.messages.last().unwrap().0 != account;
            let unread: Vec<_> = conversations.iter().filter(received).filter(|one| one.unread > 0).collect();
            assert_eq!(unread.iter().filter(|one| one.request).count(), 1, "{account} has a request");
            assert!(unread.len() >= 3, "{account} has unread messages");
        }
    }
}
