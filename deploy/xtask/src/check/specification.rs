//! Every sentence of the specification names its tests, and each of these tests exists.

use std::{
    collections::{HashMap, HashSet},
    fs,
};

use anyhow::{Context, Result};

use super::Findings;
use crate::workspace::Workspace;

/// The table of sentences; the path from the root of the repository.
const TABLE: &str = "web/e2e/SPEC.md";

/// The separator of file and name of a test.
pub(super) const OF: &str = " › ";

pub(super) fn check(workspace: &Workspace) -> Result<Findings> {
    let table = fs::read_to_string(workspace.root.join(TABLE)).with_context(|| format!("{TABLE} cannot be read"))?;
    Ok(violations(&table, |path| fs::read_to_string(workspace.root.join(path)).ok()))
}

/// The violations in the table; `read` returns a file of the repository, if it exists.
fn violations(table: &str, read: impl Fn(&str) -> Option<String>) -> Findings {
    let rows: Vec<(usize, Vec<&str>)> = rows(table).collect();
    if rows.is_empty() {
        return vec![format!("{TABLE} has no row")];
    }
    let mut found = Findings::new();
    let mut numbers = HashSet::new();
    let mut tests: HashMap<&str, Option<HashSet<String>>> = HashMap::new();
    for (line, cells) in rows {
        let mut wrong = |what: String| found.push(format!("{TABLE}:{line}: {what}"));
        let &[number, sentence, shown] = cells.as_slice() else {
            wrong("a row is a number, a sentence and its tests".into());
            continue;
        };
        if !is_number(number) || sentence.is_empty() {
            wrong(format!("'{number}' is no number of a sentence"));
        }
        if !numbers.insert(number) {
            wrong(format!("{number} is there twice"));
        }
        // Every second part is between backticks.
        let named: Vec<&str> = shown.split('`').skip(1).step_by(2).collect();
        if named.is_empty() {
            wrong(format!("{number} names no test"));
        }
        for test in named {
            let Some((path, name)) = test.split_once(OF) else {
                wrong(format!("{number}: '{test}' is no 'path{OF}test'"));
                continue;
            };
            match tests.entry(path).or_insert_with(|| read(path).map(|source| names(path, &source))) {
                None => wrong(format!("{number}: there is no {path}")),
                Some(names) if !names.contains(name) => wrong(format!("{number}: {path} has no test '{name}'")),
                Some(_) => {}
            }
        }
    }
    found
}

/// The rows of all tables without their headers, with their line numbers.
fn rows(table: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let lines = (1..).zip(table.lines()).filter_map(|(line, text)| Some((line, text.trim().strip_prefix('|')?)));
    let cells = lines
        .map(|(line, row)| (line, row.strip_suffix('|').unwrap_or(row).split('|').map(str::trim).collect::<Vec<_>>()));
    let is_head = |cells: &[&str]| {
        cells.first().is_some_and(|first| *first == "Number" || (!first.is_empty() && first.chars().all(|c| c == '-')))
    };
    cells.filter(move |(_, cells)| !is_head(cells))
}

/// `2.31` for a sentence, `D.17` for a decision.
fn is_number(number: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    number.split_once('.').is_some_and(|(section, nth)| (section == "D" || digits(section)) && digits(nth))
}

/// The names of the tests in a file, without skipped ones.
pub(super) fn names(path: &str, source: &str) -> HashSet<String> {
    if path.ends_with(".rs") { rust_names(source) } else { web_names(source) }
}

fn rust_names(source: &str) -> HashSet<String> {
    let mut names = HashSet::new();
    let (mut is_test, mut is_ignored) = (false, false);
    for line in source.lines().map(str::trim) {
        if let Some(attribute) = line.strip_prefix("#[") {
            is_test |= ["test]", "test("].iter().any(|end| attribute.contains(end));
            is_ignored |= attribute.starts_with("ignore");
        } else if !line.starts_with("//") {
            let name = line.trim_start_matches("async ").strip_prefix("fn ").and_then(|rest| rest.split('(').next());
            names.extend(name.filter(|_| is_test && !is_ignored).map(str::to_owned));
            (is_test, is_ignored) = (false, false);
        }
    }
    names
}

/// The first argument of every `test(`, `it(` and `test.each(..)(`.
fn web_names(source: &str) -> HashSet<String> {
    let calls = source.match_indices('(').map(|(at, _)| source.split_at(at));
    calls.filter(|(before, _)| calls_a_test(before)).filter_map(|(_, call)| first_text(call)).collect()
}

fn calls_a_test(before: &str) -> bool {
    let line = before.lines().next_back().unwrap_or_default().trim_start();
    if line.starts_with("//") || line.starts_with('*') {
        return false;
    }
    // A table of cases precedes the call: it belongs to the last statement that began.
    if before.ends_with(')') {
        let starts = |line: &&str| ["test", "it", "describe"].iter().any(|word| is_call(line, word));
        let opened = before.lines().rev().map(str::trim_start).find(starts);
        return opened.is_some_and(|line| line.starts_with("test.each") || line.starts_with("it.each"));
    }
    line == "test" || line == "it"
}

