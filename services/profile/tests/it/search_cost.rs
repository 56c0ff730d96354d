//! The cost of a search among 100,000 members in buffers, for frequent and rare words.

use profile::search::{MEMBERS, SearchCards, WINDOW, members};
use sqlx::PgConnection;
use testkit::{
    Harness, member,
    search_cost::{SearchCase, assert_costs},
};

use crate::MIGRATOR;

/// Of a member, each page reads its window of 40 results with their ties: that is half of the buffers of the first pages.
/// 100,000 members. All documents contain `lawyer` and `student`, every 40th `moot`, every 41st `clerk`, three
/// `admiralty`. 5,000 members are called `maria`, two of the oldest `maria whitlock` and `maria xiong`, all others `maria s..`; 5,000
/// others are called `peter w..`.
const MANY: &str = "
    insert into profile.members (id, username, full_name, headline, created_at)
        select ('01930000-0000-7000-8000-' || lpad(to_hex((n << 10) | (n & 1023)), 12, '0'))::uuid,
            'user' || n, 'First' || n % 2000 || ' Last' || n % 5003, 'Lawyer', to_timestamp(946684800 + n)
        from generate_series(1, 100000) n;
    insert into profile.search_documents (id, shelf, at, title, body, state)
        select id, 0, n,
            case
                when n = 777 then '{isabel,reyes,user777}'
                when n = 43 then '{maria,whitlock,user43}'
                when n = 63 then '{maria,xiong,user63}'
                when n % 20 = 3 then array['maria', translate('san' || n % 997, '0123456789', 'bcdfghjklm'), 'user' || n]
                when n % 20 = 4 then array['peter', translate('w' || n % 991, '0123456789', 'bcdfghjklm'), 'user' || n]
                else array[translate('first' || n % 2000, '0123456789', 'bcdfghjklm'),
                    translate('last' || n % 5003, '0123456789', 'bcdfghjklm'), 'user' || n] end,
            '{lawyer,student,at,the}'::text[]
                || case when n % 40 = 1 then '{moot}'::text[] else '{}' end
                || case when n % 41 = 1 then '{clerk}'::text[] else '{}' end
                || case when n % 33336 = 5 then '{admiralty}'::text[] else '{}' end
                || array['skill' || n % 300, 'school' || n % 100],
            4
        from (select id, extract(epoch from created_at)::integer - 946684800 as n from profile.members) m;
    insert into profile.blocks (lower_id, upper_id, blocker_id)
        select least(id, '01930000-0000-7000-8000-000000000401'), greatest(id, '01930000-0000-7000-8000-000000000401'), id
        from profile.members where username like 'user9999_';";

#[tokio::test]
async fn frequent_and_rare_words_have_bounded_cost() {
    let harness = Harness::of("profile").database(&MIGRATOR).await.context();
    let database = harness.database();
    database.run(MANY).await;
    MEMBERS.build_entries(&mut database.as_owner().await).await.unwrap();
    database.vacuum(&["members", "blocks", "search_documents", "search_entries", "search_words"]).await;
    let mut conn = database.pool().acquire().await.unwrap();
    let looked = [
        SearchCase { query: "lawyer", page: 1, found: 20, ceiling: 260 },
        SearchCase { query: "lawyer", page: 30, found: 20, ceiling: 370 },
        SearchCase { query: "admiralty", page: 1, found: 3, ceiling: 90 },
        SearchCase { query: "nowhere", page: 1, found: 0, ceiling: 55 },
        SearchCase { query: "admirality", page: 1, found: 3, ceiling: 140 },
        SearchCase { query: "isabl reys", page: 1, found: 1, ceiling: 170 },
        SearchCase { query: "isa", page: 1, found: 1, ceiling: 60 },
        SearchCase { query: "last", page: 1, found: 20, ceiling: 300 },
        SearchCase { query: "lawyer student", page: 1, found: 20, ceiling: 550 },
        SearchCase { query: "lawyer admiralty", page: 1, found: 3, ceiling: 115 },
        SearchCase { query: "the student at", page: 1, found: 20, ceiling: 570 },
        SearchCase { query: "moot clerk", page: 1, found: 20, ceiling: 770 },
        SearchCase { query: "moot clerk lawyer student", page: 1, found: 20, ceiling: 840 },
        SearchCase { query: "moot clerk admiralty", page: 1, found: 0, ceiling: 200 },
        SearchCase { query: "maria", page: 1, found: 20, ceiling: 220 },
        SearchCase { query: "w", page: 1, found: 20, ceiling: 240 },
        SearchCase { query: "maria s", page: 1, found: 20, ceiling: 600 },
        SearchCase { query: "maria s", page: 100, found: 20, ceiling: 520 },
        SearchCase { query: "maria w", page: 1, found: 1, ceiling: 1400 },
        SearchCase { query: "maria whit", page: 1, found: 1, ceiling: 120 },
        SearchCase { query: "w maria", page: 1, found: 1, ceiling: 1400 },
        SearchCase { query: "maria x", page: 1, found: 1, ceiling: 120 },
        SearchCase { query: "m x", page: 1, found: 1, ceiling: 130 },
        SearchCase { query: "m w lawyer", page: 1, found: 1, ceiling: 1400 },
        SearchCase { query: "user9", page: 1, found: 20, ceiling: 260 },
    ];
    // Cards are in memory in all but the first searches: reading one costs up to ten buffers.
    let cards = SearchCards::default();
    for case in &looked {
        let asked = search::WindowQuery::parse(case.query, 20, "", WINDOW).unwrap();
        members(&mut conn, &cards, &asked, Some(member(1))).await.unwrap();
    }
    assert_costs(&mut conn, &looked, async |conn: &mut PgConnection, query: &str, token: &str| {
        let asked = search::WindowQuery::parse(query, 20, token, WINDOW).unwrap();
        let answer = members(conn, &cards, &asked, Some(member(1))).await.unwrap();
        (answer.rows.len(), answer.next_page_token)
    })
    .await;
}
