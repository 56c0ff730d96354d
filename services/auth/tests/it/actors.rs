//! A signed-in member and the calls with the member's token.

use futures::TryStreamExt as _;
use portia_proto::auth::{
    ChangePasswordRequest, ChangePasswordResponse, CheckReauthenticationRequest, CloseAccountRequest,
    CloseAccountResponse, ConfirmTotpRequest, CreateTotpRequest, CreateTotpResponse, DeleteTotpRequest,
    DeleteTrustedBrowserRequest, EndSessionsRequest, EndSessionsResponse, ExportMemberRequest, ExportMemberResponse,
    GetRecoveryCodesRequest, GetRecoveryCodesResponse, GetTotpRequest, ListSessionsRequest, ListTrustedBrowsersRequest,
    OpenSession, ReauthenticateRequest, RenewRecoveryCodesRequest, TrustedBrowserSummary,
};
use tonic::{Request, Status, Streaming};
use uuid::Uuid;

use crate::{Auth, PASSWORD, browser, registration};

pub struct SignedIn<'a> {
    pub auth: &'a Auth,
    pub member: Uuid,
    pub session: Uuid,
    /// The session's cookie.
    pub token: String,
    /// The trusted browser's cookie.
    pub browser: String,
}

impl Auth {
    /// Registers member `n`.
    pub async fn member(&self, n: u128) -> SignedIn<'_> {
        let answer = self.register(registration(n)).await.unwrap();
        self.at(answer.session.unwrap().token, answer.trusted_browser.unwrap().token).await
    }

    /// Signs member `n` in, on a browser with a token or none.
    pub async fn sign_in(&self, n: u128, browser_token: &str) -> SignedIn<'_> {
        let answer = self.login_at(&format!("member.{n}"), PASSWORD, browser_token).await.unwrap();
        self.at(answer.session.unwrap().token, answer.trusted_browser.unwrap().token).await
    }

    pub async fn at(&self, token: String, browser: String) -> SignedIn<'_> {
        let resolved = self.resolve(&token).await.unwrap();
        let (member, session) = (resolved.member_id.parse().unwrap(), resolved.session_id.parse().unwrap());
        SignedIn { auth: self, member, session, token, browser }
    }
}

impl SignedIn<'_> {
    /// A request with a new member token, even if the session has ended.
    pub fn request<T>(&self, message: T) -> Request<T> {
        self.auth.harness.actors.session(self.member, self.session).request(message).unwrap()
    }

    /// Whether the session's cookie is valid.
    pub async fn is_open(&self) -> bool {
        self.auth.resolve(&self.token).await.is_ok()
    }

    pub async fn change(&self, current: &str, new: &str) -> Result<ChangePasswordResponse, Status> {
        let message = ChangePasswordRequest {
            current_password: current.into(),
            new_password: new.into(),
            browser: Some(browser("192.0.2.9")),
        };
        Ok(self.auth.client().change_password(self.request(message)).await?.into_inner())
    }

    pub async fn sessions(&self) -> Result<Vec<OpenSession>, Status> {
        let answer = self.auth.client().list_sessions(self.request(ListSessionsRequest {})).await?;
        Ok(answer.into_inner().sessions)
    }

    pub async fn end(&self, session: Option<String>) -> Result<EndSessionsResponse, Status> {
        let message = EndSessionsRequest { session_id: session, browser: Some(browser("192.0.2.9")) };
        Ok(self.auth.client().end_sessions(self.request(message)).await?.into_inner())
    }

    pub async fn trusted_browsers(&self) -> Result<Vec<TrustedBrowserSummary>, Status> {
        let answer = self.auth.client().list_trusted_browsers(self.request(ListTrustedBrowsersRequest {})).await?;
        Ok(answer.into_inner().trusted_browsers)
    }

    pub async fn end_trust(&self, session: &str) -> Result<(), Status> {
        let message = DeleteTrustedBrowserRequest { session_id: session.into(), browser: Some(browser("192.0.2.9")) };
        self.auth.client().delete_trusted_browser(self.request(message)).await.map(drop)
    }

    pub async fn code_status(&self) -> Result<GetRecoveryCodesResponse, Status> {
        Ok(self.auth.client().get_recovery_codes(self.request(GetRecoveryCodesRequest {})).await?.into_inner())
    }

    pub async fn renew_codes(&self) -> Result<Vec<String>, Status> {
        let message = RenewRecoveryCodesRequest { browser: Some(browser("192.0.2.9")) };
        Ok(self.auth.client().renew_recovery_codes(self.request(message)).await?.into_inner().codes)
    }

    pub async fn close(&self, confirmation: &str) -> Result<CloseAccountResponse, Status> {
        let message = CloseAccountRequest { confirmation: confirmation.into(), browser: Some(browser("192.0.2.9")) };
        Ok(self.auth.client().close_account(self.request(message)).await?.into_inner())
    }

    /// Proves again by the password, or by a code.
    pub async fn prove(&self, password: Option<&str>, code: Option<&str>) -> Result<(), Status> {
        let message = ReauthenticateRequest {
            password: password.map(str::to_owned),
            one_time_code: code.map(str::to_owned),
            browser: Some(browser("192.0.2.9")),
            passkey: None,
        };
        self.auth.client().reauthenticate(self.request(message)).await.map(drop)
    }

    /// Whether sensitive changes are possible for another minute.
    pub async fn has_proved(&self) -> Result<(), Status> {
        self.auth.client().check_reauthentication(self.request(CheckReauthenticationRequest {})).await.map(drop)
    }

    /// Creates the secret for an authenticator app, which waits for its confirmation.
    pub async fn create_totp(&self) -> Result<CreateTotpResponse, Status> {
        Ok(self.auth.client().create_totp(self.request(CreateTotpRequest {})).await?.into_inner())
    }

    pub async fn confirm_totp(&self, code: &str) -> Result<(), Status> {
        let message = ConfirmTotpRequest { one_time_code: code.into(), browser: Some(browser("192.0.2.9")) };
        self.auth.client().confirm_totp(self.request(message)).await.map(drop)
    }

    pub async fn delete_totp(&self) -> Result<(), Status> {
        let message = DeleteTotpRequest { browser: Some(browser("192.0.2.9")) };
        self.auth.client().delete_totp(self.request(message)).await.map(drop)
    }

    /// Returns the time since which sign-ins need a code, in seconds since 1970.
    pub async fn totp_since(&self) -> Result<Option<i64>, Status> {
        let answer = self.auth.client().get_totp(self.request(GetTotpRequest {})).await?;
        Ok(answer.into_inner().confirmed_at.map(|at| at.seconds))
    }

    pub async fn export(&self) -> Result<Streaming<ExportMemberResponse>, Status> {
        Ok(self.auth.client().export_member(self.request(ExportMemberRequest {})).await?.into_inner())
    }

    /// The records of an export: section and JSON.
    pub async fn exported(&self) -> Vec<(String, serde_json::Value)> {
        let records: Vec<ExportMemberResponse> = self.export().await.unwrap().try_collect().await.unwrap();
        records.into_iter().map(|record| (record.section, serde_json::from_str(&record.json).unwrap())).collect()
    }
}
