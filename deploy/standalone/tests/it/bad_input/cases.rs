//! The requests of the corpus: a valid one with a bad value in one place.

use serde_json::{Value, json};

use super::{
    bases::{Base, Prepared},
    document::{Form, Operation, Place, Rule},
    limits,
    raw_client::Reply,
    values::{self, BadValue, Turns, bad},
};
use crate::matrix::fixture::PNG;

/// A place of a request, and the bad value in it.
#[derive(Clone)]
pub struct Case {
    /// The number of the valid request.
    pub base: usize,
    pub place: At,
    pub value: BadValue,
}

/// The place of the bad value.
#[derive(Clone)]
pub enum At {
    /// The whole body.
    Body,
    /// The JSON pointer of a field.
    Field(String),
    /// The number of a part of the path.
    Path(usize),
    /// The name of a parameter of the query.
    Query(String),
    /// The name of a header.
    Header(String),
}

/// Bodies in place of a form by kind, and whether they are refused. An empty body counts as `{}`.
const BODIES: [(&str, &[u8], bool); 12] = [
    ("empty", b"", false),
    ("null", b"null", false),
    ("without fields", b"{}", false),
    ("no object", b"[]", true),
    ("no object", b"\"text\"", true),
    ("no object", b"7", true),
    ("malformed", b"{", true),
    ("malformed", b"{}{}", true),
    ("malformed", b"\xef\xbb\xbf{}", true),
    ("malformed", b"\xff\xfe{\0}\0", true),
    ("malformed", b"{\"a\":1,}", true),
    ("malformed", b"{'a':1}", true),
];

