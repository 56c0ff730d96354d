//! Random small scenarios compared with a model: all pages of every order contain each visible post once, in order.

use std::collections::{HashMap, HashSet};

use feed::ranking::{self, Relation};
use portia_proto::feed::{ListPostsRequest, PostSort};
use sqlx::{AssertSqlSafe, Row as _};
use uuid::Uuid;

use crate::{
    fixtures::{Fixture, community, member},
    rng::Rng,
};

const SCENARIOS: u64 = 25;
const MEMBERS: u64 = 10;
const COMMUNITIES: u64 = 4;
const POSTS: u64 = 60;

impl Rng {
    fn member(&mut self) -> Uuid {
        member(u128::from(1 + self.draw(MEMBERS)))
    }

    fn community(&mut self) -> Uuid {
        community(u128::from(1 + self.draw(COMMUNITIES)))
    }
}

#[derive(Clone, Debug)]
struct ScenarioPost {
    id: Uuid,
    author: Uuid,
    community: Option<Uuid>,
    school: Option<String>,
    micros: i64,
    likes: i64,
    rank: f64,
}

#[derive(Debug, Default)]
struct Scenario {
    connections: HashSet<(Uuid, Uuid)>,
    memberships: HashSet<(Uuid, Uuid)>,
    blocks: HashSet<(Uuid, Uuid)>,
    hidden: HashSet<Uuid>,
    schools: HashMap<Uuid, String>,
    posts: Vec<ScenarioPost>,
}

impl Scenario {
    /// Draws a scenario and inserts it into the database.
    async fn random(rng: &mut Rng, fixture: &Fixture) -> Self {
        let empty = "truncate feed.posts, feed.connections, feed.communities, feed.memberships, feed.blocks, feed.members, \
            feed.hidden_members cascade";
        fixture.harness.database().run_as_owner(empty).await;
        let mut scenario = Self::default();
        for n in 1..=MEMBERS {
            let one = member(u128::from(n));
            if rng.chance(60) {
                let school = ["yale", "ateneo"][usize::try_from(rng.draw(2)).unwrap()];
                fixture.set_school(one, school).await;
                scenario.schools.insert(one, school.to_owned());
            }
            for m in n + 1..=MEMBERS {
                let other = member(u128::from(m));
                if rng.chance(25) {
                    fixture.connect_pair(one, other).await;
                    scenario.connections.extend([(one, other), (other, one)]);
                } else if rng.chance(10) {
                    fixture.block_member(one, other).await;
                    scenario.blocks.extend([(one, other), (other, one)]);
                }
            }
            for community in (1..=COMMUNITIES).map(|n| community(u128::from(n))) {
                if rng.chance(40) {
                    fixture.join_community(community, &[one]).await;
                    scenario.memberships.insert((one, community));
                }
            }
        }
        if rng.chance(50) {
            let gone = rng.member();
            let mut conn = fixture.pool().acquire().await.unwrap();
            feed::deactivation::deactivate(&mut conn, &gone.to_string(), fixture.harness.clock.now()).await.unwrap();
            scenario.hidden.insert(gone);
        }
        let (mut inserts, now) = (String::new(), fixture.harness.clock.now());
        for n in 0..POSTS {
            let (author, into) = (rng.member(), rng.chance(50).then(|| rng.community()));
            // Few distinct times and like counts, so that all kinds of equal keys occur.
            let at = now - chrono::TimeDelta::minutes(i64::try_from(rng.draw(10) * rng.draw(80) * 10).unwrap());
            let likes = if rng.chance(50) { 0 } else { i64::try_from(rng.draw(30)).unwrap() };
            let quoted = |id: Option<Uuid>| id.map_or_else(|| "null".to_owned(), |id| format!("'{id}'"));
            let school = scenario.schools.get(&author).filter(|_| rng.chance(80));
            inserts += &format!(
                "insert into feed.posts (id, author_id, content, created_at, freshness, like_count, community_id, school_key)
                values ('{}', '{author}', 'post {n}', '{}', {:?}, {likes}, {}, {});",
                fixture.harness.context.ids.owned_by(author),
                at.to_rfc3339(),
                feed::freshness(at),
                quoted(into),
                school.map_or_else(|| "null".to_owned(), |school| format!("'{school}'")),
            );
        }
        // These rows have no facts, like the rows of the demo, so the memory of a replica is out of date.
        inserts += "update feed.hidden_members_changes set n = n + 1;";
        fixture.harness.database().run(inserts).await;
        scenario.posts = read_posts(fixture).await;
        scenario
    }

    fn sees(&self, viewer: Option<Uuid>, post: &ScenarioPost) -> bool {
        let own = viewer == Some(post.author);
        let in_it = |community| viewer.is_some_and(|viewer| self.memberships.contains(&(viewer, community)));
        let blocked = viewer.is_some_and(|viewer| self.blocks.contains(&(viewer, post.author)));
        !self.hidden.contains(&post.author) && !blocked && (own || post.community.is_none_or(in_it))
    }

