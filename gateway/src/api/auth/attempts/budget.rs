//! The limits of each kind of attempts, and the work that is due beyond them.

use crate::{
    api::{rate_limits, state::Gateway},
    edge::{
        limits::{Bucket, Client, Limits},
        problem::Problem,
        proof_of_work::Permit,
    },
};

/// The message where an account has many failures.
const MANY_FAILURES: &str = "There were many failed attempts for this account. Please try again in a few minutes.";
/// The message where the challenges of all networks are used up.
const MANY_SIGN_INS: &str = "Many people are signing in at the moment. Please try again.";
/// The price of a guess of one of a million codes, in the work of a password.
const CODE_PRICE: u32 = 4;
/// The factor of the price where the other networks of an IPv6 site used up its limit of proofs.
pub const SITE_FACTOR: u32 = 4;

/// A limit and its key.
pub(super) type Count = (Bucket, String);

/// A counted attempt.
pub struct Attempt {
    pub(super) limits: Limits,
    pub(super) counted: Vec<Count>,
}

impl Attempt {
    /// Counts an attempt against every limit, or against none.
    ///
    /// # Errors
    /// 429 of the first limit that is exhausted.
    pub(super) async fn begin(limits: &Limits, all: Vec<Count>) -> Result<Self, Problem> {
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
pub(super) struct Budget {
    /// Filled by the network itself: beyond them an attempt is refused.
    own: Vec<Count>,
    /// Filled by other networks too: beyond them an attempt needs a proof of work.
    shared: Vec<Count>,
    /// Filled by the network with such proofs: beyond them an attempt is refused.
    proved: Vec<Count>,
    work: Work,
}

/// The work beyond the shared limits.
pub(super) struct Work {
    permit: Permit,
    message: &'static str,
    price: u32,
    /// Limits of attempts with a proof that other networks can fill. Beyond each the price is its own.
    rises: Vec<(Count, u32)>,
}

/// A counted attempt that may need a proof of work.
pub(super) struct Begun {
    pub(super) attempt: Attempt,
    /// The work and the limit that demands it.
    pub(super) beyond: Option<(Work, Problem)>,
}

impl Budget {
    /// Counts an attempt against all limits, or against the network's limits where a shared one is exhausted.
    ///
    /// # Errors
    /// 429 of a limit of the network.
    pub(super) async fn begin(self, limits: &Limits) -> Result<Begun, Problem> {
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
    pub(super) fn of_passwords(client: &Client, account: &str) -> Self {
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
    pub(super) fn of_codes(client: &Client, account: &str) -> Self {
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
    pub(super) fn of_member(client: &Client, member: &str, has_code: bool) -> Self {
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
    pub(super) fn of_challenges(client: &Client) -> Self {
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
    pub(super) fn of_resets(client: &Client, account: &str) -> Self {
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
pub(super) async fn permit<const N: usize>(
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
pub(super) async fn permit_one(gateway: &Gateway, begun: Begun, solution: Option<&str>) -> Result<Attempt, Problem> {
    let [attempt] = permit(gateway, [Some(begun)], solution).await?;
    attempt.ok_or(Problem::internal())
}
