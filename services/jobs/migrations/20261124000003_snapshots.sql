-- A posting as it was when somebody applied, and requests that come again.

-- Nothing has written any yet.
alter table jobs.applications
    -- All of it but the description, of which it has the summary.
    add column job jsonb not null,
    add column job_description text not null,
    add constraint applications_notes_check check (char_length(notes) <= 4000);

alter table jobs.application_history drop column note;

-- Which application a request with an Idempotency-Key made: a repeated request is answered with it for 24 hours.
create table jobs.idempotency_keys (
    member_id uuid,
    route text,
    key text,
    -- SHA-256 of what the request said: the same key with other words is a mistake of the caller's.
    body_hash bytea not null,
    resource_id uuid not null,
    created_at timestamptz not null,
    constraint idempotency_keys_pkey primary key (member_id, route, key),
    constraint idempotency_keys_body_hash_check check (octet_length(body_hash) = 32)
);

create index idempotency_keys_created_at_idx on jobs.idempotency_keys (created_at);
