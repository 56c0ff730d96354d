//! One row of a member in every declared table, and the proof that the export contains it and the erasure does not leave it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use serde_json::Value;
use sqlx::{AssertSqlSafe, PgConnection};
use uuid::Uuid;

use super::{Column, Export, Schema};
use crate::{Database, Harness, member};

/// The rows of [`Filled::MEMBER`] in a round.
#[derive(Debug)]
pub struct Filled<'a> {
    database: &'a Database,
    schema: Schema,
    rows: Vec<Row>,
    is_first: bool,
}

#[derive(Debug)]
struct Row {
    table: String,
    /// The column with the member; None for the row of another member.
    column: Option<String>,
    /// Whether no earlier round had the member in this column.
    is_new: bool,
    insert: String,
    content: Value,
}

/// Which rows are the member's.
#[derive(Clone, Copy)]
struct Round {
    /// The place among the columns of a table that refer to a member.
    column: usize,
    /// Rows with fewer rows of members above them belong to another member.
    depth: usize,
}

impl<'a> Filled<'a> {
    /// The member whose rows these are.
    pub const MEMBER: Uuid = member(1);
    /// The id of every row, so that every row belongs to every other.
    pub const ROW: Uuid = Uuid::from_u128(0x0193_aaaa_0000_7000_8000_0000_0000_0001);

    /// Inserts the rows of the `n`th round; None after the last one. The first round has the member in the first column of each
    /// table, the next ones in the others, and the last ones only in rows that belong to rows of another member.
    ///
    /// A column has a value that its type and checks allow, or the SQL that `values` give it by `table.column`, by
    /// `table.column when other_column` for a row with the member in that column, by `table.column when other` for a row of another
    /// member. `{member}` and `{row}` are [`Self::MEMBER`] and [`Self::ROW`]. A table named alone stays empty: the erasure fills it.
    pub async fn of(harness: &'a Harness, n: usize, values: &[(&str, &str)]) -> Option<Self> {
        let database = harness.database();
        let schema = Schema::of(database).await;
        let round = schema.rounds().nth(n)?;
        let values: BTreeMap<&str, &str> = values.iter().copied().collect();
        let now = harness.clock.now().to_rfc3339();
        let mut connection = without_triggers(database).await;
        let mut filled = Self { database, rows: Vec::new(), is_first: n == 0, schema };
        for table in filled.schema.filled_tables().into_iter().filter(|table| !values.contains_key(table.as_str())) {
            let column = filled.schema.column_with_the_member(&table, round);
            let is_new = round.depth > 0 || filled.schema.refers(&table).len() > round.column;
            let insert = filled.schema.insert(&table, column.as_deref(), &values, &now);
            let content = sqlx::query_scalar(AssertSqlSafe(format!("{insert} returning to_jsonb(t)")));
            let content = content.fetch_one(&mut connection).await.unwrap_or_else(|error| panic!("{insert}: {error}"));
            filled.rows.push(Row { table, column, is_new, insert, content });
        }
        Some(filled)
    }

    async fn run(&self, sql: &str) {
        let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut without_triggers(self.database).await).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    /// Panics unless the records of `export`, by section, contain every row that is declared as exported.
    pub async fn assert_exported(&self, export: impl AsyncFn() -> Vec<(String, String)>) {
        let mut problems = Vec::new();
        let whole = export().await;
        for row in self.rows.iter().filter(|row| row.is_new) {
            let Some(column) = row.column.as_deref().and_then(|name| self.schema.column(&row.table, name)) else {
                continue;
            };
            let Some(Export::In(sections)) = &column.declared.exported else { continue };
            let name = format!("{}.{}", row.table, column.name);
            let records = of_sections(&whole, sections);
            self.run(&format!("delete from {}.{}", self.schema.name, row.table)).await;
            if of_sections(&export().await, sections) == records {
                problems.push(format!("{name}: the row changes nothing in the sections {sections:?} of the export"));
            }
            self.run(&row.insert).await;
            for content in self.schema.columns_of(&row.table).filter(|column| self.is_first && column.is_content()) {
                let sections = match &content.declared.exported {
                    Some(Export::Not) => continue,
                    Some(Export::In(other)) => other,
                    None => sections,
                };
                let records = of_sections(&whole, sections);
                for text in texts(content, row.content.get(&content.name)) {
                    if !records.contains(&text) {
                        problems.push(format!(
                            "{}.{}: `{text}` is not in the sections {sections:?} of the export; if that is right, \
                             declare it as 'not exported: <reason>'",
                            row.table, content.name
                        ));
                    }
                }
            }
        }
        assert!(problems.is_empty(), "the export of {}:\n{}\n{whole:?}", self.schema.name, problems.join("\n"));
    }

