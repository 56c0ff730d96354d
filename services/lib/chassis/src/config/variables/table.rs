//! The list of variables, and its page in the manual.

use super::{
    features, processes,
    variable::{Secret, Variable},
};

/// The groups of variables with their titles, in the order of the page.
const GROUPS: [(&str, &[Variable]); 8] = [
    ("Every process", processes::EVERY),
    ("Traces", processes::TRACES),
    ("Postgres", processes::POSTGRES),
    ("The site", features::SITE),
    ("Pictures", features::PICTURES),
    ("Accounts", features::ACCOUNTS),
    ("Job boards, news and link previews", features::CRAWLING),
    ("Web push", features::PUSH),
];

/// Every variable.
pub fn all() -> impl Iterator<Item = &'static Variable> {
    GROUPS.iter().flat_map(|(_, variables)| *variables)
}

/// Returns the default of a variable as the page states it, without its marks; for tests that compare it with the code.
#[must_use]
pub fn default_of(name: &str) -> Option<String> {
    let variable = all().find(|variable| variable.name == name)?;
    Some(variable.default.split(';').next().unwrap_or_default().replace('`', ""))
}

/// The page `deploy/manual/configuration.md`.
#[must_use]
pub fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    for (title, variables) in GROUPS {
        page +=
            &format!("\n## {title}\n\n| variable | read by | form | default | secret | |\n|---|---|---|---|---|---|\n");
        for Variable { name, readers, form, default, secret, meaning } in variables {
            let secret = match secret {
                Secret::Nothing => "",
                Secret::Value => "value",
                Secret::Content => "content",
            };
            page += &format!("| `{name}` | {readers} | {form} | {default} | {secret} | {meaning} |\n");
        }
    }
    page
}

const INTRODUCTION: &str = "# Configuration

`cargo xtask generate` writes this page from the code, `portia config` prints it, and a test compares them.

A process reads its whole configuration from the environment before it listens, and refuses to start with a sentence that names the
variable. A variable `PORTIA_*` that no process reads refuses the start as well, with the nearest name; those that Kubernetes sets for
Services named `portia-*` are ignored. An empty variable is unset.

- **read by**: `processes` are the seven services and the gateway, `services` the seven. `portia` is the command, and the server
  that contains all eight: it reads what they read, except the variables of `processes`. `all` are both.
- **default**: `required` means that the process does not start without it.
- **secret**: `value` must be readable by the process only; `content` that of the file or folder.
- `<SERVICE>` is `AUTH`, `PROFILE`, `SOCIAL_GRAPH`, `FEED`, `JOBS`, `NEWS` or `MESSAGING`.

Besides, the libraries read the usual variables: `PGPASSFILE` for passwords of Postgres (services, `portia`), `AWS_ACCESS_KEY_ID`,
`AWS_SECRET_ACCESS_KEY`, `AWS_REGION` and `AWS_ENDPOINT` for pictures in S3 (profile, feed, gateway), and the `OTEL_BSP_*` and
`OTEL_EXPORTER_OTLP_*` of the SDK of OpenTelemetry that are not named here.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_has_the_page() {
        let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../deploy/manual/configuration.md");
        let committed = std::fs::read_to_string(manual).unwrap();
        assert!(committed == page(), "run `cargo xtask generate` and commit it");
    }

    #[test]
    fn every_row_is_complete() {
        for Variable { name, readers, form, default, meaning, .. } in all() {
            for cell in [name, readers, form, default, meaning] {
                assert!(!cell.is_empty() && !cell.contains(['|', '\n']), "{name}: {cell}");
            }
        }
    }
}
