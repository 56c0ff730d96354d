//! What reads cost at a hundred thousand postings, in buffers: a number that does not depend on the machine's mood.

use portia_proto::jobs::ListJobsRequest;
use testkit::member;

use crate::fixtures::{Fixture, REBUILD_LISTINGS, SOURCE};

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// 100,000 postings, one a minute back from the first of 2026. Every one is a full-time position and says 'associate'; one
/// in 20,000 is for admiralty, one in three is in Albany, and there is one for immigration, among the oldest. Of the
/// oldest, 40,000 say 'barnacle', 30,000 are about litigation and 5,000 say 'lighthouse'. Every second one says 'quayside',
/// the others say 'wharfinger', and one of the oldest says both. One member has applied for 2,000.
async fn filled() -> Fixture {
    let fixture = Fixture::empty().await;
    // The index is made when all is there, as it was before: that is several times faster.
    let sql = format!(
        "do $$
        declare
            found_idx text;
        begin
            select indexdef into strict found_idx from pg_indexes where indexname = 'postings_found_idx';
            drop index jobs.postings_found_idx;
            insert into jobs.postings (
                id, source_id, url, title, company, location, remote, description, employment_type, experience_level,
                practice_area, salary, external_url, posted_at
            )
            select
                ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '{SOURCE}',
                'https://example.org/positions/of-some-length/' || n,
                case when n % 20000 = 0 then 'Admiralty clerk' else 'Associate in the office of number ' || n end,
                'A firm with partners and a name, ' || n % 500,
                case when n % 3 = 0 then 'Albany, NY' else 'Boston, MA' end, false,
                repeat('Every posting has a description of some length, associate. ', 12)
                    || case when n > 60000 then ' barnacle' else '' end
                    || case when n > 95000 then ' lighthouse' else '' end
                    || case when n % 2 = 0 then ' quayside' else '' end
                    || case when n % 2 = 1 or n = 99000 then ' wharfinger' else '' end,
                'full-time', case when n % 30 = 0 then 'senior' else 'mid-level' end,
                case
                    when n = 99500 then 'immigration'
                    when n % 200 = 0 then 'government'
                    when n > 70000 then 'litigation'
                    else 'corporate'
                end,
                '$100,000 to $140,000 per year, and more', 'https://example.org/positions/of-some-length/' || n,
                '2026-01-01'::timestamptz - n * interval '1 minute'
            from generate_series(1, 100000) n;
            execute found_idx;
        end
        $$;
        {REBUILD_LISTINGS};
        insert into jobs.applications (id, posting_id, member_id, status, applied_at, job, job_description)
        select id, id, '{member}', 'applied', posted_at,
            json_build_object(
                'title', title, 'company', company, 'summary', summary, 'source', 'Court Jobs', 'posted_at', posted_at,
                'is_demo', false
            ),
            description
        from jobs.postings
        order by id
        limit 2000",
        member = member(1),
    );
    fixture.harness.database().run(sql).await;
    fixture.harness.database().run("vacuum analyze jobs.postings").await;
    fixture.harness.database().run("vacuum analyze jobs.listings").await;
    fixture.harness.database().run("vacuum analyze jobs.applications").await;
    fixture.harness.database().run("analyze jobs.sources").await;
    fixture
}

const NEWEST: &[&str] = &["as most", "from jobs.postings\n"];
const LISTED: &[&str] = &["as most", "from jobs.listings l\n"];
const GLANCE: &[&str] = &["limit 150\n                ) as newest"];
const LOOK: &[&str] = &["limit 1500\n                ) as newest"];
const LONG_LOOK: &[&str] = &["limit 2000\n                ) as newest"];
const LISTED_GLANCE: &[&str] = &["limit 150\n                ) as listed"];
const LISTED_LOOK: &[&str] = &["limit 1500\n                ) as listed"];
const LISTED_LONG_LOOK: &[&str] = &["limit 2000\n                ) as listed"];
const SHORT: &[&str] = &["as left_over"];
const SAMPLE: &[&str] = &["as sample"];
const ANYWHERE: &[&str] = &["as candidates", "lower($7))\n                limit 100"];
const FILTERED: &[&str] = &["as candidates", "$8::text[])\n                limit 100"];
const WINDOW: &[&str] = &["as candidates", "$9::text[])\n                limit 100"];
const EXTENT: &[&str] = &["min(posted_at)"];
const DAY: &[&str] = &["posted_at >= $1"];
const THESE: &[&str] = &["id = any($6)"];

const FIRST: &str = "'2100-01-01', 'ffffffff-ffff-ffff-ffff-ffffffffffff'";
const DEEP: &str = "'2025-11-01', 'ffffffff-ffff-ffff-ffff-ffffffffffff'";

