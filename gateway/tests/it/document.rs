//! The operations of the API document, so that a test of every route has no list of its own.

use serde_json::Value;

/// An operation.
pub struct Operation {
    /// In upper case.
    pub method: String,
    /// The path with its parameters: `/api/posts/{id}`.
    pub route: String,
    /// Whether the document says that it refuses visitors.
    pub is_for_members: bool,
    /// The parameters of the path that are ids.
    pub ids: Vec<String>,
    pub has_json_body: bool,
}

pub fn operations() -> Vec<Operation> {
    let document: Value = serde_json::from_str(&gateway::api::routes::document_json()).unwrap();
    let mut all = Vec::new();
    for (route, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let ids = parameters.filter(|one| one["in"] == "path" && one["schema"]["format"] == "uuid");
            all.push(Operation {
                method: method.to_uppercase(),
                route: route.clone(),
                is_for_members: operation["security"].is_array(),
                ids: ids.map(|one| one["name"].as_str().unwrap().to_owned()).collect(),
                has_json_body: operation["requestBody"]["content"]["application/json"].is_object(),
            });
        }
    }
    assert!(all.len() > 150, "{} operations", all.len());
    all
}

impl Operation {
    /// The path with an id for every parameter, or `bad` for the parameter `name`.
    pub fn path(&self, id: &str, name: &str, bad: &str) -> String {
        let kind = if self.route.contains("/files/") { "resume" } else { "job" };
        let route = self.route.replace(&format!("{{{name}}}"), bad);
        let route = route.replace("{kind}", kind).replace("{topic}", "moot").replace("{number}", "1");
        ["{id}", "{memberId}", "{messageId}", "{streamId}"].iter().fold(route, |route, mark| route.replace(mark, id))
    }
}
