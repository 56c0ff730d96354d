//! Passwords and the rules for new ones.

use std::fmt;

use primitives::{error::Violation, input::Text};
use serde::Deserialize;
use zeroize::Zeroizing;

use super::guessable::is_guessable;

/// The minimum length in characters.
pub const MIN: usize = 6;
const MIN_STRICT: usize = 12;

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
    /// Every password that is hard to guess.
    #[default]
    Standard,
    /// Also at least 12 characters.
    Strict,
}

impl PasswordPolicy {
    /// The minimum length of a new password, in characters.
    pub const fn min_length(self) -> usize {
        match self {
            Self::Standard => MIN,
            Self::Strict => MIN_STRICT,
        }
    }

    /// Validates a new password.
    pub fn validate(self, password: &Password, username: &str) -> Result<(), Violation> {
        let violation = |message| Err(Violation::new("password", message));
        if password.0.chars().count() < self.min_length() {
            return violation("Password must be at least 12 characters");
        }
        if is_guessable(&password.0, username) {
            return violation("Please choose a password that is harder to guess");
        }
        Ok(())
    }
}

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
    fn guessable_passwords_are_refused_by_both_policies() {
        for policy in [PasswordPolicy::Standard, PasswordPolicy::Strict] {
            for guessable in ["isabel.reyes", "isabel.reyes1", "qwertyqwerty", "123456789012345"] {
                let refused = policy.validate(&password(guessable), "Isabel.Reyes");
                assert!(refused.is_err(), "{guessable}");
            }
        }
        let refused = PasswordPolicy::Standard.validate(&password("Password123"), "isabel").unwrap_err();
        assert_eq!(refused, Violation::new("password", "Please choose a password that is harder to guess"));
    }

    #[test]
    fn the_strict_policy_refuses_short_passwords() {
        let eleven = password("certiorari!");
        assert!(PasswordPolicy::Standard.validate(&eleven, "isabel").is_ok());
        assert!(PasswordPolicy::Strict.validate(&eleven, "isabel").is_err());
        assert!(PasswordPolicy::Strict.validate(&password("certiorari!!"), "isabel").is_ok());
    }
}