/// Sets of filters with what `facets` holds for them: how many pass is nearly all, 77,000, 30,000, 10,000 that are old,
/// 4,000, 500, one and none.
const SETS: [(i32, &str); 8] = [
    (1024, "'full-time'"),
    (8 + 1024, "'corporate', 'full-time'"),
    (2 + 1024, "'new-york', 'full-time'"),
    (2 + 16 + 1024, "'new-york', 'litigation', 'full-time'"),
    (2 + 192 + 1024, "'new-york', 'senior', 'full-time'"),
    (32, "'government'"),
    (40, "'immigration'"),
    (512, "'internship'"),
];

#[tokio::test]
async fn the_cost_of_reads_is_bounded() {
    let fixture = filled().await;
    newest(&fixture).await;
    listed(&fixture).await;
    windows(&fixture).await;
    others(&fixture).await;
    what_is_rare_is_found_wherever_it_is(&fixture).await;
}

/// Looking at the newest one by one: here four stand on a page, and nothing that is looked at is elsewhere. Where the newest
/// stand far apart it is a page for each that is looked at.
async fn newest(fixture: &Fixture) {
    let database = fixture.harness.database();
    let (visitor, ana) = ("null".to_owned(), format!("'{}'", member(1)));
    for (who, ceiling) in [(&visitor, 20), (&ana, 120)] {
        for place in [FIRST, DEEP] {
            let page = format!("{who}, 21, '2026-01-01', {place}");
            database.cost(CRATE, NEWEST, &page).await.at_most(ceiling);
            // What every posting has is found among the first.
            let common = format!("{page}, array['%ASSOCIATE%']");
            database.cost(CRATE, GLANCE, &common).await.at_most(ceiling + 80);
            // What few have is looked for among so many and no more.
            let rare = format!("{page}, array['%admiralty%']");
            database.cost(CRATE, GLANCE, &rare).await.at_most(80);
            database.cost(CRATE, LOOK, &rare).await.at_most(420);
            let short = format!("{page}, array['%q7%']");
            database.cost(CRATE, LONG_LOOK, &short).await.at_most(560);
        }
    }
}

/// A filtered page is one range of an index however many pass, and three pages of another index and one of the table for
/// each of its rows. So is a look at so many of those that pass.
async fn listed(fixture: &Fixture) {
    let database = fixture.harness.database();
    for (listing, _) in SETS {
        for place in [FIRST, DEEP] {
            let page = format!("null, 21, '2026-01-01', {place}");
            database.cost(CRATE, LISTED, &format!("{page}, {listing}")).await.at_most(110);
            let common = format!("{page}, array['%associate%'], {listing}");
            database.cost(CRATE, LISTED_GLANCE, &common).await.at_most(130);
            let rare = format!("{page}, array['%admiralty%'], {listing}");
            database.cost(CRATE, LISTED_GLANCE, &rare).await.at_most(620);
            database.cost(CRATE, LISTED_LOOK, &rare).await.at_most(6_100);
            database.cost(CRATE, LISTED_LONG_LOOK, &rare).await.at_most(8_100);
            database.cost(CRATE, SHORT, &format!("{listing}, {place}")).await.at_most(12);
        }
    }
}

/// Looking into a window by the index, however much of what is looked for is in it: a list does so at most 64 times.
async fn windows(fixture: &Fixture) {
    let database = fixture.harness.database();
    // A hundred rows and, for every three letters of the words, the twenty pages of the index that name every posting: 429 for
    // two words of which one is in every posting and one in 40,000.
    let ceiling = 500;
    for word in ["associate", "barnacle", "lighthouse", "admiralty", "nothing-has-this", "a", "ociat"] {
        let asked = format!("{FIRST}, '2026-01-01', array['%{word}%'], '%associate%', '%{word}%', '%'");
        database.cost(CRATE, ANYWHERE, &asked).await.at_most(ceiling);
        for (_, facets) in SETS {
            database.cost(CRATE, FILTERED, &format!("{asked}, array[{facets}]")).await.at_most(ceiling);
        }
        for window in ["array['m639']", "array['m637', 'm638']", "array['d20400']"] {
            for facets in ["", "'senior'", "'immigration'"] {
                let asked = format!("{asked}, array[{facets}]::text[], {window}");
                database.cost(CRATE, WINDOW, &asked).await.at_most(ceiling);
            }
        }
    }
    database.cost(CRATE, SAMPLE, "array['%adm%', '%dmi%', '%mir%']").await.at_most(20);
    for place in [FIRST, DEEP] {
        database.cost(CRATE, EXTENT, place).await.at_most(12);
    }
    let day = "'2025-11-10', '2025-11-11'";
    let asked = format!("{day}, {FIRST}, '2026-01-01', array['senior'], array['%barnacle%'], 21");
    database.cost(CRATE, DAY, &asked).await.at_most(600);
    let ids: Vec<String> = (1..=21).map(|n| format!("01930000-0000-7000-8000-{:012x}", n * 4_001)).collect();
    let ids = format!("'{{{}}}'", ids.join(","));
    database.cost(CRATE, THESE, &format!("null, 21, '2026-01-01', {FIRST}, {ids}")).await.at_most(170);
}

