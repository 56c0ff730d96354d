//! The bad values of a field or parameter, and whether the document refuses them.
//!
//! Values of one kind are refused by the same code, or harm the same code: the parser of bodies, the parsed type of the field,
//! the rule of its format. So the first place of a class (fields of one type and format) gets every value, and each of the
//! others gets one of every kind, in turn. No field or parameter is left out of any kind.

use std::collections::BTreeMap;

use super::{
    corpus,
    document::{Field, Parameter, Place, Rule},
};

/// A value in place of a valid one.
#[derive(Clone)]
pub struct BadValue {
    pub kind: String,
    pub name: String,
    /// Raw JSON for a field, a percent-encoded text for a parameter, bytes for a header. `None`: it is left out.
    pub raw: Option<Vec<u8>>,
    /// Whether it must be refused. Others may be accepted, and are still never a 5xx.
    pub is_refused: bool,
}

pub fn bad(kind: &str, name: impl Into<String>, raw: impl Into<Vec<u8>>, is_refused: bool) -> BadValue {
    BadValue { kind: kind.to_owned(), name: name.into(), raw: Some(raw.into()), is_refused }
}

/// The number of places so far of every class.
#[derive(Default)]
pub struct Turns(BTreeMap<String, usize>);

impl Turns {
    /// All values for the first place of a class; one of each kind for the others, in turn.
    pub fn of(&mut self, class: String, values: Vec<BadValue>) -> Vec<BadValue> {
        let turn = self.0.entry(class).and_modify(|turn| *turn += 1).or_default();
        if *turn == 0 {
            return values;
        }
        let mut kinds: BTreeMap<String, Vec<BadValue>> = BTreeMap::new();
        for value in values {
            kinds.entry(value.kind.clone()).or_default().push(value);
        }
        kinds.into_values().map(|mut of_kind| of_kind.swap_remove(*turn % of_kind.len())).collect()
    }
}

/// JSON that is malformed in place of any value.
const MALFORMED: [(&str, &[u8]); 21] = [
    ("nothing", b""),
    ("a lone high surrogate", b"\"text\\ud800\""),
    ("a lone low surrogate", b"\"\\udc00text\""),
    ("swapped surrogates", b"\"te\\udc00\\ud800xt\""),
    ("half an escape", b"\"text\\u12\""),
    ("raw NUL", b"\"text\0text\""),
    ("a raw newline", b"\"text\ntext\""),
    ("an overlong slash", b"\"text\xc0\xaf\""),
    ("an overlong NUL", b"\"text\xc0\x80\""),
    ("a character cut off", b"\"text\xe2\x82\""),
    ("a surrogate in UTF-8", b"\"text\xed\xa0\x80\""),
    ("beyond Unicode", b"\"text\xf4\x90\x80\x80\""),
    ("Latin-1", b"\"te\xe9xt\""),
    ("an open string", b"\"text"),
    ("1e400", b"1e400"),
    ("-1e400", b"-1e400"),
    ("NaN", b"NaN"),
    ("Infinity", b"-Infinity"),
    ("a leading zero", b"01"),
    ("a comment", b"\"text\"/**/"),
    ("single quotes", b"'text text'"),
];

/// The kinds of values of another type.
pub const SCALAR: &str = "another scalar";
pub const COMPOUND: &str = "another list or object";

/// Values of each JSON type.
const TYPED: [(&str, &str); 14] = [
    ("number", "7"),
    ("number", "-1"),
    ("number", "0"),
    ("number", "1.5"),
    ("number", "-1.5e300"),
    ("number", "18446744073709551616"),
    ("number", "-9223372036854775809"),
    ("boolean", "true"),
    ("boolean", "false"),
    ("array", "[]"),
    ("array", "[\"text\"]"),
    ("array", "[null]"),
    ("object", "{}"),
    ("object", "{\"text\":\"text\"}"),
];

/// Texts with the character that Postgres does not store; as JSON escapes.
const NUL: [&str; 3] = ["\\u0000text", "te\\u0000xt", "text\\u0000"];

