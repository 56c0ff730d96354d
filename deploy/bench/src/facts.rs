//! The rate of facts: a backlog is published in one transaction, and the consumers are awaited.

use std::{
    collections::BTreeMap,
    fmt,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use outbox::Outbox;
use portia_proto::{
    feed::{PostCommented, PostReacted, ReactionKind},
    social_graph::{ConnectionAccepted, ConnectionRequested},
};
use primitives::{clock::Clock, ids::Ids};
use prost::Name;
use serde::Serialize;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection};
use uuid::Uuid;

use crate::{cpu, data_folder::DataFolder, fill::Progress, portia::Portia};

/// The interval of looking at the cursors.
const POLL: Duration = Duration::from_millis(20);
/// The maximum time of one backlog.
const TIMEOUT: Duration = Duration::from_secs(600);

/// The result of the measurement.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The size of the data.
    pub size: String,
    /// The backlogs, in the order in which they were consumed.
    pub backlogs: Vec<Backlog>,
}

/// One backlog of facts of one kind.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Backlog {
    /// The kind.
    pub kind: String,
    /// The number of facts.
    pub facts: u32,
    /// The number of notifications that they caused.
    pub notifications: i64,
    /// Seconds after the commit at which each consumer had consumed all facts, by schema.
    pub consumers: BTreeMap<String, f64>,
    /// Processor time of Portia and Postgres from the commit until the last consumer was done.
    pub cpu_ms: u64,
}

impl Backlog {
    /// The time of the slowest consumer.
    fn seconds(&self) -> f64 {
        self.consumers.values().copied().fold(0.0, f64::max)
    }
}

/// Starts `program` on a filled folder, and publishes backlogs of at most `facts` facts in it. They stay there, with their
/// notifications: no other measurement should use the folder afterwards.
///
/// # Errors
/// When the machine is not Linux, the folder is not filled, or a backlog is not consumed within ten minutes.
pub async fn measure(
    program: &Path,
    folder: &DataFolder,
    facts: u32,
    progress: Progress<'_>,
) -> anyhow::Result<Report> {
    cpu::available()?;
    let note = folder.note()?.with_context(|| format!("{} is not filled", folder.path().display()))?;
    let portia = Portia::start(program, folder)?;
    let (_, options) = folder.server()?;
    let db = options.connect().await?;
    let clock = Clock::system();
    let mut run = Run {
        portia,
        db,
        feed: Outbox::new("feed"),
        social_graph: Outbox::new("social_graph"),
        facts,
        ids: Ids::random(clock.clone()),
        clock,
    };
    let backlogs = run.measure(progress).await?;
    run.db.close().await?;
    run.portia.stop()?;
    Ok(Report { size: note.size, backlogs })
}

struct Run {
    portia: Portia,
    db: PgConnection,
    feed: Outbox,
    social_graph: Outbox,
    facts: u32,
    clock: Clock,
    ids: Ids,
}

/// A pair of members, and a post of the second one.
type Trio = (Uuid, Uuid, Uuid);

impl Run {
    async fn measure(&mut self, progress: Progress<'_>) -> anyhow::Result<Vec<Backlog>> {
        let feed = self.feed.clone();
        let graph = self.social_graph.clone();
        let ids = self.ids.clone();
        let mut backlogs = Vec::new();

        // One reaction and one comment for each post: nothing is merged into one notification.
        let posts = self.posts().await?;
        let reacted = posts.iter().map(|(member, author, post)| {
            let fact = PostReacted {
                post_id: post.to_string(),
                author_id: author.to_string(),
                member_id: member.to_string(),
                kind: ReactionKind::Like.into(),
                community_id: None,
            };
            (*post, fact)
        });
        progress("Reactions ...");
        backlogs.push(self.consume(&feed, "feed", reacted.collect()).await?);
        let commented = posts.iter().map(|(member, author, post)| {
            let fact = PostCommented {
                post_id: post.to_string(),
                author_id: author.to_string(),
                comment_id: ids.new_owner().to_string(),
                member_id: member.to_string(),
                ..PostCommented::default()
            };
            (*post, fact)
        });
        progress("Comments ...");
        backlogs.push(self.consume(&feed, "feed", commented.collect()).await?);

        let connections = self.strangers().await?;
        let requested = connections.iter().map(|(requester, recipient, connection)| {
            let fact = ConnectionRequested {
                connection_id: connection.to_string(),
                requester_id: requester.to_string(),
                recipient_id: recipient.to_string(),
            };
            (*connection, fact)
        });
        progress("Connection requests ...");
        backlogs.push(self.consume(&graph, "social-graph", requested.collect()).await?);
        let accepted = connections.iter().map(|(requester, recipient, connection)| {
            let fact = ConnectionAccepted {
                connection_id: connection.to_string(),
                requester_id: requester.to_string(),
                recipient_id: recipient.to_string(),
            };
            (*connection, fact)
        });
        progress("Connections ...");
        backlogs.push(self.consume(&graph, "social-graph", accepted.collect()).await?);
        Ok(backlogs)
    }

    /// Posts, each with another member.
    async fn posts(&mut self) -> anyhow::Result<Vec<Trio>> {
        self.list(
            "select m.id, p.author_id, p.id
            from (
                select id, author_id, row_number() over (order by id) as n
                from feed.posts
                where community_id is null
                limit $1
            ) as p
            join (select id, row_number() over (order by id desc) as n, count(*) over () as total from profile.members) as m
                on m.n = p.n % m.total + 1
            where m.id <> p.author_id",
        )
        .await
    }