async fn others(fixture: &Fixture) {
    let database = fixture.harness.database();
    for from in [FIRST, DEEP] {
        let mine = format!("'{}', {from}, 21, '2026-01-01'", member(1));
        database.cost(CRATE, &["from jobs.applications a", "a.applied_at desc"], &mine).await.at_most(160);
    }
    let one = format!("'01930000-0000-7000-8000-000000000010', '{}', '2026-01-01'", member(1));
    database.cost(CRATE, &["where p.id = $1", "coalesce(p.closed_at"], &one).await.at_most(20);
    let hundred: Vec<String> = (1..=100).map(|n| format!("01930000-0000-7000-8000-{:012x}", n * 997)).collect();
    let hundred = format!("'{{{}}}', '{}', '2026-01-01'", hundred.join(","), member(1));
    database.cost(CRATE, &["p.id = any((select $1", "coalesce(p.closed_at"], &hundred).await.at_most(1_000);
}

async fn what_is_rare_is_found_wherever_it_is(fixture: &Fixture) {
    let pages = async |request: ListJobsRequest| {
        let first = fixture.list_jobs(request.clone()).await.unwrap();
        let numbers = |jobs: &[portia_proto::jobs::Job]| -> Vec<u32> {
            jobs.iter().map(|job| u32::from_str_radix(&job.id[24..], 16).unwrap()).collect()
        };
        let mut both = vec![numbers(&first.jobs)];
        if !first.next_page_token.is_empty() {
            let next = ListJobsRequest { page_token: first.next_page_token, ..request };
            both.push(numbers(&fixture.list_jobs(next).await.unwrap().jobs));
        }
        both
    };
    let saying = |search: &str| ListJobsRequest { search: search.to_owned(), ..Default::default() };
    let about = |search: &str, practice_area: i32| ListJobsRequest { practice_area, ..saying(search) };
    let step = |first: usize, step: usize| {
        [0, 20]
            .map(|from| (from..from + 20).map(|n| u32::try_from(first + n * step).unwrap()).collect::<Vec<_>>())
            .to_vec()
    };
    assert_eq!(pages(saying("associate")).await, step(1, 1));
    assert_eq!(pages(saying("barnacle")).await, step(60_001, 1), "of 40,000 that are old");
    assert_eq!(pages(saying("LIGHTHOUSE barnacle")).await, step(95_001, 1), "of 5,000 that are old");
    assert_eq!(pages(about("", 2)).await, step(70_001, 1), "of nearly 30,000 that are old");
    assert_eq!(pages(about("barnacle", 2)).await, step(70_001, 1));
    assert_eq!(pages(about("barnacle", 1)).await, step(60_001, 1), "of the oldest 10,000 of 70,000");
    assert_eq!(pages(about("lighthouse", 2)).await, step(95_001, 1), "of the oldest 5,000 of 30,000");
    assert_eq!(pages(about("associate", 4)).await, step(200, 200), "one in two hundred");
    assert_eq!(
        pages(about("lighthouse", 4)).await,
        [(95_200..=100_000).step_by(200).take(20).collect::<Vec<_>>(), (99_200..=100_000).step_by(200).collect()]
    );
    let all_four = |search: &str| ListJobsRequest {
        location: 2,
        practice_area: 1,
        experience_level: 3,
        employment_type: 2,
        ..saying(search)
    };
    let expected: Vec<u32> = (0..60_000).step_by(30).filter(|n| *n > 0 && n % 200 != 0).take(40).collect();
    let expected = [expected[..20].to_vec(), expected[20..].to_vec()];
    assert_eq!(pages(all_four("")).await, expected, "of 2,000");
    assert_eq!(pages(all_four("associate")).await, expected);
    assert_eq!(pages(all_four("barnacle")).await[0][..2], [60_030, 60_060], "of the oldest of them");
    assert_eq!(pages(saying("admiralty")).await, [[20_000, 40_000, 60_000, 80_000, 100_000]]);
    assert_eq!(pages(about("admiralty", 4)).await, [[20_000, 40_000, 60_000, 80_000, 100_000]]);
    assert_eq!(pages(about("admiralty", 2)).await, [Vec::<u32>::new()]);
    assert_eq!(pages(saying("quayside wharfinger")).await, [[99_000]], "two words of which each has one");
    assert_eq!(pages(about("associate", 5)).await, [[99_500]], "the last but five hundred");
    assert_eq!(pages(saying("nothing-has-this")).await, [Vec::<u32>::new()]);
    assert_eq!(pages(saying("associate nothing-has-this")).await, [Vec::<u32>::new()]);
    assert_eq!(pages(about("nothing-has-this", 1)).await, [Vec::<u32>::new()]);
    // Three letters at a time, all of it is in 'description' and 'posting', and the index would name every posting.
    assert_eq!(pages(saying("cripting")).await, [Vec::<u32>::new()]);
    assert_eq!(pages(saying("q7")).await, [Vec::<u32>::new()]);
}
