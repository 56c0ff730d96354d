//! Objects: a struct with the fields in JSON, and the conversion of a message.

use prost_reflect::{EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};

use crate::contract::{Contract, Rules, documentation};

/// Message types with a meaning of their own.
const TIMESTAMP: &str = "google.protobuf.Timestamp";

/// A field in JSON.
struct Field {
    documentation: String,
    /// Attributes, each on a line.
    attributes: String,
    name: String,
    kind: String,
    /// The expression that converts it: `message` is the message, `people` the cards of members.
    value: String,
    /// Statements before the first field is taken out of the message.
    before: String,
}

impl Field {
    fn initialization(&self) -> String {
        let Self { name, value, .. } = self;
        if name == value { format!("            {name},\n") } else { format!("            {name}: {value},\n") }
    }
}

pub(crate) fn render(contract: &Contract, package: &str, message: &MessageDescriptor) -> String {
    let name = contract.object(message).unwrap_or_default();
    let own = format!("portia_proto::{package}::{}", message.name());
    let fields: Vec<Field> = shown(contract, message).map(|(field, rules)| convert(contract, &field, &rules)).collect();
    let declared: String = fields
        .iter()
        .map(|field| format!("{}{}    pub {}: {},\n", field.documentation, field.attributes, field.name, field.kind))
        .collect();
    let before: String = fields.iter().map(|field| field.before.as_str()).collect();
    let values: String = fields.iter().map(Field::initialization).collect();
    let people = if has_cards(contract, message) { ", people: &impl Cards" } else { "" };
    let (result, built) = match is_fallible(contract, message) {
        true => ("Option<Self>", format!("Some(Self {{\n{values}        }})")),
        false => ("Self", format!("Self {{\n{values}        }}")),
    };
    let is_plain = people.is_empty() && result == "Self";
    let convenience = if is_plain {
        format!(
            "impl From<{own}> for {name} {{\n    fn from(message: {own}) -> Self {{\n        Self::of(message)\n    }}\n}}\n"
        )
    } else {
        String::new()
    };
    format!(
        "{docs}#[derive(Clone, Debug, Serialize, ToSchema)]\n#[serde(rename_all = \"camelCase\")]\n\
         pub struct {name} {{\n{declared}}}\nimpl {name} {{\n    /// Converts a message.\n    \
         pub fn of(message: {own}{people}) -> {result} {{\n{before}        {built}\n    }}\n{members}}}\n{convenience}\n",
        docs = documentation(&message.parent_file(), message.path(), ""),
        members = members(contract, &own, message),
    )
}

/// The fields in JSON.
fn shown(contract: &Contract, message: &MessageDescriptor) -> impl Iterator<Item = (FieldDescriptor, Rules)> {
    let mut fields: Vec<_> = message.fields().map(|field| (field.clone(), contract.rules(&field))).collect();
    // In the order of the file.
    fields.sort_by_key(|(field, _)| field.path().to_vec());
    fields.into_iter().filter(|(_, rules)| !rules.hidden)
}

fn convert(contract: &Contract, field: &FieldDescriptor, rules: &Rules) -> Field {
    let own = &ident(field);
    let name = rules.card.as_deref().or(rules.name.as_deref()).unwrap_or(field.name());
    let optional = field.supports_presence() && !matches!(field.kind(), Kind::Message(_));
    let nullable = rules.nullable || (optional && !rules.omitted);
    let is_id = rules.card.is_none() && !rules.opaque && (own == "id" || own.ends_with("_id"));
    let (mut kind, value, before) = match field.kind() {
        _ if rules.card.is_some() && (nullable || rules.omitted) => {
            ("Option<Author>".into(), format!("message.{own}.as_deref().map(|id| people.author(id))"), String::new())
        }
        _ if rules.card.is_some() => ("Author".into(), format!("people.author(&message.{own})"), String::new()),
        Kind::Enum(each) if field.is_list() => {
            let name = contract.type_of(&each);
            let value = format!("message.{own}().filter_map({name}::of).collect()");
            (name, value.clone(), format!("        let {own} = {value};\n"))
        }
        Kind::Enum(each) => of_enum(contract, field, &each, nullable || rules.omitted),
        Kind::Message(_) if rules.date.is_some() => {
            let (kind, value) = of_date(own, rules.date.as_deref().unwrap_or_default(), nullable);
            (kind, value, String::new())
        }
        Kind::Message(each) => {
            let (kind, value) = of_message(contract, field, &each, nullable || rules.omitted);
            (kind, value, String::new())
        }
        scalar => (of_scalar(&scalar).to_owned(), format!("message.{own}"), String::new()),
    };
    if field.is_list() {
        kind = format!("Vec<{kind}>");
    } else if optional && !kind.starts_with("Option") {
        kind = format!("Option<{kind}>");
    }
    let schema = match (nullable, is_id) {
        _ if field.is_list() && own.ends_with("_ids") => "    #[schema(value_type = Vec<uuid::Uuid>)]\n",
        (true, true) => "    #[schema(required, format = Uuid)]\n",
        (true, false) => "    #[schema(required)]\n",
        (false, true) => "    #[schema(format = Uuid)]\n",
        (false, false) => "",
    };
    let omitted = match (rules.omitted, kind.as_str()) {
        (false, _) => "",
        (true, "bool") => {
            "    #[serde(skip_serializing_if = \"std::ops::Not::not\")]\n    #[schema(required = false)]\n"
        }
        (true, _) => "    #[serde(skip_serializing_if = \"Option::is_none\")]\n    #[schema(nullable = false)]\n",
    };
    // `type` is a word of Rust.
    let renamed = if name == "type" { "    #[serde(rename = \"type\")]\n" } else { "" };
    Field {
        documentation: documentation(&field.parent_message().parent_file(), field.path(), "    "),
        attributes: format!("{omitted}{renamed}{schema}"),
        name: if name == "type" { "kind".to_owned() } else { name.to_owned() },
        kind,
        value: if before.is_empty() { value } else { own.clone() },
        before,
    }
}

