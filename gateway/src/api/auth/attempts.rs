//! Attempts to prove the ownership of an account. Only failures count, by account and network. Strangers do not stop
//! the owner: a limit that other networks can fill asks for a proof of work, and only the limits of the network itself
//! refuse.
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
        proof_of_work::Permit,
    },
};

/// The digits of a code of an app.
const DIGITS: usize = 6;
/// The message where an account has many failures.
const MANY_FAILURES: &str = "There were many failed attempts for this account. Please try again in a few minutes.";
/// The message where the challenges of all networks are used up.
const MANY_SIGN_INS: &str = "Many people are signing in at the moment. Please try again.";
/// The price of a guess of one of a million codes, in the work of a password.
const CODE_PRICE: u32 = 4;
/// The factor of the price where the other networks of an IPv6 site used up its limit of proofs.
pub const SITE_FACTOR: u32 = 4;

/// A limit and its key.
type Count = (Bucket, String);

/// A counted attempt.
pub struct Attempt {
    limits: Limits,
    counted: Vec<Count>,
}

impl Attempt {
    /// Counts an attempt against every limit, or against none.
    ///
    /// # Errors
    /// 429 of the first limit that is exhausted.
    async fn begin(limits: &Limits, all: Vec<Count>) -> Result<Self, Problem> {
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

/// The limits of a kind of attempts.
struct Budget {
    /// Filled by the network itself: beyond them an attempt is refused.
    own: Vec<Count>,
    /// Filled by other networks too: beyond them an attempt needs a proof of work.
    shared: Vec<Count>,
    /// Filled by the network with such proofs: beyond them an attempt is refused.
    proved: Vec<Count>,
    work: Work,
}

/// The work beyond the shared limits.
struct Work {
    permit: Permit,
    message: &'static str,
    price: u32,
    /// Limits of attempts with a proof that other networks can fill. Beyond each the price is its own.
    rises: Vec<(Count, u32)>,
}

/// A counted attempt that may need a proof of work.
struct Begun {
    attempt: Attempt,
    /// The work and the limit that demands it.
    beyond: Option<(Work, Problem)>,
}

impl Budget {
    /// Counts an attempt against all limits, or against the network's limits where a shared one is exhausted.
    ///
    /// # Errors
    /// 429 of a limit of the network.
    async fn begin(self, limits: &Limits) -> Result<Begun, Problem> {
        let Self { own, shared, proved, work } = self;
        match Attempt::begin(limits, [own.as_slice(), &shared].concat()).await {
            Ok(attempt) => Ok(Begun { attempt, beyond: None }),
            Err(limited) => {
                let attempt = Attempt::begin(limits, [own, proved].concat()).await?;
                Ok(Begun { attempt, beyond: Some((work, limited)) })
            }
        }
    }

    /// Limits the attempts with a proof: the network's own limit refuses. The site's limit raises the price only, because the
    /// site's other networks fill it too.
    fn limit_proofs(mut self, limits: impl Iterator<Item = Count>) -> Self {
        let mut limits = limits.into_iter();
        self.proved.extend(limits.next());
        let price = self.work.price.saturating_mul(SITE_FACTOR);
        self.work.rises.extend(limits.map(|of_site| (of_site, price)));
        self
    }

    /// Returns the budget of sign-ins with a password. Successful sign-ins are taken back from the network's limits,
    /// because a university is one network. The limits of an IPv6 site are shared: another customer may have the
    /// network beside.
    fn of_passwords(client: &Client, account: &str) -> Self {
        let (mut own, mut shared) = (Vec::new(), vec![(rate_limits::SIGN_IN_TO, account.to_owned())]);
        for limits in [
            client.limits(rate_limits::SIGN_IN).collect::<Vec<_>>(),
            client.limits_of(rate_limits::SIGN_IN_FROM, account).collect(),
        ] {
            let mut limits = limits.into_iter();
            own.extend(limits.next());
            shared.extend(limits);
        }
        let rises = [(rate_limits::PROVED_SIGN_INS_TO, 4), (rate_limits::MANY_PROVED_SIGN_INS_TO, 16)];
        Self { own, shared, proved: Vec::new(), work: Work::of_account("sign-in", account, 1, rises) }
            .limit_proofs(client.limits(rate_limits::PROVED_SIGN_INS))
            .limit_proofs(client.limits_of(rate_limits::PROVED_SIGN_INS_FROM, account))
    }

    /// The codes of an app beside the right password, or beside a recovery code.
    fn of_codes(client: &Client, account: &str) -> Self {
        let shared = [rate_limits::SECOND_FACTORS_OF, rate_limits::SECOND_FACTORS_OF_DAY];
        Self {
            own: Vec::new(),
            shared: shared.map(|bucket| (bucket, account.to_owned())).into(),
            proved: Vec::new(),
            work: Work::of_codes("code", account),
        }
        .limit_proofs(client.limits_of(rate_limits::PROVED_CODES_FROM, account))
    }

    /// The proofs of a signed-in member, whose session may be in other hands.
    fn of_member(client: &Client, member: &str, has_code: bool) -> Self {
        let mut budget = Self {
            own: vec![(rate_limits::PASSWORD_CHECKS_FROM, format!("{member}:{}", client.key()))],
            shared: vec![(rate_limits::PASSWORD_CHECKS, member.to_owned())],
            proved: Vec::new(),
            work: Work::of_account("step-up", member, 1, []),
        };
        if has_code {
            budget.shared.push((rate_limits::PROOF_CODES_OF_DAY, member.to_owned()));
            budget.work = Work::of_codes("step-up code", member);
            budget = budget.limit_proofs(client.limits_of(rate_limits::PROVED_CODES_FROM, member));
        }
        budget.limit_proofs(client.limits_of(rate_limits::PROVED_PASSWORD_CHECKS_FROM, member))
    }

    /// The challenges for a passkey, which name no account.
    fn of_challenges(client: &Client) -> Self {
        let mut limits = client.limits(rate_limits::PASSKEY_CHALLENGES);
        Self {
            own: limits.next().into_iter().collect(),
            shared: limits.chain([(rate_limits::ALL_PASSKEY_CHALLENGES, String::new())]).collect(),
            proved: Vec::new(),
            work: Work { message: MANY_SIGN_INS, ..Work::of_account("passkey challenge", "", 1, []) },
        }
        .limit_proofs(client.limits(rate_limits::PROVED_PASSKEY_CHALLENGES))
    }

    /// The proofs of a reset beyond its limits.
    fn of_resets(client: &Client, account: &str) -> Self {
        let mut limits = client.limits(rate_limits::PROOFS);
        Self {
            own: limits.next().into_iter().collect(),
            shared: limits.collect(),
            proved: Vec::new(),
            work: Work::of_account("reset", account, 1, []),
        }
    }
}

impl Work {
    fn of_account<const N: usize>(purpose: &'static str, account: &str, price: u32, rises: [(Bucket, u32); N]) -> Self {
        Self {
            permit: Permit { purpose, subject: account.to_owned() },
            message: MANY_FAILURES,
            price,
            rises: rises.map(|(bucket, price)| ((bucket, account.to_owned()), price)).into(),
        }
    }

    fn of_codes(purpose: &'static str, account: &str) -> Self {
        let rises =
            [(rate_limits::PROVED_CODES_TO, 4 * CODE_PRICE), (rate_limits::MANY_PROVED_CODES_TO, 16 * CODE_PRICE)];
        Self::of_account(purpose, account, CODE_PRICE, rises)
    }

    async fn is_done(&self, gateway: &Gateway, solution: Option<&str>) -> bool {
        match solution {
            Some(solution) => gateway.proof_of_work.redeem(solution, &self.permit).await.is_ok(),
            None => false,
        }
    }

    /// 429 with a challenge, in the place of `limited`.
    async fn demand(&self, gateway: &Gateway, limited: &Problem) -> Problem {
        let mut price = self.price;
        for ((bucket, key), higher) in &self.rises {
            if gateway.limits.is_exhausted(*bucket, key).await {
                price = price.max(*higher);
            }
        }
        match gateway.proof_of_work.create(&self.permit, price) {
            Some(challenge) => Problem::proof_of_work(limited, self.message, challenge),
            None => Problem::internal(),
        }
    }
}

/// Permits the attempts of one request with one solution, for the last work, which costs most.
///
/// # Errors
/// 429 `PROOF_OF_WORK_REQUIRED` with a challenge where the solution is missing or refused.
async fn permit<const N: usize>(
    gateway: &Gateway,
    begun: [Option<Begun>; N],
    solution: Option<&str>,
) -> Result<[Option<Attempt>; N], Problem> {
    let needed = begun.iter().rev().flatten().find_map(|begun| begun.beyond.as_ref());
    let refused = match needed {
        Some((work, limited)) if !work.is_done(gateway, solution).await => Some(work.demand(gateway, limited).await),
        _ => None,
    };
    let mut permitted = [const { None }; N];
    for (slot, begun) in permitted.iter_mut().zip(begun) {
        let Some(Begun { mut attempt, beyond }) = begun else { continue };
        if refused.is_some() {
            attempt.give_back().await;
            continue;
        }
        for ((bucket, key), _) in beyond.map(|(work, _)| work.rises).unwrap_or_default() {
            // An exhausted one has raised the price, and refuses nothing.
            if gateway.limits.take(bucket, &key).await.is_ok() {
                attempt.counted.push((bucket, key));
            }
        }
        *slot = Some(attempt);
    }
    refused.map_or(Ok(permitted), Err)
}

/// The same for a request with one attempt.
///
/// # Errors
/// As [`permit`].
async fn permit_one(gateway: &Gateway, begun: Begun, solution: Option<&str>) -> Result<Attempt, Problem> {
    let [attempt] = permit(gateway, [Some(begun)], solution).await?;
    attempt.ok_or(Problem::internal())
}

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
