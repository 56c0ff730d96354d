//! Migrations that block requests, or the release before, are refused.
//!
//! Each migration is one transaction, which keeps its locks until the end. A lock of a table that excludes reads may be held for a moment,
//! never for the time of a scan.

use super::tokens::{Token, tokens};

/// The first line that makes sqlx run a migration outside of a transaction.
const OUTSIDE: &str = "-- no-transaction";

/// Functions whose value differs for each row: a default of them rewrites the table.
const VOLATILE: [&str; 5] = ["gen_random_uuid", "random", "clock_timestamp", "nextval", "timeofday"];

/// Returns line and complaint for everything in a migration that blocks.
pub(super) fn violations(sql: &str) -> Vec<(usize, String)> {
    let tokens = tokens(sql);
    let statements: Vec<Statement<'_>> =
        tokens.split(|token| token.text == ";").filter(|part| !part.is_empty()).map(Statement).collect();
    let created: Vec<String> = statements.iter().filter_map(Statement::created_table).collect();
    let outside = sql.starts_with(OUTSIDE);
    let mut found = Vec::new();
    for statement in &statements {
        let mut complain = |what: &str| found.push((statement.line(), what.to_owned()));
        if statement.contains(&["concurrently"]) != outside {
            complain("an index is built concurrently, and such a file begins with `-- no-transaction`");
        }
        if outside && statements.len() > 1 {
            complain(
                "a file with `-- no-transaction` contains one statement: another attempt must not repeat the first",
            );
        }
        let table = statement.altered_table();
        if table.is_some_and(|table| created.contains(&table)) {
            continue;
        }
        for what in statement.complaints() {
            complain(what);
        }
        let validates_its_own = statement.contains(&["validate", "constraint"])
            && statements.iter().any(|other| other.contains(&["not", "valid"]));
        if validates_its_own {
            complain(
                "`validate constraint` belongs to a later file than `not valid`: they would share its transaction",
            );
        }
        if statement.breaks_earlier_releases() && !statements.iter().any(Statement::raises_compatibility) {
            complain("earlier releases use what this removes: update the table `compatibility` in the same file");
        }
    }
    found
}

struct Statement<'a>(&'a [Token]);

