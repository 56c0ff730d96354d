//! Handlers: one call of a service, with its limit, its request and the JSON of its answer.

use prost_reflect::{FieldDescriptor, MessageDescriptor, MethodDescriptor};

use crate::{
    contract::{Contract, Route, comment},
    inputs::{self, Input, camel_case, pascal_case},
    objects::{has_cards, is_fallible},
};

/// The description of a page, unless the route has one.
const PAGE: &str = "A page of the list. `Link` contains the URL of the next page.";
/// The field that identifies a repeated request.
const IDEMPOTENCY_KEY: &str = "idempotency_key";
/// The type of the field that describes the browser of the caller.
const BROWSER: &str = "portia.auth.v1.Browser";

/// A parameter of the path.
struct Parameter {
    name: String,
    /// The field of the request; `None` for the caller.
    field: Option<FieldDescriptor>,
    noun: String,
    description: String,
}

/// The answer of a handler.
enum Answer {
    /// 204.
    Nothing,
    /// The whole answer of the service.
    Whole(Object),
    /// A field of the answer.
    One(String, Object),
    /// A list, which may be a page and may have a total.
    List { field: String, object: Object, is_page: bool, has_total: bool },
}

/// The JSON of a message.
struct Object {
    name: String,
    /// The object that knows whose cards it contains, if it contains any.
    cards: Option<String>,
    fallible: bool,
}

fn is_browser(field: &FieldDescriptor) -> bool {
    field.kind().as_message().is_some_and(|message| message.full_name() == BROWSER)
}

/// The name of the handler of an RPC.
pub(crate) fn function(method: &MethodDescriptor) -> String {
    let mut name = String::new();
    for letter in method.name().chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// The parameters of the path. `{id}` is the first field of the request, or the caller.
fn parameters(contract: &Contract, method: &MethodDescriptor, route: &Route) -> Vec<Parameter> {
    let parts = route.path.split('{').skip(1);
    let names = parts.map(|part| part.split('}').next().unwrap_or_default());
    names
        .map(|name| {
            if name == "id" && route.own {
                let description = "The id of the signed-in member.".to_owned();
                return Parameter { name: name.to_owned(), field: None, noun: type_of_noun("member"), description };
            }
            let fields = in_order(&method.input());
            let named = fields.iter().find(|field| camel_case(field.name()) == name);
            let field = named.or(fields.first().filter(|_| name == "id")).cloned();
            let field = field.unwrap_or_else(|| panic!("{} has no field {name}", method.input().full_name()));
            let noun = match contract.rules(&field).name.as_deref().unwrap_or(field.name()) {
                "id" => collection(&route.path),
                name => name.trim_end_matches("_id").to_owned(),
            };
            let described = comment(&field.parent_file(), field.path()).collect::<Vec<_>>().join("").trim().to_owned();
            let description =
                if described.is_empty() { format!("The id of the {}.", noun.replace('_', " ")) } else { described };
            Parameter { name: name.to_owned(), field: Some(field), noun: type_of_noun(&noun), description }
        })
        .collect()
}

/// The singular of the collection before `{id}`.
fn collection(path: &str) -> String {
    let before = path.split("/{id}").next().unwrap_or_default();
    before.rsplit('/').next().unwrap_or_default().trim_end_matches('s').to_owned()
}

/// The type of a noun in the gateway (api/ids.rs).
fn type_of_noun(noun: &str) -> String {
    format!("ids::Of{}", if noun == "member" { "User".to_owned() } else { pascal_case(noun) })
}

/// The fields in the order of the file.
fn in_order(message: &MessageDescriptor) -> Vec<FieldDescriptor> {
    let mut fields: Vec<FieldDescriptor> = message.fields().collect();
    fields.sort_by_key(|field| field.path().to_vec());
    fields
}

fn answer(contract: &Contract, method: &MethodDescriptor, route: &Route) -> Answer {
    let message = method.output();
    let of = |message: &MessageDescriptor| {
        let name = route.object.clone().or_else(|| contract.object(message));
        let name = name.unwrap_or_else(|| panic!("{} has no object", message.full_name()));
        let generated = contract.object(message).filter(|_| has_cards(contract, message));
        let fallible = route.partial || (route.object.is_none() && is_fallible(contract, message));
        Object { cards: if route.cards { Some(name.clone()) } else { generated }, name, fallible }
    };
    if contract.object(&message).is_some() {
        return Answer::Whole(of(&message));
    }
    let of_page = ["next_page_token", "total"];
    let fields: Vec<FieldDescriptor> = message.fields().filter(|field| !of_page.contains(&field.name())).collect();
    let part = match fields.as_slice() {
        [field] => field.kind().as_message().map(|part| (field, part.clone())),
        _ => None,
    };
    match part {
        None if fields.is_empty() => Answer::Nothing,
        None => Answer::Whole(of(&message)),
        Some((field, part)) if field.is_list() => Answer::List {
            field: field.name().to_owned(),
            object: of(&part),
            is_page: message.get_field_by_name("next_page_token").is_some(),
            has_total: message.get_field_by_name("total").is_some(),
        },
        Some((field, part)) => Answer::One(field.name().to_owned(), of(&part)),
    }
}

impl Answer {
    fn object(&self) -> Option<&Object> {
        match self {
            Self::Nothing => None,
            Self::Whole(object) | Self::One(_, object) | Self::List { object, .. } => Some(object),
        }
    }

    fn is_page(&self) -> bool {
        matches!(self, Self::List { is_page: true, .. })
    }
}

pub(crate) struct Handler<'a> {
    contract: &'a Contract,
    package: &'a str,
    method: &'a MethodDescriptor,
    route: &'a Route,
    parameters: Vec<Parameter>,
    key: Option<FieldDescriptor>,
    browser: Option<FieldDescriptor>,
    /// The fields of the body or the query.
    rest: Vec<FieldDescriptor>,
    input: Option<Input>,
    answer: Answer,
}

