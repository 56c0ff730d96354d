//! Suggested resources: list, approve, reject.

use anyhow::Context as _;
use chassis::config::Source;
use clap::{Args, Subcommand};
use news::{admin::PendingResource, error::Error};
use primitives::clock::Clock;
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use super::{Target, connect};

/// The commands on suggestions.
#[derive(Subcommand)]
pub enum Command {
    /// Show the open suggestions, the oldest first
    List(Target),
    /// Approve a suggestion: every visitor sees it from then on
    Approve(SuggestionRef),
    /// Reject a suggestion: it is deleted, and may be suggested again
    Reject(SuggestionRef),
}

/// The suggestion.
#[derive(Args)]
pub struct SuggestionRef {
    /// Its id, as in `list`
    pub id: Uuid,
    /// The Portia
    #[command(flatten)]
    pub target: Target,
}

/// Executes the command and returns its result.
///
/// # Errors
/// When there is no open suggestion with that id, or Portia is not running.
pub(super) async fn run(command: Command, config: &Source) -> anyhow::Result<String> {
    let target = match &command {
        Command::List(target) => target,
        Command::Approve(suggestion) | Command::Reject(suggestion) => &suggestion.target,
    };
    let mut news = connect(target, "news", config).await?;
    let done = decide(&command, &mut news).await;
    news.close().await?;
    done
}

async fn decide(command: &Command, news: &mut PgConnection) -> anyhow::Result<String> {
    let decided = match command {
        Command::List(_) => {
            let waiting = news::admin::list_pending_resources(news).await.context("The suggestions cannot be read")?;
            return Ok(render_list(&waiting));
        }
        Command::Approve(suggestion) => news::admin::approve_resource(news, suggestion.id, Clock::system().now()).await,
        Command::Reject(suggestion) => news::admin::reject_resource(news, suggestion.id).await,
    };
    match (decided, command) {
        (Ok(title), Command::Approve(_)) => Ok(format!("'{title}' is among the resources now.")),
        (Ok(title), _) => Ok(format!("'{title}' is turned down.")),
        (Err(Error::ResourceNotFound), _) => anyhow::bail!("No suggestion of that id waits."),
        (Err(error), _) => Err(error).context("This could not be decided"),
    }
}

/// One after the other: the operator must read the whole address before opening it. The texts contain no control
/// characters: news refuses them.
fn render_list(waiting: &[PendingResource]) -> String {
    if waiting.is_empty() {
        return "Nothing waits.".to_owned();
    }
    let one = |suggested: &PendingResource| {
        let mut lines = vec![
            format!("{}  {}", suggested.id, suggested.kind),
            format!("  {}", suggested.title),
            format!("  {}", suggested.url.as_deref().unwrap_or("no address")),
        ];
        lines.extend(suggested.description.iter().flat_map(|text| text.lines()).map(|line| format!("  | {line}")));
        let by = suggested.suggested_by.map_or_else(|| "a former member".to_owned(), |member| member.to_string());
        lines.push(format!("  suggested {} by {by}", suggested.suggested_at.format("%Y-%m-%d %H:%M UTC")));
        lines.join("\n")
    };
    waiting.iter().map(one).collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    #[test]
    fn a_suggestion_is_read_whole_before_it_is_decided() {
        let suggested = PendingResource {
            id: Uuid::from_u128(7),
            title: "Outlines".to_owned(),
            description: Some("Of torts,\nand contracts.".to_owned()),
            url: Some("https://outlines.example/?a=b".to_owned()),
            kind: "guide".to_owned(),
            suggested_by: None,
            suggested_at: DateTime::from_timestamp(1_795_176_000, 0).unwrap(),
        };
        assert_eq!(
            render_list(&[suggested]),
            "00000000-0000-0000-0000-000000000007  guide\n  Outlines\n  https://outlines.example/?a=b\n  | Of torts,\n  \
             | and contracts.\n  suggested 2026-11-20 12:00 UTC by a former member"
        );
        assert_eq!(render_list(&[]), "Nothing waits.");
    }
}
