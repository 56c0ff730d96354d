//! Builds the entries and words of documents that were inserted with COPY.

use std::sync::Arc;

use sqlx::{AssertSqlSafe, PgConnection};

use crate::{Search, sql::query};

/// Creates the index after the rows, which takes half the time of inserting into it.
pub(crate) const BUILD_ENTRIES: &str = "
    alter table {schema}.search_entries
    drop constraint search_entries_pkey;

    insert into {schema}.search_entries (word, shelf, at, id)
    select entry.word, entry.shelf, d.at, d.id
    from {schema}.search_documents d
    cross join lateral ({words}
    ) as entry;

    alter table {schema}.search_entries
    add constraint search_entries_pkey primary key (word, shelf, at, id)";

/// `sql::LEARN_WORDS` for all words.
pub(crate) const LEARN_ALL_WORDS: &str = "
    insert into {schema}.search_words (word, stem, slips)
    select word, coalesce((ts_lexize('pg_catalog.english_stem', word))[1], word), case
        when length(word) > 2 and word !~ '[0-9]' then array(
            select word
            union
            select overlay(word placing '' from letter for 1)
            from generate_series(1, length(word)) as letter
        )
        else '{}'
    end
    from (
        select word, bool_or(shelf % 2 = 1) as in_body
        from {schema}.search_entries
        where word not like '%*'
        group by word
    ) as used
    where {learnt}
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
