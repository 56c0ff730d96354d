//! The registrations of a network: some are free, further ones need a proof of work, and many are refused.

use crate::{
    api::{auth::attempts::SITE_FACTOR, rate_limits, state::Gateway},
    edge::{
        limits::{Bucket, Client},
        problem::Problem,
        proof_of_work::Permit,
    },
};

/// The message where the free registrations are used up.
const MANY: &str = "There are many registrations from your network. Please try again in a few minutes.";

/// A counted registration.
pub struct Counted(Vec<(Bucket, String)>);

impl Counted {
    /// Takes it back from the days: there is no new account. The hours count attempts.
    pub async fn give_back(self, gateway: &Gateway) {
        for (of_day, key) in self.0 {
            gateway.limits.give_back(of_day, &key).await;
        }
    }
}

/// Counts a registration.
///
/// # Errors
/// 429: `PROOF_OF_WORK_REQUIRED` with a challenge, where the free registrations are used up and the solution is missing or refused;
/// otherwise `RATE_LIMITED`.
pub async fn take(gateway: &Gateway, client: &Client, solution: Option<&str>) -> Result<Counted, Problem> {
    let free = (rate_limits::REGISTRATION, rate_limits::REGISTRATIONS_OF_DAY);
    let limited = match take_both(gateway, free, client).await {
        Ok(counted) => return Ok(counted),
        Err(limited) => limited,
    };
    // A registration names no account.
    let permit = Permit { purpose: "registration", subject: String::new() };
    let is_solved = match solution {
        Some(solution) => gateway.proof_of_work.redeem(solution, &permit).await.is_ok(),
        None => false,
    };
    if !is_solved {
        let price = if is_site_busy(gateway, client).await { SITE_FACTOR } else { 1 };
        let challenge = gateway.proof_of_work.create(&permit, price).ok_or(Problem::internal())?;
        return Err(Problem::proof_of_work(&limited, MANY, challenge));
    }
    take_proved(gateway, client).await
}

/// Returns whether the networks of an IPv6 site used up its registrations with a proof.
async fn is_site_busy(gateway: &Gateway, client: &Client) -> bool {
    for bucket in [rate_limits::PROVED_REGISTRATIONS, rate_limits::PROVED_REGISTRATIONS_OF_DAY] {
        for (of_site, key) in client.limits(bucket).skip(1) {
            if gateway.limits.is_exhausted(of_site, &key).await {
                return true;
            }
        }
    }
    false
}

/// Counts a registration with a proof. Only the network's own limits refuse: other networks fill those of its site.
async fn take_proved(gateway: &Gateway, client: &Client) -> Result<Counted, Problem> {
    let (of_hour, of_day) = (rate_limits::PROVED_REGISTRATIONS, rate_limits::PROVED_REGISTRATIONS_OF_DAY);
    gateway.limits.take(of_hour, &client.key()).await?;
    gateway.limits.take(of_day, &client.key()).await?;
    let mut counted = Counted(vec![(of_day, client.key())]);
    for (of_site, key) in client.limits(of_hour).skip(1) {
        // An exhausted one has raised the price.
        let _ = gateway.limits.take(of_site, &key).await;
    }
    for (of_site, key) in client.limits(of_day).skip(1) {
        if gateway.limits.take(of_site, &key).await.is_ok() {
            counted.0.push((of_site, key));
        }
    }
    Ok(counted)
}

async fn take_both(
    gateway: &Gateway,
    (of_hour, of_day): (Bucket, Bucket),
    client: &Client,
) -> Result<Counted, Problem> {
    // The hour first: attempts that it refuses must not use up the day.
    gateway.limits.take_from(of_hour, client).await?;
    let mut counted = Counted(Vec::new());
    for (of_day, key) in client.limits(of_day) {
        if let Err(limited) = gateway.limits.take(of_day, &key).await {
            counted.give_back(gateway).await;
            return Err(limited);
        }
        counted.0.push((of_day, key));
    }
    Ok(counted)
}
