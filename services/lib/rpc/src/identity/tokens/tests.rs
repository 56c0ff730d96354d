//! Tokens of members and processes: subjects, audiences, lifetimes.

use super::*;
use crate::identity::public_set;

struct Fixture {
    clock: Clock,
    members: Signer,
    feed: Signer,
    ring: Keyring,
}

fn fixture() -> Fixture {
    let clock = Clock::fixed(DateTime::UNIX_EPOCH + TimeDelta::days(20_000));
    let members = KeyPair::generate("members/1").unwrap();
    let feed = KeyPair::generate("services/feed/1").unwrap();
    let ring = Keyring::new(&public_set(&[&members, &feed]), clock.clone()).unwrap();
    Fixture { clock, members: Signer::new(&members).unwrap(), feed: Signer::new(&feed).unwrap(), ring }
}

/// The token of a member for one service.
fn for_audience(signed: Result<Signed, KeyError>, audience: &str) -> String {
    signed.unwrap().0.into_iter().find(|(name, _)| *name == audience).unwrap().1
}

impl Fixture {
    fn own_token(&self, audience: &'static str) -> String {
        let header = self.feed.service(audience, self.clock.now()).unwrap();
        header.to_str().unwrap().strip_prefix("Bearer ").unwrap().to_owned()
    }
}

#[test]
fn a_member_token_is_valid_until_it_expires() {
    let f = fixture();
    let (id, session) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let token = for_audience(f.members.member(id, session, f.clock.now()), "jobs");
    assert_eq!(f.ring.verify(&token, "jobs"), Some(Actor::Member { id, session, moderator: false }));
    f.clock.advance(TimeDelta::seconds(64));
    let within_leeway = f.ring.verify(&token, "jobs");
    assert_eq!(within_leeway, Some(Actor::Member { id, session, moderator: false }), "within the leeway");
    f.clock.advance(TimeDelta::seconds(1));
    assert_eq!(f.ring.verify(&token, "jobs"), None, "the cache expires with the token");
}

#[test]
fn a_token_is_valid_at_its_own_audience_only() {
    let f = fixture();
    let (member, _) = f.members.member(Uuid::from_u128(1), Uuid::from_u128(2), f.clock.now()).unwrap();
    assert_eq!(member.len(), access::services().count());
    for (audience, token) in &member {
        for service in access::services() {
            // Twice: the second result comes from the cache.
            for _ in 0..2 {
                assert_eq!(f.ring.verify(token, service).is_some(), service == *audience, "{audience} at {service}");
            }
        }
    }
    for audience in access::services() {
        let token = f.own_token(audience);
        let accepted: Vec<_> = access::services().filter(|name| f.ring.verify(&token, name).is_some()).collect();
        assert_eq!(accepted, [audience]);
    }
    // The audience of earlier versions, which every service accepted.
    let before = f.members.sign("portia", Uuid::from_u128(1).to_string(), Some(Uuid::nil()), false, f.clock.now());
    let before = before.unwrap();
    assert!(access::services().chain(["portia"]).all(|service| f.ring.verify(&before, service).is_none()));
}

#[test]
fn a_token_that_is_passed_on_is_checked_like_one_that_is_sent() {
    let f = fixture();
    let own = f.feed.presented("jobs", f.clock.now()).unwrap();
    for _ in 0..2 {
        assert_eq!(f.ring.verify_presented(&own, "jobs"), Some(Actor::Service("feed".to_owned())));
        assert_eq!(f.ring.verify_presented(&own, "news"), None, "of another service");
    }
    let other = Keyring::new(&public_set(&[&KeyPair::generate("services/feed/1").unwrap()]), f.clock.clone()).unwrap();
    assert_eq!(other.verify_presented(&own, "jobs"), None, "the result of one keyring does not count for another");
    assert!(f.ring.verify_presented(&own, "jobs").is_some());
    let forged = f.feed.sign("jobs", "news".to_owned(), None, false, f.clock.now()).unwrap();
    let forged = PresentedToken::new(bearer(&forged).unwrap());
    for _ in 0..2 {
        assert_eq!(f.ring.verify_presented(&forged, "jobs"), None, "not signed by its subject");
    }
    f.clock.advance(TimeDelta::seconds(65));
    assert_eq!(f.ring.verify_presented(&own, "jobs"), None, "expired");
}

