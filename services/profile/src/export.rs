//! Everything profile keeps of a member, for the member: read from one moment, sent record by record, held nowhere.

use std::{sync::Arc, time::Duration};

use chassis::Frame;
use chrono::{DateTime, NaiveDate, Utc};
use futures::TryStreamExt as _;
use portia_proto::profile::ExportMemberResponse;
use serde::Serialize;
use sqlx::{PgConnection, PgPool};
use tokio::sync::{Semaphore, mpsc};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use uuid::Uuid;

use crate::{error::Error, members};

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
    pub fn of(&self, member: Uuid) -> Records {
        let (out, records) = mpsc::channel(BUFFER);
        let Self { db, places, stopped } = self.clone();
        tokio::spawn(async move {
            let told = async {
                let _place = places.acquire().await;
                tell(&db, member, &Reader(out.clone())).await
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
async fn tell(db: &PgPool, id: Uuid, to: &Reader) -> Result<(), Error> {
    let mut tx = db.begin_with("begin isolation level repeatable read, read only").await?;
    // A slow reader stretches a statement; the time-out is for requests.
    sqlx::raw_sql("set local statement_timeout = 0").execute(&mut *tx).await?;
    profile(&mut tx, id, to).await?;
    received(&mut tx, id, to).await?;
    given(&mut tx, id, to).await?;
    views(&mut tx, id, to).await?;
    pictures(&mut tx, id, to).await?;
    tx.commit().await?;
    Ok(())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Profile<'a> {
    id: Uuid,
    username: &'a str,
    full_name: &'a str,
    headline: Option<&'a str>,
    location: Option<&'a str>,
    bio: Option<&'a str>,
    avatar_url: Option<&'a str>,
    website: Option<&'a str>,
    linkedin: Option<&'a str>,
    school: Option<&'a str>,
    graduation_year: Option<&'a str>,
    created_at: DateTime<Utc>,
    profile_views: i64,
    connections: i64,
}

#[derive(Serialize)]
struct Skill<'a> {
    name: &'a str,
    endorsements: i64,
}

async fn profile(conn: &mut PgConnection, id: Uuid, to: &Reader) -> Result<(), Error> {
    let member = members::with_id(conn, id, Some(id)).await?;
    let profile = Profile {
        id,
        username: &member.username,
        full_name: &member.full_name,
        headline: member.headline.as_deref(),
        location: member.location.as_deref(),
        bio: member.bio.as_deref(),
        avatar_url: member.avatar_url.as_deref(),
        website: member.website.as_deref(),
        linkedin: member.linkedin.as_deref(),
        school: member.school.as_deref(),
        graduation_year: member.graduation_year.as_deref(),
        created_at: member.created_at,
        profile_views: member.stats.profile_views,
        connections: member.stats.connections,
    };
    to.tell("profile", &profile).await?;
    for experience in &member.experiences {
        to.tell("experiences", experience).await?;
    }
    for education in &member.education {
        to.tell("education", education).await?;
    }
    for standing in &member.skills {
        to.tell("skills", &Skill { name: &standing.skill, endorsements: standing.count }).await?;
    }
    Ok(())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Received {
    skill: String,
    endorser_id: Uuid,
    created_at: DateTime<Utc>,
    hidden: bool,
}

async fn received(conn: &mut PgConnection, id: Uuid, to: &Reader) -> Result<(), Error> {
    let mut rows = sqlx::query_as!(
        Received,
        "select skill, endorser_id, created_at, hidden
        from profile.endorsements e
        where member_id = $1
            and not exists (
                select from profile.members o
                where o.id = e.endorser_id
                    and o.hidden
            )
        order by skill, created_at, endorser_id",
        id,
    )
    .fetch(conn);
    while let Some(row) = rows.try_next().await? {
        to.tell("endorsements-received", &row).await?;
    }
    Ok(())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Given {
    member_id: Uuid,
    skill: String,
    created_at: DateTime<Utc>,
}

async fn given(conn: &mut PgConnection, id: Uuid, to: &Reader) -> Result<(), Error> {
    let mut rows = sqlx::query_as!(
        Given,
        "select member_id, skill, created_at
        from profile.endorsements
        where endorser_id = $1
        order by created_at, member_id, skill",
        id,
    )
    .fetch(conn);
    while let Some(row) = rows.try_next().await? {
        to.tell("endorsements-given", &row).await?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Viewed {
    day: NaiveDate,
    viewers: i64,
}

/// How many looked on which day. Who did is their own affair.
async fn views(conn: &mut PgConnection, id: Uuid, to: &Reader) -> Result<(), Error> {
    let mut rows = sqlx::query_as!(
        Viewed,
        r#"select day, count(*) as "viewers!"
        from profile.views
        where member_id = $1
        group by day
        order by day"#,
        id,
    )
    .fetch(conn);
    while let Some(row) = rows.try_next().await? {
        to.tell("views", &row).await?;
    }
    Ok(())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Picture {
    file: String,
    in_use: bool,
}

async fn pictures(conn: &mut PgConnection, id: Uuid, to: &Reader) -> Result<(), Error> {
    let mut rows = sqlx::query_as!(
        Picture,
        r#"select hash || '.jpg' as "file!", uses > 0 as "in_use!"
        from profile.pictures
        where member_id = $1
        order by hash"#,
        id,
    )
    .fetch(conn);
    while let Some(row) = rows.try_next().await? {
        to.tell("pictures", &row).await?;
    }
    Ok(())
}