/// Texts with a character that no text of Portia has; as JSON escapes.
const CONTROLS: [(&str, &str); 8] = [
    ("a bidirectional override", "text\\u202egpj.exe"),
    ("a bidirectional isolate", "te\\u2066xt"),
    ("an escape sequence", "text\\u001b[31m"),
    ("delete", "te\\u007fxt"),
    ("C1", "te\\u0085xt"),
    ("a noncharacter", "text\\uffff"),
    ("a noncharacter beyond", "text\\udbff\\udfff"),
    ("a byte order mark", "\\ufefftext"),
];

/// Texts that are blank but not empty.
const BLANK: [&str; 4] = ["   ", "\\n\\t \\r\\n", "\\u00a0\\u3000", "\\u200b\\u2060\\u00ad\\u3164"];

/// Formats that refuse every value of another form.
const STRICT: [&str; 8] = ["uuid", "date-time", "time-zone", "link", "username", "month", "push-endpoint", "push-key"];

/// Values that are not of a format.
fn invalid(format: &str) -> &'static [&'static str] {
    match format {
        "uuid" => &[
            "1",
            "null",
            "00000000-0000-0000-0000-000000000000",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "f47ac10b-58cc-4372-a567-0e02b2c3d479",
            "01990000-0000-7000-8000-00000000000",
            "01990000-0000-7000-8000-0000000000000",
            "01990000-0000-7000-8000-00000000000g",
            "../../etc/passwd",
            "' or '1'='1",
        ],
        "date-time" => &[
            "2027-02-30T00:00:00Z",
            "2027-02-29T00:00:00Z",
            "0000-01-01T00:00:00Z",
            "99999-01-01T00:00:00Z",
            "+99999-01-01T00:00:00Z",
            "-0001-01-01T00:00:00Z",
            "2027-13-01T00:00:00Z",
            "2027-00-00T00:00:00Z",
            "2027-01-01T25:00:00Z",
            "2027-01-01T00:60:00Z",
            "2027-01-01T00:00:00+99:00",
            "2027-01-01T00:00:00",
            "2027-01-01",
            "infinity",
            "-infinity",
            "now",
            "1795187505",
        ],
        "month" => &["2027-13", "2027-00", "2027-1", "2027-02-30", "0000-01", "99999-01", "infinity", "2027"],
        "time-zone" => &["Mars/Phobos", "+99:00", "../../etc/passwd", "Asia/Manila;", "localtime"],
        "link" => &[
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "ftp://example.com/",
            "//example.com/",
            "http://",
            "https://user:password@example.com/",
            "https://exa mple.com/",
            "https://[::1",
        ],
        "push-endpoint" => {
            &["http://fcm.googleapis.com/fcm/send/a", "https://127.0.0.1/", "https://evil.example/", "https://"]
        }
        "push-key" | "push-secret" => &["A", "====", "BTBZMqHH6r4Tts7J/aSIgg"],
        "username" => &["ab", "a b c", "\u{430}dmin", "a/b/c", "<script>"],
        "year" => &["99999", "-1", "0000", "1e3", "2027.5", "infinity"],
        _ => &[],
    }
}

/// Texts that are data, however they look: accepted where the rules of the field permit them.
const HARMLESS: [&str; 4] = [
    "'; drop table feed.posts; -- %s ${jndi:ldap://127.0.0.1/x}",
    "<script>alert(1)</script>",
    "../../../../etc/passwd",
    "\\u0065\\u0301\\u200d\\ud83d\\udc69 \\u05e9\\u05dc",
];

