//! Attempts to prove the ownership of an account. Only failures count, by account and network, so that those of strangers do not
//! stop the owner.
//!
//! An attempt is counted before its proof is checked and taken back unless the proof was refused: parallel attempts together
//! never exceed a limit. A limit depends on the typed name only, so it does not reveal whether an account exists.

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

/// The digits of a code of an app.
const DIGITS: usize = 6;

/// A counted attempt.
pub struct Attempt {
    limits: Limits,
    counted: Vec<(Bucket, String)>,
}

impl Attempt {
    /// Counts an attempt against every limit, or against none.
    ///
    /// # Errors
    /// 429 of the first limit that is exhausted.
    async fn begin(limits: &Limits, all: impl IntoIterator<Item = (Bucket, String)>) -> Result<Self, Problem> {
        let mut attempt = Self { limits: limits.clone(), counted: Vec::new() };
        for (bucket, key) in all {
            if let Err(limited) = attempt.limits.take(bucket, &key).await {
                attempt.give_back().await;
                return Err(limited);
            }
            attempt.counted.push((bucket, key));
        }
        Ok(attempt)
    }

    /// Takes the attempt back: its proof was valid, or was not checked.
    pub async fn give_back(self) {
        for (bucket, key) in &self.counted {
            self.limits.give_back(*bucket, key).await;
        }
    }
}

/// Counts an attempt to sign in, also against the network: successful ones are taken back, because a university is one network.
/// Where a limit is exhausted, a browser that the account trusts has a limit of its own.
///
/// # Errors
/// 429 for every other browser.
pub async fn sign_in(
    gateway: &Gateway,
    client: &Client,
    username: &str,
    browser_token: &str,
    call: &Call,
) -> Result<Attempt, Problem> {
    let account = private_key(username);
    let of_network = client.limits(rate_limits::SIGN_IN);
    let from = client.limits_of(rate_limits::SIGN_IN_FROM, &account);
    let all = of_network.chain(from).chain([(rate_limits::SIGN_IN_TO, account)]);
    match Attempt::begin(&gateway.limits, all).await {
        Ok(attempt) => Ok(attempt),
        Err(limited) => of_trusted_browser(gateway, client, username, browser_token, call, limited).await,
    }
}

/// Counts an attempt of a browser that the account trusts, where a limit is exhausted.
///
/// # Errors
/// `limited` for every other browser.
async fn of_trusted_browser(
    gateway: &Gateway,
    client: &Client,
    username: &str,
    browser_token: &str,
    call: &Call,
    limited: Problem,
) -> Result<Attempt, Problem> {
    if browser_token.is_empty() {
        return Err(limited);
    }
    gateway.limits.take_from(rate_limits::PROOFS, client).await?;
    let ask = CheckUsernameRequest { username: username.to_owned(), trusted_browser_token: browser_token.to_owned() };
    match gateway.clients.auth().check_username(call.request(ask)?).await {
        Ok(answer) if answer.get_ref().methods().any(|method| method == ProofMethod::TrustedBrowser) => {
            gateway.limits.give_back_to(rate_limits::PROOFS, client).await;
            let browser = format!("{}:{}", private_key(username), private_key(browser_token));
            Attempt::begin(&gateway.limits, [(rate_limits::SIGN_IN_TRUSTED, browser)]).await
        }
        _ => Err(limited),
    }
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

/// Also counts the code of an attempt to sign in. A recovery code has 80 random bits at least, so it is not counted.
///
/// # Errors
/// 429.
pub async fn second_factor(
    gateway: &Gateway,
    client: &Client,
    login: &LoginRequest,
    browser_token: &str,
    call: &Call,
    password: Attempt,
) -> Result<SignInAttempt, Problem> {
    let username = &login.username;
    let is_exempt = password.counted.iter().any(|(bucket, _)| *bucket == rate_limits::SIGN_IN_TRUSTED);
    if is_exempt || !is_of_app(login.one_time_code.as_deref()) {
        return Ok(SignInAttempt { password, code: CountedCode(None) });
    }
    let counted = match begin_code(&gateway.limits, username).await {
        Ok(attempt) => Ok(attempt),
        Err(limited) => of_trusted_browser(gateway, client, username, browser_token, call, limited).await,
    };
    match counted {
        Ok(code) => Ok(SignInAttempt { password, code: CountedCode(Some(code)) }),
        Err(limited) => {
            password.give_back().await;
            Err(limited)
        }
    }
}

/// Counts the code of an app beside the recovery code of a reset.
///
/// # Errors
/// 429.
pub async fn reset_code(limits: &Limits, username: &str, code: Option<&str>) -> Result<CountedCode, Problem> {
    Ok(CountedCode(if is_of_app(code) { Some(begin_code(limits, username).await?) } else { None }))
}

async fn begin_code(limits: &Limits, username: &str) -> Result<Attempt, Problem> {
    let account = private_key(username);
    let of_hour = (rate_limits::SECOND_FACTORS_OF, account.clone());
    Attempt::begin(limits, [of_hour, (rate_limits::SECOND_FACTORS_OF_DAY, account)]).await
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
            // What is no attempt, such as an invalid form, still counts for the network.
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
/// 429.
pub async fn reauthenticate(
    limits: &Limits,
    client: &Client,
    member: &Member,
    code: Option<&str>,
) -> Result<Attempt, Problem> {
    let member = member.id.to_string();
    let from = (rate_limits::PASSWORD_CHECKS_FROM, format!("{member}:{}", client.key()));
    let of_day = is_of_app(code).then(|| (rate_limits::PROOF_CODES_OF_DAY, member.clone()));
    Attempt::begin(limits, [from, (rate_limits::PASSWORD_CHECKS, member)].into_iter().chain(of_day)).await
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
    ///
    /// # Errors
    /// 429 without a proof.
    pub async fn begin(limits: &Limits, client: &Client, username: &str, has_proof: bool) -> Result<Self, Problem> {
        let account = private_key(username);
        let of_network = client.limits(rate_limits::RESET);
        let of_both = client.limits_of(rate_limits::RESET_FROM, &account);
        let all = of_network.chain(of_both).chain([(rate_limits::RESET_OF, account.clone())]);
        let counted = Attempt::begin(limits, all).await;
        if let Err(limited) = &counted {
            if !has_proof {
                return Err(limited.clone());
            }
            limits.take_from(rate_limits::PROOFS, client).await?;
        }
        Ok(Self { counted, account, client: client.clone() })
    }

    /// The password is new: the failures of this network and of others to guess the old one are void.
    pub async fn succeed(self, limits: &Limits) {
        for (bucket, key) in self.client.limits_of(rate_limits::SIGN_IN_FROM, &self.account) {
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