impl<'a> Handler<'a> {
    pub(crate) fn of(contract: &'a Contract, package: &'a str, method: &'a MethodDescriptor, route: &'a Route) -> Self {
        let parameters = parameters(contract, method, route);
        let key = method.input().get_field_by_name(IDEMPOTENCY_KEY);
        let browser = method.input().fields().find(is_browser);
        let rest: Vec<FieldDescriptor> = in_order(&method.input())
            .into_iter()
            .filter(|field| field.name() != IDEMPOTENCY_KEY && !is_browser(field) && !contract.rules(field).hidden)
            .filter(|field| !parameters.iter().filter_map(|parameter| parameter.field.as_ref()).any(|own| own == field))
            .collect();
        let input = match (matches!(route.verb, "get" | "delete"), &route.input) {
            (true, Some(kind)) => Some(Input::by_hand("query", kind)),
            (false, Some(kind)) => Some(Input::by_hand("body", kind)),
            (true, None) => inputs::query(contract, method, &rest),
            (false, None) => inputs::body(contract, method, &rest),
        };
        let answer = answer(contract, method, route);
        Self { contract, package, method, route, parameters, key, browser, rest, input, answer }
    }

    /// The type of the body or the query.
    pub(crate) fn input(&self) -> &str {
        self.input.as_ref().map(|input| input.declaration.as_str()).unwrap_or_default()
    }

    pub(crate) fn render(&self) -> String {
        format!(
            "{docs}{attribute}pub async fn {name}(\n{extracted}) -> Result<{result}, Problem> {{\n{checks}{call}{answer}}}\n\n",
            docs = self.documentation(),
            attribute = self.attribute(),
            name = function(self.method),
            extracted = self.extracted(),
            result = self.result(),
            checks = self.checks(),
            call = self.call(),
            answer = self.answered(),
        )
    }

    /// The comment of the RPC, up to its errors.
    fn documentation(&self) -> String {
        let file = self.method.parent_file();
        let lines = comment(&file, self.method.path()).take_while(|line| !line.trim_start().starts_with("Errors:"));
        lines.map(|line| format!("///{line}\n")).collect()
    }

    fn attribute(&self) -> String {
        let Route { verb, path, tag, .. } = self.route;
        let operation = self.route.operation.clone().unwrap_or_else(|| camel_case(&function(self.method)));
        let body = match &self.input {
            Some(Input { variable: "body", kind, .. }) => format!("    request_body = {kind},\n"),
            _ => String::new(),
        };
        let security = if self.route.visitors { "" } else { "    security((\"session\" = [])),\n" };
        let mut params: Vec<String> = self
            .parameters
            .iter()
            .map(|Parameter { name, description, .. }| {
                format!("({name:?} = Uuid, Path, description = {description:?})")
            })
            .collect();
        if let Some(Input { variable: "paging" | "query", kind, .. }) = &self.input {
            params.push(kind.clone());
        }
        if let (Some(_), Answer::One(field, _)) = (&self.key, &self.answer) {
            let description = format!(
                "A repeated request with the same key and body returns the {field} of the first one, for 24 hours."
            );
            params.push(format!(
                "(\"Idempotency-Key\" = Option<String>, Header, nullable = false,\n            \
                 description = {description:?})"
            ));
        }
        let params =
            if params.is_empty() { String::new() } else { format!("    params({}),\n", params.join(",\n        ")) };
        let described = self.route.answer.as_deref().or_else(|| self.answer.is_page().then_some(PAGE));
        let described =
            described.unwrap_or_else(|| panic!("the answer of {} has no description", self.method.full_name()));
        let object = match &self.answer {
            Answer::Nothing => String::new(),
            Answer::List { object, .. } => format!(", body = [{}]", object.name),
            Answer::Whole(object) | Answer::One(_, object) => format!(", body = {}", object.name),
        };
        format!(
            "#[utoipa::path({verb}, path = {path:?}, operation_id = {operation:?}, tag = {tag:?},\n{body}{security}{params}    \
             responses((status = {status}, description = {described:?}{object})))]\n",
            status = self.status(),
        )
    }

