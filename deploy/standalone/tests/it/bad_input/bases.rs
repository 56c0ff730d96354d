//! A valid request for every operation: a line of `bases.txt`, or else a row of the matrix that is accepted.

use serde_json::Value;

use super::document::{Form, Operation};
use crate::matrix::{
    fixture::Fixture,
    table::{CALLERS, lines, rows},
};

/// A valid request, in which names stand for entities.
#[derive(Clone, Debug)]
pub struct Base {
    pub method: String,
    /// The path of the document.
    pub route: String,
    /// The path with names, and the query.
    path: String,
    pub caller: String,
    /// JSON, or the name of a file.
    body: String,
}

/// A base with its entities and the cookies of its caller.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub path: String,
    pub body: String,
    pub cookie: Option<String>,
}

impl Base {
    /// Whether a request that was accepted is not accepted again.
    pub fn is_used_up(&self) -> bool {
        let text = format!("{} {}", self.path, self.body);
        ["newcomer", "withApp"].contains(&&*self.caller)
            || text.contains("{new:")
            || self.path.contains("*}")
            || self.is_made_each_time()
    }

    /// Whether even a refused request can use up what it names.
    pub fn is_made_each_time(&self) -> bool {
        self.body.contains("{each:")
    }

    /// Whether the body is of this kind.
    pub fn has_form(&self, form: &Form) -> bool {
        let is_list = form.media == "application/reports+json";
        let is_file = form.fields.is_empty() && form.media != "application/json";
        self.body.starts_with('<') == is_file && self.body.starts_with('[') == is_list
    }

    /// The body as JSON; names stand for values. Parts that are made each time have the form of the document.
    pub fn form(&self) -> Value {
        let response =
            r#"{"clientDataJSON":"","attestationObject":"","authenticatorData":"","signature":"","userHandle":""}"#;
        let part = format!(r#""ceremony":"","credential":{{"id":"","rawId":"","type":"","response":{response}}}"#);
        let mut body = self.body.clone();
        for name in ["{each:registration}", "{each:signIn}", "{each:proof}", "{each:reset}"] {
            body = body.replace(name, &part);
        }
        serde_json::from_str(&body).unwrap_or_default()
    }

    /// Creates what it names.
    pub async fn prepare(&self, fixture: &mut Fixture) -> Prepared {
        let caller = match self.caller.as_str() {
            "newcomer" => {
                fixture.newcomer().await;
                "newcomer"
            }
            "withApp" => {
                fixture.newcomer_with_app().await;
                "newcomer"
            }
            "visitor" => "owner",
            name => *fixture.browsers.keys().find(|known| **known == name).unwrap(),
        };
        let path = fixture.fill(&self.path, caller).await;
        let path = fixture.resolve(&path, caller, true).await;
        let body = fixture.fill(&self.body, caller).await;
        let username = fixture.ids.get("newcomerName").cloned().unwrap_or_default();
        let body = fixture.named(&body).replace("{username}", &username);
        let body = body.replace("{me}", caller).replace("{my_id}", &fixture.ids[caller]);
        let cookie = (self.caller != "visitor").then(|| fixture.browsers[caller].cookie());
        Prepared { path, body, cookie }
    }
}

/// Returns the valid requests of an operation. The first one is the base for bad parameters.
pub fn of(operation: &Operation) -> Vec<Base> {
    let own: Vec<Base> =
        lines("../bad_input/bases").iter().map(|line| parse(line)).filter(|base| is_of(base, operation)).collect();
    if !own.is_empty() {
        return own;
    }
    let rows = rows().into_iter().filter_map(|row| {
        let at = row.statuses.iter().rposition(|status| operation.statuses.contains(status))?;
        let route = row.route();
        let caller = CALLERS[at].to_owned();
        Some(Base { method: row.method, route, path: row.path, caller, body: row.body })
    });
    let base = rows.filter(|base| is_of(base, operation)).max_by_key(|base| base.body.len());
    let base = base.unwrap_or_else(|| panic!("{} {}: no valid request", operation.method, operation.route));
    vec![base]
}

fn is_of(base: &Base, operation: &Operation) -> bool {
    base.method == operation.method && base.route == operation.route
}

fn parse(line: &str) -> Base {
    let (method, rest) = line.split_once(char::is_whitespace).unwrap();
    let (path, rest) = rest.trim_start().split_once(char::is_whitespace).unwrap();
    let (caller, body) = rest.trim_start().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
    let base = |route: String| Base {
        method: method.to_owned(),
        route,
        path: path.to_owned(),
        caller: caller.to_owned(),
        body: body.trim().to_owned(),
    };
    let mut route = String::new();
    for part in path.split('/').skip(1) {
        let part = part.split('?').next().unwrap();
        let name = part.strip_prefix('{').map(|part| part.split_once('=').map_or("id", |(name, _)| name));
        route.push('/');
        match name {
            Some(name) => route.extend(["{", name, "}"]),
            None => route.push_str(part),
        }
    }
    base(route)
}
