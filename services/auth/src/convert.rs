//! Conversion between proto messages and domain types, and the validation of requests.

mod moderation;
mod passkeys;
mod passwords;

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use portia_proto::auth as pb;
use primitives::{
    error::Violation,
    ids,
    input::{Form, InvalidRequest, Line},
};
use prost_types::Timestamp;
use uuid::Uuid;

pub use moderation::{
    MemberChange, parse_appeal, parse_appeal_decision, parse_appeals_page, parse_decision, parse_log_page,
    parse_suspended_page,
};
pub use passkeys::{NewPasskey, PasskeyLogin, parse_assertion, parse_passkey_name, passkey_to_pb};
pub use passwords::{IdentityProof, PasswordChange, PasswordReset, Reauthentication, ResetCode, parse_hash_prefix};

use crate::{
    accounts::{NewAccount, Registration, Username},
    credentials::{
        password::{Password, PasswordPolicy},
        token::Token,
    },
    error::Error,
    recovery::trusted_browsers::{BrowserHash, NewTrustedBrowser, TrustRequest, TrustedBrowserSummary},
    second_factor::OneTimeCode,
    sessions::{Browser, NewSession, SessionSummary},
};

/// In characters.
const MAX_USER_AGENT: usize = 400;

/// Trims and validates a username.
pub fn parse_username(raw: &str) -> Result<Username, Violation> {
    let line = Line::parse("username", raw, 3, "Username must be at least 3 characters")?;
    let sentence = "Username may contain only letters, digits and _ . @ + -";
    Username::new(line).ok_or_else(|| Violation::new("username", sentence))
}

impl From<Option<pb::Browser>> for Browser {
    fn from(raw: Option<pb::Browser>) -> Self {
        let raw = raw.unwrap_or_default();
        let user_agent: String = raw.user_agent.chars().filter(|c| !c.is_control()).take(MAX_USER_AGENT).collect();
        let address = raw.address.trim().parse::<IpAddr>().ok();
        Self {
            user_agent: (!user_agent.trim().is_empty()).then_some(user_agent),
            address: address.map(|address| address.to_canonical().to_string()),
        }
    }
}

/// Returns the hash of a trusted browser's token; `None` for an invalid token.
pub fn parse_browser_token(raw: &str) -> Option<BrowserHash> {
    Token::parse(raw).map(|token| token.hash())
}

fn parse_form(raw: &pb::RegistrationForm, form: &mut Form) -> Option<Registration> {
    let full_name = {
        // It would look like the mark of a verified member.
        let name = Line::parse_without_check_marks("fullName", &raw.full_name, 2, "Full name is required");
        form.take(name)
    };
    let headline = form.take(Line::parse_optional("headline", raw.headline.as_deref()));
    let location = form.take(Line::parse_optional("location", raw.location.as_deref()));
    let school = form.take(Line::parse_optional("school", raw.school.as_deref()));
    let graduation_year = form.take(Line::parse_optional("graduationYear", raw.graduation_year.as_deref()));
    Some(Registration {
        full_name: full_name?,
        headline: headline?,
        location: location?,
        school: school?,
        graduation_year: graduation_year?,
    })
}

impl From<&Registration> for pb::RegistrationForm {
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

/// Validates a registration under a password policy.
///
/// # Errors
/// [`Error::Invalid`], or [`Error::UsernameTaken`] for a reserved username.
pub fn parse_registration(raw: pb::RegisterRequest, policy: PasswordPolicy) -> Result<NewAccount, Error> {
    let mut form = Form::default();
    let id = form.take(ids::parse("memberId", &raw.member_id));
    let username = form.take(parse_username(&raw.username));
    let password = form.take(Password::parse(raw.password));
    let registration = parse_form(&raw.form.unwrap_or_default(), &mut form);
    if let (Some(username), Some(password)) = (&username, &password) {
        form.take(policy.validate(password, username.as_str()));
    }
    let browser = Browser::from(raw.browser);
    let trust = TrustRequest { token: parse_browser_token(&raw.trusted_browser_token), is_shared: raw.shared_computer };
    let taken = id.zip(username).zip(password).zip(registration);
    let (((id, username), password), registration) = form.finish(taken)?;
    if username.is_reserved() {
        return Err(Error::username_taken());
    }
    Ok(NewAccount { id, username, password, registration, browser, trust })
}

/// A sign-in before verification.
#[derive(Debug)]
pub struct Credentials {
    /// The account's username.
    pub username: Username,
    /// The password in clear.
    pub password: Password,
    /// The second factor.
    pub code: Option<OneTimeCode>,
    /// The browser of the session.
    pub browser: Browser,
    /// Whether to trust the browser.
    pub trust: TrustRequest,
}

impl TryFrom<pb::LoginRequest> for Credentials {
    type Error = InvalidRequest;

