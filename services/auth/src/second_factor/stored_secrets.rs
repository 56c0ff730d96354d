//! Encrypts the stored secrets of authenticator apps again.

use sqlx::PgPool;
use uuid::Uuid;

use super::totp::StoredSecret;
use crate::{credentials::sealing::SealingKeys, error::Error};

/// Secrets per transaction that encrypts them again.
const RESEAL_BATCH: i64 = 100;

/// Encrypts secrets that are in clear or of an earlier key with the current key, so that earlier keys can be removed. A
/// secret that cannot be decrypted stays as it is.
pub async fn reseal(db: &PgPool, keys: &SealingKeys) -> Result<u64, Error> {
    let (mut after, mut resealed) = (Uuid::nil(), 0);
    loop {
        let mut tx = db::begin(db).await?;
        let outdated = sqlx::query!(
            "select member_id, secret, key_id
            from auth.totp_secrets
            where member_id > $1
                and key_id is distinct from $2
            order by member_id
            limit $3
            for no key update skip locked",
            after,
            keys.current(),
            RESEAL_BATCH,
        );
        let outdated = outdated.fetch_all(&mut *tx).await?;
        let Some(last) = outdated.last() else { return Ok(resealed) };
        after = last.member_id;
        for row in outdated {
            let stored = StoredSecret { secret: row.secret, key_id: row.key_id };
            let Ok(secret) = stored.open(row.member_id, keys) else {
                tracing::error!(member = %row.member_id, "the secret of an authenticator app cannot be decrypted");
                continue;
            };
            let sealed = keys.seal(row.member_id, &secret.0)?;
            sqlx::query!(
                "update auth.totp_secrets
                set secret = $2, key_id = $3
                where member_id = $1",
                row.member_id,
                sealed.bytes,
                sealed.key_id,
            )
            .execute(&mut *tx)
            .await?;
            resealed += 1;
        }
        tx.commit().await?;
    }
}
