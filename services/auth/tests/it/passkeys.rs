//! Passkeys: registration, ceremonies, names, limits and removal. `passkey_login.rs` has the sign-in.

use chrono::TimeDelta;
use portia_proto::auth::{
    CreatePasskeyRequest, DeletePasskeyRequest, ListPasskeysRequest, LoginWithPasskeyRequest, LoginWithPasskeyResponse,
    Passkey, PasskeyAssertion, PasskeyUse, ResetPasswordRequest, StartPasskeyAuthenticationRequest,
    StartPasskeyAuthenticationResponse, StartPasskeyRegistrationRequest, StartPasskeyRegistrationResponse,
    UpdatePasskeyRequest,
};
use primitives::error::ErrorKind;
use testkit::member;
use tonic::Status;

use crate::{
    Auth, PASSWORD,
    actors::SignedIn,
    authenticator::{Authenticator, ORIGIN, USER_VERIFIED},
    browser, details, reset_of,
};

impl SignedIn<'_> {
    pub async fn start_passkey(&self, auth: &Auth) -> Result<StartPasskeyRegistrationResponse, Status> {
        let start = StartPasskeyRegistrationRequest { origin: ORIGIN.into() };
        Ok(auth.client().start_passkey_registration(self.request(start)).await?.into_inner())
    }

    pub async fn create_passkey(&self, auth: &Auth, ceremony: &str, credential: String) -> Result<Passkey, Status> {
        let create = CreatePasskeyRequest {
            ceremony: ceremony.into(),
            credential,
            origin: ORIGIN.into(),
            name: " Phone ".into(),
            browser: Some(browser("192.0.2.9")),
        };
        Ok(auth.client().create_passkey(self.request(create)).await?.into_inner().passkey.unwrap())
    }

    /// Stores the key of an authenticator.
    pub async fn add_passkey(&self, auth: &Auth, device: &mut Authenticator) -> Result<Passkey, Status> {
        let started = self.start_passkey(auth).await?;
        self.create_passkey(auth, &started.ceremony, device.create(&started.options)).await
    }

    pub async fn passkeys(&self, auth: &Auth) -> Result<Vec<Passkey>, Status> {
        Ok(auth.client().list_passkeys(self.request(ListPasskeysRequest {})).await?.into_inner().passkeys)
    }

    pub async fn rename_passkey(&self, auth: &Auth, id: &str, name: &str) -> Result<Passkey, Status> {
        let rename = UpdatePasskeyRequest { id: id.into(), name: name.into(), browser: Some(browser("192.0.2.9")) };
        Ok(auth.client().update_passkey(self.request(rename)).await?.into_inner().passkey.unwrap())
    }

    pub async fn delete_passkey(&self, auth: &Auth, id: &str) -> Result<(), Status> {
        let delete = DeletePasskeyRequest { id: id.into(), browser: Some(browser("192.0.2.9")) };
        auth.client().delete_passkey(self.request(delete)).await.map(drop)
    }
}

