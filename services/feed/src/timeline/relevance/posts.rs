//! The posts with the highest ranks, in the orders of the scans of the statement (relevant.rs).

use std::{
    cmp::Ordering,
    collections::{BTreeSet, HashMap},
    mem::size_of,
    sync::Arc,
};

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// The columns of a post that determine its order.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedPost {
    pub id: Uuid,
    pub author_id: Uuid,
    pub community_id: Option<Uuid>,
    pub school_key: Option<Arc<str>>,
    pub created_at: DateTime<Utc>,
    pub rank: f64,
}

/// The posts that one scan reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    Public,
    /// Public posts of a school.
    School(Arc<str>),
    Community(Uuid),
    /// Public posts and those in communities.
    Author(Uuid),
}

#[derive(Clone, Copy, Debug)]
struct Place {
    rank: f64,
    id: Uuid,
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank.total_cmp(&other.rank).then(self.id.cmp(&other.id))
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Place {}

/// All posts with a rank above the floor.
pub struct RankedPosts {
    posts: HashMap<Uuid, RankedPost>,
    orders: HashMap<Group, BTreeSet<Place>>,
    floor: f64,
    capacity: usize,
}

impl RankedPosts {
    /// Stores at most `capacity` posts, somewhat more between two trims. `floor` is minus infinity when these are all
    /// posts.
    pub fn new(posts: Vec<RankedPost>, floor: f64, capacity: usize) -> Self {
        let mut ranked = Self { posts: HashMap::with_capacity(posts.len()), orders: HashMap::new(), floor, capacity };
        for post in posts {
            ranked.replace(post.id, Some(post));
        }
        ranked
    }

    /// Returns the rank above which every post is in memory.
    pub const fn floor(&self) -> f64 {
        self.floor
    }

    pub fn len(&self) -> usize {
        self.posts.len()
    }

    /// Estimates the memory: posts, their places in mostly three orders (maps are two thirds full), and sets with few
    /// places.
    pub fn bytes(&self) -> usize {
        let post = size_of::<(Uuid, RankedPost)>() * 3 / 2 + 3 * size_of::<Place>() * 3 / 2;
        self.posts.len() * post + self.orders.len() * (size_of::<(Group, BTreeSet<Place>)>() + 6 * size_of::<Place>())
    }

    /// Replaces a post by its current row, `None` if it was deleted.
    pub fn replace(&mut self, id: Uuid, post: Option<RankedPost>) {
        if let Some(old) = self.posts.remove(&id) {
            let place = Place { rank: old.rank, id };
            for group in groups(&old) {
                if let Some(order) = self.orders.get_mut(&group) {
                    order.remove(&place);
                    if order.is_empty() {
                        self.orders.remove(&group);
                    }
                }
            }
        }
        if let Some(post) = post.filter(|post| post.rank > self.floor) {
            for group in groups(&post) {
                self.orders.entry(group).or_default().insert(Place { rank: post.rank, id });
            }
            self.posts.insert(id, post);
        }
        if self.posts.len() > self.capacity + self.capacity / 4 {
            self.trim();
        }
    }

    /// Raises the floor, so that new posts take the place of old ones.
    fn trim(&mut self) {
        let mut ranks: Vec<f64> = self.posts.values().map(|post| post.rank).collect();
        let excess = ranks.len().saturating_sub(self.capacity);
        let Some(last) = excess.checked_sub(1) else { return };
        let (_, floor, _) = ranks.select_nth_unstable_by(last, f64::total_cmp);
        self.floor = *floor;
        let kept = std::mem::take(&mut self.posts).into_values().filter(|post| post.rank > self.floor).collect();
        *self = Self::new(kept, self.floor, self.capacity);
    }

    /// Returns the posts of a group with at most this rank, by rank and id, descending.
    pub fn scan(&self, group: &Group, most: f64) -> impl Iterator<Item = &RankedPost> {
        let from = Place { rank: most, id: Uuid::max() };
        let order = self.orders.get(group).into_iter().flat_map(move |order| order.range(..=from).rev());
        order.filter_map(|place| self.posts.get(&place.id))
    }
}

fn groups(post: &RankedPost) -> impl Iterator<Item = Group> {
    let audience = post.community_id.map_or(Group::Public, Group::Community);
    let school = post.school_key.clone().filter(|_| post.community_id.is_none()).map(Group::School);
    [Group::Author(post.author_id), audience].into_iter().chain(school)
}
