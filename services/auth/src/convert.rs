//! From the wire to what auth works with, and back: the only place that checks shape.

mod own;

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use portia_proto::auth as proto;
use primitives::{
    error::Violation,
    ids,
    input::{Form, InvalidRequest, Line},
};
use prost_types::Timestamp;
use uuid::Uuid;

pub use own::{NewPassword, Offer, Reproof};

use crate::{
    password::{Password, Policy},
    sessions::Listed,
    token::Token,
    trusted::{Arrival, BrowserHash},
};

/// The longest User-Agent kept, in characters.
const USER_AGENT: usize = 400;

/// A username as typed: 3 to 64 characters that look the same in every script and font.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Username(Line<64>);

impl Username {
    /// Reads a username; white space around it is not part of it.
    ///
    /// # Errors
    /// A violation of `username`.
    pub fn parse(raw: &str) -> Result<Self, Violation> {
        let line = Line::parse("username", raw, 3, "Username must be at least 3 characters")?;
        if line.chars().all(|c| c.is_ascii_alphanumeric() || "_.@+-".contains(c)) {
            Ok(Self(line))
        } else {
            Err(Violation::new("username", "Username may contain only letters, digits and _ . @ + -"))
        }
    }

    /// As typed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What makes it unique.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

/// What a member says of themselves when registering. auth only passes it on, so what it lets through here is exactly
/// what profile takes: a fact cannot be refused later.
#[derive(Clone, Debug)]
pub struct Registration {
    full_name: Line<100>,
    headline: Option<Line<200>>,
    location: Option<Line<100>>,
    school: Option<Line<200>>,
    graduation_year: Option<Line<10>>,
}

impl Registration {
    fn parse(raw: &proto::RegistrationForm, form: &mut Form) -> Option<Self> {
        let full_name = form.take(Line::parse("fullName", &raw.full_name, 2, "Full name is required"));
        let headline = form.take(Line::parse_optional("headline", raw.headline.as_deref()));
        let location = form.take(Line::parse_optional("location", raw.location.as_deref()));
        let school = form.take(Line::parse_optional("school", raw.school.as_deref()));
        let graduation_year = form.take(Line::parse_optional("graduationYear", raw.graduation_year.as_deref()));
        Some(Self {
            full_name: full_name?,
            headline: headline?,
            location: location?,
            school: school?,
            graduation_year: graduation_year?,
        })
    }
}

impl From<&Registration> for proto::RegistrationForm {
    fn from(registration: &Registration) -> Self {
        Self {
            full_name: registration.full_name.clone().into_string(),
            headline: registration.headline.clone().map(Line::into_string),
            location: registration.location.clone().map(Line::into_string),
            school: registration.school.clone().map(Line::into_string),
            graduation_year: registration.graduation_year.clone().map(Line::into_string),
        }
    }
}

/// Where a session lives. A browser says what it likes in its headers, so nothing here is refused: what cannot be kept
/// is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Browser {
    /// What it calls itself.
    pub user_agent: Option<String>,
    /// Where it is.
    pub address: Option<String>,
}

impl From<Option<proto::Browser>> for Browser {
    fn from(raw: Option<proto::Browser>) -> Self {
        let raw = raw.unwrap_or_default();
        let user_agent: String = raw.user_agent.chars().filter(|c| !c.is_control()).take(USER_AGENT).collect();
        let address = raw.address.trim().parse::<IpAddr>().ok();
        Self {
            user_agent: (!user_agent.trim().is_empty()).then_some(user_agent),
            address: address.map(|address| address.to_canonical().to_string()),
        }
    }
}

/// What a browser was given when somebody signed in there, as the database knows it; a cookie says what it likes too.
#[must_use]
pub fn brought(raw: &str) -> Option<BrowserHash> {
    Token::read(raw).map(|token| token.hash())
}

/// A new account, acceptable in every part.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// The member's id, here and everywhere.
    pub id: Uuid,
    /// Not yet known to be free.
    pub username: Username,
    /// Not yet hashed.
    pub password: Password,
    /// For profile.
    pub registration: Registration,
    /// Where the first session will live.
    pub browser: Browser,
    /// Whether that browser is to be trusted.
    pub arrival: Arrival,
}

