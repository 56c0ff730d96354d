//! Signing keys: rotation, and keys that are missing in the public key set.

use std::{path::Path, sync::Arc};

use auth::MIGRATOR;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chassis::{
    ServiceContext,
    lifecycle::{Activity, Readiness, Standby, Tasks, Upstreams},
};
use portia_proto::auth::{
    MemberToken, ResolveSessionRequest, ResolveSessionResponse, auth_service_client::AuthServiceClient,
};
use rpc::{
    Call, Transport,
    identity::{Actor, Credentials, KeyPair, Keyring, Signer, public_set},
};
use testkit::Harness;

use crate::registration;

/// The public key set, and the private keys as files.
struct Keys {
    folder: tempfile::TempDir,
    gateway: Arc<Signer>,
    keyring: Arc<Keyring>,
}

impl Keys {
    /// The public set contains `members/old` and `members/new`, but not `members/unknown`.
    fn new(harness: &Harness) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let pairs = ["members/old", "members/new", "members/unknown", "services/gateway/1"]
            .map(|kid| KeyPair::generate(kid).unwrap());
        for pair in &pairs {
            std::fs::write(folder.path().join(pair.kid().replace('/', "-")), pair.to_pem()).unwrap();
        }
        let [old, new, _, gateway] = &pairs;
        let keyring = Keyring::new(&public_set(&[old, new, gateway]), harness.clock.clone()).unwrap();
        Self { folder, gateway: Arc::new(Signer::new(gateway).unwrap()), keyring: Arc::new(keyring) }
    }

    /// `PORTIA_SIGNING_KEYS` for these keys.
    fn setting(&self, names: &[&str]) -> String {
        let file = |name: &&str| Path::new(self.folder.path()).join(format!("members-{name}")).display().to_string();
        names.iter().map(file).collect::<Vec<_>>().join(", ")
    }

    /// auth with these signing keys, on the harness's database.
    async fn start(&self, harness: &Harness, names: &[&str]) -> anyhow::Result<Transport> {
        let base = &harness.context;
        let context = ServiceContext {
            service: "auth",
            config: base.config.clone().with("signing_keys", self.setting(names)),
            clock: base.clock.clone(),
            ids: base.ids.clone(),
            keyring: Arc::clone(&self.keyring),
            signer: Arc::clone(&base.signer),
            upstreams: Upstreams::local(),
            tasks: Tasks::default(),
            activity: Activity::default(),
            readiness: Readiness::default(),
            standby: Standby::default(),
            database: base.database.clone(),
            database_limits: base.database_limits.clone(),
        };
        let context = Arc::new(context);
        let routes = auth::start(Arc::clone(&context)).await?;
        context.upstreams.slot("auth").fill(rpc::wrap("auth", routes, Arc::clone(&self.keyring)));
        Ok(context.upstreams.transport("auth")?)
    }

    fn call(&self, harness: &Harness) -> Call {
        let gateway = Credentials::of_process(Arc::clone(&self.gateway), harness.clock.clone());
        Call::new(gateway, std::time::Duration::from_secs(30))
    }
}

fn first(resolved: ResolveSessionResponse) -> MemberToken {
    resolved.member_tokens.into_iter().next().unwrap()
}

fn kid(token: &str) -> String {
    let header = token.split('.').next().unwrap();
    String::from_utf8(URL_SAFE_NO_PAD.decode(header).unwrap()).unwrap()
}

#[tokio::test]
async fn after_a_rotation_the_new_key_signs_and_old_tokens_stay_valid() {
    let harness = Harness::of("auth").with_member_key().database(&MIGRATOR).await.context();
    let keys = Keys::new(&harness);
    let call = keys.call(&harness);

    let mut before = AuthServiceClient::new(keys.start(&harness, &["old"]).await.unwrap());
    let session = before.register(call.request(registration(1)).unwrap()).await.unwrap().into_inner().session.unwrap();
    let resolve = || call.request(ResolveSessionRequest { session_token: session.token.clone() }).unwrap();
    let old = first(before.resolve_session(resolve()).await.unwrap().into_inner());

    let mut after = AuthServiceClient::new(keys.start(&harness, &["new", "old"]).await.unwrap());
    let new = first(after.resolve_session(resolve()).await.unwrap().into_inner());

    assert!(kid(&old.token).contains("members/old") && kid(&new.token).contains("members/new"));
    for MemberToken { audience, token } in [&old, &new] {
        assert!(matches!(keys.keyring.verify(token, audience), Some(Actor::Member { .. })));
    }
}

#[tokio::test]
async fn a_key_outside_the_public_set_prevents_the_start() {
    let harness = Harness::of("auth").with_member_key().database(&MIGRATOR).await.context();
    let keys = Keys::new(&harness);
    for names in [&["unknown"][..], &["new", "unknown"], &["missing"], &[]] {
        let error = keys.start(&harness, names).await.unwrap_err();
        assert!(error.to_string().contains("key") || error.to_string().contains("KEYS"), "{error}");
    }
}
