//! The rules that the OpenAPI document states beside lengths: the characters of a text, ids, pages, null and missing bodies.

use std::collections::BTreeSet;

use utoipa::{
    Number,
    openapi::{
        KnownFormat, Object, ObjectBuilder, OpenApi, Ref, RefOr, Required, Schema, SchemaFormat, Type,
        path::{Operation, Parameter, ParameterIn},
        schema::{AnyOfBuilder, ArrayItems},
    },
};

use crate::api::openapi::operations;

/// A UUID of version 7, as `primitives::ids` parses it.
const ID: &str = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-7[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$";
/// A page token, as `primitives::input::Cursor` encodes it. Empty means the first page.
const CURSOR: &str = "^[A-Za-z0-9_-]{0,512}$";
const IDEMPOTENCY_KEY: &str = "^[!-~]{1,128}$";
/// A topic, as `portia_proto::topics` parses it.
const TOPIC: &str = r"^[\p{L}\p{N}_]{2,50}$";
const USERNAME: &str = r"^\s*[A-Za-z0-9_.@+-]{3,64}\s*$";
const MONTH: &str = r"(19|2[01])\d{2}-(0[1-9]|1[0-2])";
const LINK: &str = r"\s*[hH][tT][tT][pP][sS]?://[^\s@]+\s*";
/// The characters of `primitives::input::Text`, without the noncharacters beyond the basic plane.
const TEXT: &str =
    r"[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufeff\ufffe\uffff]*";
/// The characters of `primitives::input::Line`, except the characters that it refuses only beside certain others.
/// Surrounding white space is removed first.
const LINE: &str = r"\s*[^\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufeff\ufffe\uffff]*\s*";

/// Adds the rules to every operation and schema.
pub(super) fn add(document: &mut OpenApi) {
    let schemas = document.components.iter_mut().flat_map(|components| &mut components.schemas);
    let mut optional = BTreeSet::new();
    for (name, schema) in schemas {
        add_patterns(schema);
        if let RefOr::T(Schema::Object(object)) = schema
            && object.required.is_empty()
        {
            optional.insert(name.clone());
        }
    }
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        for parameter in operation.parameters.iter_mut().flatten() {
            if let RefOr::T(parameter) = parameter {
                describe_parameter(parameter);
            }
        }
        permit_missing_body(operation, &optional);
    }
}

/// An empty body counts as `{}`, which satisfies a schema without required fields.
fn permit_missing_body(operation: &mut Operation, optional: &BTreeSet<String>) {
    let Some(RefOr::T(body)) = &mut operation.request_body else { return };
    let is_optional = |schema: &RefOr<Schema>| match schema {
        RefOr::Ref(Ref { ref_location, .. }) => {
            ref_location.rsplit('/').next().is_some_and(|name| optional.contains(name))
        }
        RefOr::T(_) => false,
    };
    let json = body.content.get("application/json").and_then(|content| match content {
        RefOr::T(content) => content.schema.as_ref(),
        RefOr::Ref(_) => None,
    });
    if json.is_some_and(is_optional) {
        body.required = Some(Required::False);
    }
}

fn describe_parameter(parameter: &mut Parameter) {
    let Some(schema) = &mut parameter.schema else { return };
    if let RefOr::T(Schema::Object(object)) = schema {
        match parameter.name.as_str() {
            "cursor" => (object.format, object.pattern) = (custom("cursor"), Some(CURSOR.to_owned())),
            "q" | "search" | "skill" | "source" => object.format = custom("line"),
            // An empty filter counts as absent.
            "userId" | "communityId" | "requesterId" | "recipientId" if object.format.is_none() => {
                object.format = custom("id-or-empty");
            }
            "limit" => object.minimum = Some(Number::Int(0)),
            "topic" => (object.format, object.pattern) = (custom("topic"), Some(TOPIC.to_owned())),
            "X-File-Name" => (object.format, object.pattern) = (custom("file-name"), Some(r"^[\t -~]+$".to_owned())),
            "Idempotency-Key" => object.pattern = Some(IDEMPOTENCY_KEY.to_owned()),
            _ => {}
        }
    }
    add_patterns(schema);
    if parameter.parameter_in == ParameterIn::Query && parameter.required == Required::False {
        permit_empty_choice(schema);
    }
}

/// An empty one of several values counts as absent: forms send it. See `edge::extract::unless_empty`.
fn permit_empty_choice(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            if let Some(values) = &mut object.enum_values {
                values.push(String::new().into());
            }
        }
        RefOr::Ref(_) => {
            let empty = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([""]));
            let choice = AnyOfBuilder::new().item(schema.clone()).item(empty);
            *schema = RefOr::T(Schema::AnyOf(choice.build()));
        }
        RefOr::T(_) => {}
    }
}

fn custom(format: &str) -> Option<SchemaFormat> {
    Some(SchemaFormat::Custom(format.to_owned()))
}

