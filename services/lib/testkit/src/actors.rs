//! The callers of tests: members and services, with tokens that the service under test verifies as in production.

use std::{collections::HashMap, sync::Arc, time::Duration};

use primitives::clock::Clock;
use rpc::{
    Call,
    identity::{Credentials, KeyError, KeyPair, Keyring, MemberTokens, Signed, Signer, public_set},
};
use uuid::Uuid;

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
        let key = |process| KeyPair::generate(&format!("services/{process}/1")).expect("a key");
        let pairs: Vec<KeyPair> = access::processes().map(key).collect();
        let all: Vec<&KeyPair> = pairs.iter().chain([&member_key]).collect();
        let keyring = Keyring::new(&public_set(&all), clock.clone()).expect("the keys are well-formed");
        let signers = pairs.iter().map(|pair| Arc::new(Signer::new(pair).expect("a signer")));
        Self {
            clock,
            members: Signer::new(&member_key).expect("a signer"),
            member_key,
            services: access::processes().zip(signers).collect(),
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
        // The id of the session is the id of the member, for services that do not check it.
        self.session(id, id)
    }

    /// A call by a member in a session that auth knows.
    #[must_use]
    pub fn session(&self, id: Uuid, session: Uuid) -> Call {
        self.service(access::GATEWAY).with_member(&tokens(self.members.member(id, session, self.clock.now())))
    }

    /// Returns the token of a member for one service, without a token of a process beside it.
    #[must_use]
    pub fn member_token(&self, id: Uuid, audience: &str) -> String {
        let (tokens, _) = self.members.member(id, id, self.clock.now()).expect("tokens");
        tokens.into_iter().find(|(name, _)| *name == audience).expect("a service").1
    }

    /// A call by a member who is a moderator.
    #[must_use]
    pub fn moderator(&self, id: Uuid) -> Call {
        self.service(access::GATEWAY).with_member(&tokens(self.members.moderator(id, id, self.clock.now())))
    }

    /// The identity of a service.
    #[must_use]
    pub fn credentials(&self, name: &str) -> Credentials {
        Credentials::of_process(self.signer(name), self.clock.clone())
    }

    /// A call by a service: `gateway` calls for visitors.
    #[must_use]
    pub fn service(&self, name: &str) -> Call {
        Call::new(self.credentials(name), CALL_TIMEOUT)
    }

    /// The same for a stream, without a deadline.
    #[must_use]
    pub fn service_stream(&self, name: &str) -> Call {
        Call::streaming(self.credentials(name))
    }

    /// A call with a token whose key the services do not know.
    #[must_use]
    pub fn invalid_token(&self) -> Call {
        let unknown = KeyPair::generate("services/gateway/1").expect("a key");
        let signer = Arc::new(Signer::new(&unknown).expect("a signer"));
        Call::new(Credentials::of_process(signer, self.clock.clone()), CALL_TIMEOUT)
    }
}

fn tokens(signed: Result<Signed, KeyError>) -> MemberTokens {
    MemberTokens::new(signed.expect("tokens").0).expect("tokens are header values")
}

impl std::fmt::Debug for Actors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Actors").finish_non_exhaustive()
    }
}
