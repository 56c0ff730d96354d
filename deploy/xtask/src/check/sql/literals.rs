//! The SQL in Rust source: the string literals among the arguments of whatever sends them to Postgres.

/// Calls with SQL as string arguments.
const CALLS: [&str; 9] = [
    "query!",
    "query_as!",
    "query_scalar!",
    "query",
    "query_as",
    "query_scalar",
    "raw_sql",
    "AssertSqlSafe",
    "QueryBuilder::new",
];

/// Every SQL literal with the line it begins on.
pub(super) fn queries(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    // How many parentheses are open, and at how many the innermost call to Postgres began.
    let mut depth = 0_usize;
    let mut calls: Vec<usize> = Vec::new();
    let mut before = String::new();
    for (line, piece) in pieces(source) {
        match piece {
            Piece::Literal(text) => {
                if !calls.is_empty() {
                    found.push((line, text));
                }
                before.clear();
            }
            Piece::Code('(') => {
                depth += 1;
                // `query::<_, Row>(` has its types between the name and the parenthesis.
                let name = before.split("::<").next().unwrap_or_default();
                if CALLS.iter().any(|call| ends_with_name(name, call)) {
                    calls.push(depth);
                }
                before.clear();
            }
            Piece::Code(')') => {
                if calls.last() == Some(&depth) {
                    calls.pop();
                }
                depth = depth.saturating_sub(1);
                before.clear();
            }
            Piece::Code(other) => {
                if ";{},=".contains(other) && !before.contains("::<") {
                    before.clear();
                } else if !other.is_whitespace() {
                    before.push(other);
                }
            }
        }
    }
    found
}

/// Whether the code ends with this name as a whole word: `sqlx::query`, not `subquery`.
fn ends_with_name(code: &str, name: &str) -> bool {
    code.strip_suffix(name).is_some_and(|rest| !rest.ends_with(|last: char| last.is_alphanumeric() || last == '_'))
}

enum Piece {
    Code(char),
    Literal(String),
}

/// Rust source as characters of code and whole string literals, without comments and characters.
fn pieces(source: &str) -> Vec<(usize, Piece)> {
    let mut pieces = Vec::new();
    let mut rest = source;
    let mut line = 1;
    let mut previous = ' ';
    while let Some(first) = rest.chars().next() {
        let raw_start = !previous.is_alphanumeric() && previous != '_';
        let (length, piece) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), None)
        } else if rest.starts_with("/*") {
            (rest.find("*/").map_or(rest.len(), |end| end + 2), None)
        } else if first == '"' {
            let length = plain_literal(rest);
            (length, Some(Piece::Literal(unescaped(rest.get(1..length - 1).unwrap_or_default()))))
        } else if let (true, Some((length, text))) = (raw_start && first == 'r', raw_literal(rest)) {
            (length, Some(Piece::Literal(text.to_owned())))
        } else if let (true, Some(length)) = (first == '\'', character(rest)) {
            (length, None)
        } else {
            (first.len_utf8(), Some(Piece::Code(first)))
        };
        let (done, left) = rest.split_at(length);
        if let Some(piece) = piece {
            pieces.push((line, piece));
        }
        line += done.matches('\n').count();
        previous = done.chars().last().unwrap_or(' ');
        rest = left;
    }
    pieces
}

/// The length of a literal that begins with a quotation mark; an unfinished one is the rest.
fn plain_literal(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Replaces the escapes that matter to SQL: a continued line and a quotation mark.
fn unescaped(text: &str) -> String {
    text.replace("\\\"", "\"").replace("\\n", "\n").replace("\\\n", "\n")
}

/// The length and text of `r"..."` or `r#"..."#`.
fn raw_literal(text: &str) -> Option<(usize, &str)> {
    let hashes = text.get(1..)?.bytes().take_while(|byte| *byte == b'#').count();
    let start = 1 + hashes + 1;
    let body = text.get(start..)?;
    text.get(start - 1..start).filter(|mark| *mark == "\"")?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = body.find(&end)?;
    Some((start + length + end.len(), body.get(..length)?))
}

/// The length of a character literal; a lifetime is none.
fn character(text: &str) -> Option<usize> {
    let mut letters = text.char_indices().skip(1);
    let (_, first) = letters.next()?;
    if first == '\\' {
        // Whatever is escaped, even a quotation mark, comes before the closing one.
        let (at, _) = letters.skip(1).find(|(_, letter)| *letter == '\'')?;
        return Some(at + 1);
    }
    letters.next().filter(|(_, letter)| *letter == '\'').map(|(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        queries(source).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn finds_every_way_to_ask() {
        let source = r##"
            sqlx::query!("select 1");
            sqlx::query_as!(Row, r#"select "a!" from feed.posts"#, id);
            query_scalar::<_, i64>("select 2").fetch_one(db);
            sqlx::raw_sql(AssertSqlSafe(format!("drop table {name}")));
            let mut builder = QueryBuilder::new("select 3");
        "##;
        let expected = ["select 1", "select \"a!\" from feed.posts", "select 2", "drop table {name}", "select 3"];
        assert_eq!(texts(source), expected);
    }

    #[test]
    fn leaves_sentences_comments_and_characters_alone() {
        let source = r##"
            // query!("select 1")
            /* query!("select 2") */
            let words = "update your profile from time to time";
            let quote = '"'; let escaped = '\''; fn f<'a>(text: &'a str) {}
            subquery("select 3");
            context("select 4", query_name);
        "##;
        assert_eq!(texts(source), Vec::<String>::new());
    }

    #[test]
    fn knows_the_line_and_the_end_of_a_call() {
        let source = "fn f() {\n    query!(\n        \"select 1\"\n    );\n    say(\"hello\");\n}";
        assert_eq!(queries(source), [(3, "select 1".to_owned())]);
    }
}