fn is_call(line: &str, word: &str) -> bool {
    line.strip_prefix(word).is_some_and(|rest| rest.starts_with(['(', '.', '<']))
}

/// The first argument of a call if it is a text and not the only argument.
fn first_text(call: &str) -> Option<String> {
    let argument = call.strip_prefix('(')?.trim_start();
    let quote = argument.chars().next().filter(|first| matches!(first, '\'' | '"' | '`'))?;
    let mut text = String::new();
    let mut rest = argument.chars().skip(1);
    loop {
        match rest.next()? {
            '\\' => text.extend(rest.next()),
            end if end == quote => break,
            letter => text.push(letter),
        }
    }
    rest.find(|letter| !letter.is_whitespace()).filter(|next| *next == ',').map(|_| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "## 2. Screens\n\n| Number | Sentence | Shown by |\n|---|---|---|\n";

    fn findings(rows: &str) -> Findings {
        let read = |path: &str| match path {
            "web/home.test.tsx" => Some("test('greets', async () => {});\n".to_owned()),
            "feed/it.rs" => Some("#[tokio::test]\nasync fn is_kept() {}\n".to_owned()),
            _ => None,
        };
        violations(&format!("{HEAD}{rows}"), read)
    }

    #[test]
    fn a_sentence_with_existing_tests_passes() {
        let rows = "| 2.01 | Greets. | `web/home.test.tsx › greets`<br>`feed/it.rs › is_kept` |\n\
                    | D.7 | Kept. | `feed/it.rs › is_kept` |\n";
        assert_eq!(findings(rows), Findings::new());
    }

    #[test]
    fn a_sentence_without_a_test_is_reported() {
        for (rows, what) in [
            ("| 2.01 | Greets. | — |", "5: 2.01 names no test"),
            ("| 2.01 | Greets. |", "5: a row is a number, a sentence and its tests"),
            ("| two | Greets. | `feed/it.rs › is_kept` |", "5: 'two' is no number of a sentence"),
            ("| 2. | Greets. | `feed/it.rs › is_kept` |", "5: '2.' is no number of a sentence"),
            ("| 2.01 | Greets. | `feed/it.rs is_kept` |", "5: 2.01: 'feed/it.rs is_kept' is no 'path › test'"),
            ("| 2.01 | Greets. | `gone.rs › is_kept` |", "5: 2.01: there is no gone.rs"),
            ("| 2.01 | Greets. | `feed/it.rs › is_gone` |", "5: 2.01: feed/it.rs has no test 'is_gone'"),
            ("| 2.01 | Greets. | `web/home.test.tsx › greet` |", "5: 2.01: web/home.test.tsx has no test 'greet'"),
        ] {
            assert_eq!(findings(rows), [format!("{TABLE}:{what}")], "{rows}");
        }
        let twice = "| 2.01 | a | `feed/it.rs › is_kept` |\n| 2.01 | b | `feed/it.rs › is_kept` |";
        assert_eq!(findings(twice), [format!("{TABLE}:6: 2.01 is there twice")]);
        assert_eq!(findings(""), [format!("{TABLE} has no row")], "a table that cannot be read shows nothing");
    }

    #[test]
    fn tests_of_the_web_client_are_found() {
        let source = r#"
            test('plain', async () => {});
            test("it's quoted", () => {});
            test('it\'s escaped', () => {});
            test(`at ${path}`, async ({ page }) => {});
            test('wrapped', async ({
              page,
            }) => {});
            test.each([[')', 1], ['(', f(2)]])('%s of a table', (text) => expect(text).toBe('no test', 1));
            test.each<[string, number]>([
              ['a', 1],
            ])(
              'of a long table',
              (text) => {},
            );
            it('too', () => {});
        "#;
        let mut found: Vec<String> = web_names(source).into_iter().collect();
        found.sort();
        let expected = [
            "%s of a table",
            "at ${path}",
            "it's escaped",
            "it's quoted",
            "of a long table",
            "plain",
            "too",
            "wrapped",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn other_calls_of_the_web_client_are_not_tests() {
        let source = r#"
            // test('commented out', () => {});
            test.skip('skipped', () => {});
            describe('a group', () => {});
            describe.each(['a'])('a group of %s', () => {});
            test.step('a step', async () => {});
            edit('another word', 1);
            test('nothing follows');
            test(name, () => {});
        "#;
        assert_eq!(web_names(source), HashSet::new());
    }

    #[test]
    fn tests_in_rust_are_found() {
        let source = "
            #[test]
            fn plain() {}

            #[tokio::test(flavor = \"multi_thread\")]
            // Slow.
            async fn of_a_runtime() {}

            #[tokio::test]
            #[ignore = \"broken\"]
            async fn ignored() {}

            #[cfg(test)]
            fn helper() {}

            async fn another() {}
        ";
        assert_eq!(rust_names(source), HashSet::from(["plain".to_owned(), "of_a_runtime".to_owned()]));
    }
}
