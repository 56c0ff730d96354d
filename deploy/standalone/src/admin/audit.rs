//! The audit of operators and moderators as a table.

use anyhow::Context as _;
use auth::admin::AuditEntry;
use chassis::config::Source;
use clap::Args;
use sqlx::Connection as _;

use super::{Target, connect, table::table, time};

const TITLES: [&str; 7] = ["when", "what", "member", "about", "by", "reason", "note"];

/// The length of the list.
#[derive(Args)]
pub struct Audit {
    /// The number of actions, the newest ones
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub limit: u32,
    /// The Portia
    #[command(flatten)]
    pub target: Target,
}

/// The newest actions, oldest first.
///
/// # Errors
/// When Portia is not running.
pub(super) async fn list(arguments: &Audit, config: &Source) -> anyhow::Result<String> {
    let mut auth = connect(&arguments.target, "auth", config).await?;
    let actions = auth::admin::list_actions(&mut auth, arguments.limit).await.context("The audit cannot be read")?;
    auth.close().await?;
    Ok(table(TITLES, &actions.into_iter().map(row).collect::<Vec<_>>()))
}

fn row(done: AuditEntry) -> [String; 7] {
    let member = done.username.or_else(|| done.member_id.map(|id| id.to_string()));
    let by = done.actor.or_else(|| done.actor_id.map(|id| id.to_string())).unwrap_or_else(|| "operator".to_owned());
    let note = done.note.unwrap_or_default().replace(['\n', '\t'], " ");
    let (about, reason) = (done.about.unwrap_or_default(), done.reason.unwrap_or_default());
    [time(done.at), done.event, member.unwrap_or_default(), about, by, reason, note]
}
