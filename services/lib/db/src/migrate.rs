//! Migrations: a step of its own before the services start, which only check that the schema suits them.
//!
//! A release works with the schema of a later one as long as it has the migration that the row of `compatibility`
//! names: the newest migration of the oldest release that works. A migration that breaks earlier releases raises it.

use std::time::Duration;

use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection,
    migrate::{MigrateError, Migration, Migrator},
};
use tokio::time::{Instant, sleep};

use crate::{Settings, search_path, start::at_start};

/// The longest wait of a migration for a lock: requests that come later wait behind it.
const LOCK_TIMEOUT: &str = "3s";
/// The number of attempts of a migration that got no lock.
const ATTEMPTS: u32 = 20;
/// The pause between two attempts, or two looks.
const PAUSE: Duration = Duration::from_millis(500);
/// The pause between two looks at the lock of a schema. A statement that waits for it would keep a snapshot, for which `create index
/// concurrently` waits.
const LOCK_PAUSE: Duration = Duration::from_millis(100);

/// Waits until the database answers, then migrates the schema, as the role that owns it. The role that serves can migrate nothing, so
/// with it the schema must be complete.
///
/// # Errors
/// When it does not answer within `timeout`, a migration fails, the schema belongs to another version, or the role may
/// not migrate it.
pub async fn migrate(settings: &Settings, migrator: &Migrator, timeout: Duration) -> anyhow::Result<()> {
    let schema = settings.schema;
    let mut connection = connect(settings, Instant::now() + timeout).await?;
    create_schema(schema, &mut connection).await?;
    if take_role_of_owner(schema, &mut connection).await? {
        lock(schema, &mut connection).await?;
        if is_older(schema, migrator, &mut connection).await? {
            create_compatibility(schema, &mut connection).await?;
            drop_invalid_indexes(schema, &mut connection).await?;
            run(schema, migrator, &mut connection).await?;
        }
        protect_records(schema, &mut connection).await?;
    } else if is_older(schema, migrator, &mut connection).await? {
        anyhow::bail!(
            "The role {} may not migrate the schema {schema}. Run `portia migrate` with PORTIA_MIGRATION_DATABASE_URL, whose role is \
             portia_migrate.",
            settings.options.get_username()
        );
    }
    connection.close().await?;
    Ok(())
}

/// Waits until the schema has every migration of this version, also while connections end.
///
/// # Errors
/// When it has not within `timeout`, or belongs to another version.
pub async fn wait_until_migrated(settings: &Settings, migrator: &Migrator, timeout: Duration) -> anyhow::Result<()> {
    let give_up = Instant::now() + timeout;
    at_start(|| look_until_migrated(settings, migrator, give_up)).await
}

async fn look_until_migrated(settings: &Settings, migrator: &Migrator, give_up: Instant) -> anyhow::Result<()> {
    let mut connection = connect(settings, give_up).await?;
    while is_older(settings.schema, migrator, &mut connection).await? {
        if Instant::now() > give_up {
            anyhow::bail!(
                "The schema {} is older than this version of Portia. Run `portia migrate` of this version first.",
                settings.schema
            );
        }
        tracing::info!(schema = settings.schema, "waiting for the migrations of this version");
        sleep(PAUSE).await;
    }
    connection.close().await?;
    Ok(())
}

async fn connect(settings: &Settings, give_up: Instant) -> anyhow::Result<PgConnection> {
    let options = settings.options.clone().application_name("migrate");
    loop {
        match options.connect().await {
            Ok(mut connection) => {
                // In a statement: a connection pooler refuses settings in the first message.
                let path = format!("set search_path = {}", search_path(settings.schema));
                sqlx::raw_sql(AssertSqlSafe(path)).execute(&mut connection).await?;
                return Ok(connection);
            }
            Err(error) if Instant::now() < give_up => {
                tracing::info!(schema = settings.schema, %error, "waiting for the database");
                sleep(PAUSE).await;
            }
            Err(error) => anyhow::bail!("the database of {} does not answer: {error}", settings.schema),
        }
    }
}

