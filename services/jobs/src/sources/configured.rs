//! The configured sources: the setting that names them, and the rows, to which they are applied at each start.

use anyhow::{Context as _, bail};
use outbox::UnitOfWork;
use url::Url;

use crate::{
    config::{Crawl, Settings},
    connectors::Connector,
};

/// The default of `PORTIA_JOBS_SOURCES`. Boards disappear when employers change their provider; the status page shows it.
const DEFAULT_SOURCES: &str =
    "demo, greenhouse:aclu=ACLU, greenhouse:everlaw=Everlaw, lever:atticus=Atticus, ashby:harvey=Harvey";
/// The occupational series of general attorneys at USAJOBS.
const ATTORNEYS: &str = "0905";

/// A configured source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfiguredSource {
    /// Its kind.
    pub connector: Connector,
    /// The token of a board, or the address of a feed.
    pub address: String,
    /// The displayed name.
    pub name: String,
}

impl ConfiguredSource {
    /// Reads the configured sources, in their order.
    ///
    /// # Errors
    /// A sentence that names the setting and the invalid entry.
    pub fn all_of(settings: &Settings) -> anyhow::Result<Vec<Self>> {
        let named = match settings.jobs_sources.as_deref().map(str::trim) {
            None => {
                let usajobs = if settings.usajobs_key.is_some() { ", usajobs" } else { "" };
                parse(&format!("{DEFAULT_SOURCES}{usajobs}"))?
            }
            Some("none" | "") => Vec::new(),
            Some(named) => parse(named)?,
        };
        let incomplete = settings.usajobs_key.is_none() || settings.usajobs_email.is_none();
        if incomplete && named.iter().any(|source| source.connector == Connector::Usajobs) {
            bail!("PORTIA_JOBS_SOURCES: usajobs wants PORTIA_USAJOBS_KEY and PORTIA_USAJOBS_EMAIL.");
        }
        let external = settings.crawl == Crawl::On;
        Ok(named.into_iter().filter(|source| external || source.connector == Connector::Demo).collect())
    }
}

fn parse(named: &str) -> anyhow::Result<Vec<ConfiguredSource>> {
    let mut sources: Vec<ConfiguredSource> = Vec::new();
    for entry in named.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
        let source = parse_entry(entry).with_context(|| format!("PORTIA_JOBS_SOURCES: '{entry}' is no source"))?;
        if sources.iter().any(|other| (other.connector, &other.address) == (source.connector, &source.address)) {
            bail!("PORTIA_JOBS_SOURCES: '{entry}' is named twice.");
        }
        sources.push(source);
    }
    Ok(sources)
}

fn parse_entry(entry: &str) -> anyhow::Result<ConfiguredSource> {
    // From the end: the address of a feed may contain `=`.
    let (source, name) = match entry.rsplit_once('=') {
        Some((source, name)) => (source.trim(), Some(name.trim())),
        None => (entry, None),
    };
    let (connector, address) = source.split_once(':').unwrap_or((source, ""));
    let connector = Connector::parse(connector.trim())
        .context("the connectors are greenhouse, lever, ashby, usajobs, rss and demo.")?;
    let address = match (connector, address.trim()) {
        (Connector::Usajobs, "") => ATTORNEYS,
        (Connector::Demo, "") => "",
        (Connector::Demo, _) => bail!("the demo has no address."),
        (_, "") => bail!("after the connector comes a colon and what to ask."),
        (Connector::Rss, feed) => {
            let link = Url::parse(feed).context("this feed's address cannot be read.")?;
            if !matches!(link.scheme(), "http" | "https") || !link.has_host() {
                bail!("a feed's address begins with https://.");
            }
            feed
        }
        (_, token) if token.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.')) => token,
        _ => bail!("a board's token has letters, digits, dots, hyphens and underscores."),
    };
    let name = match (connector, name) {
        (_, Some(name)) if (1..=80).contains(&name.chars().count()) => name,
        (Connector::Demo, None) => "Demo",
        (Connector::Usajobs, None) => "USAJOBS",
        _ => bail!("it ends with '=' and the name people read, of at most 80 characters."),
    };
    Ok(ConfiguredSource { connector, address: address.to_owned(), name: name.to_owned() })
}

