//! What somebody asks for their own account: a new password for a proof or for the old one, and what needs it again.

use portia_proto::auth as proto;
use primitives::{
    error::Violation,
    input::{Form, InvalidRequest},
};

use super::{Browser, Username, brought};
use crate::{
    password::{Password, Policy},
    recovery::Code,
    reset::Proof,
    token::Token,
    trusted::BrowserHash,
};

/// A new password, and the proof offered for it.
#[derive(Debug)]
pub struct Offer {
    /// Whose account it is to be.
    pub username: Username,
    /// Not yet hashed.
    pub password: Password,
    /// Not yet looked at.
    pub proof: Proof,
    /// Where they are.
    pub browser: Browser,
}

impl Offer {
    /// Reads a reset under a password policy. Of several proofs the first that is given counts: a link, a code, the browser.
    ///
    /// # Errors
    /// Every field at fault. A proof is no field: what is not one of ours is refused like one that is not theirs.
    pub fn parse(raw: proto::ResetPasswordRequest, policy: Policy) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let username = form.take(Username::parse(&raw.username));
        let password = form.take(Password::parse(raw.password));
        if let (Some(username), Some(password)) = (&username, &password) {
            form.take(policy.accept(password, username.as_str()));
        }
        let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let proof = match (given(raw.link_token), given(raw.recovery_code)) {
            (Some(link), _) => Proof::Link(Token::read(link.trim())),
            (None, Some(code)) => Proof::Code(Code::read(&code)),
            (None, None) => Proof::Browser(brought(&raw.trusted_browser_token)),
        };
        let browser = Browser::from(raw.browser);
        let taken = username.zip(password);
        form.finish(taken).map(|(username, password)| Self { username, password, proof, browser })
    }
}

/// A new password in the place of one that is known.
#[derive(Debug)]
pub struct NewPassword {
    /// Still to be proved.
    pub current: Password,
    /// Not yet hashed; whether it is taken depends on the username too.
    pub new: Password,
    /// The browser that goes on being trusted.
    pub keep: Option<BrowserHash>,
    /// Where they are.
    pub browser: Browser,
}

impl TryFrom<proto::ChangePasswordRequest> for NewPassword {
    type Error = InvalidRequest;

    fn try_from(raw: proto::ChangePasswordRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let current =
            form.take(Password::parse(raw.current_password).map_err(|refused| of("currentPassword", refused)));
        let new = form.take(Password::parse(raw.new_password).map_err(|refused| of("newPassword", refused)));
        let (keep, browser) = (brought(&raw.trusted_browser_token), Browser::from(raw.browser));
        let taken = current.zip(new);
        form.finish(taken).map(|(current, new)| Self { current, new, keep, browser })
    }
}

impl NewPassword {
    /// Takes the new password for the account, or says what is wrong with it.
    ///
    /// # Errors
    /// A violation of `newPassword`.
    pub fn accept(&self, policy: Policy, username: &str) -> Result<(), Violation> {
        policy.accept(&self.new, username).map_err(|refused| of("newPassword", refused))
    }
}

/// The password given again for something that being signed in is not enough for.
#[derive(Debug)]
pub struct Reproof {
    /// Needed where the session is not fresh.
    pub password: Option<Password>,
    /// Where they are.
    pub browser: Browser,
}

impl Reproof {
    fn parse(password: Option<String>, browser: Option<proto::Browser>) -> Result<Self, InvalidRequest> {
        // An empty field of a form is one that was not filled in.
        let password = password.filter(|text| !text.is_empty()).map(Password::parse).transpose()?;
        Ok(Self { password, browser: Browser::from(browser) })
    }
}

impl TryFrom<proto::RenewRecoveryCodesRequest> for Reproof {
    type Error = InvalidRequest;

    fn try_from(raw: proto::RenewRecoveryCodesRequest) -> Result<Self, InvalidRequest> {
        Self::parse(raw.password, raw.browser)
    }
}

impl TryFrom<proto::CloseAccountRequest> for Reproof {
    type Error = InvalidRequest;

    /// Without the confirmation, which only the account's name can decide on.
    fn try_from(raw: proto::CloseAccountRequest) -> Result<Self, InvalidRequest> {
        Self::parse(raw.password, raw.browser)
    }
}

fn of(field: &str, violation: Violation) -> Violation {
    Violation { field: field.to_owned(), ..violation }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(link: Option<&str>, code: Option<&str>, browser: &str) -> Proof {
        let raw = proto::ResetPasswordRequest {
            username: "isabel".into(),
            password: "certiorari".into(),
            link_token: link.map(str::to_owned),
            recovery_code: code.map(str::to_owned),
            trusted_browser_token: browser.to_owned(),
            browser: None,
        };
        Offer::parse(raw, Policy::Standard).unwrap().proof
    }

    #[test]
    fn the_first_proof_that_is_given_counts() {
        let token = "A".repeat(43);
        let code = "0110-ABCD-EFGH-JKMN";
        assert!(matches!(offer(Some(&token), Some(code), &token), Proof::Link(Some(_))));
        assert!(matches!(offer(None, Some(code), &token), Proof::Code(Some(_))));
        assert!(matches!(offer(None, None, &token), Proof::Browser(Some(_))));
        assert!(matches!(offer(Some(""), Some(" "), &token), Proof::Browser(Some(_))), "blank is not given");
        assert!(matches!(offer(Some("x"), Some(code), &token), Proof::Link(None)), "no falling back on another");
        assert!(matches!(offer(None, None, "x"), Proof::Browser(None)));
    }

    #[test]
    fn a_change_names_its_own_fields() {
        let refused = NewPassword::try_from(proto::ChangePasswordRequest::default()).unwrap_err();
        let fields: Vec<&str> = refused.0.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(fields, ["currentPassword", "newPassword"]);
    }
}
