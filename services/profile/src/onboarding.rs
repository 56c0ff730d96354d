//! The onboarding of a new member: five steps, each open, skipped or done.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// The connections after which the step 'people' is done without being marked.
const ENOUGH_CONNECTIONS: i64 = 3;

/// A step, in the order of the onboarding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    School,
    GraduationYear,
    Interests,
    People,
    Communities,
}

impl Step {
    pub const ALL: [Self; 5] = [Self::School, Self::GraduationYear, Self::Interests, Self::People, Self::Communities];

    /// The value in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::School => "school",
            Self::GraduationYear => "graduation_year",
            Self::Interests => "interests",
            Self::People => "people",
            Self::Communities => "communities",
        }
    }
}

/// The state of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Open,
    Skipped,
    Done,
}

/// A valid change.
#[derive(Clone, Copy, Debug)]
pub enum OnboardingChange {
    /// The step is done (true) or skipped.
    Step(Step, bool),
    Dismissed(bool),
}

/// The steps with their states, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Onboarding {
    pub items: Vec<(Step, State)>,
    pub dismissed: bool,
}

/// The stored row: the steps done, the steps skipped, and whether the checklist is dismissed.
pub type OnboardingRow = (Vec<String>, Vec<String>, bool);

/// The part of a profile that answers steps.
#[derive(Clone, Copy, Debug)]
pub struct Answers {
    pub school: bool,
    pub graduation_year: bool,
    pub interests: bool,
    pub connections: i64,
}

impl Onboarding {
    /// A step that the profile answers is done, whatever is stored.
    pub fn of((done, skipped, dismissed): OnboardingRow, answers: Answers) -> Self {
        let is_answered = |step| match step {
            Step::School => answers.school,
            Step::GraduationYear => answers.graduation_year,
            Step::Interests => answers.interests,
            Step::People => answers.connections >= ENOUGH_CONNECTIONS,
            Step::Communities => false,
        };
        let has = |steps: &[String], step: Step| steps.iter().any(|stored| stored == step.as_str());
        let state = |step| match () {
            () if is_answered(step) || has(&done, step) => State::Done,
            () if has(&skipped, step) => State::Skipped,
            () => State::Open,
        };
        Self { items: Step::ALL.map(|step| (step, state(step))).to_vec(), dismissed }
    }
}

/// Starts the onboarding of a new member.
pub async fn create(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "insert into profile.onboarding (member_id)
        values ($1)
        on conflict (member_id) do nothing",
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Applies a change. A step is in at most one of the two lists; a step that is done stays done.
///
/// # Errors
/// [`Error::MemberNotFound`] for a hidden member and for one without an onboarding.
pub async fn update(db: &mut PgConnection, member: Uuid, change: OnboardingChange) -> Result<(), Error> {
    let (step, is_done, dismissed) = match change {
        OnboardingChange::Step(step, is_done) => (Some(step.as_str()), is_done, None),
        OnboardingChange::Dismissed(dismissed) => (None, false, Some(dismissed)),
    };
    let updated = sqlx::query!(
        "update profile.onboarding o
        set done = case when $2::text is null or not $3 or $2 = any(o.done) then o.done else o.done || $2 end,
            skipped = case
                when $2 is null then o.skipped
                when $3 then array_remove(o.skipped, $2)
                when $2 = any(o.done) or $2 = any(o.skipped) then o.skipped
                else o.skipped || $2
            end,
            dismissed = coalesce($4, o.dismissed)
        from profile.members m
        where o.member_id = $1
            and m.id = o.member_id
            and not m.hidden",
        member,
        step,
        is_done,
        dismissed,
    )
    .execute(db)
    .await?;
    if updated.rows_affected() == 1 { Ok(()) } else { Err(Error::MemberNotFound) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(row: OnboardingRow, answers: Answers) -> Vec<State> {
        Onboarding::of(row, answers).items.into_iter().map(|(_, state)| state).collect()
    }

    #[test]
    fn a_step_is_done_by_the_profile_or_by_its_mark() {
        use State::{Done, Open, Skipped};
        let nothing = Answers { school: false, graduation_year: false, interests: false, connections: 2 };
        let texts = |steps: &[&str]| steps.iter().map(|step| (*step).to_owned()).collect::<Vec<_>>();
        assert_eq!(states((vec![], vec![], false), nothing), [Open; 5]);
        let row = (texts(&["communities"]), texts(&["school", "people"]), false);
        assert_eq!(states(row.clone(), nothing), [Skipped, Open, Open, Skipped, Done]);
        let answers = Answers { school: true, graduation_year: true, interests: true, connections: 3 };
        assert_eq!(states(row, answers), [Done; 5]);
    }
}
