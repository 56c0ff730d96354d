//! Verified members, and the stewards of schools.

use anyhow::Context as _;
use auth::{admin::VerificationEvent, error::Error as AuthError};
use chassis::config::Source;
use clap::{Args, Subcommand};
use primitives::{clock::Clock, ids::Ids, input::Line};
use profile::{
    admin::{Cause, LoggedDecision, Reason},
    error::Error,
};
use sqlx::{Connection as _, PgConnection, Postgres, Transaction};
use uuid::Uuid;

use super::{Target, connect, note, table::table, time};

/// The member and the reason.
#[derive(Args)]
pub struct Verify {
    /// The account's username, in either case
    pub username: String,
    /// The school that confirms the member, as the profile states it; without it, Portia does
    #[arg(long)]
    pub school: Option<String>,
    /// How you know that the member is this person; never the number of a document
    #[arg(long)]
    pub reason: String,
    /// The Portia
    #[command(flatten)]
    pub target: Target,
}

/// The member and the reason.
#[derive(Args)]
pub struct Unverify {
    /// The account's username, in either case
    pub username: String,
    /// Why the verification ends
    #[arg(long)]
    pub reason: String,
    /// The Portia
    #[command(flatten)]
    pub target: Target,
}

/// The commands on stewards.
#[derive(Subcommand)]
pub enum Stewards {
    /// Let a member verify the members of one school
    Add(Add),
    /// Take that role away, at once; the verifications stay
    Remove(Remove),
    /// Show the stewards
    List(Target),
    /// Show the decisions about verifications: of stewards, of operators, and those that changes of members caused
    Log(Log),
}

/// The member and the school.
#[derive(Args)]
pub struct Add {
    /// The account's username, in either case
    pub username: String,
    /// The name of the school, as its members state it
    #[arg(long)]
    pub school: String,
    /// The reason, for the audit
    #[arg(long)]
    pub note: Option<String>,
    /// The Portia
    #[command(flatten)]
    pub target: Target,
}

/// The member.
#[derive(Args)]
pub struct Remove {
    /// The account's username, in either case
    pub username: String,
    /// The reason, for the audit
    #[arg(long)]
    pub note: Option<String>,
    /// The Portia
    #[command(flatten)]
    pub target: Target,
}

/// The length of the list.
#[derive(Args)]
pub struct Log {
    /// The number of decisions, the newest ones
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub limit: u32,
    /// The Portia
    #[command(flatten)]
    pub target: Target,
}

/// Verifies a member.
///
/// # Errors
/// When there is no such account, it is verified, it states another school, or Portia is not running.
pub(super) async fn verify(arguments: &Verify, config: &Source) -> anyhow::Result<String> {
    let reason = reason(&arguments.reason)?;
    let school = arguments.school.as_deref().map(school_name).transpose()?;
    let (mut auth, mut profile) = open(&arguments.target, config).await?;
    let (clock, name) = (Clock::system(), arguments.username.as_str());
    let ids = Ids::random(clock.clone());
    let school_text = school.as_deref();
    let note = note(Some(&reason))?;
    let mut audit = auth.begin().await?;
    let (member, username) = account(&mut audit, name, &clock).await?;
    let event = VerificationEvent::Verified;
    auth::admin::record_verification(&mut audit, member, event, school_text, note.as_ref(), &ids, &clock).await?;
    match profile::admin::verify(&mut profile, member, school.as_ref(), &reason, &ids, &clock).await {
        Ok(full_name) => {
            audit.commit().await?;
            let by = school_text.unwrap_or("Portia");
            Ok(format!("{full_name} ({username}) is verified by {by}."))
        }
        Err(Error::MemberNotFound) => anyhow::bail!("There is no account named '{}'.", name.escape_debug()),
        Err(Error::AlreadyVerified) => anyhow::bail!("The account '{}' is verified already.", name.escape_debug()),
        Err(Error::OtherSchool) => {
            anyhow::bail!("The profile of '{}' does not state this school.", name.escape_debug())
        }
        Err(error) => Err(error).context("The member could not be verified"),
    }
}

/// Withdraws a verification, by Portia or by a school.
///
/// # Errors
/// When there is no such account, it is not verified, or Portia is not running.
pub(super) async fn unverify(arguments: &Unverify, config: &Source) -> anyhow::Result<String> {
    let reason = reason(&arguments.reason)?;
    let (mut auth, mut profile) = open(&arguments.target, config).await?;
    let (clock, name) = (Clock::system(), arguments.username.as_str());
    let ids = Ids::random(clock.clone());
    let note = note(Some(&reason))?;
    let mut audit = auth.begin().await?;
    let (member, username) = account(&mut audit, name, &clock).await?;
    let event = VerificationEvent::Withdrawn;
    auth::admin::record_verification(&mut audit, member, event, None, note.as_ref(), &ids, &clock).await?;
    match profile::admin::withdraw(&mut profile, member, &reason, &ids, &clock).await {
        Ok(full_name) => {
            audit.commit().await?;
            Ok(format!("{full_name} ({username}) is no longer verified."))
        }
        Err(Error::MemberNotFound | Error::StateUnchanged) => {
            anyhow::bail!("The account '{}' is not verified.", name.escape_debug())
        }
        Err(error) => Err(error).context("The verification could not be withdrawn"),
    }
}

/// Executes a command on stewards and returns its result.
///
/// # Errors
/// When there is no such account, it is in that state already, or Portia is not running.
pub(super) async fn stewards(command: Stewards, config: &Source) -> anyhow::Result<String> {
    match command {
        Stewards::Add(arguments) => add(&arguments, config).await,
        Stewards::Remove(arguments) => remove(&arguments, config).await,
        Stewards::List(target) => list(&target, config).await,
        Stewards::Log(arguments) => log(&arguments, config).await,
    }
}

