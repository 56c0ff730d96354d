//! Everything feed keeps of a member, for the member: read from one moment, sent record by record, held nowhere.

use std::{sync::Arc, time::Duration};

use chassis::Frame;
use chrono::{DateTime, NaiveDate, Utc};
use futures::TryStreamExt as _;
use portia_proto::feed::ExportMemberResponse;
use serde::Serialize;
use sqlx::{PgConnection, PgPool};
use tokio::sync::{Semaphore, mpsc};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use uuid::Uuid;

use crate::{error::Error, impressions};

/// Records on their way.
const BUFFER: usize = 64;
/// An export holds a connection for as long as its reader takes: never more of the pool than this.
const AT_ONCE: usize = 2;
/// How long a reader may take nothing and still hold the connection.
const PATIENCE: Duration = Duration::from_secs(30);

/// One export.
pub type Records = ReceiverStream<Result<ExportMemberResponse, Status>>;

/// Gives exports.
#[derive(Clone, Debug)]
pub struct Exports {
    db: PgPool,
    places: Arc<Semaphore>,
    stopped: CancellationToken,
}

impl Exports {
    /// Exports from this pool.
    #[must_use]
    pub fn new(frame: &Frame, db: &PgPool) -> Self {
        Self { db: db.clone(), places: Arc::new(Semaphore::new(AT_ONCE)), stopped: frame.tasks.stopped() }
    }

    /// Everything of one member. It is read as fast as it is taken, and no further once nobody takes it; one that is
    /// not complete ends with an error.
    #[must_use]
    pub fn of(&self, member_id: Uuid) -> Records {
        let (out, records) = mpsc::channel(BUFFER);
        let Self { db, places, stopped } = self.clone();
        tokio::spawn(async move {
            let told = async {
                let _place = places.acquire().await;
                tell(&db, member_id, &Reader(out.clone())).await
            };
            let ended = tokio::select! {
                told = told => told,
                () = stopped.cancelled() => Err(Error::Interrupted),
                () = out.closed() => return,
            };
            if let Err(error) = ended {
                // Nothing is held any more, so this may wait for a reader who comes back.
                out.send(Err(error.into())).await.ok();
            }
        });
        ReceiverStream::new(records)
    }
}

/// Who is told, as fast as they listen.
struct Reader(mpsc::Sender<Result<ExportMemberResponse, Status>>);

impl Reader {
    async fn tell(&self, section: &str, record: &impl Serialize) -> Result<(), Error> {
        let record = ExportMemberResponse { section: section.to_owned(), json: serde_json::to_string(record)? };
        self.0.send_timeout(Ok(record), PATIENCE).await.map_err(|_| Error::Interrupted)
    }
}

/// All sections, of one moment.
async fn tell(db: &PgPool, member_id: Uuid, to: &Reader) -> Result<(), Error> {
    let mut tx = db.begin_with("begin isolation level repeatable read, read only").await?;
    // A slow reader stretches a statement; the time-out is for requests.
    sqlx::raw_sql("set local statement_timeout = 0").execute(&mut *tx).await?;
    posts(&mut tx, member_id, to).await?;
    comments(&mut tx, member_id, to).await?;
    reactions(&mut tx, member_id, to).await?;
    shown_posts(&mut tx, member_id, to).await?;
    let impressions = impressions::of(&mut tx, member_id).await?;
    to.tell("impressions", &Impressions { impressions }).await?;
    tx.commit().await?;
    Ok(())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Post {
    id: Uuid,
    content: String,
    created_at: DateTime<Utc>,
    like_count: i64,
    comment_count: i64,
}

async fn posts(conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), Error> {
    let mut posts = sqlx::query_as!(
        Post,
        "select id, content, created_at, like_count, comment_count
        from feed.posts
        where author_id = $1
        order by created_at, id",
        member_id
    )
    .fetch(conn);
    while let Some(post) = posts.try_next().await? {
        to.tell("posts", &post).await?;
    }
    Ok(())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Comment {
    id: Uuid,
    post_id: Uuid,
    content: String,
    created_at: DateTime<Utc>,
}

async fn comments(conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), Error> {
    let mut comments = sqlx::query_as!(
        Comment,
        "select id, post_id, content, created_at
        from feed.comments
        where author_id = $1
        order by created_at, id",
        member_id
    )
    .fetch(conn);
    while let Some(comment) = comments.try_next().await? {
        to.tell("comments", &comment).await?;
    }
    Ok(())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reaction {
    post_id: Uuid,
    r#type: String,
    created_at: DateTime<Utc>,
}

async fn reactions(conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), Error> {
    let mut reactions = sqlx::query_as!(
        Reaction,
        r#"
        select post_id, kind as "type", created_at
        from feed.reactions
        where member_id = $1
        order by created_at, post_id
        "#,
        member_id
    )
    .fetch(conn);
    while let Some(reaction) = reactions.try_next().await? {
        to.tell("reactions", &reaction).await?;
    }
    Ok(())
}

/// Somebody's post which the member was shown: kept for days.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownPost {
    post_id: Uuid,
    day: NaiveDate,
}

async fn shown_posts(conn: &mut PgConnection, member_id: Uuid, to: &Reader) -> Result<(), Error> {
    for day in impressions::days(&mut *conn).await? {
        let mut shown = sqlx::query_as!(
            ShownPost,
            "select post_id, day
            from feed.impressions
            where day = $1
                and viewer_id = $2
            order by post_id",
            day,
            member_id
        )
        .fetch(&mut *conn);
        while let Some(post) = shown.try_next().await? {
            to.tell("shown-posts", &post).await?;
        }
    }
    Ok(())
}

/// How often the member's posts were shown to others.
#[derive(Serialize)]
struct Impressions {
    impressions: i64,
}
