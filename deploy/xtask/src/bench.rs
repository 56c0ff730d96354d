//! `cargo xtask seed` and `cargo xtask bench`: fills a data folder, and measures the cost of requests on it.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Result, bail};

use crate::{
    command::{cargo, output, run, say},
    workspace::Workspace,
};

#[derive(clap::Args)]
pub(crate) struct Seed {
    /// S (1,000 members, 20,000 posts), M (10,000 and 100,000), L (100,000 and 1,000,000) or a number of members.
    #[arg(long)]
    size: String,
    /// An empty data folder, for `up --data` [default: the one `bench --size` measures].
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The present time of the data: one size and one time always give the same rows [default: this hour].
    #[arg(long, value_name = "RFC 3339")]
    as_of: Option<String>,
}

#[derive(clap::Args)]
pub(crate) struct Bench {
    /// Measures a Portia of that size beside a bare server, and fills its data folder first if necessary. Several sizes are
    /// measured in turn, and the first two are compared [default: M].
    #[arg(long)]
    size: Vec<String>,
    /// Measures a data folder that `cargo xtask seed` has filled.
    #[arg(long, value_name = "DIR")]
    data: Vec<PathBuf>,
    /// The total time for which each row is measured, in seconds.
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// Measures every route of Portia alone instead.
    #[arg(long, conflicts_with = "explain")]
    routes: bool,
    /// Prints the query plans and buffers of each list instead.
    #[arg(long)]
    explain: bool,
    /// Measures crawling instead: a local feed of 500 articles, a local board of 10,000 postings, and a thousand simultaneous
    /// refreshes.
    #[arg(long, conflicts_with_all = ["size", "data", "explain", "routes"])]
    ingest: bool,
    /// Measures the consumption of facts instead: backlogs of 10,000 in new data of that size [default: S].
    #[arg(long, conflicts_with_all = ["data", "explain", "routes", "ingest"])]
    facts: bool,
    /// Measures Portia as eight processes with mutual TLS as well, beside the standalone one on the same data.
    #[arg(long, conflicts_with_all = ["explain", "routes", "ingest", "facts"])]
    processes: bool,
    /// The file for the results as JSON [default: beside the data, in the build folder].
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Seed {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let tools = Tools::build(workspace)?;
        let data = self.data.unwrap_or_else(|| tools.folder(&self.size));
        tools.seed(&self.size, &data, self.as_of.as_deref())
    }
}

impl Bench {
    pub(crate) fn run(mut self, workspace: &Workspace) -> Result<()> {
        if self.ingest {
            let tools = Tools::build(workspace)?;
            let data = tools.folder(&format!("ingest-{}", std::process::id()));
            return run(tools.command("ingest").arg("--data").arg(data).arg("--json").arg(self.json(&tools, "ingest")));
        }
        if self.facts {
            let tools = Tools::build(workspace)?;
            let data = tools.folder(&format!("facts-{}", std::process::id()));
            let size = self.size.first().map_or("S", String::as_str);
            let mut facts = tools.command("facts");
            facts.args(["--size", size, "--data"]).arg(data).arg("--json").arg(self.json(&tools, "facts"));
            return run(&mut facts);
        }
        if self.size.is_empty() && self.data.is_empty() {
            self.size.push("M".to_owned());
        }
        let tools = Tools::build(workspace)?;
        let mut folders = Vec::new();
        for size in &self.size {
            let data = tools.folder(size);
            tools.seed(size, &data, None)?;
            folders.push(data);
        }
        folders.append(&mut self.data);
        if !self.explain {
            let what = if self.routes { "report" } else { "compare" };
            let mut report = tools.command(what);
            report.arg("--seconds").arg(self.seconds.to_string()).arg("--json").arg(self.json(&tools, what));
            if self.processes {
                report.arg("--processes").arg(tools.build_processes(workspace)?);
            }
            if !self.routes {
                report.arg("--results").arg(workspace.root.join("deploy/bench/RESULTS.md"));
                report.arg("--commit").arg(commit(workspace)?);
            }
            for data in &folders {
                report.arg("--data").arg(data);
            }
            return run(&mut report);
        }
        let [data] = folders.as_slice() else {
            bail!("--explain looks at one data folder at a time");
        };
        run(tools.command("explain").arg("--data").arg(data).arg("--json").arg(self.json(&tools, "explain")))
    }

    /// `report-S-M.json`, unless the option names a file.
    fn json(&self, tools: &Tools, what: &str) -> PathBuf {
        let mut name = vec![what];
        name.extend(self.size.iter().map(String::as_str));
        self.json.clone().unwrap_or_else(|| tools.folder(&name.join("-")).with_extension("json"))
    }
}

/// The commit of the measured programs, and whether files differ from it.
fn commit(workspace: &Workspace) -> Result<String> {
    let mut git = Command::new("git");
    let described = output(git.args(["describe", "--always", "--dirty", "--abbrev=10"]).current_dir(&workspace.root))?;
    Ok(described.trim().to_owned())
}

/// The programs, built as `up` builds them.
struct Tools {
    release: PathBuf,
    data: PathBuf,
}

impl Tools {
    fn build(workspace: &Workspace) -> Result<Self> {
        say("Building Portia and its bench (the first time this takes some minutes) ...");
        // In two builds: a common one would unify features, and the next `up` would build again.
        for package in ["portia", "portia-bench"] {
            let mut build = cargo();
            run(build.args(["build", "--release", "--package", package]).current_dir(&workspace.root))?;
        }
        let target = workspace.target()?;
        let data = target.join("xtask/bench");
        std::fs::create_dir_all(&data)?;
        Ok(Self { release: target.join("release"), data })
    }

    /// Builds the services and the gateway. Returns the folder of the programs.
    fn build_processes(&self, workspace: &Workspace) -> Result<&Path> {
        let mut build = cargo();
        build.args(["build", "--release", "--package", "gateway"]);
        for service in workspace.services()? {
            build.args(["--package", &service]);
        }
        run(build.current_dir(&workspace.root))?;
        Ok(&self.release)
    }

    /// The data folder of a size.
    fn folder(&self, size: &str) -> PathBuf {
        self.data.join(size)
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.release.join("portia-bench"));
        command.arg("--portia").arg(self.release.join("portia")).arg(name);
        command
    }

    fn seed(&self, size: &str, data: &Path, as_of: Option<&str>) -> Result<()> {
        let mut seed = self.command("seed");
        seed.args([OsStr::new("--size"), OsStr::new(size), OsStr::new("--data"), data.as_os_str()]);
        if let Some(as_of) = as_of {
            seed.args(["--as-of", as_of]);
        }
        run(&mut seed)
    }
}