    fn status(&self) -> i32 {
        let default = match (&self.answer, &self.route.created_at) {
            (Answer::Nothing, _) => 204,
            (_, Some(_)) => 201,
            (_, None) => 200,
        };
        self.route.status.unwrap_or(default)
    }

    /// The parameters of the function.
    fn extracted(&self) -> String {
        let mut lines = vec![format!("State(mut {}): State<{}>", self.client(), self.client_type())];
        if self.route.changes_card || self.answer.object().is_some_and(|object| object.cards.is_some()) {
            lines.push("State(members): State<MemberCache>".to_owned());
        }
        if self.route.limit.is_some() {
            lines.push("State(limits): State<Limits>".to_owned());
        }
        lines.push(self.required().to_owned());
        if self.browser.is_some() {
            lines.push("client: Client".to_owned());
        }
        match self.parameters.as_slice() {
            [] => {}
            [one] => lines.push(format!("id: Id<{}>", one.noun)),
            [first, second] => lines.push(format!("ids: Ids<{}, {}>", first.noun, second.noun)),
            _ => panic!("{} has too many parameters", self.route.path),
        }
        if self.key.is_some() {
            lines.push("key: IdempotencyKey".to_owned());
        }
        if self.answer.is_page() {
            lines.push("uri: Uri".to_owned());
        }
        match &self.input {
            Some(Input { kind, variable: "body", .. }) => lines.push(format!("Body(body): Body<{kind}>")),
            Some(Input { kind, variable, .. }) => lines.push(format!("Params({variable}): Params<{kind}>")),
            None => {}
        }
        lines.iter().map(|line| format!("    {line},\n")).collect()
    }

