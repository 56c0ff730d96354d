//! The texts of the statements. Names in braces are filled in by [`super::Sql::new`].

/// The row and its NOTIFY, which Postgres delivers at commit, in one round trip. Not each transaction notifies: see
/// wakeups.rs.
pub(super) const PUBLISH: &str = "
    with published as (
        insert into {schema}.outbox (kind, key, payload, traceparent, at)
        values ($1, $2, $3, $4, $5)
        returning id
    )
    select case when $6 then pg_notify('{published}', '') end
    from published";

pub(super) const PUBLISH_ALL: &str = "
    with published as (
        insert into {schema}.outbox (kind, key, payload, traceparent, at)
        select $1, f.key, f.payload, $4, $5
        from unnest($2::text[], $3::bytea[]) with ordinality as f (key, payload, place)
        order by f.place
        returning id
    )
    select case when $6 then pg_notify('{published}', '') end
    from published
    limit 1";

/// The server of the sequence: the start of the server, the database and the file of the table. Every restore changes one of them, whether
/// of a backup, a dump or a copied folder, and so does every failover. A restart does as well: that begins a history without a loss.
pub(super) const SERVER: &str = "concat_ws(' ', extract(epoch from pg_postmaster_start_time()),
        (select oid from pg_catalog.pg_database where datname = current_database()),
        pg_relation_filenode('{schema}.outbox_sequence'))";

pub(super) const NEWEST: &str = "
    select history, n as seq
    from {schema}.outbox_sequence
    where id = 1";

/// With the last number that the history $1 shares with the present one; null for an unknown history.
pub(super) const LOCATE: &str = "
    select s.history, s.n,
        (
            select coalesce(
                (select min(later.began_seq) from {schema}.outbox_histories as later where later.place > h.place),
                s.n
            )
            from {schema}.outbox_histories as h
            where h.id = $1
        )
    from {schema}.outbox_sequence as s
    where s.id = 1";

pub(super) const PENDING: &str = "
    select history, n, exists (select from {schema}.outbox where seq is null), server is not distinct from {server}
    from {schema}.outbox_sequence
    where id = 1";

/// A separate statement: the next one must see the commits during the wait for this lock.
pub(super) const LOCK_SEQUENCE: &str = "
    select history, n, server is not distinct from {server}
    from {schema}.outbox_sequence
    where id = 1
    for update";

/// Under the lock of the sequence: no fact is numbered in this place before its history exists.
pub(super) const BEGIN_HISTORY: &str = "
    with began as (
        insert into {schema}.outbox_histories (began_seq)
        select n
        from {schema}.outbox_sequence
        where id = 1
        returning id
    )
    update {schema}.outbox_sequence as s
    set history = began.id,
        server = {server}
    from began
    where s.id = 1
    returning s.history, s.n as seq";

/// In the order of ids. The list is an array, because Postgres expects one pending row where there are hundreds, and would read the
/// table for each.
pub(super) const NUMBER: &str = "
    with pending as materialized (
        select array(
            select id
            from {schema}.outbox
            where seq is null
            order by id
            limit {batch}
        ) as ids
    ),
    numbered as (
        update {schema}.outbox as o
        set seq = $1 + array_position(pending.ids, o.id)
        from pending
        where o.id = any(pending.ids)
        returning o.seq
    ),
    moved as (
        update {schema}.outbox_sequence
        set n = (select max(seq) from numbered)
        where id = 1
            and exists (select from numbered)
        returning n
    )
    select n, pg_notify('{numbered}', n::text) is null
    from moved";

/// With the history in which they have these numbers. A subquery, because Postgres plans the bare parameter again for each position, which takes twice as long as the execution.
pub(super) const READ: &str = "
    select seq, kind, key, payload, coalesce(traceparent, ''), at,
        (select history from {schema}.outbox_sequence where id = 1)
    from {schema}.outbox
    where seq > (select $1::bigint)
    order by seq
    limit {batch}";

/// Deletes a prefix of the order only, so that the rest has no gaps even when the clocks of writers differ.
pub(super) const PRUNE: &str = "
    with oldest as (
        select seq, at
        from {schema}.outbox
        where seq is not null
        order by seq
        limit {batch}
    ),
    first_retained as (
        select min(seq) as first
        from oldest
        where at >= $1
    )
    delete from {schema}.outbox as o
    using oldest, first_retained
    where o.seq = oldest.seq
        and (first_retained.first is null or oldest.seq < first_retained.first)";

pub(super) const CURSOR: &str = "
    select history, seq
    from {schema}.cursors
    where source = $1";

pub(super) const MOVE_CURSOR: &str = "
    update {schema}.cursors
    set seq = $3
    where source = $1
        and seq = $2
        and history is not distinct from $4";

