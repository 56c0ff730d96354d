//! Registration, sign-in, sign-out, and the signed-in member.

use std::{sync::Arc, time::Duration};

use axum::{extract::State, response::IntoResponse};
use http::{HeaderMap, StatusCode};
use portia_proto::{
    auth::{
        LoginRequest as Login, LoginResponse, LogoutRequest as Logout, RegisterRequest as Register, RegistrationForm,
        Session, TrustedBrowser,
    },
    profile::{self, EnsureMemberRequest, GetMemberRequest},
};
use rpc::Call;
use tonic::{Code, Status};
use uuid::Uuid;

use crate::{
    api::{
        auth::{
            attempts::{self, SignInRequest},
            registration_budget,
            views::{LoginRequest, LogoutRequest, Me, RegisterRequest, SignedIn},
        },
        members::views::{NAMELESS, User},
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::{HASHING_BUDGET, Member, SetCookies, WrittenPositions},
        extract::Body,
        limits::Client,
        problem::Problem,
    },
};

/// The maximum of one wait until profile knows of a reactivated account; all waits together take twice as long.
const MAX_REACTIVATION_WAIT: Duration = Duration::from_millis(1_280);

/// Creates an account and signs in to it. A network with many registrations gets 429 `PROOF_OF_WORK_REQUIRED` with a `challenge`: the
/// next request contains its solution.
#[utoipa::path(post, path = "/api/auth/register", operation_id = "register", tag = "auth",
    request_body = RegisterRequest,
    responses((status = 201, description = "The new member. `Set-Cookie` contains the session and the token of the trusted \
                             browser.", body = User)))]
pub async fn register(
    State(gateway): State<Arc<Gateway>>,
    client: Client,
    headers: HeaderMap,
    WrittenPositions(positions): WrittenPositions,
    Body(body): Body<RegisterRequest>,
) -> Result<impl IntoResponse, Problem> {
    let counted = registration_budget::take(&gateway, &client, body.proof_of_work.as_deref()).await?;
    let call = gateway.authentication.service_call(HASHING_BUDGET).with_positions(positions);
    let (id, form) = (gateway.ids.new_owner(), body.form());
    let account = Register {
        member_id: id.to_string(),
        username: body.username,
        password: body.password,
        form: Some(form.clone()),
        browser: Some(client.browser()),
        trusted_browser_token: gateway.authentication.cookies.read_browser(&headers),
        shared_computer: body.shared_computer,
    };
    let registered = gateway.clients.auth().register(call.request(account)?).await;
    if registered.is_err() {
        counted.give_back(&gateway).await;
    }
    let registered = registered?.into_inner();
    let cookies = cookies(&gateway, id, registered.session, registered.trusted_browser, body.shared_computer)?;
    end_presented(&gateway, &headers, &call).await;
    // The account exists. If this call fails, profile creates the member when it consumes the fact.
    let username = registered.username;
    let ensure =
        EnsureMemberRequest { member_id: id.to_string(), username: username.clone(), form: Some(form.clone()) };
    let ensured = async { gateway.clients.profile().ensure_member(call.request(ensure)?).await };
    Ok(match ensured.await.ok().and_then(|answer| answer.into_inner().member) {
        Some(member) => (cookies, ApiResponse::created(User::from(member))),
        None => {
            (cookies, ApiResponse::created(member_of_form(id, &username, form, &gateway)).degraded(Some("profile")))
        }
    })
}

/// The member from the form, until profile has it.
fn member_of_form(id: Uuid, username: &str, form: RegistrationForm, gateway: &Gateway) -> User {
    User {
        headline: form.headline,
        location: form.location,
        school: form.school,
        graduation_year: form.graduation_year,
        ..User::sketch(id, username, &form.full_name, gateway.clock.now())
    }
}

/// Signs in. Where an authenticator app is set up, the right password alone is answered with 401 `SECOND_FACTOR_REQUIRED`: the
/// next request has a code too. After many failures of other networks: 429 `PROOF_OF_WORK_REQUIRED` with a `challenge`, whose solution
/// the next request contains.
#[utoipa::path(post, path = "/api/auth/login", operation_id = "login", tag = "auth", request_body = LoginRequest,
    responses((status = 200, description = "Signed in. `Set-Cookie` contains the session and the token of the trusted browser.",
        body = SignedIn)))]
pub async fn login(
    State(gateway): State<Arc<Gateway>>,
    client: Client,
    headers: HeaderMap,
    Body(body): Body<LoginRequest>,
) -> Result<impl IntoResponse, Problem> {
    let call = gateway.authentication.service_call(HASHING_BUDGET);
    let trusted_browser_token = gateway.authentication.cookies.read_browser(&headers);
    let request = SignInRequest { client: &client, login: &body, browser_token: &trusted_browser_token, call: &call };
    let attempt = attempts::sign_in(&gateway, &request).await?;
    let username = body.username.trim().to_owned();
    let login = Login {
        username: body.username,
        password: body.password,
        browser: Some(client.browser()),
        trusted_browser_token,
        shared_computer: body.shared_computer,
        one_time_code: body.one_time_code,
    };
    let answer = gateway.clients.auth().login(call.request(login)?).await.map_err(Problem::from);
    attempt.end(answer.as_ref().err()).await;
    let opened = answer?.into_inner();
    let member = opened.member_id.parse().map_err(|_| Problem::internal())?;
    let cookies = cookies(&gateway, member, opened.session, opened.trusted_browser, body.shared_computer)?;
    end_presented(&gateway, &headers, &call).await;
    let LoginResponse { member_id, reopened, moderator, .. } = opened;
    Ok((cookies, signed_in(&gateway, &call, &member_id, &username, reopened, moderator).await))
}

