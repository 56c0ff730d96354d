//! The rows that the journal expects, as the lines of a statement.

use std::collections::BTreeSet;

use crate::journal::{Connection, Entries, Switch, Text};

const POSTS: &str = "select concat_ws(' ', id, author_id, content) from feed.posts";
const COMMENTS: &str = "select concat_ws(' ', id, post_id, author_id, content) from feed.comments";
const MESSAGES: &str = "
    select concat_ws(' ', id, conversation_id, sender_id, content)
    from messaging.messages
    where system_kind is null";
const LIKES: &str = "select concat_ws(' ', member_id, post_id) from feed.reactions where kind = 'like'";
const SAVED: &str = "select concat_ws(' ', member_id, item_id) from feed.saved_items";
const FOLLOWS: &str = "select concat_ws(' ', follower_id, followed_id) from social_graph.follows";
const CONNECTIONS: &str = "select concat_ws(' ', id, requester_id, recipient_id, status) from social_graph.connections";
const APPLICATIONS: &str = "select concat_ws(' ', id, member_id, posting_id) from jobs.applications";

/// What, the statement that reads it, and the expected lines.
pub(super) fn expected(entries: &Entries) -> Vec<(&'static str, &'static str, BTreeSet<String>)> {
    let with_parent = |text: &Text| format!("{} {} {} {}", text.id, text.parent, text.author, text.content);
    let post = |text: &Text| format!("{} {} {}", text.id, text.author, text.content);
    let on = |switch| entries.on(switch).map(|(member, target)| format!("{member} {target}")).collect();
    let connections = entries.connections.iter().filter_map(|((requester, recipient), state)| match &state.now {
        Connection::None => None,
        Connection::Pending(id) => Some(format!("{id} {requester} {recipient} pending")),
        Connection::Accepted(id) => Some(format!("{id} {requester} {recipient} accepted")),
    });
    let applications = entries.applications.iter().map(|((member, posting), id)| format!("{id} {member} {posting}"));
    vec![
        ("posts", POSTS, entries.posts.iter().map(post).collect()),
        ("comments", COMMENTS, entries.comments.iter().map(with_parent).collect()),
        ("messages", MESSAGES, entries.messages.iter().map(with_parent).collect()),
        ("likes", LIKES, on(Switch::Like)),
        ("saved items", SAVED, on(Switch::Save)),
        ("follows", FOLLOWS, on(Switch::Follow)),
        ("connections", CONNECTIONS, connections.collect()),
        ("applications", APPLICATIONS, applications.collect()),
    ]
}
