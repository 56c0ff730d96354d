//! What a search among a hundred thousand communities costs, whole, in buffers: the same for a word that all have and for
//! one that three have.

use ::search::Asked;
use testkit::{Harness, member};

use super::{COMMUNITIES, communities};
use crate::MIGRATOR;

/// A hundred thousand communities. All are of lawyers and students, every 40th moots and every 41st clerks, three know
/// admiralty. One member belongs to a thousand of them.
const MANY: &str = "
    insert into social_graph.communities (id, name, name_key, description, member_count, created_at)
    select ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Community ' || n, 'community ' || n,
        'Lawyers and students.', 1, to_timestamp(946684800 + n)
    from generate_series(1, 100000) n;
    insert into social_graph.memberships (community_id, member_id, role, joined_at)
    select ('01930000-0000-7000-8000-' || lpad(to_hex(n * 100), 12, '0'))::uuid, '01930000-0000-7000-8000-000000000401',
        'owner', to_timestamp(946684800)
    from generate_series(1, 1000) n;
    insert into social_graph.search_documents (id, shelf, at, title, body, state)
    select id, 0, n, array['community'], '{lawyer,student,the,at}'::text[]
            || case when n % 40 = 1 then '{moot}'::text[] else '{}' end
            || case when n % 41 = 1 then '{clerk}'::text[] else '{}' end
            || case when n % 33336 = 5 then '{admiralty}'::text[] else '{}' end
            || array['topic' || translate((n % 300)::text, '0123456789', 'bcdfghjklm'), 'number' || n], 2
    from (select id, extract(epoch from created_at)::integer - 946684800 as n from social_graph.communities) c";

/// Pages by which an index that is built in one go differs from run to run.
const SPREAD: i64 = 20;

#[tokio::test]
async fn a_word_of_all_costs_what_a_word_of_three_does() {
    let harness = Harness::of("social-graph").database(&MIGRATOR).await.frame();
    let database = harness.database();
    database.run(MANY).await;
    let mut conn = database.pool().acquire().await.unwrap();
    COMMUNITIES.index_all(&mut conn).await.unwrap();
    for table in ["communities", "memberships", "search_documents", "search_entries", "search_words"] {
        database.run(format!("vacuum analyze social_graph.{table}")).await;
    }
    let mut told = Vec::new();
    for mode in ["force_custom_plan", "force_generic_plan"] {
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("set plan_cache_mode = {mode}"))).execute(&mut *conn).await.unwrap();
        for (query, pages, found, ceiling) in [
            ("lawyer", 1, 20, 240),
            ("lawyer", 20, 20, 225),
            ("admiralty", 1, 3, 85),
            ("nowhere", 1, 0, 60),
            ("admirality", 1, 3, 115),
            ("topi", 1, 20, 280),
            ("lawyer student", 1, 20, 340),
            ("lawyer admiralty", 1, 3, 105),
            ("moot clerk", 1, 20, 480),
            ("moot clerk admiralty", 1, 0, 170),
        ] {
            let mut token = String::new();
            for page in 1..=pages {
                let asked = Asked::parse(query, 20, &token).unwrap();
                let before = database.touched(&mut conn).await;
                let answer = communities(&mut conn, asked, Some(member(1))).await.unwrap();
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
