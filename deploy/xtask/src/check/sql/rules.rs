//! The rules for SQL, statement by statement.

use super::tokens::{Token, tokens};

/// Where SQL was found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Migration,
    Query,
}

/// Functions that give another answer on a replay: a shard or a replica of statements would drift.
const NOT_REPEATABLE: [&str; 8] = [
    "now",
    "random",
    "clock_timestamp",
    "statement_timestamp",
    "transaction_timestamp",
    "gen_random_uuid",
    "uuidv7",
    "timeofday",
];

/// The same, written without parentheses.
const NOT_REPEATABLE_WORDS: [&str; 4] = ["current_timestamp", "localtimestamp", "current_date", "localtime"];

/// Functions in which `from` is a word of their syntax.
const FROM_INSIDE: [&str; 5] = ["extract", "substring", "trim", "overlay", "position"];

/// Line and complaint for everything wrong in `sql`, which belongs to the service that owns `own`.
pub(super) fn violations(sql: &str, kind: Kind, own: &str, schemas: &[String]) -> Vec<(usize, String)> {
    let tokens = tokens(sql);
    tokens
        .split(|token| token.text == ";")
        .filter(|statement| !statement.is_empty())
        .flat_map(|statement| {
            let statement = Statement { tokens: statement };
            let mut found = statement.foreign_schemas(own, schemas);
            found.extend(statement.unqualified_tables());
            found.extend(statement.unmovable());
            if kind == Kind::Migration {
                found.extend(statement.not_a_table());
            }
            found
        })
        .collect()
}

struct Statement<'a> {
    tokens: &'a [Token],
}

