//! Attempts to prove the ownership of an account. Only failures count, by account and network. Strangers do not stop
//! the owner: a limit that other networks can fill asks for a proof of work, and only the limits of the network itself
//! refuse.
//!
//! An attempt is counted before its proof is checked and taken back unless the proof was refused: parallel attempts together
//! never exceed a limit. A limit depends on the typed name only, so it does not reveal whether an account exists.

mod budget;

use http::StatusCode;
use portia_proto::auth::{CheckUsernameRequest, ProofMethod};
use rpc::Call;

use crate::{
    api::{auth::views::LoginRequest, rate_limits, state::Gateway},
    edge::{
        authentication::Member,
        limits::{Bucket, Client, Limits, private_key},
        problem::Problem,
    },
};

pub use self::budget::{Attempt, SITE_FACTOR};
use self::budget::{Begun, Budget, permit, permit_one};

/// The digits of a code of an app.
const DIGITS: usize = 6;

/// A request to sign in, before its check.
pub struct SignInRequest<'a> {
    /// The client.
    pub client: &'a Client,
    /// The body.
    pub login: &'a LoginRequest,
    /// The cookie of the trusted browser; empty without one.
    pub browser_token: &'a str,
    /// A call to auth.
    pub call: &'a Call,
}

/// Counts an attempt to sign in, with the code that it contains. A recovery code has 80 random bits at least, so it is not counted.
/// Where a limit is exhausted, a browser that the account trusts has a limit of its own, and for others the limits that strangers
/// fill need a proof of work.
///
/// # Errors
/// 429: `PROOF_OF_WORK_REQUIRED` with a challenge, or `RATE_LIMITED` by the failures of the network itself.
pub async fn sign_in(gateway: &Gateway, request: &SignInRequest<'_>) -> Result<SignInAttempt, Problem> {
    let SignInRequest { client, login, .. } = request;
    let account = private_key(&login.username);
    let password = begin_in_browser(gateway, request, Budget::of_passwords(client, &account)).await?;
    let is_exempt = password.attempt.counted.iter().any(|(bucket, _)| *bucket == rate_limits::SIGN_IN_TRUSTED);
    let code = if is_exempt || !is_of_app(login.one_time_code.as_deref()) {
        None
    } else {
        match begin_in_browser(gateway, request, Budget::of_codes(client, &account)).await {
            Ok(code) => Some(code),
            Err(limited) => {
                password.attempt.give_back().await;
                return Err(limited);
            }
        }
    };
    let [password, code] = permit(gateway, [Some(password), code], login.proof_of_work.as_deref()).await?;
    Ok(SignInAttempt { password: password.ok_or(Problem::internal())?, code: CountedCode(code) })
}

/// Counts an attempt; where a limit is exhausted, in the limit of a browser that the account trusts.
///
/// # Errors
/// 429.
async fn begin_in_browser(gateway: &Gateway, request: &SignInRequest<'_>, budget: Budget) -> Result<Begun, Problem> {
    let begun = budget.begin(&gateway.limits).await;
    if begun.as_ref().is_ok_and(|begun| begun.beyond.is_none()) || !is_trusted(gateway, request).await {
        return begun;
    }
    if let Ok(begun) = begun {
        begun.attempt.give_back().await;
    }
    let browser = format!("{}:{}", private_key(&request.login.username), private_key(request.browser_token));
    let attempt = Attempt::begin(&gateway.limits, vec![(rate_limits::SIGN_IN_TRUSTED, browser)]).await?;
    Ok(Begun { attempt, beyond: None })
}

