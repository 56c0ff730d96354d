//! A model test: in random histories of posts, viewers and replicas, every page from memory equals the page of the
//! statement.

use std::{cell::Cell, sync::Arc};

use chrono::{DateTime, TimeDelta, Utc};
use proptest::{
    prelude::*,
    test_runner::{Config, RngSeed, TestRunner},
};
use sqlx::{AssertSqlSafe, PgConnection};
use testkit::{Database, member};
use tokio::runtime::Runtime;
use uuid::Uuid;

use super::{
    super::{RelevantPage, relevant, versions::Row},
    RelevanceMemory,
};
use crate::{
    MIGRATOR,
    cursors::{Rank, RelevantCursor},
    deactivation, posts,
};

const HISTORIES: u32 = 24;
const MAX_SHRINK_ITERS: u32 = 100;
const MEMBERS: u128 = 5;
const REPLICAS: usize = 2;
/// The capacity is so small that some pages are not in memory.
const CAPACITY: usize = 12;
const PAGES: usize = 4;

/// Clears the rows of the previous history.
const CLEAR: &str = "
    delete from feed.posts;
    delete from feed.outbox;
    delete from feed.connections;
    delete from feed.follows;
    delete from feed.blocks;
    delete from feed.mutes;
    delete from feed.hidden_posts;
    delete from feed.memberships;
    delete from feed.members;
    delete from feed.hidden_members";

#[derive(Clone, Copy, Debug)]
enum Step {
    /// A post in one of two communities, or public, this many hours ago.
    Post {
        author: u128,
        community: u128,
        hours: i64,
    },
    /// More or fewer reactions and comments.
    React {
        post: usize,
        likes: i64,
        comments: i64,
    },
    Delete {
        post: usize,
    },
    Connect(u128, u128),
    Disconnect(u128),
    Follow(u128, u128),
    Block(u128, u128),
    Unblock(u128),
    Mute(u128, u128),
    MuteCommunity(u128),
    MuteWord(u128),
    Unmute(u128),
    Hide {
        who: u128,
        post: usize,
        not_interested: bool,
    },
    Unhide(u128),
    Join(u128, u128),
    Leave(u128),
    Study(u128, bool),
    Close(u128),
    Reopen(u128),
    /// The reactions of an erased member disappear without a fact, and at the end the account.
    Erase {
        post: usize,
    },
    /// Hours.
    Wait(i64),
    Number,
    Look(usize),
    Kill(usize),
    Restart,
    Prune,
    Flood,
}

fn step() -> impl Strategy<Value = Step> {
    let who = || 0..MEMBERS;
    let pair = || (0..MEMBERS, 1..MEMBERS).prop_map(|(who, by)| (who, (who + by) % MEMBERS));
    let post = || 0_usize..30;
    let replica = || 0..REPLICAS;
    prop_oneof![
        14 => (who(), 0_u128..4, prop_oneof![Just(0_i64), 0_i64..150])
            .prop_map(|(author, community, hours)| Step::Post { author, community, hours }),
        10 => (post(), -2_i64..20, -1_i64..4).prop_map(|(post, likes, comments)| Step::React { post, likes, comments }),
        2 => post().prop_map(|post| Step::Delete { post }),
        4 => pair().prop_map(|(who, other)| Step::Connect(who, other)),
        1 => who().prop_map(Step::Disconnect),
        2 => pair().prop_map(|(who, other)| Step::Follow(who, other)),
        1 => pair().prop_map(|(who, other)| Step::Block(who, other)),
        1 => who().prop_map(Step::Unblock),
        1 => pair().prop_map(|(who, other)| Step::Mute(who, other)),
        1 => who().prop_map(Step::MuteCommunity),
        1 => who().prop_map(Step::MuteWord),
        1 => who().prop_map(Step::Unmute),
        2 => (who(), post(), prop::bool::weighted(0.2))
            .prop_map(|(who, post, not_interested)| Step::Hide { who, post, not_interested }),
        1 => who().prop_map(Step::Unhide),
        4 => (who(), 1_u128..3).prop_map(|(who, community)| Step::Join(who, community)),
        1 => who().prop_map(Step::Leave),
        3 => (who(), any::<bool>()).prop_map(|(who, first)| Step::Study(who, first)),
        1 => who().prop_map(Step::Close),
        1 => who().prop_map(Step::Reopen),
        1 => post().prop_map(|post| Step::Erase { post }),
        2 => (0_i64..30).prop_map(Step::Wait),
        4 => Just(Step::Number),
        4 => replica().prop_map(Step::Look),
        1 => replica().prop_map(Step::Kill),
        1 => Just(Step::Restart),
        1 => Just(Step::Prune),
        1 => Just(Step::Flood),
    ]
}

/// Returns the id of a community or of another row.
const fn number(n: u128) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8001_0000_0000_0000 + n)
}

