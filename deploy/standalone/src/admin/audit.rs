//! The audit of operators and moderators as a table, and the verification of its chain.

use anyhow::Context as _;
use auth::admin::{AuditEntry, AuditHead, Finding, Verification};
use chassis::config::Source;
use clap::{Args, Subcommand};
use sqlx::Connection as _;

use super::{Target, connect, table::table, time};

const TITLES: [&str; 7] = ["when", "what", "member", "about", "by", "reason", "note"];

/// The length of the list, or another command.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Audit {
    /// Instead of the list
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The number of actions, the newest ones
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub limit: u32,
    /// The Portia
    #[command(flatten)]
    pub target: Target,
}

/// Commands on the whole audit, with sign-ins and changes of credentials.
#[derive(Subcommand)]
pub enum Command {
    /// Find out whether a row was changed or removed since it was written
    Verify(Verify),
}

/// The verification.
#[derive(Args)]
pub struct Verify {
    /// The newest row of an earlier verification or of the log: the end of the audit must continue it
    #[arg(long, value_name = "NUMBER:HASH")]
    pub head: Option<AuditHead>,
    /// The Portia
    #[command(flatten)]
    pub target: Target,
}

/// Executes the command.
///
/// # Errors
/// When Portia is not running, or the chain is broken.
pub(super) async fn run(arguments: Audit, config: &Source) -> anyhow::Result<String> {
    match arguments.command {
        None => list(&arguments, config).await,
        Some(Command::Verify(verify)) => verification(&verify, config).await,
    }
}

async fn verification(arguments: &Verify, config: &Source) -> anyhow::Result<String> {
    let mut auth = connect(&arguments.target, "auth", config).await?;
    let verified = auth::admin::verify_audit(&mut auth, arguments.head).await;
    let Verification { head, unsealed, finding } = verified.context("The audit cannot be read")?;
    auth.close().await?;
    if let Some(finding) = finding {
        anyhow::bail!("{} The rows up to {} are unchanged.", sentence(&finding), head.seq);
    }
    let waiting = match unsealed {
        0 => String::new(),
        1 => " 1 newer row is not linked yet.".to_owned(),
        rows => format!(" {rows} newer rows are not linked yet."),
    };
    Ok(format!(
        "The audit is unchanged: {} rows.{waiting}\nNewest row: {head}\nKeep this line on another machine, and pass it as --head later.",
        head.seq
    ))
}

fn sentence(finding: &Finding) -> String {
    match finding {
        Finding::Changed { seq, id, at } => format!(
            "Row {seq} ({id}, {}) does not continue the audit: it, or the row before it, was changed after it was written.",
            time(*at)
        ),
        Finding::Redacted { seq, id, at } => {
            format!("Row {seq} ({id}, {}) lost its address and note, but its member was not erased.", time(*at))
        }
        Finding::Missing { seq } => format!("Row {seq} is missing, perhaps with later ones."),
        Finding::Head { seq } => format!("The last row is not the one that was linked last, number {seq}."),
        Finding::Rewritten { seq } => {
            format!("Row {seq} is not the one of --head: the audit was written anew from there or before.")
        }
    }
}

/// The newest actions, oldest first.
///
/// # Errors
/// When Portia is not running.
async fn list(arguments: &Audit, config: &Source) -> anyhow::Result<String> {
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