impl Auth {
    pub async fn challenge(&self, purpose: PasskeyUse) -> StartPasskeyAuthenticationResponse {
        let start = StartPasskeyAuthenticationRequest { origin: ORIGIN.into(), r#use: purpose.into() };
        self.client().start_passkey_authentication(self.request(start)).await.unwrap().into_inner()
    }

    pub async fn answer(&self, ceremony: &str, credential: String) -> Result<LoginWithPasskeyResponse, Status> {
        self.answer_at(ceremony, credential, ORIGIN).await
    }

    pub async fn answer_at(
        &self,
        ceremony: &str,
        credential: String,
        origin: &str,
    ) -> Result<LoginWithPasskeyResponse, Status> {
        let passkey = PasskeyAssertion { ceremony: ceremony.into(), credential, origin: origin.into() };
        let login = LoginWithPasskeyRequest {
            passkey: Some(passkey),
            browser: Some(browser("192.0.2.7")),
            trusted_browser_token: String::new(),
            shared_computer: false,
        };
        Ok(self.client().login_with_passkey(self.request(login)).await?.into_inner())
    }

    /// Signs in with the key of an authenticator.
    pub async fn passkey_login(&self, device: &Authenticator) -> Result<LoginWithPasskeyResponse, Status> {
        let started = self.challenge(PasskeyUse::SignIn).await;
        self.answer(&started.ceremony, device.assert(&started.options)).await
    }

    /// A reset of the account `Member.<n>` with the key of an authenticator.
    pub async fn passkey_reset(&self, n: u128, device: &Authenticator) -> ResetPasswordRequest {
        let started = self.challenge(PasskeyUse::Reset).await;
        let credential = device.assert(&started.options);
        let passkey = PasskeyAssertion { ceremony: started.ceremony, credential, origin: ORIGIN.into() };
        ResetPasswordRequest { passkey: Some(passkey), ..reset_of(n) }
    }
}

/// A member with a passkey.
pub async fn with_passkey(auth: &Auth, n: u128) -> (SignedIn<'_>, Authenticator, Passkey) {
    let (home, mut device) = (auth.member(n).await, Authenticator::new());
    let passkey = home.add_passkey(auth, &mut device).await.unwrap();
    (home, device, passkey)
}

#[tokio::test]
async fn a_ceremony_belongs_to_its_session_and_its_purpose() {
    let auth = Auth::start().await;
    let (home, device, _) = with_passkey(&auth, 1).await;
    let other = auth.member(2).await;
    let elsewhere = auth.sign_in(1, "").await;
    let mut new = Authenticator::new();
    for thief in [&other, &elsewhere] {
        let started = home.start_passkey(&auth).await.unwrap();
        let answer = new.create(&started.options);
        let refused = details(thief.create_passkey(&auth, &started.ceremony, answer.clone()).await);
        assert_eq!(refused.reason, "PASSKEY_EXPIRED");
        // The attempt of another session does not end it.
        home.create_passkey(&auth, &started.ceremony, answer).await.unwrap();
        new = Authenticator::new();
    }
    // A challenge of a reset does not sign in, and the reverse.
    let reset = auth.challenge(PasskeyUse::Reset).await;
    assert_eq!(details(auth.answer(&reset.ceremony, device.assert(&reset.options)).await).reason, "PASSKEY_EXPIRED");
    let sign_in = auth.challenge(PasskeyUse::SignIn).await;
    let credential = device.assert(&sign_in.options);
    let passkey = PasskeyAssertion { ceremony: sign_in.ceremony, credential, origin: ORIGIN.into() };
    let crossed = ResetPasswordRequest { passkey: Some(passkey), ..reset_of(1) };
    assert_eq!(details(auth.reset(crossed).await).reason, "PASSKEY_EXPIRED");
    // The end of the session ends its ceremonies.
    let started = elsewhere.start_passkey(&auth).await.unwrap();
    auth.logout(&elsewhere.token).await.unwrap();
    let refused = elsewhere.create_passkey(&auth, &started.ceremony, new.create(&started.options)).await;
    assert_eq!(details(refused).reason, "PASSKEY_EXPIRED");
    assert_eq!(details(elsewhere.start_passkey(&auth).await).reason, "SESSION_ENDED");
    assert_eq!(details(elsewhere.passkeys(&auth).await).reason, "SESSION_ENDED");
}

#[tokio::test]
async fn a_refused_registration_stores_nothing() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let changes: [fn(&mut Authenticator); 3] = [
        |device| device.origin = "https://evil.example".to_owned(),
        |device| device.relying_party = "evil.example".to_owned(),
        |device| device.flags &= !USER_VERIFIED,
    ];
    for change in changes {
        let mut device = Authenticator::new();
        change(&mut device);
        let refused = details(home.add_passkey(&auth, &mut device).await);
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Invalid, "PASSKEY_REFUSED"));
    }
    let started = home.start_passkey(&auth).await.unwrap();
    let refused = details(home.create_passkey(&auth, &started.ceremony, "{}".to_owned()).await);
    assert_eq!(refused.violations[0].field, "credential");
    assert_eq!(home.passkeys(&auth).await.unwrap(), []);
    assert_eq!(auth.audit_of(member(1)).await, ["registered"]);
}

#[tokio::test]
async fn adding_and_removing_need_a_recent_proof() {
    let auth = Auth::start().await;
    let (home, device, passkey) = with_passkey(&auth, 1).await;
    let clock = &auth.harness.clock;
    clock.advance(TimeDelta::minutes(5));
    let refused = details(home.start_passkey(&auth).await);
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "STEP_UP_REQUIRED"));
    home.prove(Some(PASSWORD), None).await.unwrap();
    // The proof outlasts the ceremony.
    let started = home.start_passkey(&auth).await.unwrap();
    clock.advance(TimeDelta::minutes(5) - TimeDelta::seconds(1));
    home.create_passkey(&auth, &started.ceremony, Authenticator::new().create(&started.options)).await.unwrap();

    clock.advance(TimeDelta::minutes(6));
    assert_eq!(details(home.delete_passkey(&auth, &passkey.id).await).reason, "STEP_UP_REQUIRED");
    home.rename_passkey(&auth, &passkey.id, "Laptop").await.unwrap();
    // A sign-in by passkey is a proof of its own session.
    let opened = auth.passkey_login(&device).await.unwrap();
    assert_eq!(details(home.delete_passkey(&auth, &passkey.id).await).reason, "STEP_UP_REQUIRED");
    let there = auth.at(opened.session.unwrap().token, String::new()).await;
    there.delete_passkey(&auth, &passkey.id).await.unwrap();
}

