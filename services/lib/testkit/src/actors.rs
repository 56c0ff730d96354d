//! The callers of tests: members and services, with tokens that the service under test verifies as in production.

use std::{collections::HashMap, sync::Arc, time::Duration};

use primitives::clock::Clock;
use rpc::{
    Call,
    identity::{KeyPair, Keyring, Signer, public_set},
};
use uuid::Uuid;

/// The services with keys.
const SERVICES: [&str; 8] = ["auth", "profile", "social-graph", "feed", "jobs", "news", "messaging", "gateway"];
/// Long enough for a busy machine; tests of deadlines create their own calls.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);

/// The keys of one test, and tokens signed with them.
pub struct Actors {
    clock: Clock,
    member_key: KeyPair,
    members: Signer,
    services: HashMap<&'static str, Arc<Signer>>,
    keyring: Arc<Keyring>,
}

impl Actors {
    /// New keys; tokens expire by `clock`.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        let member_key = KeyPair::generate("members/1").expect("a key");
        let pairs = SERVICES.map(|service| KeyPair::generate(&format!("services/{service}/1")).expect("a key"));
        let all: Vec<&KeyPair> = pairs.iter().chain([&member_key]).collect();
        let keyring = Keyring::new(&public_set(&all), clock.clone()).expect("the keys are well-formed");
        let signers = pairs.iter().map(|pair| Arc::new(Signer::new(pair).expect("a signer")));
        Self {
            clock,
            members: Signer::new(&member_key).expect("a signer"),
            member_key,
            services: SERVICES.into_iter().zip(signers).collect(),
            keyring: Arc::new(keyring),
        }
    }

    /// The keyring with which the service under test verifies tokens.
    #[must_use]
    pub fn keyring(&self) -> Arc<Keyring> {
        Arc::clone(&self.keyring)
    }

    /// The private key of member tokens, in the format of auth's key file.
    #[must_use]
    pub fn member_key_pem(&self) -> String {
        self.member_key.to_pem()
    }

    /// The signer of a service.
    #[must_use]
    pub fn signer(&self, service: &str) -> Arc<Signer> {
        Arc::clone(self.services.get(service).unwrap_or_else(|| panic!("there is no service {service}")))
    }

    /// A call by a member; a member has one session.
    #[must_use]
    pub fn member(&self, id: Uuid) -> Call {
        Call::new(&self.member_token(id), CALL_TIMEOUT).expect("a token is a header value")
    }

    /// The token of such a call. The id of the session is that of the member, for services that do not check it.
    #[must_use]
    pub fn member_token(&self, id: Uuid) -> String {
        self.session_token(id, id)
    }

    /// A member's token for a session that auth knows.
    #[must_use]
    pub fn session_token(&self, id: Uuid, session: Uuid) -> String {
        self.members.member(id, session, self.clock.now()).expect("a token").0
    }

    /// A call by a member who is a moderator.
    #[must_use]
    pub fn moderator(&self, id: Uuid) -> Call {
        let token = self.members.moderator(id, id, self.clock.now()).expect("a token").0;
        Call::new(&token, CALL_TIMEOUT).expect("a token is a header value")
    }

    /// A call by a service: `gateway` calls for visitors.
    #[must_use]
    pub fn service(&self, name: &str) -> Call {
        let token = self.signer(name).service(self.clock.now()).expect("a token");
        Call::new(&token, CALL_TIMEOUT).expect("a token is a header value")
    }

    /// The same for a stream, without a deadline.
    #[must_use]
    pub fn service_stream(&self, name: &str) -> Call {
        let token = self.signer(name).service(self.clock.now()).expect("a token");
        Call::streaming(&token).expect("a token is a header value")
    }

    /// A call with an invalid token.
    #[must_use]
    pub fn invalid_token(&self) -> Call {
        Call::new("not.a.token", CALL_TIMEOUT).expect("it is a header value")
    }
}

impl std::fmt::Debug for Actors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Actors").finish_non_exhaustive()
    }
}