/// The name of a field in Rust, as prost writes it.
pub(crate) fn ident(field: &FieldDescriptor) -> String {
    if field.name() == "type" { "r#type".to_owned() } else { field.name().to_owned() }
}

fn of_scalar(kind: &Kind) -> &'static str {
    match kind {
        Kind::Bool => "bool",
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => "i32",
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => "i64",
        Kind::Double => "f64",
        Kind::String => "String",
        other => panic!("{other:?} has no form in JSON"),
    }
}

/// The type, the expression, and the statement before the message is taken apart: the accessor borrows the message.
fn of_enum(
    contract: &Contract,
    field: &FieldDescriptor,
    each: &EnumDescriptor,
    absent: bool,
) -> (String, String, String) {
    let (own, name) = (ident(field), contract.type_of(each));
    let value = match (absent, contract.unspecified(each)) {
        (true, _) => format!("{name}::of(message.{own}())"),
        (false, Some(_)) => format!("{name}::from(message.{own}())"),
        (false, None) => format!("{name}::of(message.{own}())?"),
    };
    let kind = if absent { format!("Option<{name}>") } else { name };
    (kind, value.clone(), format!("        let {own} = {value};\n"))
}

/// A time, or the date in another field that stands for it.
fn of_date(own: &str, date: &str, absent: bool) -> (String, String) {
    let value = format!("date_or_moment(message.{own}, message.{date}.as_deref())");
    match absent {
        true => ("Option<DateOrTime>".into(), value),
        false => (
            "DateOrTime".into(),
            format!("{value}.unwrap_or_else(|| DateOrTime::Time(required_moment(message.{own})))"),
        ),
    }
}

fn of_message(
    contract: &Contract,
    field: &FieldDescriptor,
    each: &MessageDescriptor,
    absent: bool,
) -> (String, String) {
    let own = ident(field);
    if each.full_name() == TIMESTAMP {
        return match absent {
            true => ("Option<DateTime<Utc>>".into(), format!("moment(message.{own})")),
            false => ("DateTime<Utc>".into(), format!("required_moment(message.{own})")),
        };
    }
    let name = contract.object(each).unwrap_or_else(|| panic!("{} has no object", each.full_name()));
    let of = match has_cards(contract, each) {
        true => format!("|each| {name}::of(each, people)"),
        false => format!("{name}::of"),
    };
    let is_fallible = is_fallible(contract, each);
    match (field.is_list(), is_fallible, absent) {
        (true, true, _) => (name, format!("message.{own}.into_iter().filter_map({of}).collect()")),
        (true, false, _) => (name, format!("message.{own}.into_iter().map({of}).collect()")),
        (false, true, true) => (format!("Option<{name}>"), format!("message.{own}.and_then({of})")),
        (false, false, true) => (format!("Option<{name}>"), format!("message.{own}.map({of})")),
        (false, true, false) => (name, format!("message.{own}.and_then({of})?")),
        (false, false, false) => (name, format!("message.{own}.map({of})?")),
    }
}

/// Whether a message may have no JSON: it lacks a part, or has a value that this version does not know.
pub(crate) fn is_fallible(contract: &Contract, message: &MessageDescriptor) -> bool {
    shown(contract, message).any(|(field, rules)| {
        let absent = rules.nullable || rules.omitted || field.is_list();
        match field.kind() {
            Kind::Message(each) => !absent && each.full_name() != TIMESTAMP,
            Kind::Enum(each) => {
                let optional = field.field_descriptor_proto().proto3_optional();
                !absent && !optional && contract.unspecified(&each).is_none()
            }
            _ => false,
        }
    })
}

/// Whether a message contains a card, also in its parts.
pub(crate) fn has_cards(contract: &Contract, message: &MessageDescriptor) -> bool {
    shown(contract, message).any(|(field, rules)| {
        let part = match field.kind() {
            Kind::Message(each) if each.full_name() != TIMESTAMP => has_cards(contract, &each),
            _ => false,
        };
        rules.card.is_some() || part
    })
}

/// A function that returns the ids of the members whose cards the object contains.
fn members(contract: &Contract, own: &str, message: &MessageDescriptor) -> String {
    let parts: Vec<String> = shown(contract, message)
        .filter_map(|(field, rules)| {
            let name = field.name();
            let optional = field.field_descriptor_proto().proto3_optional();
            match field.kind() {
                _ if rules.card.is_some() && optional => Some(format!("message.{name}.as_deref()")),
                _ if rules.card.is_some() => Some(format!("[message.{name}.as_str()]")),
                Kind::Message(each) if each.full_name() != TIMESTAMP && has_cards(contract, &each) => {
                    let part = contract.object(&each).unwrap_or_default();
                    Some(format!("message.{name}.iter().flat_map({part}::members)"))
                }
                _ => None,
            }
        })
        .collect();
    if parts.is_empty() {
        return String::new();
    }
    let chained: String = parts.iter().map(|part| format!(".chain({part})")).collect();
    format!(
        "    /// The ids of the members whose cards it contains.\n    \
         pub fn members(message: &{own}) -> impl Iterator<Item = &str> {{\n        std::iter::empty(){chained}\n    }}\n"
    )
}
