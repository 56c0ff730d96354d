//! Rows of a batch as the columns that one statement takes.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::Found;

/// Postings, column by column.
#[derive(Default)]
pub struct Columns {
    ids: Vec<Uuid>,
    urls: Vec<String>,
    fingerprints: Vec<Vec<u8>>,
    titles: Vec<String>,
    companies: Vec<String>,
    locations: Vec<Option<String>>,
    remote: Vec<bool>,
    descriptions: Vec<String>,
    employment_types: Vec<Option<String>>,
    experience_levels: Vec<Option<String>>,
    practice_areas: Vec<Option<String>>,
    salaries: Vec<Option<String>>,
    deadlines: Vec<Option<DateTime<Utc>>>,
    external_urls: Vec<Option<String>>,
    posted: Vec<Option<DateTime<Utc>>>,
}

impl Columns {
    /// The columns of these rows.
    pub fn of(rows: Vec<(Uuid, Found)>) -> Self {
        let mut columns = Self::default();
        for (id, found) in rows {
            columns.ids.push(id);
            columns.urls.push(found.url);
            columns.fingerprints.push(found.fingerprint.to_vec());
            columns.titles.push(found.title);
            columns.companies.push(found.company);
            columns.locations.push(found.location);
            columns.remote.push(found.remote);
            columns.descriptions.push(found.description);
            columns.employment_types.push(found.employment_type.map(str::to_owned));
            columns.experience_levels.push(found.experience_level.map(str::to_owned));
            columns.practice_areas.push(found.practice_area.map(str::to_owned));
            columns.salaries.push(found.salary);
            columns.deadlines.push(found.application_deadline);
            columns.external_urls.push(found.external_url);
            columns.posted.push(found.posted_at);
        }
        columns
    }

    /// Puts new postings.
    pub async fn insert(self, db: &mut PgConnection, source: Uuid, now: DateTime<Utc>) -> Result<(), sqlx::Error> {
        sqlx::query!(
            "insert into jobs.postings (
                id, source_id, url, fingerprint, title, company, location, remote, description, employment_type,
                experience_level, practice_area, salary, application_deadline, external_url, posted_at
            )
            select
                id, $16, url, fingerprint, title, company, location, remote, description, employment_type,
                experience_level, practice_area, salary, application_deadline, external_url, coalesce(posted_at, $17)
            from unnest(
                $1::uuid[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::text[],
                $9::text[], $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::text[], $15::timestamptz[]
            ) as found (
                id, url, fingerprint, title, company, location, remote, description, employment_type,
                experience_level, practice_area, salary, application_deadline, external_url, posted_at
            )",
            &self.ids,
            &self.urls,
            &self.fingerprints,
            &self.titles,
            &self.companies,
            &self.locations as &[Option<String>],
            &self.remote,
            &self.descriptions,
            &self.employment_types as &[Option<String>],
            &self.experience_levels as &[Option<String>],
            &self.practice_areas as &[Option<String>],
            &self.salaries as &[Option<String>],
            &self.deadlines as &[Option<DateTime<Utc>>],
            &self.external_urls as &[Option<String>],
            &self.posted as &[Option<DateTime<Utc>>],
            source,
            now,
        )
        .execute(db)
        .await?;
        Ok(())
    }

    /// Brings known postings up to date, those that say something else than their rows. One that was closed is open
    /// again, since when it is told to be. The demo's days move on with the calendar; a real posting's stays where its
    /// readers saw it. Returns how many were opened.
    pub async fn update(
        self,
        db: &mut PgConnection,
        source: Uuid,
        is_demo: bool,
        now: DateTime<Utc>,
    ) -> Result<i64, sqlx::Error> {
        let opened = sqlx::query_scalar!(
            r#"with found as (
                select f.*, p.closed_at is not null as was_closed
                from unnest(
                    $1::uuid[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::text[],
                    $9::text[], $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::text[],
                    $15::timestamptz[]
                ) as f (
                    id, url, fingerprint, title, company, location, remote, description, employment_type,
                    experience_level, practice_area, salary, application_deadline, external_url, posted_at
                )
                join jobs.postings p on p.id = f.id
                where p.closed_at is not null
                    or ($17 and p.posted_at is distinct from f.posted_at)
                    or (
                        p.source_id, p.url, p.fingerprint, p.title, p.company, p.location, p.remote, p.description,
                        p.employment_type, p.experience_level, p.practice_area, p.salary, p.application_deadline,
                        p.external_url
                    ) is distinct from (
                        $16::uuid, f.url, f.fingerprint, f.title, f.company, f.location, f.remote, f.description,
                        f.employment_type, f.experience_level, f.practice_area, f.salary, f.application_deadline,
                        f.external_url
                    )
            ),
            changed as (
                update jobs.postings p
                set
                    source_id = $16,
                    url = f.url,
                    fingerprint = f.fingerprint,
                    title = f.title,
                    company = f.company,
                    location = f.location,
                    remote = f.remote,
                    description = f.description,
                    employment_type = f.employment_type,
                    experience_level = f.experience_level,
                    practice_area = f.practice_area,
                    salary = f.salary,
                    application_deadline = f.application_deadline,
                    external_url = f.external_url,
                    posted_at = case when f.was_closed or $17 then coalesce(f.posted_at, $18) else p.posted_at end,
                    closed_at = null,
                    misses = 0
                from found f
                where p.id = f.id
            )
            select count(*) filter (where was_closed) as "opened!"
            from found"#,
            &self.ids,
            &self.urls,
            &self.fingerprints,
            &self.titles,
            &self.companies,
            &self.locations as &[Option<String>],
            &self.remote,
            &self.descriptions,
            &self.employment_types as &[Option<String>],
            &self.experience_levels as &[Option<String>],
            &self.practice_areas as &[Option<String>],
            &self.salaries as &[Option<String>],
            &self.deadlines as &[Option<DateTime<Utc>>],
            &self.external_urls as &[Option<String>],
            &self.posted as &[Option<DateTime<Utc>>],
            source,
            is_demo,
            now,
        );
        opened.fetch_one(db).await
    }
}
