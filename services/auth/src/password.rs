//! Passwords between the wire and the hash, and which ones are taken.

use std::{collections::HashSet, fmt, sync::LazyLock};

use primitives::{error::Violation, input::Text};
use serde::Deserialize;
use zeroize::Zeroizing;

const MIN: usize = 6;
const MIN_STRICT: usize = 8;

/// A password as typed, normalised (NFC): wiped from memory when dropped, told by no log.
#[derive(Clone)]
pub struct Password(Zeroizing<String>);

impl Password {
    /// Reads a password of 6 to 128 characters.
    ///
    /// # Errors
    /// A violation of `password`.
    pub fn parse(raw: String) -> Result<Self, Violation> {
        let raw = Zeroizing::new(raw);
        let text = Text::<128>::parse_or("password", &raw, "Password must be at least 6 characters")?;
        let password = Zeroizing::new(text.into_string());
        if password.chars().count() < MIN {
            return Err(Violation::new("password", "Password must be at least 6 characters"));
        }
        Ok(Self(password))
    }

    /// What is hashed.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

/// Which new passwords are taken. Signing in asks for none of this: a policy made stricter locks nobody out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// Any but the username.
    #[default]
    Standard,
    /// Besides, at least 8 characters and none that everybody tries first.
    Strict,
}

impl Policy {
    /// Takes a new password or says what is wrong with it.
    ///
    /// # Errors
    /// A violation of `password`.
    pub fn accept(self, password: &Password, username: &str) -> Result<(), Violation> {
        let refuse = |message| Err(Violation::new("password", message));
        if password.0.eq_ignore_ascii_case(username) {
            return refuse("Password must not be the username");
        }
        if self == Self::Strict {
            if password.0.chars().count() < MIN_STRICT {
                return refuse("Password must be at least 8 characters");
            }
            if COMMON.contains(password.0.to_lowercase().as_str()) {
                return refuse("This password is too common. Please choose another one");
            }
        }
        Ok(())
    }
}

/// Passwords of 8 characters and more that head every published list of leaked ones.
static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("common-passwords.txt").lines().collect());

#[cfg(test)]
mod tests {
    use super::*;

    fn password(raw: &str) -> Password {
        Password::parse(raw.to_owned()).unwrap()
    }

    #[test]
    fn six_characters_are_enough_and_five_are_not() {
        assert!(Password::parse("ñandú1".to_owned()).is_ok());
        let refused = Password::parse("ñandú".to_owned()).unwrap_err();
        assert_eq!(refused, Violation::new("password", "Password must be at least 6 characters"));
        assert!(Password::parse("p".repeat(128)).is_ok());
        assert!(Password::parse("p".repeat(129)).is_err());
    }

    #[test]
    fn one_password_typed_in_two_forms_is_one_password() {
        assert_eq!(password("cafe\u{301}-1").as_bytes(), password("café-1").as_bytes());
    }

    #[test]
    fn debug_tells_nothing() {
        assert_eq!(format!("{:?}", password("hunter22")), "Password(..)");
    }

    #[test]
    fn the_username_is_no_password() {
        let username = "Isabel.Reyes";
        assert!(Policy::Standard.accept(&password("isabel.reyes"), username).is_err());
        assert!(Policy::Standard.accept(&password("isabel.reyes1"), username).is_ok());
    }

    #[test]
    fn strict_wants_eight_and_none_that_everybody_tries() {
        let username = "isabel";
        assert!(Policy::Standard.accept(&password("1234567"), username).is_ok());
        assert!(Policy::Strict.accept(&password("1q9-zzz"), username).is_err());
        assert!(Policy::Strict.accept(&password("Password123"), username).is_err());
        assert!(Policy::Strict.accept(&password("certiorari!"), username).is_ok());
    }

    #[test]
    fn the_list_holds_only_what_the_length_does_not_refuse_already() {
        assert!(COMMON.len() > 100);
        assert!(COMMON.iter().all(|word| word.len() >= MIN_STRICT && *word == word.to_lowercase()));
    }
}
