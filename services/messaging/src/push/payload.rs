//! The content of a push: ids, kind and language, padded to one length and encrypted for the browser (RFC 8291).

use serde::Serialize;
use uuid::Uuid;
use web_push_native::{Auth, p256::PublicKey};

/// The length of every content, so that its ciphertext reveals nothing. JSON permits spaces at its end.
const LENGTH: usize = 320;
/// The length of the secret of a browser, in bytes.
const AUTH_LENGTH: usize = 16;

/// The content. The service worker of the client reads the text.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Payload<'a> {
    Message {
        conversation_id: Uuid,
        message_id: Uuid,
        language: &'a str,
    },
    /// A message of a stranger, which is not shown before the request is accepted.
    Request {
        conversation_id: Uuid,
        language: &'a str,
    },
    Notification {
        notification_id: Uuid,
        language: &'a str,
    },
}

/// The keys of a browser are invalid.
#[derive(Debug, thiserror::Error)]
#[error("the keys of the subscription are invalid")]
pub struct InvalidKeys;

/// The keys of a browser.
pub struct BrowserKeys {
    public: PublicKey,
    auth: Auth,
}

impl BrowserKeys {
    pub fn parse(p256dh: &[u8], auth: &[u8]) -> Result<Self, InvalidKeys> {
        let auth = <[u8; AUTH_LENGTH]>::try_from(auth).map_err(|_| InvalidKeys)?;
        let public = PublicKey::from_sec1_bytes(p256dh).map_err(|_| InvalidKeys)?;
        Ok(Self { public, auth: Auth::from(auth) })
    }
}

impl Payload<'_> {
    /// Encrypts the content.
    pub fn encrypt(&self, keys: &BrowserKeys) -> anyhow::Result<Vec<u8>> {
        let mut content = serde_json::to_vec(self)?;
        content.resize(content.len().max(LENGTH), b' ');
        Ok(web_push_native::encrypt(content, &keys.public, &keys.auth)?)
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    use web_push_native::p256::SecretKey;

    use super::*;

    fn decode(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    #[test]
    fn the_example_of_rfc_8291_is_decrypted() {
        let private = SecretKey::from_slice(&decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")).unwrap();
        let auth = Auth::from(<[u8; 16]>::try_from(decode("BTBZMqHH6r4Tts7J_aSIgg")).unwrap());
        let body = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEq\
            KK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        let content = web_push_native::decrypt(decode(body), &private, &auth).unwrap();
        assert_eq!(content, b"When I grow up, I want to be a watermelon");
    }

    #[test]
    fn every_content_has_one_length() {
        let private = SecretKey::from_slice(&decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")).unwrap();
        let public = private.public_key().to_sec1_bytes();
        let keys = BrowserKeys::parse(&public, &[7; 16]).unwrap();
        let id = Uuid::max();
        let payloads = [
            Payload::Message { conversation_id: id, message_id: id, language: "fil" },
            Payload::Request { conversation_id: id, language: "en" },
            Payload::Notification { notification_id: id, language: "en" },
        ];
        for payload in payloads {
            let body = payload.encrypt(&keys).unwrap();
            // Header 86, delimiter 1, tag 16.
            assert_eq!(body.len(), LENGTH + 103, "{payload:?}");
            let content = web_push_native::decrypt(body, &private, &Auth::from([7; 16])).unwrap();
            assert_eq!(
                serde_json::from_slice::<serde_json::Value>(&content).unwrap(),
                serde_json::to_value(&payload).unwrap()
            );
        }
    }

    #[test]
    fn invalid_keys_are_refused() {
        let private = SecretKey::from_slice(&[1; 32]).unwrap();
        let public = private.public_key().to_sec1_bytes();
        for (p256dh, auth) in [(&[0; 65][..], &[0; 16][..]), (&public, &[0; 15]), (&[], &[0; 16]), (&[4; 65], &[0; 16])]
        {
            assert!(BrowserKeys::parse(p256dh, auth).is_err());
        }
    }
}
