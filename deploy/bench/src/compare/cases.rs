//! The rows of the table: the requests to Portia and to the bare server, and the goal.

use anyhow::Context as _;
use reqwest::Method;
use sqlx::PgConnection;
use uuid::Uuid;

use super::lines::{Goal, Unit};
use crate::{
    client::{Member, Request},
    data_folder::Note,
    plan::{self, Actors},
    turn::{Pages, Script, Worker},
    world::words::{COMMON, RARE},
};

/// Connections of each of the members with about fifty connections.
const CONNECTIONS: usize = 2;
/// Connections of each of them when the rate is measured.
const PEAK_CONNECTIONS: usize = 8;
/// Words that occur in names.
const NAMES: [&str; 4] = ["maria", "santos", "garcia", "angela+s"];

/// A row: the same operation on both servers.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) unit: Unit,
    pub(super) goal: Goal,
    pub(super) portia: Vec<Worker>,
    /// The workers of the bare server; empty where the goal is not a ratio.
    pub(super) bare: Vec<Worker>,
    /// The workers of `portia` at the eight processes, if these are measured.
    pub(super) processes: Vec<Worker>,
    /// The requests that Portia's client sends where the bare server answers one.
    pub(super) requests: usize,
}

/// The members that send the requests, and the two servers.
struct Senders<'a> {
    actors: &'a Actors,
    bare: &'a str,
}

impl Senders<'_> {
    /// Repeats the requests of each member, each connection at another position of the list; `group` belong together.
    fn portia(
        &self,
        connections: usize,
        group: usize,
        of: impl Fn(&Member) -> Vec<Request>,
    ) -> anyhow::Result<Vec<Worker>> {
        self.workers(connections, group, of, Member::with_new_connection)
    }

    /// Returns workers of the bare server, which knows no sessions.
    fn bare(
        &self,
        connections: usize,
        group: usize,
        of: impl Fn(&Member) -> Vec<Request>,
    ) -> anyhow::Result<Vec<Worker>> {
        self.workers(connections, group, of, |member| Member::without_session(self.bare, &member.id))
    }

    fn workers(
        &self,
        connections: usize,
        group: usize,
        of: impl Fn(&Member) -> Vec<Request>,
        connect: impl Fn(&Member) -> anyhow::Result<Member>,
    ) -> anyhow::Result<Vec<Worker>> {
        let members = self.actors.typical.iter().flat_map(|member| std::iter::repeat_n(member, connections));
        let members: Vec<&Member> = members.collect();
        let mut workers = Vec::new();
        for (place, member) in members.iter().enumerate() {
            let mut requests = of(member);
            anyhow::ensure!(!requests.is_empty(), "There is nothing to request: this Portia is too small.");
            let by = requests.len() * place / members.len();
            requests.rotate_left(by - by % group);
            workers.push(Worker { member: connect(member)?, script: Script::Repeat { requests, group } });
        }
        Ok(workers)
    }

    /// One worker that follows the pages of a list.
    fn follow(&self, base: Option<&str>, first: impl Fn(&Member) -> String) -> anyhow::Result<Vec<Worker>> {
        let member = self.actors.typical.first().context("seed.json names no member")?;
        let script = Script::Follow(Pages::from(&first(member)));
        let member = match base {
            Some(base) => Member::without_session(base, &member.id)?,
            None => member.with_new_connection()?,
        };
        Ok(vec![Worker { member, script }])
    }
}

