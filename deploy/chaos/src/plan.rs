//! The faults of a run, in their order: a function of the seed.

use std::{fmt, time::Duration};

use portia::SERVICES;

use crate::rng::Rng;

/// The kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// SIGKILL to a process of a service, which starts again.
    KillService,
    /// SIGKILL to a gateway, which starts again.
    KillGateway,
    /// SIGKILL to the postmaster; the server recovers from its write-ahead log.
    KillPostgres,
    /// SIGKILL to Redis, which starts empty.
    KillRedis,
    /// No file of Postgres can grow; then there is space again.
    FillDisk,
    /// The clock of a process is set ahead or back by less than a minute, and some seconds later to the right time.
    SetClock,
    /// SIGSTOP, and SIGCONT some seconds later.
    Suspend,
    /// Each packet of the connections through a proxy waits.
    Slow,
    /// The connections through a proxy end, and new ones are refused for a while.
    Cut,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::KillService => "SIGKILL service",
            Self::KillGateway => "SIGKILL gateway",
            Self::KillPostgres => "SIGKILL Postgres",
            Self::KillRedis => "SIGKILL Redis",
            Self::FillDisk => "full disk",
            Self::SetClock => "wrong clock",
            Self::Suspend => "SIGSTOP",
            Self::Slow => "slow connections",
            Self::Cut => "cut connections",
        })
    }
}

/// The seconds by which a wrong clock is ahead. A token between processes that is still used lives longer.
const WRONG_BY: [i64; 2] = [-20, 20];

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind.
    pub kind: Kind,
    /// The process (`feed-1`, `redis`), or the one behind the proxy.
    pub target: String,
    /// Its duration; of a kill, the time until the next start.
    pub lasts: Duration,
    /// The seconds by which a clock is ahead of the right time.
    pub ahead: i64,
    /// The next fault begins before this one has been recovered from.
    pub overlaps: bool,
    /// The writes that are acknowledged after the recovery, before the next fault.
    pub writes: u64,
}

/// The parts of an installation that not every system has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Possible {
    /// Redis.
    pub redis: bool,
    /// A disk of its own.
    pub disk: bool,
    /// Clocks of their own, of the second replicas.
    pub clocks: bool,
}

/// The replicas of a process: `feed-1` and `feed-2`.
#[must_use]
pub fn replicas(process: &str) -> [String; 2] {
    [format!("{process}-1"), format!("{process}-2")]
}

/// The faults of a seed: `kills` kills, a tenth of them of Postgres, and half as many other faults. Every kind that is
/// possible occurs.
#[must_use]
pub fn faults(seed: u64, kills: usize, possible: Possible) -> Vec<Fault> {
    let Possible { redis, disk, clocks } = possible;
    let mut rng = Rng::of(seed, 1);
    let services: Vec<String> = SERVICES.iter().flat_map(|service| replicas(service)).collect();
    let gateways = replicas("gateway");
    let other_kills = (kills / 10).max(1) + usize::from(redis) * (kills / 12).max(1) + (kills / 6).max(1);
    let mut kinds = vec![Kind::KillService; kills.saturating_sub(other_kills)];
    kinds.extend(vec![Kind::KillGateway; (kills / 6).max(1)]);
    kinds.extend(vec![Kind::KillPostgres; (kills / 10).max(1)]);
    kinds.extend(vec![Kind::KillRedis; usize::from(redis) * (kills / 12).max(1)]);
    kinds.extend(vec![Kind::FillDisk; usize::from(disk) * (kills / 14).max(1)]);
    kinds.extend(vec![Kind::SetClock; usize::from(clocks) * (kills / 10).max(2)]);
    kinds.extend(vec![Kind::Suspend; (kills / 5).max(2)]);
    kinds.extend(vec![Kind::Slow; (kills / 6).max(2)]);
    kinds.extend(vec![Kind::Cut; (kills / 6).max(2)]);
    rng.shuffle(&mut kinds);
    // Every process is killed as often as the others.
    let (mut killed, mut next) = (services.clone(), 0);
    rng.shuffle(&mut killed);
    let behind_proxies: Vec<String> = SERVICES
        .iter()
        .map(|service| format!("{service}-1"))
        .chain(["postgres".to_owned(), "postgres".to_owned()])
        .chain(redis.then(|| "redis".to_owned()))
        .collect();
    let second: Vec<String> = SERVICES.iter().chain(&["gateway"]).map(|process| format!("{process}-2")).collect();
    let suspended: Vec<String> = [services.as_slice(), &gateways].concat();
    let one_of = |rng: &mut Rng, list: &[String]| rng.choose(list).cloned().unwrap_or_default();
    let fault = |kind: Kind| {
        let target = match kind {
            Kind::KillService => {
                next += 1;
                killed.get(next % killed.len()).cloned().unwrap_or_default()
            }
            Kind::KillGateway => one_of(&mut rng, &gateways),
            Kind::KillPostgres | Kind::FillDisk => "postgres".to_owned(),
            Kind::KillRedis => "redis".to_owned(),
            Kind::Suspend => one_of(&mut rng, &suspended),
            Kind::SetClock => one_of(&mut rng, &second),
            Kind::Slow | Kind::Cut => one_of(&mut rng, &behind_proxies),
        };
        let milliseconds = match kind {
            Kind::Suspend | Kind::Slow | Kind::FillDisk | Kind::SetClock => 1_000 + rng.below(5_000),
            Kind::Cut => rng.below(1_500),
            _ => rng.below(800),
        };
        Fault {
            kind,
            target,
            lasts: Duration::from_millis(milliseconds as u64),
            ahead: if kind == Kind::SetClock { rng.choose(&WRONG_BY).copied().unwrap_or_default() } else { 0 },
            // A suspended process that misses its connection would execute a request after its repetition elsewhere.
            overlaps: matches!(kind, Kind::KillService | Kind::KillGateway) && rng.once_in(4),
            writes: 5 + rng.below(60) as u64,
        }
    };
    kinds.into_iter().map(fault).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    const EVERYTHING: Possible = Possible { redis: true, disk: true, clocks: true };
    const NOTHING: Possible = Possible { redis: false, disk: false, clocks: false };

    #[test]
    fn equal_seeds_give_equal_plans() {
        assert_eq!(faults(7, 100, EVERYTHING), faults(7, 100, EVERYTHING));
        assert_ne!(faults(7, 100, EVERYTHING), faults(8, 100, EVERYTHING));
    }

    #[test]
    fn a_plan_has_the_requested_kills_and_every_kind() {
        for kills in [12, 100] {
            let plan = faults(3, kills, EVERYTHING);
            let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
            plan.iter().for_each(|fault| *counts.entry(fault.kind).or_default() += 1);
            assert_eq!(counts.len(), 9, "{counts:?}");
            let killed = |(kind, n): (&Kind, &usize)| if kind.to_string().starts_with("SIGKILL") { *n } else { 0 };
            assert_eq!(counts.iter().map(killed).sum::<usize>(), kills);
        }
    }

    #[test]
    fn a_long_plan_kills_every_replica() {
        let plan = faults(11, 100, NOTHING);
        let killed: BTreeSet<&str> =
            plan.iter().filter(|fault| fault.kind == Kind::KillService).map(|fault| fault.target.as_str()).collect();
        assert_eq!(killed.len(), 2 * SERVICES.len());
        let impossible = |kind| matches!(kind, Kind::KillRedis | Kind::FillDisk | Kind::SetClock);
        assert!(plan.iter().all(|fault| !impossible(fault.kind) && fault.target != "redis"));
    }
}