/// The bad values of a field of a body.
pub fn of_field(field: &Field) -> Vec<BadValue> {
    let rule = &field.rule;
    let name = field.pointer.rsplit('/').next().unwrap();
    let is_entry = name == "0";
    // Without an entry, a list is empty.
    let malformed = MALFORMED.iter().filter(|(_, raw)| !(is_entry && raw.is_empty()));
    let mut all: Vec<_> = malformed.map(|(name, raw)| bad("malformed", *name, *raw, true)).collect();
    all.push(bad("malformed", "a deep list", ["[".repeat(5_000), "]".repeat(5_000)].concat(), true));
    let deep = ["{\"a\":".repeat(1_000), "1".to_owned(), "}".repeat(1_000)].concat();
    all.push(bad("malformed", "a deep object", deep, true));
    if !is_entry {
        all.push(bad("twice", "twice", format!("null,\"{name}\":null"), true));
        all.push(BadValue { raw: None, ..bad("missing", "missing", "", field.is_required) });
    }
    all.push(bad("null", "null", "null", field.is_required && !rule.is_nullable || is_entry));
    for (json_type, raw) in TYPED {
        if !rule.types.iter().any(|known| known == json_type) {
            let is_scalar = ["number", "boolean"].contains(&json_type);
            all.push(bad(if is_scalar { SCALAR } else { COMPOUND }, raw, raw, true));
        }
    }
    for json_type in &rule.types {
        match json_type.as_str() {
            "string" => texts(rule, &mut all),
            "array" => {
                let entries = "0,".repeat(2_000);
                all.push(bad("long list of another type", "a long list of numbers", format!("[{entries}0]"), true));
                let entries: Vec<String> = (0..2_000).map(|n| format!("\"a{n}\"")).collect();
                let is_refused = rule.max_items.is_some();
                all.push(bad("long list", "a long list of texts", format!("[{}]", entries.join(",")), is_refused));
            }
            "object" => {
                let unknown = "{\"__proto__\":{\"admin\":true}}";
                all.push(bad("unknown fields", "an object of unknown fields", unknown, false));
            }
            "boolean" => {}
            other => panic!("{}: a {other}", field.pointer),
        }
    }
    all
}

fn texts(rule: &Rule, all: &mut Vec<BadValue>) {
    let is_strict = STRICT.contains(&rule.format.as_str()) || !rule.choices.is_empty();
    let has_rule = is_strict || rule.has_pattern;
    let quoted = |text: &str| format!("\"{text}\"");
    all.extend(NUL.map(|text| bad("NUL", text, quoted(text), has_rule)));
    all.extend(CONTROLS.map(|(name, text)| bad("control character", name, quoted(text), has_rule)));
    // A text of nothing clears an optional field.
    let no_blank = rule.min_length > 0 || is_strict && !rule.is_nullable;
    all.push(bad("empty", "empty", quoted(""), no_blank));
    all.extend(BLANK.map(|blank| bad("blank", format!("blank {blank:?}"), quoted(blank), no_blank)));
    for (name, letters, times) in
        [("30 kB", "a", 30_000), ("combining marks", "\\u0301", 9_000), ("decomposing letters", "\u{fb2c}", 6_000)]
    {
        let is_too_long = is_strict || rule.max_length.is_some_and(|max| max < u64::try_from(times).unwrap());
        all.push(bad("long", name, quoted(&letters.repeat(times)), is_too_long));
    }
    for choice in rule.choices.iter().take(1) {
        for other in [choice.to_uppercase(), format!("{choice} "), format!("{choice}\\u0000"), "unknown".to_owned()] {
            all.push(bad("another choice", format!("{other:?}"), quoted(&other), true));
        }
    }
    for text in invalid(&rule.format) {
        all.push(bad("invalid form", *text, serde_json::json!(text).to_string(), rule.format != "year"));
    }
    if rule.format == "uuid" {
        all.push(bad("unknown id", UNKNOWN, quoted(UNKNOWN), false));
        // Forms that the document does not have, but no harm is done where they are read.
        for id in [format!("{{{UNKNOWN}}}"), format!("urn:uuid:{UNKNOWN}"), UNKNOWN.replace('-', "")] {
            all.push(bad("id in another form", &*id, quoted(&id), false));
        }
    }
    all.extend(HARMLESS.map(|text| bad("harmless", text, quoted(text), is_strict)));
}

/// An id of nothing.
const UNKNOWN: &str = "01990000-0000-7000-8000-000000000000";

