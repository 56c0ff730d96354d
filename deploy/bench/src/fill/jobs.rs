//! jobs: boards that are not crawled, their postings, the number of open ones, and applications.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Progress, drop_word_indexes, recreate_indexes};
use crate::{
    copy::copy,
    world::{
        Stamps, World,
        rng::Rng,
        words::{self, FIELDS},
    },
};

const BOARDS: u64 = 41;
const POSTINGS: u64 = 42;
const APPLIED: u64 = 43;

/// Sentences of a description.
const SENTENCES: u32 = 24;
/// The number of newest postings that receive applications.
const NEWEST: u32 = 2_000;

const EMPLOYERS: [&str; 20] = [
    "Salazar and Partners",
    "Whitlock LLP",
    "Lim, Ong and Cruz",
    "Harbor Legal",
    "City Legal Aid",
    "Okafor Mensah",
    "Union of Tenants",
    "Northside Defenders",
    "Patel Immigration",
    "Clearwater Energy",
    "Larsen Shipping",
    "Docket Software",
    "Brief Machines",
    "Civic Trust",
    "Museum of Design",
    "Rossi Foods",
    "Silva Bank",
    "Ridge Insurance",
    "Open Records Project",
    "Chen Robotics",
];
const ROLES: [&str; 8] = [
    "Associate Attorney",
    "Staff Attorney",
    "Assistant General Counsel",
    "Summer Associate",
    "Paralegal",
    "Law Clerk",
    "Compliance Analyst",
    "Legal Fellow",
];
/// One in sixteen postings is in each, except for the large places.
const PLACES: [&str; 16] = [
    "New York, NY",
    "New York, NY",
    "New York, NY",
    "Washington, DC",
    "Washington, DC",
    "San Francisco, CA",
    "Los Angeles, CA",
    "Remote",
    "Remote - United States",
    "Chicago, IL",
    "Boston, MA",
    "Austin, TX",
    "Denver, CO",
    "Atlanta, GA",
    "Seattle, WA",
    "Miami, FL",
];
const TYPES: [Option<&str>; 6] =
    [Some("full-time"), Some("full-time"), Some("full-time"), Some("internship"), Some("contract"), None];
const LEVELS: [Option<&str>; 5] = [Some("entry-level"), Some("mid-level"), Some("mid-level"), Some("senior"), None];
const AREAS: [Option<&str>; 8] = [
    Some("corporate"),
    Some("corporate"),
    Some("litigation"),
    Some("public-interest"),
    Some("government"),
    Some("immigration"),
    Some("intellectual-property"),
    None,
];

pub(super) async fn fill(db: &mut PgConnection, world: &World, progress: Progress<'_>) -> anyhow::Result<()> {
    progress(&format!("Writing {} jobs ...", world.size.postings()));
    // Removes the demo postings of the first crawl, as a crawl of real postings would.
    sqlx::raw_sql(
        "truncate jobs.sources, jobs.stats, jobs.crawls, jobs.postings, jobs.listings, jobs.applications cascade",
    )
    .execute(&mut *db)
    .await?;
    let boards = boards(db, world).await?;
    let indexes = drop_word_indexes(db, "jobs", "postings").await?;
    let postings = postings(db, world, &boards).await?;
    recreate_indexes(db, &indexes).await?;
    sqlx::raw_sql(
        "insert into jobs.stats (source_id, total, internships, entry_level, full_time)
        select source_id,
            count(*),
            count(*) filter (where employment_type = 'internship'),
            count(*) filter (where experience_level = 'entry-level'),
            count(*) filter (where employment_type = 'full-time')
        from jobs.postings
        group by source_id
        order by source_id;
        insert into jobs.listings (filters, posted_at, posting_id)
        select f.filters, p.posted_at, p.id
        from jobs.postings p
        cross join lateral jobs.filter_sets(p.facets) as f (filters)
        order by f.filters, p.posted_at, p.id",
    )
    .execute(&mut *db)
    .await?;
    applications(db, world, &postings).await
}

/// Sources that are not configured: no crawl fetches them, and their postings stay until they expire.
async fn boards(db: &mut PgConnection, world: &World) -> anyhow::Result<Vec<Uuid>> {
    let mut stamps = Stamps::of(BOARDS);
    let boards: Vec<Uuid> = EMPLOYERS.iter().map(|_| stamps.new_owner(world.now - TimeDelta::days(400))).collect();
    let columns = "jobs.sources (id, connector, name, address, is_on, due_at)";
    let rows = boards.iter().zip(EMPLOYERS).enumerate();
    copy(db, columns, rows, |row, (number, (id, name))| {
        row.put(*id).put("greenhouse").put(name).put(&*format!("bench-{number}")).put(false).put(world.now);
    })
    .await?;
    Ok(boards)
}

