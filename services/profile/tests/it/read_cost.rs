//! The cost of reads in buffers, which do not depend on the machine.

use testkit::{Harness, member};

use crate::MIGRATOR;

/// Twenty thousand members, each with three positions, two schools and ten skills.
const MANY: &str = "
    insert into profile.members (id, username, full_name, headline, created_at, avatar_url)
        select ('01930000-0000-7000-8000-' || lpad(to_hex((n << 10) | (n & 1023)), 12, '0'))::uuid,
            'member.' || n, 'Member ' || n, 'Headline ' || n, now(), '/media/' || repeat(md5(n::text), 2) || '.jpg'
        from generate_series(1, 20000) n;
    insert into profile.pictures (hash, member_id, uses)
        select substr(avatar_url, 8, 64), id, 1 from profile.members;
    insert into profile.experiences
        (member_id, id, position, title, company, start_date, is_current_position, description)
        select id, 'e' || n, n, 'Clerk', 'Supreme Court', '2024-01', true, repeat('What it was about. ', 10)
        from profile.members, generate_series(0, 2) n;
    insert into profile.educations (member_id, id, position, institution, degree, start_date)
        select id, 's' || n, n, 'Ateneo Law', 'J.D.', '2023-08' from profile.members, generate_series(0, 1) n;
    insert into profile.skills (member_id, name, position)
        select id, 'Skill ' || n, n from profile.members, generate_series(0, 9) n;
    insert into profile.endorsements (member_id, skill, endorser_id, created_at, hidden)
        select s.member_id, s.name, m.id, to_timestamp(n), false
        from profile.skills s, generate_series(1, 5) n, profile.members m
        where m.username = 'member.' || n and m.id <> s.member_id
            and s.member_id in (select id from profile.members order by id limit 2000);
    insert into profile.endorsements (member_id, skill, endorser_id, created_at, hidden)
        select s.member_id, s.name, m.id, to_timestamp(0), false
        from profile.skills s, profile.members m
        where s.member_id = '01930000-0000-7000-8000-0000000af2bc' and s.name = 'Skill 1' and m.id <> s.member_id
        on conflict do nothing;
    insert into profile.blocks (lower_id, upper_id, blocker_id)
        select m.id, ('01930000-0000-7000-8000-' || lpad(to_hex((n << 10) | (n & 1023)), 12, '0'))::uuid, m.id
        from profile.members m, generate_series(21001, 21005) n;";

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

#[tokio::test]
async fn reads_touch_few_buffers() {
    let harness = Harness::of("profile").database(&MIGRATOR).await.context();
    let database = harness.database();
    database.run(MANY).await;
    database
        .run_as_owner(
            "analyze profile.members, profile.pictures, profile.experiences, profile.educations, profile.skills, profile.endorsements",
        )
        .await;

    database.vacuum(&["endorsements", "blocks"]).await;

    // Thirty buffers for the profile; the rest for the viewer's endorsements and one lookup among 100,000 blocks.
    let one = format!("'{}', '{}', false", member(700), member(2));
    database.cost(CRATE, &["from profile.members", "array(", "experiences"], &one).await.at_most(39);

    // A profile in memory: the row of the member, the viewer's endorsements and the lookup of a block.
    let one = format!("'{}', '{}'", member(700), member(2));
    database.cost(CRATE, &["sees_all!", "endorser_id = $2"], &one).await.at_most(12);

    // A picture: the rows of the picture and its member by primary keys, and one lookup of a connection.
    let hash = "e5841df2166dd424a57127423d276bbe".repeat(2);
    let picture = format!("'{hash}', '/media/{hash}.jpg', '{}'", member(2));
    database.cost(CRATE, &["from profile.pictures p", "avatar_url"], &picture).await.at_most(9);

    let ids: Vec<String> = (1..=20).map(|n| member(n * 997 % 1000 + 1).to_string()).collect();
    let page = format!("'{{{}}}', '{}'", ids.join(","), member(2));
    database.cost(CRATE, &["select id, full_name", "any((select $1"], &page).await.at_most(80);

    // Matching a name among 1,000 members reads their rows by primary key.
    let ids: Vec<String> = (1..=1_000).map(|n| member(n).to_string()).collect();
    let among = format!("'{{{}}}', 'member 99'", ids.join(","));
    database.cost(CRATE, &["regexp_split_to_table", "any((select $1"], &among).await.at_most(4_200);

    // A page in the middle of the most endorsed skill.
    let skill = format!("'{}', 'Skill 1', to_timestamp(0), '{}', '{}', 21", member(700), member(500), member(2));
    database.cost(CRATE, &["with blocked", "profile.endorsements"], &skill).await.at_most(97);
}
