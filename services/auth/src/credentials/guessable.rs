//! Passwords that are guessed first: common ones, names with a few more characters, and repetitions. The web client judges
//! them alike (`web/src/features/auth/guessable.ts`); both pass one corpus.

use zeroize::Zeroizing;

use super::common_passwords;

/// The characters that a password needs beside a name.
const BESIDE_NAME: usize = 5;
const PRODUCT: &str = "portia";
/// The rows of a keyboard, in both directions.
const ROWS: [&str; 8] =
    ["1234567890", "0987654321", "qwertyuiop", "poiuytrewq", "asdfghjkl", "lkjhgfdsa", "zxcvbnm", "mnbvcxz"];

/// Whether the password is common, is the username or the product's name with up to four more characters, or repeats one
/// character or a part of a keyboard row.
pub fn is_guessable(password: &str, username: &str) -> bool {
    let password = Zeroizing::new(password.to_lowercase());
    [username.to_lowercase().as_str(), PRODUCT].iter().any(|name| is_name(&password, name))
        || is_repetition(&password)
        || common_passwords::contains(&password)
}

fn is_name(password: &str, name: &str) -> bool {
    password.contains(name) && password.chars().count() < name.chars().count() + BESIDE_NAME
}

/// Whether the password consists of equal or of adjacent characters, once or repeated; the last repetition may be shorter.
fn is_repetition(password: &str) -> bool {
    let characters: Zeroizing<Vec<char>> = Zeroizing::new(password.chars().collect());
    let length = characters.len();
    (1..=length).any(|period| {
        let repeats = characters.iter().zip(characters.iter().skip(period)).all(|(one, later)| one == later);
        repeats && characters.get(..period).is_some_and(is_part_of_row)
    })
}

/// Whether these are one character, or several that follow each other in a row of the keyboard.
fn is_part_of_row(characters: &[char]) -> bool {
    let is_in = |row: &str| row.chars().collect::<Vec<_>>().windows(characters.len()).any(|part| part == characters);
    characters.len() == 1 || ROWS.into_iter().any(is_in)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// A row of the corpus that the web client passes too.
    #[derive(Deserialize)]
    struct Sample {
        password: String,
        username: String,
        /// By a rule.
        guessable: bool,
        /// The first ten digits of the hash.
        hash: String,
        /// By the list.
        common: bool,
    }

    #[test]
    fn the_corpus_of_the_client_is_judged_alike() {
        let corpus: Vec<Sample> =
            serde_json::from_str(include_str!("../../../../web/src/features/auth/guessable-corpus.json")).unwrap();
        for Sample { password, username, guessable, hash, common } in corpus {
            let lower = password.to_lowercase();
            let names = [username.to_lowercase(), PRODUCT.to_owned()];
            let by_rule = names.iter().any(|name| is_name(&lower, name)) || is_repetition(&lower);
            assert_eq!(by_rule, guessable, "{password}");
            let digits: String = common_passwords::hash(&password).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(digits, hash, "{password}");
            assert_eq!(common_passwords::contains(&password), common, "{password}");
            assert_eq!(is_guessable(&password, &username), guessable || common, "{password}");
        }
    }

    #[test]
    fn names_with_a_few_characters_are_guessable() {
        for password in ["isabel.reyes", "Isabel.Reyes1", "1!isabel.reyes?2", "Portia2026", "!!portia"] {
            assert!(is_guessable(password, "Isabel.Reyes"), "{password}");
        }
        for password in ["isabel.reyes-moot", "portia of belmont", "isabel rises"] {
            assert!(!is_guessable(password, "Isabel.Reyes"), "{password}");
        }
    }

    #[test]
    fn repetitions_of_a_character_or_a_row_are_guessable() {
        for password in ["zzzzzzzzzzzz", "ññññññññ", "qwertyqwertyqw", "POIUYTPOIUYT", "asdfghjkl", "98769876987"]
        {
            assert!(is_guessable(password, "member"), "{password}");
        }
        for password in ["abababab-c", "qwerty moot court", "zxcvbasdfg-moot"] {
            assert!(!is_guessable(password, "member"), "{password}");
        }
    }
}
