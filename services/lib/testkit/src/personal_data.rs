//! Personal data by declaration: every column that refers to a member says in its comment whether it is exported and erased.
//!
//! The comment stands in the migration, under its table: an author of a table meets the others there, Postgres refuses one on
//! a column that does not exist, and a dropped column takes its own along. Its parts are separated by semicolons:
//!
//! - `exported in posts, comments`: rows are in one of these sections of the export, with every text of the row. `files` is the
//!   section of the bytes of files. `not exported: <reason>` otherwise.
//! - `erased`: no row has the id after the erasure, nor a text of the row when the first such column of its table had it.
//!   `not erased: <reason>` otherwise.
//! - `no member`: the column contains another id. A foreign key to such a column, and an `id` that is the primary key, need no
//!   comment.
//!
//! Text, JSON and bytes follow the columns with the member, and have a comment where they differ. A table without such a column
//! declares its foreign key to a row of a member.

mod rows;

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;
use sqlx::migrate::Migrator;

use crate::Database;

pub use rows::Filled;

/// Panics unless every column of `schema` about a member is declared.
pub async fn assert_declared(schema: &str, migrator: &Migrator) {
    let database = Database::fresh(schema, migrator).await;
    Schema::of(&database).await;
}

/// The columns of a service, with their declarations.
#[derive(Debug)]
struct Schema {
    name: String,
    columns: Vec<Column>,
}

#[derive(Debug, Deserialize)]
struct Column {
    table: String,
    name: String,
    data_type: String,
    is_required: bool,
    has_default: bool,
    comment: Option<String>,
    /// The column is the primary key and is called `id`.
    is_row_id: bool,
    /// The table and the column of a foreign key.
    target_table: Option<String>,
    target_column: Option<String>,
    /// The first value that a check allows.
    allowed: Option<String>,
    /// The number of bytes, or of hexadecimal digits, that a check demands.
    length: Option<i32>,
    #[serde(skip)]
    declared: Declaration,
}

#[derive(Clone, Debug, Default)]
struct Declaration {
    no_member: bool,
    exported: Option<Export>,
    erased: Option<bool>,
}

#[derive(Clone, Debug)]
enum Export {
    In(Vec<String>),
    Not,
}

impl Schema {
    async fn of(database: &Database) -> Self {
        let columns = sqlx::query_scalar::<_, Value>(include_str!("personal_data/columns.sql"));
        let columns =
            columns.bind(database.schema()).fetch_one(database.pool()).await.expect("the catalogue can be read");
        let columns = serde_json::from_value(columns).expect("the catalogue has these columns");
        let mut schema = Self { name: database.schema().to_owned(), columns };
        let mut problems = Vec::new();
        for column in &mut schema.columns {
            match column.comment.as_deref().map_or(Ok(Declaration::default()), Declaration::parse) {
                Ok(declared) => column.declared = declared,
                Err(problem) => problems.push(format!("the comment of {}.{}: {problem}", column.table, column.name)),
            }
        }
        problems.extend(schema.problems());
        assert!(problems.is_empty(), "personal data of {}:\n{}", schema.name, problems.join("\n"));
        schema
    }

    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for column in &self.columns {
            let name = format!("{}.{}.{}", self.name, column.table, column.name);
            let declared = &column.declared;
            let is_complete = declared.exported.is_some() && declared.erased.is_some();
            if self.is_member(column) || self.is_only_way(column) {
                if !is_complete {
                    problems.push(format!(
                        "{name} may refer to a member: write into the migration\n    comment on column {name} is \
                         'exported in <section>; erased';\nor with 'not exported: <reason>', 'not erased: <reason>', or 'no \
                         member' alone, and fill it in {}'s test of personal data",
                        self.name
                    ));
                }
            } else if declared.no_member && !column.is_id() {
                problems.push(format!("{name} is no id: 'no member' says nothing"));
            } else if column.comment.is_some() && !declared.no_member && self.refers(&column.table).is_empty() {
                problems.push(format!("{name} is declared, but no column of its table refers to a member"));
            }
        }
        problems
    }

    fn column(&self, table: &str, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.table == table && column.name == name)
    }

    fn columns_of<'a>(&'a self, table: &'a str) -> impl Iterator<Item = &'a Column> {
        self.columns.iter().filter(move |column| column.table == table)
    }

    fn tables(&self) -> BTreeSet<&str> {
        self.columns.iter().map(|column| column.table.as_str()).collect()
    }

    /// Returns whether the column may contain the id of a member: it is neither the id of its own row nor a key of a table with
    /// other ids, and not declared as another id.
    fn is_member(&self, column: &Column) -> bool {
        if !column.is_id() || column.declared.no_member || (column.is_row_id && column.comment.is_none()) {
            return false;
        }
        let target = column.target_table.as_deref().zip(column.target_column.as_deref());
        target.and_then(|(table, name)| self.column(table, name)).is_none_or(|target| self.is_member(target))
    }

    /// Returns whether the column is the only way from its row to a member.
    fn is_only_way(&self, column: &Column) -> bool {
        !self.columns_of(&column.table).any(|each| self.is_member(each))
            && column.target_table.as_deref().is_some_and(|target| {
                target != column.table
                    && self.columns_of(target).any(|each| self.is_member(each) || self.is_only_way(each))
            })
    }

    /// The columns of a table that lead to a member.
    fn refers<'a>(&'a self, table: &'a str) -> Vec<&'a Column> {
        self.columns_of(table).filter(|column| self.is_member(column) || self.is_only_way(column)).collect()
    }
}

impl Column {
    fn is_id(&self) -> bool {
        matches!(self.data_type.as_str(), "uuid" | "uuid[]")
    }

    fn is_content(&self) -> bool {
        matches!(self.data_type.as_str(), "text" | "text[]" | "jsonb" | "bytea")
    }
}

impl Declaration {
    fn parse(comment: &str) -> Result<Self, String> {
        let mut declared = Self::default();
        for part in comment.split("; ") {
            let (word, reason) = part.split_once(": ").map_or((part, ""), |(word, reason)| (word, reason.trim()));
            match (word, reason) {
                ("no member", _) => declared.no_member = true,
                ("erased", "") => declared.erased = Some(true),
                ("not erased", reason) if !reason.is_empty() => declared.erased = Some(false),
                ("not exported", reason) if !reason.is_empty() => declared.exported = Some(Export::Not),
                _ => {
                    let sections = part.strip_prefix("exported in ").ok_or_else(|| {
                        format!(
                            "`{part}` is none of `exported in <section>`, `not exported: <reason>`, `erased`, \
                             `not erased: <reason>`, `no member`"
                        )
                    })?;
                    declared.exported = Some(Export::In(sections.split(", ").map(str::to_owned).collect()));
                }
            }
        }
        Ok(declared)
    }
}
