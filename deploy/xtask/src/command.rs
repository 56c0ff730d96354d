//! Running other programs. A failure is one sentence with the command.

use std::{
    ffi::OsStr,
    io::ErrorKind,
    path::PathBuf,
    process::{Command, ExitStatus},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Result, bail};
use signal_hook::{
    consts::{SIGHUP, SIGINT},
    flag,
};

static INTERRUPTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From now on, Ctrl-C ends the running program, and xtask after it has stopped its own servers.
pub(crate) fn handle_interrupts() -> Result<()> {
    let interrupted = INTERRUPTED.get_or_init(Arc::default);
    flag::register(SIGINT, Arc::clone(interrupted))?;
    flag::register(SIGHUP, Arc::clone(interrupted))?;
    Ok(())
}

/// Whether Ctrl-C was pressed.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.get().is_some_and(|interrupted| interrupted.load(Ordering::Relaxed))
}

/// Prints a progress line to standard error, apart from the output of the programs.
pub(crate) fn say(line: &str) {
    eprintln!("\u{2022} {line}");
}

/// The cargo that runs xtask.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Returns a cargo that compiles this workspace with clippy: one run of the compiler checks the lints, warnings
/// included, and produces the programs. `cargo clippy` only checks.
pub(crate) fn linting_cargo() -> Command {
    let mut linting = cargo();
    let driver = PathBuf::from(linting.get_program()).with_file_name("clippy-driver");
    // Arguments of the driver end with this mark; `cargo clippy` passes them in the same variable.
    linting.env("RUSTC_WORKSPACE_WRAPPER", driver).env("CLIPPY_ARGS", "--deny=warnings__CLIPPY_HACKERY__");
    linting
}

/// Runs a command on this terminal. Its failure is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = started(command, Command::status)?;
    if !status.success() {
        bail!("`{}` {}", shown(command), ended(status));
    }
    Ok(())
}

/// Runs a command and returns its standard output. Its errors go to this terminal.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    command.stderr(std::process::Stdio::inherit());
    let output = started(command, Command::output)?;
    if !output.status.success() {
        bail!("`{}` {}", shown(command), ended(output.status));
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Starts a command; a missing program is a clear error.
pub(crate) fn started<T>(command: &mut Command, how: impl FnOnce(&mut Command) -> std::io::Result<T>) -> Result<T> {
    match how(command) {
        Ok(result) => Ok(result),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("`{}` is not installed (or not on the PATH)", command.get_program().display())
        }
        Err(error) => bail!("`{}` could not be run: {error}", shown(command)),
    }
}

/// The command line, without the folder of the program.
pub(crate) fn shown(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let name = program.file_name().unwrap_or(OsStr::new("?"));
    std::iter::once(name).chain(command.get_args()).map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn ended(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("failed with exit code {code}"),
        None => "was stopped by a signal".into(),
    }
}

/// The path of a program that is on the PATH.
pub(crate) fn on_the_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Whether a program is on the PATH.
pub(crate) fn is_installed(program: &str) -> bool {
    on_the_path(program).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_one_sentence() {
        let error = run(&mut Command::new("portia-no-such-program")).unwrap_err();
        assert_eq!(error.to_string(), "`portia-no-such-program` is not installed (or not on the PATH)");
    }

    #[test]
    fn a_failing_program_is_shown_with_its_code() {
        let error = run(Command::new("/bin/sh").args(["-c", "exit 3"])).unwrap_err();
        assert_eq!(error.to_string(), "`sh -c exit 3` failed with exit code 3");
    }

    #[test]
    fn output_is_captured() {
        assert_eq!(output(Command::new("echo").arg("torts")).unwrap(), "torts\n");
    }

    #[test]
    fn a_program_on_the_path_is_found() {
        assert!(is_installed("sh"));
        assert!(!is_installed("portia-no-such-program"));
    }
}
