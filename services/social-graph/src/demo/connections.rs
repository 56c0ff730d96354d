//! The connections and pending requests of the demo members: the same at every start.

use super::MEMBERS;

/// The share of pairs that are connected: enough for mutual connections between unconnected members.
const CONNECTED: f64 = 0.17;
/// Pending requests to and from each sign-in account.
const RECEIVED: usize = 4;
const SENT: usize = 2;

pub struct Pair {
    pub requester: u32,
    pub recipient: u32,
    pub accepted: bool,
}

/// Accepted connections, then pending requests between the sign-in accounts and unconnected members.
pub fn pairs() -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    for one in 1..=MEMBERS {
        for other in one + 1..=MEMBERS {
            if fraction(one, other, 2) < CONNECTED {
                let (requester, recipient) = if fraction(one, other, 3) < 0.5 { (one, other) } else { (other, one) };
                pairs.push(Pair { requester, recipient, accepted: true });
            }
        }
    }
    for sign_in in [1, 2] {
        let known = |number: u32| {
            pairs.iter().any(|pair| [(sign_in, number), (number, sign_in)].contains(&(pair.requester, pair.recipient)))
        };
        let mut strangers: Vec<u32> = (3..=MEMBERS).filter(|number| !known(*number)).collect();
        strangers.sort_by(|a, b| fraction(sign_in, *a, 7).total_cmp(&fraction(sign_in, *b, 7)));
        for (place, stranger) in strangers.into_iter().take(RECEIVED + SENT).enumerate() {
            let (requester, recipient) = if place < RECEIVED { (stranger, sign_in) } else { (sign_in, stranger) };
            pairs.push(Pair { requester, recipient, accepted: false });
        }
    }
    pairs
}

/// A pseudorandom number from 0 to 1, the same at every start (splitmix64).
pub fn fraction(one: u32, other: u32, salt: u32) -> f64 {
    let seed = u64::from(one) * 1_000_000 + u64::from(other) * 1_000 + u64::from(salt);
    let mut z = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    f64::from(u32::try_from((z ^ (z >> 31)) >> 32).unwrap_or_default()) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_sign_in_account_has_connections_requests_and_mutual_connections() {
        let pairs = pairs();
        let key = |pair: &Pair| (pair.requester.min(pair.recipient), pair.requester.max(pair.recipient));
        assert_eq!(pairs.iter().map(key).collect::<HashSet<_>>().len(), pairs.len(), "one row a pair");
        let friends = |who: u32| -> HashSet<u32> {
            let sides = pairs.iter().filter(|pair| pair.accepted).map(key);
            sides.filter_map(|(a, b)| if a == who { Some(b) } else { (b == who).then_some(a) }).collect()
        };
        for sign_in in [1, 2] {
            let own = friends(sign_in);
            assert!((5..=20).contains(&own.len()), "{}", own.len());
            let waiting = pairs.iter().filter(|pair| !pair.accepted && pair.recipient == sign_in).count();
            assert_eq!(waiting, RECEIVED);
            let touched: HashSet<u32> = pairs
                .iter()
                .map(key)
                .flat_map(|(a, b)| if a == sign_in { Some(b) } else { (b == sign_in).then_some(a) })
                .collect();
            let mutual = (1..=MEMBERS)
                .filter(|other| *other != sign_in && !touched.contains(other))
                .filter(|other| friends(*other).intersection(&own).count() >= 2)
                .count();
            assert!(mutual >= 10, "{mutual}");
        }
    }
}