/// Bad texts in a path or a query by kind, percent-encoded.
const PARAMETERS: [(&str, &[&str]); 14] = [
    ("empty", &[""]),
    ("NUL", &["%00", "a%00b", "top%00"]),
    ("bytes", &["%ff", "%c0%af", "%ed%a0%80"]),
    ("control character", &["%e2%80%ae"]),
    ("punctuation", &["%", "%zz", "%25", "_", "%20%20", "%27%3B--", "%22", "%5C", "%5B%5D", "%7B%7D"]),
    (
        "harmless",
        &[
            "..",
            "%2e%2e%2f",
            "javascript%3Aalert(1)",
            "%F0%9F%91%A9%E2%80%8D%E2%9A%96%EF%B8%8F",
            "%D7%A9%D7%9C%D7%95%D7%9D",
        ],
    ),
    ("negative number", &["-1", "-2147483648"]),
    ("zero", &["0"]),
    ("small number", &["1", "01"]),
    ("largest number", &["2147483647"]),
    ("number beyond", &["2147483648", "-2147483649", "9223372036854775808", "99999999999999999999"]),
    ("another number", &["1.5", "1e400", "NaN", "infinity", "-infinity"]),
    ("word", &["null", "undefined", "true", "all", "10000-01-01T00%3A00%3A00Z"]),
    (
        "id",
        &[
            "00000000-0000-0000-0000-000000000000",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "f47ac10b-58cc-4372-a567-0e02b2c3d479",
            "01990000-0000-7000-8000-00000000000g",
        ],
    ),
];

/// Bad values of a header; `requests` has the values that HTTP itself refuses.
const HEADERS: [&[u8]; 8] = [b"", b" ", b"a b", b"\xff\xfe", b"\xc3\xa9", b"%00", b"../../etc/passwd", b"\x7f"];

/// The bad values of a parameter.
pub fn of_parameter(parameter: &Parameter) -> Vec<BadValue> {
    let rule = &parameter.rule;
    if parameter.place == Place::Header {
        let values = HEADERS.iter().map(|raw| bad("form", raw.escape_ascii().to_string(), *raw, false));
        return values.chain([bad("long", "5 kB", "a".repeat(5_000), true)]).collect();
    }
    let is_id = rule.format == "uuid";
    let unknown = if is_id || rule.format == "id-or-empty" { "unknown id" } else { "word" };
    let mut all = vec![bad(unknown, UNKNOWN, UNKNOWN, is_refused(parameter, UNKNOWN))];
    for (kind, texts) in PARAMETERS {
        // An id or a cursor is decoded before anything reads the text, so no other text is of a kind of its own.
        let kind = if is_id || rule.format == "cursor" { "no id" } else { kind };
        // An empty part of a path is another path.
        let sent = texts.iter().filter(|raw| parameter.place == Place::Query || !raw.is_empty());
        all.extend(sent.map(|raw| bad(kind, *raw, *raw, is_refused(parameter, raw))));
    }
    let kind = |kind: &'static str| if is_id || rule.format == "cursor" { "long" } else { kind };
    all.push(bad("long", "5 kB", "a".repeat(5_000), rule.format != "cursor"));
    all.push(bad("long", "40 kB", "a".repeat(40_000), true));
    all.push(bad("long", "many emoji", "%F0%9F%91%A9".repeat(2_000), rule.format != "cursor"));
    all.push(bad(kind("combining marks"), "combining marks", "%CC%81".repeat(3_000), true));
    all.push(bad(kind("many words"), "many words", "a+".repeat(5_000), true));
    if rule.format == "cursor" {
        all.extend(corpus::cursors().into_iter().map(|(kind, cursor)| bad(&kind, "a forged cursor", cursor, false)));
    }
    if parameter.place == Place::Query {
        all.push(bad("twice", "twice", format!("a&{0}=b", parameter.name), true));
    }
    all
}

/// Whether the document refuses the value.
fn is_refused(parameter: &Parameter, raw: &str) -> bool {
    let rule = &parameter.rule;
    // Invalid UTF-8 in a query is read as the standard for URLs prescribes: as U+FFFD.
    let is_unreadable = parameter.place == Place::Path && ["%ff", "%c0%af", "%ed%a0%80"].contains(&raw);
    let is_broken = is_unreadable || ["%00", "a%00b", "%e2%80%ae", "top%00"].contains(&raw);
    let is_number = rule.types.iter().any(|name| name == "integer");
    let is_integer = raw.parse::<i32>().is_ok();
    match rule.format.as_str() {
        "uuid" => raw != UNKNOWN,
        "id-or-empty" => is_broken || !["", UNKNOWN].contains(&raw),
        _ if is_number => !is_integer,
        _ if rule.types.iter().any(|name| name == "boolean") => raw != "true",
        _ if !rule.choices.is_empty() => !rule.choices.iter().any(|choice| choice == raw) && !raw.is_empty(),
        _ => is_broken,
    }
}
