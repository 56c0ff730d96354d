//! What members are told, by the rules and without a database.

use std::collections::{BTreeMap, BTreeSet};

use portia_proto::messaging::NotificationKind as Kind;
use testkit::member;

use super::{
    super::thing,
    deeds::{CAST, Deed, author},
};

/// One notification: whose, of which kind, about what.
type Group = (u128, Kind, u128, &'static str);

#[derive(Debug, Default)]
struct Bell {
    /// Who, by what, and its place among all that ever rang.
    causes: Vec<(u128, u128, u64)>,
    read: u64,
}

impl Bell {
    fn newest(&self) -> u64 {
        self.causes.iter().map(|cause| cause.2).max().unwrap_or_default()
    }

    fn unread(&self) -> bool {
        self.read < self.newest()
    }
}

/// How things stand.
#[derive(Debug, Default)]
pub struct Model {
    bells: BTreeMap<Group, Bell>,
    rung: BTreeMap<u128, u64>,
    switches: BTreeMap<(u128, Kind), bool>,
    pub(super) blocks: BTreeSet<(u128, u128)>,
    pub(super) members: BTreeMap<(u128, u128), bool>,
    pub(super) communities: BTreeSet<u128>,
    pub(super) events: BTreeMap<u128, (u128, i32)>,
    pub(super) attendances: BTreeSet<(u128, u128)>,
    pub(super) reactions: BTreeSet<(u128, u128)>,
    /// Who, under which post, which.
    pub(super) comments: BTreeSet<(u128, u128, u128)>,
    /// Who, of which post, which.
    pub(super) reposts: BTreeSet<(u128, u128, u128)>,
    /// What is in a community: which, whose, in which.
    pub(super) posted: BTreeSet<(u128, u128, u128)>,
    pub(super) endorsements: BTreeSet<(u128, u128, &'static str)>,
    /// Who asked whom, and whether it was accepted.
    pub(super) connections: BTreeMap<u128, (u128, u128, bool)>,
    pub(super) closed: BTreeSet<u128>,
    pub(super) gone: BTreeSet<u128>,
    places: u64,
    pub(super) numbers: u128,
}

impl Model {
    /// Whose account is not gone.
    pub fn cast(&self) -> Vec<u128> {
        (1..=CAST).filter(|who| !self.gone.contains(who)).collect()
    }

    /// The rules.
    pub fn apply(&mut self, deed: &Deed) {
        match *deed {
            Deed::Reacted { who, post } => {
                self.reactions.insert((who, post));
                self.ring((Kind::PostLiked, post, ""), who, 0, &[author(post)]);
            }
            Deed::Unreacted { who, post } => {
                self.reactions.remove(&(who, post));
                self.withdraw(|group, (actor, _)| (group.1, group.2, actor) == (Kind::PostLiked, post, who));
            }
            Deed::Commented { who, post, comment } => {
                self.comments.insert((who, post, comment));
                self.ring((Kind::PostCommented, post, ""), who, comment, &[author(post)]);
            }
            Deed::Uncommented { who, post, comment } => {
                self.comments.remove(&(who, post, comment));
                self.withdraw(|group, cause| (group.1, group.2, cause) == (Kind::PostCommented, post, (who, comment)));
            }
            Deed::Reposted { who, post, repost } => {
                self.reposts.insert((who, post, repost));
                self.ring((Kind::PostReposted, post, ""), who, repost, &[author(post)]);
            }
            Deed::Unreposted { who, post, repost } => {
                self.reposts.remove(&(who, post, repost));
                self.withdraw(|group, cause| (group.1, group.2, cause) == (Kind::PostReposted, post, (who, repost)));
            }
            Deed::Deleted { who, community, post } => {
                self.reactions.retain(|(_, one)| *one != post);
                self.comments.retain(|(_, one, _)| *one != post);
                self.reposts.retain(|(_, one, _)| *one != post);
                self.posted.retain(|(one, ..)| *one != post);
                self.remove(&[Kind::PostLiked, Kind::PostCommented, Kind::PostReposted], post);
                if let Some(community) = community {
                    let told = (Kind::CommunityPosted, community, (who, post));
                    self.withdraw(|group, cause| (group.1, group.2, cause) == told);
                }
            }
            Deed::Posted { who, community, post } => {
                self.posted.insert((post, who, community));
                let members: Vec<u128> = self.belonging(community, false);
                self.ring((Kind::CommunityPosted, community, ""), who, post, &members);
            }
            Deed::Endorsed { who, other, skill } => {
                self.endorsements.insert((who, other, skill));
                self.ring((Kind::SkillEndorsed, other, skill), who, 0, &[other]);
            }
            Deed::Unendorsed { who, other, skill } => {
                self.endorsements.remove(&(who, other, skill));
                self.withdraw(|group, (actor, _)| {
                    (group.0, group.1, group.3, actor) == (other, Kind::SkillEndorsed, skill, who)
                });
            }
            Deed::Requested { id, who, other } => {
                self.connections.insert(id, (who, other, false));
                self.ring((Kind::ConnectionRequested, id, ""), who, 0, &[other]);
            }
            Deed::Accepted { id, who, other } => {
                self.connections.insert(id, (who, other, true));
                self.remove(&[Kind::ConnectionRequested], id);
                self.ring((Kind::ConnectionAccepted, id, ""), other, 0, &[who]);
            }
            Deed::Parted { id, .. } => {
                self.connections.remove(&id);
                self.remove(&[Kind::ConnectionRequested, Kind::ConnectionAccepted], id);
            }
            Deed::Blocked { who, other } => {
                self.blocks.insert((who, other));
                self.withdraw(|group, (actor, _)| (group.0, actor) == (who, other) || (group.0, actor) == (other, who));
            }
            Deed::Unblocked { who, other } => {
                self.blocks.remove(&(who, other));
            }
            Deed::Founded { community } => {
                self.communities.insert(community);
            }
            Deed::Joined { who, community, owner } => {
                if self.members.insert((community, who), owner).is_none() {
                    let mut owners = self.belonging(community, true);
                    owners.retain(|one| *one != who);
                    self.ring((Kind::CommunityJoined, community, ""), who, 0, &owners);
                }
            }
            Deed::Left { who, community } => {
                self.members.remove(&(community, who));
                self.withdraw(|group, (actor, _)| (group.1, group.2, actor) == (Kind::CommunityJoined, community, who));
            }
            Deed::Dissolved { community } => {
                self.communities.remove(&community);
                self.members.retain(|(one, _), _| *one != community);
                self.remove(&[Kind::CommunityJoined, Kind::CommunityPosted], community);
            }
            Deed::Announced { event, organiser, revision, moved } => {
                let before = self.events.insert(event, (organiser, revision));
                if moved && before.is_some_and(|(_, before)| before < revision) {
                    let attendees = self.attending(event);
                    self.ring((Kind::EventChanged, event, ""), organiser, revision.unsigned_abs().into(), &attendees);
                }
            }
            Deed::Cancelled { event } => {
                if let Some((organiser, _)) = self.events.remove(&event) {
                    self.remove(&[Kind::EventAttended, Kind::EventChanged], event);
                    let attendees = self.attending(event);
                    // Nobody is named who is not there any more.
                    if !self.gone.contains(&organiser) {
                        self.ring((Kind::EventCancelled, event, "An event"), organiser, 0, &attendees);
                    }
                    self.attendances.retain(|(one, _)| *one != event);
                }
            }
            Deed::Attended { who, event } => {
                self.attendances.insert((event, who));
                let organiser = self.events.get(&event).map(|event| event.0);
                let organiser = organiser.filter(|organiser| !self.gone.contains(organiser));
                self.ring((Kind::EventAttended, event, ""), who, 0, organiser.as_slice());
            }
            Deed::Unattended { who, event } => {
                self.attendances.remove(&(event, who));
                self.withdraw(|group, (actor, _)| (group.1, group.2, actor) == (Kind::EventAttended, event, who));
            }
            Deed::Closed { who } => {
                self.closed.insert(who);
                self.withdraw(|_, (actor, _)| actor == who);
            }
            Deed::Reopened { who } => {
                self.closed.remove(&who);
            }
            Deed::Erased { who } => self.erase(who),
        }
    }

    fn erase(&mut self, who: u128) {
        self.withdraw(|_, (actor, _)| actor == who);
        self.bells.retain(|group, _| group.0 != who);
        self.switches.retain(|(one, _), _| *one != who);
        self.blocks.retain(|(one, other)| *one != who && *other != who);
        self.members.retain(|(_, one), _| *one != who);
        self.attendances.retain(|(_, one)| *one != who);
        self.reactions.retain(|(one, _)| *one != who);
        self.comments.retain(|(one, ..)| *one != who);
        self.reposts.retain(|(one, ..)| *one != who);
        self.posted.retain(|(_, one, _)| *one != who);
        self.endorsements.retain(|(one, other, _)| *one != who && *other != who);
        self.connections.retain(|_, (one, other, _)| *one != who && *other != who);
        self.events.retain(|_, (organiser, _)| *organiser != who);
        self.closed.remove(&who);
        self.gone.insert(who);
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
            *self.rung.entry(who).or_default() += 1;
        }
    }

    fn ring(&mut self, (kind, subject, detail): (Kind, u128, &'static str), actor: u128, cause: u128, whom: &[u128]) {
        for &who in whom {
            let on = self.switches.get(&(who, kind)).copied().unwrap_or(kind != Kind::CommunityPosted);
            if who == actor
                || !on
                || self.gone.contains(&who)
                || self.closed.contains(&actor)
                || self.blocks.contains(&(who, actor))
                || self.blocks.contains(&(actor, who))
            {
                continue;
            }
            let bell = self.bells.entry((who, kind, subject, detail)).or_default();
            if bell.causes.iter().all(|(one, other, _)| (*one, *other) != (actor, cause)) {
                self.places += 1;
                bell.causes.push((actor, cause, self.places));
                self.changed([who]);
            }
        }
    }

    /// Takes back every cause of which this is said.
    fn withdraw(&mut self, which: impl Fn(&Group, (u128, u128)) -> bool) {
        let mut changed = BTreeSet::new();
        for (group, bell) in &mut self.bells {
            let before = bell.causes.len();
            bell.causes.retain(|(actor, cause, _)| !which(group, (*actor, *cause)));
            if bell.causes.len() < before {
                changed.insert(group.0);
            }
        }
        self.bells.retain(|_, bell| !bell.causes.is_empty());
        self.changed(changed);
    }

    fn remove(&mut self, kinds: &[Kind], subject: u128) {
        let about = |group: &Group| kinds.contains(&group.1) && group.2 == subject;
        let changed: Vec<u128> = self.bells.keys().filter(|group| about(group)).map(|group| group.0).collect();
        self.bells.retain(|group, _| !about(group));
        for who in changed {
            self.changed([who]);
        }
    }

    pub fn turn(&mut self, who: u128, kind: Kind, on: bool) {
        self.switches.insert((who, kind), on);
    }

    /// A member sees the notification at a place of their list, or everything from there on.
    pub fn look(&mut self, who: u128, place: usize, one: bool) {
        let mut mine: Vec<&mut Bell> =
            self.bells.iter_mut().filter(|(group, _)| group.0 == who).map(|(_, bell)| bell).collect();
        mine.sort_by_key(|bell| std::cmp::Reverse(bell.newest()));
        let end = if one { place + 1 } else { mine.len() };
        let mut changed = false;
        for bell in &mut mine[place..end] {
            changed |= bell.unread();
            bell.read = bell.newest().max(bell.read);
        }
        self.changed(changed.then_some(who));
    }

    fn sorted(&self) -> Vec<(&Group, &Bell)> {
        let mut sorted: Vec<_> = self.bells.iter().collect();
        sorted.sort_by_key(|(group, bell)| (member(group.0), std::cmp::Reverse(bell.newest())));
        sorted
    }

    /// A line each, newest first, member by member.
    pub fn groups(&self) -> Vec<String> {
        let line = |(group, bell): (&Group, &Bell)| {
            let mut actors: BTreeMap<u128, u64> = BTreeMap::new();
            for (actor, _, place) in &bell.causes {
                let newest = actors.entry(*actor).or_default();
                *newest = (*newest).max(*place);
            }
            let mut latest: Vec<_> = actors.iter().collect();
            latest.sort_by_key(|(_, place)| std::cmp::Reverse(**place));
            let latest: Vec<String> = latest.iter().take(3).map(|(actor, _)| member(**actor).to_string()).collect();
            let mark = if bell.unread() { " !" } else { "" };
            format!("{}: {} ({}){mark}", named(group), latest.join(" "), actors.len())
        };
        self.sorted().into_iter().map(line).collect()
    }

    /// Every cause, a line each, newest first, member by member.
    pub fn causes(&self) -> Vec<String> {
        let all = self.bells.iter().flat_map(|(group, bell)| bell.causes.iter().map(move |cause| (group, cause)));
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|(group, cause)| (member(group.0), std::cmp::Reverse(cause.2)));
        let line = |(group, (actor, cause, _)): (&Group, &(u128, u128, u64))| {
            let cause = match group.1 {
                Kind::PostCommented | Kind::CommunityPosted | Kind::PostReposted => thing(*cause).to_string(),
                Kind::EventChanged => cause.to_string(),
                _ => String::new(),
            };
            format!("{}: {} {cause}", named(group), member(*actor))
        };
        all.into_iter().map(line).collect()
    }

    /// How often each member's bell changed.
    pub fn rung(&self) -> Vec<String> {
        let mut rung: Vec<_> = self.rung.iter().map(|(who, times)| (member(*who).to_string(), times)).collect();
        rung.sort();
        rung.into_iter().map(|(who, times)| format!("{who} {times}")).collect()
    }
}

fn named((who, kind, subject, detail): &Group) -> String {
    let subject = if *kind == Kind::SkillEndorsed { member(*subject) } else { thing(*subject) };
    let kind = kind.as_str_name().trim_start_matches("NOTIFICATION_KIND_").to_lowercase();
    format!("{} {kind} {subject} {detail}", member(*who))
}
