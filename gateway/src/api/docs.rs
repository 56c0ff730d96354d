//! The API document for programs (`/api/openapi.json`) and its reader (`/api/docs`, HTML without scripts).
#![expect(clippy::indexing_slicing, reason = "reading a JSON value by a key it lacks gives null")]

use std::fmt::Write as _;

use axum::response::{Html, IntoResponse};
use http::header;
use serde_json::Value;

use crate::edge::html::escape;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];
const STYLE: &str = include_str!("docs.css");

/// The OpenAPI document and its HTML reader.
pub struct Docs {
    document: String,
    reader: String,
}

impl Docs {
    /// Renders the reader of `document` (JSON).
    pub fn new(document: String) -> Self {
        Self { reader: page(&serde_json::from_str(&document).unwrap_or_default()), document }
    }

    /// The OpenAPI document.
    pub fn document(&'static self) -> impl IntoResponse {
        ([(header::CONTENT_TYPE, "application/json")], self.document.as_str())
    }

    /// The reader. Its content security policy allows only its stylesheet, by hash.
    pub fn reader(&'static self) -> impl IntoResponse {
        ([(header::CONTENT_SECURITY_POLICY, policy())], Html(self.reader.as_str()))
    }
}

fn policy() -> String {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use sha2::{Digest as _, Sha256};
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
}

fn page(document: &Value) -> String {
    let mut body = String::new();
    for (path, item) in entries(&document["paths"]) {
        for (method, operation) in METHODS.iter().filter_map(|method| Some((method, item.get(method)?))) {
            // Writing into a String cannot fail.
            let _ = write_operation(&mut body, method, path, operation);
        }
    }
    let mut schemas = String::new();
    for (name, schema) in entries(&document["components"]["schemas"]) {
        let _ = write_schema(&mut schemas, name, schema);
    }
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Portia API</title><style>{STYLE}</style></head><body><main>\
         <h1>Portia API</h1><p>{}</p><p><a href=\"/api/openapi.json\">openapi.json</a></p>\
         <h2>Routes</h2>{body}<h2>Shapes</h2>{schemas}</main></body></html>",
        escape(text(&document["info"]["description"]))
    )
}

fn write_operation(out: &mut String, method: &str, path: &str, operation: &Value) -> std::fmt::Result {
    let lock = if operation.get("security").is_some() { " <small>members only</small>" } else { "" };
    write!(
        out,
        "<section><h3><code class=\"{method}\">{}</code> <code>{}</code>{lock}</h3>",
        method.to_uppercase(),
        escape(path)
    )?;
    write!(out, "<p>{}</p><dl>", escape(text(&operation["summary"])))?;
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let (name, place) = (escape(text(&parameter["name"])), escape(text(&parameter["in"])));
        let kind = kind(&parameter["schema"]);
        write!(
            out,
            "<dt><code>{name}</code> {kind} <small>{place}</small></dt><dd>{}</dd>",
            escape(text(&parameter["description"]))
        )?;
    }
    let sent = &operation["requestBody"]["content"]["application/json"]["schema"];
    if !sent.is_null() {
        write!(out, "<dt>body</dt><dd>{}</dd>", kind(sent))?;
    }
    for (status, answer) in entries(&operation["responses"]) {
        let media = entries(&answer["content"]).next().map(|(_, media)| kind(&media["schema"])).unwrap_or_default();
        write!(out, "<dt>{} {media}</dt><dd>{}</dd>", escape(status), escape(text(&answer["description"])))?;
    }
    out.write_str("</dl></section>")
}

fn write_schema(out: &mut String, name: &str, schema: &Value) -> std::fmt::Result {
    let name = escape(name);
    write!(
        out,
        "<section id=\"{name}\"><h3><code>{name}</code></h3><p>{}</p><dl>",
        escape(text(&schema["description"]))
    )?;
    for value in schema["enum"].as_array().into_iter().flatten() {
        write!(out, "<dt><code>{}</code></dt>", escape(text(value)))?;
    }
    for (field, property) in entries(&schema["properties"]) {
        let description = escape(text(&property["description"]));
        write!(out, "<dt><code>{}</code> {}</dt><dd>{description}</dd>", escape(field), kind(property))?;
    }
    out.write_str("</dl></section>")
}

/// A short description of a schema. The name of a schema is a link to it.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        let name = escape(name);
        return format!("<a href=\"#{name}\">{name}</a>");
    }
    let either = schema["oneOf"].as_array().into_iter().flatten().map(kind).collect::<Vec<_>>().join(" or ");
    if !either.is_empty() {
        return either;
    }
    let names: Vec<&str> = match &schema["type"] {
        Value::Array(names) => names.iter().map(text).collect(),
        name => vec![text(name)],
    };
    match names.as_slice() {
        ["array"] => format!("list of {}", kind(&schema["items"])),
        names => escape(&names.join(" or ")),
    }
}

fn entries(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
