//! The registrations of a network: some are free, further ones need a proof of work, and many are refused.

use crate::{
    api::{rate_limits, state::Gateway},
    edge::{
        limits::{Bucket, Client},
        problem::Problem,
    },
};

/// A counted registration.
pub struct Counted {
    of_day: Bucket,
    network: String,
}

impl Counted {
    /// Takes it back from the day: there is no new account. The hour counts attempts.
    pub async fn give_back(self, gateway: &Gateway) {
        gateway.limits.give_back(self.of_day, &self.network).await;
    }
}

/// Counts a registration.
///
/// # Errors
/// 429: `PROOF_OF_WORK_REQUIRED` with a challenge, where the free registrations are used up and the solution is missing or refused;
/// otherwise `RATE_LIMITED`.
pub async fn take(gateway: &Gateway, client: &Client, solution: Option<&str>) -> Result<Counted, Problem> {
    let network = client.key();
    // The hour first: attempts that it refuses must not use up the day of a network.
    let free = (rate_limits::REGISTRATION, rate_limits::REGISTRATIONS_OF_DAY);
    let Err(limited) = take_both(gateway, free, &network).await else {
        return Ok(Counted { of_day: free.1, network });
    };
    let is_solved = match solution {
        Some(solution) => gateway.proof_of_work.redeem(solution).await.is_ok(),
        None => false,
    };
    if !is_solved {
        let challenge = gateway.proof_of_work.create().ok_or(Problem::internal())?;
        return Err(Problem { limit: limited.limit, ..Problem::proof_of_work(limited.retry_after, challenge) });
    }
    let proved = (rate_limits::PROVED_REGISTRATIONS, rate_limits::PROVED_REGISTRATIONS_OF_DAY);
    take_both(gateway, proved, &network).await?;
    Ok(Counted { of_day: proved.1, network })
}

async fn take_both(gateway: &Gateway, (of_hour, of_day): (Bucket, Bucket), network: &str) -> Result<(), Problem> {
    gateway.limits.take(of_hour, network).await?;
    gateway.limits.take(of_day, network).await
}