#[test]
fn only_the_token_of_a_moderator_passes_as_one() {
    let f = fixture();
    let (id, session) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let request = |token: &str| {
        let mut request = tonic::Request::new(());
        request.extensions_mut().insert(f.ring.verify(token, "feed").unwrap());
        request
    };
    let moderator = for_audience(f.members.moderator(id, session, f.clock.now()), "feed");
    assert_eq!(Actor::moderator(&request(&moderator)).unwrap(), id);
    assert_eq!(Actor::member(&request(&moderator)).unwrap(), id, "a moderator is a member");
    let member = for_audience(f.members.member(id, session, f.clock.now()), "feed");
    assert_eq!(Actor::moderator(&request(&member)).unwrap_err().code(), tonic::Code::NotFound);
    let service = f.own_token("feed");
    assert_eq!(Actor::moderator(&request(&service)).unwrap_err().code(), tonic::Code::Unauthenticated);
}

#[test]
fn a_service_cannot_sign_for_a_member_or_for_another() {
    let f = fixture();
    let forged = for_audience(f.feed.member(Uuid::from_u128(1), Uuid::from_u128(2), f.clock.now()), "jobs");
    assert_eq!(f.ring.verify(&forged, "jobs"), None);
    assert_eq!(f.ring.verify(&f.own_token("jobs"), "jobs"), Some(Actor::Service("feed".to_owned())));
}

#[test]
fn unknown_keys_and_malformed_tokens_are_refused() {
    let f = fixture();
    let unknown = Signer::new(&KeyPair::generate("members/1").unwrap()).unwrap();
    let token = for_audience(unknown.member(Uuid::from_u128(1), Uuid::from_u128(2), f.clock.now()), "jobs");
    assert_eq!(f.ring.verify(&token, "jobs"), None);
    for garbage in ["", "a.b.c", "eyJhbGciOiJub25lIn0.e30."] {
        assert_eq!(f.ring.verify(garbage, "jobs"), None, "{garbage}");
    }
}

#[test]
fn both_keys_verify_during_rotation() {
    let f = fixture();
    let (old, new) = (KeyPair::generate("members/old").unwrap(), KeyPair::generate("members/new").unwrap());
    let ring = Keyring::new(&public_set(&[&old, &new]), f.clock.clone()).unwrap();
    for pair in [&old, &new] {
        let signer = Signer::new(pair).unwrap();
        let token = for_audience(signer.member(Uuid::from_u128(1), Uuid::from_u128(2), f.clock.now()), "jobs");
        assert!(ring.verify(&token, "jobs").is_some());
    }
}

#[test]
fn keys_are_replaced_while_the_process_runs() {
    let f = fixture();
    let before = f.own_token("jobs");
    let presented = f.feed.presented("jobs", f.clock.now()).unwrap();
    assert!(f.ring.verify_presented(&presented, "jobs").is_some());
    let (first, second) =
        (KeyPair::generate("services/feed/1").unwrap(), KeyPair::generate("services/feed/2").unwrap());
    assert!(f.ring.verify(&before, "jobs").is_some());
    f.ring.replace(&public_set(&[&first, &second])).unwrap();
    assert_eq!(f.ring.verify(&before, "jobs"), None, "its key is another one now");
    assert_eq!(f.ring.verify_presented(&presented, "jobs"), None, "within the process too");

    f.feed.replace(&second).unwrap();
    let after = f.own_token("jobs");
    assert_eq!(f.ring.verify(&after, "jobs"), Some(Actor::Service("feed".to_owned())));
    for other in ["members/2", "services/jobs/1", "feed"] {
        let refused = f.feed.replace(&KeyPair::generate(other).unwrap());
        assert!(matches!(refused, Err(KeyError::KeyId(kid)) if kid == other));
    }
    assert!(matches!(f.ring.replace(&public_set(&[&KeyPair::generate("feed").unwrap()])), Err(KeyError::KeyId(_))));
    assert!(f.ring.verify(&after, "jobs").is_some(), "what is refused changes nothing");
}

#[test]
fn a_service_reuses_its_token_for_half_of_its_lifetime() {
    let f = fixture();
    let first = f.own_token("jobs");
    f.clock.advance(TimeDelta::seconds(20));
    assert_eq!(f.own_token("jobs"), first);
    f.clock.advance(TimeDelta::seconds(20));
    assert_ne!(f.own_token("jobs"), first);
}

#[test]
fn a_token_from_before_the_clock_was_set_back_is_not_reused() {
    let f = fixture();
    let of_the_future = f.own_token("jobs");
    f.clock.advance(-TimeDelta::hours(1));
    assert_ne!(f.own_token("jobs"), of_the_future);
}
