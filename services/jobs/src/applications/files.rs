//! The files of an application: a résumé and a cover letter, which only the member reads.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::{allowance, input::PdfFile};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, publishing};

/// The size of a chunk that is read at once, in bytes.
pub const CHUNK: i32 = 64 * 1024;

/// A file of an application.
pub struct FileOf {
    pub application: Uuid,
    /// The column value.
    pub kind: &'static str,
}

/// A file to store.
pub struct NewFile {
    pub of: FileOf,
    pub file: PdfFile,
}

/// The description of a stored file.
#[derive(Clone)]
pub struct StoredFile {
    pub name: String,
    /// In bytes.
    pub size: i32,
    pub uploaded_at: DateTime<Utc>,
}

impl StoredFile {
    /// From the columns of an outer join.
    pub fn of(name: Option<String>, size: Option<i32>, uploaded_at: Option<DateTime<Utc>>) -> Option<Self> {
        let ((name, size), uploaded_at) = name.zip(size).zip(uploaded_at)?;
        Some(Self { name, size, uploaded_at })
    }
}

/// The most bytes that a member uploads within a day, including files that are replaced or deleted again: the same as
/// in messages.
const BYTES_OF_DAY: i64 = 150 << 20;

/// Counts a file of `size` bytes, and locks the allowance of the member until the transaction ends.
async fn count(work: &mut UnitOfWork<'_>, member: Uuid, size: i32) -> Result<(), Error> {
    let full_at = sqlx::query_scalar!(
        "insert into jobs.file_allowances as known (member_id, full_at)
        values ($1, $2)
        on conflict (member_id) do update
        set full_at = known.full_at
        returning full_at",
        member,
        work.now,
    );
    let full_at = allowance::take(full_at.fetch_one(&mut *work.db).await?, size.into(), BYTES_OF_DAY, work.now)
        .map_err(|retry_after| Error::FilesOfDay { retry_after })?;
    sqlx::query!("update jobs.file_allowances set full_at = $2 where member_id = $1", member, full_at)
        .execute(&mut *work.db)
        .await?;
    Ok(())
}

/// Stores a file of the member's application, in place of an earlier one of its kind.
///
/// # Errors
/// [`Error::ApplicationNotFound`]; [`Error::FilesOfDay`].
pub async fn put(work: &mut UnitOfWork<'_>, member: Uuid, new: &NewFile) -> Result<(), Error> {
    count(work, member, new.file.size()).await?;
    let stored = sqlx::query!(
        "insert into jobs.application_files (id, application_id, kind, name, size, content, uploaded_at)
        select $1, a.id, $4, $5, $6, $7, $8
        from jobs.applications a
        where a.id = $2
            and a.member_id = $3
        on conflict (application_id, kind) do update
        set
            id = excluded.id,
            name = excluded.name,
            size = excluded.size,
            content = excluded.content,
            uploaded_at = excluded.uploaded_at",
        work.ids.owned_by(member),
        new.of.application,
        member,
        new.of.kind,
        new.file.name,
        new.file.size(),
        new.file.bytes,
        work.now,
    );
    if stored.execute(&mut *work.db).await?.rows_affected() == 0 {
        return Err(Error::ApplicationNotFound);
    }
    Ok(publishing::publish_application_changed(work, new.of.application, member).await?)
}

/// Deletes a file of the member's application, if there is one.
///
/// # Errors
/// [`Error::ApplicationNotFound`].
pub async fn delete(work: &mut UnitOfWork<'_>, member: Uuid, of: &FileOf) -> Result<(), Error> {
    let deleted = sqlx::query_scalar!(
        r#"with deleted as (
            delete from jobs.application_files f
            using jobs.applications a
            where a.id = f.application_id
                and a.id = $1
                and a.member_id = $2
                and f.kind = $3
            returning f.id
        )
        select exists (select from deleted) as "is_deleted!"
        from jobs.applications
        where id = $1
            and member_id = $2"#,
        of.application,
        member,
        of.kind,
    );
    if deleted.fetch_optional(&mut *work.db).await?.ok_or(Error::ApplicationNotFound)? {
        publishing::publish_application_changed(work, of.application, member).await?;
    }
    Ok(())
}

/// Finds a file of the member's application, with the id by which [`read_chunk`] reads it.
pub async fn find(db: &mut PgConnection, member: Uuid, of: &FileOf) -> Result<(Uuid, StoredFile), Error> {
    let row = sqlx::query!(
        "select f.id, f.name, f.size, f.uploaded_at
        from jobs.application_files f
        join jobs.applications a on a.id = f.application_id
        where a.id = $1
            and a.member_id = $2
            and f.kind = $3",
        of.application,
        member,
        of.kind,
    );
    let row = row.fetch_optional(db).await?.ok_or(Error::FileNotFound)?;
    Ok((row.id, StoredFile { name: row.name, size: row.size, uploaded_at: row.uploaded_at }))
}

/// Reads the bytes of a file from an offset on, at most [`CHUNK`]; empty at its end.
///
/// # Errors
/// [`Error::FileNotFound`] when the file was replaced or deleted meanwhile.
pub async fn read_chunk(db: &mut PgConnection, id: Uuid, offset: i32) -> Result<Vec<u8>, Error> {
    let chunk = sqlx::query_scalar!(
        r#"select substring(content from $2::integer + 1 for $3::integer) as "chunk!"
        from jobs.application_files
        where id = $1"#,
        id,
        offset,
        CHUNK,
    );
    chunk.fetch_optional(db).await?.ok_or(Error::FileNotFound)
}