/// A posting that can have applications.
type Posting = (Uuid, DateTime<Utc>);

/// All of them are open; the returned ones are the newest.
async fn postings(db: &mut PgConnection, world: &World, boards: &[Uuid]) -> anyhow::Result<Vec<Posting>> {
    let (mut rng, mut stamps) = (Rng::of(POSTINGS), Stamps::of(POSTINGS));
    let mut newest = Vec::new();
    let count = world.size.postings();
    let columns = "jobs.postings (id, source_id, url, title, company, location, remote, description, employment_type, \
        experience_level, practice_area, salary, application_deadline, external_url, posted_at, fingerprint)";
    copy(db, columns, 0..count, |row, number| {
        let at = rng.between(world.now - TimeDelta::days(180), world.now);
        let id = stamps.new_owner(at);
        let board = rng.below(u32::try_from(boards.len()).unwrap_or_default());
        let (source, company) = (boards.get(board as usize), EMPLOYERS.get(board as usize));
        let (place, area) = (*rng.choose(&PLACES), *rng.choose(&AREAS));
        let url = format!("https://bench.example/jobs/{number}");
        row.put(id).put(source.copied()).put(&*url);
        row.put(&*format!("{}, {} No. {number}", rng.choose(&ROLES), rng.choose(&FIELDS))).put(company.copied());
        row.put(place).put(place.contains("Remote")).put(&*words::prose(&mut rng, SENTENCES, number));
        row.put(*rng.choose(&TYPES)).put(*rng.choose(&LEVELS)).put(area);
        row.put(rng.chance(0.3).then_some("$90,000 to $120,000 a year"));
        row.put(rng.chance(0.2).then(|| world.now + TimeDelta::days(90 + i64::from(rng.below(90)))));
        row.put(&*url).put(at).put(u128::from(number).to_be_bytes().as_slice());
        if number + NEWEST >= count {
            newest.push((id, at));
        }
    })
    .await?;
    Ok(newest)
}

/// One member in twenty applies for jobs, and so do the members of the measurements.
async fn applications(db: &mut PgConnection, world: &World, postings: &[Posting]) -> anyhow::Result<()> {
    let (mut rng, mut stamps) = (Rng::of(APPLIED), Stamps::of(APPLIED));
    let end = u32::try_from(postings.len()).unwrap_or_default();
    let measured = world.with_degree(50, 4);
    let mut made = Vec::new();
    for (number, member) in world.members.numbered() {
        let count = if rng.chance(0.05) || measured.contains(&number) { 1 + rng.below(30) } else { 0 };
        for index in rng.distinct(count, end) {
            let Some((posting, posted_at)) = postings.get(index as usize) else { continue };
            let since = (*posted_at).max(member.joined_at);
            let at = rng.between(since, world.now.max(since + TimeDelta::seconds(1)));
            made.push((stamps.owned_by(member.id, at), *posting, member.id, at));
        }
    }
    sqlx::raw_sql("create temporary table made (id uuid, posting_id uuid, member_id uuid, applied_at timestamptz)")
        .execute(&mut *db)
        .await?;
    copy(db, "made (id, posting_id, member_id, applied_at)", made, |row, (id, posting, member, at)| {
        row.put(id).put(posting).put(member).put(at);
    })
    .await?;
    sqlx::raw_sql(SNAPSHOTS).execute(&mut *db).await?;
    sqlx::raw_sql(
        "insert into jobs.application_history (id, application_id, status, at)
        select id, id, status, applied_at
        from jobs.applications
        order by id;
        drop table made",
    )
    .execute(&mut *db)
    .await?;
    Ok(())
}

/// The snapshot of a posting that jobs stores with an application: `applications::Snapshot` there.
const SNAPSHOTS: &str = "
    insert into jobs.applications (id, posting_id, member_id, status, notes, applied_at, job, job_description)
    select
        m.id, m.posting_id, m.member_id, 'applied', null, m.applied_at,
        jsonb_build_object(
            'title', p.title,
            'company', p.company,
            'location', p.location,
            'summary', p.summary,
            'employment_type', p.employment_type,
            'experience_level', p.experience_level,
            'practice_area', p.practice_area,
            'salary', p.salary,
            'source', s.name,
            'application_deadline', p.application_deadline,
            'external_url', p.external_url,
            'posted_at', p.posted_at,
            'is_demo', false
        ),
        p.description
    from made m
    join jobs.postings p on p.id = m.posting_id
    join jobs.sources s on s.id = p.source_id
    order by m.id";
