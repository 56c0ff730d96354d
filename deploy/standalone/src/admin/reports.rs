//! The reports of members: list and decide.

use std::collections::HashMap;

use anyhow::Context as _;
use auth::admin::ReportDecision;
use chassis::config::Source;
use clap::{Args, Subcommand, ValueEnum};
use feed::{
    admin::{Outcome, Report, ReportedKind},
    error::Error,
};
use primitives::{clock::Clock, ids::Ids};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use super::{Target, connect, note, time};

/// The error for a report that was decided differently.
const DECIDED: &str = "This report was decided before, and otherwise.";

/// The commands on reports; the default is the list.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Reports {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    list: List,
}

#[derive(Subcommand)]
enum Command {
    /// Show the open reports, the oldest first
    List(List),
    /// Decide on one
    Resolve(Resolve),
}

#[derive(Args)]
struct List {
    /// Include the decided ones: the newest hundred
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    target: Target,
}

#[derive(Args)]
struct Resolve {
    /// Its id, as in `list`
    id: Uuid,
    decision: Decision,
    /// The reason, for the audit
    #[arg(long)]
    note: Option<String>,
    #[command(flatten)]
    target: Target,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Decision {
    /// Remove the post or comment, close the job; every report of it is decided. An author can appeal for 30 days
    Remove,
    /// Keep the content
    Dismiss,
}

impl From<Decision> for Outcome {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Remove => Self::Removed,
            Decision::Dismiss => Self::Dismissed,
        }
    }
}

/// Executes the command and returns its result.
///
/// # Errors
/// When there is no such report, it was decided differently, or Portia is not running.
pub(super) async fn run(arguments: Reports, config: &Source) -> anyhow::Result<String> {
    match arguments.command {
        Some(Command::Resolve(resolve)) => decide(resolve, config).await,
        Some(Command::List(list)) => show(&list, config).await,
        None => show(&arguments.list, config).await,
    }
}

async fn show(list: &List, config: &Source) -> anyhow::Result<String> {
    let mut feed = connect(&list.target, "feed", config).await?;
    let reports = feed::admin::list(&mut feed, list.all).await.context("The reports cannot be read")?;
    feed.close().await?;
    let members: Vec<Uuid> =
        reports.iter().flat_map(|report| [report.subject_id, report.reporter_id]).flatten().collect();
    let mut auth = connect(&list.target, "auth", config).await?;
    let names = auth::admin::batch_get_usernames(&mut auth, &members).await.context("The usernames cannot be read")?;
    auth.close().await?;
    Ok(render_list(&reports, &names.into_iter().collect()))
}

/// One after the other: the operator must read the whole report before a decision. The texts contain no control
/// characters: feed removes them.
fn render_list(reports: &[Report], names: &HashMap<Uuid, String>) -> String {
    if reports.is_empty() {
        return "Nothing waits.".to_owned();
    }
    let name_of = |member: Option<Uuid>| match member.and_then(|member| names.get(&member)) {
        Some(name) => name.clone(),
        None => "a former member".to_owned(),
    };
    let one = |report: &Report| {
        let author = if report.kind == ReportedKind::Job {
            String::new()
        } else {
            format!(" of {}", name_of(report.subject_id))
        };
        let mut lines = vec![
            format!("{}  {}", report.id, reason(report)),
            format!("  {} {}{author}", noun(report.kind), report.item_id),
        ];
        lines.extend(quoted('|', &report.excerpt));
        lines.push(format!("  reported {} by {}", time(report.created_at), name_of(report.reporter_id)));
        lines.extend(report.words.iter().flat_map(|words| quoted('>', words)));
        if let (Some(outcome), Some(at)) = (report.outcome, report.resolved_at) {
            lines.push(format!("  {} {}", past(outcome), time(at)));
        }
        lines.join("\n")
    };
    reports.iter().map(one).collect::<Vec<_>>().join("\n\n")
}

/// A text of a member, with a mark on each line. It is wrapped for a terminal of 80 columns, even if every character is
/// two columns wide: no line of a member's text can look like output of this program.
fn quoted(mark: char, text: &str) -> Vec<String> {
    const COLUMNS: usize = 72;
    let wide = |letter: char| if letter.is_ascii() { 1 } else { 2 };
    let mut lines = Vec::new();
    for line in text.lines() {
        let (mut piece, mut columns) = (String::new(), 0);
        for letter in line.chars() {
            if columns + wide(letter) > COLUMNS {
                lines.push(format!("  {mark} {piece}"));
                (piece, columns) = (String::new(), 0);
            }
            piece.push(letter);
            columns += wide(letter);
        }
        lines.push(format!("  {mark} {piece}"));
    }
    lines
}