impl Statement<'_> {
    fn line(&self) -> usize {
        self.0.first().map_or(1, |token| token.line)
    }

    fn text(&self, at: usize) -> &str {
        self.0.get(at).map_or("", |token| token.text.as_str())
    }

    fn starts(&self, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(at, word)| self.text(at) == *word)
    }

    fn contains(&self, words: &[&str]) -> bool {
        self.0.windows(words.len()).any(|window| window.iter().zip(words).all(|(token, word)| token.text == *word))
    }

    /// The name with its schema that follows this word.
    fn name_after(&self, word: &str) -> Option<String> {
        let skipped = ["if", "not", "exists", "only", "concurrently"];
        let mut at = self.0.iter().position(|token| token.text == word)? + 1;
        while skipped.contains(&self.text(at)) {
            at += 1;
        }
        let name = |at: usize| self.text(at).to_owned();
        Some(if self.text(at + 1) == "." { format!("{}.{}", name(at), name(at + 2)) } else { name(at) })
    }

    fn created_table(&self) -> Option<String> {
        (self.starts(&["create"]) && !self.is_index()).then(|| self.name_after("table")).flatten()
    }

    fn is_index(&self) -> bool {
        self.starts(&["create", "index"]) || self.starts(&["create", "unique", "index"])
    }

    /// The table of `alter table` or `create index`.
    fn altered_table(&self) -> Option<String> {
        if self.is_index() { self.name_after("on") } else { self.name_after("table") }
    }

    fn complaints(&self) -> Vec<&'static str> {
        let mut found = Vec::new();
        if self.is_index() && !self.contains(&["concurrently"]) {
            found.push(
                "`create index` blocks writes of an existing table: `create index concurrently` in a file of its own",
            );
        }
        if self.starts(&["drop", "index"]) && !self.contains(&["concurrently"]) {
            found.push("`drop index` excludes reads: `drop index concurrently` in a file of its own");
        }
        if self.starts(&["truncate"]) {
            found.push("`truncate` excludes reads until the end of the transaction: delete the rows");
        }
        if !self.starts(&["alter", "table"]) {
            return found;
        }
        let constraints = ["constraint", "check", "unique", "primary", "foreign"];
        let adds_constraint = constraints.iter().any(|object| self.contains(&["add", object]));
        let checks = self.contains(&["check", "("]) || self.contains(&["foreign", "key"]);
        if adds_constraint && checks && !self.contains(&["not", "valid"]) {
            found.push(
                "a constraint scans the table under its lock: add it `not valid`, and validate it in a later file",
            );
        }
        let is_unique = self.contains(&["unique"]) || self.contains(&["primary", "key"]);
        if adds_constraint && is_unique && !self.contains(&["using", "index"]) {
            found
                .push("a unique constraint builds its index under the lock: build it concurrently, then `using index`");
        }
        if self.contains(&["set", "not", "null"]) {
            found.push("`set not null` scans the table under its lock: a check `not valid`, validated in a later file, is the same");
        }
        if self.contains(&["type"]) && self.contains(&["alter", "column"]) {
            found.push("a new type rewrites the table under its lock: add a column instead");
        }
        if self.column_after("add") {
            if self.new_columns().any(|column| column.is_constrained()) {
                found.push("a constraint of a new column scans the table under its lock: add it by an action of its own, `not valid`");
            }
            let computed = ["bigserial", "serial", "smallserial", "generated"];
            if self.0.iter().any(|token| computed.contains(&token.text.as_str()))
                || VOLATILE.iter().any(|function| self.contains(&[function, "("]))
            {
                found.push("a column whose value differs by row rewrites the table under its lock");
            }
            if self.contains(&["not", "null"]) && !self.contains(&["default"]) {
                found.push("a column that is `not null` needs a default: the release before does not write it");
            }
        }
        found
    }

    fn breaks_earlier_releases(&self) -> bool {
        let renames = self.contains(&["rename"]) && !self.contains(&["rename", "constraint"]);
        self.starts(&["drop", "table"]) || (self.starts(&["alter", "table"]) && (self.column_after("drop") || renames))
    }

    /// The actions of `alter table` that add a column.
    fn new_columns(&self) -> impl Iterator<Item = Statement<'_>> {
        let mut depth = 0_usize;
        let actions = self.0.split(move |token| {
            match token.text.as_str() {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && token.text == ","
        });
        actions.map(Statement).filter(|action| action.column_after("add"))
    }

    fn is_constrained(&self) -> bool {
        self.contains(&["check", "("]) || self.contains(&["references"]) || self.contains(&["unique"])
    }

    /// Whether an action of `alter table` begins with this word and concerns a column: the word `column` may be left out.
    fn column_after(&self, word: &str) -> bool {
        let others = [
            "constraint",
            "check",
            "unique",
            "primary",
            "foreign",
            "exclude",
            "not",
            "default",
            "identity",
            "expression",
        ];
        self.0.windows(2).any(
            |pair| matches!(pair, [action, object] if action.text == word && !others.contains(&object.text.as_str())),
        )
    }

    fn raises_compatibility(&self) -> bool {
        self.starts(&["update"]) && self.contains(&["compatibility"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_blocks_nothing_passes() {
        for sql in [
            "create table feed.a (id bigint); create index a_id_idx on feed.a (id); alter table feed.a alter column id set not null;",
            "-- no-transaction\ncreate index concurrently a_id_idx on feed.a (id);",
            "-- no-transaction\ndrop index concurrently feed.a_id_idx;",
            "alter table feed.a add column name text;",
            "alter table feed.a add column n bigint not null default 0;",
            "alter table feed.a add constraint a_n_check check (n > 0) not valid;",
            "alter table feed.a validate constraint a_n_check;",
            "alter table feed.a add constraint a_n_key unique using index a_n_idx;",
            "alter table feed.a drop constraint a_n_check;",
            "alter table feed.a rename constraint a_n_check to a_m_check;",
            "alter table feed.a alter column n drop not null;",
            "alter table feed.a add column n numeric(4, 2), add constraint a_n_check check (n > 0) not valid;",
            "alter table feed.a drop column n; update feed.compatibility set oldest = 20261202000000 where id = 1;",
            "insert into feed.a (id) values (1);",
        ] {
            assert_eq!(violations(sql), Vec::new(), "{sql}");
        }
    }

    #[test]
    fn what_blocks_is_reported() {
        for (sql, expected) in [
            ("create index a_id_idx on feed.a (id);", "blocks writes"),
            ("create index concurrently a_id_idx on feed.a (id);", "no-transaction"),
            ("-- no-transaction\nalter table feed.a add column n bigint;", "no-transaction"),
            (
                "-- no-transaction\ncreate index concurrently a on feed.a (id); create index concurrently b on feed.a (n);",
                "one statement",
            ),
            ("alter table feed.a add constraint a_n_check check (n > 0);", "not valid"),
            ("alter table feed.a add constraint a_b_fkey foreign key (b) references feed.b (id);", "not valid"),
            (
                "alter table feed.a add constraint c check (n > 0) not valid; alter table feed.a validate constraint c;",
                "later file",
            ),
            ("alter table feed.a add constraint a_n_key unique (n);", "using index"),
            ("alter table feed.a alter column n set not null;", "set not null"),
            ("alter table feed.a alter column n type text;", "rewrites"),
            ("alter table feed.a add column n bigserial;", "rewrites"),
            ("alter table feed.a add column n uuid default gen_random_uuid();", "rewrites"),
            ("alter table feed.a add column n bigint not null;", "default"),
            ("alter table feed.a drop column n;", "compatibility"),
            ("alter table feed.a rename to b;", "compatibility"),
            ("alter table feed.a drop n;", "compatibility"),
            ("alter table feed.a drop constraint a_n_check, drop column n;", "compatibility"),
            ("drop table feed.a;", "compatibility"),
            ("alter table feed.a add column n bigint check (n > 0);", "scans"),
            ("alter table feed.a add n bigint references feed.b (id);", "scans"),
            ("alter table feed.a add check (n > 0);", "not valid"),
            ("drop index feed.a_id_idx;", "excludes reads"),
            ("truncate feed.a;", "excludes reads"),
        ] {
            let found = violations(sql);
            assert!(found.iter().any(|(_, what)| what.contains(expected)), "{sql}: {found:?}");
        }
    }
}