/// Bytes in place of a file.
const FILES: [&[u8]; 5] = [b"", b"text", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0\0\x10JFIF\0", b"GIF89a"];

/// The cases of an operation.
pub fn of(operation: &Operation, bases: &[Base], turns: &mut Turns) -> Vec<Case> {
    let mut all = Vec::new();
    for parameter in &operation.parameters {
        let place = match parameter.place {
            Place::Path => {
                let mark = format!("{{{}}}", parameter.name);
                At::Path(operation.route.split('/').position(|part| part == mark).unwrap())
            }
            Place::Query => At::Query(parameter.name.clone()),
            Place::Header => At::Header(parameter.name.clone()),
        };
        let values =
            turns.of(class(&format!("{:?}", parameter.place), &parameter.rule), values::of_parameter(parameter));
        all.extend(values.into_iter().map(|value| Case { base: 0, place: place.clone(), value }));
    }
    for form in &operation.forms {
        let base = bases.iter().position(|base| base.has_form(form));
        // A picture is sent as PNG or as JPEG.
        let Some(first) = base.or((form.media == "image/jpeg").then_some(0)) else {
            panic!("{} {}: no valid {}", operation.method, operation.route, form.media)
        };
        let values = turns.of(form.media.clone(), bodies(form));
        all.extend(values.into_iter().map(|value| Case { base: first, place: At::Body, value }));
        for field in &form.fields {
            let of_form = |base: &Base| base.has_form(form);
            let has = |base: &Base| of_form(base) && base.form().pointer(&field.pointer).is_some();
            let parent = field.pointer.rsplit_once('/').unwrap().0;
            let has_parent = |base: &Base| {
                of_form(base)
                    && base.form().pointer(parent).is_some_and(|parent| parent.is_object() || parent.is_array())
            };
            let base = bases.iter().position(has).or_else(|| bases.iter().position(has_parent)).unwrap_or_else(|| {
                panic!("{} {}: no valid request has a place for {}", operation.method, operation.route, field.pointer)
            });
            let place = At::Field(field.pointer.clone());
            let mut values = values::of_field(field);
            // Of a report of a browser, the last value of a name counts.
            values.retain(|value| form.media == "application/json" || value.name != "twice");
            let mut values = turns.of(class(&form.media, &field.rule), values);
            values.extend(limits::of_field(field, &bases[base].form()));
            all.extend(values.into_iter().map(|value| Case { base, place: place.clone(), value }));
            if let Some(max) = field.rule.max_length_without_title {
                let base = bases.iter().position(|base| has(base) && base.form().get("title").is_none()).unwrap();
                let values = limits::around(&field.rule, &field.pointer, max).into_iter();
                all.extend(values.map(|value| Case { base, place: place.clone(), value }));
            }
        }
    }
    all
}

/// The places that one extractor or parsed type reads.
fn class(place: &str, rule: &Rule) -> String {
    format!("{place} {:?} {} {}", rule.types, rule.format, rule.choices.is_empty())
}

/// Bad values of a whole body.
fn bodies(form: &Form) -> Vec<BadValue> {
    let value = |kind: &str, raw: &[u8], is_refused| bad(kind, raw.escape_ascii().to_string(), raw, is_refused);
    if form.media.ends_with("json") {
        let is_list = form.media == "application/reports+json";
        let values = BODIES.iter();
        let values = values.map(|(kind, raw, is_refused)| value(kind, raw, *is_refused && !(is_list && *raw == b"[]")));
        let long = [("an open list", vec![b'['; 50_000]), ("1 MB", vec![b' '; 1 << 20])];
        return values.chain(long.map(|(name, raw)| bad(name, name, raw, true))).collect();
    }
    if form.fields.is_empty() && !form.media.ends_with("report") {
        // Every file has a decoder of its own.
        return FILES.iter().map(|raw| value(&raw.escape_ascii().to_string(), raw, true)).collect();
    }
    Vec::new()
}

impl Case {
    /// Describes the case for the list of failures.
    pub fn describe(&self) -> String {
        let name: String = self.value.name.chars().take(80).collect();
        match &self.place {
            At::Body => format!("{name} as the body"),
            At::Field(pointer) => format!("{name} as {pointer}"),
            At::Path(part) => format!("{name} as part {part} of the path"),
            At::Query(parameter) => format!("{name} as ?{parameter}="),
            At::Header(header) => format!("{name} as {header}"),
        }
    }

    /// Whether a value that the document refuses is refused for that reason: by its status, or by its name in the error.
    pub fn is_refused_by(&self, operation: &Operation, reply: &Reply) -> bool {
        let is_named = match &self.place {
            At::Field(pointer) => {
                let name = pointer.rsplit('/').next().unwrap_or_default();
                reply.status == 403 && reply.json()["fields"][name].is_string()
            }
            _ => false,
        };
        is_named || self.refusals(operation).is_none_or(|expected| expected.contains(&reply.status))
    }

    /// Whether the error says what is wrong with the body: that it is no JSON, or which field has another type or length.
    pub fn is_explained_by(&self, operation: &Operation, reply: &Reply) -> bool {
        let is_json = operation.forms.iter().all(|form| form.media == "application/json");
        let is_long = self.value.kind == limits::BEYOND;
        if !is_json || reply.status != 400 && !is_long {
            return true;
        }
        let is_typed = [values::SCALAR, values::COMPOUND].contains(&&*self.value.kind);
        // A credential is an object of the browser: the error names its part alone.
        let is_of_browser = operation.route.contains("/passkeys");
        match &self.place {
            At::Body | At::Field(_) if self.value.kind == "malformed" => reply.json()["code"] == "MALFORMED_JSON",
            At::Field(pointer) if is_long || is_typed && !is_of_browser && !pointer.contains("/passkey") => {
                // `/experiences/0/title` is named `experiences[0].title`.
                let name = pointer.trim_start_matches('/').replace("/0", "[0]").replace('/', ".");
                let problem = reply.json();
                let mut names = problem["fields"].as_object().into_iter().flatten().map(|(name, _)| name);
                reply.status == 400 && names.any(|named| named.starts_with(&name))
            }
            _ => true,
        }
    }

    /// The statuses with which a value is refused that the document refuses; of others any status of a client's error.
    fn refusals(&self, operation: &Operation) -> Option<&'static [u16]> {
        if !self.value.is_refused {
            return None;
        }
        let is_id = |rule: &Rule| rule.format == "uuid";
        match &self.place {
            At::Body => Some(&[400, 413]),
            At::Field(pointer) => {
                let mut fields = operation.forms.iter().flat_map(|form| &form.fields);
                // Another id may be of a member or an entity that the caller may not name.
                let names_id = fields.any(|field| field.pointer == *pointer && is_id(&field.rule));
                Some(if names_id { &[400, 403, 404, 413] } else { &[400, 413] })
            }
            At::Path(part) => {
                let mark = operation.route.split('/').nth(*part).unwrap_or_default();
                let mut parameters = operation.parameters.iter().filter(|parameter| parameter.place == Place::Path);
                let is_id =
                    parameters.any(|parameter| mark == format!("{{{}}}", parameter.name) && is_id(&parameter.rule));
                // The gateway refuses another member's own resources before it reads the id.
                let is_own = operation.route.starts_with("/api/users/{id}");
                is_id.then_some(if is_own { &[403, 404][..] } else { &[404] })
            }
            At::Query(_) => Some(&[400, 403, 404, 414]),
            At::Header(_) => None,
        }
    }

    /// The bytes of the request.
    pub fn request(&self, operation: &Operation, prepared: &Prepared, host: &str) -> Vec<u8> {
        let raw = self.value.raw.as_deref();
        let mut request = Request::new(operation, prepared);
        match &self.place {
            At::Body => request.body = raw.unwrap_or_default().to_vec(),
            At::Field(pointer) => request.body = with_raw(&prepared.body, pointer, raw),
            At::Path(part) => {
                let (path, query) = split(&prepared.path);
                let mut parts: Vec<&str> = path.split('/').collect();
                parts[*part] = std::str::from_utf8(raw.unwrap()).unwrap();
                request.target = format!("{}{query}", parts.join("/"));
            }
            At::Query(name) => {
                let (path, query) = split(&prepared.path);
                let kept = query.trim_start_matches('?').split('&').filter(|pair| !pair.is_empty());
                let mut pairs: Vec<String> =
                    kept.filter(|pair| pair.split('=').next() != Some(name)).map(str::to_owned).collect();
                pairs.push(format!("{name}={}", std::str::from_utf8(raw.unwrap()).unwrap()));
                request.target = format!("{path}?{}", pairs.join("&"));
            }
            At::Header(name) => {
                request.headers.retain(|(header, _)| header != name);
                request.headers.push((name.clone(), raw.unwrap().to_vec()));
            }
        }
        request.bytes(operation, prepared, host)
    }
}

