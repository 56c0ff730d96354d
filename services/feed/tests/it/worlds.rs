//! Random small worlds against the rule alone: every order, walked page by page, is each visible post once, in its order.

use std::collections::{HashMap, HashSet};

use feed::ranking::{self, Tie};
use portia_proto::feed::{ListPostsRequest, PostSort};
use sqlx::{AssertSqlSafe, Row as _};
use uuid::Uuid;

use crate::stand::{Stand, community, member};

const WORLDS: u64 = 25;
const MEMBERS: u64 = 10;
const COMMUNITIES: u64 = 4;
const POSTS: u64 = 60;

/// Lots, the same in every run (splitmix64).
pub struct Lots(pub u64);

impl Lots {
    /// 0 to `below` - 1.
    pub fn draw(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % below
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.draw(100) < percent
    }

    fn member(&mut self) -> Uuid {
        member(u128::from(1 + self.draw(MEMBERS)))
    }

    fn community(&mut self) -> Uuid {
        community(u128::from(1 + self.draw(COMMUNITIES)))
    }
}

#[derive(Clone, Debug)]
struct Written {
    id: Uuid,
    author: Uuid,
    community: Option<Uuid>,
    school: Option<String>,
    micros: i64,
    likes: i64,
    rank: f64,
}

#[derive(Debug, Default)]
struct World {
    connections: HashSet<(Uuid, Uuid)>,
    memberships: HashSet<(Uuid, Uuid)>,
    blocks: HashSet<(Uuid, Uuid)>,
    hidden: HashSet<Uuid>,
    schools: HashMap<Uuid, String>,
    posts: Vec<Written>,
}

impl World {
    /// Draws one, and writes it into the database.
    async fn of(lots: &mut Lots, stand: &Stand) -> Self {
        let empty = "truncate feed.posts, feed.connections, feed.communities, feed.memberships, feed.blocks, feed.members, \
            feed.hidden_members cascade";
        stand.harness.database().run(empty).await;
        let mut world = Self::default();
        for n in 1..=MEMBERS {
            let one = member(u128::from(n));
            if lots.chance(60) {
                let school = ["yale", "ateneo"][usize::try_from(lots.draw(2)).unwrap()];
                stand.study(one, school).await;
                world.schools.insert(one, school.to_owned());
            }
            for m in n + 1..=MEMBERS {
                let other = member(u128::from(m));
                if lots.chance(25) {
                    stand.connect(one, other).await;
                    world.connections.extend([(one, other), (other, one)]);
                } else if lots.chance(10) {
                    stand.block(one, other).await;
                    world.blocks.extend([(one, other), (other, one)]);
                }
            }
            for community in (1..=COMMUNITIES).map(|n| community(u128::from(n))) {
                if lots.chance(40) {
                    stand.join(community, &[one]).await;
                    world.memberships.insert((one, community));
                }
            }
        }
        if lots.chance(50) {
            let gone = lots.member();
            let mut conn = stand.pool().acquire().await.unwrap();
            feed::hidden::hide(&mut conn, &gone.to_string(), stand.harness.clock.now()).await.unwrap();
            world.hidden.insert(gone);
        }
        let (mut inserts, now) = (String::new(), stand.harness.clock.now());
        for n in 0..POSTS {
            let (author, into) = (lots.member(), lots.chance(50).then(|| lots.community()));
            // Few moments and few likes, so that all kinds of ties are among them.
            let at = now - chrono::TimeDelta::minutes(i64::try_from(lots.draw(10) * lots.draw(80) * 10).unwrap());
            let likes = if lots.chance(50) { 0 } else { i64::try_from(lots.draw(30)).unwrap() };
            let quoted = |id: Option<Uuid>| id.map_or_else(|| "null".to_owned(), |id| format!("'{id}'"));
            let school = world.schools.get(&author).filter(|_| lots.chance(80));
            inserts += &format!(
                "insert into feed.posts (id, author_id, content, created_at, freshness, like_count, community_id, school_key)
                values ('{}', '{author}', 'post {n}', '{}', {:?}, {likes}, {}, {});",
                stand.harness.context.ids.owned_by(author),
                at.to_rfc3339(),
                ranking::freshness(at),
                quoted(into),
                school.map_or_else(|| "null".to_owned(), |school| format!("'{school}'")),
            );
        }
        stand.harness.database().run(inserts).await;
        world.posts = written(stand).await;
        world
    }

    fn sees(&self, viewer: Option<Uuid>, post: &Written) -> bool {
        let own = viewer == Some(post.author);
        let in_it = |community| viewer.is_some_and(|viewer| self.memberships.contains(&(viewer, community)));
        let blocked = viewer.is_some_and(|viewer| self.blocks.contains(&(viewer, post.author)));
        !self.hidden.contains(&post.author) && !blocked && (own || post.community.is_none_or(in_it))
    }

