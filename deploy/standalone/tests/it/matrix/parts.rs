//! The parts of a row's response that a member's settings show to only some of the admitted callers.

use std::collections::BTreeSet;

use super::{
    fixture::{Fixture, Response},
    leaks::fields,
    table::{Row, lines},
};

/// A line of `parts.txt`: the path of a row, the callers and the text.
struct Part {
    path: String,
    callers: Vec<String>,
    text: String,
}

/// Collects responses with parts for others, and without those for the caller.
pub struct Parts {
    parts: Vec<Part>,
    unused: BTreeSet<usize>,
    found: Vec<String>,
}

impl Parts {
    pub fn new(fixture: &Fixture) -> Self {
        let parts: Vec<_> = lines("parts")
            .into_iter()
            .map(|line| {
                let [path, callers, text] = fields(&line);
                let text = fixture.named(&text);
                assert!(!text.contains('{'), "an unknown entity: {text}");
                Part { path, callers: callers.split_whitespace().map(str::to_owned).collect(), text }
            })
            .collect();
        let unused = (0..parts.len()).collect();
        Self { parts, unused, found: Vec::new() }
    }

    pub fn check(&mut self, row: &Row, caller: &str, response: &Response) {
        if response.status >= 300 || !row.is_read() {
            return;
        }
        for (place, Part { path, callers, text }) in self.parts.iter().enumerate() {
            if *path != row.path {
                continue;
            }
            self.unused.remove(&place);
            let is_shown = response.text.contains(text.as_str());
            if is_shown != callers.iter().any(|admitted| admitted == caller) {
                let verb = if is_shown { "shows" } else { "does not show" };
                self.found.push(format!("{path} {verb} {caller} {text}: {}", response.text));
            }
        }
    }

    /// The wrong responses, and the lines without one.
    pub fn found(self) -> Vec<String> {
        let Self { parts, unused, found } = self;
        let unused = unused.into_iter().map(|place| format!("no response of {}", parts[place].path));
        found.into_iter().chain(unused).collect()
    }
}