struct Service {
    now: DateTime<Utc>,
    posts: Vec<Uuid>,
    rows: u128,
    replicas: Vec<Arc<RelevanceMemory>>,
    in_memory: usize,
}

impl Service {
    fn post(&self, n: usize) -> Uuid {
        self.posts.get(n % self.posts.len().max(1)).copied().unwrap_or_default()
    }

    /// Performs the action of a request, a fact handler or Postgres.
    async fn step(&mut self, db: &mut PgConnection, step: Step) {
        let now = self.now;
        self.rows += 1;
        let row = number(1_000 + self.rows);
        let fact = |kind: &str, post: Uuid| {
            format!(
                "insert into feed.outbox (kind, key, payload, at) values ('portia.feed.v1.{kind}', '{post}', '', '{now}');"
            )
        };
        let sql = match step {
            Step::Post { author, community, hours } => {
                let at = now - TimeDelta::hours(hours);
                self.posts.push(row);
                let place =
                    if community == 0 || community == 3 { "null".into() } else { format!("'{}'", number(community)) };
                format!(
                    "insert into feed.posts (id, author_id, content, created_at, freshness, community_id, school_key)
                    select '{row}', '{author}', 'Moot court', '{at}', {freshness:?}, {place},
                        (select school_key from feed.members where member_id = '{author}'); {fact}",
                    author = member(author),
                    freshness = posts::freshness(at),
                    fact = fact("PostCreated", row),
                )
            }
            Step::React { post, likes, comments } => {
                let post = self.post(post);
                format!(
                    "update feed.posts
                    set
                        like_count = greatest(0, like_count + {likes}),
                        comment_count = greatest(0, comment_count + {comments})
                    where id = '{post}'; {fact}",
                    fact = fact("PostReacted", post),
                )
            }
            Step::Delete { post } => {
                let post = self.post(post);
                format!(
                    "update feed.posts set author_id = '{nil}', community_id = '{nil}' where id = '{post}'; {fact}",
                    nil = Uuid::nil(),
                    fact = fact("PostDeleted", post),
                )
            }
            Step::Connect(who, other) => format!(
                "insert into feed.connections (member_id, connection_id, other_id)
                values ('{who}', '{row}', '{other}'), ('{other}', '{row}', '{who}')",
                who = member(who),
                other = member(other),
            ),
            Step::Disconnect(who) => {
                format!("delete from feed.connections where '{who}' in (member_id, other_id)", who = member(who))
            }
            Step::Follow(who, other) => format!(
                "insert into feed.follows (member_id, followed_id, followed_at)
                values ('{}', '{}', '{now}') on conflict do nothing",
                member(who),
                member(other),
            ),
            Step::Block(who, other) => format!(
                "insert into feed.blocks (blocker_id, blocked_id) values ('{}', '{}') on conflict do nothing",
                member(who),
                member(other),
            ),
            Step::Unblock(who) => format!("delete from feed.blocks where blocker_id = '{}'", member(who)),
            Step::Mute(who, other) => format!(
                "insert into feed.mutes (id, member_id, kind, target_id, muted_at, expires_at)
                values ('{row}', '{}', 'member', '{}', '{now}', '{}') on conflict do nothing",
                member(who),
                member(other),
                now + TimeDelta::hours(20),
            ),
            Step::MuteCommunity(who) => format!(
                "insert into feed.mutes (id, member_id, kind, target_id, muted_at)
                values ('{row}', '{}', 'community', '{}', '{now}') on conflict do nothing",
                member(who),
                number(1),
            ),
            Step::MuteWord(who) => format!(
                "insert into feed.mutes (id, member_id, kind, word, muted_at)
                values ('{row}', '{}', 'word', 'appeal', '{now}') on conflict do nothing",
                member(who),
            ),
            Step::Unmute(who) => format!("delete from feed.mutes where member_id = '{}'", member(who)),
            Step::Hide { who, post, not_interested } => format!(
                "insert into feed.hidden_posts (member_id, post_id, hidden_at, not_interested, author_id, topics)
                select '{}', id, '{now}', {not_interested}, author_id, '{{}}' from feed.posts where id = '{}'
                on conflict do nothing",
                member(who),
                self.post(post),
            ),
            Step::Unhide(who) => format!("delete from feed.hidden_posts where member_id = '{}'", member(who)),
            Step::Join(who, community) => format!(
                "insert into feed.memberships (member_id, community_id) values ('{}', '{}') on conflict do nothing",
                member(who),
                number(community),
            ),
            Step::Leave(who) => format!("delete from feed.memberships where member_id = '{}'", member(who)),
            Step::Study(who, first) => format!(
                "insert into feed.members (member_id, school_key) values ('{}', '{}')
                on conflict (member_id) do update set school_key = excluded.school_key",
                member(who),
                if first { "yale" } else { "ateneo" },
            ),
            Step::Close(who) => {
                return deactivation::deactivate(db, &member(who).to_string(), now).await.unwrap();
            }
            Step::Reopen(who) => return deactivation::reactivate(db, &member(who).to_string()).await.unwrap(),
            Step::Erase { post } => format!(
                "update feed.posts set like_count = greatest(0, like_count - 1) where id = '{}';
                update feed.hidden_members_changes set n = n + 1",
                self.post(post),
            ),
            Step::Wait(hours) => return self.now += TimeDelta::hours(hours),
            Step::Number => "
                update feed.outbox o
                set seq = numbered.seq
                from (
                    select id, (select n from feed.outbox_sequence) + row_number() over (order by id) as seq
                    from feed.outbox
                    where seq is null
                ) as numbered
                where o.id = numbered.id;
                update feed.outbox_sequence set n = greatest(n, (select max(seq) from feed.outbox))"
                .to_owned(),
            Step::Look(replica) => {
                return self.replicas[replica].catch_up(db, &testkit::clock()).await.unwrap();
            }
            Step::Kill(replica) => return self.replicas[replica] = Arc::new(RelevanceMemory::new(CAPACITY)),
            Step::Restart => "update feed.outbox_sequence set history = gen_random_uuid()".to_owned(),
            Step::Prune => "delete from feed.outbox where seq is not null".to_owned(),
            Step::Flood => "
                insert into feed.outbox (kind, key, payload, at)
                select 'portia.feed.v1.CommentReacted', 'key', '', '2026-01-01'
                from generate_series(1, 2100)"
                .to_owned(),
        };
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(db).await.unwrap();
    }

