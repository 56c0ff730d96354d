//! What a search among a hundred thousand postings costs, whole, in buffers: the same for a word that all have and for one
//! that three have.

use ::search::Asked;
use testkit::{Harness, member};

use super::{JOBS, postings};
use crate::MIGRATOR;

/// A hundred thousand postings. All are for lawyers and students, every 40th moots and every 41st clerks, three know
/// admiralty. One member has applied for a thousand. The deadlines of every second one of the newest five hundred passed.
const MANY: &str = "
    drop index jobs.postings_found_idx;
    insert into jobs.sources (id, connector, address, name)
    values ('01930000-0000-7000-8000-0000000000f1', 'rss', 'https://courts.example/feed', 'Court Jobs');
    insert into jobs.postings (id, source_id, url, title, company, location, remote, description, application_deadline, posted_at)
    select ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '01930000-0000-7000-8000-0000000000f1',
        'https://example.org/' || n, 'Associate', 'A firm', 'Boston, MA', false, repeat('A position of some length. ', 20),
        case when n > 99500 and n % 2 = 0 then '2001-01-01'::timestamptz end, to_timestamp(946684800 + n)
    from generate_series(1, 100000) n;
    insert into jobs.applications (id, posting_id, member_id, status, applied_at, job, job_description)
    select id, id, '01930000-0000-7000-8000-000000000401', 'applied', posted_at, '{}', ''
    from jobs.postings
    where extract(epoch from posted_at)::integer % 100 = 0;
    truncate jobs.search_documents;
    insert into jobs.search_documents (id, shelf, at, title, body, state)
    select id, 0, n, array['associate'], '{lawyer,student,the,at}'::text[]
            || case when n % 40 = 1 then '{moot}'::text[] else '{}' end
            || case when n % 41 = 1 then '{clerk}'::text[] else '{}' end
            || case when n % 33336 = 5 then '{admiralty}'::text[] else '{}' end
            || array['topic' || translate((n % 300)::text, '0123456789', 'bcdfghjklm'), 'number' || n], 2
    from (select id, extract(epoch from posted_at)::integer - 946684800 as n from jobs.postings) p";

/// Pages by which an index that is built in one go differs from run to run.
const SPREAD: i64 = 20;

#[tokio::test]
async fn a_word_of_all_costs_what_a_word_of_three_does() {
    let harness = Harness::of("jobs").database(&MIGRATOR).await.frame();
    let database = harness.database();
    database.run(MANY).await;
    let (mut conn, now) = (database.pool().acquire().await.unwrap(), harness.clock.now());
    JOBS.index_all(&mut conn).await.unwrap();
    for table in ["sources", "postings", "applications", "search_documents", "search_entries", "search_words"] {
        database.run(format!("vacuum analyze jobs.{table}")).await;
    }
    let mut told = Vec::new();
    for mode in ["force_custom_plan", "force_generic_plan"] {
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("set plan_cache_mode = {mode}"))).execute(&mut *conn).await.unwrap();
        for (query, pages, found, ceiling) in [
            ("lawyer", 1, 20, 460),
            ("lawyer", 20, 20, 215),
            ("admiralty", 1, 3, 90),
            ("nowhere", 1, 0, 80),
            ("admirality", 1, 3, 120),
            ("topi", 1, 20, 460),
            ("lawyer student", 1, 20, 540),
            ("lawyer admiralty", 1, 3, 140),
            ("moot clerk", 1, 20, 440),
            ("moot clerk admiralty", 1, 0, 230),
        ] {
            let mut token = String::new();
            for page in 1..=pages {
                let asked = Asked::parse(query, 20, &token).unwrap();
                let before = database.touched(&mut conn).await;
                let answer = postings(&mut conn, Some(member(1)), asked, now).await.unwrap();
                let touched = database.touched(&mut conn).await - before;
                if page == pages {
                    assert_eq!(answer.rows.len(), found, "{query}, page {page}");
                    told.push((query, page, touched, ceiling));
                    println!("{mode} {query}, page {page}: {touched}");
                }
                token = answer.next_page_token;
            }
        }
    }
    for (query, page, touched, ceiling) in told {
        assert!(touched > 0 && touched <= ceiling + SPREAD, "{query}, page {page}: {touched} is more than {ceiling}");
    }
}
