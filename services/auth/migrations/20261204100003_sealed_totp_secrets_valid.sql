-- Reads auth.totp_secrets while other transactions read and write it.
alter table auth.totp_secrets
    validate constraint totp_secrets_secret_check,
    validate constraint totp_secrets_key_id_check;
