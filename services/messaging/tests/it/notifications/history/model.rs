//! A model of the notification rules without a database.

use std::collections::{BTreeMap, BTreeSet};

use portia_proto::messaging::NotificationKind as Kind;
use testkit::member;

use super::{
    super::entity_id,
    triggers::{CommentLike, MEMBERS, Reply, Trigger, author},
};

/// The key of a notification: recipient, kind, subject, detail.
type Group = (u128, Kind, u128, &'static str);

#[derive(Debug, Default)]
struct Entry {
    /// Actor and cause, with the position among all causes.
    causes: Vec<(u128, u128, u64)>,
    read: u64,
}

impl Entry {
    fn newest(&self) -> u64 {
        self.causes.iter().map(|cause| cause.2).max().unwrap_or_default()
    }

    fn unread(&self) -> bool {
        self.read < self.newest()
    }
}

/// The state of all sources and notifications.
#[derive(Debug, Default)]
pub struct Model {
    entries: BTreeMap<Group, Entry>,
    changes: BTreeMap<u128, u64>,
    switches: BTreeMap<(u128, Kind), bool>,
    pub(super) blocks: BTreeSet<(u128, u128)>,
    pub(super) members: BTreeMap<(u128, u128), bool>,
    pub(super) communities: BTreeSet<u128>,
    pub(super) events: BTreeMap<u128, (u128, i32)>,
    pub(super) attendances: BTreeSet<(u128, u128)>,
    pub(super) reactions: BTreeSet<(u128, u128)>,
    /// Author, post, comment.
    pub(super) comments: BTreeSet<(u128, u128, u128)>,
    pub(super) replies: BTreeSet<Reply>,
    pub(super) comment_likes: BTreeSet<CommentLike>,
    /// Author, post, repost.
    pub(super) reposts: BTreeSet<(u128, u128, u128)>,
    /// Posts in communities: post, author, community.
    pub(super) posted: BTreeSet<(u128, u128, u128)>,
    pub(super) endorsements: BTreeSet<(u128, u128, &'static str)>,
    /// Requester, recipient, accepted.
    pub(super) connections: BTreeMap<u128, (u128, u128, bool)>,
    pub(super) closed: BTreeSet<u128>,
    pub(super) erased: BTreeSet<u128>,
    positions: u64,
    pub(super) numbers: u128,
}

impl Model {
    /// Returns the members without the erased ones.
    pub fn members(&self) -> Vec<u128> {
        (1..=MEMBERS).filter(|who| !self.erased.contains(who)).collect()
    }

    /// Applies the rules to a trigger.
    pub fn apply(&mut self, trigger: &Trigger) {
        match *trigger {
            Trigger::PostReacted { who, post } => {
                self.reactions.insert((who, post));
                self.add_cause((Kind::PostLiked, post, ""), who, 0, &[author(post)]);
            }
            Trigger::ReactionRemoved { who, post } => {
                self.reactions.remove(&(who, post));
                self.withdraw(|group, (actor, _)| (group.1, group.2, actor) == (Kind::PostLiked, post, who));
            }
            Trigger::PostCommented { who, post, comment } => {
                self.comments.insert((who, post, comment));
                self.add_cause((Kind::PostCommented, post, ""), who, comment, &[author(post)]);
            }
            Trigger::CommentRemoved { who, post, comment } => {
                self.comments.remove(&(who, post, comment));
                self.replies.retain(|reply| reply.to != comment);
                self.comment_likes.retain(|like| like.comment != comment);
                self.withdraw(|group, cause| (group.1, group.2, cause) == (Kind::PostCommented, post, (who, comment)));
                self.remove(&[Kind::CommentReplied, Kind::CommentLiked], comment);
            }
            Trigger::CommentReplied(new) => {
                let Reply { who, post, to, answered, reply } = new;
                self.replies.insert(new);
                self.add_cause((Kind::CommentReplied, to, ""), who, reply, &[answered]);
                // The author of post and comment is notified once.
                let others: Vec<u128> = [author(post)].into_iter().filter(|author| *author != answered).collect();
                self.add_cause((Kind::PostCommented, post, ""), who, reply, &others);
            }
            Trigger::ReplyRemoved(old) => {
                let Reply { who, post, to, reply, .. } = old;
                self.replies.remove(&old);
                self.withdraw(|group, cause| (group.1, group.2, cause) == (Kind::PostCommented, post, (who, reply)));
                self.withdraw(|group, cause| (group.1, group.2, cause) == (Kind::CommentReplied, to, (who, reply)));
            }
            Trigger::CommentReacted(like) => {
                self.comment_likes.insert(like);
                self.add_cause((Kind::CommentLiked, like.comment, ""), like.who, 0, &[like.commenter]);
            }
            Trigger::CommentReactionRemoved(like) => {
                self.comment_likes.remove(&like);
                let liked = (Kind::CommentLiked, like.comment, like.who);
                self.withdraw(|group, (actor, _)| (group.1, group.2, actor) == liked);
            }
            Trigger::PostReposted { who, post, repost } => {
                self.reposts.insert((who, post, repost));
                self.add_cause((Kind::PostReposted, post, ""), who, repost, &[author(post)]);
            }
            Trigger::RepostRemoved { who, post, repost } => {
                self.reposts.remove(&(who, post, repost));
                self.withdraw(|group, cause| (group.1, group.2, cause) == (Kind::PostReposted, post, (who, repost)));
            }
            Trigger::PostDeleted { who, community, post } => {
                self.reactions.retain(|(_, one)| *one != post);
                self.comments.retain(|(_, one, _)| *one != post);
                self.reposts.retain(|(_, one, _)| *one != post);
                self.posted.retain(|(one, ..)| *one != post);
                self.remove_of_post(post);
                if let Some(community) = community {
                    let created = (Kind::CommunityPosted, community, (who, post));
                    self.withdraw(|group, cause| (group.1, group.2, cause) == created);
                }
            }
            Trigger::PostCreated { who, community, post } => {
                self.posted.insert((post, who, community));
                let members: Vec<u128> = self.belonging(community, false);
                self.add_cause((Kind::CommunityPosted, community, ""), who, post, &members);
            }
            Trigger::SkillEndorsed { who, other, skill } => {
                self.endorsements.insert((who, other, skill));
                self.add_cause((Kind::SkillEndorsed, other, skill), who, 0, &[other]);
            }
            Trigger::EndorsementRemoved { who, other, skill } => {
                self.endorsements.remove(&(who, other, skill));
                self.withdraw(|group, (actor, _)| {
                    (group.0, group.1, group.3, actor) == (other, Kind::SkillEndorsed, skill, who)
                });
            }
            Trigger::ConnectionRequested { id, who, other } => {
                self.connections.insert(id, (who, other, false));
                self.add_cause((Kind::ConnectionRequested, id, ""), who, 0, &[other]);
            }
            Trigger::ConnectionAccepted { id, who, other } => {
                self.connections.insert(id, (who, other, true));
                self.remove(&[Kind::ConnectionRequested], id);
                self.add_cause((Kind::ConnectionAccepted, id, ""), other, 0, &[who]);
            }
            Trigger::ConnectionRemoved { id, .. } => {
                self.connections.remove(&id);
                self.remove(&[Kind::ConnectionRequested, Kind::ConnectionAccepted], id);
            }
            Trigger::MemberBlocked { who, other } => {
                self.blocks.insert((who, other));
                self.withdraw(|group, (actor, _)| (group.0, actor) == (who, other) || (group.0, actor) == (other, who));
            }
            Trigger::MemberUnblocked { who, other } => {
                self.blocks.remove(&(who, other));
            }
            Trigger::CommunityCreated { community } => {
                self.communities.insert(community);
            }
            Trigger::CommunityJoined { who, community, owner } => {
                if self.members.insert((community, who), owner).is_none() {
                    let mut owners = self.belonging(community, true);
                    owners.retain(|one| *one != who);
                    self.add_cause((Kind::CommunityJoined, community, ""), who, 0, &owners);
                }
            }
            Trigger::CommunityLeft { who, community } => {
                self.members.remove(&(community, who));
                self.withdraw(|group, (actor, _)| (group.1, group.2, actor) == (Kind::CommunityJoined, community, who));
            }
            Trigger::CommunityRemoved { community } => {
                self.communities.remove(&community);
                self.members.retain(|(one, _), _| *one != community);
                self.remove(&[Kind::CommunityJoined, Kind::CommunityPosted], community);
            }
            Trigger::EventChanged { event, organiser, revision, moved } => {
                let before = self.events.insert(event, (organiser, revision));
                if moved && before.is_some_and(|(_, before)| before < revision) {
                    let attendees = self.attending(event);
                    self.add_cause(
                        (Kind::EventChanged, event, ""),
                        organiser,
                        revision.unsigned_abs().into(),
                        &attendees,
                    );
                }
            }
            Trigger::EventRemoved { event } => {
                if let Some((organiser, _)) = self.events.remove(&event) {
                    self.remove(&[Kind::EventAttended, Kind::EventChanged], event);
                    let attendees = self.attending(event);
                    // An erased organiser is not named.
                    if !self.erased.contains(&organiser) {
                        self.add_cause((Kind::EventCancelled, event, "An event"), organiser, 0, &attendees);
                    }
                    self.attendances.retain(|(one, _)| *one != event);
                }
            }
            Trigger::EventAttended { who, event } => {
                self.attendances.insert((event, who));
                let organiser = self.events.get(&event).map(|event| event.0);
                let organiser = organiser.filter(|organiser| !self.erased.contains(organiser));
                self.add_cause((Kind::EventAttended, event, ""), who, 0, organiser.as_slice());
            }
            Trigger::EventUnattended { who, event } => {
                self.attendances.remove(&(event, who));
                self.withdraw(|group, (actor, _)| (group.1, group.2, actor) == (Kind::EventAttended, event, who));
            }
            Trigger::AccountClosed { who } => {
                self.closed.insert(who);
                self.withdraw(|_, (actor, _)| actor == who);
            }
            Trigger::AccountReopened { who } => {
                self.closed.remove(&who);
            }
            Trigger::AccountErased { who } => self.erase(who),
        }
    }

    fn erase(&mut self, who: u128) {
        self.withdraw(|_, (actor, _)| actor == who);
        self.entries.retain(|group, _| group.0 != who);
        self.switches.retain(|(one, _), _| *one != who);
        self.blocks.retain(|(one, other)| *one != who && *other != who);
        self.members.retain(|(_, one), _| *one != who);
        self.attendances.retain(|(_, one)| *one != who);
        self.reactions.retain(|(one, _)| *one != who);
        self.comments.retain(|(one, ..)| *one != who);
        self.replies.retain(|reply| reply.who != who && reply.answered != who);
        self.comment_likes.retain(|like| like.who != who && like.commenter != who);
        self.reposts.retain(|(one, ..)| *one != who);
        self.posted.retain(|(_, one, _)| *one != who);
        self.endorsements.retain(|(one, other, _)| *one != who && *other != who);
        self.connections.retain(|_, (one, other, _)| *one != who && *other != who);
        self.events.retain(|_, (organiser, _)| *organiser != who);
        self.closed.remove(&who);
        self.erased.insert(who);
    }

    fn belonging(&self, community: u128, owners: bool) -> Vec<u128> {
        let there = self.members.iter().filter(|((one, _), owner)| *one == community && (!owners || **owner));
        there.map(|((_, who), _)| *who).collect()
    }

    fn attending(&self, event: u128) -> Vec<u128> {
        self.attendances.iter().filter(|(one, _)| *one == event).map(|(_, who)| *who).collect()
    }

    fn changed(&mut self, members: impl IntoIterator<Item = u128>) {
        for who in members.into_iter().collect::<BTreeSet<_>>() {
            *self.changes.entry(who).or_default() += 1;
        }
    }

    fn add_cause(
        &mut self,
        (kind, subject, detail): (Kind, u128, &'static str),
        actor: u128,
        cause: u128,
        recipients: &[u128],
    ) {
        for &who in recipients {
            let on = self.switches.get(&(who, kind)).copied().unwrap_or(kind != Kind::CommunityPosted);
            if who == actor
                || !on
                || self.erased.contains(&who)
                || self.closed.contains(&actor)
                || self.blocks.contains(&(who, actor))
                || self.blocks.contains(&(actor, who))
            {
                continue;
            }
            let entry = self.entries.entry((who, kind, subject, detail)).or_default();
            if entry.causes.iter().all(|(one, other, _)| (*one, *other) != (actor, cause)) {
                self.positions += 1;
                entry.causes.push((actor, cause, self.positions));
                self.changed([who]);
            }
        }
    }

    /// Withdraws every cause that matches.
    fn withdraw(&mut self, which: impl Fn(&Group, (u128, u128)) -> bool) {
        let mut changed = BTreeSet::new();
        for (group, entry) in &mut self.entries {
            let before = entry.causes.len();
            entry.causes.retain(|(actor, cause, _)| !which(group, (*actor, *cause)));
            if entry.causes.len() < before {
                changed.insert(group.0);
            }
        }
        self.entries.retain(|_, entry| !entry.causes.is_empty());
        self.changed(changed);
    }

    /// Removes the notifications about a post and its comments.
    fn remove_of_post(&mut self, post: u128) {
        let replied = self.replies.iter().filter(|reply| reply.post == post).map(|reply| reply.to);
        let liked = self.comment_likes.iter().filter(|like| like.post == post).map(|like| like.comment);
        let comments: BTreeSet<u128> = replied.chain(liked).collect();
        self.replies.retain(|reply| reply.post != post);
        self.comment_likes.retain(|like| like.post != post);
        let of_post = [Kind::PostLiked, Kind::PostCommented, Kind::PostReposted];
        let of_comments = [Kind::CommentReplied, Kind::CommentLiked];
        self.remove_where(|group| {
            (of_post.contains(&group.1) && group.2 == post)
                || (of_comments.contains(&group.1) && comments.contains(&group.2))
        });
    }

    fn remove(&mut self, kinds: &[Kind], subject: u128) {
        self.remove_where(|group| kinds.contains(&group.1) && group.2 == subject);
    }

    fn remove_where(&mut self, about: impl Fn(&Group) -> bool) {
        let changed: Vec<u128> = self.entries.keys().filter(|group| about(group)).map(|group| group.0).collect();
        self.entries.retain(|group, _| !about(group));
        for who in changed {
            self.changed([who]);
        }
    }

    pub fn set_switch(&mut self, who: u128, kind: Kind, on: bool) {
        self.switches.insert((who, kind), on);
    }

    /// Marks the notification at a position of the member's list, or all from there on, as read.
    pub fn mark_read(&mut self, who: u128, position: usize, one: bool) {
        let mut mine: Vec<&mut Entry> =
            self.entries.iter_mut().filter(|(group, _)| group.0 == who).map(|(_, entry)| entry).collect();
        mine.sort_by_key(|entry| std::cmp::Reverse(entry.newest()));
        let end = if one { position + 1 } else { mine.len() };
        let mut changed = false;
        for entry in &mut mine[position..end] {
            changed |= entry.unread();
            entry.read = entry.newest().max(entry.read);
        }
        self.changed(changed.then_some(who));
    }

    fn sorted(&self) -> Vec<(&Group, &Entry)> {
        let mut sorted: Vec<_> = self.entries.iter().collect();
        sorted.sort_by_key(|(group, entry)| (member(group.0), std::cmp::Reverse(entry.newest())));
        sorted
    }

    /// Returns all notifications as text, by member, newest first.
    pub fn groups(&self) -> Vec<String> {
        let line = |(group, entry): (&Group, &Entry)| {
            let mut actors: BTreeMap<u128, u64> = BTreeMap::new();
            for (actor, _, position) in &entry.causes {
                let newest = actors.entry(*actor).or_default();
                *newest = (*newest).max(*position);
            }
            let mut latest: Vec<_> = actors.iter().collect();
            latest.sort_by_key(|(_, position)| std::cmp::Reverse(**position));
            let latest: Vec<String> = latest.iter().take(3).map(|(actor, _)| member(**actor).to_string()).collect();
            let mark = if entry.unread() { " !" } else { "" };
            format!("{}: {} ({}){mark}", named(group), latest.join(" "), actors.len())
        };
        self.sorted().into_iter().map(line).collect()
    }

    /// Returns all causes as text, by member, newest first.
    pub fn causes(&self) -> Vec<String> {
        let all = self.entries.iter().flat_map(|(group, entry)| entry.causes.iter().map(move |cause| (group, cause)));
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|(group, cause)| (member(group.0), std::cmp::Reverse(cause.2)));
        let line = |(group, (actor, cause, _)): (&Group, &(u128, u128, u64))| {
            let cause = match group.1 {
                Kind::PostCommented | Kind::CommunityPosted | Kind::PostReposted | Kind::CommentReplied => {
                    entity_id(*cause).to_string()
                }
                Kind::EventChanged => cause.to_string(),
                _ => String::new(),
            };
            format!("{}: {} {cause}", named(group), member(*actor))
        };
        all.into_iter().map(line).collect()
    }

    /// Returns the number of changes of each member's notifications.
    pub fn changes(&self) -> BTreeMap<String, u64> {
        self.changes.iter().map(|(who, times)| (member(*who).to_string(), *times)).collect()
    }
}

fn named((who, kind, subject, detail): &Group) -> String {
    let subject = if *kind == Kind::SkillEndorsed { member(*subject) } else { entity_id(*subject) };
    let kind = kind.as_str_name().trim_start_matches("NOTIFICATION_KIND_").to_lowercase();
    format!("{} {kind} {subject} {detail}", member(*who))
}
