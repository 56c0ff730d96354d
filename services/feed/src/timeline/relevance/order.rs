//! Computes a page of ids from memory, with the scans of the statement in relevant.rs in the same order and with the
//! same limits.

use std::collections::HashSet;

use uuid::Uuid;

use super::{
    super::{
        RelevantPage,
        ranking::Relation,
        relevant::{MAX_SCANNED, ROUNDING},
    },
    posts::{Group, RankedPost, RankedPosts},
    relations::Relations,
};
use crate::posts::freshness;

/// A post of a page, with the values that its row must still have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub id: Uuid,
    pub author_id: Uuid,
    pub community_id: Option<Uuid>,
    pub rank: f64,
    pub leads: bool,
    pub score: f64,
}

/// The posts of a page in its order.
#[derive(Debug, PartialEq)]
pub struct Candidates {
    pub page: Vec<Candidate>,
    /// The position of the next page, where the page is short without being the last one.
    pub edge: Option<(f64, Uuid)>,
}

/// The posts in memory, and the members with closed accounts.
#[derive(Clone, Copy)]
pub struct Ranked<'a> {
    pub posts: &'a RankedPosts,
    pub hidden_members: &'a HashSet<Uuid>,
}

/// One page for one viewer.
struct Scans<'a> {
    ranked: Ranked<'a>,
    viewer: Option<Uuid>,
    relations: &'a Relations,
    fetch: usize,
    page: RelevantPage,
    edge: (f64, Uuid),
    found: Vec<Candidate>,
}

/// Returns the posts of a page, or `None` if it may contain posts that are not in memory.
pub fn candidates(
    ranked: Ranked<'_>,
    viewer: Option<Uuid>,
    relations: &Relations,
    fetch: usize,
    page: RelevantPage,
) -> Option<Candidates> {
    if page.others.0.is_nan() || page.leading.0.is_nan() {
        return None;
    }
    let edge = (f64::NEG_INFINITY, Uuid::nil());
    let mut scans = Scans { ranked, viewer, relations, fetch, page, edge, found: Vec::new() };
    scans.scan_strangers()?;
    scans.scan_leading()?;
    scans.scan_related();
    let Scans { edge, mut found, .. } = scans;
    found.retain(|post| post.leads || !precedes((post.score, post.id), edge));
    found.sort_by(|one, other| {
        let place = |post: &Candidate| (post.leads, post.id);
        let ((leads, id), (other_leads, other_id)) = (place(one), place(other));
        other_leads.cmp(&leads).then(other.score.total_cmp(&one.score)).then(other_id.cmp(&id))
    });
    found.truncate(fetch);
    let edge = Some(edge).filter(|edge| edge.0 > f64::NEG_INFINITY && found.len() < fetch);
    Some(Candidates { page: found, edge })
}

/// Compares like SQL compares rows.
fn precedes(one: (f64, Uuid), other: (f64, Uuid)) -> bool {
    one.0 < other.0 || (one.0 == other.0 && one.1 < other.1)
}

