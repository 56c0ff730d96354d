//! Bodies and queries: a struct with the fields of a request that its path does not contain.

use prost_reflect::{FieldDescriptor, Kind, MethodDescriptor};

use crate::{
    contract::{Contract, Rules, documentation},
    objects::ident,
};

/// The cursor of a page.
const PAGE_TOKEN: &str = "page_token";
/// The length of a page.
const PAGE_SIZE: &str = "page_size";

/// The description of the length of a page, unless its field has one. As `extract::Paging` says it.
const SIZE: &str = "The maximum of entries per page: 1 to 100, 20 by default.";

/// The part of a request that a client sends beside the path.
pub(crate) struct Input {
    /// The type that is read.
    pub(crate) kind: String,
    /// The variable of the handler.
    pub(crate) variable: &'static str,
    /// The declaration of the type; empty for pages without filters.
    pub(crate) declaration: String,
    /// The names in violations of the service, and those in JSON.
    pub(crate) renamed: Vec<(String, String)>,
}

impl Input {
    /// An input that is written by hand.
    pub(crate) fn by_hand(variable: &'static str, kind: &str) -> Self {
        Self { kind: kind.to_owned(), variable, declaration: String::new(), renamed: Vec::new() }
    }
}

/// The query of a route: its filters and its page. None without parameters.
pub(crate) fn query(contract: &Contract, method: &MethodDescriptor, fields: &[FieldDescriptor]) -> Option<Input> {
    let filters: Vec<&FieldDescriptor> = fields.iter().filter(|field| !is_of_page(field)).collect();
    let is_page = filters.len() < fields.len();
    if filters.is_empty() {
        let paging =
            || Input { kind: "Paging".into(), variable: "paging", declaration: String::new(), renamed: vec![] };
        return is_page.then(paging);
    }
    let kind = format!("{}Query", method.name());
    let mut declared: String = filters.iter().map(|field| parameter(contract, field)).collect();
    if is_page {
        let size = fields.iter().find(|field| field.name() == PAGE_SIZE);
        let size = size.map(|field| documentation(&field.parent_file(), field.path(), "    "));
        let size = size.filter(|comment| !comment.is_empty()).unwrap_or_else(|| format!("    /// {SIZE}\n"));
        declared += &format!(
            "    /// The cursor of the next page, from the `Link` header of the previous one.\n    #[serde(default)]\n    \
             #[param(required = false)]\n    pub cursor: String,\n{size}    #[serde(default)]\n    \
             #[param(required = false)]\n    pub limit: i32,\n"
        );
    }
    let declaration = format!(
        "/// The query of `{name}`.\n#[derive(Deserialize, IntoParams)]\n#[serde(rename_all = \"camelCase\")]\n\
         #[into_params(parameter_in = Query)]\npub struct {kind} {{\n{declared}}}\n\n",
        name = camel_case(&crate::routes::function(method)),
    );
    Some(Input { kind, variable: "query", declaration, renamed: renamed(contract, &filters) })
}

/// The body of a route. None without fields.
pub(crate) fn body(contract: &Contract, method: &MethodDescriptor, fields: &[FieldDescriptor]) -> Option<Input> {
    if fields.is_empty() {
        return None;
    }
    let message = method.input();
    let kind = contract.object(&message).unwrap_or_else(|| message.name().trim_end_matches("Request").to_owned());
    let declared: String = fields.iter().map(|field| property(contract, field)).collect();
    let declaration = format!(
        "{docs}#[derive(Deserialize, ToSchema)]\n#[serde(rename_all = \"camelCase\")]\npub struct {kind} {{\n{declared}}}\n\n",
        docs = documentation(&message.parent_file(), message.path(), ""),
    );
    let fields: Vec<&FieldDescriptor> = fields.iter().collect();
    Some(Input { kind, variable: "body", declaration, renamed: renamed(contract, &fields) })
}

/// The expression that takes a field of the message out of the variable.
pub(crate) fn value(contract: &Contract, package: &str, variable: &str, field: &FieldDescriptor) -> String {
    let (name, rules) = (rust_name(contract, field), contract.rules(field));
    match (field.name(), field.kind()) {
        (PAGE_TOKEN, _) => format!("{variable}.cursor"),
        (PAGE_SIZE, _) => format!("{variable}.limit"),
        (_, Kind::Enum(each)) if is_optional(field) || variable == "query" => {
            format!("{}::requested({variable}.{name})", contract.type_of(&each))
        }
        (_, Kind::Enum(each)) => format!("portia_proto::{package}::{}::from({variable}.{name}).into()", each.name()),
        (_, Kind::Bool) if !rules.input.required => format!("{variable}.{name}.unwrap_or_default()"),
        _ => format!("{variable}.{name}"),
    }
}

fn is_of_page(field: &FieldDescriptor) -> bool {
    [PAGE_TOKEN, PAGE_SIZE].contains(&field.name())
}