/// bootstrap.sql creates schemas and roles. With any other role, the service creates its schema and runs without isolation.
async fn create_schema(schema: &str, connection: &mut PgConnection) -> anyhow::Result<()> {
    let exists: bool = sqlx::query_scalar("select exists (select from pg_catalog.pg_namespace where nspname = $1)")
        .bind(schema)
        .fetch_one(&mut *connection)
        .await?;
    if !exists {
        tracing::warn!(schema, "the schema is missing: created here, without role isolation");
        // The lock of bootstrap.sql serialises services that start together.
        let statements = format!(
            "begin;
            select pg_advisory_xact_lock(hashtextextended('portia.bootstrap', 0));
            create schema if not exists {schema};
            create schema if not exists ext;
            create extension if not exists pg_trgm schema ext;
            create extension if not exists unaccent schema ext;
            commit"
        );
        // The name of a schema cannot be a parameter; it is a constant.
        sqlx::raw_sql(AssertSqlSafe(statements)).execute(connection).await?;
    }
    Ok(())
}

/// Tables belong to the owner of the schema, also when the role of migrations or a superuser creates them. Returns whether the connection
/// has that role.
async fn take_role_of_owner(schema: &str, connection: &mut PgConnection) -> anyhow::Result<bool> {
    let owner: Option<String> = sqlx::query_scalar(
        "select quote_ident(pg_get_userbyid(nspowner))
        from pg_catalog.pg_namespace
        where nspname = $1
            and pg_has_role(nspowner, 'member')",
    )
    .bind(schema)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(owner) = owner else { return Ok(false) };
    // A migration that takes rights from the role that serves would take them from the owner.
    anyhow::ensure!(
        owner != serving_role(schema),
        "The role {owner} serves and must not own the schema {schema}: run bootstrap.sql of this version first."
    );
    sqlx::raw_sql(AssertSqlSafe(format!("set role {owner}"))).execute(connection).await?;
    Ok(true)
}

/// Creates the table of the oldest release that works with the schema, as the version of its newest migration. A migration that breaks
/// earlier releases raises the number.
async fn create_compatibility(schema: &str, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let statements = format!(
        "begin;
        create table if not exists {schema}.compatibility (
            id smallint,
            oldest bigint not null,
            constraint compatibility_pkey primary key (id),
            constraint compatibility_id_check check (id = 1)
        );
        insert into {schema}.compatibility (id, oldest) values (1, 0) on conflict do nothing;
        commit"
    );
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(connection).await.map(drop)
}

fn serving_role(schema: &str) -> String {
    format!("portia_{schema}")
}

/// The role that serves reads what was migrated, but cannot change it. bootstrap.sql lets it write every other table.
async fn protect_records(schema: &str, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let serving = serving_role(schema);
    for table in ["_sqlx_migrations", "compatibility"] {
        let is_writable: bool = sqlx::query_scalar(
            "select count(*) > 0
            from pg_catalog.pg_class c, aclexplode(c.relacl) as a
            where c.oid = to_regclass($1)
                and a.grantee = to_regrole($2)
                and a.grantee <> c.relowner
                and a.privilege_type <> 'SELECT'",
        )
        .bind(format!("{schema}.{table}"))
        .bind(&serving)
        .fetch_one(&mut *connection)
        .await?;
        if is_writable {
            let revoke = format!("revoke insert, update, delete on {schema}.{table} from {serving}");
            sqlx::raw_sql(AssertSqlSafe(revoke)).execute(&mut *connection).await?;
        }
    }
    Ok(())
}

/// Takes the lock of the schema, which ends with the connection. sqlx has one lock for the whole database: a long
/// migration of one service would delay all others.
async fn lock(schema: &str, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let name = format!("portia.migrate.{schema}");
    let lock = "select pg_try_advisory_lock(hashtextextended($1, 0))";
    while !sqlx::query_scalar::<_, bool>(lock).bind(&name).fetch_one(&mut *connection).await? {
        sleep(LOCK_PAUSE).await;
    }
    Ok(())
}

