//! The search index: equal to what the search library would have written for the same documents.

use chrono::DateTime;
use portia_bench::fill::order_of;
use search::{Document, ReadDocuments, Search};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::{
    database::run,
    fill::{filled, world},
};

/// Every schema with a search, and the texts of its documents: id, and all texts as one.
const TEXTS: [(&str, &str); 5] = [
    (
        "profile",
        "select id, concat_ws(' ', username, full_name, headline, school, (
            select string_agg(name, ' ') from profile.skills where member_id = members.id
        )) as text, created_at as at, true as is_public
        from profile.members",
    ),
    (
        "social_graph",
        "select id, concat_ws(' ', name, description) as text, created_at as at, true as is_public
        from social_graph.communities",
    ),
    (
        "feed",
        "select id, concat_ws(' ', title, content) as text, created_at as at, community_id is null as is_public
        from feed.posts",
    ),
    (
        "jobs",
        "select id, concat_ws(' ', title, company, location, practice_area, description) as text, posted_at as at,
            true as is_public
        from jobs.postings
        where closed_at is null",
    ),
    (
        "news",
        "select a.id, concat_ws(' ', title, description, author, name) as text, listed_at as at, true as is_public
        from news.articles a
        join news.sources s on s.id = a.source_id
        where leads
        union all
        select id, concat_ws(' ', title, description), approved_at, false
        from news.resources
        where approved_at is not null",
    ),
];

/// Id, partition, time, title, body.
type Row = (Uuid, i32, i32, Vec<String>, Vec<String>);

/// No document is waiting for indexing.
const NOTHING: ReadDocuments = |_, _| Box::pin(async { Ok(Vec::new()) });

#[tokio::test]
async fn every_document_is_found_by_all_its_words() {
    let mut database = filled("found", &world("50")).await;
    // An abbreviation is a word without its stops as well.
    run(
        &mut database.db,
        "create function public.words(text) returns text[] language sql as $$
            select coalesce(array_agg(word), '{}')
            from regexp_split_to_table(lower(ext.unaccent($1)), '[^a-z0-9]+') as word
            where word <> ''
        $$",
    )
    .await;
    for (schema, texts) in TEXTS {
        let wrong = format!(
            "select coalesce(document.id, d.id)::text
            from ({texts}) as document
            full join {schema}.search_documents d on d.id = document.id
            where d.id is null
                or document.id is null
                or d.state <> 4
                or (d.shelf = 0) <> is_public
                or d.at <> floor(extract(epoch from document.at)) - 946684800
                or not public.words(text) <@ (title || body)
                or not (title || body) <@ (public.words(text) || public.words(replace(text, '.', '')))"
        );
        assert_eq!(database.rows(&wrong).await, Vec::<String>::new(), "{schema}");
        assert!(!database.rows(&format!("select 'x' from ({texts}) as document")).await.is_empty(), "{schema}");
    }
    database.drop().await;
}

#[tokio::test]
async fn entries_and_words_equal_those_of_the_search() {
    let mut database = filled("entries", &world("50")).await;
    let pool = database.pool();
    for (schema, _) in TEXTS {
        for table in ["documents", "entries", "words"] {
            run(&mut database.db, &format!("create table public.{schema}_{table} as table {schema}.search_{table}"))
                .await;
        }
        run(
            &mut database.db,
            &format!("truncate {schema}.search_documents, {schema}.search_entries, {schema}.search_words"),
        )
        .await;
        #[expect(clippy::disallowed_methods, reason = "one statement for every schema")]
        let rows: Vec<Row> =
            sqlx::query_as(AssertSqlSafe(format!("select id, shelf, at, title, body from public.{schema}_documents")))
                .fetch_all(&mut database.db)
                .await
                .unwrap();
        let search = Search::of(schema, order_of(schema));
        for lot in rows.chunks(100) {
            let documents: Vec<Document> = lot
                .iter()
                .map(|(id, shelf, at, title, body)| {
                    let at = DateTime::from_timestamp(i64::from(*at) + 946_684_800, 0).unwrap();
                    let (title, body) = (title.join(" "), body.join(" "));
                    Document::new(*id, at, [title.as_str()], [body.as_str()]).for_audience(shelf / 2)
                })
                .collect();
            search.index(&mut database.db, &documents).await.unwrap();
        }
        while search.index_pending(&pool, NOTHING).await.unwrap() {}
        for (table, columns) in [
            ("documents", "id::text, shelf, at, title::text, body::text, state"),
            ("entries", "word || id::text, shelf, at"),
            ("words", "word, stem, array(select slip from unnest(slips) as slip order by slip collate \"C\")::text"),
        ] {
            let (ours, theirs) = (format!("public.{schema}_{table}"), format!("{schema}.search_{table}"));
            for (one, other) in [(&ours, &theirs), (&theirs, &ours)] {
                let missing = format!("(select {columns} from {one}) except (select {columns} from {other})");
                assert_eq!(database.rows(&missing).await, Vec::<String>::new(), "{one} has what {other} has not");
            }
            assert!(!database.rows(&format!("select 'x' from {ours} limit 1")).await.is_empty(), "{ours}");
        }
    }
    pool.close().await;
    database.drop().await;
}