    /// Compares the pages of all replicas with the statement, for the viewer of step `n`.
    async fn assert_same(&mut self, db: &mut PgConnection, n: usize) {
        let viewer = Some(member(n as u128 % (MEMBERS + 1))).filter(|id| *id != member(MEMBERS));
        let fetch = [21, 3, 6][n / 6 % 3];
        let mut after = None;
        for _ in 0..PAGES {
            let page = RelevantPage::new(after, self.now);
            let expected = relevant::by_relevance(viewer, fetch, page).fetch_all(&mut *db).await.unwrap();
            let (expected, edge) = split(expected);
            for (place, replica) in self.replicas.iter().enumerate() {
                let listed = replica.list_in_memory(db, viewer, fetch, page).await.unwrap();
                let Some(listed) = listed else { continue };
                self.in_memory += 1;
                let listed = split(listed);
                assert_eq!((&listed.0, listed.1), (&expected, edge), "viewer {viewer:?} at replica {place}");
            }
            let last = expected.get(usize::try_from(fetch - 2).unwrap());
            let last = last.filter(|_| expected.len() as i64 == fetch);
            let last = last.map(|row| (row.leads.unwrap(), row.score.unwrap(), row.id.unwrap()));
            let Some((leads, score, id)) = last.or(edge.map(|(score, id)| (false, score, id))) else { break };
            after = Some(RelevantCursor { as_of: self.now.into(), leads, score: Rank(score), id });
        }
    }
}

/// Splits the rows of posts from the position of the next page.
fn split(rows: Vec<Row>) -> (Vec<Row>, Option<(f64, Uuid)>) {
    let (posts, edge): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| row.version.is_some());
    (posts, edge.first().map(|row| (row.score.unwrap(), row.id.unwrap())))
}

/// Runs a history, in many transactions, because their numbers are versions. Returns how many pages came from memory.
async fn run(database: &Database, steps: &[Step]) -> usize {
    let replicas = (0..REPLICAS).map(|_| Arc::new(RelevanceMemory::new(CAPACITY))).collect();
    let mut service = Service { now: testkit::clock().now(), posts: Vec::new(), rows: 0, replicas, in_memory: 0 };
    let mut db = database.pool().acquire().await.unwrap();
    sqlx::raw_sql(CLEAR).execute(&mut *db).await.unwrap();
    for replica in 0..REPLICAS {
        service.step(&mut db, Step::Look(replica)).await;
    }
    for (n, step) in steps.iter().enumerate() {
        service.step(&mut db, *step).await;
        service.assert_same(&mut db, n).await;
    }
    service.in_memory
}

#[test]
fn relevant_pages_from_memory_equal_those_of_the_statement() {
    let runtime = Runtime::new().unwrap();
    let database = runtime.block_on(Database::fresh("feed", &MIGRATOR));
    let histories = proptest::collection::vec(step(), 20..60);
    let config = Config {
        cases: HISTORIES,
        max_shrink_iters: MAX_SHRINK_ITERS,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Config::default()
    };
    let in_memory = Cell::new(0);
    let result = TestRunner::new(config).run(&histories, |steps| {
        in_memory.set(in_memory.get() + runtime.block_on(run(&database, &steps)));
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
    assert!(in_memory.get() > 500, "{} pages came from memory", in_memory.get());
}
