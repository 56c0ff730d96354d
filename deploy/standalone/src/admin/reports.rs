//! What members reported: listed, and decided.

use std::collections::HashMap;

use anyhow::Context as _;
use auth::admin::ReportDecision;
use chassis::config::Source;
use clap::{Args, Subcommand, ValueEnum};
use feed::{
    admin::{Outcome, Report, ReportedKind},
    error::Error,
};
use primitives::clock::Clock;
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use super::{Place, connect, note, time};

/// The answer to a decision on a report that is decided already.
const DECIDED: &str = "This report was decided before, and otherwise.";

/// What can be done about reports: they are listed unless something else is said.
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
    /// Show those that wait, the oldest first
    List(List),
    /// Decide one
    Resolve(Resolve),
}

#[derive(Args)]
struct List {
    /// Those that are decided too: the newest hundred
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    place: Place,
}

#[derive(Args)]
struct Resolve {
    /// Its id, as `list` shows it
    id: Uuid,
    decision: Wanted,
    /// Why: kept in the audit
    #[arg(long)]
    note: Option<String>,
    #[command(flatten)]
    place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Wanted {
    /// Take the post or comment away, close the job: for good, and every report of it is decided
    Remove,
    /// Let it stand
    Dismiss,
}

impl From<Wanted> for Outcome {
    fn from(wanted: Wanted) -> Self {
        match wanted {
            Wanted::Remove => Self::Removed,
            Wanted::Dismiss => Self::Dismissed,
        }
    }
}

/// Does it; what came of it.
///
/// # Errors
/// When there is no such report, it was decided otherwise, or Portia is not running.
pub(super) async fn run(asked: Reports, config: &Source) -> anyhow::Result<String> {
    match asked.command {
        Some(Command::Resolve(resolve)) => decide(resolve, config).await,
        Some(Command::List(list)) => show(&list, config).await,
        None => show(&asked.list, config).await,
    }
}

async fn show(list: &List, config: &Source) -> anyhow::Result<String> {
    let mut feed = connect(&list.place, "feed", config).await?;
    let reports = feed::admin::list(&mut feed, list.all).await.context("The reports cannot be read")?;
    feed.close().await?;
    let members: Vec<Uuid> =
        reports.iter().flat_map(|report| [report.subject_id, report.reporter_id]).flatten().collect();
    let mut auth = connect(&list.place, "auth", config).await?;
    let names = auth::admin::batch_get_usernames(&mut auth, &members).await.context("The usernames cannot be read")?;
    auth.close().await?;
    Ok(listed(&reports, &names.into_iter().collect()))
}

/// One after the other: the operator must read the whole report before a decision. Nothing in it can move the cursor:
/// feed sees to that.
fn listed(reports: &[Report], names: &HashMap<Uuid, String>) -> String {
    if reports.is_empty() {
        return "Nothing waits.".to_owned();
    }
    let called = |member: Option<Uuid>| match member.and_then(|member| names.get(&member)) {
        Some(name) => name.clone(),
        None => "a former member".to_owned(),
    };
    let one = |report: &Report| {
        let whose =
            if report.kind == ReportedKind::Job { String::new() } else { format!(" of {}", called(report.subject_id)) };
        let mut lines = vec![
            format!("{}  {}", report.id, reason(report)),
            format!("  {} {}{whose}", noun(report.kind), report.item_id),
        ];
        lines.extend(quoted('|', &report.excerpt));
        lines.push(format!("  reported {} by {}", time(report.created_at), called(report.reporter_id)));
        lines.extend(report.words.iter().flat_map(|words| quoted('>', words)));
        if let (Some(outcome), Some(at)) = (report.outcome, report.resolved_at) {
            lines.push(format!("  {} {}", past(outcome), time(at)));
        }
        lines.join("\n")
    };
    reports.iter().map(one).collect::<Vec<_>>().join("\n\n")
}

/// A text of a member, each line marked. Broken before a terminal of 80 columns would break it, even where every
/// character is two columns wide: what stands at the margin is ours.
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

/// The audit is opened first, so that nothing is done which could not be noted; should noting fail all the same, the same
/// again notes it.
async fn decide(resolve: Resolve, config: &Source) -> anyhow::Result<String> {
    let note = note(resolve.note.as_deref())?;
    let wanted = Outcome::from(resolve.decision);
    let mut auth = connect(&resolve.place, "auth", config).await?;
    let mut feed = connect(&resolve.place, "feed", config).await?;
    let report = found(feed::admin::get(&mut feed, resolve.id).await)?;
    if report.outcome.is_some_and(|outcome| outcome != wanted) {
        anyhow::bail!(DECIDED);
    }
    if wanted == Outcome::Removed {
        remove_elsewhere(&report, &resolve.place, &mut auth, config).await?;
    }
    let clock = Clock::system();
    found(feed::admin::resolve(&mut feed, resolve.id, wanted, clock.now()).await)?;
    feed.close().await?;
    let about = format!("{} {}", noun(report.kind), report.item_id);
    let decision = ReportDecision {
        report: report.id,
        removed: wanted == Outcome::Removed,
        member: report.subject_id,
        about: &about,
        note: note.as_ref(),
    };
    let noted = auth::admin::record_decision(&mut auth, &decision, &clock).await;
    noted.context("It is decided, but could not be noted: decide it the same way again")?;
    auth.close().await?;
    Ok(match wanted {
        Outcome::Removed => format!("The {} is removed.", noun(report.kind)),
        Outcome::Dismissed => "The report is dismissed.".to_owned(),
    })
}

/// Removes what feed does not own, or says what else to do about it.
async fn remove_elsewhere(
    report: &Report,
    place: &Place,
    auth: &mut PgConnection,
    config: &Source,
) -> anyhow::Result<()> {
    match report.kind {
        ReportedKind::Post | ReportedKind::Comment => Ok(()),
        ReportedKind::Job => {
            let mut jobs = connect(place, "jobs", config).await?;
            let removed = jobs::admin::remove_posting(&mut jobs, report.item_id, Clock::system().now()).await;
            jobs.close().await?;
            match removed {
                // Gone by itself, which is as good.
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

/// The report, or a sentence for the person who asked.
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
        assert_eq!(listed(std::slice::from_ref(&report), &names), text);
        let job = Report {
            kind: ReportedKind::Job,
            subject_id: None,
            words: None,
            outcome: Some(Outcome::Removed),
            resolved_at: Some(noon),
            ..report
        };
        let text = listed(&[job], &names);
        assert!(text.contains("\n  job 00000000-0000-0000-0000-000000000005\n"), "{text}");
        assert!(text.ends_with("by a former member\n  removed 2026-11-20 12:00 UTC"), "{text}");
        assert_eq!(listed(&[], &names), "Nothing waits.");
    }
    #[test]
    fn quoted_lines_always_have_the_margin() {
        let forged = format!("{}  reported today by nobody\n\nend", "x".repeat(72));
        let first = format!("  | {}", "x".repeat(72));
        assert_eq!(quoted('|', &forged), [&first, "  |   reported today by nobody", "  | ", "  | end"]);
        let wide = quoted('>', &"律".repeat(100));
        assert_eq!(wide.iter().map(|line| line.chars().count()).collect::<Vec<_>>(), [40, 40, 32]);
    }
}
