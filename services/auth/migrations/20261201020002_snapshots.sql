-- Snapshots in progress: the rows of a source are stored in chunks before they are applied together, so that a killed snapshot
-- continues. Unlogged, both alike: after a crash of Postgres a snapshot starts again.

-- The last stored chunk of the snapshot of each source.
create unlogged table auth.snapshots (
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

create unlogged table auth.snapshot_rows (
    place bigserial,
    source text not null,
    kind text not null,
    key text not null,
    payload bytea not null,
    constraint snapshot_rows_pkey primary key (source, place)
);