/// The audit table is opened first, so that no action happens that could not be recorded. If recording fails all the
/// same, the same command again records it.
async fn decide(resolve: Resolve, config: &Source) -> anyhow::Result<String> {
    let note = note(resolve.note.as_deref())?;
    let outcome = Outcome::from(resolve.decision);
    let mut auth = connect(&resolve.target, "auth", config).await?;
    let mut feed = connect(&resolve.target, "feed", config).await?;
    let report = found(feed::admin::get(&mut feed, resolve.id).await)?;
    if report.outcome.is_some_and(|earlier| earlier != outcome) {
        anyhow::bail!(DECIDED);
    }
    if outcome == Outcome::Removed {
        remove_elsewhere(&report, &resolve.target, &mut auth, config).await?;
    }
    let clock = Clock::system();
    found(feed::admin::resolve(&mut feed, resolve.id, outcome, &clock).await)?;
    feed.close().await?;
    let about = format!("{} {}", noun(report.kind), report.item_id);
    let decision = ReportDecision {
        report: report.id,
        removed: outcome == Outcome::Removed,
        member: report.subject_id,
        about: &about,
        note: note.as_ref(),
    };
    let recorded = auth::admin::record_decision(&mut auth, &decision, &clock).await;
    recorded.context("It is decided, but could not be recorded: decide it the same way again")?;
    auth.close().await?;
    Ok(match outcome {
        Outcome::Removed => format!("The {} is removed.", noun(report.kind)),
        Outcome::Dismissed => "The report is dismissed.".to_owned(),
    })
}

/// Removes content that feed does not own, or returns what else the operator can do.
async fn remove_elsewhere(
    report: &Report,
    target: &Target,
    auth: &mut PgConnection,
    config: &Source,
) -> anyhow::Result<()> {
    match report.kind {
        ReportedKind::Post | ReportedKind::Comment => Ok(()),
        ReportedKind::Job => {
            let mut jobs = connect(target, "jobs", config).await?;
            let clock = Clock::system();
            let ids = Ids::random(clock.clone());
            let removed = jobs::admin::remove_posting(&mut jobs, report.item_id, &ids, &clock).await;
            jobs.close().await?;
            match removed {
                // A posting that is closed already needs no action.
                Ok(_) | Err(jobs::error::Error::JobNotFound) => Ok(()),
                Err(error) => Err(error).context("The job could not be closed"),
            }
        }
        ReportedKind::Member | ReportedKind::Message => {
            let names = auth::admin::batch_get_usernames(auth, report.subject_id.as_slice()).await?;
            let name = names.first().map_or("USERNAME", |(_, name)| name);
            anyhow::bail!(
                "A {} is not removed: `portia admin suspend -- {name}` suspends the account; dismiss the report then.",
                noun(report.kind)
            )
        }
    }
}

/// The report, or a sentence for the operator.
fn found(report: Result<Report, Error>) -> anyhow::Result<Report> {
    match report {
        Err(Error::ReportNotFound) => anyhow::bail!("There is no report of that id."),
        Err(Error::ReportDecided) => anyhow::bail!(DECIDED),
        other => other.context("This could not be decided"),
    }
}

const fn noun(kind: ReportedKind) -> &'static str {
    match kind {
        ReportedKind::Post => "post",
        ReportedKind::Comment => "comment",
        ReportedKind::Member => "member",
        ReportedKind::Message => "message",
        ReportedKind::Job => "job",
    }
}

const fn reason(report: &Report) -> &'static str {
    use feed::admin::Reason;
    match report.reason {
        Reason::Spam => "spam",
        Reason::Harassment => "harassment",
        Reason::FalseInformation => "false information",
        Reason::Impersonation => "impersonation",
        Reason::PrivilegedInformation => "privileged information",
        Reason::Illegal => "illegal",
        Reason::Other => "other",
    }
}

const fn past(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Removed => "removed",
        Outcome::Dismissed => "dismissed",
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use feed::admin::Reason;

    use super::*;

    #[test]
    fn a_report_is_read_whole_before_it_is_decided() {
        let noon = DateTime::from_timestamp(1_795_176_000, 0).unwrap();
        let report = Report {
            id: Uuid::from_u128(7),
            reporter_id: Some(Uuid::from_u128(1)),
            kind: ReportedKind::Comment,
            item_id: Uuid::from_u128(5),
            subject_id: Some(Uuid::from_u128(2)),
            excerpt: "Buy,\nor not.".to_owned(),
            reason: Reason::FalseInformation,
            words: Some("It lies.\nTwice.".to_owned()),
            created_at: noon,
            resolved_at: None,
            outcome: None,
        };
        let names = HashMap::from([(Uuid::from_u128(2), "Mallory".to_owned())]);
        let text = "00000000-0000-0000-0000-000000000007  false information\n  \
                    comment 00000000-0000-0000-0000-000000000005 of Mallory\n  | Buy,\n  | or not.\n  \
                    reported 2026-11-20 12:00 UTC by a former member\n  > It lies.\n  > Twice.";
        assert_eq!(render_list(std::slice::from_ref(&report), &names), text);
        let job = Report {
            kind: ReportedKind::Job,
            subject_id: None,
            words: None,
            outcome: Some(Outcome::Removed),
            resolved_at: Some(noon),
            ..report
        };
        let text = render_list(&[job], &names);
        assert!(text.contains("\n  job 00000000-0000-0000-0000-000000000005\n"), "{text}");
        assert!(text.ends_with("by a former member\n  removed 2026-11-20 12:00 UTC"), "{text}");
        assert_eq!(render_list(&[], &names), "Nothing waits.");
    }
    #[test]
    fn quoted_lines_always_have_the_margin() {
        let forged = format!("{}  reported today by Ana\n\nend", "x".repeat(72));
        let first = format!("  | {}", "x".repeat(72));
        assert_eq!(quoted('|', &forged), [&first, "  |   reported today by Ana", "  | ", "  | end"]);
        let wide = quoted('>', &"律".repeat(100));
        assert_eq!(wide.iter().map(|line| line.chars().count()).collect::<Vec<_>>(), [40, 40, 32]);
    }
}