#[tokio::test]
async fn an_account_has_at_most_twenty_passkeys_and_each_once() {
    let auth = Auth::start().await;
    let (home, mut device, _) = with_passkey(&auth, 1).await;
    // The device of another member: credential ids are unique.
    let other = auth.member(2).await;
    assert_eq!(details(other.add_passkey(&auth, &mut device).await).reason, "PASSKEY_EXISTS");
    for _ in 1..19 {
        home.add_passkey(&auth, &mut Authenticator::new()).await.unwrap();
    }
    // Two begin while there is room for one.
    let started = [home.start_passkey(&auth).await.unwrap(), home.start_passkey(&auth).await.unwrap()];
    let excluded: serde_json::Value = serde_json::from_str(&started[0].options).unwrap();
    assert_eq!(excluded["excludeCredentials"].as_array().unwrap().len(), 19);
    let [one, two] = started.map(|started| (Authenticator::new().create(&started.options), started.ceremony));
    let (first, second) =
        futures::join!(home.create_passkey(&auth, &one.1, one.0), home.create_passkey(&auth, &two.1, two.0));
    assert!(first.is_ok() != second.is_ok());
    let refused = details(if first.is_ok() { second } else { first });
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "TOO_MANY_PASSKEYS"));
    assert_eq!(details(home.start_passkey(&auth).await).reason, "TOO_MANY_PASSKEYS");
    assert_eq!(home.passkeys(&auth).await.unwrap().len(), 20);
}

#[tokio::test]
async fn only_the_owner_renames_and_removes_a_passkey() {
    let auth = Auth::start().await;
    let (home, device, passkey) = with_passkey(&auth, 1).await;
    let other = auth.member(2).await;
    assert_eq!(details(other.rename_passkey(&auth, &passkey.id, "Mine").await).reason, "PASSKEY_NOT_FOUND");
    assert_eq!(details(other.delete_passkey(&auth, &passkey.id).await).reason, "PASSKEY_NOT_FOUND");
    assert_eq!(home.rename_passkey(&auth, &passkey.id, "Laptop").await.unwrap().name, "Laptop");
    for bad in ["", "  ", "a\nb", "a\0b", "\u{202e}abc", &"x".repeat(61)] {
        let refused = details(home.rename_passkey(&auth, &passkey.id, bad).await);
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "name"), "{bad:?}");
    }
    home.rename_passkey(&auth, &passkey.id, &"é".repeat(60)).await.unwrap();
    home.delete_passkey(&auth, &passkey.id).await.unwrap();
    assert_eq!(details(home.delete_passkey(&auth, &passkey.id).await).reason, "PASSKEY_NOT_FOUND");
    assert_eq!(details(auth.passkey_login(&device).await).reason, "BAD_CREDENTIALS");
    assert_eq!(home.passkeys(&auth).await.unwrap(), []);
}

#[tokio::test]
async fn a_new_ceremony_deletes_expired_ones_and_the_oldest_of_its_session() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let count = "select count(*) from auth.passkey_ceremonies";
    for _ in 0..25 {
        auth.challenge(PasskeyUse::SignIn).await;
    }
    auth.harness.clock.advance(TimeDelta::minutes(5));
    for expected in [16, 7, 3] {
        auth.challenge(PasskeyUse::SignIn).await;
        assert_eq!(auth.value::<i64>(count).await, expected);
    }
    // Of one session the five newest are left, whatever their purpose.
    home.prove(Some(PASSWORD), None).await.unwrap();
    let first = home.start_passkey(&auth).await.unwrap();
    let mut last = None;
    for _ in 0..5 {
        auth.harness.clock.advance(TimeDelta::seconds(1));
        last = Some(home.start_passkey(&auth).await.unwrap());
    }
    assert_eq!(auth.value::<i64>("select count(*) from auth.passkey_ceremonies where session_id is not null").await, 5);
    let answer = Authenticator::new().create(&first.options);
    assert_eq!(details(home.create_passkey(&auth, &first.ceremony, answer).await).reason, "PASSKEY_EXPIRED");
    let last = last.unwrap();
    home.create_passkey(&auth, &last.ceremony, Authenticator::new().create(&last.options)).await.unwrap();
}
