//! The cost of reads at 100,000 postings, in buffers, which do not depend on the load of the machine.

use portia_proto::jobs::ListJobsRequest;
use testkit::member;

use crate::fixtures::{Fixture, REBUILD_LISTINGS, SOURCE};

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// 100,000 postings, one per minute back from 1 January 2026. All are full-time positions with 'associate'; one in 20,000 has
/// 'admiralty', one in 2,000 is in Makati, every third of the others in Albany, and one of the oldest has the area immigration. Of the oldest, 40,000 have
/// 'barnacle', 30,000 the area litigation and 5,000 'lighthouse'. Every second one has 'quayside', the others 'wharfinger', and
/// one of the oldest has both. One member has applied for 2,000.
async fn filled() -> Fixture {
    let fixture = Fixture::empty().await;
    // Building the index afterwards is several times faster.
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
                case
                    when n % 2000 = 1001 then 'Makati, Metro Manila'
                    when n % 3 = 0 then 'Albany, NY'
                    else 'Boston, MA'
                end,
                false,
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
    fixture.harness.database().run_as_owner(sql).await;
    fixture.harness.database().vacuum(&["postings", "listings", "applications"]).await;
    fixture.harness.database().run_as_owner("analyze jobs.sources").await;
    fixture
}

const NEWEST: &[&str] = &["as most", "from jobs.postings\n"];
const LISTED: &[&str] = &["as most", "from jobs.listings l\n"];
const SHORT_SCAN: &[&str] = &["limit 150\n                ) as newest"];
const SCAN: &[&str] = &["limit 1500\n                ) as newest"];
const LONG_SCAN: &[&str] = &["limit 2000\n                ) as newest"];
const LISTED_SHORT_SCAN: &[&str] = &["limit 150\n                ) as listed"];
const LISTED_SCAN: &[&str] = &["limit 1500\n                ) as listed"];
const LISTED_LONG_SCAN: &[&str] = &["limit 2000\n                ) as listed"];
const SHORT: &[&str] = &["as left_over"];
const SAMPLE: &[&str] = &["as sample"];
const ALL_WINDOWS: &[&str] = &["as candidates", "lower($7))\n                limit 100"];
const FILTERED: &[&str] = &["as candidates", "$9::text[])\n                limit 100"];
const WINDOW: &[&str] = &["as candidates", "$10::text[])\n                limit 100"];
const EXTENT: &[&str] = &["min(posted_at)"];
const DAY: &[&str] = &["posted_at >= $1"];
const BY_IDS: &[&str] = &["id = any($6)"];

const FIRST: &str = "'2100-01-01', 'ffffffff-ffff-ffff-ffff-ffffffffffff'";
const DEEP: &str = "'2025-11-01', 'ffffffff-ffff-ffff-ffff-ffffffffffff'";

/// Sets of filters with their facets. The numbers of matches are nearly all, 77,000, 30,000, 10,000 old ones, 4,000, 500, 50,
/// one and none.
const SETS: [(i32, &str); 9] = [
    (1024, "'full-time'"),
    (8 + 1024, "'corporate', 'full-time'"),
    (2 + 1024, "'new-york', 'full-time'"),
    (2 + 16 + 1024, "'new-york', 'litigation', 'full-time'"),
    (2 + 192 + 1024, "'new-york', 'senior', 'full-time'"),
    (32, "'government'"),
    (4096 + 1024, "'makati', 'full-time'"),
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
    rare_matches_are_found_at_any_age(&fixture).await;
}

/// The scan of the newest postings. Here four are on a page of the table, in order; otherwise each costs one page.
async fn newest(fixture: &Fixture) {
    let database = fixture.harness.database();
    let (visitor, ana) = ("null".to_owned(), format!("'{}'", member(1)));
    for (viewer, ceiling) in [(&visitor, 20), (&ana, 120)] {
        for place in [FIRST, DEEP] {
            let page = format!("{viewer}, 21, '2026-01-01', {place}");
            database.cost(CRATE, NEWEST, &page).await.at_most(ceiling);
            // A word of every posting is found among the newest.
            let common = format!("{page}, array['%ASSOCIATE%'], '{{}}'");
            database.cost(CRATE, SHORT_SCAN, &common).await.at_most(ceiling + 80);
            // A rare word costs a bounded scan.
            let rare = format!("{page}, array['%admiralty%'], '{{}}'");
            database.cost(CRATE, SHORT_SCAN, &rare).await.at_most(80);
            database.cost(CRATE, SCAN, &rare).await.at_most(420);
            // The sign of a word is a wildcard, whose matches a regular expression checks.
            let signed = format!("{page}, array['%admiralty_s%'], array['admiralty[''\u{2019}]s']");
            database.cost(CRATE, SCAN, &signed).await.at_most(420);
            let short = format!("{page}, array['%q7%'], '{{}}'");
            database.cost(CRATE, LONG_SCAN, &short).await.at_most(560);
        }
    }
}