    /// Pairs of members who are not connected, and the id of a connection.
    async fn strangers(&mut self) -> anyhow::Result<Vec<Trio>> {
        let ids = self.ids.clone();
        let pairs = self.list(
            "select a.id, b.id, a.id
            from (select id from profile.members order by id limit 200) as a
            cross join (select id from profile.members order by id desc limit 200) as b
            where a.id < b.id
                and not exists (
                    select from social_graph.connections as c where c.requester_id = a.id and c.recipient_id = b.id
                )
                and not exists (
                    select from social_graph.connections as c where c.requester_id = b.id and c.recipient_id = a.id
                )
            order by md5(a.id::text || b.id::text)
            limit $1",
        );
        Ok(pairs.await?.into_iter().map(|(requester, recipient, _)| (requester, recipient, ids.new_owner())).collect())
    }

    #[expect(clippy::disallowed_methods, reason = "the macros know one service's tables each")]
    async fn list(&mut self, statement: &'static str) -> anyhow::Result<Vec<Trio>> {
        let rows: Vec<Trio> = sqlx::query_as(statement).bind(i64::from(self.facts)).fetch_all(&mut self.db).await?;
        anyhow::ensure!(!rows.is_empty(), "the data is too small");
        Ok(rows)
    }

    /// Publishes facts in one transaction of `source`, and waits for its consumers.
    async fn consume<M>(&mut self, outbox: &Outbox, source: &str, facts: Vec<(Uuid, M)>) -> anyhow::Result<Backlog>
    where
        M: prost::Message + Name,
    {
        let schema = source.replace('-', "_");
        let before = self.notifications().await?;
        let mut tx = self.db.begin().await?;
        outbox.publish_all(&mut tx, &facts, self.clock.now()).await?;
        let cpu = cpu::millis([self.portia.process()], self.portia.postgres)?;
        let began = Instant::now();
        tx.commit().await?;

        let mut consumers = BTreeMap::new();
        let end = self.end(&schema, began).await?;
        let consuming = self.consumers(source).await?;
        while consumers.len() < consuming.len() {
            anyhow::ensure!(began.elapsed() < TIMEOUT, "the facts of {source} are not consumed");
            tokio::time::sleep(POLL).await;
            for schema in &consuming {
                anyhow::ensure!(!self.has_dead_facts(schema).await?, "{schema} cannot apply facts of {source}");
                if !consumers.contains_key(schema) && self.cursor(schema, source).await? >= end {
                    consumers.insert(schema.clone(), began.elapsed().as_secs_f64());
                }
            }
        }
        Ok(Backlog {
            kind: M::full_name(),
            facts: u32::try_from(facts.len())?,
            notifications: self.notifications().await? - before,
            consumers,
            cpu_ms: cpu::millis([self.portia.process()], self.portia.postgres)?.saturating_sub(cpu),
        })
    }

    /// The number of the last fact, once all have one.
    async fn end(&mut self, schema: &str, began: Instant) -> anyhow::Result<i64> {
        loop {
            let statement = format!(
                "select n from {schema}.outbox_sequence
                where not exists (select from {schema}.outbox where seq is null)"
            );
            let end = sqlx::query_scalar(AssertSqlSafe(statement)).fetch_optional(&mut self.db).await?;
            if let Some(end) = end {
                return Ok(end);
            }
            anyhow::ensure!(began.elapsed() < TIMEOUT, "the facts of {schema} get no numbers");
            tokio::time::sleep(POLL).await;
        }
    }

    /// The schemas that consume the facts of `source`.
    async fn consumers(&mut self, source: &str) -> anyhow::Result<Vec<String>> {
        let tables: Vec<String> =
            sqlx::query_scalar("select schemaname::text from pg_catalog.pg_tables where tablename = 'cursors'")
                .fetch_all(&mut self.db)
                .await?;
        let mut consumers = Vec::new();
        for schema in tables {
            let statement = format!("select exists (select from {schema}.cursors where source = $1)");
            if sqlx::query_scalar(AssertSqlSafe(statement)).bind(source).fetch_one(&mut self.db).await? {
                consumers.push(schema);
            }
        }
        Ok(consumers)
    }

    async fn cursor(&mut self, schema: &str, source: &str) -> anyhow::Result<i64> {
        let statement = format!("select seq from {schema}.cursors where source = $1");
        Ok(sqlx::query_scalar(AssertSqlSafe(statement)).bind(source).fetch_one(&mut self.db).await?)
    }

    async fn has_dead_facts(&mut self, schema: &str) -> anyhow::Result<bool> {
        let statement = format!("select exists (select from {schema}.dead_facts)");
        Ok(sqlx::query_scalar(AssertSqlSafe(statement)).fetch_one(&mut self.db).await?)
    }

    async fn notifications(&mut self) -> anyhow::Result<i64> {
        let statement = "select count(*) from messaging.notifications";
        Ok(sqlx::query_scalar(statement).fetch_one(&mut self.db).await?)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "All of Portia in one process, size {}; each backlog is published in one transaction.\n",
            self.size
        )?;
        writeln!(
            f,
            "  {:<42} {:>7} {:>13} {:>8} {:>8} {:>11}  consumers, seconds",
            "facts", "number", "notifications", "seconds", "facts/s", "CPU-ms/fact"
        )?;
        for backlog in &self.backlogs {
            let facts = f64::from(backlog.facts);
            let seconds = backlog.seconds();
            write!(
                f,
                "  {:<42} {:>7} {:>13} {:>8.2} {:>8.0} {:>11.2} ",
                backlog.kind,
                backlog.facts,
                backlog.notifications,
                seconds,
                facts / seconds.max(0.001),
                backlog.cpu_ms as f64 / facts
            )?;
            for (consumer, seconds) in &backlog.consumers {
                write!(f, " {consumer} {seconds:.2}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