async fn add(arguments: &Add, config: &Source) -> anyhow::Result<String> {
    let (school, note) = (school_name(&arguments.school)?, note(arguments.note.as_deref())?);
    let (mut auth, mut profile) = open(&arguments.target, config).await?;
    let (clock, name) = (Clock::system(), arguments.username.as_str());
    let ids = Ids::random(clock.clone());
    let mut audit = auth.begin().await?;
    let (member, username) = account(&mut audit, name, &clock).await?;
    let event = VerificationEvent::StewardAdded;
    auth::admin::record_verification(&mut audit, member, event, Some(&school), note.as_ref(), &ids, &clock).await?;
    match profile::admin::add_steward(&mut profile, member, &school, &clock).await {
        Ok(()) => {
            audit.commit().await?;
            Ok(format!("{username} is the steward of {}.", &*school))
        }
        Err(Error::MemberNotFound) => anyhow::bail!("There is no account named '{}'.", name.escape_debug()),
        Err(Error::StateUnchanged) => {
            anyhow::bail!("The account '{}' is the steward of this school already.", name.escape_debug())
        }
        Err(error) => Err(error).context("The role could not be changed"),
    }
}

async fn remove(arguments: &Remove, config: &Source) -> anyhow::Result<String> {
    let note = note(arguments.note.as_deref())?;
    let (mut auth, mut profile) = open(&arguments.target, config).await?;
    let (clock, name) = (Clock::system(), arguments.username.as_str());
    let ids = Ids::random(clock.clone());
    let mut audit = auth.begin().await?;
    let (member, username) = account(&mut audit, name, &clock).await?;
    let event = VerificationEvent::StewardRemoved;
    auth::admin::record_verification(&mut audit, member, event, None, note.as_ref(), &ids, &clock).await?;
    match profile::admin::remove_steward(&mut profile, member).await {
        Ok(()) => {
            audit.commit().await?;
            Ok(format!("{username} is no longer a steward."))
        }
        Err(Error::StateUnchanged) => anyhow::bail!("The account '{}' is no steward.", name.escape_debug()),
        Err(error) => Err(error).context("The role could not be changed"),
    }
}

async fn list(target: &Target, config: &Source) -> anyhow::Result<String> {
    let mut profile = connect(target, "profile", config).await?;
    let stewards = profile::admin::list_stewards(&mut profile).await.context("The stewards cannot be read")?;
    profile.close().await?;
    let rows: Vec<_> =
        stewards.into_iter().map(|steward| [steward.school, steward.username, time(steward.granted_at)]).collect();
    Ok(table(["school", "steward", "since"], &rows))
}

async fn log(arguments: &Log, config: &Source) -> anyhow::Result<String> {
    let (mut auth, mut profile) = open(&arguments.target, config).await?;
    let decisions = profile::admin::list_decisions(&mut profile, arguments.limit).await;
    let decisions = decisions.context("The decisions cannot be read")?;
    profile.close().await?;
    let members: Vec<Uuid> =
        decisions.iter().flat_map(|decision| [Some(decision.member_id), decision.steward_id]).flatten().collect();
    let names = auth::admin::batch_get_usernames(&mut auth, &members).await.context("The usernames cannot be read")?;
    auth.close().await?;
    let name_of = |id: Uuid| {
        names.iter().find(|(known, _)| *known == id).map_or_else(|| id.to_string(), |(_, name)| name.clone())
    };
    let row = |decision: LoggedDecision| {
        let by = match (decision.cause, decision.steward_id) {
            (Cause::Operator, _) => "operator".to_owned(),
            (Cause::Steward, Some(steward)) => name_of(steward),
            (Cause::Steward, None) => "a former member".to_owned(),
            (Cause::NameChanged, _) => "change of the name".to_owned(),
            (Cause::SchoolChanged, _) => "change of the school".to_owned(),
            (Cause::AccountClosed, _) => "suspended or closed account".to_owned(),
        };
        let what = if decision.verified { "verified" } else { "ended" };
        let school = decision.school.unwrap_or_else(|| "Portia".to_owned());
        [
            time(decision.at),
            what.to_owned(),
            name_of(decision.member_id),
            school,
            by,
            decision.reason.unwrap_or_default(),
        ]
    };
    let rows: Vec<_> = decisions.into_iter().map(row).collect();
    Ok(table(["when", "what", "member", "school", "by", "reason"], &rows))
}

/// Connections to both schemas. The audit row is committed after the decision: a decision that fails leaves none.
async fn open(target: &Target, config: &Source) -> anyhow::Result<(PgConnection, PgConnection)> {
    Ok((connect(target, "auth", config).await?, connect(target, "profile", config).await?))
}

async fn account(auth: &mut Transaction<'_, Postgres>, name: &str, clock: &Clock) -> anyhow::Result<(Uuid, String)> {
    match auth::admin::find_account(auth, name, clock).await {
        Ok(found) => Ok(found),
        Err(AuthError::AccountNotFound) => anyhow::bail!("There is no account named '{}'.", name.escape_debug()),
        Err(error) => Err(error).context("The account cannot be read"),
    }
}

fn reason(raw: &str) -> anyhow::Result<Reason> {
    Line::parse("reason", raw, 1, "It must not be empty.")
        .map_err(|refused| anyhow::anyhow!("The reason is refused: {}", refused.message))
}

fn school_name(raw: &str) -> anyhow::Result<Line<200>> {
    Line::parse("school", raw, 1, "It must not be empty.")
        .map_err(|refused| anyhow::anyhow!("The school is refused: {}", refused.message))
}
