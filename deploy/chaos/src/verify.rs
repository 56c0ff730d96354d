//! The proof after the faults: each acknowledged write exists once, nothing else exists, and every derived value agrees with it.

mod api;
mod rows;

use std::collections::BTreeSet;

use portia::SERVICES;

use crate::{
    installation::{Installation, schema},
    load::Load,
    settle::{lines, wait_until_consumed},
};

/// The invariants of one or several schemas. Each statement returns a line for each violation.
const INVARIANTS: [(&str, &str); 7] = [
    ("counters of feed", include_str!("verify/feed.sql")),
    ("copies in other services", include_str!("verify/copies.sql")),
    ("notifications of each cause", include_str!("verify/notifications.sql")),
    ("facts of each write", include_str!("verify/facts.sql")),
    ("counters of social-graph", include_str!("../../../services/social-graph/tests/it/truth.sql")),
    ("conversations", include_str!("../../../services/messaging/tests/it/truth.sql")),
    ("notifications", include_str!("../../../services/messaging/tests/it/notifications/truth.sql")),
];

/// One line of the result.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The compared rows or the invariant.
    pub what: String,
    /// The compared rows; 0 for an invariant.
    pub rows: usize,
    /// The mismatches, with ids.
    pub mismatches: Vec<String>,
}

/// Waits until every fact is consumed, and compares.
///
/// # Errors
/// When a statement or a request fails.
pub async fn verify(installation: &Installation, load: &Load) -> anyhow::Result<Vec<Finding>> {
    wait_until_consumed(installation).await?;
    let mut db = installation.superuser().await?;
    let mut findings = Vec::new();
    for (what, statement, expected) in load.journal.read(rows::expected) {
        let found = lines(&mut db, statement).await?;
        findings.push(Finding {
            what: format!("rows of {what}"),
            rows: expected.len(),
            mismatches: difference(&expected, &found),
        });
    }
    for (what, statement) in INVARIANTS {
        findings.push(Finding { what: what.to_owned(), rows: 0, mismatches: lines(&mut db, statement).await? });
    }
    let dead = SERVICES.map(|service| {
        format!(
            "select format('{service} <- %s: %s %s %s', source, kind, key, error) from {}.dead_facts",
            schema(service)
        )
    });
    let mismatches = lines(&mut db, &dead.join(" union all ")).await?;
    findings.push(Finding { what: "dead facts".to_owned(), rows: 0, mismatches });
    findings.extend(api::compare(load).await?);
    Ok(findings)
}

/// Returns the rows that are missing, additional or repeated.
fn difference(expected: &BTreeSet<String>, found: &[String]) -> Vec<String> {
    let (mut seen, mut mismatches) = (BTreeSet::new(), Vec::new());
    for row in found {
        if !seen.insert(row) {
            mismatches.push(format!("twice: {row}"));
        } else if !expected.contains(row) {
            mismatches.push(format!("not acknowledged: {row}"));
        }
    }
    mismatches.extend(expected.iter().filter(|row| !seen.contains(row)).map(|row| format!("missing: {row}")));
    mismatches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_additional_and_double_rows_are_named() {
        let set = |rows: &[&str]| rows.iter().map(|row| (*row).to_owned()).collect::<BTreeSet<_>>();
        let list = |rows: &[&str]| rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>();
        assert!(difference(&set(&["a", "b"]), &list(&["b", "a"])).is_empty());
        let found = difference(&set(&["a", "b"]), &list(&["b", "b", "c"]));
        assert_eq!(found, ["twice: b", "not acknowledged: c", "missing: a"]);
    }
}
