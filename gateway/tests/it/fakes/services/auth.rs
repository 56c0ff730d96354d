//! Fake auth: the accounts of Ana and Ben, with the same password.

use portia_proto::auth;
use primitives::error::ErrorKind;
use tonic::Status;
use uuid::Uuid;

use super::refuse;
use crate::actors::{self, ANA, BEN, TRUSTED, noon};
use crate::fakes::{FakeServices, table::Table};

fn check_password(field: &str, password: &str) -> Result<(), Status> {
    if password == "correct horse" {
        return Ok(());
    }
    let sentence = "This is not your password.";
    Err(actors::invalid_field(ErrorKind::Forbidden, "PASSWORD_WRONG", field, sentence))
}

/// Checks that the challenge issued the ceremony, and that the credential has the standard's JSON form.
fn answer_of_passkey(ceremony: &str, credential: &str) -> Result<(), Status> {
    if ceremony != "ceremony" {
        return Err(refuse(ErrorKind::Invalid, "PASSKEY_EXPIRED", "This took too long. Please try again."));
    }
    let credential: serde_json::Value = serde_json::from_str(credential).unwrap();
    assert!(credential["response"]["clientDataJSON"].is_string(), "{credential}");
    if credential["rawId"] == "AQID" {
        return Ok(());
    }
    Err(refuse(ErrorKind::Unauthenticated, "BAD_CREDENTIALS", "Invalid username or password"))
}

/// The passkey of Ana.
fn own_passkey(actor: Option<Uuid>, id: &str) -> Result<(), Status> {
    if actor == Some(ANA) && id == actors::passkey("").id {
        return Ok(());
    }
    Err(refuse(ErrorKind::NotFound, "PASSKEY_NOT_FOUND", "Passkey not found"))
}

/// The code of an app, or a recovery code.
fn check_code(code: Option<&str>) -> Result<(), Status> {
    let (reason, sentence) = match code {
        None => ("SECOND_FACTOR_REQUIRED", "Enter the code of your authenticator app to continue."),
        Some("123456" | "CODE") => return Ok(()),
        Some(_) => ("SECOND_FACTOR_WRONG", "This code is not valid."),
    };
    Err(actors::invalid_field(ErrorKind::Unauthenticated, reason, "oneTimeCode", sentence))
}

fn account(username: &str) -> Result<Uuid, Status> {
    match username.trim().to_lowercase().as_str() {
        "ana" => Ok(ANA),
        "ben" => Ok(BEN),
        _ => Err(refuse(ErrorKind::NotFound, "ACCOUNT_NOT_FOUND", "User not found")),
    }
}

fn known_member(id: &str) -> Result<Uuid, Status> {
    let id = Uuid::try_parse(id).unwrap();
    let is_known = actors::member(id).is_some();
    is_known.then_some(id).ok_or_else(|| refuse(ErrorKind::NotFound, "ACCOUNT_NOT_FOUND", "User not found"))
}