fn is_optional(field: &FieldDescriptor) -> bool {
    field.field_descriptor_proto().proto3_optional()
}

fn is_id(field: &FieldDescriptor) -> bool {
    field.name() == "id" || field.name().ends_with("_id")
}

/// The name of a field in Rust; serde renames it. `type` is a word of Rust.
fn rust_name(contract: &Contract, field: &FieldDescriptor) -> String {
    match json_name(&contract.rules(field), field) {
        "type" => "kind".to_owned(),
        name => name.to_owned(),
    }
}

fn json_name<'a>(rules: &'a Rules, field: &'a FieldDescriptor) -> &'a str {
    rules.name.as_deref().unwrap_or(field.name())
}

/// The fields whose names differ from those of the contract, in camel case.
fn renamed(contract: &Contract, fields: &[&FieldDescriptor]) -> Vec<(String, String)> {
    let differing = fields.iter().filter_map(|field| Some((field.name().to_owned(), contract.rules(field).name?)));
    differing.map(|(own, sent)| (camel_case(&own), camel_case(&sent))).collect()
}

/// `upTo` for `up_to`.
pub(crate) fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let initial = word.chars().take(1).map(|letter| letter.to_ascii_uppercase());
        name + &initial.chain(word.chars().skip(1)).collect::<String>()
    })
}

/// `SocialGraph` for `social_graph`.
pub(crate) fn pascal_case(name: &str) -> String {
    camel_case(&format!("_{name}"))
}

/// A field of a body.
fn property(contract: &Contract, field: &FieldDescriptor) -> String {
    let (rules, optional) = (contract.rules(field), is_optional(field));
    let (kind, absent) = match field.kind() {
        Kind::String if optional => ("Option<String>".to_owned(), false),
        Kind::String => ("String".to_owned(), !rules.input.required),
        Kind::Bool if rules.input.required => ("bool".to_owned(), false),
        Kind::Bool => ("Option<bool>".to_owned(), false),
        Kind::Enum(each) if optional => (format!("Option<{}>", contract.type_of(&each)), false),
        Kind::Enum(each) => (contract.type_of(&each), false),
        other => panic!("{other:?} of {} has no form in a body", field.full_name()),
    };
    let serde = [
        absent.then(|| "default".to_owned()),
        (json_name(&rules, field) == "type").then(|| "rename = \"type\"".to_owned()),
    ];
    let schema = [
        rules.input.format.as_ref().map(|format| format!("format = {format:?}")),
        (is_id(field) && absent).then(|| "required".to_owned()),
        is_id(field).then(|| "format = Uuid".to_owned()),
        (absent && !is_id(field)).then(|| "required".to_owned()),
        rules.input.min.map(|min| format!("min_length = {min}")),
        rules.input.max.map(|max| format!("max_length = {max}")),
    ];
    declared(contract, field, &attribute("serde", &serde), &attribute("schema", &schema), &kind)
}

/// A parameter of a query. An empty choice counts as absent.
fn parameter(contract: &Contract, field: &FieldDescriptor) -> String {
    let rules = contract.rules(field);
    let required = if rules.input.min.is_some() { "required" } else { "required = false" };
    let (kind, serde, param) = match field.kind() {
        Kind::String if !is_optional(field) => ("String".to_owned(), "default", required),
        Kind::Enum(each) => {
            let kind = format!("Option<{}>", contract.type_of(&each));
            let inline = match (rules.input.inline, rules.nullable) {
                (true, true) => "inline",
                (true, false) => "inline, nullable = false",
                (false, _) => "inline = false, nullable = false",
            };
            (kind, "default, deserialize_with = \"unless_empty\"", inline)
        }
        other => panic!("{other:?} of {} has no form in a query", field.full_name()),
    };
    let param = [
        Some(param.to_owned()),
        rules.input.min.map(|min| format!("min_length = {min}")),
        rules.input.max.map(|max| format!("max_length = {max}")),
    ];
    declared(contract, field, &attribute("serde", &[Some(serde.to_owned())]), &attribute("param", &param), &kind)
}

fn declared(contract: &Contract, field: &FieldDescriptor, serde: &str, schema: &str, kind: &str) -> String {
    format!(
        "{docs}{serde}{schema}    pub {name}: {kind},\n",
        docs = documentation(&field.parent_file(), field.path(), "    "),
        name = rust_name(contract, field),
    )
}

fn attribute(name: &str, parts: &[Option<String>]) -> String {
    let parts: Vec<&str> = parts.iter().flatten().map(String::as_str).collect();
    if parts.is_empty() { String::new() } else { format!("    #[{name}({})]\n", parts.join(", ")) }
}

/// The field of a message in a literal.
pub(crate) fn filled(field: &FieldDescriptor, value: &str) -> String {
    format!("        {}: {value},\n", ident(field))
}