/// Adds the pattern of its format to every text.
fn add_patterns(schema: &mut RefOr<Schema>) {
    let RefOr::T(schema) = schema else { return };
    match schema {
        Schema::Object(object) => {
            object.pattern = object.pattern.take().or_else(|| pattern(object));
            object.properties.values_mut().for_each(add_patterns);
        }
        Schema::Array(array) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                add_patterns(items);
            }
        }
        Schema::OneOf(one_of) => one_of.items.iter_mut().for_each(add_patterns),
        Schema::AllOf(all_of) => all_of.items.iter_mut().for_each(add_patterns),
        Schema::AnyOf(any_of) => any_of.items.iter_mut().for_each(add_patterns),
        _ => {}
    }
}

/// The pattern of a format. A text without minimum length may be blank.
fn pattern(object: &Object) -> Option<String> {
    let required = object.min_length.is_some_and(|length| length > 0);
    let not_blank = if required { r"(?=[\s\S]*\S)" } else { "" };
    match object.format.as_ref()? {
        SchemaFormat::KnownFormat(KnownFormat::Uuid) => Some(ID.to_owned()),
        SchemaFormat::Custom(name) => match name.as_str() {
            "text" => Some(format!("^{not_blank}{TEXT}$")),
            "id-or-empty" => Some(format!("^({})?$", ID.trim_matches(['^', '$']))),
            "line" => Some(format!("^{not_blank}{LINE}$")),
            "link" if required => Some(format!("^{LINK}$")),
            "link" => Some(format!(r"^({LINK}|\s*)$")),
            "month" if required => Some(format!(r"^\s*{MONTH}\s*$")),
            "month" => Some(format!(r"^(\s*{MONTH}\s*|\s*)$")),
            "username" => Some(USERNAME.to_owned()),
            _ => None,
        },
        SchemaFormat::KnownFormat(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::api::routes::document_json;

    fn document() -> Value {
        serde_json::from_str(&document_json()).unwrap()
    }

    #[test]
    fn a_text_has_the_pattern_of_its_format_and_a_required_one_is_not_blank() {
        let document = document();
        let field = |schema: &str, field: &str| document["components"]["schemas"][schema]["properties"][field].clone();
        let pattern = |schema, name| field(schema, name)["pattern"].as_str().unwrap().to_owned();
        assert_eq!(pattern("CreatePost", "communityId"), super::ID);
        assert_eq!(pattern("CreateComment", "content"), format!(r"^(?=[\s\S]*\S){}$", super::TEXT));
        assert_eq!(pattern("CreatePost", "content"), format!("^{}$", super::TEXT));
        assert_eq!(pattern("RegisterRequest", "username"), super::USERNAME);
        assert_eq!(pattern("SuggestResource", "url"), format!("^{}$", super::LINK));
        assert_eq!(field("ReplaceProfile", "skills")["items"]["pattern"], format!("^{}$", super::LINE));
    }

    #[test]
    fn null_is_in_the_schema_of_a_field_exactly_if_it_counts_as_absent() {
        let document = document();
        let types = |schema: &str, field: &str| {
            document["components"]["schemas"][schema]["properties"][field]["type"].to_string()
        };
        assert_eq!(types("CreatePost", "title"), r#"["string","null"]"#);
        assert_eq!(types("UpdateEvent", "title"), r#""string""#);
        assert_eq!(types("CreatePost", "withoutLinkPreview"), r#""boolean""#);
    }

    #[test]
    fn a_body_without_required_fields_may_be_missing() {
        let document = document();
        let required = |method: &str, path: &str| document["paths"][path][method]["requestBody"]["required"].clone();
        assert_eq!(required("patch", "/api/notifications/settings"), false);
        assert_eq!(required("post", "/api/posts"), true);
    }

    #[test]
    fn an_optional_choice_of_a_query_may_be_empty() {
        let document = document();
        let schema = |method: &str, path: &str, name: &str| {
            let parameters = document["paths"][path][method]["parameters"].as_array().unwrap();
            parameters.iter().find(|parameter| parameter["name"] == name).unwrap()["schema"].clone()
        };
        let by_reference = schema("get", "/api/jobs", "employmentType");
        assert_eq!(by_reference["anyOf"][0]["$ref"], "#/components/schemas/EmploymentType");
        assert_eq!(by_reference["anyOf"][1]["enum"], serde_json::json!([""]));
        let inline = schema("get", "/api/moderation/reports", "state");
        assert_eq!(inline["enum"], serde_json::json!(["open", "decided", ""]));
    }

    #[test]
    fn every_page_has_the_same_parameters() {
        let document = document();
        let operations =
            document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values());
        let parameters = operations.filter_map(|operation| operation["parameters"].as_array()).flatten();
        let (mut cursors, mut limits) = (0, 0);
        for parameter in parameters {
            match parameter["name"].as_str() {
                Some("cursor") => {
                    assert_eq!(parameter["schema"]["pattern"], super::CURSOR);
                    cursors += 1;
                }
                Some("limit") => {
                    assert_eq!(parameter["schema"]["minimum"], 0);
                    limits += 1;
                }
                _ => {}
            }
        }
        assert!(cursors > 20 && cursors == limits);
    }
}