    fn score(&self, viewer: Option<Uuid>, post: &ScenarioPost) -> f64 {
        let relation = viewer.and_then(|viewer| {
            let school = post.school.is_some() && self.schools.get(&viewer) == post.school.as_ref();
            if post.community.is_some() {
                Some(Relation::Community)
            } else if self.connections.contains(&(viewer, post.author)) {
                Some(Relation::Connection)
            } else {
                school.then_some(Relation::School)
            }
        });
        ranking::score(post.rank, relation)
    }

    /// Returns the visible posts, best first.
    fn in_order<K: PartialOrd>(&self, viewer: Option<Uuid>, key: impl Fn(&ScenarioPost) -> K) -> Vec<Uuid> {
        let mut seen: Vec<&ScenarioPost> = self.posts.iter().filter(|post| self.sees(viewer, post)).collect();
        seen.sort_by(|a, b| key(b).partial_cmp(&key(a)).unwrap());
        seen.into_iter().map(|post| post.id).collect()
    }
}

async fn read_posts(fixture: &Fixture) -> Vec<ScenarioPost> {
    let all = "select id, author_id, community_id, school_key, (extract(epoch from created_at) * 1000000)::bigint, \
        like_count, rank from feed.posts";
    let rows = sqlx::raw_sql(AssertSqlSafe(all.to_owned())).fetch_all(fixture.pool()).await.unwrap();
    let post = |row: &sqlx::postgres::PgRow| ScenarioPost {
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

/// Returns all pages of a list.
async fn read_all_pages(fixture: &Fixture, viewer: Option<Uuid>, request: ListPostsRequest) -> Vec<Uuid> {
    let who = viewer.map_or_else(|| fixture.as_visitor(), |viewer| fixture.as_member(viewer));
    let (mut met, mut page_token) = (Vec::new(), String::new());
    loop {
        let page = fixture.list_posts(&who, ListPostsRequest { page_token, ..request.clone() }).await.unwrap();
        met.extend(page.posts.iter().map(|post| post.id.parse::<Uuid>().unwrap()));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return met;
        }
        assert_eq!(page.posts.len(), usize::try_from(request.page_size).unwrap(), "every page but the last is full");
    }
}

#[tokio::test]
async fn every_order_contains_each_visible_post_once() {
    let fixture = Fixture::new().await;
    for seed in 0..SCENARIOS {
        let mut rng = Rng(seed);
        let scenario = Scenario::random(&mut rng, &fixture).await;
        let since = (fixture.harness.clock.now() - ranking::LEAD).timestamp_micros();
        for viewer in [None, Some(rng.member()), Some(rng.member())] {
            let size = 2 + i32::try_from(rng.draw(9)).unwrap();
            let list_request =
                |sort: PostSort| ListPostsRequest { sort: sort.into(), page_size: size, ..Default::default() };
            let whose = format!("scenario {seed}, viewer {viewer:?}, pages of {size}");

            let recent = scenario.in_order(viewer, |post| (post.micros, post.id));
            assert_eq!(
                read_all_pages(&fixture, viewer, list_request(PostSort::Recent)).await,
                recent,
                "recent, {whose}"
            );
            let top = scenario.in_order(viewer, |post| (post.likes, post.micros, post.id));
            assert_eq!(read_all_pages(&fixture, viewer, list_request(PostSort::Top)).await, top, "top, {whose}");
            let leads = |post: &ScenarioPost| viewer == Some(post.author) && post.micros > since;
            let relevant = scenario.in_order(viewer, |post| {
                let score = if leads(post) { post.rank } else { scenario.score(viewer, post) };
                (leads(post), score, post.id)
            });
            assert_eq!(
                read_all_pages(&fixture, viewer, list_request(PostSort::Relevant)).await,
                relevant,
                "relevant, {whose}"
            );

            let author = rng.member();
            let request = ListPostsRequest { author_id: Some(author.to_string()), ..list_request(PostSort::Recent) };
            let by: HashSet<Uuid> =
                scenario.posts.iter().filter(|post| post.author == author).map(|post| post.id).collect();
            let expected: Vec<Uuid> = recent.iter().copied().filter(|id| by.contains(id)).collect();
            assert_eq!(read_all_pages(&fixture, viewer, request).await, expected, "by {author}, {whose}");
            for community in (1..=COMMUNITIES).map(|n| community(u128::from(n))) {
                if viewer.is_none_or(|viewer| !scenario.memberships.contains(&(viewer, community))) {
                    continue;
                }
                let request =
                    ListPostsRequest { community_id: Some(community.to_string()), ..list_request(PostSort::Recent) };
                let within: HashSet<Uuid> = scenario
                    .posts
                    .iter()
                    .filter(|post| post.community == Some(community))
                    .map(|post| post.id)
                    .collect();
                let expected: Vec<Uuid> = recent.iter().copied().filter(|id| within.contains(id)).collect();
                assert_eq!(read_all_pages(&fixture, viewer, request).await, expected, "within {community}, {whose}");
            }
        }
    }
}