/// Whether the account trusts the browser. Each check of another one counts.
async fn is_trusted(gateway: &Gateway, request: &SignInRequest<'_>) -> bool {
    let SignInRequest { client, login, browser_token, call } = request;
    if browser_token.is_empty() || gateway.limits.take_from(rate_limits::PROOFS, client).await.is_err() {
        return false;
    }
    let ask =
        CheckUsernameRequest { username: login.username.clone(), trusted_browser_token: (*browser_token).to_owned() };
    let Ok(ask) = call.request(ask) else { return false };
    let is_trusted = match gateway.clients.auth().check_username(ask).await {
        Ok(answer) => answer.get_ref().methods().any(|method| method == ProofMethod::TrustedBrowser),
        Err(_) => false,
    };
    if is_trusted {
        gateway.limits.give_back_to(rate_limits::PROOFS, client).await;
    }
    is_trusted
}

/// An attempt to sign in, with the code that it contains.
pub struct SignInAttempt {
    password: Attempt,
    code: CountedCode,
}

/// The count of a code of an app; none without such a code, and for a trusted browser. It is taken back where the request ends
/// before the answer: a stranger who disconnects must not use up the limit of the account.
pub struct CountedCode(Option<Attempt>);

impl CountedCode {
    /// Takes the count back unless the code was wrong.
    pub async fn end(mut self, refused: Option<&Problem>) {
        let is_wrong = refused.is_some_and(|problem| problem.code == "SECOND_FACTOR_WRONG");
        if let Some(attempt) = self.0.take()
            && !is_wrong
        {
            attempt.give_back().await;
        }
    }
}

impl Drop for CountedCode {
    fn drop(&mut self) {
        if let Some(attempt) = self.0.take() {
            tokio::spawn(attempt.give_back());
        }
    }
}

/// Counts a challenge for a passkey without a session.
///
/// # Errors
/// 429: `PROOF_OF_WORK_REQUIRED` with a challenge, or `RATE_LIMITED`.
pub async fn passkey_challenge(gateway: &Gateway, client: &Client, solution: Option<&str>) -> Result<(), Problem> {
    let begun = Budget::of_challenges(client).begin(&gateway.limits).await?;
    permit_one(gateway, begun, solution).await.map(drop)
}

fn is_of_app(code: Option<&str>) -> bool {
    let typed: Vec<char> = code.unwrap_or_default().chars().filter(|c| !c.is_whitespace()).take(DIGITS + 1).collect();
    typed.len() == DIGITS && typed.iter().all(char::is_ascii_digit)
}

impl SignInAttempt {
    /// Takes back what was not refused. Without the right password a code was not checked.
    pub async fn end(self, refused: Option<&Problem>) {
        let code = refused.filter(|problem| problem.status == StatusCode::UNAUTHORIZED).map(|problem| &*problem.code);
        if !matches!(code, Some(reason) if reason != "SECOND_FACTOR_REQUIRED") {
            // A request that is no attempt, such as an invalid form, still counts for the network.
            let is_right = refused.is_none() || code.is_some();
            let is_of_network = |(bucket, _): &(Bucket, String)| bucket.has_name_of(rate_limits::SIGN_IN);
            let mut password = self.password;
            password.counted.retain(|counted| is_right || !is_of_network(counted));
            password.give_back().await;
        }
        self.code.end(refused).await;
    }
}

/// Counts an attempt of a signed-in member to prove again, or to enter the present password: the session may be in other hands.
///
/// # Errors
/// 429: `PROOF_OF_WORK_REQUIRED` with a challenge, or `RATE_LIMITED`.
pub async fn reauthenticate(
    gateway: &Gateway,
    client: &Client,
    member: &Member,
    code: Option<&str>,
    solution: Option<&str>,
) -> Result<Attempt, Problem> {
    let begun = Budget::of_member(client, &member.id.to_string(), is_of_app(code)).begin(&gateway.limits).await?;
    permit_one(gateway, begun, solution).await
}

/// Whether an answer is about the proof of a signed-in member. A right password that a second factor must follow is none.
pub fn is_refused_proof(problem: &Problem) -> bool {
    problem.status == StatusCode::FORBIDDEN && problem.code != "STEP_UP_REQUIRED"
}