    /// The extractor of the caller.
    fn required(&self) -> &'static str {
        match self.route {
            Route { visitors: true, .. } => "caller: Caller",
            Route { moderators: true, .. } => "Moderator(member): Moderator",
            _ => "member: Member",
        }
    }

    fn result(&self) -> String {
        match &self.answer {
            Answer::Nothing => "StatusCode".to_owned(),
            Answer::List { object, .. } => format!("ApiResponse<Vec<{}>>", object.name),
            Answer::Whole(object) | Answer::One(_, object) => format!("ApiResponse<{}>", object.name),
        }
    }

    /// The client of the service: the last word of its package.
    fn client(&self) -> &str {
        self.package.rsplit('_').next().unwrap_or_default()
    }

    fn client_type(&self) -> String {
        format!("{}Client", pascal_case(self.package))
    }

    fn caller(&self) -> &'static str {
        if self.route.visitors { "caller" } else { "member" }
    }

    /// The owner of the path, then the limit.
    fn checks(&self) -> String {
        let ids = if self.parameters.len() == 1 { "id" } else { "ids" };
        let owner = if self.route.own { format!("    member.require_owner({ids}.0)?;\n") } else { String::new() };
        let limit = self.route.limit.as_ref();
        let limit = limit.map(|limit| format!("    member.limit(&limits, rate_limits::{limit}).await?;\n"));
        owner + &limit.unwrap_or_default()
    }

    fn call(&self) -> String {
        let (client, caller, function) = (self.client(), self.caller(), function(self.method));
        let renamed: String = self
            .input
            .iter()
            .flat_map(|input| &input.renamed)
            .map(|(own, sent)| format!(".renamed({own:?}, {sent:?})"))
            .collect();
        let renamed = if renamed.is_empty() {
            String::new()
        } else {
            format!(".map_err(|status| Problem::from(status){renamed})")
        };
        let call = format!("{client}.{function}({caller}.call.request(request)?).await{renamed}");
        let call = match &self.answer {
            Answer::Nothing => format!("    {call}?;\n"),
            _ if self.route.side_card => format!(
                "    let Some(answer) = unless_unavailable({call})? else {{\n        return Ok(ApiResponse::missing({:?}));\n    }};\n",
                self.package.replace('_', "-"),
            ),
            _ => format!("    let answer = {call}?.into_inner();\n"),
        };
        let forgotten = if self.route.changes_card { "    members.forget(&id.0.to_string());\n" } else { "" };
        format!("    let request = {};\n{call}{forgotten}", self.request())
    }

    /// The request: a literal, or the function of an input that is written by hand.
    fn request(&self) -> String {
        let ids: &[&str] = if self.parameters.len() == 1 { &["id.0"] } else { &["ids.0", "ids.1"] };
        let of_path = self
            .parameters
            .iter()
            .zip(ids)
            .filter_map(|(parameter, id)| Some((parameter.field.as_ref()?, format!("{id}.to_string()"))));
        let variable = self.input.as_ref().map(|input| input.variable).unwrap_or_default();
        if self.route.input.is_some() {
            let given: Vec<String> =
                of_path.map(|(_, id)| id).chain(self.key.iter().map(|_| "key.0".to_owned())).collect();
            return format!("{variable}.of({})", given.join(", "));
        }
        let of_path = of_path.map(|(field, id)| inputs::filled(field, &id));
        let of_input = self
            .rest
            .iter()
            .map(|field| inputs::filled(field, &inputs::value(self.contract, self.package, variable, field)));
        let of_key = self.key.iter().map(|field| inputs::filled(field, "key.0"));
        let of_browser = self.browser.iter().map(|field| inputs::filled(field, "Some(client.browser())"));
        let fields: String = of_path.chain(of_input).chain(of_key).chain(of_browser).collect();
        let hidden = self.method.input().fields().any(|field| self.contract.rules(&field).hidden);
        let hidden = if hidden { "        ..Default::default()\n" } else { "" };
        let name = format!("portia_proto::{}::{}", self.package, self.method.input().name());
        match fields.is_empty() && hidden.is_empty() {
            true => format!("{name} {{}}"),
            false => format!("{name} {{\n{fields}{hidden}    }}"),
        }
    }

    /// The statements after the call.
    fn answered(&self) -> String {
        let status = match self.status() {
            201 => "created",
            202 => "accepted",
            _ => "ok",
        };
        let call = format!("&{}.call", self.caller());
        match &self.answer {
            Answer::Nothing => "    Ok(StatusCode::NO_CONTENT)\n".to_owned(),
            Answer::Whole(Object { name, .. }) => format!("    Ok(ApiResponse::{status}({name}::from(answer)))\n"),
            Answer::One(field, Object { name, cards, fallible }) => {
                let path = self.route.created_at.as_ref();
                let path = path.map(|path| format!("    let path = format!(\"{path}/{{}}\", object.id);\n"));
                let at = if path.is_some() { ".at(&path)" } else { "" };
                let people = cards
                    .as_ref()
                    .map(|cards| format!("    let people = members.cards({call}, {cards}::members(&object)).await;\n"));
                let degraded = if cards.is_some() { ".degraded(people.degraded())" } else { "" };
                let object = match (cards, fallible) {
                    (Some(_), false) => format!("{name}::of(object, &people)"),
                    (Some(_), true) => format!("{name}::of(object, &people).ok_or(Problem::internal())?"),
                    (None, false) => format!("{name}::from(object)"),
                    (None, true) => format!("{name}::of(object).ok_or(Problem::internal())?"),
                };
                format!(
                    "    let object = answer.{field}.ok_or(Problem::internal())?;\n{people}{path}    \
                     Ok(ApiResponse::{status}({object}){at}{degraded})\n",
                    people = people.unwrap_or_default(),
                    path = path.unwrap_or_default(),
                )
            }
            Answer::List { field, object: Object { name, cards, fallible }, is_page, has_total } => {
                let people = match cards {
                    Some(generated) => format!(
                        "    let people = members.cards({call}, answer.{field}.iter().flat_map({generated}::members)).await;\n"
                    ),
                    None => String::new(),
                };
                let map = if *fallible { "filter_map" } else { "map" };
                let of = match (cards, fallible) {
                    (Some(_), _) => format!("|each| {name}::of(each, &people)"),
                    (None, true) => format!("{name}::of"),
                    (None, false) => format!("{name}::from"),
                };
                let page = if *is_page { ".next_page(&uri, &answer.next_page_token)" } else { "" };
                let total = if *has_total { ".total(answer.total)" } else { "" };
                let degraded = if cards.is_some() { ".degraded(people.degraded())" } else { "" };
                format!(
                    "{people}    let listed = answer.{field}.into_iter().{map}({of}).collect();\n    \
                     Ok(ApiResponse::{status}(listed){page}{total}{degraded})\n"
                )
            }
        }
    }
}