/// A filtered page is one range of an index at any number of matches; each row costs three pages of another index and one of
/// the table. The same applies to a scan of a listing.
async fn listed(fixture: &Fixture) {
    let database = fixture.harness.database();
    for (listing, _) in SETS {
        for place in [FIRST, DEEP] {
            let page = format!("null, 21, '2026-01-01', {place}");
            database.cost(CRATE, LISTED, &format!("{page}, {listing}")).await.at_most(110);
            let common = format!("{page}, array['%associate%'], {listing}, '{{}}'");
            database.cost(CRATE, LISTED_SHORT_SCAN, &common).await.at_most(130);
            let rare = format!("{page}, array['%admiralty%'], {listing}, '{{}}'");
            database.cost(CRATE, LISTED_SHORT_SCAN, &rare).await.at_most(620);
            database.cost(CRATE, LISTED_SCAN, &rare).await.at_most(6_100);
            database.cost(CRATE, LISTED_LONG_SCAN, &rare).await.at_most(8_100);
            database.cost(CRATE, SHORT, &format!("{listing}, {place}")).await.at_most(12);
        }
    }
}

/// A read of one window by the index, at any number of matches. A list reads at most 64 windows.
async fn windows(fixture: &Fixture) {
    let database = fixture.harness.database();
    // A hundred rows, and for each trigram of the words up to twenty pages of the index: 429 for one word of every posting with
    // one word of 40,000.
    let ceiling = 500;
    for word in [
        "associate",
        "barnacle",
        "albany",
        "light_ouse",
        "lighthouse",
        "makati",
        "admiralty",
        "nothing-has-this",
        "a",
        "ociat",
    ] {
        let arguments = format!("{FIRST}, '2026-01-01', array['%{word}%'], '%associate%', '%{word}%', '%', '{{}}'");
        database.cost(CRATE, ALL_WINDOWS, &arguments).await.at_most(ceiling);
        for (_, facets) in SETS {
            database.cost(CRATE, FILTERED, &format!("{arguments}, array[{facets}]")).await.at_most(ceiling);
        }
        for window in ["array['m639']", "array['m637', 'm638']", "array['d20400']"] {
            for facets in ["", "'senior'", "'immigration'"] {
                let arguments = format!("{arguments}, array[{facets}]::text[], {window}");
                database.cost(CRATE, WINDOW, &arguments).await.at_most(ceiling);
            }
        }
    }
    database.cost(CRATE, SAMPLE, "array['%adm%', '%dmi%', '%mir%']").await.at_most(20);
    for place in [FIRST, DEEP] {
        database.cost(CRATE, EXTENT, place).await.at_most(12);
    }
    let day = "'2025-11-10', '2025-11-11'";
    let arguments = format!("{day}, {FIRST}, '2026-01-01', array['senior'], array['%barnacle%'], 21, '{{}}'");
    database.cost(CRATE, DAY, &arguments).await.at_most(600);
    let ids: Vec<String> = (1..=21).map(|n| format!("01930000-0000-7000-8000-{:012x}", n * 4_001)).collect();
    let ids = format!("'{{{}}}'", ids.join(","));
    database.cost(CRATE, BY_IDS, &format!("null, 21, '2026-01-01', {FIRST}, {ids}")).await.at_most(170);
}

async fn others(fixture: &Fixture) {
    let database = fixture.harness.database();
    for from in [FIRST, DEEP] {
        let mine = format!("'{}', {from}, 21, '2026-01-01'", member(1));
        // Two probes of the files for each application.
        database.cost(CRATE, &["from jobs.applications a", "a.applied_at desc"], &mine).await.at_most(200);
    }
    let one = format!("'01930000-0000-7000-8000-000000000010', '{}', '2026-01-01'", member(1));
    database.cost(CRATE, &["where p.id = $1", "coalesce(p.closed_at"], &one).await.at_most(20);
    let hundred: Vec<String> = (1..=100).map(|n| format!("01930000-0000-7000-8000-{:012x}", n * 997)).collect();
    let hundred = format!("'{{{}}}', '{}', '2026-01-01'", hundred.join(","), member(1));
    database.cost(CRATE, &["p.id = any((select $1", "coalesce(p.closed_at"], &hundred).await.at_most(1_000);
}

