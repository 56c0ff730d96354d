//! What the reads cost among many members: pages touched, which do not depend on the machine.

use testkit::{Harness, member};

use crate::MIGRATOR;

/// Twenty thousand members, each with three positions, two schools and ten skills.
const MANY: &str = "
    insert into profile.members (id, username, full_name, headline, created_at)
        select ('01930000-0000-7000-8000-' || lpad(to_hex((n << 10) | (n & 1023)), 12, '0'))::uuid,
            'member.' || n, 'Member ' || n, 'Headline ' || n, now()
        from generate_series(1, 20000) n;
    insert into profile.experiences
        (member_id, id, position, title, company, start_date, is_current_position, description)
        select id, 'e' || n, n, 'Clerk', 'Supreme Court', '2024-01', true, repeat('What it was about. ', 10)
        from profile.members, generate_series(0, 2) n;
    insert into profile.educations (member_id, id, position, institution, degree, start_date)
        select id, 's' || n, n, 'Ateneo Law', 'J.D.', '2023-08' from profile.members, generate_series(0, 1) n;
    insert into profile.skills (member_id, name, position)
        select id, 'Skill ' || n, n from profile.members, generate_series(0, 9) n;";

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

#[tokio::test]
async fn a_profile_and_a_batch_of_cards_touch_few_pages() {
    let harness = Harness::of("profile").database(&MIGRATOR).await.frame();
    let database = harness.database();
    database.run(MANY).await;
    database.run("analyze profile.members, profile.experiences, profile.educations, profile.skills").await;

    let one = format!("'{}'", member(700));
    database.cost(CRATE, &["from profile.members", "Vec<ExperienceRow>"], &one).await.at_most(30);

    let ids: Vec<String> = (1..=20).map(|n| member(n * 997 % 1000 + 1).to_string()).collect();
    let page = format!("'{{{}}}'", ids.join(","));
    database.cost(CRATE, &["from profile.members", "any($1)"], &page).await.at_most(80);
}
