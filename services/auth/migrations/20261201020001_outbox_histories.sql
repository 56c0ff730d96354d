-- Histories: a restored or failed-over database continues the numbers of its facts in a history of its own, so that consumers
-- notice facts that they know and the source lost.

-- Each history starts after the fact `began_seq`, which it shares with the one before.
create table auth.outbox_histories (
    place bigserial,
    id uuid not null default gen_random_uuid(),
    began_seq bigint not null,
    began_at timestamptz not null default now(),
    constraint outbox_histories_pkey primary key (place),
    constraint outbox_histories_id_key unique (id),
    constraint outbox_histories_began_seq_check check (began_seq >= 0)
);

-- The present history, and the start of the server, the database and the table in which it runs: the sequencer begins another
-- history when they differ.
alter table auth.outbox_sequence add column history uuid;
alter table auth.outbox_sequence add column server text;

with began as (
    insert into auth.outbox_histories (began_seq)
    values (0)
    returning id
)
update auth.outbox_sequence
set history = (select id from began);

-- The history of the position. Null until the first connection after the migration.
alter table auth.cursors add column history uuid;
