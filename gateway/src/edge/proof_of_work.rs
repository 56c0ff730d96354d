//! Proofs of work in the format of ALTCHA: a client finds the number whose SHA-256, after a salt, is the challenge. It is
//! work of a second for a browser, and makes many registrations and guesses expensive, without a service of others and without a
//! picture.

use std::sync::Arc;

use aws_lc_rs::{hmac, rand};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::TimeDelta;
use primitives::clock::Clock;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use crate::edge::{
    cache::{Cache, Limit},
    signed_addresses::SignedAddresses,
};

/// A challenge is valid for this time: a slow telephone has enough of it.
const LIFETIME: TimeDelta = TimeDelta::minutes(10);
/// The largest number at the lowest price: half of it are tried on average.
const MAX_NUMBER: u32 = 200_000;
/// The random bytes of a salt.
const SALT: usize = 12;
const ALGORITHM: &str = "SHA-256";
/// The longest accepted solution, in bytes.
const MAX_SOLUTION: usize = 1_024;
/// The bucket of used challenges.
const USED: &str = "proof-of-work";

/// A task for the client: to find the number from 0 to `maxnumber` for which the SHA-256 of `salt` and the number, in decimal
/// digits, is `challenge`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WorkChallenge {
    /// Always `SHA-256`.
    #[schema(value_type = String)]
    pub algorithm: &'static str,
    /// 64 hexadecimal digits.
    pub challenge: String,
    /// The largest number to try.
    pub maxnumber: u32,
    /// Contains the end of the validity.
    pub salt: String,
    /// Proves that the server made the challenge.
    pub signature: String,
}

/// The request that a solution permits once. The signature covers it: no other request or account is permitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permit {
    /// The kind of request.
    pub purpose: &'static str,
    /// The key of the account; empty where a request names none.
    pub subject: String,
}

impl Permit {
    /// The signed text of a challenge.
    fn text(&self, challenge: &str) -> String {
        format!("{challenge} {} {}", self.purpose, self.subject)
    }
}

/// The solution as ALTCHA sends it: JSON in base64.
#[derive(Deserialize)]
struct Solution {
    algorithm: String,
    challenge: String,
    number: u32,
    salt: String,
    signature: String,
}

/// A solution is forged, wrong, expired, used or for another purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// Makes challenges and checks their solutions. Clones share the keys.
#[derive(Clone)]
pub struct ProofOfWork {
    /// The first one signs.
    keys: Arc<[hmac::Key]>,
    cache: Cache,
    clock: Clock,
}

impl ProofOfWork {
    /// Derives the keys from the keys of signed addresses, which all gateways share. The cache stores used challenges.
    pub fn new(addresses: &SignedAddresses, cache: Cache, clock: Clock) -> Self {
        Self { keys: addresses.derive_keys("proof of work"), cache, clock }
    }

    /// Makes a challenge of `price` times the usual work; `None` without randomness.
    pub fn create(&self, permit: &Permit, price: u32) -> Option<WorkChallenge> {
        let key = self.keys.first()?;
        let (mut salt, mut number) = ([0; SALT], [0; 4]);
        rand::fill(&mut salt).and_then(|()| rand::fill(&mut number)).ok()?;
        let expires = (self.clock.now() + LIFETIME).timestamp();
        // The `&` separates the number: digits moved from it to the end of the validity would have the same hash.
        let salt = format!("{}?expires={expires}&", hex(&salt));
        let maxnumber = MAX_NUMBER.saturating_mul(price);
        let number = u32::from_le_bytes(number).checked_rem(maxnumber.saturating_add(1))?;
        let challenge = hash(&salt, number);
        let signature = hex(hmac::sign(key, permit.text(&challenge).as_bytes()).as_ref());
        Some(WorkChallenge { algorithm: ALGORITHM, challenge, maxnumber, salt, signature })
    }

    /// Checks a solution and uses its challenge: no gateway accepts it again.
    ///
    /// # Errors
    /// [`Refused`].
    pub async fn redeem(&self, solution: &str, permit: &Permit) -> Result<(), Refused> {
        let solution = parse(solution).ok_or(Refused)?;
        self.verify(&solution, permit).ok_or(Refused)?;
        // As long as the challenge is valid, so the bucket does not refill before.
        let once = Limit::new(1, LIFETIME.to_std().unwrap_or_default());
        self.cache.take(USED, &solution.challenge, once, self.clock.now()).await.map_err(|_| Refused)
    }

    fn verify(&self, solution: &Solution, permit: &Permit) -> Option<()> {
        let (_, end) = solution.salt.strip_suffix('&')?.split_once("?expires=")?;
        let is_valid = end.parse::<i64>().ok()? > self.clock.now().timestamp()
            && solution.algorithm == ALGORITHM
            && hash(&solution.salt, solution.number) == solution.challenge;
        let signature = unhex(&solution.signature)?;
        let signed = permit.text(&solution.challenge);
        // The library compares in constant time.
        let is_signed = |key| hmac::verify(key, signed.as_bytes(), &signature).is_ok();
        (is_valid && self.keys.iter().any(is_signed)).then_some(())
    }
}

fn parse(solution: &str) -> Option<Solution> {
    let json = (solution.len() <= MAX_SOLUTION).then(|| STANDARD.decode(solution).ok())??;
    serde_json::from_slice(&json).ok()
}

