//! Builds the entries and words of documents that were inserted with COPY.

use std::sync::Arc;

use sqlx::{AssertSqlSafe, PgConnection};

use crate::{Search, sql::query};

/// Creates the index after the rows, which takes half the time of inserting into it.
pub(crate) const BUILD_ENTRIES: &str = "
    alter table {schema}.search_entries
    drop constraint search_entries_pkey;

    insert into {schema}.search_entries (word, shelf, at, id)
    select word, shelf, at, id
    from {schema}.search_documents
    cross join unnest(title) as word
    union all
    select word, shelf + 1, at, id
    from {schema}.search_documents
    cross join unnest(body) as word;

    alter table {schema}.search_entries
    add constraint search_entries_pkey primary key (word, shelf, at, id)";

/// `sql::LEARN_WORDS` for all words.
pub(crate) const LEARN_ALL_WORDS: &str = "
    insert into {schema}.search_words (word, stem, slips)
    select word, coalesce((ts_lexize('pg_catalog.english_stem', word))[1], word), case
        when length(word) > 2 then array(
            select word
            union
            select overlay(word placing '' from letter for 1)
            from generate_series(1, length(word)) as letter
        )
        else '{}'
    end
    from (select distinct word from {schema}.search_entries) as used
    where length(word) between 2 and 40
        and word !~ '[0-9]'
    order by word";

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