    fn try_from(raw: pb::LoginRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let username = form.take(parse_username(&raw.username));
        let password = form.take(Password::parse(raw.password));
        let browser = Browser::from(raw.browser);
        let trust =
            TrustRequest { token: parse_browser_token(&raw.trusted_browser_token), is_shared: raw.shared_computer };
        // A client may send an empty field for an absent code.
        let code = raw.one_time_code.filter(|text| !text.trim().is_empty());
        let code = code.map(|text| OneTimeCode::parse(&text));
        let taken = username.zip(password);
        form.finish(taken).map(|(username, password)| Self { username, password, code, browser, trust })
    }
}

/// Converts a new session with its token.
pub fn session_to_pb(session: &NewSession) -> pb::Session {
    pb::Session { token: session.token.encoded(), expires_at: Some(timestamp(session.ends_at)) }
}

/// Converts a new trusted browser with its token.
pub fn trusted_browser_to_pb(browser: &NewTrustedBrowser) -> pb::TrustedBrowser {
    pb::TrustedBrowser { token: browser.token.encoded(), expires_at: Some(timestamp(browser.expires_at)) }
}

/// Converts a session for the list of its owner. `current` is the session of the request.
pub fn session_summary_to_pb(session: SessionSummary, current: Uuid) -> pb::OpenSession {
    pb::OpenSession {
        is_current: session.id == current,
        id: session.id.to_string(),
        created_at: Some(timestamp(session.created_at)),
        last_seen_at: Some(timestamp(session.last_seen_at)),
        browser: Some(pb::Browser {
            user_agent: session.user_agent.unwrap_or_default(),
            address: session.address.unwrap_or_default(),
        }),
        trusted_since: session.trusted_since.map(timestamp),
    }
}

/// Converts a trusted browser for the list of its owner. `current` is the session of the request.
pub fn trusted_summary_to_pb(browser: TrustedBrowserSummary, current: Uuid) -> pb::TrustedBrowserSummary {
    pb::TrustedBrowserSummary {
        session_id: browser.session_id.to_string(),
        since: Some(timestamp(browser.since)),
        last_seen_at: Some(timestamp(browser.last_seen_at)),
        browser: Some(pb::Browser {
            user_agent: browser.user_agent.unwrap_or_default(),
            address: browser.address.unwrap_or_default(),
        }),
        is_signed_in: browser.is_signed_in,
        is_current: browser.session_id == current,
    }
}

/// Converts to the proto type.
pub fn timestamp(at: DateTime<Utc>) -> Timestamp {
    Timestamp { seconds: at.timestamp(), nanos: i32::try_from(at.timestamp_subsec_nanos()).unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use primitives::error::ServiceError as _;

    use super::*;

    #[test]
    fn a_username_is_trimmed_and_keeps_its_case() {
        let username = parse_username("  Isabel.Reyes ").unwrap();
        assert_eq!((username.as_str(), username.key().as_str()), ("Isabel.Reyes", "isabel.reyes"));
    }

    #[test]
    fn usernames_of_operators_are_reserved() {
        let is_reserved = |raw: &str| parse_username(raw).unwrap().is_reserved();
        for reserved in [
            "admin",
            "Portia",
            "SUPPORT",
            "a.d.m.i.n",
            "_root_",
            "portia.support",
            "Portia-Admin",
            "security@portia",
            "system_",
        ] {
            assert!(is_reserved(reserved), "{reserved}");
        }
        for free in ["adminka", "ana.admin", "portia.reyes", "helper", "rooted", "...", "staff1"] {
            assert!(!is_reserved(free), "{free}");
        }
    }

    #[test]
    fn usernames_contain_only_ascii_letters_digits_and_some_signs() {
        for good in ["abc", "a_b", "a.b@c+d-e", "ABC123", &"x".repeat(64)] {
            assert!(parse_username(good).is_ok(), "{good}");
        }
        for bad in ["ab", " ab ", "", "a b c", "аbc", "ａｂｃ", "abç", "a\0bc", "a/b", "abc\u{202e}", &"x".repeat(65)]
        {
            assert!(parse_username(bad).is_err(), "{bad:?}");
        }
        assert_eq!(parse_username("ab").unwrap_err().message, "Username must be at least 3 characters");
    }

    #[test]
    fn invalid_browser_headers_are_dropped() {
        let raw = pb::Browser {
            user_agent: format!("Moz\0illa\n{}", "x".repeat(1 << 20)),
            address: "::ffff:10.0.0.1".into(),
        };
        let browser = Browser::from(Some(raw));
        assert_eq!(browser.address.as_deref(), Some("10.0.0.1"));
        let user_agent = browser.user_agent.unwrap();
        assert!(user_agent.starts_with("Mozillax"));
        assert_eq!(user_agent.chars().count(), MAX_USER_AGENT);
        assert_eq!(Browser::from(None), Browser::default());
        let invalid = pb::Browser { user_agent: " ".into(), address: "nowhere".into() };
        assert_eq!(Browser::from(Some(invalid)), Browser::default());
    }

    #[test]
    fn a_registration_reports_every_invalid_field() {
        let refused = parse_registration(pb::RegisterRequest::default(), PasswordPolicy::Standard).unwrap_err();
        let fields: Vec<&str> = refused.violations().iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(fields, ["memberId", "username", "password", "fullName"]);
    }
}