async fn rare_matches_are_found_at_any_age(fixture: &Fixture) {
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
    let search_for = |search: &str| ListJobsRequest { search: search.to_owned(), ..Default::default() };
    let in_area = |search: &str, practice_area: i32| ListJobsRequest { practice_area, ..search_for(search) };
    let step = |first: usize, step: usize| {
        [0, 20]
            .map(|from| (from..from + 20).map(|n| u32::try_from(first + n * step).unwrap()).collect::<Vec<_>>())
            .to_vec()
    };
    assert_eq!(pages(search_for("associate")).await, step(1, 1));
    assert_eq!(pages(search_for("barnacle")).await, step(60_001, 1), "of 40,000 that are old");
    assert_eq!(pages(search_for("LIGHTHOUSE barnacle")).await, step(95_001, 1), "of 5,000 that are old");
    assert_eq!(pages(in_area("", 2)).await, step(70_001, 1), "of nearly 30,000 that are old");
    assert_eq!(pages(in_area("barnacle", 2)).await, step(70_001, 1));
    assert_eq!(pages(in_area("barnacle", 1)).await, step(60_001, 1), "of the oldest 10,000 of 70,000");
    assert_eq!(pages(in_area("lighthouse", 2)).await, step(95_001, 1), "of the oldest 5,000 of 30,000");
    assert_eq!(pages(in_area("associate", 4)).await, step(200, 200), "one in two hundred");
    assert_eq!(
        pages(in_area("lighthouse", 4)).await,
        [(95_200..=100_000).step_by(200).take(20).collect::<Vec<_>>(), (99_200..=100_000).step_by(200).collect()]
    );
    let all_four = |search: &str| ListJobsRequest {
        location: 2,
        practice_area: 1,
        experience_level: 3,
        employment_type: 2,
        ..search_for(search)
    };
    let expected: Vec<u32> = (0..60_000).step_by(30).filter(|n| *n > 0 && n % 200 != 0).take(40).collect();
    let expected = [expected[..20].to_vec(), expected[20..].to_vec()];
    assert_eq!(pages(all_four("")).await, expected, "of 2,000");
    assert_eq!(pages(all_four("associate")).await, expected);
    assert_eq!(pages(all_four("barnacle")).await[0][..2], [60_030, 60_060], "of the oldest of them");
    let in_makati = ListJobsRequest { location: 8, ..search_for("") };
    assert_eq!(pages(in_makati.clone()).await, step(1_001, 2_000), "of 50 in a place");
    assert_eq!(pages(search_for("manila Makati")).await, step(1_001, 2_000), "of 50 with a place");
    assert_eq!(pages(ListJobsRequest { search: "manila".to_owned(), ..in_makati }).await, step(1_001, 2_000));
    assert_eq!(pages(search_for("admiralty")).await, [[20_000, 40_000, 60_000, 80_000, 100_000]]);
    assert_eq!(pages(in_area("admiralty", 4)).await, [[20_000, 40_000, 60_000, 80_000, 100_000]]);
    assert_eq!(pages(in_area("admiralty", 2)).await, [Vec::<u32>::new()]);
    assert_eq!(pages(search_for("quayside wharfinger")).await, [[99_000]], "two words of which each has one");
    assert_eq!(pages(in_area("associate", 5)).await, [[99_500]], "the last but five hundred");
    assert_eq!(pages(search_for("nothing-has-this")).await, [Vec::<u32>::new()]);
    assert_eq!(pages(search_for("associate nothing-has-this")).await, [Vec::<u32>::new()]);
    assert_eq!(pages(in_area("nothing-has-this", 1)).await, [Vec::<u32>::new()]);
    // All its trigrams are in 'description' and 'posting', so the index is not selective.
    assert_eq!(pages(search_for("cripting")).await, [Vec::<u32>::new()]);
    assert_eq!(pages(search_for("q7")).await, [Vec::<u32>::new()]);
}
