//! Filling: the entries and the words of documents that came by COPY, all at once.

use std::sync::Arc;

use sqlx::{AssertSqlSafe, PgConnection};

use crate::{Search, sql::query};

/// The index is made when all is there, which takes half the time of making it row by row.
pub(crate) const ENTER: &str = "
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

/// What `sql::LEARN` learns, of every word there is.
pub(crate) const LEARN_ALL: &str = "
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
    /// Indexes documents that stand in their table and nowhere else yet: for whoever fills a new schema, which is theirs.
    ///
    /// # Errors
    /// As any statement; also when something was indexed before.
    pub async fn index_all(&self, conn: &mut PgConnection) -> Result<(), sqlx::Error> {
        sqlx::raw_sql(AssertSqlSafe(Arc::clone(&self.sql.enter))).execute(&mut *conn).await?;
        query(&self.sql.learn_all).execute(conn).await?;
        Ok(())
    }
}