pub fn add_to(table: &mut Table) {
    table.exports(["auth.export_member", "export_member of auth", "auth"], |section, json| {
        auth::ExportMemberResponse { section, json }
    });
    table.answers("auth.register", |fakes, request: auth::RegisterRequest, _| {
        if request.username == "ana" {
            return Err(refuse(ErrorKind::Conflict, "USERNAME_TAKEN", "This username is taken."));
        }
        let id = Uuid::try_parse(&request.member_id).unwrap();
        Ok(auth::RegisterResponse {
            username: request.username.trim().to_owned(),
            session: fakes.session(id),
            trusted_browser: FakeServices::trust(request.shared_computer),
        })
    });
    table.answers("auth.login", |fakes, request: auth::LoginRequest, _| {
        if request.password != "correct horse" {
            return Err(refuse(ErrorKind::Unauthenticated, "BAD_CREDENTIALS", "Invalid username or password"));
        }
        // The account has an authenticator app when the username is spelled so.
        if request.username == "Ana" || request.one_time_code.is_some() {
            check_code(request.one_time_code.as_deref())?;
        }
        Ok(auth::LoginResponse {
            member_id: ANA.to_string(),
            session: fakes.session(ANA),
            trusted_browser: FakeServices::trust(request.shared_computer),
            // An upper-case username reactivates the account.
            reopened: request.username == "ANA",
            moderator: false,
        })
    });
    table.answers("auth.logout", |fakes, request: auth::LogoutRequest, _| {
        let ended = fakes.sessions.lock().unwrap().remove(&request.session_token);
        Ok(auth::LogoutResponse { session_id: ended.map(|(_, session)| session.to_string()) })
    });
    table.answers("auth.resolve_session", |fakes, request: auth::ResolveSessionRequest, _| {
        let known = fakes.sessions.lock().unwrap().get(&request.session_token).copied();
        let reason = if request.session_token == actors::EXPIRED { "SESSION_EXPIRED" } else { "SESSION_ENDED" };
        let ended = || refuse(ErrorKind::Unauthenticated, reason, "Sign in required");
        let (member, session) = known.ok_or_else(ended)?;
        let moderator = fakes.moderators.lock().unwrap().contains(&member);
        let members = &fakes.members;
        let signed = if moderator {
            members.moderator(member, session, noon())
        } else {
            members.member(member, session, noon())
        };
        let (tokens, _) = signed.unwrap();
        let token = |(audience, token): (&str, _)| auth::MemberToken { audience: audience.to_owned(), token };
        let (member_id, session_id) = (member.to_string(), session.to_string());
        Ok(auth::ResolveSessionResponse {
            member_id,
            session_id,
            member_tokens: tokens.into_iter().map(token).collect(),
            expires_at: actors::in_an_hour(),
            moderator,
        })
    });
    table.answers("auth.check_username", |_, request: auth::CheckUsernameRequest, _| {
        let trusted = account(&request.username)? == ANA && request.trusted_browser_token == TRUSTED;
        let mut methods = vec![auth::ProofMethod::RecoveryCode, auth::ProofMethod::OperatorLink];
        if trusted {
            methods.insert(0, auth::ProofMethod::TrustedBrowser);
        }
        Ok(auth::CheckUsernameResponse { methods: methods.into_iter().map(i32::from).collect() })
    });
    table.answers("auth.check_password", |_, request: auth::CheckPasswordRequest, _| {
        let is_prefix = request.hash_prefix.is_empty() || request.hash_prefix == "5e8";
        if !is_prefix {
            let sentence = "Send three hexadecimal digits in lower case.";
            return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "hashPrefix", sentence));
        }
        let hash_suffixes = if request.hash_prefix.is_empty() { Vec::new() } else { vec!["84898da".to_owned()] };
        Ok(auth::CheckPasswordResponse { min_length: 6, hash_suffixes })
    });
    table.answers("auth.reset_password", |fakes, request: auth::ResetPasswordRequest, _| {
        if let Some(passkey) = &request.passkey {
            answer_of_passkey(&passkey.ceremony, &passkey.credential)?;
            let sentence = "This passkey cannot be used for this account.";
            let member = account(&request.username);
            let member = member.map_err(|_| refuse(ErrorKind::Forbidden, "PROOF_REFUSED", sentence))?;
            let ended_session_ids = fakes.end(Some(member), |_| false);
            return Ok(auth::ResetPasswordResponse { member_id: member.to_string(), ended_session_ids });
        }
        let member = account(&request.username)?;
        let proven = match (&request.link_token, &request.recovery_code, request.trusted_browser_token.as_str()) {
            (Some(link), _, _) => link == "link",
            (None, Some(code), _) => code == "CODE",
            (None, None, TRUSTED) => member == ANA,
            (None, None, _) => {
                return Err(refuse(
                    ErrorKind::Forbidden,
                    "PROOF_MISSING",
                    "This browser is not known to this account.",
                ));
            }
        };
        if !proven {
            return Err(refuse(ErrorKind::Forbidden, "PROOF_REFUSED", "This recovery code or link is not valid."));
        }
        // The account has an authenticator app when the username is spelled so, as for a sign-in.
        if request.username == "Ana" && request.recovery_code.is_some() {
            check_code(request.one_time_code.as_deref().filter(|code| *code != "CODE"))?;
        }
        let ended_session_ids = fakes.end(Some(member), |_| false);
        Ok(auth::ResetPasswordResponse { member_id: member.to_string(), ended_session_ids })
    });
    table.answers("auth.change_password", |fakes, request: auth::ChangePasswordRequest, actor| {
        check_password("currentPassword", &request.current_password)?;
        let ended_session_ids = fakes.end(actor, actors::is_initial_session);
        let session = actor.and_then(|member| fakes.renew_session(member));
        let was_trusted = request.new_password != actors::UNTRUSTED_PASSWORD;
        Ok(auth::ChangePasswordResponse { ended_session_ids, session, was_trusted })
    });
    table.answers("auth.reauthenticate", |_, request: auth::ReauthenticateRequest, _| {
        if let Some(passkey) = &request.passkey {
            let sentence = "This passkey cannot be used for this account.";
            return match answer_of_passkey(&passkey.ceremony, &passkey.credential) {
                Ok(()) => Ok(auth::ReauthenticateResponse {}),
                Err(status) if passkey.ceremony != "ceremony" => Err(status),
                Err(_) => Err(refuse(ErrorKind::Forbidden, "PASSKEY_WRONG", sentence)),
            };
        }
        match (request.password, request.one_time_code.as_deref()) {
            (Some(password), _) => check_password("password", &password)?,
            (None, Some("CODE")) => {}
            (None, Some(_)) => {
                let sentence = "This code is not valid.";
                return Err(actors::invalid_field(ErrorKind::Forbidden, "CODE_WRONG", "oneTimeCode", sentence));
            }
            (None, None) => {
                let sentence = "Enter your password or a code.";
                return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "password", sentence));
            }
        }
        Ok(auth::ReauthenticateResponse {})
    });
    table.answers("auth.check_reauthentication", |_, _: auth::CheckReauthenticationRequest, _| {
        Ok(auth::CheckReauthenticationResponse {})
    });
    table.answers("auth.list_sessions", |_, _: auth::ListSessionsRequest, _| {
        Ok(auth::ListSessionsResponse { sessions: vec![actors::open_session()] })
    });
    table.answers("auth.list_trusted_browsers", |_, _: auth::ListTrustedBrowsersRequest, _| {
        Ok(auth::ListTrustedBrowsersResponse { trusted_browsers: vec![actors::trusted_browser()] })
    });
    table.answers("auth.delete_trusted_browser", |_, request: auth::DeleteTrustedBrowserRequest, actor| {
        // The trusted browser of Ana.
        if actor != Some(ANA) || request.session_id != actors::trusted_browser().session_id {
            return Err(refuse(ErrorKind::NotFound, "TRUSTED_BROWSER_NOT_FOUND", "Trusted browser not found"));
        }
        Ok(auth::DeleteTrustedBrowserResponse {})
    });
    table.answers("auth.end_sessions", |fakes, request: auth::EndSessionsRequest, actor| {
        let asked = request.session_id.as_deref();
        let ended_session_ids = fakes.end(actor, |id| asked.is_some_and(|asked| asked != id.to_string()));
        if asked.is_some() && ended_session_ids.is_empty() {
            return Err(refuse(ErrorKind::NotFound, "SESSION_NOT_FOUND", "Session not found"));
        }
        Ok(auth::EndSessionsResponse { ended_session_ids })
    });
    table.answers("auth.get_recovery_codes", |_, _: auth::GetRecoveryCodesRequest, _| {
        Ok(auth::GetRecoveryCodesResponse { remaining: 7, made_at: actors::in_an_hour() })
    });
    table.answers("auth.renew_recovery_codes", |_, _: auth::RenewRecoveryCodesRequest, _| {
        Ok(auth::RenewRecoveryCodesResponse { codes: (0..8).map(|n| format!("AAAA-BBBB-CCCC-000{n}")).collect() })
    });
    table.answers("auth.list_passkeys", |_, _: auth::ListPasskeysRequest, _| {
        Ok(auth::ListPasskeysResponse { passkeys: vec![actors::passkey("Phone")] })
    });
    table.answers("auth.start_passkey_registration", |_, _: auth::StartPasskeyRegistrationRequest, _| {
        let (ceremony, options) = actors::challenge();
        Ok(auth::StartPasskeyRegistrationResponse { ceremony, options })
    });
    table.answers("auth.create_passkey", |_, request: auth::CreatePasskeyRequest, _| {
        answer_of_passkey(&request.ceremony, &request.credential)?;
        Ok(auth::CreatePasskeyResponse { passkey: Some(actors::passkey(&request.name)) })
    });
    table.answers("auth.update_passkey", |_, request: auth::UpdatePasskeyRequest, actor| {
        own_passkey(actor, &request.id)?;
        Ok(auth::UpdatePasskeyResponse { passkey: Some(actors::passkey(&request.name)) })
    });
    table.answers("auth.delete_passkey", |_, request: auth::DeletePasskeyRequest, actor| {
        own_passkey(actor, &request.id)?;
        Ok(auth::DeletePasskeyResponse {})
    });
    table.answers("auth.start_passkey_authentication", |_, _: auth::StartPasskeyAuthenticationRequest, _| {
        let (ceremony, options) = actors::challenge();
        Ok(auth::StartPasskeyAuthenticationResponse { ceremony, options })
    });
    table.answers("auth.start_passkey_proof", |_, _: auth::StartPasskeyProofRequest, _| {
        let (ceremony, options) = actors::challenge();
        Ok(auth::StartPasskeyProofResponse { ceremony, options })
    });
    table.answers("auth.login_with_passkey", |fakes, request: auth::LoginWithPasskeyRequest, _| {
        let passkey = request.passkey.unwrap_or_default();
        answer_of_passkey(&passkey.ceremony, &passkey.credential)?;
        Ok(auth::LoginWithPasskeyResponse {
            member_id: ANA.to_string(),
            username: "Ana".to_owned(),
            session: fakes.session(ANA),
            trusted_browser: FakeServices::trust(request.shared_computer),
            reopened: false,
            moderator: false,
        })
    });
    table.answers("auth.get_totp", |_, _: auth::GetTotpRequest, _| {
        Ok(auth::GetTotpResponse { confirmed_at: actors::in_an_hour() })
    });
    table.answers("auth.create_totp", |_, _: auth::CreateTotpRequest, _| {
        let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".to_owned();
        Ok(auth::CreateTotpResponse { uri: format!("otpauth://totp/Portia:ana?secret={secret}"), secret })
    });
    table.answers("auth.confirm_totp", |_, request: auth::ConfirmTotpRequest, _| {
        if request.one_time_code != "123456" {
            let sentence = "This code is not valid.";
            return Err(actors::invalid_field(ErrorKind::Forbidden, "CODE_WRONG", "oneTimeCode", sentence));
        }
        Ok(auth::ConfirmTotpResponse {})
    });
    table.answers("auth.delete_totp", |_, _: auth::DeleteTotpRequest, _| Ok(auth::DeleteTotpResponse {}));
    table.answers("auth.close_account", |fakes, _: auth::CloseAccountRequest, actor| {
        let ended_session_ids = fakes.end(actor, |_| false);
        Ok(auth::CloseAccountResponse { ended_session_ids, erased_at: actors::in_an_hour() })
    });
    table.answers("auth.get_member_standing", |_, request: auth::GetMemberStandingRequest, _| {
        let standing = Some(actors::standing(known_member(&request.member_id)?, false));
        Ok(auth::GetMemberStandingResponse { standing })
    });
    table.answers("auth.list_suspended_members", |_, _: auth::ListSuspendedMembersRequest, _| {
        let members = vec![actors::standing(BEN, true)];
        Ok(auth::ListSuspendedMembersResponse { members, next_page_token: "older".to_owned() })
    });
    table.answers("auth.suspend_member", |fakes, request: auth::SuspendMemberRequest, _| {
        let member = known_member(&request.member_id)?;
        if fakes.moderators.lock().unwrap().contains(&member) {
            let sentence = "Only an operator can suspend a moderator.";
            return Err(refuse(ErrorKind::Forbidden, "MODERATOR_PROTECTED", sentence));
        }
        let ended_session_ids = fakes.end(Some(member), |_| false);
        Ok(auth::SuspendMemberResponse { standing: Some(actors::standing(member, true)), ended_session_ids })
    });
    table.answers("auth.restore_member", |_, request: auth::RestoreMemberRequest, _| {
        let standing = Some(actors::standing(known_member(&request.member_id)?, false));
        Ok(auth::RestoreMemberResponse { standing })
    });
    table.answers("auth.appeal_suspension", |_, _: auth::AppealSuspensionRequest, _| {
        Ok(auth::AppealSuspensionResponse {})
    });
    table.answers("auth.list_suspension_appeals", |_, _: auth::ListSuspensionAppealsRequest, _| {
        let appeals = vec![actors::suspension_appeal()];
        Ok(auth::ListSuspensionAppealsResponse { appeals, next_page_token: "older".to_owned() })
    });
    table.answers("auth.decide_suspension_appeal", |_, request: auth::DecideSuspensionAppealRequest, _| {
        let appeal = auth::SuspensionAppeal {
            outcome: request.outcome,
            decision_reason: Some("no-violation".to_owned()),
            decision_note: request.note,
            decider: Some("mia".to_owned()),
            decided_at: actors::at(0),
            decidable: false,
            ..actors::suspension_appeal()
        };
        Ok(auth::DecideSuspensionAppealResponse { appeal: Some(appeal) })
    });
    table.answers("auth.list_moderation_log", |_, _: auth::ListModerationLogRequest, _| {
        let entries = vec![actors::log_entry()];
        Ok(auth::ListModerationLogResponse { entries, next_page_token: "older".to_owned() })
    });
}
