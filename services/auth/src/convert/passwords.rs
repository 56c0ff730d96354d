//! Requests that set or repeat a password.

use portia_proto::auth as pb;
use primitives::{
    error::Violation,
    input::{Form, InvalidRequest},
};

use super::{parse_assertion, parse_browser_token, parse_username};
use crate::{
    accounts::Username,
    credentials::{
        common_passwords::HashPrefix,
        password::{Password, PasswordPolicy},
        token::Token,
    },
    error::Error,
    passkeys::credentials::Assertion,
    recovery::codes::RecoveryCode,
    reset_proofs::{PasskeyProof, Proof},
    second_factor::{OneTimeCode, totp::TotpCode},
    sessions::Browser,
};

/// Parses the beginning of a password's hash; `None` when the client asks for the policy only.
pub fn parse_hash_prefix(raw: &str) -> Result<Option<HashPrefix>, Violation> {
    if raw.is_empty() {
        return Ok(None);
    }
    let prefix = HashPrefix::parse(raw);
    prefix.map(Some).ok_or_else(|| Violation::new("hashPrefix", "Send three hexadecimal digits in lower case."))
}

/// A password reset with its proof.
#[derive(Debug)]
pub struct PasswordReset {
    /// The account's username.
    pub username: Username,
    /// The new password in clear.
    pub password: Password,
    /// The proof before verification.
    pub proof: Proof,
    /// A code of the app of the account, beside a recovery code.
    pub code: Option<ResetCode>,
    /// The browser of the request.
    pub browser: Browser,
}

impl PasswordReset {
    /// Validates a reset under a password policy. Of several proofs the first counts, in the order link, code, passkey,
    /// browser.
    ///
    /// # Errors
    /// Every invalid field. A malformed proof is no violation: it fails later like a wrong one.
    pub fn parse(raw: pb::ResetPasswordRequest, policy: PasswordPolicy) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let username = form.take(parse_username(&raw.username));
        let password = form.take(Password::parse(raw.password));
        if let (Some(username), Some(password)) = (&username, &password) {
            form.take(policy.validate(password, username.as_str()));
        }
        let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let code = given(raw.one_time_code).map(|text| ResetCode(TotpCode::parse(&text)));
        let proof = match (given(raw.link_token), given(raw.recovery_code), raw.passkey) {
            (Some(link), _, _) => Proof::Link(Token::parse(link.trim())),
            (None, Some(code), _) => Proof::Code(RecoveryCode::parse(&code)),
            (None, None, Some(assertion)) => {
                let assertion = parse_assertion(&assertion).ok();
                Proof::Passkey(assertion.map(|assertion| Box::new(PasskeyProof { assertion, verified: None })))
            }
            (None, None, None) => Proof::Browser(parse_browser_token(&raw.trusted_browser_token)),
        };
        let browser = Browser::from(raw.browser);
        let taken = username.zip(password);
        form.finish(taken).map(|(username, password)| Self { username, password, proof, code, browser })
    }
}

/// The code of an app beside the proof of a reset; `None` when it has no valid format.
#[derive(Debug)]
pub struct ResetCode(pub Option<TotpCode>);

/// A change from the current password to a new one.
#[derive(Debug)]
pub struct PasswordChange {
    /// The current password before verification.
    pub current: Password,
    /// The new password in clear. [`Self::validate`] checks it, which needs the username.
    pub new: Password,
    /// The browser of the request.
    pub browser: Browser,
}

impl TryFrom<pb::ChangePasswordRequest> for PasswordChange {
    type Error = InvalidRequest;

    fn try_from(raw: pb::ChangePasswordRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let current =
            form.take(Password::parse(raw.current_password).map_err(|refused| with_field("currentPassword", refused)));
        let new = form.take(Password::parse(raw.new_password).map_err(|refused| with_field("newPassword", refused)));
        let browser = Browser::from(raw.browser);
        let taken = current.zip(new);
        form.finish(taken).map(|(current, new)| Self { current, new, browser })
    }
}

