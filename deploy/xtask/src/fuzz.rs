//! `cargo xtask fuzz`: requests that schemathesis generates from gateway/openapi.json, valid and invalid ones. A server error,
//! an answer outside its schema, a refusal of a valid request and the acceptance of an invalid one are failures.

mod report;

use std::{fs, path::PathBuf, process::Command};

use anyhow::{Context, Result, bail};

use crate::{
    command::{cargo, handle_interrupts, interrupted, run, say, started},
    fuzz::report::{Report, Totals},
    portia::Portia,
    pypi::Tool,
    web,
    workspace::Workspace,
};

const SCHEMATHESIS: Tool = Tool { program: "schemathesis", package: "schemathesis", version: "4.32.5", with: &[] };

/// The most cases per operation in one pass. The next pass has another seed, and what the earlier ones created.
const CASES_PER_OPERATION: u64 = 100;
/// About the number of operations.
const OPERATIONS: u64 = 200;
/// As a visitor, most operations are refused before anything else.
const CASES_OF_VISITOR: u64 = 10;

#[derive(clap::Args)]
pub(crate) struct Fuzz {
    /// Passes end once there are so many cases of a signed-in member.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    cases: u64,
    /// The seed of the first pass.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// A running Portia without limits of requests, instead of one started here. Its member is that of `PORTIA_FUZZ_USERNAME`
    /// and `PORTIA_FUZZ_PASSWORD`.
    #[arg(long)]
    url: Option<String>,
}

/// The school whose members the member of later passes verifies.
const SCHOOL: &str = "Columbia Law School";

/// The member of signed-in passes.
struct Member {
    username: String,
    password: String,
}

/// One run of schemathesis.
struct Pass<'a> {
    member: Option<&'a Member>,
    seed: u64,
    cases_per_operation: u64,
    phases: &'static str,
}

impl Fuzz {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        handle_interrupts()?;
        match &self.url {
            Some(url) => self.fuzz(workspace, url, &Member::of_environment()?, || Ok(())),
            None => {
                let dist = web::build(workspace)?;
                // The debug build also checks arithmetic.
                run(cargo().args(["build", "--quiet", "--package=portia"]).current_dir(&workspace.root))?;
                let portia = Portia::start(workspace, &dist, "fuzz")?;
                let (username, password) = portia.demo_member()?;
                let promote = || {
                    portia.admin(&["moderators", "grant", &username])?;
                    portia.admin(&["stewards", "add", &username, "--school", SCHOOL])
                };
                let member = Member { username: username.clone(), password };
                self.fuzz(workspace, &portia.url(), &member, promote)
            }
        }
    }

    /// Runs one pass as a visitor, one as a common member, and the others after `promote`, with every role.
    fn fuzz(&self, workspace: &Workspace, url: &str, member: &Member, promote: impl Fn() -> Result<()>) -> Result<()> {
        let mut totals = Totals::default();
        let mut seed = self.seed;
        let cases_per_operation = (self.cases / OPERATIONS).clamp(1, CASES_PER_OPERATION);
        let visitor = Pass {
            member: None,
            seed,
            cases_per_operation: CASES_OF_VISITOR.min(cases_per_operation),
            phases: "coverage,fuzzing",
        };
        totals.add(visitor.run(workspace, url)?);
        let as_visitor = totals.cases();
        loop {
            // Coverage is the same with every seed.
            let phases = if seed == self.seed { "coverage,fuzzing,stateful" } else { "fuzzing,stateful" };
            let pass = Pass { member: Some(member), seed, cases_per_operation, phases };
            totals.add(pass.run(workspace, url)?);
            let signed_in = totals.cases() - as_visitor;
            say(&format!("{signed_in} of {} signed-in cases", self.cases));
            if interrupted() || signed_in >= self.cases {
                break;
            }
            if seed == self.seed {
                promote()?;
            }
            seed += 1;
        }
        println!("{totals}");
        if totals.failed() || interrupted() {
            bail!(
                "the API differs from gateway/openapi.json, or the run is incomplete; the output above has each request"
            );
        }
        Ok(())
    }
}

impl Member {
    fn of_environment() -> Result<Self> {
        let variable = |name: &str| {
            let value = std::env::var_os(name).and_then(|value| value.into_string().ok());
            value.with_context(|| format!("{name} is not set"))
        };
        Ok(Self { username: variable("PORTIA_FUZZ_USERNAME")?, password: variable("PORTIA_FUZZ_PASSWORD")? })
    }
}

impl Pass<'_> {
    fn run(&self, workspace: &Workspace, url: &str) -> Result<Report> {
        let source = workspace.root.join("deploy/xtask/fuzz");
        let folder = workspace.target()?.join("xtask/fuzz");
        fs::create_dir_all(&folder)?;
        let configuration = folder.join("schemathesis.toml");
        let committed = fs::read_to_string(source.join("schemathesis.toml"))?;
        fs::write(&configuration, self.configuration(&committed))?;
        let report = folder.join("report.json");
        if report.exists() {
            fs::remove_file(&report)?;
        }

        let mut command = SCHEMATHESIS.command(workspace)?;
        command.arg("--config-file").arg(&configuration).arg("run");
        command.arg(workspace.root.join("gateway/openapi.json")).args(["--url", url]);
        command.args(["--phases", self.phases, "--seed", &self.seed.to_string()]);
        command.args(["--max-examples", &self.cases_per_operation.to_string()]);
        command.args(["--report", "json", "--report-json-path"]).arg(&report).current_dir(&folder);
        let packages = command.get_envs().find(|(name, _)| *name == "PYTHONPATH").and_then(|(_, value)| value);
        let path = std::env::join_paths(packages.map(PathBuf::from).into_iter().chain([source]))?;
        command.env("PYTHONPATH", path).env("PYTHONDONTWRITEBYTECODE", "1").env("SCHEMATHESIS_HOOKS", "formats");
        if let Some(member) = self.member {
            command.env("PORTIA_FUZZ_USERNAME", &member.username).env("PORTIA_FUZZ_PASSWORD", &member.password);
        }
        // The report says whether there are failures.
        started(&mut command, Command::status)?;
        let text = fs::read_to_string(&report).context("schemathesis wrote no report")?;
        Ok(serde_json::from_str(&text)?)
    }

    /// The committed configuration; of a member, with the sign-in, which schemathesis repeats when a request ended the session.
    fn configuration(&self, committed: &str) -> String {
        let sign_in = "\n[auth.dynamic.openapi.session]\npath = \"/api/auth/login\"\n\
                       payload = { username = \"${PORTIA_FUZZ_USERNAME}\", password = \"${PORTIA_FUZZ_PASSWORD}\" }\n\
                       extract_from = \"cookie\"\nextract_selector = \"portia_session\"\n";
        if self.member.is_some() { format!("{committed}{sign_in}") } else { committed.to_owned() }
    }
}
