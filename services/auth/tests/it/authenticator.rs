//! A software authenticator with one discoverable key. Unlike the libraries for clients, it can also misbehave.

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The origin of the tests.
pub const ORIGIN: &str = "https://portia.example";

const USER_PRESENT: u8 = 0x01;
pub const USER_VERIFIED: u8 = 0x04;
const BACKUP_ELIGIBLE: u8 = 0x08;
const BACKED_UP: u8 = 0x10;
const HAS_CREDENTIAL: u8 = 0x40;

/// The key and what it claims.
pub struct Authenticator {
    key: EcdsaKeyPair,
    pub credential_id: Vec<u8>,
    /// The user handle.
    pub user: Vec<u8>,
    pub relying_party: String,
    pub origin: String,
    /// The statement of the client data about frames.
    pub frame: Value,
    pub flags: u8,
    /// 0 for an authenticator that does not count.
    pub counter: u32,
}

impl Authenticator {
    /// An authenticator that synchronises its key and does not count, like most.
    pub fn new() -> Self {
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).unwrap();
        let credential_id = Sha256::digest(key.public_key()).to_vec();
        Self {
            key,
            credential_id,
            user: Vec::new(),
            relying_party: "portia.example".to_owned(),
            origin: ORIGIN.to_owned(),
            frame: json!({ "crossOrigin": false }),
            flags: USER_PRESENT | USER_VERIFIED | BACKUP_ELIGIBLE | BACKED_UP,
            counter: 0,
        }
    }

    /// Answers creation options: `RegistrationResponseJSON`.
    pub fn create(&mut self, options: &str) -> String {
        let options: Value = serde_json::from_str(options).unwrap();
        self.user = URL_SAFE_NO_PAD.decode(options["user"]["id"].as_str().unwrap()).unwrap();
        let client_data = self.client_data("webauthn.create", &options);
        let mut data = self.data(HAS_CREDENTIAL);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.credential_id.len()).unwrap().to_be_bytes());
        data.extend(&self.credential_id);
        let point = self.key.public_key().as_ref();
        // COSE: kty 2 (EC2), alg -7 (ES256), crv 1 (P-256), x, y.
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(&point[1..33]);
        data.extend([0x22, 0x58, 0x20]);
        data.extend(&point[33..]);
        // {"fmt": "none", "attStmt": {}, "authData": ..}
        let mut attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59".to_vec();
        attestation.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
        attestation.extend(data);
        self.answer(json!({
            "clientDataJSON": URL_SAFE_NO_PAD.encode(client_data),
            "attestationObject": URL_SAFE_NO_PAD.encode(attestation),
        }))
    }

    /// Answers request options: `AuthenticationResponseJSON`.
    pub fn assert(&self, options: &str) -> String {
        let options: Value = serde_json::from_str(options).unwrap();
        let (client_data, data) = (self.client_data("webauthn.get", &options), self.data(0));
        let signed = [data.as_slice(), &Sha256::digest(client_data.as_bytes())].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        self.answer(json!({
            "clientDataJSON": URL_SAFE_NO_PAD.encode(client_data),
            "authenticatorData": URL_SAFE_NO_PAD.encode(data),
            "signature": URL_SAFE_NO_PAD.encode(signature),
            "userHandle": URL_SAFE_NO_PAD.encode(&self.user),
        }))
    }

    fn answer(&self, response: Value) -> String {
        let id = URL_SAFE_NO_PAD.encode(&self.credential_id);
        json!({ "id": id, "rawId": id, "type": "public-key", "response": response }).to_string()
    }

    fn client_data(&self, kind: &str, options: &Value) -> String {
        let mut data = json!({ "type": kind, "challenge": options["challenge"], "origin": self.origin });
        for (name, value) in self.frame.as_object().unwrap() {
            data[name] = value.clone();
        }
        data.to_string()
    }

    fn data(&self, more: u8) -> Vec<u8> {
        let mut data = Sha256::digest(self.relying_party.as_bytes()).to_vec();
        data.push(self.flags | more);
        data.extend(self.counter.to_be_bytes());
        data
    }
}