/// Every row, in the order of the table.
///
/// # Errors
/// When a page cannot be read, or is empty.
pub(super) async fn all(actors: &Actors, note: &Note, bare: &str, db: &mut PgConnection) -> anyhow::Result<Vec<Case>> {
    let senders = Senders { actors, bare };
    let (posts, authors) = targets(actors, note, db).await?;
    let mut cases = feeds(&senders)?;
    let paths = |ids: &[String], path: &dyn Fn(&str) -> String| -> Vec<Request> {
        ids.iter().map(|id| Request::get(path(id))).collect()
    };
    let mut row = |name: &str, goal, requests, portia, bare| {
        cases.push(Case {
            name: name.to_owned(),
            unit: Unit::CpuMs,
            goal,
            portia,
            bare,
            processes: Vec::new(),
            requests,
        });
    };
    row(
        "post with comments",
        Goal::RatioAtMost(2.0),
        2,
        senders.portia(CONNECTIONS, 2, |_| {
            let of = |id: &String| [format!("/api/posts/{id}"), format!("/api/posts/{id}/comments")].map(Request::get);
            posts.iter().flat_map(of).collect()
        })?,
        senders.bare(CONNECTIONS, 1, |me| paths(&posts, &|id| format!("/posts/{id}?me={}", me.id)))?,
    );
    row(
        "profile",
        Goal::RatioAtMost(2.0),
        1,
        senders.portia(CONNECTIONS, 1, |_| paths(&authors, &|id| format!("/api/users/{id}/profile")))?,
        senders.bare(CONNECTIONS, 1, |_| paths(&authors, &|id| format!("/members/{id}")))?,
    );
    row(
        "like, unlike",
        Goal::RatioAtMost(1.5),
        1,
        senders.portia(CONNECTIONS, 2, |me| posts.iter().flat_map(|post| plan::like(me, post)).collect())?,
        senders.bare(CONNECTIONS, 2, |me| posts.iter().flat_map(|post| bare_like(me, post)).collect())?,
    );
    row(
        "unread",
        Goal::RatioAtMost(1.5),
        1,
        senders.portia(CONNECTIONS, 1, |_| vec![Request::get("/api/unread")])?,
        senders.bare(CONNECTIONS, 1, |me| vec![Request::get(format!("/unread?me={}", me.id))])?,
    );
    row(
        "relevant feed, of bare's fan-in",
        Goal::RatioAtMost(0.3),
        1,
        senders.portia(CONNECTIONS, 1, |_| vec![plan::feed("relevant")])?,
        senders.bare(CONNECTIONS, 1, |me| vec![Request::get(format!("/home?me={}", me.id))])?,
    );
    row(
        "search of people",
        Goal::RatioAtMost(2.0),
        1,
        senders
            .portia(CONNECTIONS, 1, |_| NAMES.map(|q| Request::get(format!("/api/search?type=people&q={q}"))).into())?,
        senders.bare(CONNECTIONS, 1, |_| NAMES.map(|q| Request::get(format!("/people?q={q}"))).into())?,
    );
    let words = [COMMON, "hearsay", "dissent", RARE];
    row(
        "search of all kinds",
        Goal::OfPeopleAtMost(6.0),
        1,
        senders.portia(CONNECTIONS, 1, |_| words.map(|q| Request::get(format!("/api/search?q={q}"))).into())?,
        vec![],
    );
    for (member, degree, most) in suggested(actors, note)? {
        let requests = vec![plan::suggestions(member)];
        let one = || {
            Ok(Worker {
                member: member.with_new_connection()?,
                script: Script::Repeat { requests: requests.clone(), group: 1 },
            })
        };
        let workers: anyhow::Result<Vec<Worker>> = (0..4).map(|_| one()).collect();
        row(&format!("suggestions, {degree} connections"), Goal::CpuAtMost(most), 1, workers?, vec![]);
    }
    cases.extend(peaks(&senders, &posts)?);
    Ok(cases)
}

/// A page whose posts were not read before, and the first page.
fn feeds(senders: &Senders<'_>) -> anyhow::Result<Vec<Case>> {
    let (name, unit, requests) = ("feed, other pages each time".to_owned(), Unit::CpuMs, 1);
    let portia = senders.follow(None, |_| plan::feed("recent").path)?;
    let bare = senders.follow(Some(senders.bare), |me| format!("/posts?me={}", me.id))?;
    let processes = Vec::new();
    let cold = Case { name, unit, goal: Goal::RatioAtMost(2.0), portia, bare, processes, requests };
    let portia = senders.portia(CONNECTIONS, 1, |_| vec![plan::feed("recent")])?;
    let bare = senders.bare(CONNECTIONS, 1, |me| vec![Request::get(format!("/posts?me={}", me.id))])?;
    let (name, goal, processes) = ("feed, first page".to_owned(), Goal::RatioAtMost(1.5), Vec::new());
    let warm = Case { name, unit, goal, portia, bare, processes, requests };
    Ok(vec![cold, warm])
}

