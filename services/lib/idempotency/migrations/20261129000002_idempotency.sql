-- The table of idempotency keys, for the schema {schema}.
create table {schema}.idempotency_keys (
    member_id uuid,
    route text,
    key text,
    -- SHA-256 of the request: the same key with another body is refused.
    body_hash bytea not null,
    resource_id uuid not null,
    created_at timestamptz not null,
    constraint idempotency_keys_pkey primary key (member_id, route, key),
    constraint idempotency_keys_body_hash_check check (octet_length(body_hash) = 32)
);

comment on column {schema}.idempotency_keys.member_id is 'not exported: hashes of requests, for 24 hours; erased';
comment on column {schema}.idempotency_keys.resource_id is 'no member';

create index idempotency_keys_created_at_idx on {schema}.idempotency_keys (created_at);
