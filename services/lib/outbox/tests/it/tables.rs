//! Every service has the tables of the outbox.

use testkit::outbox_sql;

#[test]
fn every_service_has_the_reference_tables() {
    for service in ["auth", "profile", "social-graph", "feed", "jobs", "news", "messaging"] {
        let folder = format!("{}/../../{service}/migrations", env!("CARGO_MANIFEST_DIR"));
        let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
        let migrations: String =
            files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap() + ";\n").collect();
        let present = statements(&migrations);
        for statement in statements(&outbox_sql(&service.replace('-', "_"))) {
            assert!(present.contains(&statement), "{service} lacks: {statement}");
        }
    }
}

/// The statements of a file, without comments and with single spaces.
fn statements(sql: &str) -> Vec<String> {
    let code: String =
        sql.lines().map(|line| line.split_once("--").map_or(line, |(code, _)| code)).collect::<Vec<_>>().join(" ");
    let statements = code.split(';').map(|statement| statement.split_whitespace().collect::<Vec<_>>().join(" "));
    statements.filter(|statement| !statement.is_empty()).collect()
}
