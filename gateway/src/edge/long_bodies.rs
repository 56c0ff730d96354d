//! Slots for long bodies, which are in memory until the response: per member, per network, per site and in total, so that stalled
//! uploads of one member do not keep others from uploading.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use uuid::Uuid;

use crate::edge::problem::Problem;

/// The slots of a gateway: bodies that fit into memory together.
const ALL: usize = 16;
/// The slots of a member: a post has four pictures.
const OF_MEMBER: usize = 4;
/// The slots of a network, which members may share.
const OF_NETWORK: usize = 8;
/// The slots of a site: its many IPv6 networks leave some to others.
const OF_SITE: usize = 12;
/// Uploads take seconds.
const RETRY: Duration = Duration::from_secs(1);

/// The slots. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct LongBodies(Arc<Mutex<Taken>>);

#[derive(Debug, Default)]
struct Taken {
    all: usize,
    by_member: HashMap<Uuid, usize>,
    by_network: HashMap<String, usize>,
    by_site: HashMap<String, usize>,
}

/// A slot, free again when it is dropped.
#[derive(Debug)]
pub struct Slot {
    slots: LongBodies,
    member: Uuid,
    network: String,
    site: String,
}

impl LongBodies {
    /// Takes a slot.
    ///
    /// # Errors
    /// 429 when the member, the network or the site has no free slot, 503 when the gateway has none.
    pub fn take(&self, member: Uuid, network: String, site: String) -> Result<Slot, Problem> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_member = taken.by_member.get(&member).copied().unwrap_or_default();
        let of_network = taken.by_network.get(&network).copied().unwrap_or_default();
        let of_site = taken.by_site.get(&site).copied().unwrap_or_default();
        if of_member >= OF_MEMBER || of_network >= OF_NETWORK || of_site >= OF_SITE {
            return Err(Problem::limited(RETRY));
        }
        if taken.all >= ALL {
            return Err(Problem::busy("OVERLOADED"));
        }
        taken.all += 1;
        taken.by_member.insert(member, of_member + 1);
        taken.by_network.insert(network.clone(), of_network + 1);
        taken.by_site.insert(site.clone(), of_site + 1);
        Ok(Slot { slots: self.clone(), member, network, site })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut taken = self.slots.0.lock().unwrap_or_else(PoisonError::into_inner);
        taken.all -= 1;
        release(&mut taken.by_member, &self.member);
        release(&mut taken.by_network, &self.network);
        release(&mut taken.by_site, &self.site);
    }
}

/// Removes a key without slots, so that the map has as many entries as there are slots.
fn release<K: Eq + std::hash::Hash>(taken: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = taken.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            taken.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(slots: &LongBodies, member: u128, network: &str) -> Result<Slot, u16> {
        let site = network.split("::").next().unwrap().to_owned();
        slots.take(Uuid::from_u128(member), network.to_owned(), site).map_err(|problem| problem.status.as_u16())
    }

    #[test]
    fn slots_are_limited_by_member_by_network_and_in_total() {
        let slots = LongBodies::default();
        let first: Vec<_> = (0..4).map(|n| take(&slots, 1, &format!("192.0.2.{n}")).unwrap()).collect();
        assert_eq!(take(&slots, 1, "192.0.2.9").unwrap_err(), 429, "the fifth of a member");
        let second: Vec<_> = (0..8).map(|n| take(&slots, 2 + n / 4, "198.51.100.1").unwrap()).collect();
        assert_eq!(take(&slots, 9, "198.51.100.1").unwrap_err(), 429, "the ninth of a network");
        let third: Vec<_> = (0..4).map(|n| take(&slots, 10 + n, "203.0.113.1").unwrap()).collect();
        assert_eq!(take(&slots, 20, "203.0.113.2").unwrap_err(), 503, "the seventeenth");
        drop((first, second, third));
        assert!(take(&slots, 1, "192.0.2.9").is_ok());
        let taken = slots.0.lock().unwrap();
        assert_eq!((taken.all, taken.by_member.len(), taken.by_network.len(), taken.by_site.len()), (0, 0, 0, 0));
    }

    #[test]
    fn the_networks_of_a_site_leave_slots_to_others() {
        let slots = LongBodies::default();
        let taken: Vec<_> = (0..12).map(|n| take(&slots, n, &format!("2001:db8:1::{n}")).unwrap()).collect();
        assert_eq!(take(&slots, 20, "2001:db8:1::20").unwrap_err(), 429, "the thirteenth of a site");
        assert!(take(&slots, 20, "2001:db8:2::20").is_ok());
        drop(taken);
        assert!(slots.0.lock().unwrap().by_site.is_empty());
    }
}