impl PasswordChange {
    /// Validates the new password.
    pub fn validate(&self, policy: PasswordPolicy, username: &str) -> Result<(), Violation> {
        policy.validate(&self.new, username).map_err(|refused| with_field("newPassword", refused))
    }
}

/// A proof that a signed-in member enters again.
#[derive(Debug)]
pub enum IdentityProof {
    /// The password in clear.
    Password(Password),
    /// A code of an authenticator app, or a recovery code.
    Code(OneTimeCode),
    /// The use of a passkey.
    Passkey(Box<Assertion>),
}

/// A proof before verification.
#[derive(Debug)]
pub struct Reauthentication {
    /// The proof.
    pub proof: IdentityProof,
    /// The browser of the request.
    pub browser: Browser,
}

impl TryFrom<pb::ReauthenticateRequest> for Reauthentication {
    type Error = Error;

    fn try_from(raw: pb::ReauthenticateRequest) -> Result<Self, Error> {
        // A client may send an empty field for an absent proof.
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        let proof = match (given(raw.password), given(raw.one_time_code), raw.passkey) {
            (Some(password), _, _) => IdentityProof::Password(Password::parse(password)?),
            (None, Some(code), _) => IdentityProof::Code(OneTimeCode::parse(&code)),
            (None, None, Some(passkey)) => IdentityProof::Passkey(Box::new(parse_assertion(&passkey)?)),
            (None, None, None) => return Err(Violation::new("password", "Enter your password or a code.").into()),
        };
        Ok(Self { proof, browser: Browser::from(raw.browser) })
    }
}

fn with_field(field: &str, violation: Violation) -> Violation {
    Violation { field: field.to_owned(), ..violation }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_proof(link: Option<&str>, code: Option<&str>, browser: &str) -> Proof {
        let raw = pb::ResetPasswordRequest {
            username: "isabel".into(),
            password: "certiorari".into(),
            link_token: link.map(str::to_owned),
            recovery_code: code.map(str::to_owned),
            trusted_browser_token: browser.to_owned(),
            browser: None,
            passkey: None,
            one_time_code: None,
        };
        PasswordReset::parse(raw, PasswordPolicy::Standard).unwrap().proof
    }

    #[test]
    fn the_first_given_proof_counts() {
        let token = "A".repeat(43);
        let code = "0110-ABCD-EFGH-JKMN";
        assert!(matches!(parse_proof(Some(&token), Some(code), &token), Proof::Link(Some(_))));
        assert!(matches!(parse_proof(None, Some(code), &token), Proof::Code(Some(_))));
        assert!(matches!(parse_proof(None, None, &token), Proof::Browser(Some(_))));
        assert!(matches!(parse_proof(Some(""), Some(" "), &token), Proof::Browser(Some(_))), "blank counts as absent");
        assert!(matches!(parse_proof(Some("x"), Some(code), &token), Proof::Link(None)), "no fallback to the code");
        assert!(matches!(parse_proof(None, None, "x"), Proof::Browser(None)));
    }

    #[test]
    fn a_malformed_passkey_is_a_refused_proof() {
        let raw = pb::ResetPasswordRequest {
            username: "isabel".into(),
            password: "certiorari".into(),
            trusted_browser_token: "A".repeat(43),
            passkey: Some(pb::PasskeyAssertion { origin: "https://portia.example".into(), ..Default::default() }),
            ..Default::default()
        };
        let proof = PasswordReset::parse(raw, PasswordPolicy::Standard).unwrap().proof;
        assert!(matches!(proof, Proof::Passkey(None)), "no fallback to the browser");
    }

    #[test]
    fn a_change_reports_its_own_fields() {
        let refused = PasswordChange::try_from(pb::ChangePasswordRequest::default()).unwrap_err();
        let fields: Vec<&str> = refused.0.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(fields, ["currentPassword", "newPassword"]);
    }
}
