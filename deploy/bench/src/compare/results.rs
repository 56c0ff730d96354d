//! The file of results: each comparison is appended with its date and commit.

use std::{fs, io::Write as _, path::Path};

use anyhow::Context as _;

use super::Comparison;

/// The beginning of a new file.
const HEAD: &str =
    "# Results of `cargo xtask bench`\n\nAppended by the command; how to read them: deploy/README.md, Development.\n";

/// Appends a comparison. One without numbers, of a busy machine, or with failed requests is not kept.
///
/// Returns whether it was appended.
///
/// # Errors
/// When the file cannot be written.
pub fn append(file: &Path, commit: &str, comparison: &Comparison) -> anyhow::Result<bool> {
    if !comparison.has_numbers() || !comparison.is_clean() {
        return Ok(false);
    }
    let name = || format!("{} cannot be written", file.display());
    let head = if file.exists() { "" } else { HEAD };
    let mut open = fs::OpenOptions::new().create(true).append(true).open(file).with_context(name)?;
    let date = comparison.at.format("%Y-%m-%d %H:%M UTC");
    write!(open, "{head}\n## {date}, {commit}\n\n{comparison}").with_context(name)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use chrono::{TimeZone as _, Utc};

    use super::*;
    use crate::{
        compare::{
            Table,
            lines::{Goal, Line, Round, Turn, Unit},
        },
        data_folder::Note,
        machine::Disturbance,
    };

    fn comparison(others: f64, errors: usize) -> Comparison {
        let at = Utc.with_ymd_and_hms(2026, 11, 26, 16, 0, 0).unwrap();
        let turn = |value| Turn { value, disturbance: Disturbance { others, steal: 0.0 } };
        let round = Round { portia: turn(3.0), other: Some(turn(2.0)) };
        let data = Note {
            size: "S".to_owned(),
            members: 1_000,
            posts: 20_000,
            as_of: at,
            password: "a password".to_owned(),
            typical: vec![],
            known: String::new(),
            hub: String::new(),
            degrees: [0; 3],
        };
        let lines = vec![Line::of("profile", Unit::CpuMs, Goal::RatioAtMost(2.0), &[round])];
        let processes = vec![Line::of("unread", Unit::CpuMs, Goal::RatioAtMost(2.2), &[round])];
        Comparison {
            at,
            processors: 2,
            seconds: 5.0,
            tables: vec![Table { data, lines, processes }],
            growth: vec![],
            errors,
        }
    }

    #[test]
    fn results_are_appended_with_date_and_commit() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("RESULTS.md");
        assert!(append(&file, "abc1234", &comparison(0.0, 0)).unwrap());
        assert!(append(&file, "def5678", &comparison(0.05, 0)).unwrap());
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text.matches("# Results of").count(), 1, "{text}");
        let [first, second] = ["abc1234", "def5678"].map(|commit| format!("\n## 2026-11-26 16:00 UTC, {commit}\n\n"));
        assert!(text.find(&first).unwrap() < text.find(&second).unwrap(), "{text}");
        let [table, of_processes] =
            ["Size S: ", "Eight processes with mutual TLS, size S"].map(|title| text.find(title).unwrap());
        assert!(table < of_processes && text.find("| unread ").unwrap() > of_processes, "{text}");
        let row = text.lines().find(|line| line.starts_with("| profile ")).unwrap();
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(
            cells[1..9],
            ["profile", "CPU-ms", "2.00 (2.00-2.00)", "3.00 (3.00-3.00)", "1.50 (1.50-1.50)", "<= 2x", "yes", "0 of 1"]
        );
    }

    #[test]
    fn results_of_a_busy_machine_or_of_failed_requests_are_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("RESULTS.md");
        assert!(!append(&file, "abc1234", &comparison(0.5, 0)).unwrap());
        assert!(!append(&file, "abc1234", &comparison(0.0, 1)).unwrap());
        assert!(!file.exists());
        assert!(comparison(0.5, 0).to_string().contains("too busy"));
    }
}
