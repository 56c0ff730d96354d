//! Debug for messages with passwords or tokens: it shows only fields that are not secret.

use std::fmt::{Debug, Formatter, Result};

use crate::auth::{
    ChangePasswordRequest, CheckUsernameRequest, ConfirmTotpRequest, CreatePasskeyRequest, CreateTotpResponse,
    LoginRequest, LoginWithPasskeyRequest, LogoutRequest, MemberToken, PasskeyAssertion, ReauthenticateRequest,
    RegisterRequest, RenewRecoveryCodesResponse, ResetPasswordRequest, ResolveSessionRequest, ResolveSessionResponse,
    Session, TrustedBrowser,
};

macro_rules! shown_without_secrets {
    ($($message:ident { $($harmless:ident),* })*) => {
        $(
            impl Debug for $message {
                fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                    f.debug_struct(stringify!($message))
                        $(.field(stringify!($harmless), &self.$harmless))*
                        .finish_non_exhaustive()
                }
            }
        )*
    };
}

shown_without_secrets! {
    RegisterRequest { member_id }
    LoginRequest {}
    Session { expires_at }
    LogoutRequest {}
    ResolveSessionRequest {}
    ResolveSessionResponse { member_id, session_id, expires_at }
    MemberToken { audience }
    TrustedBrowser { expires_at }
    CheckUsernameRequest {}
    ResetPasswordRequest {}
    ChangePasswordRequest {}
    ReauthenticateRequest {}
    RenewRecoveryCodesResponse {}
    ConfirmTotpRequest {}
    CreateTotpResponse {}
    CreatePasskeyRequest { name, origin }
    PasskeyAssertion { origin }
    LoginWithPasskeyRequest { passkey, shared_computer }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_shown() {
        let secret = || "hunter2".to_owned();
        let register = RegisterRequest { password: secret(), ..RegisterRequest::default() };
        let login = LoginRequest { password: secret(), ..LoginRequest::default() };
        let session = Session { token: secret(), ..Session::default() };
        let logout = LogoutRequest { session_token: secret() };
        let resolve = ResolveSessionRequest { session_token: secret() };
        let resolved = MemberToken { token: secret(), ..MemberToken::default() };
        let trusted = TrustedBrowser { token: secret(), ..TrustedBrowser::default() };
        let check = CheckUsernameRequest { trusted_browser_token: secret(), ..CheckUsernameRequest::default() };
        let reset = ResetPasswordRequest {
            password: secret(),
            link_token: Some(secret()),
            recovery_code: Some(secret()),
            ..ResetPasswordRequest::default()
        };
        let change = ChangePasswordRequest {
            current_password: secret(),
            new_password: secret(),
            ..ChangePasswordRequest::default()
        };
        let prove = ReauthenticateRequest {
            password: Some(secret()),
            one_time_code: Some(secret()),
            ..ReauthenticateRequest::default()
        };
        let renewed = RenewRecoveryCodesResponse { codes: vec![secret()] };
        let confirm = ConfirmTotpRequest { one_time_code: secret(), ..ConfirmTotpRequest::default() };
        let app = CreateTotpResponse { secret: secret(), uri: secret() };
        let create =
            CreatePasskeyRequest { ceremony: secret(), credential: secret(), ..CreatePasskeyRequest::default() };
        let assertion = PasskeyAssertion { ceremony: secret(), credential: secret(), ..PasskeyAssertion::default() };
        let passkey = LoginWithPasskeyRequest {
            passkey: Some(assertion),
            trusted_browser_token: secret(),
            ..LoginWithPasskeyRequest::default()
        };
        let shown = format!("{register:?} {login:?} {session:?} {logout:?} {resolve:?} {resolved:?}")
            + &format!("{trusted:?} {check:?} {reset:?} {change:?} {prove:?} {renewed:?} {confirm:?}")
            + &format!("{app:?} {create:?} {passkey:?}");
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}