/// The valid request.
pub fn valid(operation: &Operation, prepared: &Prepared, host: &str) -> Vec<u8> {
    Request::new(operation, prepared).bytes(operation, prepared, host)
}

struct Request {
    target: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
}

impl Request {
    fn new(operation: &Operation, prepared: &Prepared) -> Self {
        let body = match prepared.body.as_str() {
            "<png>" => super::entities::picture(PNG),
            "<pdf>" => b"%PDF-1.7\n%%EOF".to_vec(),
            json => json.as_bytes().to_vec(),
        };
        let is_named = operation.parameters.iter().any(|parameter| parameter.name == "X-File-Name");
        let headers = if is_named { vec![("X-File-Name".to_owned(), b"cv.pdf".to_vec())] } else { vec![] };
        Self { target: prepared.path.clone(), headers, body }
    }

    fn bytes(&self, operation: &Operation, prepared: &Prepared, host: &str) -> Vec<u8> {
        let method = operation.method.to_uppercase();
        let mut head = format!(
            "{method} {} HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n",
            self.target
        )
        .into_bytes();
        for (name, value) in &self.headers {
            head.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
        if let Some(cookie) = &prepared.cookie {
            head.extend(format!("Cookie: {cookie}\r\n").bytes());
        }
        if let Some(media) = media(operation, prepared) {
            head.extend(format!("Content-Type: {media}\r\nContent-Length: {}\r\n", self.body.len()).bytes());
        }
        head.extend(b"\r\n");
        head.extend(&self.body);
        head
    }
}

fn media<'a>(operation: &'a Operation, prepared: &Prepared) -> Option<&'a str> {
    let is_list = prepared.body.starts_with('[');
    let mut media = operation.forms.iter().map(|form| form.media.as_str());
    match prepared.body.as_str() {
        "<png>" => Some("image/png"),
        _ if is_list => media.find(|media| *media == "application/reports+json"),
        _ => media.next(),
    }
}

/// The path and the query with its question mark.
fn split(target: &str) -> (&str, &str) {
    target.split_at(target.find('?').unwrap_or(target.len()))
}

/// The body with the field replaced by raw JSON, which may be invalid, or without the field.
fn with_raw(body: &str, pointer: &str, raw: Option<&[u8]>) -> Vec<u8> {
    let mut form: Value = serde_json::from_str(body).unwrap();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = form.pointer_mut(parent).unwrap();
    let mark = json!("@@@");
    match (parent, raw) {
        (Value::Object(parent), Some(_)) => drop(parent.insert(name.to_owned(), mark)),
        (Value::Object(parent), None) => drop(parent.remove(name)),
        (Value::Array(parent), Some(_)) => *parent = vec![mark],
        (parent, _) => panic!("{pointer} in {parent}"),
    }
    let text = form.to_string();
    let Some((before, after)) = text.split_once("\"@@@\"") else { return text.into_bytes() };
    [before.as_bytes(), raw.unwrap_or_default(), after.as_bytes()].concat()
}