    /// Panics if a column that is declared as erased still has the member, or a text of the member's row.
    pub async fn assert_erased(&self) {
        let mut problems = Vec::new();
        let (schema, id) = (&self.schema.name, Self::MEMBER);
        let mut keeping = BTreeSet::new();
        for table in self.schema.tables() {
            for column in self.schema.refers(table) {
                if column.declared.erased != Some(true) {
                    keeping.insert(table.to_owned());
                } else if self.schema.is_member(column)
                    && self.holds(table, &format!("'{id}' = any (array[{}])", column.name)).await
                {
                    problems.push(format!("{table}.{} still has the member", column.name));
                }
            }
        }
        for table in self.database.tables_referencing(id).await {
            if !keeping.contains(&table) {
                problems.push(format!("a row of {table} still contains the id of the member"));
            }
        }
        for row in self.rows.iter().filter(|_| self.is_first) {
            let owner = row.column.as_deref().and_then(|name| self.schema.column(&row.table, name));
            let Some(owner) = owner.and_then(|owner| owner.declared.erased) else { continue };
            for column in self.schema.columns_of(&row.table).filter(|column| column.is_content()) {
                let filled = row.content.get(&column.name).unwrap_or(&Value::Null);
                let condition = format!("to_jsonb(t) -> '{}' = '{filled}'", column.name);
                if column.declared.erased.unwrap_or(owner)
                    && !matches!(filled, Value::Null)
                    && self.holds(&row.table, &condition).await
                {
                    problems.push(format!(
                        "{}.{} still has `{filled}`; if that is right, declare it as 'not erased: <reason>'",
                        row.table, column.name
                    ));
                }
            }
        }
        assert!(problems.is_empty(), "the erasure of {schema}:\n{}", problems.join("\n"));
    }

    async fn holds(&self, table: &str, condition: &str) -> bool {
        let query = format!("select exists (select from {}.{table} t where {condition})", self.schema.name);
        let found = sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(&mut self.database.as_owner().await).await;
        found.unwrap_or_else(|error| panic!("{table} where {condition}: {error}"))
    }
}

/// A connection without triggers and foreign keys: rows are inserted and taken out in any order.
async fn without_triggers(database: &Database) -> PgConnection {
    let mut connection = database.superuser().await;
    let set = sqlx::raw_sql("set session_replication_role = replica").execute(&mut connection).await;
    set.expect("the superuser may");
    connection
}

fn with_ids(sql: &str) -> String {
    sql.replace("{member}", &Filled::MEMBER.to_string()).replace("{row}", &Filled::ROW.to_string())
}

fn of_sections(records: &[(String, String)], sections: &[String]) -> String {
    records.iter().filter(|(section, _)| sections.contains(section)).fold(
        String::new(),
        |mut all, (section, record)| {
            _ = writeln!(all, "{section} {record}");
            all
        },
    )
}

/// The texts of a column that the export must contain.
fn texts(column: &Column, filled: Option<&Value>) -> Vec<String> {
    match filled {
        Some(Value::String(_)) if column.data_type == "bytea" => vec![column.mark()],
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(items)) => items.iter().flat_map(|item| texts(column, Some(item))).collect(),
        Some(Value::Object(fields)) => fields.values().flat_map(|field| texts(column, Some(field))).collect(),
        _ => Vec::new(),
    }
}

impl Schema {
    fn rounds(&self) -> impl Iterator<Item = Round> {
        let tables = self.tables();
        let columns = tables.iter().map(|table| self.refers(table).len()).max().unwrap_or_default();
        let with_member = tables.iter().filter(|table| self.refers(table).iter().any(|id| self.is_member(id)));
        let depth = with_member.map(|table| self.depth(table)).max().unwrap_or_default();
        let columns = (0..columns).map(|column| Round { column, depth: 0 });
        columns.chain((1..=depth).map(|depth| Round { column: 0, depth }))
    }

    /// The tables above the rows of this one by foreign keys, but for those that have the member as their key.
    fn above<'a>(&'a self, table: &'a str) -> impl Iterator<Item = &'a str> {
        let keys = self.columns_of(table).filter(|column| column.is_id() && !self.is_member(column));
        keys.filter_map(|column| column.target_table.as_deref()).filter(move |target| *target != table)
    }