/// After a snapshot, in the transaction that locked the row.
pub(super) const SET_CURSOR: &str = "
    update {schema}.cursors
    set seq = $2,
        history = $3
    where source = $1";

/// The compare-and-set of a cursor that is valid in another history: its position is the same there.
pub(super) const ADOPT_HISTORY: &str = "
    update {schema}.cursors
    set history = $4
    where source = $1
        and seq = $2
        and history is not distinct from $3";

pub(super) const NEW_CURSOR: &str = "
    insert into {schema}.cursors (source, seq)
    values ($1, 0)
    on conflict (source) do nothing";

pub(super) const LOCK_CURSOR: &str = "
    select seq
    from {schema}.cursors
    where source = $1
        and seq = $2
        and history is not distinct from $3
    for update";

/// Until the end of the transaction: the other replicas wait.
pub(super) const LOCK_SNAPSHOT: &str = "
    select pg_advisory_xact_lock(hashtextextended('portia.snapshot.{schema}.' || $1, 0))";

pub(super) const SNAPSHOT: &str = "
    select history, seq, basis, began_at, point, chunks, is_complete
    from {schema}.snapshots
    where source = $1";

pub(super) const BEGIN_SNAPSHOT: &str = "
    insert into {schema}.snapshots (source, history, seq, basis, began_at, point, chunks, is_complete)
    values ($1, $2, $3, $4, $5, '', 0, false)
    on conflict (source) do nothing";

pub(super) const MOVE_SNAPSHOT: &str = "
    update {schema}.snapshots
    set point = $3,
        is_complete = $4,
        chunks = chunks + 1
    where source = $1
        and chunks = $2
        and began_at = $5";

pub(super) const INSERT_ROWS: &str = "
    insert into {schema}.snapshot_rows (source, kind, key, payload)
    select $1, r.kind, r.key, r.payload
    from unnest($2::text[], $3::text[], $4::bytea[]) with ordinality as r (kind, key, payload, place)
    order by r.place";

pub(super) const READ_ROWS: &str = "
    select place, kind, key, payload
    from {schema}.snapshot_rows
    where source = $1
        and place > $2
    order by place
    limit {chunk}";

/// Of both tables, after the snapshot and before one that starts again.
pub(super) const DELETE_SNAPSHOT: &str = "
    with deleted as (
        delete from {schema}.snapshots
        where source = $1
    )
    delete from {schema}.snapshot_rows
    where source = $1";

pub(super) const INSERT_DEAD_FACT: &str = "
    insert into {schema}.dead_facts (source, seq, kind, key, payload, traceparent, error, at)
    values ($1, $2, $3, $4, $5, nullif($6, ''), $7, $8)";

/// The oldest fact after a position is the next numbered one, else the oldest one without a number.
pub(super) const POSITION: &str = "
    select s.n,
        (select count(*) from {schema}.outbox where seq is null),
        coalesce(
            (select at from {schema}.outbox where seq > $1 order by seq limit 1),
            (select at from {schema}.outbox where seq is null order by id limit 1)
        )
    from {schema}.outbox_sequence as s
    where s.id = 1";

pub(super) const COUNT_DEAD_FACTS: &str = "
    select count(*), count(replay_at)
    from {schema}.dead_facts
    where source = $1";

/// Numbers have no gaps, so the first one gives the count without reading the rows.
pub(super) const STORED: &str = "
    select coalesce(s.n - oldest.seq + 1, 0), oldest.at
    from {schema}.outbox_sequence s
    left join lateral (
        select seq, at
        from {schema}.outbox
        where seq is not null
        order by seq
        limit 1
    ) oldest on true";

/// Another replica may be at it.
pub(super) const LOCK_REPLAY: &str = "
    select id, seq, kind, key, payload, coalesce(traceparent, '')
    from {schema}.dead_facts
    where source = $1
        and replay_at is not null
    order by id
    limit 1
    for update skip locked";

pub(super) const DELETE_DEAD_FACT: &str = "
    delete from {schema}.dead_facts
    where id = $1";

pub(super) const REFUSE_REPLAY: &str = "
    update {schema}.dead_facts
    set replay_at = null,
        error = $2
    where id = $1";

pub(super) const LIST_DEAD_FACTS: &str = "
    select id, source, seq, kind, key, at, error, replay_at is not null
    from {schema}.dead_facts
    order by id
    limit $1";

pub(super) const GET_DEAD_FACT: &str = "
    select id, source, seq, kind, key, at, error, replay_at is not null, payload, traceparent
    from {schema}.dead_facts
    where id = $1";

pub(super) const REQUEST_REPLAY: &str = "
    update {schema}.dead_facts
    set replay_at = $2
    where id = $1";