    fn score(&self, viewer: Option<Uuid>, post: &Written) -> f64 {
        let tie = viewer.and_then(|viewer| {
            let school = post.school.is_some() && self.schools.get(&viewer) == post.school.as_ref();
            if post.community.is_some() {
                Some(Tie::Community)
            } else if self.connections.contains(&(viewer, post.author)) {
                Some(Tie::Connection)
            } else {
                school.then_some(Tie::School)
            }
        });
        ranking::score(post.rank, tie)
    }

    /// The posts one may see, best first.
    fn in_order<K: PartialOrd>(&self, viewer: Option<Uuid>, key: impl Fn(&Written) -> K) -> Vec<Uuid> {
        let mut seen: Vec<&Written> = self.posts.iter().filter(|post| self.sees(viewer, post)).collect();
        seen.sort_by(|a, b| key(b).partial_cmp(&key(a)).unwrap());
        seen.into_iter().map(|post| post.id).collect()
    }
}

async fn written(stand: &Stand) -> Vec<Written> {
    let all = "select id, author_id, community_id, school_key, (extract(epoch from created_at) * 1000000)::bigint, \
        like_count, rank from feed.posts";
    let rows = sqlx::raw_sql(AssertSqlSafe(all.to_owned())).fetch_all(stand.pool()).await.unwrap();
    let post = |row: &sqlx::postgres::PgRow| Written {
        id: row.get(0),
        author: row.get(1),
        community: row.get(2),
        school: row.get(3),
        micros: row.get(4),
        likes: row.get(5),
        rank: row.get(6),
    };
    rows.iter().map(post).collect()
}

/// All pages of a list.
async fn walk(stand: &Stand, viewer: Option<Uuid>, request: ListPostsRequest) -> Vec<Uuid> {
    let who = viewer.map_or_else(|| stand.visitor(), |viewer| stand.by(viewer));
    let (mut met, mut page_token) = (Vec::new(), String::new());
    loop {
        let page = stand.list_posts(&who, ListPostsRequest { page_token, ..request.clone() }).await.unwrap();
        met.extend(page.posts.iter().map(|post| post.id.parse::<Uuid>().unwrap()));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return met;
        }
        assert_eq!(page.posts.len(), usize::try_from(request.page_size).unwrap(), "every page but the last is full");
    }
}

#[tokio::test]
async fn every_order_is_each_visible_post_once() {
    let stand = Stand::new().await;
    for seed in 0..WORLDS {
        let mut lots = Lots(seed);
        let world = World::of(&mut lots, &stand).await;
        let since = (stand.harness.clock.now() - ranking::LEAD).timestamp_micros();
        for viewer in [None, Some(lots.member()), Some(lots.member())] {
            let size = 2 + i32::try_from(lots.draw(9)).unwrap();
            let of = |sort: PostSort| ListPostsRequest { sort: sort.into(), page_size: size, ..Default::default() };
            let whose = format!("world {seed}, viewer {viewer:?}, pages of {size}");

            let recent = world.in_order(viewer, |post| (post.micros, post.id));
            assert_eq!(walk(&stand, viewer, of(PostSort::Recent)).await, recent, "recent, {whose}");
            let top = world.in_order(viewer, |post| (post.likes, post.micros, post.id));
            assert_eq!(walk(&stand, viewer, of(PostSort::Top)).await, top, "top, {whose}");
            let leads = |post: &Written| viewer == Some(post.author) && post.micros > since;
            let relevant = world.in_order(viewer, |post| {
                let score = if leads(post) { post.rank } else { world.score(viewer, post) };
                (leads(post), score, post.id)
            });
            assert_eq!(walk(&stand, viewer, of(PostSort::Relevant)).await, relevant, "relevant, {whose}");

            let author = lots.member();
            let request = ListPostsRequest { author_id: Some(author.to_string()), ..of(PostSort::Recent) };
            let by: HashSet<Uuid> =
                world.posts.iter().filter(|post| post.author == author).map(|post| post.id).collect();
            let expected: Vec<Uuid> = recent.iter().copied().filter(|id| by.contains(id)).collect();
            assert_eq!(walk(&stand, viewer, request).await, expected, "by {author}, {whose}");
            for community in (1..=COMMUNITIES).map(|n| community(u128::from(n))) {
                if viewer.is_none_or(|viewer| !world.memberships.contains(&(viewer, community))) {
                    continue;
                }
                let request = ListPostsRequest { community_id: Some(community.to_string()), ..of(PostSort::Recent) };
                let within: HashSet<Uuid> =
                    world.posts.iter().filter(|post| post.community == Some(community)).map(|post| post.id).collect();
                let expected: Vec<Uuid> = recent.iter().copied().filter(|id| within.contains(id)).collect();
                assert_eq!(walk(&stand, viewer, request).await, expected, "within {community}, {whose}");
            }
        }
    }
}