/// Inserts and updates the configured sources; others are turned off and keep their postings.
///
/// # Errors
/// When a statement fails.
pub async fn configure(work: &mut UnitOfWork<'_>, sources: &[ConfiguredSource]) -> Result<(), sqlx::Error> {
    let connectors: Vec<String> = sources.iter().map(|source| source.connector.name().to_owned()).collect();
    let addresses: Vec<String> = sources.iter().map(|source| source.address.clone()).collect();
    sqlx::query!(
        "update jobs.sources s
        set is_on = false
        where is_on
            and not exists (
                select
                from unnest($1::text[], $2::text[]) as named (connector, address)
                where named.connector = s.connector
                    and named.address = s.address
            )",
        &connectors,
        &addresses,
    )
    .execute(&mut *work.db)
    .await?;
    for source in sources {
        // A new source and one that was off are due at once. A renamed one is read again without validators: its name may be
        // the employer of its postings.
        let id = sqlx::query_scalar!(
            "insert into jobs.sources as known (id, connector, address, name, is_on, due_at)
            values ($1, $2, $3, $4, true, $5)
            on conflict (connector, address) do update
            set
                name = excluded.name,
                is_on = true,
                due_at = case when known.is_on and known.name = excluded.name then known.due_at else excluded.due_at end,
                etag = case when known.is_on and known.name = excluded.name then known.etag end,
                last_modified = case when known.is_on and known.name = excluded.name then known.last_modified end
            returning id",
            work.ids.new_owner(),
            source.connector.name(),
            source.address,
            source.name,
            work.now,
        )
        .fetch_one(&mut *work.db)
        .await?;
        sqlx::query!("insert into jobs.stats (source_id) values ($1) on conflict (source_id) do nothing", id)
            .execute(&mut *work.db)
            .await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use chassis::config::Source;

    use super::*;

    fn configured(made: &[(&str, &str)]) -> anyhow::Result<Vec<ConfiguredSource>> {
        let source = made.iter().fold(Source::default(), |source, (field, value)| source.with(field, *value));
        ConfiguredSource::all_of(&source.extract().unwrap())
    }

    fn parsed(made: &[(&str, &str)]) -> Vec<String> {
        let sources = configured(made).unwrap();
        sources.iter().map(|s| format!("{} {} {}", s.connector.name(), s.address, s.name)).collect()
    }

    #[test]
    fn the_defaults_are_the_demo_four_boards_and_usajobs_with_a_key() {
        let boards =
            ["greenhouse aclu ACLU", "greenhouse everlaw Everlaw", "lever atticus Atticus", "ashby harvey Harvey"];
        assert_eq!(parsed(&[]), [&["demo  Demo"][..], &boards].concat());
        let key = [("usajobs_key", "k=="), ("usajobs_email", "ops@example.org")];
        assert_eq!(parsed(&key).last().map(String::as_str), Some("usajobs 0905 USAJOBS"));
    }

    #[test]
    fn without_crawling_only_the_demo_is_read() {
        assert_eq!(parsed(&[("crawl", "off")]), ["demo  Demo"]);
        assert_eq!(parsed(&[("crawl", "off"), ("jobs_sources", "greenhouse:aclu=ACLU")]), Vec::<String>::new());
        assert_eq!(parsed(&[("jobs_sources", "none")]), Vec::<String>::new());
    }

    #[test]
    fn configured_sources_are_parsed() {
        let named = "rss:https://jobs.example.org/feed?kind=law=Law Jobs, lever: firm.co = A Firm ,";
        assert_eq!(
            parsed(&[("jobs_sources", named)]),
            ["rss https://jobs.example.org/feed?kind=law Law Jobs", "lever firm.co A Firm"],
        );
    }

    #[test]
    fn an_invalid_list_is_a_sentence_with_the_name_of_the_setting() {
        for wrong in [
            "workday:x=X",
            "greenhouse=X",
            "greenhouse:a/../b=X",
            "greenhouse:aclu",
            "greenhouse:aclu=",
            "rss:ftp://example.org=X",
            "rss:nowhere=X",
            "demo:here",
            "usajobs",
            "lever:a=A, lever:a=B",
        ] {
            let refused = format!("{:#}", configured(&[("jobs_sources", wrong)]).unwrap_err());
            assert!(refused.starts_with("PORTIA_JOBS_SOURCES: "), "{wrong}: {refused}");
        }
    }
}
