//! What jobs tells other services, and what it hears: source -> what is done about it.

use chassis::{ServiceContext, config};
use chrono::{DateTime, Utc};
use outbox::{Handlers, Outbox};
use portia_proto::{auth::AccountErased, jobs::AppliedPostingClosed};
use primitives::ids;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{erase, error::Error};

/// Hears every source from now on.
pub fn hear(outbox: &Outbox, context: &ServiceContext, db: &PgPool) -> Result<(), config::Error> {
    let auth = Handlers::new().on(|db, fact: AccountErased| {
        Box::pin(async move {
            let member = ids::parse("memberId", &fact.member_id)?;
            erase::member(db, member).await.map_err(Error::from)
        })
    });
    outbox.subscribe(context, db, "auth", auth)
}

/// An application whose end has not been heard of.
struct Waiting {
    id: Uuid,
    member_id: Uuid,
    posting_id: Uuid,
    title: String,
}

/// Tells everybody who applied for one of the postings and has not heard yet how it went that it is closed; in the
/// transaction that closes it.
pub async fn applied_postings_closed(
    db: &mut PgConnection,
    outbox: &Outbox,
    postings: &[Uuid],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let waiting = sqlx::query_as!(
        Waiting,
        r#"select id, member_id, posting_id, job ->> 'title' as "title!"
        from jobs.applications
        where posting_id = any($1)
            and status in ('applied', 'interviewed')
        order by id"#,
        postings,
    );
    let told = |application: Waiting| {
        let fact = AppliedPostingClosed {
            application_id: application.id.to_string(),
            member_id: application.member_id.to_string(),
            job_id: application.posting_id.to_string(),
            title: application.title,
        };
        (application.id, fact)
    };
    let facts: Vec<_> = waiting.fetch_all(&mut *db).await?.into_iter().map(told).collect();
    if facts.is_empty() { Ok(()) } else { outbox.publish_all(db, &facts, now).await }
}