/// Whether migrations of this version are missing. Migrations that this version lacks must be of a later version that
/// admits it.
async fn is_older(schema: &str, migrator: &Migrator, connection: &mut PgConnection) -> anyhow::Result<bool> {
    type Row = (i64, Vec<u8>);
    let applied: Vec<Row> = if exists(schema, "_sqlx_migrations", connection).await? {
        let sql = format!("select version, checksum from {schema}._sqlx_migrations order by version");
        #[expect(
            clippy::disallowed_methods,
            reason = "the name of the schema, a constant of ours, is part of the text"
        )]
        let rows = sqlx::query_as(AssertSqlSafe(sql));
        rows.fetch_all(&mut *connection).await?
    } else {
        Vec::new()
    };
    let own = |version| migrator.iter().find(|migration| migration.version == version);
    let is_applied = |version| applied.iter().any(|(applied, _)| *applied == version);
    let is_older = migrator.iter().any(|migration| !is_applied(migration.version));
    let is_later = applied.iter().any(|(version, _)| own(*version).is_none());
    let is_changed =
        |(version, checksum): &Row| own(*version).is_some_and(|own| own.checksum.as_ref() != checksum.as_slice());
    let first = migrator.iter().map(|migration| migration.version).min().unwrap_or_default();
    let is_foreign = applied.iter().any(|(version, _)| *version < first);
    // A release only adds to the migrations of earlier ones: a schema that lacks some and has others, or changed ones,
    // is of another line.
    if is_foreign || (is_older && is_later) || applied.iter().any(is_changed) {
        anyhow::bail!(
            "The schema {schema} was created by another version of Portia, which this version cannot migrate. Choose an \
             empty database or another data folder (--data), or delete this one."
        );
    }
    if is_later {
        let sql = format!("select oldest from {schema}.compatibility where id = 1");
        let oldest: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *connection).await?;
        let newest = migrator.iter().map(|migration| migration.version).max().unwrap_or_default();
        anyhow::ensure!(
            newest >= oldest,
            "The schema {schema} is that of a later version of Portia, and requires at least the version with the migration \
             {oldest}; the newest one here is {newest}. Start a later version, or restore a backup."
        );
        tracing::info!(schema, "the schema is that of a later version, which admits this one");
    }
    Ok(is_older)
}

async fn exists(schema: &str, table: &str, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let exists = sqlx::query_scalar("select to_regclass($1) is not null");
    exists.bind(format!("{schema}.{table}")).fetch_one(connection).await
}

/// Drops an index that a failed `create index concurrently` left behind: the migration creates it again. An index that
/// another session builds stays.
async fn drop_invalid_indexes(schema: &str, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let invalid: Vec<String> = sqlx::query_scalar(
        "select format('%I.%I', n.nspname, c.relname)
        from pg_catalog.pg_index i
        join pg_catalog.pg_class c on c.oid = i.indexrelid
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where not i.indisvalid
            and n.nspname = $1
            and not exists (select from pg_catalog.pg_stat_progress_create_index p where p.index_relid = i.indexrelid)",
    )
    .bind(schema)
    .fetch_all(&mut *connection)
    .await?;
    // Requests do not wait behind the lock.
    sqlx::raw_sql("set lock_timeout = 0").execute(&mut *connection).await?;
    for index in invalid {
        tracing::warn!(index, "an incomplete index is dropped");
        sqlx::raw_sql(AssertSqlSafe(format!("drop index concurrently {index}"))).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Runs the missing migrations in groups: the migrations in a transaction up to the first one without, that one, and so
/// on.
async fn run(schema: &str, migrator: &Migrator, connection: &mut PgConnection) -> anyhow::Result<()> {
    let mut migrations = Vec::new();
    for group in migrator.migrations.chunk_by(|one, next| one.no_tx == next.no_tx) {
        migrations.extend_from_slice(group);
        // Without a transaction, only the migration itself waits for locks, not the requests: `create index concurrently` waits for
        // every older transaction.
        let timeout = if group.iter().any(|migration| migration.no_tx) { "0" } else { LOCK_TIMEOUT };
        run_to(&migrations, timeout, schema, migrator, connection).await?;
    }
    Ok(())
}

/// Runs the missing ones of some migrations. Repeats a migration that gets no lock, so that requests do not wait behind
/// it for long.
async fn run_to(
    migrations: &[Migration],
    lock_timeout: &str,
    schema: &str,
    migrator: &Migrator,
    connection: &mut PgConnection,
) -> anyhow::Result<()> {
    let alone = Migrator {
        migrations: migrations.to_vec().into(),
        table_name: migrator.table_name.clone(),
        create_schemas: migrator.create_schemas.clone(),
        locking: false,
        ignore_missing: true,
        ..*migrator
    };
    for attempt in 1.. {
        sqlx::raw_sql(AssertSqlSafe(format!("set lock_timeout = '{lock_timeout}'"))).execute(&mut *connection).await?;
        match alone.run(&mut *connection).await {
            Err(error) if is_lock_timeout(&error) && attempt < ATTEMPTS => {
                tracing::warn!(schema, attempt, "a migration waits for a lock; it is tried again");
                sleep(PAUSE).await;
                // A failed `create index concurrently` may have left an index behind.
                drop_invalid_indexes(schema, connection).await?;
            }
            done => return Ok(done?),
        }
    }
    Ok(())
}

fn is_lock_timeout(error: &MigrateError) -> bool {
    let (MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) = error else { return false };
    error.as_database_error().is_some_and(|error| error.code().as_deref() == Some("55P03"))
}