/// A request to reset a password, before its check.
pub struct ResetRequest<'a> {
    /// The client.
    pub client: &'a Client,
    /// The typed name.
    pub username: &'a str,
    /// Whether it contains a proof.
    pub has_proof: bool,
    /// The code beside a recovery code.
    pub code: Option<&'a str>,
    /// The proof of work.
    pub solution: Option<&'a str>,
}

/// Counts an attempt to reset a password, with the code of an app that it contains.
///
/// # Errors
/// 429: `PROOF_OF_WORK_REQUIRED` with a challenge, or `RATE_LIMITED`.
pub async fn reset(gateway: &Gateway, request: &ResetRequest<'_>) -> Result<(ResetAttempt, CountedCode), Problem> {
    let attempt = ResetAttempt::begin(&gateway.limits, request.client, request.username).await;
    match begin_proofs(gateway, request, &attempt).await {
        Ok(code) => Ok((attempt, code)),
        Err(limited) => Err(attempt.fail(limited).await),
    }
}

/// Counts what a reset contains beyond the attempt: a proof where its limits are exhausted, and a code of an app.
async fn begin_proofs(
    gateway: &Gateway,
    request: &ResetRequest<'_>,
    attempt: &ResetAttempt,
) -> Result<CountedCode, Problem> {
    let ResetRequest { client, has_proof, code, solution, .. } = request;
    let proof = match &attempt.counted {
        Ok(_) => None,
        Err(limited) if !has_proof => return Err(limited.clone()),
        Err(_) => Some(Budget::of_resets(client, &attempt.account).begin(&gateway.limits).await?),
    };
    let code = match is_of_app(*code) {
        true => Some(Budget::of_codes(client, &attempt.account).begin(&gateway.limits).await?),
        false => None,
    };
    // The proof stays counted.
    let [_, code] = permit(gateway, [proof, code], *solution).await?;
    Ok(CountedCode(code))
}

/// An attempt to reset a password. A proof has at least 80 random bits, so it is checked even where a limit is exhausted: a valid
/// one passes, and any other gets the 429.
pub struct ResetAttempt {
    counted: Result<Attempt, Problem>,
    account: String,
    client: Client,
}

impl ResetAttempt {
    /// Counts the attempt.
    async fn begin(limits: &Limits, client: &Client, username: &str) -> Self {
        let account = private_key(username);
        let of_network = client.limits(rate_limits::RESET);
        let of_both = client.limits_of(rate_limits::RESET_FROM, &account);
        let all = of_network.chain(of_both).chain([(rate_limits::RESET_OF, account.clone())]);
        let counted = Attempt::begin(limits, all.collect()).await;
        Self { counted, account, client: client.clone() }
    }

    /// The password is new: the failures of this network and of others to guess the old one are void.
    pub async fn succeed(self, limits: &Limits) {
        let of_both = [rate_limits::SIGN_IN_FROM, rate_limits::PROVED_SIGN_INS_FROM];
        for (bucket, key) in of_both.into_iter().flat_map(|bucket| self.client.limits_of(bucket, &self.account)) {
            limits.refill(bucket, &key).await;
        }
        limits.refill(rate_limits::SIGN_IN_TO, &self.account).await;
        if let Ok(attempt) = self.counted {
            attempt.give_back().await;
        }
    }

    /// The problem to answer with.
    pub async fn fail(self, problem: Problem) -> Problem {
        // 403: the proof was refused. 404: the account does not exist. An unknown challenge of a passkey is answered alike for every
        // name. Anything else happened before or after the check.
        let is_refused = matches!(problem.status, StatusCode::FORBIDDEN | StatusCode::NOT_FOUND);
        if is_refused || problem.code == "PASSKEY_EXPIRED" {
            return self.counted.err().unwrap_or(problem);
        }
        if let Ok(attempt) = self.counted {
            attempt.give_back().await;
        }
        problem
    }
}