    /// The number of rows of members above a row.
    fn depth(&self, table: &str) -> usize {
        let of = |target: &str| self.depth(target) + usize::from(!self.refers(target).is_empty());
        self.above(table).map(of).max().unwrap_or_default()
    }

    /// The tables with a column that leads to a member, and those above.
    fn filled_tables(&self) -> BTreeSet<String> {
        let mut open: Vec<&str> = self.tables().into_iter().filter(|table| !self.refers(table).is_empty()).collect();
        let mut filled = BTreeSet::new();
        while let Some(table) = open.pop() {
            if filled.insert(table.to_owned()) {
                open.extend(self.above(table));
            }
        }
        filled
    }

    fn column_with_the_member(&self, table: &str, round: Round) -> Option<String> {
        let columns = self.refers(table);
        let column = columns.get(round.column).or_else(|| columns.first())?;
        let is_mine = if self.is_member(column) { self.depth(table) >= round.depth } else { round.depth == 0 };
        is_mine.then(|| column.name.clone())
    }

    fn insert(&self, table: &str, with_the_member: Option<&str>, values: &BTreeMap<&str, &str>, now: &str) -> String {
        let refers: Vec<&str> = self.refers(table).iter().map(|column| column.name.as_str()).collect();
        let mine = with_the_member.and_then(|name| refers.iter().position(|each| *each == name));
        let mut names = Vec::new();
        let mut filled = Vec::new();
        for column in self.columns_of(table) {
            let name = format!("{table}.{}", column.name);
            let when = values.get(format!("{name} when {}", with_the_member.unwrap_or("other")).as_str());
            let place = refers.iter().position(|each| *each == column.name);
            let value = when.or_else(|| values.get(name.as_str())).map(|sql| with_ids(sql)).or_else(|| match place {
                Some(place) if self.is_member(column) => column.member(place, mine),
                Some(_) => Some(format!("'{}'", Filled::ROW)),
                None => column.value(now),
            });
            if let Some(value) = value {
                names.push(column.name.as_str());
                filled.push(value);
            }
        }
        format!("insert into {}.{table} as t ({}) values ({})", self.name, names.join(", "), filled.join(", "))
    }
}

impl Column {
    /// The SQL of a column that refers to a member. Other members have lesser ids before the member's column and greater ones after
    /// it, as pairs in order need.
    fn member(&self, place: usize, mine: Option<usize>) -> Option<String> {
        let id = match mine {
            Some(mine) if mine == place => Filled::MEMBER,
            _ if !self.is_required && (mine.is_some() || place > 0) => return None,
            Some(mine) if mine < place => Uuid::from_u128(0x0194_0000_0000_7000_8000_0000_0000_0000 + place as u128),
            _ => Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0000 + place as u128),
        };
        Some(if self.data_type == "uuid[]" { format!("array['{id}'::uuid]") } else { format!("'{id}'") })
    }

    /// The SQL of another column.
    fn value(&self, now: &str) -> Option<String> {
        let mark = self.mark();
        let value = match (self.data_type.as_str(), self.length, &self.allowed) {
            ("text", _, Some(allowed)) => format!("'{allowed}'"),
            ("text", Some(digits), _) => format!("substring(repeat(md5('{mark}'), 4) for {digits})"),
            ("text", None, None) => format!("'{mark}'"),
            ("text[]", ..) => format!("array['{mark}']"),
            ("jsonb", ..) => format!("jsonb_build_object('text', '{mark}')"),
            ("bytea", length, _) => format!("convert_to(rpad('{mark}', {}), 'UTF8')", length.unwrap_or(64)),
            ("smallint" | "integer" | "bigint", ..) if self.is_required && self.name != "id" => "1".to_owned(),
            _ if !self.is_required || self.has_default => return None,
            ("uuid", ..) => format!("'{}'", Filled::ROW),
            ("uuid[]", ..) => "'{}'".to_owned(),
            ("boolean", ..) => "false".to_owned(),
            ("date" | "timestamp with time zone", ..) => format!("'{now}'"),
            _ => "1".to_owned(),
        };
        Some(value)
    }

    /// The text of the member in this column.
    fn mark(&self) -> String {
        format!("{} {}", self.table, self.name)
    }
}