/// The highest rates.
fn peaks(senders: &Senders<'_>, posts: &[String]) -> anyhow::Result<Vec<Case>> {
    let unit = Unit::PerSecond;
    let feed = Case {
        name: "peak of the feed".to_owned(),
        unit,
        goal: Goal::RateAtLeast(3_000.0),
        portia: senders.portia(PEAK_CONNECTIONS, 1, |_| vec![plan::feed("recent")])?,
        bare: senders.bare(PEAK_CONNECTIONS, 1, |me| vec![Request::get(format!("/posts?me={}", me.id))])?,
        processes: Vec::new(),
        requests: 1,
    };
    let like = Case {
        name: "peak of likes".to_owned(),
        unit,
        goal: Goal::RateAtLeast(1_500.0),
        portia: senders
            .portia(PEAK_CONNECTIONS, 2, |me| posts.iter().flat_map(|post| plan::like(me, post)).collect())?,
        bare: senders.bare(PEAK_CONNECTIONS, 2, |me| posts.iter().flat_map(|post| bare_like(me, post)).collect())?,
        processes: Vec::new(),
        requests: 1,
    };
    Ok(vec![feed, like])
}

/// Members with about 50, 500 and the most connections, and the goal for each in milliseconds.
fn suggested<'a>(actors: &'a Actors, note: &Note) -> anyhow::Result<[(&'a Member, u32, f64); 3]> {
    let [typical, known, hub] = note.degrees;
    let first = actors.typical.first().context("seed.json names no member")?;
    Ok([(first, typical, 0.2), (&actors.known, known, 0.4), (&actors.hub, hub, 2.0)])
}

fn bare_like(me: &Member, post: &str) -> [Request; 2] {
    let path = format!("/posts/{post}/likes?me={}", me.id);
    let request = |method| Request { method, path: path.clone(), body: None };
    [request(Method::POST), request(Method::DELETE)]
}

/// Posts and authors that each of the members sees, and the bare server has: it knows no blocks, and public posts only.
async fn targets(actors: &Actors, note: &Note, db: &mut PgConnection) -> anyhow::Result<(Vec<String>, Vec<String>)> {
    let first = actors.typical.first().context("seed.json names no member")?;
    let (posts, authors) = plan::seen(first, note).await?;
    let ids = |ids: &[String]| -> Vec<Uuid> { ids.iter().filter_map(|id| id.parse().ok()).collect() };
    let members: Vec<Uuid> = actors.typical.iter().filter_map(|member| member.id.parse().ok()).collect();
    let posts: Vec<String> = sqlx::query_scalar(
        "select id::text
        from bare.posts
        where id = any($1)
            and not exists (
                select
                from feed.blocks b
                where (b.blocker_id = author_id and b.blocked_id = any($2))
                    or (b.blocked_id = author_id and b.blocker_id = any($2))
            )
        order by id",
    )
    .bind(ids(&posts))
    .bind(&members)
    .fetch_all(&mut *db)
    .await?;
    let authors: Vec<String> = sqlx::query_scalar(
        "select id::text
        from bare.members
        where id = any($1)
            and id <> all($2)
            and not exists (
                select
                from feed.blocks b
                where (b.blocker_id = id and b.blocked_id = any($2))
                    or (b.blocked_id = id and b.blocker_id = any($2))
            )
        order by id",
    )
    .bind(ids(&authors))
    .bind(&members)
    .fetch_all(&mut *db)
    .await?;
    anyhow::ensure!(posts.len() > 3 && !authors.is_empty(), "There are too few posts: this Portia is too small.");
    Ok((posts, authors))
}
