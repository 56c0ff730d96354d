//! Makes `common-passwords.bin`: reads passwords from standard input, one a line, the most common first.

use std::{
    collections::{BTreeSet, HashSet},
    io::{self, BufRead as _, Write as _},
};

use auth::credentials::{common_passwords::hash, password::MIN};

/// The passwords of the list.
const COUNT: usize = 100_000;

fn main() -> io::Result<()> {
    let mut passwords = HashSet::new();
    let mut hashes = BTreeSet::new();
    for line in io::stdin().lock().lines() {
        let password = line?.to_lowercase();
        if password.chars().count() >= MIN && passwords.len() < COUNT && passwords.insert(password.clone()) {
            hashes.insert(hash(&password));
        }
    }
    let mut out = io::stdout().lock();
    hashes.iter().try_for_each(|hash| out.write_all(hash))
}
