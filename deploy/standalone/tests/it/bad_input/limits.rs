//! The limits of the document for a field: a value at the limit is accepted, one beyond it or below the minimum refused.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::{
    document::{Field, Rule},
    values::{BadValue, bad},
};

/// The kinds of the values.
pub const AT: &str = "at its limit";
pub const BEYOND: &str = "beyond its limit";

/// Lists at whose limit a request needs as many pictures. The tests of feed and messaging have them.
const NEEDS_PICTURES: [&str; 2] = ["/pictures", "/pictureAlts"];

/// The first letters of usernames, and how many are used.
const USERNAMES: &str = "bcdefghijklmnopqrstuvwxyz";
static USED: AtomicUsize = AtomicUsize::new(0);

/// The values of a field of a valid body.
pub fn of_field(field: &Field, form: &Value) -> Vec<BadValue> {
    let Field { pointer, rule, .. } = field;
    let mut all = Vec::new();
    if let Some(max) = rule.max_length {
        all.extend(around(rule, pointer, max));
    }
    if rule.min_length > 0 {
        // Not a valid value of the format: a link has more characters than its minimum.
        all.push(bad(BEYOND, "below its minimum", json!("a".repeat(size(rule.min_length) - 1)).to_string(), true));
    }
    // A group with as many members is in the tests of messaging: unknown ids are not found first.
    if let Some(max) = rule.max_items.map(size).filter(|_| !rule.has_ids) {
        let entries = |count| Value::from_iter((0..count).map(|n| entry(&form.pointer(pointer).unwrap()[0], n)));
        if !NEEDS_PICTURES.contains(&&**pointer) {
            all.push(bad(AT, AT, entries(max).to_string(), false));
        }
        all.push(bad(BEYOND, BEYOND, entries(max + 1).to_string(), true));
    }
    all
}

/// A text of the length `max`, and a longer one.
pub fn around(rule: &Rule, pointer: &str, max: u64) -> [BadValue; 2] {
    let text = |length| json!(text(rule, pointer, length)).to_string();
    [bad(AT, AT, text(size(max)), false), bad(BEYOND, BEYOND, text(size(max) + 1), true)]
}

/// A text of so many characters, valid for the field.
fn text(rule: &Rule, pointer: &str, length: usize) -> String {
    let (start, rest) = match rule.format.as_str() {
        // One character repeated is refused.
        "password" => ("", "\u{f1}and\u{fa} "),
        "link" => ("https://portia.example/", "a"),
        // Another one each time: a sign-in must not find the account of a registration.
        "username" => (&USERNAMES[USED.fetch_add(1, Ordering::Relaxed) % USERNAMES.len()..], "a"),
        _ if pointer.ends_with("/id") => ("", "a"),
        _ => ("", "\u{f1}"),
    };
    start.chars().chain(rest.chars().cycle()).take(length).collect()
}

/// The nth entry of a list: another text, or an object like that of the form.
fn entry(first: &Value, n: usize) -> Value {
    let Value::Object(object) = first else { return json!(format!("{n:03}")) };
    let mut object = object.clone();
    object.insert("id".to_owned(), json!(format!("01990000-0000-7000-8000-{n:012}")));
    object.into()
}

fn size(limit: u64) -> usize {
    usize::try_from(limit).unwrap()
}
