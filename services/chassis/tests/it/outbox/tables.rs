//! Every service has the tables the frame works on, to the letter.

use testkit::outbox_sql;

#[test]
fn every_service_has_the_reference_tables() {
    for service in ["auth", "profile", "social-graph", "feed", "jobs", "news", "messaging"] {
        let path = format!("{}/../{service}/migrations/20261120000001_outbox.sql", env!("CARGO_MANIFEST_DIR"));
        let migration = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(migration, outbox_sql(&service.replace('-', "_")), "{path}");
    }
}
