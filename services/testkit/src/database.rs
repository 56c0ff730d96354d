//! A database of one test's own, under the role of the service it tests.

use std::thread;

use sqlx::{
    PgPool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::server::{Admin, clone_name, role_options};

/// A database with bootstrap.sql and one service's migrations, dropped with the value.
#[derive(Debug)]
pub struct Database {
    name: String,
    schema: &'static str,
    pool: PgPool,
}

impl Database {
    /// A copy of the template of `schema` (`feed`, `social_graph`), made when its migrations were last changed.
    pub async fn fresh(schema: &'static str, migrator: &Migrator) -> Self {
        let mut admin = Admin::connect().await;
        let template = admin.template(schema, migrator).await;
        let name = clone_name();
        admin.clone_of(&template, &name).await;
        let pool = PgPoolOptions::new()
            .max_connections(10)
            .connect_lazy_with(role_options(&name, schema));
        Self { name, schema, pool }
    }

    /// Connections as the service's role.
    #[must_use]
    pub const fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// The schema under test.
    #[must_use]
    pub const fn schema(&self) -> &'static str {
        self.schema
    }

    /// How the service's role gets here, for whoever opens a pool of its own.
    #[must_use]
    pub fn options(&self) -> PgConnectOptions {
        role_options(&self.name, self.schema)
    }

    /// How another service's role gets here: to show what it may not do.
    #[must_use]
    pub fn options_as(&self, schema: &str) -> PgConnectOptions {
        role_options(&self.name, schema)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let name = self.name.clone();
        // The test's own runtime cannot wait here, so the clean-up brings its own. A failure leaves work to the next
        // process's sweep.
        let cleaning = thread::spawn(move || {
            if let Ok(runtime) = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
            {
                runtime.block_on(async { Admin::connect().await.drop_database(&name).await });
            }
        });
        cleaning.join().ok();
    }
}
