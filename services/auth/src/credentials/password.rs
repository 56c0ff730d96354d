//! Passwords and the rules for new ones.

use std::{collections::HashSet, fmt, sync::LazyLock};

use primitives::{error::Violation, input::Text};
use serde::Deserialize;
use zeroize::Zeroizing;

const MIN: usize = 6;
const MIN_STRICT: usize = 8;

/// A password, normalised (NFC). Its memory is wiped on drop, and `Debug` does not show it.
#[derive(Clone)]
pub struct Password(Zeroizing<String>);

impl Password {
    /// Parses a password of 6 to 128 characters.
    pub fn parse(raw: String) -> Result<Self, Violation> {
        let raw = Zeroizing::new(raw);
        let text = Text::<128>::parse_or("password", &raw, "Password must be at least 6 characters")?;
        let password = Zeroizing::new(text.into_string());
        if password.chars().count() < MIN {
            return Err(Violation::new("password", "Password must be at least 6 characters"));
        }
        Ok(Self(password))
    }

    /// The input of the hash.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

/// The rules for new passwords. A sign-in does not check them, so a stricter policy locks no member out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PasswordPolicy {
    /// Every password except the username.
    #[default]
    Standard,
    /// Also at least 8 characters, and not a common password.
    Strict,
}

impl PasswordPolicy {
    /// Validates a new password.
    pub fn validate(self, password: &Password, username: &str) -> Result<(), Violation> {
        let violation = |message| Err(Violation::new("password", message));
        if password.0.eq_ignore_ascii_case(username) {
            return violation("Password must not be the username");
        }
        if self == Self::Strict {
            if password.0.chars().count() < MIN_STRICT {
                return violation("Password must be at least 8 characters");
            }
            if COMMON.contains(password.0.to_lowercase().as_str()) {
                return violation("This password is too common. Please choose another one");
            }
        }
        Ok(())
    }
}

/// The most frequent passwords of 8 characters and more in published lists of leaked ones.
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
    fn unicode_forms_of_one_password_are_equal() {
        assert_eq!(password("cafe\u{301}-1").as_bytes(), password("café-1").as_bytes());
    }

    #[test]
    fn debug_hides_the_password() {
        assert_eq!(format!("{:?}", password("hunter22")), "Password(..)");
    }

    #[test]
    fn the_username_is_refused_as_password() {
        let username = "Isabel.Reyes";
        assert!(PasswordPolicy::Standard.validate(&password("isabel.reyes"), username).is_err());
        assert!(PasswordPolicy::Standard.validate(&password("isabel.reyes1"), username).is_ok());
    }

    #[test]
    fn the_strict_policy_refuses_short_and_common_passwords() {
        let username = "isabel";
        assert!(PasswordPolicy::Standard.validate(&password("1234567"), username).is_ok());
        assert!(PasswordPolicy::Strict.validate(&password("1q9-zzz"), username).is_err());
        assert!(PasswordPolicy::Strict.validate(&password("Password123"), username).is_err());
        assert!(PasswordPolicy::Strict.validate(&password("certiorari!"), username).is_ok());
    }

    #[test]
    fn every_common_password_has_the_strict_minimum_length() {
        assert!(COMMON.len() > 100);
        assert!(COMMON.iter().all(|word| word.len() >= MIN_STRICT && *word == word.to_lowercase()));
    }
}
