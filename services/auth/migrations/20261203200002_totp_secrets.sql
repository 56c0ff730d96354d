-- The secrets that members share with their authenticator apps (RFC 6238). A sign-in needs a code once a secret is confirmed.

create table auth.totp_secrets (
    member_id uuid,
    -- A code can only be computed from the secret itself.
    secret bytea not null,
    created_at timestamptz not null,
    -- The first code proves that the app has the secret; null before.
    confirmed_at timestamptz,
    -- The step of 30 seconds of the last used code: each is used once.
    last_step bigint,
    constraint totp_secrets_pkey primary key (member_id),
    constraint totp_secrets_member_id_fkey foreign key (member_id) references auth.accounts (id) on delete cascade,
    constraint totp_secrets_secret_check check (octet_length(secret) = 20),
    constraint totp_secrets_last_step_check check ((last_step is not null) = (confirmed_at is not null))
);
