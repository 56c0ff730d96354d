//! The operations of the OpenAPI document with their parameters and the fields of their bodies.

use serde_json::Value;

/// One operation.
pub struct Operation {
    pub method: String,
    /// The path with its parameters: `/api/posts/{id}`.
    pub route: String,
    pub parameters: Vec<Parameter>,
    /// The bodies by media type; bodies of files have no fields.
    pub forms: Vec<Form>,
    /// The documented statuses of success.
    pub statuses: Vec<u16>,
}

/// A body of an operation.
pub struct Form {
    pub media: String,
    /// The fields at any depth.
    pub fields: Vec<Field>,
}

/// A parameter of a path, a query or a header.
pub struct Parameter {
    pub name: String,
    pub place: Place,
    pub rule: Rule,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Path,
    Query,
    Header,
}

/// A field of a body. An entry of a list is the field `0` of the list.
pub struct Field {
    /// The JSON pointer.
    pub pointer: String,
    pub is_required: bool,
    pub rule: Rule,
}

/// The document's rule for a value.
#[derive(Clone, Default)]
pub struct Rule {
    /// JSON types, without `null`.
    pub types: Vec<String>,
    pub is_nullable: bool,
    pub format: String,
    pub choices: Vec<String>,
    pub has_pattern: bool,
    pub min_length: u64,
    pub max_length: Option<u64>,
    /// The limit of the content of a post; `max_length` is the limit of an article.
    pub max_length_without_title: Option<u64>,
    pub max_items: Option<u64>,
    /// Whether the entries of the list are ids.
    pub has_ids: bool,
}

/// All operations of the running gateway.
pub fn operations() -> Vec<Operation> {
    let document: Value = serde_json::from_str(&gateway::api::routes::document_json()).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let of_path = |(route, item): (&String, &Value)| {
        let methods = item.as_object().unwrap().iter().filter(|(key, _)| !["parameters", "summary"].contains(&&***key));
        methods.map(|(method, operation)| read(&document, method, route, operation)).collect::<Vec<_>>()
    };
    paths.iter().flat_map(of_path).collect()
}

/// The names that every error has.
pub fn keys_of_problems() -> Vec<String> {
    let document: Value = serde_json::from_str(&gateway::api::routes::document_json()).unwrap();
    strings(&document["components"]["schemas"]["Problem"]["required"])
}

fn read(document: &Value, method: &str, route: &str, operation: &Value) -> Operation {
    let parameters = operation["parameters"].as_array().into_iter().flatten().map(|parameter| Parameter {
        name: parameter["name"].as_str().unwrap().to_owned(),
        place: match parameter["in"].as_str().unwrap() {
            "path" => Place::Path,
            "query" => Place::Query,
            "header" => Place::Header,
            other => panic!("{route}: a parameter in {other}"),
        },
        rule: rule(document, &parameter["schema"]),
    });
    let forms = operation["requestBody"]["content"].as_object().into_iter().flatten().map(|(media, content)| {
        let mut fields = Vec::new();
        collect(document, &content["schema"], "", &mut fields);
        Form { media: media.clone(), fields }
    });
    let statuses = operation["responses"].as_object().unwrap().keys().filter_map(|status| status.parse().ok());
    Operation {
        method: method.to_owned(),
        route: route.to_owned(),
        parameters: parameters.collect(),
        forms: forms.collect(),
        statuses: statuses.collect(),
    }
}

/// The schema behind a reference, or the one of a choice between it and null, or an empty text.
fn resolve<'a>(document: &'a Value, schema: &'a Value) -> (&'a Value, bool) {
    if let Some(reference) = schema["$ref"].as_str() {
        return resolve(document, document.pointer(reference.strip_prefix('#').unwrap()).unwrap());
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        assert_eq!(choices[1]["enum"], serde_json::json!([""]), "a choice of schemas: {schema}");
        return resolve(document, &choices[0]);
    }
    let Some(choices) = schema["oneOf"].as_array() else { return (schema, false) };
    let mut others = choices.iter().filter(|choice| choice["type"] != "null");
    let is_nullable = choices.iter().any(|choice| choice["type"] == "null");
    let (resolved, _) = resolve(document, others.next().unwrap());
    assert!(others.next().is_none(), "a choice of schemas: {schema}");
    (resolved, is_nullable)
}

fn rule(document: &Value, schema: &Value) -> Rule {
    let (schema, is_nullable) = resolve(document, schema);
    let mut types = match &schema["type"] {
        Value::String(one) => vec![one.clone()],
        several => strings(several),
    };
    let is_nullable = is_nullable || types.iter().any(|name| name == "null");
    types.retain(|name| name != "null");
    assert!(!types.is_empty(), "a schema without a type: {schema}");
    Rule {
        types,
        is_nullable,
        format: schema["format"].as_str().unwrap_or_default().to_owned(),
        choices: strings(&schema["enum"]),
        has_pattern: schema["pattern"].is_string(),
        min_length: schema["minLength"].as_u64().unwrap_or(0),
        max_length: schema["maxLength"].as_u64(),
        max_length_without_title: schema["x-max-length-without-title"].as_u64(),
        max_items: schema["maxItems"].as_u64(),
        has_ids: schema["items"]["format"] == "uuid",
    }
}

fn collect(document: &Value, schema: &Value, pointer: &str, fields: &mut Vec<Field>) {
    let (schema, _) = resolve(document, schema);
    let required = strings(&schema["required"]);
    let mut add = |name: &str, is_required, schema: &Value| {
        let pointer = format!("{pointer}/{name}");
        fields.push(Field { pointer: pointer.clone(), is_required, rule: rule(document, schema) });
        collect(document, schema, &pointer, fields);
    };
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        add(name, required.contains(name), schema);
    }
    if schema["items"].is_object() {
        add("0", false, &schema["items"]);
    }
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|entry| entry.as_str().map(str::to_owned)).collect()
}