impl Scans<'_> {
    /// Scans the posts of authors without a relation and sets the edge. Returns `None` if the memory ends before the
    /// scan.
    fn scan_strangers(&mut self) -> Option<()> {
        let (posts, after) = (self.ranked.posts, self.page.others);
        let (mut public, mut strangers, mut last) = (0, Vec::new(), None);
        for post in posts.scan(&Group::Public, after.0) {
            if !precedes((post.rank, post.id), after) || !self.is_listed(post) || !self.is_settled(post) {
                continue;
            }
            public += 1;
            last = Some((post.rank, post.id));
            if !self.is_related(post) {
                strangers.push(candidate(post, false, post.rank));
            }
            if strangers.len() == self.fetch || public == MAX_SCANNED {
                break;
            }
        }
        let is_over = strangers.len() < self.fetch && public < MAX_SCANNED;
        if !is_over {
            self.edge = last?;
        }
        self.found = strangers;
        let floor = posts.floor();
        let reaches = |score: f64| score - Relation::Connection.boost() - ROUNDING > floor;
        (floor == f64::NEG_INFINITY || (!is_over && reaches(self.edge.0))).then_some(())
    }

    /// Scans the new posts of the viewer. Returns `None` if the memory may lack one.
    fn scan_leading(&mut self) -> Option<()> {
        let Some(viewer) = self.viewer.filter(|_| self.page.leading.0 > f64::NEG_INFINITY) else { return Some(()) };
        let (posts, page, least) = (self.ranked.posts, self.page, freshness(self.page.since));
        if least <= posts.floor() {
            return None;
        }
        let leading: Vec<_> = posts
            .scan(&Group::Author(viewer), page.leading.0)
            .take_while(|post| post.rank >= least)
            .filter(|post| precedes((post.rank, post.id), page.leading))
            .filter(|post| post.created_at > page.since && post.created_at <= *page.until)
            .filter(|post| !self.ranked.hidden_members.contains(&post.author_id))
            .take(self.fetch)
            .map(|post| candidate(post, true, post.rank))
            .collect();
        self.found.extend(leading);
        Some(())
    }

    /// Scans the posts of connections, of the school and of communities.
    fn scan_related(&mut self) {
        let relations = self.relations;
        for member in &relations.connections {
            self.scan(&Group::Author(*member), Relation::Connection, |this, post| {
                post.community_id.is_none() && this.is_listed(post)
            });
        }
        if let Some(school) = &relations.school_key {
            self.scan(&Group::School(school.clone()), Relation::School, |this, post| {
                this.is_listed(post) && this.is_settled(post) && !relations.connections.contains(&post.author_id)
            });
        }
        for community in &relations.communities {
            self.scan(&Group::Community(*community), Relation::Community, |this, post| {
                this.is_listed(post) && this.is_settled(post)
            });
        }
        let Some(viewer) = self.viewer else { return };
        // Also in communities that the viewer left.
        self.scan(&Group::Author(viewer), Relation::Community, |this, post| {
            post.community_id.is_some_and(|community| !relations.communities.contains(&community))
                && post.created_at <= this.page.since
                && !this.ranked.hidden_members.contains(&post.author_id)
        });
    }

    fn scan(&mut self, group: &Group, relation: Relation, is_shown: impl Fn(&Self, &RankedPost) -> bool) {
        let (boost, after) = (relation.boost(), self.page.others);
        let least = self.edge.0 - boost - ROUNDING;
        let found: Vec<_> = self
            .ranked
            .posts
            .scan(group, after.0 - boost + ROUNDING)
            .take_while(|post| post.rank >= least)
            .filter(|post| precedes((post.rank + boost, post.id), after) && is_shown(self, post))
            .take(self.fetch)
            .map(|post| candidate(post, false, post.rank + boost))
            .collect();
        self.found.extend(found);
    }

    /// Checks the conditions of every scan of posts of others.
    fn is_listed(&self, post: &RankedPost) -> bool {
        post.created_at <= *self.page.until
            && !self.relations.excluded.contains(&post.author_id)
            && !self.relations.hidden_posts.contains(&post.id)
            && !self.ranked.hidden_members.contains(&post.author_id)
    }

    /// Returns false for a new post of the viewer, which leads the list.
    fn is_settled(&self, post: &RankedPost) -> bool {
        Some(post.author_id) != self.viewer || post.created_at <= self.page.since
    }

    /// Returns whether the author is a connection or the post is of the viewer's school.
    fn is_related(&self, post: &RankedPost) -> bool {
        let school = self.relations.school_key.as_deref();
        self.relations.connections.contains(&post.author_id)
            || (school.is_some() && post.school_key.as_deref() == school)
    }
}

fn candidate(post: &RankedPost, leads: bool, score: f64) -> Candidate {
    let RankedPost { id, author_id, community_id, rank, .. } = *post;
    Candidate { id, author_id, community_id, rank, leads, score }
}
