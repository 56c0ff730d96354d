//! The cost of a search among 100,000 postings in buffers: about the same for a word in all of them and a word in three.

use ::search::SearchQuery;
use sqlx::PgConnection;
use testkit::{
    Harness, member,
    search_cost::{SearchCase, assert_costs},
};

use super::{JOBS, search};
use crate::MIGRATOR;

/// 100,000 postings. All contain lawyer and student, every 40th moot, every 41st clerk, three admiralty. One member has
/// applied to a thousand. Every second one of the newest five hundred has expired.
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
            || array['topic' || translate((n % 300)::text, '0123456789', 'bcdfghjklm'), 'number' || n], 4
    from (select id, extract(epoch from posted_at)::integer - 946684800 as n from jobs.postings) p";

#[tokio::test]
async fn a_frequent_word_costs_about_as_much_as_a_rare_one() {
    let harness = Harness::of("jobs").database(&MIGRATOR).await.context();
    let database = harness.database();
    database.run_as_owner(MANY).await;
    let (mut conn, now) = (database.as_owner().await, harness.clock.now());
    JOBS.build_entries(&mut conn).await.unwrap();
    database
        .vacuum(&["sources", "postings", "applications", "search_documents", "search_entries", "search_words"])
        .await;
    let looked = [
        SearchCase { query: "lawyer", page: 1, found: 20, ceiling: 460 },
        SearchCase { query: "lawyer", page: 20, found: 20, ceiling: 215 },
        SearchCase { query: "admiralty", page: 1, found: 3, ceiling: 90 },
        SearchCase { query: "nowhere", page: 1, found: 0, ceiling: 80 },
        SearchCase { query: "admirality", page: 1, found: 3, ceiling: 120 },
        SearchCase { query: "topi", page: 1, found: 20, ceiling: 460 },
        SearchCase { query: "lawyer student", page: 1, found: 20, ceiling: 540 },
        SearchCase { query: "lawyer admiralty", page: 1, found: 3, ceiling: 140 },
        SearchCase { query: "moot clerk", page: 1, found: 20, ceiling: 440 },
        SearchCase { query: "moot clerk admiralty", page: 1, found: 0, ceiling: 230 },
    ];
    assert_costs(&mut conn, &looked, async |conn: &mut PgConnection, query: &str, token: &str| {
        let parsed = SearchQuery::parse(query, 20, token).unwrap();
        let answer = search(conn, Some(member(1)), parsed, now).await.unwrap();
        (answer.rows.len(), answer.next_page_token)
    })
    .await;
}