impl NewAccount {
    /// Reads a registration under a password policy.
    ///
    /// # Errors
    /// Every field at fault.
    pub fn parse(raw: proto::RegisterRequest, policy: Policy) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let id = form.take(ids::parse("memberId", &raw.member_id));
        let username = form.take(Username::parse(&raw.username));
        let password = form.take(Password::parse(raw.password));
        let registration = Registration::parse(&raw.form.unwrap_or_default(), &mut form);
        if let (Some(username), Some(password)) = (&username, &password) {
            form.take(policy.accept(password, username.as_str()));
        }
        let browser = Browser::from(raw.browser);
        let arrival = Arrival { brought: brought(&raw.trusted_browser_token), is_shared: raw.shared_computer };
        let taken = id.zip(username).zip(password).zip(registration);
        form.finish(taken).map(|(((id, username), password), registration)| Self {
            id,
            username,
            password,
            registration,
            browser,
            arrival,
        })
    }
}

/// A sign-in, still to be proved.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// Who they say they are.
    pub username: Username,
    /// How they prove it.
    pub password: Password,
    /// Where they are.
    pub browser: Browser,
    /// Whether they are to be trusted there.
    pub arrival: Arrival,
}

impl TryFrom<proto::LoginRequest> for Credentials {
    type Error = InvalidRequest;

    fn try_from(raw: proto::LoginRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let username = form.take(Username::parse(&raw.username));
        let password = form.take(Password::parse(raw.password));
        let browser = Browser::from(raw.browser);
        let arrival = Arrival { brought: brought(&raw.trusted_browser_token), is_shared: raw.shared_computer };
        let taken = username.zip(password);
        form.finish(taken).map(|(username, password)| Self { username, password, browser, arrival })
    }
}

/// A session as its owner sees it, when asking from the session `current`.
#[must_use]
pub fn open_session(session: Listed, current: Uuid) -> proto::OpenSession {
    proto::OpenSession {
        is_current: session.id == current,
        id: session.id.to_string(),
        created_at: Some(timestamp(session.created_at)),
        last_seen_at: Some(timestamp(session.last_seen_at)),
        browser: Some(proto::Browser {
            user_agent: session.user_agent.unwrap_or_default(),
            address: session.address.unwrap_or_default(),
        }),
    }
}

/// A moment as the wire has it.
#[must_use]
pub fn timestamp(at: DateTime<Utc>) -> Timestamp {
    Timestamp { seconds: at.timestamp(), nanos: i32::try_from(at.timestamp_subsec_nanos()).unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_username_is_trimmed_and_keeps_its_case() {
        let username = Username::parse("  Isabel.Reyes ").unwrap();
        assert_eq!((username.as_str(), username.key().as_str()), ("Isabel.Reyes", "isabel.reyes"));
    }

    #[test]
    fn usernames_hold_nothing_that_looks_like_something_else() {
        for good in ["abc", "a_b", "a.b@c+d-e", "ABC123", &"x".repeat(64)] {
            assert!(Username::parse(good).is_ok(), "{good}");
        }
        for bad in ["ab", " ab ", "", "a b c", "аbc", "ａｂｃ", "abç", "a\0bc", "a/b", "abc\u{202e}", &"x".repeat(65)]
        {
            assert!(Username::parse(bad).is_err(), "{bad:?}");
        }
        assert_eq!(Username::parse("ab").unwrap_err().message, "Username must be at least 3 characters");
    }

    #[test]
    fn a_browser_is_cleaned_not_refused() {
        let raw = proto::Browser {
            user_agent: format!("Moz\0illa\n{}", "x".repeat(1 << 20)),
            address: "::ffff:10.0.0.1".into(),
        };
        let browser = Browser::from(Some(raw));
        assert_eq!(browser.address.as_deref(), Some("10.0.0.1"));
        let user_agent = browser.user_agent.unwrap();
        assert!(user_agent.starts_with("Mozillax"));
        assert_eq!(user_agent.chars().count(), USER_AGENT);
        assert_eq!(Browser::from(None), Browser::default());
        let nowhere = proto::Browser { user_agent: " ".into(), address: "nowhere".into() };
        assert_eq!(Browser::from(Some(nowhere)), Browser::default());
    }

    #[test]
    fn a_registration_names_every_field_at_fault() {
        let refused = NewAccount::parse(proto::RegisterRequest::default(), Policy::Standard).unwrap_err();
        let fields: Vec<&str> = refused.0.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(fields, ["memberId", "username", "password", "fullName"]);
    }
}
