//! Fake auth: the accounts of Ana and Ben, with the same password.

use portia_proto::auth;
use primitives::error::ErrorKind;
use rpc::identity::Actor;
use tokio_stream::StreamExt as _;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{BoxStream, Fake, refuse, signed_in};
use crate::actors::{self, ANA, BEN, TRUSTED, noon};

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

fake!(auth::auth_service_server::AuthService [exports auth as "auth"] {
    register(auth::RegisterRequest) -> auth::RegisterResponse {
        |fake, request, _| {
            if request.username == "ana" {
                return Err(refuse(ErrorKind::Conflict, "USERNAME_TAKEN", "This username is taken."));
            }
            let id = Uuid::try_parse(&request.member_id).unwrap();
            Ok(auth::RegisterResponse {
                username: request.username.trim().to_owned(),
                session: fake.session(id),
                trusted_browser: Fake::trust(request.shared_computer),
            })
        }
    }
    login(auth::LoginRequest) -> auth::LoginResponse {
        |fake, request, _| {
            if request.password != "correct horse" {
                return Err(refuse(ErrorKind::Unauthenticated, "BAD_CREDENTIALS", "Invalid username or password"));
            }
            // The account has an authenticator app when the username is spelled so.
            if request.username == "Ana" || request.one_time_code.is_some() {
                check_code(request.one_time_code.as_deref())?;
            }
            Ok(auth::LoginResponse {
                member_id: ANA.to_string(),
                session: fake.session(ANA),
                trusted_browser: Fake::trust(request.shared_computer),
                // An upper-case username reactivates the account.
                reopened: request.username == "ANA",
                moderator: false,
            })
        }
    }
    logout(auth::LogoutRequest) -> auth::LogoutResponse {
        |fake, request, _| {
            let ended = fake.0.sessions.lock().unwrap().remove(&request.session_token);
            Ok(auth::LogoutResponse { session_id: ended.map(|(_, session)| session.to_string()) })
        }
    }
    resolve_session(auth::ResolveSessionRequest) -> auth::ResolveSessionResponse {
        |fake, request, _| {
            let known = fake.0.sessions.lock().unwrap().get(&request.session_token).copied();
            let reason = if request.session_token == actors::EXPIRED { "SESSION_EXPIRED" } else { "SESSION_ENDED" };
            let ended = || refuse(ErrorKind::Unauthenticated, reason, "Sign in required");
            let (member, session) = known.ok_or_else(ended)?;
            let moderator = fake.0.moderators.lock().unwrap().contains(&member);
            let members = &fake.0.members;
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
        }
    }
    check_username(auth::CheckUsernameRequest) -> auth::CheckUsernameResponse {
        |_, request, _| {
            let trusted = account(&request.username)? == ANA && request.trusted_browser_token == TRUSTED;
            let mut methods = vec![auth::ProofMethod::RecoveryCode, auth::ProofMethod::OperatorLink];
            if trusted {
                methods.insert(0, auth::ProofMethod::TrustedBrowser);
            }
            Ok(auth::CheckUsernameResponse { methods: methods.into_iter().map(i32::from).collect() })
        }
    }
    check_password(auth::CheckPasswordRequest) -> auth::CheckPasswordResponse {
        |_, request, _| {
            let is_prefix = request.hash_prefix.is_empty() || request.hash_prefix == "5e8";
            if !is_prefix {
                let sentence = "Send three hexadecimal digits in lower case.";
                return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "hashPrefix", sentence));
            }
            let hash_suffixes = if request.hash_prefix.is_empty() { Vec::new() } else { vec!["84898da".to_owned()] };
            Ok(auth::CheckPasswordResponse { min_length: 6, hash_suffixes })
        }
    }
    reset_password(auth::ResetPasswordRequest) -> auth::ResetPasswordResponse {
        |fake, request, _| {
            if let Some(passkey) = &request.passkey {
                answer_of_passkey(&passkey.ceremony, &passkey.credential)?;
                let sentence = "This passkey cannot be used for this account.";
                let member = account(&request.username);
                let member = member.map_err(|_| refuse(ErrorKind::Forbidden, "PROOF_REFUSED", sentence))?;
                let ended_session_ids = fake.0.end(Some(member), |_| false);
                return Ok(auth::ResetPasswordResponse { member_id: member.to_string(), ended_session_ids });
            }
            let member = account(&request.username)?;
            let proven = match (&request.link_token, &request.recovery_code, request.trusted_browser_token.as_str()) {
                (Some(link), _, _) => link == "link",
                (None, Some(code), _) => code == "CODE",
                (None, None, TRUSTED) => member == ANA,
                (None, None, _) => {
                    return Err(refuse(ErrorKind::Forbidden, "PROOF_MISSING", "This browser is not known to this account."));
                }
            };
            if !proven {
                return Err(refuse(ErrorKind::Forbidden, "PROOF_REFUSED", "This recovery code or link is not valid."));
            }
            // The account has an authenticator app when the username is spelled so, as for a sign-in.
            if request.username == "Ana" && request.recovery_code.is_some() {
                check_code(request.one_time_code.as_deref().filter(|code| *code != "CODE"))?;
            }
            let ended_session_ids = fake.0.end(Some(member), |_| false);
            Ok(auth::ResetPasswordResponse { member_id: member.to_string(), ended_session_ids })
        }
    }
    change_password(auth::ChangePasswordRequest) -> auth::ChangePasswordResponse {
        |fake, request, actor| {
            signed_in(actor)?;
            check_password("currentPassword", &request.current_password)?;
            let ended_session_ids = fake.0.end(actor, actors::is_initial_session);
            let session = actor.and_then(|member| fake.renew_session(member));
            let was_trusted = request.new_password != actors::UNTRUSTED_PASSWORD;
            Ok(auth::ChangePasswordResponse { ended_session_ids, session, was_trusted })
        }
    }
    reauthenticate(auth::ReauthenticateRequest) -> auth::ReauthenticateResponse {
        |_, request, actor| {
            signed_in(actor)?;
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
        }
    }
    check_reauthentication(auth::CheckReauthenticationRequest) -> auth::CheckReauthenticationResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(auth::CheckReauthenticationResponse {})
        }
    }
    list_sessions(auth::ListSessionsRequest) -> auth::ListSessionsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(auth::ListSessionsResponse { sessions: vec![actors::open_session()] })
        }
    }
    list_trusted_browsers(auth::ListTrustedBrowsersRequest) -> auth::ListTrustedBrowsersResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(auth::ListTrustedBrowsersResponse { trusted_browsers: vec![actors::trusted_browser()] })
        }
    }
    delete_trusted_browser(auth::DeleteTrustedBrowserRequest) -> auth::DeleteTrustedBrowserResponse {
        |_, request, actor| {
            signed_in(actor)?;
            // The trusted browser of Ana.
            if actor != Some(ANA) || request.session_id != actors::trusted_browser().session_id {
                return Err(refuse(ErrorKind::NotFound, "TRUSTED_BROWSER_NOT_FOUND", "Trusted browser not found"));
            }
            Ok(auth::DeleteTrustedBrowserResponse {})
        }
    }
    end_sessions(auth::EndSessionsRequest) -> auth::EndSessionsResponse {
        |fake, request, actor| {
            signed_in(actor)?;
            let asked = request.session_id.as_deref();
            let ended_session_ids = fake.0.end(actor, |id| asked.is_some_and(|asked| asked != id.to_string()));
            if asked.is_some() && ended_session_ids.is_empty() {
                return Err(refuse(ErrorKind::NotFound, "SESSION_NOT_FOUND", "Session not found"));
            }
            Ok(auth::EndSessionsResponse { ended_session_ids })
        }
    }
    get_recovery_codes(auth::GetRecoveryCodesRequest) -> auth::GetRecoveryCodesResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(auth::GetRecoveryCodesResponse { remaining: 7, made_at: actors::in_an_hour() })
        }
    }
    renew_recovery_codes(auth::RenewRecoveryCodesRequest) -> auth::RenewRecoveryCodesResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(auth::RenewRecoveryCodesResponse { codes: (0..8).map(|n| format!("AAAA-BBBB-CCCC-000{n}")).collect() })
        }
    }
    list_passkeys(auth::ListPasskeysRequest) -> auth::ListPasskeysResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(auth::ListPasskeysResponse { passkeys: vec![actors::passkey("Phone")] })
        }
    }
    start_passkey_registration(auth::StartPasskeyRegistrationRequest) -> auth::StartPasskeyRegistrationResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let (ceremony, options) = actors::challenge();
            Ok(auth::StartPasskeyRegistrationResponse { ceremony, options })
        }
    }
    create_passkey(auth::CreatePasskeyRequest) -> auth::CreatePasskeyResponse {
        |_, request, actor| {
            signed_in(actor)?;
            answer_of_passkey(&request.ceremony, &request.credential)?;
            Ok(auth::CreatePasskeyResponse { passkey: Some(actors::passkey(&request.name)) })
        }
    }
    update_passkey(auth::UpdatePasskeyRequest) -> auth::UpdatePasskeyResponse {
        |_, request, actor| {
            signed_in(actor)?;
            own_passkey(actor, &request.id)?;
            Ok(auth::UpdatePasskeyResponse { passkey: Some(actors::passkey(&request.name)) })
        }
    }
    delete_passkey(auth::DeletePasskeyRequest) -> auth::DeletePasskeyResponse {
        |_, request, actor| {
            signed_in(actor)?;
            own_passkey(actor, &request.id)?;
            Ok(auth::DeletePasskeyResponse {})
        }
    }
    start_passkey_authentication(auth::StartPasskeyAuthenticationRequest) -> auth::StartPasskeyAuthenticationResponse {
        |_, _, _| {
            let (ceremony, options) = actors::challenge();
            Ok(auth::StartPasskeyAuthenticationResponse { ceremony, options })
        }
    }
    start_passkey_proof(auth::StartPasskeyProofRequest) -> auth::StartPasskeyProofResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let (ceremony, options) = actors::challenge();
            Ok(auth::StartPasskeyProofResponse { ceremony, options })
        }
    }
    login_with_passkey(auth::LoginWithPasskeyRequest) -> auth::LoginWithPasskeyResponse {
        |fake, request, _| {
            let passkey = request.passkey.unwrap_or_default();
            answer_of_passkey(&passkey.ceremony, &passkey.credential)?;
            Ok(auth::LoginWithPasskeyResponse {
                member_id: ANA.to_string(),
                username: "Ana".to_owned(),
                session: fake.session(ANA),
                trusted_browser: Fake::trust(request.shared_computer),
                reopened: false,
                moderator: false,
            })
        }
    }
    get_totp(auth::GetTotpRequest) -> auth::GetTotpResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(auth::GetTotpResponse { confirmed_at: actors::in_an_hour() })
        }
    }
    create_totp(auth::CreateTotpRequest) -> auth::CreateTotpResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".to_owned();
            Ok(auth::CreateTotpResponse { uri: format!("otpauth://totp/Portia:ana?secret={secret}"), secret })
        }
    }
    confirm_totp(auth::ConfirmTotpRequest) -> auth::ConfirmTotpResponse {
        |_, request, actor| {
            signed_in(actor)?;
            if request.one_time_code != "123456" {
                let sentence = "This code is not valid.";
                return Err(actors::invalid_field(ErrorKind::Forbidden, "CODE_WRONG", "oneTimeCode", sentence));
            }
            Ok(auth::ConfirmTotpResponse {})
        }
    }
    delete_totp(auth::DeleteTotpRequest) -> auth::DeleteTotpResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(auth::DeleteTotpResponse {})
        }
    }
    close_account(auth::CloseAccountRequest) -> auth::CloseAccountResponse {
        |fake, _, actor| {
            signed_in(actor)?;
            let ended_session_ids = fake.0.end(actor, |_| false);
            Ok(auth::CloseAccountResponse { ended_session_ids, erased_at: actors::in_an_hour() })
        }
    }
    get_member_standing(auth::GetMemberStandingRequest) -> auth::GetMemberStandingResponse {
        |_, request, _| {
            let standing = Some(actors::standing(known_member(&request.member_id)?, false));
            Ok(auth::GetMemberStandingResponse { standing })
        }
    }
    list_suspended_members(auth::ListSuspendedMembersRequest) -> auth::ListSuspendedMembersResponse {
        |_, _, _| {
            let members = vec![actors::standing(BEN, true)];
            Ok(auth::ListSuspendedMembersResponse { members, next_page_token: "older".to_owned() })
        }
    }
    suspend_member(auth::SuspendMemberRequest) -> auth::SuspendMemberResponse {
        |fake, request, _| {
            let member = known_member(&request.member_id)?;
            if fake.0.moderators.lock().unwrap().contains(&member) {
                let sentence = "Only an operator can suspend a moderator.";
                return Err(refuse(ErrorKind::Forbidden, "MODERATOR_PROTECTED", sentence));
            }
            let ended_session_ids = fake.0.end(Some(member), |_| false);
            Ok(auth::SuspendMemberResponse { standing: Some(actors::standing(member, true)), ended_session_ids })
        }
    }
    restore_member(auth::RestoreMemberRequest) -> auth::RestoreMemberResponse {
        |_, request, _| {
            let standing = Some(actors::standing(known_member(&request.member_id)?, false));
            Ok(auth::RestoreMemberResponse { standing })
        }
    }
    appeal_suspension(auth::AppealSuspensionRequest) -> auth::AppealSuspensionResponse {
        |_, _, _| Ok(auth::AppealSuspensionResponse {})
    }
    list_suspension_appeals(auth::ListSuspensionAppealsRequest) -> auth::ListSuspensionAppealsResponse {
        |_, _, _| {
            let appeals = vec![actors::suspension_appeal()];
            Ok(auth::ListSuspensionAppealsResponse { appeals, next_page_token: "older".to_owned() })
        }
    }
    decide_suspension_appeal(auth::DecideSuspensionAppealRequest) -> auth::DecideSuspensionAppealResponse {
        |_, request, _| {
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
        }
    }
    list_moderation_log(auth::ListModerationLogRequest) -> auth::ListModerationLogResponse {
        |_, _, _| {
            let entries = vec![actors::log_entry()];
            Ok(auth::ListModerationLogResponse { entries, next_page_token: "older".to_owned() })
        }
    }
});
