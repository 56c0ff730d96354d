-- Prepares a Portia database before its first migration: roles, schemas, grants, extensions.
--
-- A superuser runs it inside the target database, repeatedly if needed: standalone at each start, the one-shot
-- `bootstrap` of docker-compose, the tests for every template. Migrations contain tables and functions, and run as
-- the role that owns them.
--
-- One service, two roles, one schema, and no grants between services: Postgres refuses a service that reads another's
-- table by mistake. `portia_feed_owner` owns the schema and its tables and cannot sign in; only `portia_migrate` takes it.
-- `portia_feed` serves: it reads and writes rows, and can change no table, no function and no grant. Roles have no
-- password here, so no client can sign in as one until the operator of Postgres sets it
-- (`alter role portia_feed password '...'`).

begin;

-- Notices about existing objects are not shown.
set local client_min_messages = warning;

-- Two processes may bootstrap one database at once: the lock runs them one after the other.
do $$ begin perform pg_advisory_xact_lock(hashtextextended('portia.bootstrap', 0)); end $$;

-- Roles belong to the whole server but advisory locks to one database, so a process in another database can still
-- create the role first: that is the reason of the two exceptions.
do $$
declare
  service text;
begin
  foreach service in array array['auth', 'profile', 'social_graph', 'feed', 'jobs', 'news', 'messaging']
  loop
    begin
      execute format(
        'create role %I login nosuperuser nocreatedb nocreaterole noreplication nobypassrls',
        'portia_' || service
      );
    exception
      when duplicate_object or unique_violation then null;
    end;
    begin
      execute format(
        'create role %I nologin nosuperuser nocreatedb nocreaterole noreplication nobypassrls',
        'portia_' || service || '_owner'
      );
    exception
      when duplicate_object or unique_violation then null;
    end;
  end loop;
  -- Migrations run as the owner of each schema in turn (`set role`). It has no rights of its own.
  begin
    create role portia_migrate login noinherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
  exception
    when duplicate_object or unique_violation then null;
  end;
end
$$;

-- Extensions in a schema of their own: every role may use them, none may change them. Search uses `pg_trgm` for
-- spelling errors and `unaccent` for accents.
create schema if not exists ext;
create extension if not exists pg_trgm schema ext;
create extension if not exists unaccent schema ext;
revoke all on schema ext from public;

-- By default any role may connect to a database, create temporary tables in it and, before Postgres 15, create tables
-- in `public`. Portia has no tables there.
revoke all on schema public from public;

do $$
declare
  service text;
  role name;
  owner name;
begin
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to portia_migrate', current_database());

  foreach service in array array['auth', 'profile', 'social_graph', 'feed', 'jobs', 'news', 'messaging']
  loop
    role := 'portia_' || service;
    owner := role || '_owner';
    execute format('grant connect on database %I to %I', current_database(), role);
    execute format('grant usage on schema ext to %I, %I', role, owner);
    -- Only once: two databases of one server may be bootstrapped at the same time.
    if not pg_has_role('portia_migrate', owner, 'member') then
      begin
        execute format('grant %I to portia_migrate', owner);
      exception
        when unique_violation then null;
      end;
    end if;
    -- Before 2026-11-26 the serving role owned the tables.
    if pg_has_role('portia_migrate', role, 'member') then
      execute format('revoke %I from portia_migrate', role);
    end if;
    execute format('create schema if not exists %I authorization %I', service, owner);
    -- A schema that already existed (created by another role, or by a restored dump) changes its owner.
    execute format('alter schema %I owner to %I', service, owner);
    execute format('revoke all on schema %I from public', service);
    execute format('grant usage on schema %I to %I', service, role);
    -- The tables and sequences of every later migration. A migration takes back what its table does not admit; the
    -- record of the migrations themselves is taken back by `portia migrate`.
    execute format(
      'alter default privileges for role %I in schema %I grant select, insert, update, delete on tables to %I',
      owner, service, role
    );
    execute format(
      'alter default privileges for role %I in schema %I grant usage, select on sequences to %I',
      owner, service, role
    );
    -- The tables of an installation from before 2026-11-26, once. It excludes requests until the end of this script.
    if exists (
      select
      from pg_catalog.pg_class c
      where c.relnamespace = to_regnamespace(service)
        and pg_get_userbyid(c.relowner) = role
    ) then
      execute format('reassign owned by %I to %I', role, owner);
      execute format('grant select, insert, update, delete on all tables in schema %I to %I', service, role);
      execute format('grant usage, select on all sequences in schema %I to %I', service, role);
    end if;
    -- A restored dump without rights gets the default ones: those of the audit again, which migrations set.
    if service = 'auth' and exists (select from pg_catalog.pg_attribute where attrelid = to_regclass('auth.audit') and attname = 'hash')
    then
      execute format('revoke insert, update, delete on auth.audit, auth.audit_head from %I', role);
      execute format(
        'grant insert (id, member_id, event, session_id, address, at, actor, actor_id, about, reason, note) on auth.audit to %I', role
      );
    end if;
    -- The product's SQL always names its schema. The path is for the operators of `ext`, which cannot be qualified
    -- readably, and for operators who open psql as a service. It is set for this database only; others on the server
    -- are not affected.
    execute format('alter role %I in database %I set search_path = %I, ext', role, current_database(), service);
  end loop;
end
$$;

commit;