/// The response to a sign-in.
pub(super) async fn signed_in(
    gateway: &Gateway,
    call: &Call,
    member_id: &str,
    username: &str,
    reopened: bool,
    moderator: bool,
) -> ApiResponse<SignedIn> {
    match profile_of(gateway, call, member_id, reopened).await {
        Some((member, steward_of)) => {
            ApiResponse::ok(SignedIn { user: member.into(), reopened, moderator, steward_of })
        }
        None => {
            let id = Uuid::try_parse(member_id).unwrap_or_default();
            let user = User::sketch(id, username, NAMELESS, gateway.clock.now());
            ApiResponse::ok(SignedIn { user, reopened, moderator, steward_of: None }).degraded(Some("profile"))
        }
    }
}

/// The signed-in member and the school whose steward they are, if profile knows them. Profile learns of a reactivated account from a fact. This waits for it,
/// because the browser keeps the returned member.
async fn profile_of(
    gateway: &Gateway,
    call: &Call,
    member_id: &str,
    reopened: bool,
) -> Option<(profile::Member, Option<String>)> {
    let mut wait = Duration::from_millis(20);
    loop {
        let ask = call.request(GetMemberRequest { member_id: member_id.to_owned(), ..Default::default() }).ok()?;
        match gateway.clients.profile().get_member(ask).await {
            Ok(answer) => {
                let answer = answer.into_inner();
                return answer.member.map(|member| (member, answer.steward_of));
            }
            Err(status) if reopened && status.code() == Code::NotFound && wait < MAX_REACTIVATION_WAIT => {
                tokio::time::sleep(wait).await;
                wait *= 2;
            }
            Err(_) => return None,
        }
    }
}

/// Ends the session of the cookie that the new one replaces: no browser has it any more. Without auth it stays in the list of
/// sessions until it expires.
pub(super) async fn end_presented(gateway: &Gateway, headers: &HeaderMap, call: &Call) {
    let Some(session_token) = gateway.authentication.cookies.read(headers) else { return };
    if let Err(status) = end_by_token(gateway, session_token.to_owned(), call).await {
        tracing::warn!(code = ?status.code(), "the session before a sign-in could not be ended");
    }
}

async fn end_by_token(gateway: &Gateway, session_token: String, call: &Call) -> Result<(), Status> {
    let ended = gateway.clients.auth().logout(call.request(Logout { session_token })?).await?.into_inner();
    if let Some(id) = ended.session_id.and_then(|id| Uuid::try_parse(&id).ok()) {
        gateway.authentication.sessions.end(id);
    }
    Ok(())
}

/// The cookies of a new session of `member`.
pub(super) fn cookies(
    gateway: &Gateway,
    member: Uuid,
    session: Option<Session>,
    trusted: Option<TrustedBrowser>,
    shared_computer: bool,
) -> Result<SetCookies, Problem> {
    let session = session.ok_or(Problem::internal())?;
    Ok(gateway.authentication.cookies.issue(&session, member, trusted.as_ref(), shared_computer, gateway.clock.now()))
}

/// Signs out. Succeeds without a session too.
#[utoipa::path(post, path = "/api/auth/logout", operation_id = "logout", tag = "auth",
    request_body(content = LogoutRequest),
    responses((status = 204, description = "The session has ended, also for copies of its cookie.")))]
pub async fn logout(
    State(gateway): State<Arc<Gateway>>,
    headers: HeaderMap,
    Body(LogoutRequest {}): Body<LogoutRequest>,
) -> Result<impl IntoResponse, Problem> {
    if let Some(session_token) = gateway.authentication.cookies.read(&headers) {
        let call = gateway.authentication.service_call(HASHING_BUDGET);
        end_by_token(&gateway, session_token.to_owned(), &call).await?;
    }
    Ok((gateway.authentication.cookies.clear(), StatusCode::NO_CONTENT))
}

/// Returns the signed-in member.
#[utoipa::path(get, path = "/api/auth/me", operation_id = "whoAmI", tag = "auth", security(("session" = [])),
    responses((status = 200, description = "The signed-in member.", body = Me)))]
pub async fn me(State(gateway): State<Arc<Gateway>>, member: Member) -> Result<ApiResponse<Me>, Problem> {
    let moderator = member.moderator;
    let ask = GetMemberRequest { member_id: member.id.to_string(), ..Default::default() };
    match gateway.clients.profile().get_member(member.call.request(ask)?).await.map_err(Problem::from) {
        Ok(answer) => {
            let answer = answer.into_inner();
            let (user, steward_of) = (answer.member.map(User::from).ok_or(Problem::internal())?, answer.steward_of);
            Ok(ApiResponse::ok(Me { user, moderator, steward_of }))
        }
        // Profile has not consumed the fact of a new registration yet.
        Err(problem) if problem.status == StatusCode::NOT_FOUND => {
            let user = User::sketch(member.id, "", NAMELESS, gateway.clock.now());
            Ok(ApiResponse::ok(Me { user, moderator, steward_of: None }).degraded(Some("profile")))
        }
        Err(problem) => Err(problem),
    }
}