impl Statement<'_> {
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text.as_str())
    }

    fn line(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(1, |token| token.line)
    }

    /// Whether these words stand at this place.
    fn has(&self, at: usize, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(offset, word)| self.text(at + offset) == *word)
    }

    fn positions(&self) -> std::ops::Range<usize> {
        0..self.tokens.len()
    }

    /// Another service's schema, wherever it is named.
    fn foreign_schemas(&self, own: &str, schemas: &[String]) -> Vec<(usize, String)> {
        let foreign = |at: &usize| {
            let name = self.text(*at);
            let starts_a_path = *at == 0 || self.text(at - 1) != ".";
            starts_a_path && self.text(at + 1) == "." && name != own && schemas.iter().any(|schema| schema == name)
        };
        let finding = |at| (self.line(at), format!("{} belongs to another service than {own}", self.text(at)));
        self.positions().filter(foreign).map(finding).collect()
    }

    /// Tables, views, indexes' tables and sequences named without a schema.
    fn unqualified_tables(&self) -> Vec<(usize, String)> {
        let named_here = self.common_tables();
        let mut found = Vec::new();
        for at in self.positions().filter(|at| self.introduces_a_table(*at)) {
            let mut name = at + 1;
            while ["if", "not", "exists", "only", "concurrently", "table"].contains(&self.text(name)) {
                name += 1;
            }
            let a_name = self.tokens.get(name).is_some_and(Token::is_word);
            // `unnest(...)` has its schema in the search path; `lateral` and `select` begin a subquery.
            let called = self.text(name + 1) == "(" && ["from", "join"].contains(&self.text(at));
            let keyword = ["lateral", "select", "values", "rows"].contains(&self.text(name));
            // Postgres keeps names that begin with `pg_` to its catalog.
            let qualified = self.text(name + 1) == "." || self.text(name).starts_with("pg_");
            if a_name && !called && !keyword && !qualified && !named_here.contains(&self.text(name)) {
                found.push((self.line(name), format!("{} is named without its schema", self.text(name))));
            }
        }
        found
    }

    /// Whether a table's name follows this word.
    fn introduces_a_table(&self, at: usize) -> bool {
        let before = if at == 0 { "" } else { self.text(at - 1) };
        match self.text(at) {
            "from" => before != "distinct" && !self.is_inside_a_function(at),
            "join" | "references" | "truncate" => true,
            "into" => ["insert", "merge"].contains(&before),
            // Not `for update`, `for no key update`, `do update set`, `on update cascade`.
            "update" => !["for", "key", "do", "on", "or"].contains(&before) && self.text(at + 1) != "of",
            "table" | "view" | "sequence" => ["create", "alter", "drop", "unlogged", "materialized"].contains(&before),
            "on" => {
                self.has(0, &["create"])
                    && self.positions().take(5).any(|each| self.text(each) == "index")
                    && self.positions().take(at).all(|each| self.text(each) != "on")
            }
            _ => false,
        }
    }

    /// Returns whether the innermost open parenthesis belongs to `extract(... from ...)` or a similar function.
    fn is_inside_a_function(&self, at: usize) -> bool {
        let mut closed = 0;
        for each in (0..at).rev() {
            match self.text(each) {
                ")" => closed += 1,
                "(" if closed == 0 => return each > 0 && FROM_INSIDE.contains(&self.text(each - 1)),
                "(" => closed -= 1,
                _ => {}
            }
        }
        false
    }

    /// Names given by `with name as (...)` and `with name (columns) as (...)`.
    fn common_tables(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for at in self.positions().filter(|at| self.text(*at) == "as") {
            let mut body = at + 1;
            while ["not", "materialized"].contains(&self.text(body)) {
                body += 1;
            }
            if self.text(body) != "(" || at == 0 {
                continue;
            }
            let mut name = at - 1;
            if self.text(name) == ")" {
                while name > 0 && self.text(name) != "(" {
                    name -= 1;
                }
                name = name.saturating_sub(1);
            }
            names.push(self.text(name));
        }
        names
    }

    /// Finds features that a schema cannot use if it may one day spread over several servers.
    fn unmovable(&self) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        for at in self.positions() {
            if self.has(at, &["as", "identity"]) {
                found.push((self.line(at), "identity columns are not distributed: use bigserial".to_owned()));
            }
            let trigger =
                self.text(at) == "trigger" && ["create", "constraint", "returns", "replace"].contains(&self.before(at));
            if trigger {
                found.push((self.line(at), "no triggers: counters and NOTIFY are explicit statements".to_owned()));
            }
            let called = NOT_REPEATABLE.contains(&self.text(at)) && self.text(at + 1) == "(";
            if self.updates() && (called || NOT_REPEATABLE_WORDS.contains(&self.text(at))) {
                let what = format!("{} in an update: bind it as a parameter", self.text(at));
                found.push((self.line(at), what));
            }
        }
        found
    }

    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |before| self.text(before))
    }

    fn updates(&self) -> bool {
        self.positions().any(|at| self.text(at) == "update" && (self.introduces_a_table(at) || self.before(at) == "do"))
    }

    /// Roles, grants, schemas and extensions are bootstrap.sql's.
    fn not_a_table(&self) -> Vec<(usize, String)> {
        let belongs_to_bootstrap = ["grant", "revoke"].contains(&self.text(0))
            || (["create", "alter", "drop"].contains(&self.text(0))
                && ["role", "user", "schema", "extension", "database"].contains(&self.text(1)));
        if belongs_to_bootstrap {
            let what = format!("{} {} belongs to deploy/postgres/bootstrap.sql", self.text(0), self.text(1));
            return vec![(self.line(0), what)];
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(sql: &str, kind: Kind) -> Vec<String> {
        let schemas = ["auth", "feed", "jobs"].map(str::to_owned);
        violations(sql, kind, "feed", &schemas).into_iter().map(|(_, what)| what).collect()
    }

    #[test]
    fn good_queries_pass() {
        for sql in [
            "select p.id from feed.posts p join feed.comments c on c.post_id = p.id, unnest($1::uuid[]) as ids (id)",
            "with recent as (select id from feed.posts), old (id) as materialized (select 1) select * from recent join old using (id)",
            "insert into feed.likes (id, at) values ($1, now()) on conflict do nothing",
            "insert into feed.likes as l (id) values ($1) on conflict (id) do update set at = excluded.at",
            "update feed.posts set like_count = like_count + 1 where id = $1 returning like_count",
            "select id from feed.posts where a is distinct from b for no key update of p skip locked",
            "select extract(epoch from created_at), substring(content from 1 for 3) from feed.posts",
            "select 1 from (select 2) as two cross join lateral (select 3) as three",
            "select nspname from pg_catalog.pg_namespace",
            "select tablename from pg_tables",
            "delete from feed.posts using feed.likes where true",
        ] {
            assert_eq!(found(sql, Kind::Query), Vec::<String>::new(), "{sql}");
        }
    }

    #[test]
    fn bad_queries_are_reported() {
        for (sql, expected) in [
            ("select * from auth.accounts", "auth belongs to another service"),
            ("select feed.x(jobs.postings.id) from feed.posts", "jobs belongs to another service"),
            ("select * from posts", "posts is named without its schema"),
            ("insert into posts (id) values ($1)", "posts is named without its schema"),
            ("select 1 from feed.posts p left join likes l on true", "likes is named without its schema"),
            ("update posts set a = 1", "posts is named without its schema"),
            ("delete from only posts", "posts is named without its schema"),
            ("select 1 from (select 2 from posts) as two", "posts is named without its schema"),
            ("update feed.posts set at = now()", "now in an update"),
            ("update feed.posts set at = current_timestamp", "current_timestamp in an update"),
            ("insert into feed.a (id) values ($1) on conflict (id) do update set at = now()", "now in an update"),
        ] {
            let found = found(sql, Kind::Query);
            assert!(found.iter().any(|each| each.contains(expected)), "{sql}: {found:?}");
        }
    }

    #[test]
    fn good_migrations_pass() {
        let sql = "
            create table feed.posts (
                id uuid not null,
                author_id uuid not null,
                at timestamptz not null default now(),
                constraint posts_pkey primary key (id),
                constraint posts_author_id_fkey foreign key (author_id) references feed.authors (id) on update cascade on delete set null
            );
            create unique index concurrently if not exists posts_at_idx on feed.posts (at) where (id is not null);
            alter table if exists feed.posts add column n bigserial;
            insert into feed.outbox_sequence (id, n) values (1, 0);";
        assert_eq!(found(sql, Kind::Migration), Vec::<String>::new());
    }

    #[test]
    fn bad_migrations_are_reported() {
        for (sql, expected) in [
            ("create table posts (id uuid)", "posts is named without"),
            ("create table if not exists posts (id uuid)", "posts is named without"),
            ("create index a on posts (id)", "posts is named without"),
            ("create table feed.a (b uuid references auth.accounts (id))", "auth belongs to another service"),
            ("create table feed.a (b uuid references accounts (id))", "accounts is named without"),
            ("create table feed.a (id bigint generated always as identity)", "identity columns"),
            ("create trigger t after insert on feed.a execute function feed.f()", "no triggers"),
            ("create extension pg_trgm", "belongs to deploy/postgres/bootstrap.sql"),
            ("grant select on feed.a to portia_auth", "belongs to deploy/postgres/bootstrap.sql"),
            ("create schema feed", "belongs to deploy/postgres/bootstrap.sql"),
        ] {
            let found = found(sql, Kind::Migration);
            assert!(found.iter().any(|each| each.contains(expected)), "{sql}: {found:?}");
        }
    }

    #[test]
    fn lines_are_those_of_the_file() {
        let schemas = ["feed".to_owned()];
        let found = violations("select 1;\n\nselect *\nfrom posts", Kind::Query, "feed", &schemas);
        assert_eq!(found.first().map(|each| each.0), Some(4));
    }
}
