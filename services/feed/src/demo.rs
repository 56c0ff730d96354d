//! The demo feed: six weeks of posts by the 60 demo members, from `demo/posts.txt`. It publishes no facts, which would notify
//! members.

mod script;

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use uuid::Uuid;

use crate::{posts::freshness, reactions::ReactionKind, read_model::schools::SchoolKey, search};
use script::ScriptedPost;

/// The age of the oldest post.
const SIX_WEEKS: TimeDelta = TimeDelta::weeks(6);
/// The time in which a post receives its comments and reactions.
const ACTIVE_TIME: TimeDelta = TimeDelta::days(2);
/// The demo members; the first two are the printed sign-ins.
const MEMBERS: usize = 60;

/// Inserts the posts with their comments and reactions, unless they exist. Publishes no facts, so that no member is notified.
///
/// # Errors
/// When the database is unavailable.
pub async fn load(context: &ServiceContext) -> anyhow::Result<()> {
    let options = context.database.clone().ok_or_else(|| anyhow::anyhow!("feed has no database"))?;
    let mut connection = options.connect().await?;
    let members: Vec<Uuid> = (1..=MEMBERS).map(member).collect();
    let loaded = sqlx::query_scalar!(
        r#"select exists (select from feed.posts where author_id = any($1)) as "loaded!""#,
        &members
    );
    if !loaded.fetch_one(&mut connection).await? {
        let mut tx = connection.begin().await?;
        insert(&mut tx, context, &script::read()?).await?;
        tx.commit().await?;
    }
    connection.close().await?;
    Ok(())
}

/// Inserts the scripted posts, newest first, with times of creation.
async fn insert(db: &mut PgConnection, context: &ServiceContext, script: &[ScriptedPost]) -> anyhow::Result<()> {
    let (mut posts, mut comments, mut reactions) = (Posts::default(), Comments::default(), Reactions::default());
    let now = context.clock.now();
    for (n, scripted) in script.iter().enumerate() {
        let post = context.ids.owned_by(member(scripted.author));
        let at = now - age(n, script.len());
        let reacting = reacting_members(n, scripted);
        posts.push(post, scripted, at, reacting.len());
        for (nth, (author, text)) in scripted.comments.iter().enumerate() {
            let created_at = at + share(now - at, early(nth + 1, scripted.comments.len() + 1));
            comments.push(context.ids.owned_by(post), post, *author, text, created_at);
        }
        for (nth, (number, kind)) in reacting.into_iter().enumerate() {
            reactions.push(post, number, kind, at + share(now - at, early(nth + 1, MEMBERS)));
        }
    }
    posts.insert(db).await?;
    comments.insert(db).await?;
    reactions.insert(db).await?;
    // Without facts, replicas load the posts in memory again by this version (timeline/relevance.rs).
    sqlx::query!("update feed.hidden_members_changes set n = n + 1").execute(db).await?;
    Ok(())
}

/// Returns the id of a demo member, which is the same in every service.
fn member(number: usize) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 | (number << 10) as u128 | number as u128)
}

/// Returns the id of a demo community, which is the same as in social-graph.
fn community(number: usize) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0001_0000_0000 | (number << 10) as u128 | number as u128)
}

/// Returns the age of the `n`th newest post. Newer posts follow each other faster, as in a growing network.
fn age(n: usize, of: usize) -> TimeDelta {
    let position = (n as f64 + 0.3 + 0.6 * random(n, 0)) / of as f64;
    scaled(SIX_WEEKS, position.min(1.0).powf(1.3))
}

/// Returns the time of the `nth` comment or reaction, as a share of the active time: most of them early.
fn early(nth: usize, of: usize) -> f64 {
    (nth as f64 / (of + 1) as f64).powi(2)
}

fn share(time: TimeDelta, part: f64) -> TimeDelta {
    scaled(time.min(ACTIVE_TIME), part)
}

fn scaled(time: TimeDelta, by: f64) -> TimeDelta {
    TimeDelta::milliseconds((time.num_milliseconds() as f64 * by) as i64)
}

/// Returns the members who react to a post, and how. In a community only commenters react, because they may see the
/// post. On other posts the number varies and grows with the comments.
fn reacting_members(n: usize, scripted: &ScriptedPost) -> Vec<(usize, ReactionKind)> {
    if scripted.community.is_some() {
        let mut members: Vec<usize> =
            scripted.comments.iter().map(|(number, _)| *number).filter(|number| *number != scripted.author).collect();
        members.sort_unstable();
        members.dedup();
        return members.into_iter().map(|number| (number, kind(random(n, 100 + number)))).collect();
    }
    let from_comments = 2 * scripted.comments.len();
    let least = if scripted.author <= 2 { 6 } else { 0 };
    let liked = ((random(n, 1).powi(3) * 40.0) as usize).saturating_sub(2) + from_comments + least;
    let start = (random(n, 2) * MEMBERS as f64) as usize;
    // Coprime to 60, so that the steps reach every member.
    let stride = [1, 7, 11, 13, 17, 19, 23, 29].into_iter().cycle().nth(n).unwrap_or(1);
    (0..MEMBERS)
        .map(|step| 1 + (start + step * stride) % MEMBERS)
        .filter(|number| *number != scripted.author)
        .take(liked.min(MEMBERS - 1))
        .map(|number| (number, kind(random(n, 100 + number))))
        .collect()
}

