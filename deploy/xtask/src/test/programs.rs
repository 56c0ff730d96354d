//! The compiled test programs of the workspace.

use std::{fs, path::PathBuf, process::Command};

use anyhow::{Result, bail};

use crate::{
    command::{linting_cargo, output},
    workspace::Workspace,
};

/// Prints package, working directory and path of a test program in place of running it.
const LIST: &str =
    r#"target."cfg(all())".runner = ["sh", "-c", 'printf "program\t%s\t%s\t%s\n" "$CARGO_PKG_NAME" "$PWD" "$0"']"#;

/// A compiled test program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) package: String,
    /// The folder of the package, in which its tests run.
    pub(super) folder: PathBuf,
    pub(super) path: PathBuf,
}

impl Program {
    /// Runs the program as `cargo test` does.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder);
        command.env("CARGO_MANIFEST_DIR", &self.folder).env("CARGO_PKG_NAME", &self.package);
        command
    }
}

/// The programs that `cargo test` has compiled, the largest first: the large ones contain the services, and have the slowest
/// tests.
pub(super) fn compiled(workspace: &Workspace) -> Result<Vec<Program>> {
    let mut list = linting_cargo();
    // --tests leaves out documentation tests: the workspace has none, and rustdoc takes a second per crate.
    list.args(["test", "--quiet", "--workspace", "--tests", "--config", LIST]).current_dir(&workspace.root);
    let mut programs = programs(&output(&mut list)?);
    if programs.is_empty() {
        bail!("cargo names no test programs");
    }
    programs.sort_by_cached_key(|program| std::cmp::Reverse(fs::metadata(&program.path).map_or(0, |file| file.len())));
    Ok(programs)
}

/// The programs in the output of [`LIST`].
fn programs(list: &str) -> Vec<Program> {
    let program = |line: &str| {
        let mut words = line.strip_prefix("program\t")?.split('\t');
        let (package, folder, path) = (words.next()?, words.next()?, words.next()?);
        Some(Program { package: package.to_owned(), folder: folder.into(), path: path.into() })
    };
    list.lines().filter_map(program).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listed_programs_are_read() {
        let list = "a warning\nprogram\tfeed\t/clone/services/feed\t/clone/target/debug/deps/it-1\n";
        let expected = Program {
            package: "feed".into(),
            folder: "/clone/services/feed".into(),
            path: "/clone/target/debug/deps/it-1".into(),
        };
        assert_eq!(programs(list), [expected]);
    }

    #[test]
    fn a_program_runs_in_the_folder_of_its_package() {
        let program = Program { package: "feed".into(), folder: "/clone/services/feed".into(), path: "it-1".into() };
        let command = program.command();
        assert_eq!(command.get_current_dir(), Some(program.folder.as_path()));
        let folder = command.get_envs().find(|(name, _)| *name == "CARGO_MANIFEST_DIR").and_then(|(_, value)| value);
        assert_eq!(folder, Some(program.folder.as_os_str()));
    }
}
