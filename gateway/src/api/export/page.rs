//! The HTML page of the archive: one table per section, without scripts.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use serde_json::{Map, Value};

use crate::api::export::about::About;
use crate::edge::html::escape;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}\
                     table{border-collapse:collapse;margin:0 0 1rem}\
                     th,td{border:1px solid #bbb;padding:.3rem .6rem;text-align:left;vertical-align:top}\
                     th{background:#f2f2ee}td{white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate}\
                     ul,dl{margin:0}";

/// Writes the page. Output is not buffered.
pub struct Page<W> {
    out: W,
    /// The columns of the current table. A record with other columns starts a new table.
    columns: Option<Vec<String>>,
    /// Whether the current service has written a record.
    has_records: bool,
    has_service: bool,
}

impl<W: Write> Page<W> {
    /// Starts the page with its heading.
    pub fn begin(mut out: W, about: &About) -> io::Result<Self> {
        let (name, at) = (escape(&about.username), about.at.format("%-d %B %Y, %H:%M UTC"));
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{name} on Portia</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<h1>{name} on Portia</h1>\n\
             <p>Everything Portia kept of you on {at}. The folders beside this page hold the same for programs, as \
             JSON.</p>\n"
        )?;
        Ok(Self { out, columns: None, has_records: false, has_service: false })
    }

    /// Starts the section of a service.
    pub fn service(&mut self, title: &str) -> io::Result<()> {
        self.end_service()?;
        (self.has_service, self.has_records) = (true, false);
        writeln!(self.out, "<h2>{}</h2>", escape(title))
    }

    /// Starts a section.
    pub fn section(&mut self, section: &str) -> io::Result<()> {
        self.end_table()?;
        self.has_records = true;
        writeln!(self.out, "<h3>{}</h3>", escape(&in_words(section)))
    }

    /// Writes a record as a table row.
    pub fn record(&mut self, fields: &Map<String, Value>) -> io::Result<()> {
        if !self.columns.as_ref().is_some_and(|columns| columns.iter().eq(fields.keys())) {
            self.end_table()?;
            let columns: Vec<String> = fields.keys().cloned().collect();
            let titles: String =
                columns.iter().map(|column| format!("<th>{}</th>", escape(&in_words(column)))).collect();
            writeln!(self.out, "<table>\n<tr>{titles}</tr>")?;
            self.columns = Some(columns);
        }
        let mut row = String::new();
        for value in fields.values() {
            row.push_str("<td>");
            write_value(&mut row, value);
            row.push_str("</td>");
        }
        writeln!(self.out, "<tr>{row}</tr>")
    }

    /// Completes the page and returns the output.
    pub fn end(&mut self) -> io::Result<&mut W> {
        self.end_service()?;
        self.out.write_all(b"</body>\n</html>\n")?;
        Ok(&mut self.out)
    }

    fn end_service(&mut self) -> io::Result<()> {
        self.end_table()?;
        if self.has_service && !self.has_records {
            self.out.write_all(b"<p>Nothing.</p>\n")?;
        }
        Ok(())
    }

    fn end_table(&mut self) -> io::Result<()> {
        if self.columns.take().is_some() {
            self.out.write_all(b"</table>\n")?;
        }
        Ok(())
    }
}

/// `recoveryCodes` and `recovery-codes` as 'Recovery codes'.
fn in_words(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        match c {
            '-' | '_' => words.push(' '),
            c if words.is_empty() => words.extend(c.to_uppercase()),
            c if c.is_uppercase() => {
                words.push(' ');
                words.extend(c.to_lowercase());
            }
            c => words.push(c),
        }
    }
    words
}

/// Writes lists and objects as nested HTML lists. serde_json limits their depth.
fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => {}
        Value::Bool(true) => out.push_str("yes"),
        Value::Bool(false) => out.push_str("no"),
        Value::Number(number) => {
            // Writing into a String cannot fail.
            let _ = write!(out, "{number}");
        }
        Value::String(text) => out.push_str(&escape(text)),
        Value::Array(values) => {
            out.push_str("<ul>");
            for value in values {
                out.push_str("<li>");
                write_value(out, value);
                out.push_str("</li>");
            }
            out.push_str("</ul>");
        }
        Value::Object(fields) => {
            out.push_str("<dl>");
            for (name, value) in fields {
                let _ = write!(out, "<dt>{}</dt><dd>", escape(&in_words(name)));
                write_value(out, value);
                out.push_str("</dd>");
            }
            out.push_str("</dl>");
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use serde_json::json;

    use super::*;

    fn page(username: &str, records: &[Value]) -> String {
        let about = About { username: username.to_owned(), at: DateTime::from_timestamp(1_795_176_000, 0).unwrap() };
        let mut page = Page::begin(Vec::new(), &about).unwrap();
        page.service("Account").unwrap();
        for record in records {
            if page.columns.is_none() {
                page.section("recovery-codes").unwrap();
            }
            page.record(record.as_object().unwrap()).unwrap();
        }
        page.service("Jobs").unwrap();
        String::from_utf8(page.end().unwrap().clone()).unwrap()
    }

    #[test]
    fn a_section_is_a_table_with_titles_in_words() {
        let page = page("ana", &[json!({ "madeAt": "today", "used": false }), json!({ "madeAt": null, "used": true })]);
        assert!(
            page.contains("<h2>Account</h2>\n<h3>Recovery codes</h3>\n<table>\n<tr><th>Made at</th><th>Used</th></tr>")
        );
        assert!(page.contains("<tr><td>today</td><td>no</td></tr>\n<tr><td></td><td>yes</td></tr>\n</table>"));
        assert!(page.contains("<h2>Jobs</h2>\n<p>Nothing.</p>\n</body>"));
    }

    #[test]
    fn a_record_with_other_fields_starts_a_new_table() {
        let page = page("ana", &[json!({ "a": 1 }), json!({ "a": 2, "b": [1, { "c": "x" }] })]);
        assert_eq!(page.matches("<table>").count(), 2);
        assert!(page.contains("<td><ul><li>1</li><li><dl><dt>C</dt><dd>x</dd></dl></li></ul></td>"));
    }

    #[test]
    fn texts_of_members_are_escaped() {
        let hostile = "</td><script>alert(1)</script><img src=x onerror=\"alert(1)\">&amp;";
        let page = page(hostile, &[json!({ hostile: hostile, "list": [hostile], "object": { hostile: hostile } })]);
        assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
        assert!(
            page.contains("&lt;/td&gt;&lt;script&gt;") && page.contains("onerror=&quot;") && page.contains("&amp;amp;")
        );
    }
}