fn hash(salt: &str, number: u32) -> String {
    hex(&Sha256::new().chain_update(salt).chain_update(number.to_string()).finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, digit| byte * 16 + digit)).collect())
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use serde_json::{Value, json};

    use super::*;

    fn at(seconds: i64) -> Clock {
        Clock::fixed(DateTime::<Utc>::from_timestamp(seconds, 0).unwrap())
    }

    fn proofs(secret: &str, seconds: i64, cache: &Cache) -> ProofOfWork {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), secret.repeat(32)).unwrap();
        let addresses = SignedAddresses::read(&[file.path().to_owned()], at(seconds)).unwrap();
        ProofOfWork::new(&addresses, cache.clone(), at(seconds))
    }

    fn sign_in() -> Permit {
        Permit { purpose: "sign-in", subject: "ana".to_owned() }
    }

    fn solution(challenge: &WorkChallenge) -> Value {
        let number = (0..=challenge.maxnumber).find(|number| hash(&challenge.salt, *number) == challenge.challenge);
        json!({ "algorithm": challenge.algorithm, "challenge": challenge.challenge, "number": number.unwrap(),
            "salt": challenge.salt, "signature": challenge.signature })
    }

    fn encoded(solution: &Value) -> String {
        STANDARD.encode(solution.to_string())
    }

    #[tokio::test]
    async fn a_solution_is_accepted_once_by_all_gateways_together() {
        let cache = Cache::in_process();
        let (one, other) = (proofs("a", 0, &cache), proofs("a", 0, &cache));
        let solved = encoded(&solution(&one.create(&sign_in(), 1).unwrap()));
        assert_eq!(other.redeem(&solved, &sign_in()).await, Ok(()));
        assert_eq!(one.redeem(&solved, &sign_in()).await, Err(Refused));
        assert_eq!(other.redeem(&solved, &sign_in()).await, Err(Refused));
        assert_ne!(one.create(&sign_in(), 1).unwrap(), one.create(&sign_in(), 1).unwrap());
    }

    #[tokio::test]
    async fn a_solution_is_valid_until_its_end() {
        let cache = Cache::in_process();
        let solved = encoded(&solution(&proofs("a", 0, &cache).create(&sign_in(), 1).unwrap()));
        assert_eq!(proofs("a", 600, &cache).redeem(&solved, &sign_in()).await, Err(Refused));
        assert_eq!(proofs("a", 599, &cache).redeem(&solved, &sign_in()).await, Ok(()));
        // One second later the challenge has ended.
        assert_eq!(proofs("a", 600, &cache).redeem(&solved, &sign_in()).await, Err(Refused));
    }

    #[tokio::test]
    async fn a_forged_or_wrong_solution_is_refused() {
        let cache = Cache::in_process();
        let proofs = proofs("a", 0, &cache);
        let solved = solution(&proofs.create(&sign_in(), 1).unwrap());
        let number = solved["number"].as_u64().unwrap();
        let (salt, digits) = (solved["salt"].as_str().unwrap(), number.to_string());
        let foreign = self::proofs("b", 0, &cache).create(&sign_in(), 1).unwrap();
        // A challenge of one's own, without the key.
        let own = hash("00?expires=99999999999&", 1);
        for (field, value) in [
            ("number", json!(number + 1)),
            ("number", json!(-1)),
            ("number", json!(number.to_string())),
            ("algorithm", json!("SHA-1")),
            ("signature", json!("")),
            ("signature", json!("é")),
            ("signature", json!(foreign.signature)),
            ("challenge", json!(foreign.challenge)),
            ("challenge", json!(own)),
            // A later end, and one made of the first digit of the number.
            ("salt", json!(salt.replace("=600&", "=99999999999&"))),
            ("salt", json!(salt.replace("=600&", &format!("=600{}&", &digits[..1])))),
            ("salt", json!(salt.trim_end_matches('&'))),
            ("salt", json!("")),
        ] {
            let mut forged = solved.clone();
            forged[field] = value;
            assert_eq!(proofs.redeem(&encoded(&forged), &sign_in()).await, Err(Refused), "{field}: {}", forged[field]);
        }
        assert_eq!(proofs.redeem(&encoded(&solution(&foreign)), &sign_in()).await, Err(Refused), "of another key");
        for bad in ["", "x", "{}", &encoded(&json!({})), &encoded(&json!([])), &"A".repeat(1 << 20)] {
            assert_eq!(proofs.redeem(bad, &sign_in()).await, Err(Refused), "{bad:.20}");
        }
        assert_eq!(proofs.redeem(&encoded(&solved), &sign_in()).await, Ok(()), "the attempts did not use it");
    }

    #[tokio::test]
    async fn a_solution_permits_only_what_its_challenge_was_made_for() {
        let cache = Cache::in_process();
        let proofs = proofs("a", 0, &cache);
        let solved = encoded(&solution(&proofs.create(&sign_in(), 1).unwrap()));
        for (purpose, subject) in [("sign-in", "ben"), ("sign-in", ""), ("registration", "ana"), ("registration", "")] {
            let other = Permit { purpose, subject: subject.to_owned() };
            assert_eq!(proofs.redeem(&solved, &other).await, Err(Refused), "{purpose} {subject}");
        }
        assert_eq!(proofs.redeem(&solved, &sign_in()).await, Ok(()), "the attempts did not use it");
    }

    #[tokio::test]
    async fn a_higher_price_is_a_larger_number() {
        let proofs = proofs("a", 0, &Cache::in_process());
        let numbers = [1, 4, 64].map(|price| proofs.create(&sign_in(), price).unwrap().maxnumber);
        assert_eq!(numbers, [200_000, 800_000, 12_800_000]);
    }

    #[test]
    fn digits_of_the_number_cannot_become_a_later_end() {
        let (salt, number) = ("00?expires=600", 123);
        assert_eq!(hash(salt, number), hash(&format!("{salt}1"), 23), "without a separator the hash is the same");
        assert_ne!(hash(&format!("{salt}&"), number), hash(&format!("{salt}1&"), 23));
    }
}
