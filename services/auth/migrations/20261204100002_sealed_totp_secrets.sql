-- The secrets of authenticator apps are encrypted. Those of earlier versions are, at their next use.

alter table auth.totp_secrets
    -- The key that encrypted the secret; null for a secret in clear.
    add column key_id text,
    drop constraint totp_secrets_secret_check,
    -- Encrypted: a nonce of 12 bytes, the 20 bytes of the secret, a tag of 16 bytes.
    add constraint totp_secrets_secret_check
        check (octet_length(secret) = case when key_id is null then 20 else 48 end) not valid,
    add constraint totp_secrets_key_id_check check (key_id ~ '^[0-9a-f]{16}$') not valid;