fn kind(random: f64) -> ReactionKind {
    match random {
        ..0.62 => ReactionKind::Like,
        ..0.76 => ReactionKind::Celebrate,
        ..0.86 => ReactionKind::Insightful,
        ..0.95 => ReactionKind::Support,
        _ => ReactionKind::Thanks,
    }
}

/// Returns a number between 0 and 1, the same in every run (splitmix64).
fn random(n: usize, salt: usize) -> f64 {
    let mut z = (n as u64 * 1_000 + salt as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Columns of the posts to insert.
#[derive(Default)]
struct Posts {
    ids: Vec<Uuid>,
    authors: Vec<Uuid>,
    contents: Vec<String>,
    likes: Vec<i64>,
    comments: Vec<i64>,
    times: Vec<DateTime<Utc>>,
    freshness: Vec<f64>,
    communities: Vec<Option<Uuid>>,
    schools: Vec<Option<String>>,
}

impl Posts {
    fn push(&mut self, id: Uuid, scripted: &ScriptedPost, at: DateTime<Utc>, likes: usize) {
        self.ids.push(id);
        self.authors.push(member(scripted.author));
        self.contents.push(scripted.content.clone());
        self.likes.push(likes as i64);
        self.comments.push(scripted.comments.len() as i64);
        self.times.push(at);
        self.freshness.push(freshness(at));
        self.communities.push(scripted.community.map(community));
        self.schools.push(SchoolKey::from_text(scripted.school).0);
    }

    async fn insert(&self, db: &mut PgConnection) -> Result<(), sqlx::Error> {
        sqlx::query!(
            "insert into feed.posts
                (id, author_id, content, like_count, comment_count, created_at, freshness, community_id, school_key)
            select *
            from unnest(
                $1::uuid[],
                $2::uuid[],
                $3::text[],
                $4::bigint[],
                $5::bigint[],
                $6::timestamptz[],
                $7::float8[],
                $8::uuid[],
                $9::text[]
            )",
            &self.ids,
            &self.authors,
            &self.contents,
            &self.likes,
            &self.comments,
            &self.times,
            &self.freshness,
            &self.communities as &[Option<Uuid>],
            &self.schools as &[Option<String>]
        )
        .execute(&mut *db)
        .await?;
        search::POSTS.mark_stale(db, &self.ids).await?;
        Ok(())
    }
}

/// Columns of the comments to insert.
#[derive(Default)]
struct Comments {
    ids: Vec<Uuid>,
    posts: Vec<Uuid>,
    authors: Vec<Uuid>,
    contents: Vec<String>,
    times: Vec<DateTime<Utc>>,
}

impl Comments {
    fn push(&mut self, id: Uuid, post: Uuid, author: usize, text: &str, at: DateTime<Utc>) {
        self.ids.push(id);
        self.posts.push(post);
        self.authors.push(member(author));
        self.contents.push(text.to_owned());
        self.times.push(at);
    }

    async fn insert(&self, db: &mut PgConnection) -> Result<(), sqlx::Error> {
        sqlx::query!(
            "insert into feed.comments (id, post_id, author_id, content, created_at)
            select *
            from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[])",
            &self.ids,
            &self.posts,
            &self.authors,
            &self.contents,
            &self.times
        )
        .execute(db)
        .await?;
        Ok(())
    }
}

/// Columns of the reactions to insert.
#[derive(Default)]
struct Reactions {
    posts: Vec<Uuid>,
    members: Vec<Uuid>,
    kinds: Vec<String>,
    times: Vec<DateTime<Utc>>,
}

impl Reactions {
    fn push(&mut self, post: Uuid, member_number: usize, kind: ReactionKind, at: DateTime<Utc>) {
        self.posts.push(post);
        self.members.push(member(member_number));
        self.kinds.push(kind.name().to_owned());
        self.times.push(at);
    }

    async fn insert(&self, db: &mut PgConnection) -> Result<(), sqlx::Error> {
        sqlx::query!(
            "insert into feed.reactions (post_id, member_id, kind, created_at)
            select *
            from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[])",
            &self.posts,
            &self.members,
            &self.kinds,
            &self.times
        )
        .execute(db)
        .await?;
        Ok(())
    }
}
