-- Prepares a Portia database before its first migration: roles, schemas, grants, extensions.
--
-- A superuser runs it inside the target database, repeatedly if needed: standalone at each start, the one-shot
-- `bootstrap` of docker-compose, the tests for every new database. Migrations contain only tables, and run as the role
-- that owns them.
--
-- One service, one role, one schema, and no grants between them: Postgres refuses a service that reads another's table
-- by mistake. Roles have no password here, so no client can sign in as one until the operator of Postgres sets it
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
  end loop;
  -- Migrations run with the rights of each service in turn (`set role`). It has none of its own.
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
begin
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to portia_migrate', current_database());

  foreach service in array array['auth', 'profile', 'social_graph', 'feed', 'jobs', 'news', 'messaging']
  loop
    role := 'portia_' || service;
    execute format('grant connect on database %I to %I', current_database(), role);
    execute format('grant usage on schema ext to %I', role);
    -- Only once: two databases of one server may be bootstrapped at the same time.
    if not pg_has_role('portia_migrate', role, 'member') then
      begin
        execute format('grant %I to portia_migrate', role);
      exception
        when unique_violation then null;
      end;
    end if;
    execute format('create schema if not exists %I authorization %I', service, role);
    -- A schema that already existed (created by another role, or by a restored dump) changes its owner.
    execute format('alter schema %I owner to %I', service, role);
    execute format('revoke all on schema %I from public', service);
    -- The product's SQL always names its schema. The path is for the operators of `ext`, which cannot be qualified
    -- readably, and for operators who open psql as a service. It is set for this database only; others on the server
    -- are not affected.
    execute format('alter role %I in database %I set search_path = %I, ext', role, current_database(), service);
  end loop;
end
$$;

commit;
