//! Builds the entries and words of documents that were inserted with COPY.

use std::sync::Arc;

use sqlx::{AssertSqlSafe, PgConnection};

use crate::{Search, sql::query};

impl Search {
    /// Builds the entries and words of a schema that has only documents. The caller owns the schema.
    ///
    /// # Errors
    /// When a statement fails, also when entries exist.
    pub async fn build_entries(&self, conn: &mut PgConnection) -> Result<(), sqlx::Error> {
        sqlx::raw_sql(AssertSqlSafe(Arc::clone(&self.sql.build_entries))).execute(&mut *conn).await?;
        query(&self.sql.learn_all_words).execute(conn).await?;
        Ok(())
    }
}
