//! The short run of `cargo xtask chaos`, as one test.

use anyhow::Result;

use super::{
    compile,
    outcome::{Failure, Outcome},
};
use crate::{chaos, command::say, tally::Tally, workspace::Workspace};

/// Its table, with the mismatches, is in the output.
pub(super) fn run(workspace: &Workspace) -> Result<Outcome> {
    compile::compile_portia(workspace)?;
    let ran = chaos::run_short(workspace);
    let mut outcome = Outcome::from(Tally { passed: u64::from(ran.is_ok()), failed: u64::from(ran.is_err()) });
    if let Err(error) = ran {
        say(&format!("{error}"));
        outcome.failures.push(Failure { name: "chaos".to_owned(), message: format!("{error:#}; its table is above") });
    }
    Ok(outcome)
}
