//! Leaks in successful responses: the ids and texts of entities that the caller may not see.

use std::collections::BTreeSet;

use super::{
    fixture::{Fixture, Response},
    table::{Row, lines},
};

/// Ids and texts, and the callers who may see them: a line of `secrets.txt`.
struct Secret {
    name: String,
    admitted: Vec<String>,
    tokens: Vec<String>,
}

/// Collects responses with secrets of others.
pub struct Leaks {
    secrets: Vec<Secret>,
    /// The path of a row, a caller and a secret that the response shows for a reason: the lines of `shown.txt`.
    exceptions: Vec<[String; 3]>,
    unused: BTreeSet<usize>,
    seen: BTreeSet<String>,
    found: Vec<String>,
}

/// The fields of a line.
pub fn fields<const N: usize>(line: &str) -> [String; N] {
    let mut parts = line.split('|').map(|part| part.trim().to_owned());
    std::array::from_fn(|_| parts.next().unwrap_or_else(|| panic!("{line}")))
}

impl Leaks {
    pub fn new(fixture: &Fixture) -> Self {
        let secrets = lines("secrets").into_iter().map(|line| {
            let [name, admitted, tokens] = fields(&line);
            let words = |text: String| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            let tokens = words(fixture.named(&tokens));
            assert!(!tokens.concat().contains('{'), "an unknown entity: {tokens:?}");
            Secret { name, admitted: words(admitted), tokens }
        });
        let exceptions: Vec<[String; 3]> = lines("shown").iter().map(|line| fields(line)).collect();
        let unused = (0..exceptions.len()).collect();
        Self { secrets: secrets.collect(), exceptions, unused, seen: BTreeSet::new(), found: Vec::new() }
    }

    pub fn check(&mut self, row: &Row, caller: &str, response: &Response) {
        if response.status >= 300 {
            return;
        }
        for secret in &self.secrets {
            let Some((token, at)) = secret.tokens.iter().find_map(|token| Some((token, response.text.find(token)?)))
            else {
                continue;
            };
            if secret.admitted.iter().any(|admitted| admitted == caller) {
                self.seen.insert(secret.name.clone());
                continue;
            }
            let is_excepted = |[path, who, name]: &[String; 3]| {
                *path == row.path && who.split(' ').any(|who| who == caller) && *name == secret.name
            };
            if let Some(exception) = self.exceptions.iter().position(is_excepted) {
                self.unused.remove(&exception);
                continue;
            }
            let before: String = response.text[..at].chars().rev().take(120).collect();
            let before: String = before.chars().rev().collect();
            self.found.push(format!("{} {} shows {caller} the {}: {before}{token}", row.method, row.path, secret.name));
        }
    }

    /// The leaks, the secrets that no response contained, which test nothing, and the exceptions that nothing needs.
    pub fn found(self) -> Vec<String> {
        let Self { secrets, exceptions, unused, seen, found } = self;
        let unseen = secrets.into_iter().filter(|secret| !secret.admitted.is_empty() && !seen.contains(&secret.name));
        let unseen = unseen.map(|secret| format!("no response contains the {}", secret.name));
        let needless = unused.into_iter().map(|unused| format!("nothing is shown: {:?}", exceptions[unused]));
        found.into_iter().chain(unseen).chain(needless).collect()
    }
}
