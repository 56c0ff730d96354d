//! What a search among a hundred thousand communities costs, whole, in buffers: the same for a word that all have and for
//! one that three have.

use ::search::Asked;
use sqlx::PgConnection;
use testkit::{
    Harness, member,
    search_cost::{Looked, assert_costs},
};

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

#[tokio::test]
async fn a_word_of_all_costs_what_a_word_of_three_does() {
    let harness = Harness::of("social-graph").database(&MIGRATOR).await.context();
    let database = harness.database();
    database.run(MANY).await;
    let mut conn = database.pool().acquire().await.unwrap();
    COMMUNITIES.index_all(&mut conn).await.unwrap();
    for table in ["communities", "memberships", "search_documents", "search_entries", "search_words"] {
        database.run(format!("vacuum analyze social_graph.{table}")).await;
    }
    let looked = [
        Looked { query: "lawyer", page: 1, found: 20, ceiling: 240 },
        Looked { query: "lawyer", page: 20, found: 20, ceiling: 225 },
        Looked { query: "admiralty", page: 1, found: 3, ceiling: 85 },
        Looked { query: "nowhere", page: 1, found: 0, ceiling: 60 },
        Looked { query: "admirality", page: 1, found: 3, ceiling: 115 },
        Looked { query: "topi", page: 1, found: 20, ceiling: 280 },
        Looked { query: "lawyer student", page: 1, found: 20, ceiling: 340 },
        Looked { query: "lawyer admiralty", page: 1, found: 3, ceiling: 105 },
        Looked { query: "moot clerk", page: 1, found: 20, ceiling: 480 },
        Looked { query: "moot clerk admiralty", page: 1, found: 0, ceiling: 170 },
    ];
    assert_costs(database, &mut conn, &looked, async |conn: &mut PgConnection, query: &str, token: &str| {
        let asked = Asked::parse(query, 20, token).unwrap();
        let answer = communities(conn, asked, Some(member(1))).await.unwrap();
        (answer.rows.len(), answer.next_page_token)
    })
    .await;
}
