//! news: articles of the last two years, as many per source as news stores, some of them in the same cluster.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Progress, drop_word_indexes, recreate_indexes};
use crate::{
    copy::copy,
    world::{Stamps, World, rng::Rng, words},
};

const STREAM: u64 = 51;

/// The four sources of the specification, and one more, with twenty thousand articles each.
const SOURCES: [&str; 5] = ["above_the_law", "law_com", "law_school_org", "aba", "bench_wire"];
/// Sentences of a description.
const SENTENCES: u32 = 8;
/// One article in so many belongs to the cluster of the previous article, from another source.
const DUPLICATES: u32 = 12;
/// The identifying keys of each article: this many, out of one in so many possible keys.
const KEYS: u32 = 6;

pub(super) async fn fill(db: &mut PgConnection, world: &World, progress: Progress<'_>) -> anyhow::Result<()> {
    progress(&format!("Writing {} articles ...", world.size.articles()));
    // Removes the demo articles of the first crawl, as a crawl of real articles would.
    sqlx::raw_sql(
        "truncate news.articles, news.crawls;
        delete from news.sources where connector = 'demo';
        insert into news.sources (id, name)
        values ('bench_wire', 'Bench Wire')",
    )
    .execute(&mut *db)
    .await?;
    let indexes = drop_word_indexes(db, "news", "articles").await?;
    articles(db, world).await?;
    recreate_indexes(db, &indexes).await
}

async fn articles(db: &mut PgConnection, world: &World) -> anyhow::Result<()> {
    let (mut rng, mut stamps) = (Rng::of(STREAM), Stamps::of(STREAM));
    let mut before: Option<(Uuid, DateTime<Utc>, String)> = None;
    let columns = "news.articles (id, story_id, source_id, url, canonical_url, guid, title, description, author, \
        published_at, found_at, keys)";
    copy(db, columns, (0..world.size.articles()).zip(SOURCES.iter().cycle()), |row, (number, source)| {
        let first = before.take().filter(|_| number.is_multiple_of(DUPLICATES));
        let drawn = rng.between(world.now - TimeDelta::days(700), world.now - TimeDelta::days(3));
        let at = first.as_ref().map_or(drawn, |(_, first, _)| *first + TimeDelta::hours(7));
        let id = stamps.new_owner(at);
        let headline = words::headline(&mut rng, number);
        let title = first.as_ref().map_or(headline, |(_, _, title)| title.clone());
        let url = format!("https://bench.example/news/{number}");
        row.put(id).put(first.as_ref().map_or(id, |(story, _, _)| *story)).put(*source);
        row.put(&*url).put(&*url).put(&*format!("bench-{number}"));
        row.put(&*title).put(&*words::prose(&mut rng, SENTENCES, number)).put(&*words::name(&mut rng));
        // Without a date in the feed, the time of the crawl counts.
        row.put((first.is_some() || rng.chance(0.99)).then_some(at)).put(at);
        let day = at.timestamp() / 86_400;
        let keys: Vec<String> = (0..KEYS).map(|_| format!("{day} {:08x}", rng.below(u32::MAX))).collect();
        row.put(keys.as_slice());
        // A duplicate publishes no fact.
        before = first.is_none().then_some((id, at, title));
    })
    .await?;
    Ok(())
}
