//! The last crawls of every source of jobs and news, as a table.

use chassis::config::Source;
use chrono::{DateTime, Utc};
use sqlx::Connection as _;

use super::{Target, connect, table::table};

const TITLES: [&str; 9] =
    ["service", "source", "connector", "state", "last run", "last success", "new", "next", "failure"];

/// A source of either service as a row.
macro_rules! row {
    ($service:literal, $source:expr) => {{
        let source = $source;
        [
            $service.to_owned(),
            source.name,
            source.connector,
            state(source.last_run_at, source.failure.as_deref()).to_owned(),
            moment(source.last_run_at),
            moment(source.last_success_at),
            source.new_items.to_string(),
            moment(source.due_at.into()),
            source.failure.unwrap_or_default(),
        ]
    }};
}

/// Every crawled source, by service and name.
///
/// # Errors
/// When Portia is not running.
pub(super) async fn list(target: &Target, config: &Source) -> anyhow::Result<String> {
    let mut jobs = connect(target, "jobs", config).await?;
    let boards = jobs::admin::list_sources(&mut jobs).await?;
    jobs.close().await?;
    let mut news = connect(target, "news", config).await?;
    let feeds = news::admin::list_sources(&mut news).await?;
    news.close().await?;
    let rows: Vec<_> = boards
        .into_iter()
        .map(|source| row!("jobs", source))
        .chain(feeds.into_iter().map(|source| row!("news", source)))
        .collect();
    Ok(table(TITLES, &rows))
}

/// The words of the status page.
const fn state(last_run: Option<DateTime<Utc>>, failure: Option<&str>) -> &'static str {
    match (last_run, failure) {
        (None, _) => "waiting",
        (Some(_), None) => "healthy",
        (Some(_), Some(_)) => "failing",
    }
}

fn moment(at: Option<DateTime<Utc>>) -> String {
    at.map_or_else(|| "never".to_owned(), |at| at.format("%Y-%m-%d %H:%M UTC").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_healthy_when_its_last_crawl_was() {
        let ran = DateTime::from_timestamp(1_795_176_000, 0);
        assert_eq!(state(None, None), "waiting");
        assert_eq!(state(ran, None), "healthy");
        assert_eq!(state(ran, Some("It took too long.")), "failing");
        assert_eq!((moment(ran).as_str(), moment(None).as_str()), ("2026-11-20 12:00 UTC", "never"));
    }
}
