//! A demo feed: six weeks of a law school's life, told in `demo/posts.txt` by the cast of sixty.

mod script;

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use uuid::Uuid;

use crate::{ranking, reactions::Kind, schools::Key, search};
use script::Scene;

/// How far back the oldest post lies.
const SIX_WEEKS: TimeDelta = TimeDelta::weeks(6);
/// Within this, nearly all of what is said about a post is said.
const ATTENTION: TimeDelta = TimeDelta::days(2);
/// Members of the cast; the first two are the sign-ins.
const CAST: usize = 60;

/// Publishes the demo's posts with their comments and reactions, unless it was done before. Tells no facts: nobody is
/// to be notified of what happened before they came.
///
/// # Errors
/// When the database is away.
pub async fn load(context: &ServiceContext) -> anyhow::Result<()> {
    let options = context.database.clone().ok_or_else(|| anyhow::anyhow!("feed has no database"))?;
    let mut connection = options.connect().await?;
    let cast: Vec<Uuid> = (1..=CAST).map(member).collect();
    let loaded =
        sqlx::query_scalar!(r#"select exists (select from feed.posts where author_id = any($1)) as "loaded!""#, &cast);
    if !loaded.fetch_one(&mut connection).await? {
        let mut tx = connection.begin().await?;
        stage(&mut tx, context, &script::read()?).await?;
        tx.commit().await?;
    }
    connection.close().await?;
    Ok(())
}

/// Puts the scenes, newest first, on the time line.
async fn stage(conn: &mut PgConnection, context: &ServiceContext, scenes: &[Scene]) -> anyhow::Result<()> {
    let (mut posts, mut comments, mut reactions) = (Posts::default(), Comments::default(), Reactions::default());
    let now = context.clock.now();
    for (n, scene) in scenes.iter().enumerate() {
        let post = context.ids.owned_by(member(scene.author));
        let at = now - age(n, scenes.len());
        let fans = fans(n, scene);
        posts.push(post, scene, at, fans.len());
        for (nth, (author, words)) in scene.comments.iter().enumerate() {
            let said = at + share(now - at, early(nth + 1, scene.comments.len() + 1));
            comments.push(context.ids.owned_by(post), post, *author, words, said);
        }
        for (nth, (fan, kind)) in fans.into_iter().enumerate() {
            reactions.push(post, fan, kind, at + share(now - at, early(nth + 1, CAST)));
        }
    }
    posts.insert(conn).await?;
    comments.insert(conn).await?;
    reactions.insert(conn).await?;
    Ok(())
}

/// The id of a member of the cast: the same in every service's demo.
fn member(number: usize) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 | (number << 10) as u128 | number as u128)
}

/// The id of a community: as social-graph's demo makes it.
fn community(number: usize) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0001_0000_0000 | (number << 10) as u128 | number as u128)
}

/// How old the `n`th newest post is: a young network grows, so newer ones stand closer together.
fn age(n: usize, of: usize) -> TimeDelta {
    let place = (n as f64 + 0.3 + 0.6 * lot(n, 0)) / of as f64;
    scaled(SIX_WEEKS, place.min(1.0).powf(1.3))
}

/// When the `nth` of something is said, as a share of a post's time: most at once, some late.
fn early(nth: usize, of: usize) -> f64 {
    (nth as f64 / (of + 1) as f64).powi(2)
}

fn share(time: TimeDelta, part: f64) -> TimeDelta {
    scaled(time.min(ATTENTION), part)
}

fn scaled(time: TimeDelta, by: f64) -> TimeDelta {
    TimeDelta::milliseconds((time.num_milliseconds() as f64 * by) as i64)
}

/// Who reacts to a post, and how. Most posts please a few, some please half the school; what is talked about is liked. In
/// a community it pleases who commented: of these it is certain that they may see it.
fn fans(n: usize, scene: &Scene) -> Vec<(usize, Kind)> {
    if scene.community.is_some() {
        let mut fans: Vec<usize> =
            scene.comments.iter().map(|(fan, _)| *fan).filter(|fan| *fan != scene.author).collect();
        fans.sort_unstable();
        fans.dedup();
        return fans.into_iter().map(|fan| (fan, kind(lot(n, 100 + fan)))).collect();
    }
    let talk = 2 * scene.comments.len();
    let least = if scene.author <= 2 { 6 } else { 0 };
    let liked = ((lot(n, 1).powi(3) * 40.0) as usize).saturating_sub(2) + talk + least;
    let start = (lot(n, 2) * CAST as f64) as usize;
    // Each visits the whole cast: it has no divisor in common with sixty.
    let stride = [1, 7, 11, 13, 17, 19, 23, 29].into_iter().cycle().nth(n).unwrap_or(1);
    (0..CAST)
        .map(|step| 1 + (start + step * stride) % CAST)
        .filter(|fan| *fan != scene.author)
        .take(liked.min(CAST - 1))
        .map(|fan| (fan, kind(lot(n, 100 + fan))))
        .collect()
}

fn kind(lot: f64) -> Kind {
    match lot {
        ..0.62 => Kind::Like,
        ..0.76 => Kind::Celebrate,
        ..0.86 => Kind::Insightful,
        ..0.95 => Kind::Support,
        _ => Kind::Thanks,
    }
}

/// A lot between 0 and 1, the same at every start (splitmix64).
fn lot(n: usize, salt: usize) -> f64 {
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
    fn push(&mut self, id: Uuid, scene: &Scene, at: DateTime<Utc>, likes: usize) {
        self.ids.push(id);
        self.authors.push(member(scene.author));
        self.contents.push(scene.words.clone());
        self.likes.push(likes as i64);
        self.comments.push(scene.comments.len() as i64);
        self.times.push(at);
        self.freshness.push(ranking::freshness(at));
        self.communities.push(scene.community.map(community));
        self.schools.push(Key::of(scene.school).0);
    }

    async fn insert(&self, conn: &mut PgConnection) -> Result<(), sqlx::Error> {
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
        .execute(&mut *conn)
        .await?;
        search::POSTS.mark_stale(conn, &self.ids).await?;
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
    fn push(&mut self, id: Uuid, post: Uuid, author: usize, words: &str, at: DateTime<Utc>) {
        self.ids.push(id);
        self.posts.push(post);
        self.authors.push(member(author));
        self.contents.push(words.to_owned());
        self.times.push(at);
    }

    async fn insert(&self, conn: &mut PgConnection) -> Result<(), sqlx::Error> {
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
        .execute(conn)
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
    fn push(&mut self, post: Uuid, fan: usize, kind: Kind, at: DateTime<Utc>) {
        self.posts.push(post);
        self.members.push(member(fan));
        self.kinds.push(kind.name().to_owned());
        self.times.push(at);
    }

    async fn insert(&self, conn: &mut PgConnection) -> Result<(), sqlx::Error> {
        sqlx::query!(
            "insert into feed.reactions (post_id, member_id, kind, created_at)
            select *
            from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[])",
            &self.posts,
            &self.members,
            &self.kinds,
            &self.times
        )
        .execute(conn)
        .await?;
        Ok(())
    }
}
