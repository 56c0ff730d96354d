//! The statements of the outbox, rendered once per schema: names cannot be parameters.

mod statements;

use std::sync::Arc;

use sqlx::{
    AssertSqlSafe, FromRow, Postgres,
    postgres::{PgArguments, PgRow},
    query::{Query, QueryAs},
};

/// Facts numbered, read or pruned per statement.
pub const BATCH: i64 = 500;

/// Rows of a snapshot between two points.
pub const CHUNK: i64 = 1_000;

/// The statements and NOTIFY channels of one schema.
#[derive(Debug)]
pub struct Sql {
    pub schema: &'static str,
    /// A fact was committed; for the sequencers.
    pub published_channel: String,
    /// Facts were numbered, up to the payload; for the tails.
    pub numbered_channel: String,
    pub publish: Arc<str>,
    pub publish_all: Arc<str>,
    pub newest: Arc<str>,
    pub locate: Arc<str>,
    pub pending: Arc<str>,
    pub lock_sequence: Arc<str>,
    pub begin_history: Arc<str>,
    pub number: Arc<str>,
    pub read: Arc<str>,
    pub prune: Arc<str>,
    pub cursor: Arc<str>,
    pub move_cursor: Arc<str>,
    pub set_cursor: Arc<str>,
    pub adopt_history: Arc<str>,
    pub new_cursor: Arc<str>,
    pub lock_cursor: Arc<str>,
    pub lock_snapshot: Arc<str>,
    pub snapshot: Arc<str>,
    pub begin_snapshot: Arc<str>,
    pub move_snapshot: Arc<str>,
    pub insert_rows: Arc<str>,
    pub read_rows: Arc<str>,
    pub delete_snapshot: Arc<str>,
    pub insert_dead_fact: Arc<str>,
    pub position: Arc<str>,
    pub stored: Arc<str>,
    pub count_dead_facts: Arc<str>,
    pub lock_replay: Arc<str>,
    pub delete_dead_fact: Arc<str>,
    pub refuse_replay: Arc<str>,
    pub list_dead_facts: Arc<str>,
    pub get_dead_fact: Arc<str>,
    pub request_replay: Arc<str>,
}

impl Sql {
    pub fn new(schema: &'static str) -> Self {
        let published_channel = format!("{schema}_outbox_published");
        let numbered_channel = format!("{schema}_outbox_numbered");
        let fill = |statement: &str| -> Arc<str> {
            statement
                .replace("{server}", statements::SERVER)
                .replace("{schema}", schema)
                .replace("{published}", &published_channel)
                .replace("{numbered}", &numbered_channel)
                .replace("{chunk}", &CHUNK.to_string())
                .replace("{batch}", &BATCH.to_string())
                .into()
        };
        Self {
            schema,
            publish: fill(statements::PUBLISH),
            publish_all: fill(statements::PUBLISH_ALL),
            newest: fill(statements::NEWEST),
            locate: fill(statements::LOCATE),
            pending: fill(statements::PENDING),
            lock_sequence: fill(statements::LOCK_SEQUENCE),
            begin_history: fill(statements::BEGIN_HISTORY),
            number: fill(statements::NUMBER),
            read: fill(statements::READ),
            prune: fill(statements::PRUNE),
            cursor: fill(statements::CURSOR),
            move_cursor: fill(statements::MOVE_CURSOR),
            set_cursor: fill(statements::SET_CURSOR),
            adopt_history: fill(statements::ADOPT_HISTORY),
            new_cursor: fill(statements::NEW_CURSOR),
            lock_cursor: fill(statements::LOCK_CURSOR),
            lock_snapshot: fill(statements::LOCK_SNAPSHOT),
            snapshot: fill(statements::SNAPSHOT),
            begin_snapshot: fill(statements::BEGIN_SNAPSHOT),
            move_snapshot: fill(statements::MOVE_SNAPSHOT),
            insert_rows: fill(statements::INSERT_ROWS),
            read_rows: fill(statements::READ_ROWS),
            delete_snapshot: fill(statements::DELETE_SNAPSHOT),
            insert_dead_fact: fill(statements::INSERT_DEAD_FACT),
            position: fill(statements::POSITION),
            stored: fill(statements::STORED),
            count_dead_facts: fill(statements::COUNT_DEAD_FACTS),
            lock_replay: fill(statements::LOCK_REPLAY),
            delete_dead_fact: fill(statements::DELETE_DEAD_FACT),
            refuse_replay: fill(statements::REFUSE_REPLAY),
            list_dead_facts: fill(statements::LIST_DEAD_FACTS),
            get_dead_fact: fill(statements::GET_DEAD_FACT),
            request_replay: fill(statements::REQUEST_REPLAY),
            published_channel,
            numbered_channel,
        }
    }
}

/// A statement of [`Sql`], ready for its parameters.
#[expect(clippy::disallowed_methods, reason = "the name of the schema, a constant, is part of the text")]
pub fn query<'q>(statement: &Arc<str>) -> Query<'q, Postgres, PgArguments> {
    sqlx::query(AssertSqlSafe(Arc::clone(statement)))
}

/// Like [`query`], with rows of the type `T`.
#[expect(clippy::disallowed_methods, reason = "the name of the schema, a constant, is part of the text")]
pub fn query_as<'q, T: for<'r> FromRow<'r, PgRow>>(statement: &Arc<str>) -> QueryAs<'q, Postgres, T, PgArguments> {
    sqlx::query_as(AssertSqlSafe(Arc::clone(statement)))
}

#[cfg(test)]
mod tests {
    use sqlx::AssertSqlSafe;
    use testkit::{Database, outbox_tables};

    use super::Sql;

    /// A connection plans them once, also if the outbox is empty then: at the first start, and after everything is pruned.
    #[tokio::test]
    async fn an_empty_outbox_is_planned_to_be_read_by_its_indexes() {
        let database = Database::fresh("feed", &outbox_tables("feed", "")).await;
        database.vacuum(&["outbox"]).await;
        let sql = Sql::new("feed");
        let mut tx = db::begin_indexed(database.pool()).await.unwrap();
        sqlx::raw_sql("set local plan_cache_mode = force_generic_plan").execute(&mut *tx).await.unwrap();
        for (n, (statement, parameters)) in
            [(sql.pending, false), (sql.number, true), (sql.read, true)].iter().enumerate()
        {
            let (types, arguments) = if *parameters { ("(bigint)", "(0)") } else { ("", "") };
            let prepare = format!("prepare planned_{n}{types} as {statement}");
            sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut *tx).await.unwrap();
            let explain = format!("explain (costs off) execute planned_{n}{arguments}");
            let plan: Vec<String> = sqlx::query_scalar(AssertSqlSafe(explain)).fetch_all(&mut *tx).await.unwrap();
            let plan = plan.join("\n");
            assert!(!plan.contains("Seq Scan") && !plan.contains("Join Filter"), "{plan}");
        }
    }
}
