-- The audit as a chain: each row contains the hash of the row before it and of its own content, so that a changed, removed or inserted row
-- is found (`portia admin audit verify`). The role that serves can only append rows and read them.

alter table auth.audit
    -- The place in the chain, without gaps. Null until `auth.seal_audit` has linked the row, a second after it was written.
    add column seq bigint,
    -- Random. It is removed with the address and the note when the account is erased; then nothing leads from the hash back to them.
    add column salt bytea,
    -- The hash of the salt, the address and the note, which the chain contains in place of them.
    add column private_hash bytea,
    -- The hash of the row before it and of this row.
    add column hash bytea,
    -- Another time has no number, and would stop the links. Validated by a later migration.
    add constraint audit_at_check check (isfinite(at)) not valid;

-- The newest row of the chain. The row is the lock of those who extend it.
create table auth.audit_head (
    id smallint,
    seq bigint not null,
    hash bytea not null,
    constraint audit_head_pkey primary key (id),
    constraint audit_head_id_check check (id = 1),
    constraint audit_head_seq_check check (seq >= 0),
    constraint audit_head_hash_check check (octet_length(hash) = 32)
);

insert into auth.audit_head (id, seq, hash) values (1, 0, decode(repeat('00', 32), 'hex'));

-- Values as one text: the length in bytes, a colon and the value, or a minus sign for null.
create function auth.audit_text(parts text[]) returns text
    language sql
    immutable
    set search_path = pg_catalog, pg_temp
as $$
    select string_agg(coalesce(octet_length(part)::text || ':' || part, '-'), '' order by place)
    from unnest(parts) with ordinality as f (part, place)
$$;

-- Links rows that were committed since the last call, at most `batch`, and returns their number. A writer does not wait for it: the order
-- is that in which this function sees the rows.
create function auth.seal_audit(batch integer) returns integer
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    head auth.audit_head;
    entry auth.audit;
    sealed integer := 0;
begin
    if not exists (select from auth.audit where seq is null) then
        return 0;
    end if;
    select * into strict head from auth.audit_head where id = 1 for update;
    -- Locked: an erasure at the same time has removed the address already, or waits.
    for entry in
        select *
        from auth.audit
        where seq is null
        order by at, id
        limit batch
        for update
    loop
        head.seq := head.seq + 1;
        entry.salt := uuid_send(gen_random_uuid());
        entry.private_hash := sha256(
            entry.salt || convert_to(auth.audit_text(array[entry.address, entry.note]), 'UTF8')
        );
        head.hash := sha256(head.hash || convert_to(auth.audit_text(array[
            head.seq::text, entry.id::text, entry.member_id::text, entry.event, entry.session_id::text,
            (extract(epoch from entry.at) * 1000000)::bigint::text, entry.actor, entry.actor_id::text, entry.about, entry.reason,
            encode(entry.private_hash, 'hex')
        ]), 'UTF8'));
        update auth.audit
        set seq = head.seq, salt = entry.salt, private_hash = entry.private_hash, hash = head.hash
        where id = entry.id;
        sealed := sealed + 1;
    end loop;
    update auth.audit_head set seq = head.seq, hash = head.hash where id = 1;
    return sealed;
end
$$;

-- Removes the addresses and notes of an erased member. Those of an existing account stay.
create function auth.redact_audit(erased_member_id uuid) returns void
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
as $$
    with locked as (
        select id
        from auth.audit
        where member_id = erased_member_id
            and (address is not null or note is not null)
            and not exists (select from auth.accounts where id = erased_member_id)
        order by at, id
        for update
    )
    update auth.audit
    set address = null, note = null, salt = null
    where id in (select id from locked)
$$;

-- The rights of the role that serves, if bootstrap.sql has made it. A later column needs its own `grant insert`.
do $$
begin
    revoke execute on function auth.audit_text(text[]), auth.seal_audit(integer), auth.redact_audit(uuid) from public;
    if to_regrole('portia_auth') is not null then
        revoke insert, update, delete on auth.audit, auth.audit_head from portia_auth;
        grant insert (id, member_id, event, session_id, address, at, actor, actor_id, about, reason, note)
            on auth.audit to portia_auth;
        grant execute on function auth.seal_audit(integer), auth.redact_audit(uuid) to portia_auth;
    end if;
end
$$;
