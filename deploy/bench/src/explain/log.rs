//! Query plans in the server's log.

use std::{
    fs::File,
    io::{Read as _, Seek as _, SeekFrom},
    path::PathBuf,
};

use anyhow::Context as _;
use serde_json::Value;

use super::Statement;

/// The log file of a running server.
#[derive(Debug)]
pub(super) struct Log(PathBuf);

impl Log {
    pub(super) const fn of(path: PathBuf) -> Self {
        Self(path)
    }

    /// Its present length.
    pub(super) fn end(&self) -> anyhow::Result<u64> {
        Ok(std::fs::metadata(&self.0).with_context(|| format!("{} cannot be read", self.0.display()))?.len())
    }

    /// The statements logged after an offset. A server logs a plan before it responds, so the log contains the plans of
    /// every completed request.
    pub(super) fn since(&self, offset: u64) -> anyhow::Result<Vec<Statement>> {
        let mut file = File::open(&self.0)?;
        file.seek(SeekFrom::Start(offset))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        Ok(statements(&String::from_utf8_lossy(&text)))
    }
}

/// Each plan is one entry: a line that ends with `plan:`, then the plan in lines that begin with a tab.
fn statements(text: &str) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if !line.contains("LOG:  duration: ") || !line.ends_with("plan:") {
            continue;
        }
        let mut plan = String::new();
        while let Some(part) = lines.next_if(|line| line.starts_with('\t')) {
            plan.push_str(part);
            plan.push('\n');
        }
        // The last entry may be incomplete; it does not belong to a completed request.
        found.extend(serde_json::from_str(&plan).ok().and_then(|plan| statement(&plan)));
    }
    found
}

fn statement(entry: &Value) -> Option<Statement> {
    let plan = entry.get("Plan")?;
    let number = |name: &str| plan.get(name).and_then(Value::as_u64).unwrap_or_default();
    let mut scans = Vec::new();
    scans_of(plan, &mut scans);
    Some(Statement {
        query: entry.get("Query Text")?.as_str()?.trim().to_owned(),
        hit: number("Shared Hit Blocks"),
        read: number("Shared Read Blocks"),
        scans,
        plan: plan.clone(),
        is_planned_for_values: false,
    })
}

/// `Index Only Scan posts_recent_idx`, `Seq Scan members`; without nodes that were never executed.
fn scans_of(node: &Value, found: &mut Vec<String>) {
    let text = |name: &str| node.get(name).and_then(Value::as_str);
    let executed = node.get("Actual Loops").and_then(Value::as_u64).unwrap_or_default() > 0;
    if let Some(kind) = text("Node Type").filter(|kind| executed && kind.contains("Scan"))
        && let Some(what) = text("Index Name").or_else(|| text("Relation Name"))
    {
        let scan = format!("{kind} {what}");
        if !found.contains(&scan) {
            found.push(scan);
        }
    }
    for child in node.get("Plans").and_then(Value::as_array).into_iter().flatten() {
        scans_of(child, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The format of Postgres 15.
    const TEXT: &str = "2026-11-22 01:00:00.000 UTC [7] LOG:  duration: 0.031 ms  plan:\n\
        \t{\n\
        \t  \"Query Text\": \"select 1\\nfrom feed.posts\",\n\
        \t  \"Plan\": {\n\
        \t    \"Node Type\": \"Limit\",\n\
        \t    \"Actual Loops\": 1,\n\
        \t    \"Shared Hit Blocks\": 41,\n\
        \t    \"Shared Read Blocks\": 2,\n\
        \t    \"Plans\": [\n\
        \t      {\"Node Type\": \"Index Scan\", \"Index Name\": \"posts_recent_idx\", \"Actual Loops\": 1},\n\
        \t      {\"Node Type\": \"Seq Scan\", \"Relation Name\": \"blocks\", \"Actual Loops\": 0}\n\
        \t    ]\n\
        \t  }\n\
        \t}\n\
        2026-11-22 01:00:00.001 UTC [7] LOG:  checkpoint starting: time\n\
        2026-11-22 01:00:00.002 UTC [8] LOG:  duration: 0.010 ms  plan:\n\
        \t{\n\
        \t  \"Query Te";

    #[test]
    fn plans_are_found_between_other_lines_and_a_half_written_one_is_not_taken() {
        let found = statements(TEXT);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].query.as_str(), found[0].buffers()), ("select 1\nfrom feed.posts", 43));
        assert_eq!(found[0].scans, ["Index Scan posts_recent_idx"]);
        assert_eq!(found[0].summary(), "select 1 from feed.posts");
    }

    #[test]
    fn a_plan_with_the_id_of_the_caller_is_of_this_call_only() {
        let id = "018ddc04-412e-7589-af67-4e9dda45025c";
        for (value, is_marked) in [(format!("'{id}'::uuid"), true), ("$1".to_owned(), false)] {
            let plan = format!("{{\"Index Cond\": \"(member_id = {value})\"}}");
            let entry = format!("{{\"Query Text\": \"select\", \"Plan\": {plan}}}");
            let mut statement = statement(&serde_json::from_str(&entry).unwrap()).unwrap();
            statement.mark_if_planned_for(id);
            assert_eq!(statement.is_planned_for_values, is_marked, "{value}");
        }
    }

    #[test]
    fn only_what_was_written_since_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, TEXT).unwrap();
        let log = Log::of(path.clone());
        assert_eq!(log.since(0).unwrap().len(), 1);
        let end = log.end().unwrap();
        assert!(log.since(end).unwrap().is_empty());
    }
}
