//! The background work: writing views, deleting unused pictures and indexing members for the search.

use chassis::ServiceContext;
use picture_store::Pictures;
use sqlx::PgPool;

use crate::{pictures, search, views::ViewBuffer};

pub fn start(context: &ServiceContext, db: &PgPool, views: &ViewBuffer, pictures: &Pictures) {
    views.spawn_tasks(context, db);
    pictures::spawn_cleanup(context, db, pictures);
    search::MEMBERS.spawn_indexing(context, db, search::read_documents);
}
