-- What every Portia database is given before its first migration: roles, schemas, grants, extensions.
--
-- A superuser runs it inside the target database, as often as wanted: standalone at each start,
-- docker-compose's one-shot `bootstrap`, the tests for every fresh database. Migrations hold tables
-- only, and run as the role that owns them.
--
-- One service, one role, one schema, and no grant across: a service that reads another's table by
-- mistake is refused by Postgres, not by a reviewer. Roles get no password here, so no client can sign
-- in as one until the operator of Postgres sets it (`alter role portia_feed password '...'`).

begin;

-- Notices about existing objects are not shown.
set local client_min_messages = warning;

-- Two processes may bootstrap one database at once: one after the other.
do $$ begin perform pg_advisory_xact_lock(hashtextextended('portia.bootstrap', 0)); end $$;

-- Roles are the whole server's but advisory locks one database's, so a twin in another database can
-- still come first: that is what the two exceptions mean.
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
end
$$;

-- Extensions in a schema of their own: every role may use them, none may change them. `pg_trgm`
-- forgives typing errors in search, `unaccent` accents.
create schema if not exists ext;
create extension if not exists pg_trgm schema ext;
create extension if not exists unaccent schema ext;
revoke all on schema ext from public;

-- By default any role may connect to a database, make temporary tables in it and, before Postgres 15,
-- create in `public`. Nothing of Portia's lives there.
revoke all on schema public from public;

do $$
declare
  service text;
  role name;
begin
  execute format('revoke all on database %I from public', current_database());

  foreach service in array array['auth', 'profile', 'social_graph', 'feed', 'jobs', 'news', 'messaging']
  loop
    role := 'portia_' || service;
    execute format('grant connect on database %I to %I', current_database(), role);
    execute format('grant usage on schema ext to %I', role);
    execute format('create schema if not exists %I authorization %I', service, role);
    -- A schema that was there already (one plain role made it, a dump brought it) changes hands.
    execute format('alter schema %I owner to %I', service, role);
    execute format('revoke all on schema %I from public', service);
    -- The product's SQL names its schema always; the path is for the operators of `ext`, which cannot
    -- be qualified readably, and for operators who open psql as a service. Set for this database only, so
    -- that another one on the server keeps its own.
    execute format('alter role %I in database %I set search_path = %I, ext', role, current_database(), service);
  end loop;
end
$$;

commit;
