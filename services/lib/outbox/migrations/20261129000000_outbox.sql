-- The tables of the outbox, which precede those of each service: facts published, facts consumed. {schema} is that of the service.

-- One row per fact, written in the transaction of its change. The outbox router of Debezium reads the same rows
-- (id, type = kind, key = key, payload, timestamp = at, tracing = traceparent) by naming these columns in its settings.
create table {schema}.outbox (
    id bigserial,
    -- The position in the order of visibility: gapless, assigned by the sequencer after the commit.
    seq bigint,
    -- The full name of the payload's message.
    kind text not null,
    -- Facts with one key keep their order.
    key text not null,
    payload bytea not null,
    traceparent text,
    at timestamptz not null,
    constraint outbox_pkey primary key (id),
    constraint outbox_seq_key unique (seq),
    constraint outbox_seq_check check (seq > 0),
    constraint outbox_kind_check check (kind <> '')
);

-- The facts without a number: nearly always none.
create index outbox_unnumbered_idx on {schema}.outbox (id) where seq is null;

-- Encodes a field of a message, a text of less than 128 bytes such as an id: a statement that publishes the fact of its own change
-- appends to the payload what only the statement knows. Null when the text is.
create function {schema}.encode_field(number integer, value text) returns bytea
language sql
stable
parallel safe
return set_byte(set_byte('\x0000', 0, number * 8 + 2), 1, octet_length(value)) || convert_to(value, 'utf8');

-- The newest assigned seq. The row is the lock of the sequencers, and remains when facts are pruned.
create table {schema}.outbox_sequence (
    id smallint,
    n bigint not null,
    -- The present history, and the start of the server, the database and the table in which it runs: the sequencer begins another
    -- history when they differ.
    history uuid,
    server text,
    constraint outbox_sequence_pkey primary key (id),
    constraint outbox_sequence_id_check check (id = 1),
    constraint outbox_sequence_n_check check (n >= 0)
);

comment on column {schema}.outbox_sequence.history is 'no member';

-- Histories: a restored or failed-over database continues the numbers of its facts in a history of its own, so that consumers
-- notice facts that they know and the source lost.

-- Each history starts after the fact `began_seq`, which it shares with the one before.
create table {schema}.outbox_histories (
    place bigserial,
    id uuid not null default gen_random_uuid(),
    began_seq bigint not null,
    began_at timestamptz not null default now(),
    constraint outbox_histories_pkey primary key (place),
    constraint outbox_histories_id_key unique (id),
    constraint outbox_histories_began_seq_check check (began_seq >= 0)
);

comment on column {schema}.outbox_histories.id is 'no member';

with began as (
    insert into {schema}.outbox_histories (began_seq)
    values (0)
    returning id
)
insert into {schema}.outbox_sequence (id, n, history)
select 1, 0, id
from began;

-- The position in each source; moved only by compare-and-set, in the transaction of the effect.
create table {schema}.cursors (
    source text,
    -- The history of the position. Null until the first connection.
    history uuid,
    seq bigint not null,
    constraint cursors_pkey primary key (source),
    constraint cursors_seq_check check (seq >= 0)
);

comment on column {schema}.cursors.history is 'no member';

-- Facts that failed ten times, complete, so that an operator can replay them. seq is 0 for a row of a snapshot.
create table {schema}.dead_facts (
    id bigserial,
    source text not null,
    seq bigint not null,
    kind text not null,
    key text not null,
    payload bytea not null,
    traceparent text,
    error text not null,
    at timestamptz not null,
    -- When an operator requested that it is applied again; null otherwise. The consumer of its source does it.
    replay_at timestamptz,
    constraint dead_facts_pkey primary key (id)
);

-- Snapshots in progress: the rows of a source are stored in chunks before they are applied together, so that a killed snapshot
-- continues. Unlogged, both alike: after a crash of Postgres a snapshot starts again.

-- The last stored chunk of the snapshot of each source.
create unlogged table {schema}.snapshots (
    source text,
    -- The facts after this position follow the snapshot.
    history uuid,
    seq bigint not null,
    -- The cursor and the kinds for which it is taken: for others it is of no use.
    basis text not null,
    began_at timestamptz not null,
    -- What the source needs to continue (portia.outbox.v1.SnapshotPoint).
    point bytea not null,
    -- The number of stored chunks: they are written by compare-and-set.
    chunks bigint not null,
    is_complete boolean not null,
    constraint snapshots_pkey primary key (source),
    constraint snapshots_seq_check check (seq >= 0)
);

comment on column {schema}.snapshots.history is 'no member';

create unlogged table {schema}.snapshot_rows (
    place bigserial,
    source text not null,
    kind text not null,
    key text not null,
    payload bytea not null,
    constraint snapshot_rows_pkey primary key (source, place)
);
