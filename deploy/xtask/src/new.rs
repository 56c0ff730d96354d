//! `cargo xtask new`: writes the skeleton of an RPC, a table, a fact or a kind of notifications.
//! `todo!()` and `<..>` stand for what only a person can write: clippy and the checks refuse both.

mod edits;

use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use self::edits::Edits;
use crate::{
    command::{output, say},
    workspace::Workspace,
};

#[derive(clap::Args)]
pub(crate) struct New {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// An RPC: contract, list of RPCs, function, and the route of the gateway, if it has one.
    Rpc(Rpc),
    /// A table: its migration.
    Table {
        /// The service, such as `social-graph`.
        service: String,
        /// The table, such as `pins`.
        name: String,
    },
    /// A fact: its message.
    Fact {
        /// The service, such as `social-graph`.
        service: String,
        /// The message, such as `CommunityPinned`.
        name: String,
    },
    /// A kind of notifications: contract, row and texts of the web client.
    Kind {
        /// The kind, such as `CommunityPinned`.
        name: String,
    },
}

#[derive(clap::Args)]
struct Rpc {
    /// The service, such as `social-graph`.
    service: String,
    /// The RPC, such as `PinCommunity`.
    name: String,
    /// The file of `src/rpc` that has its function, such as `communities`.
    feature: String,
    /// The method and path of its route, such as `"PUT /api/communities/{id}/pin"`. It is one for members.
    #[arg(long, value_name = "ROUTE")]
    route: Option<String>,
}

impl New {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let mut edits = Edits::of(&workspace.root);
        match &self.what {
            What::Rpc(rpc) => rpc.write(&mut edits)?,
            What::Table { service, name } => table(&mut edits, service, name, &today()?)?,
            What::Fact { service, name } => fact(&mut edits, service, name)?,
            What::Kind { name } => kind(&mut edits, name)?,
        }
        for file in edits.save()? {
            say(&file);
        }
        Ok(())
    }
}

impl Rpc {
    fn write(&self, edits: &mut Edits<'_>) -> Result<()> {
        let Self { service, name, feature, route } = self;
        let (schema, method) = (schema(service), snake(name));
        let contract = format!("proto/portia/{schema}/v1/{schema}.proto");
        let (options, fields) = match route {
            Some(route) => option(route, feature)?,
            None => (";".to_owned(), String::new()),
        };
        let rpc = format!(
            "  // <The effect>.\n  // Errors: INVALID_ARGUMENT, UNAUTHENTICATED.\n  rpc {name}({name}Request) returns ({name}Response){options}\n"
        );
        let list = format!("services/{service}/src/rpc.rs");
        let beside = edits.methods_of(&list, feature)?;
        edits.insert_after_rpcs(&contract, &beside, &rpc)?;
        edits.append(&contract, &format!("\nmessage {name}Request {{{fields}}}\n\nmessage {name}Response {{}}\n"))?;

        let row = |method: &str| format!("        {method} => {feature}::");
        let rows: Vec<String> = beside.iter().map(|method| row(method)).collect();
        edits.insert_after_last(&list, &rows, &format!("        {method} => {feature}::{method};\n"))?;
        let functions = format!("services/{service}/src/rpc/{feature}.rs");
        ensure!(
            edits.has(&functions),
            "{functions} does not exist: write it with its first sentence, and `mod {feature};` in {list}"
        );
        let server = edits.word_after(&list, " as ", ",")?;
        edits.append(&functions, &format!(
            "\npub(super) async fn {method}(\n    service: &{server},\n    request: Request<pb::{name}Request>,\n) -> \
             RpcResult<pb::{name}Response> {{\n    let member = Actor::member(&request)?;\n    let mut tx = service.begin().await?;\n    \
             let work = &mut service.work(&mut tx);\n    todo!(\"the rule for {{member}}, in a module of its own, \
             with {{work:?}}\");\n}}\n"
        ))?;
        if route.is_some() {
            let routes = "gateway/src/api/routes.rs";
            let mut beside: Vec<String> =
                beside.iter().map(|method| format!("generated::{schema}::{method}))\n")).collect();
            beside.retain(|route| edits.contains(routes, route));
            if beside.is_empty() {
                beside.push(format!("        .routes(routes!(generated::{schema}::"));
            }
            let row = format!("        .routes(routes!(generated::{schema}::{method}))\n");
            edits.insert_after_last(routes, &beside, &row)?;
        }
        Ok(())
    }
}

/// The options of an RPC with a route, and the fields of the request that its path fills.
fn option(route: &str, tag: &str) -> Result<(String, String)> {
    let (method, path) =
        route.split_once(' ').context("a route is a method and a path, such as `PUT /api/pins/{id}`")?;
    let method = method.to_lowercase();
    if !["get", "put", "post", "patch", "delete"].contains(&&*method) || !path.starts_with("/api/") {
        bail!("{route} is no method with a path below /api");
    }
    let parameters = path.split('{').skip(1).filter_map(|part| part.split_once('}'));
    let fields: Vec<String> = parameters
        .enumerate()
        .map(|(place, (name, _))| format!("  string {} = {};\n", snake(name), place + 1))
        .collect();
    let fields = if fields.is_empty() { String::new() } else { format!("\n{}", fields.concat()) };
    let level = match &*method {
        "get" => "    option idempotency_level = NO_SIDE_EFFECTS;\n",
        "put" | "delete" => "    option idempotency_level = IDEMPOTENT;\n",
        _ => "",
    };
    let option = format!(
        " {{\n{level}    option (rest.v1.route) = {{\n      {method}: \"{path}\"\n      tag: \"{tag}\"\n      answer: \"<The state afterwards>.\"\n    }};\n  }}"
    );
    Ok((option, fields))
}

/// A migration with a greater number than any of its folder.
fn table(edits: &mut Edits<'_>, service: &str, name: &str, today: &str) -> Result<()> {
    let folder = format!("services/{service}/migrations");
    let newest = edits.newest_in(&folder)?;
    let number =
        (0_u32..).map(|number| format!("{today}{number:06}")).find(|number| *number > newest).unwrap_or_default();
    let schema = schema(service);
    edits.create(&format!("{folder}/{number}_{name}.sql"), &format!(
        "-- <What a row is>.\ncreate table {schema}.{name} (\n    id uuid,\n    member_id uuid not null,\n    created_at timestamptz \
         not null,\n    constraint {name}_pkey primary key (id)\n);\n\n\
         comment on column {schema}.{name}.member_id is '<exported in ..; erased>';\n"
    ))
}

fn fact(edits: &mut Edits<'_>, service: &str, name: &str) -> Result<()> {
    let facts = format!("proto/portia/{}/v1/facts.proto", schema(service));
    edits.append(
        &facts,
        &format!(
            "\n// <What happened>. Key: <the id that orders it>.\nmessage {name} {{\n  string member_id = 1;\n}}\n"
        ),
    )
}

fn kind(edits: &mut Edits<'_>, name: &str) -> Result<()> {
    let (constant, word) = (snake(name).to_uppercase(), snake(name));
    let contract = "proto/portia/messaging/v1/messaging.proto";
    let number = edits.greatest_number_in(contract, "enum NotificationKind {", "\n}\n")? + 1;
    let value = format!("  // <The subject>.\n  NOTIFICATION_KIND_{constant} = {number} [(on_by_default) = true];\n");
    edits.insert_at_end_of(contract, "enum NotificationKind {", "\n}\n", &value)?;
    let row = format!("  {word}: {{ path: () => <The page> }},\n");
    edits.insert_before("web/src/features/notifications/kinds.ts", "  content_removed: ", &row)?;
    for language in ["en", "fil"] {
        let texts = format!("web/src/locales/{language}/notifications.json");
        edits.insert_beside(&texts, "\"posting_closed\":", &format!("\"{word}\": \"<The text>\",\n"))?;
    }
    Ok(())
}

/// The schema of a service: its name with `_`.
fn schema(service: &str) -> String {
    service.replace('-', "_")
}

/// `pin_community` of `PinCommunity`, and `member_id` of `memberId`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// The date of migrations: `yyyymmdd`, in UTC.
fn today() -> Result<String> {
    Ok(output(Command::new("date").args(["-u", "+%Y%m%d"]))?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// The changed text of a file of this repository; nothing is saved.
    fn written(path: &str, write: impl FnOnce(&mut Edits<'_>) -> Result<()>) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let mut edits = Edits::of(root);
        write(&mut edits).unwrap();
        edits.into_text(path)
    }

    fn rpc(route: Option<&str>) -> Rpc {
        Rpc {
            service: "social-graph".into(),
            name: "PinCommunity".into(),
            feature: "communities".into(),
            route: route.map(Into::into),
        }
    }

    #[test]
    fn an_rpc_is_in_the_contract_the_list_the_functions_and_the_routes() {
        let route = "PUT /api/communities/{id}/pins/{memberId}";
        for (path, expected) in [
            (
                "proto/portia/social_graph/v1/social_graph.proto",
                "      put: \"/api/communities/{id}/pins/{memberId}\"\n      tag: \"communities\"\n",
            ),
            (
                "proto/portia/social_graph/v1/social_graph.proto",
                "message PinCommunityRequest {\n  string id = 1;\n  string member_id = 2;\n}\n",
            ),
            (
                "proto/portia/social_graph/v1/social_graph.proto",
                "\n  // <The effect>.\n  // Errors: INVALID_ARGUMENT, UNAUTHENTICATED.\n  rpc PinCommunity(",
            ),
            (
                "services/social-graph/src/rpc.rs",
                "=> communities::batch_get;\n        pin_community => communities::pin_community;\n",
            ),
            (
                "services/social-graph/src/rpc/communities.rs",
                "    service: &SocialGraphService,\n    request: Request<pb::PinCommunityRequest>,\n",
            ),
            (
                "gateway/src/api/routes.rs",
                "create_community))\n        .routes(routes!(generated::social_graph::pin_community))\n",
            ),
        ] {
            let text = written(path, |edits| rpc(Some(route)).write(edits));
            assert!(text.contains(expected), "{path}: {text}");
        }
    }

    #[test]
    fn an_rpc_without_a_route_has_no_option() {
        let text = written("proto/portia/social_graph/v1/social_graph.proto", |edits| rpc(None).write(edits));
        assert!(
            text.contains("  rpc PinCommunity(PinCommunityRequest) returns (PinCommunityResponse);\n  //"),
            "{text}"
        );
        assert!(text.ends_with("message PinCommunityRequest {}\n\nmessage PinCommunityResponse {}\n"));
    }

    #[test]
    fn what_is_no_route_is_refused() {
        for route in ["/api/pins", "POKE /api/pins", "GET /pins"] {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
            rpc(Some(route)).write(&mut Edits::of(root)).unwrap_err();
        }
    }

    #[test]
    fn a_migration_has_the_greatest_number_of_its_folder() {
        let path = "services/social-graph/migrations/20991231000000_pins.sql";
        let text = written(path, |edits| table(edits, "social-graph", "pins", "20991231"));
        assert!(text.contains("create table social_graph.pins (\n"), "{text}");
    }

    #[test]
    fn a_fact_is_a_message() {
        let path = "proto/portia/social_graph/v1/facts.proto";
        let text = written(path, |edits| fact(edits, "social-graph", "CommunityPinned"));
        assert!(text.ends_with("message CommunityPinned {\n  string member_id = 1;\n}\n"));
    }

    #[test]
    fn a_kind_is_in_the_contract_the_table_of_the_client_and_both_languages() {
        for (path, expected, times) in [
            ("proto/portia/messaging/v1/messaging.proto", "  NOTIFICATION_KIND_COMMUNITY_PINNED = ", 1),
            (
                "web/src/features/notifications/kinds.ts",
                "  community_pinned: { path: () => <The page> },\n  content_removed: ",
                1,
            ),
            ("web/src/locales/en/notifications.json", "\"community_pinned\": \"<The text>\",\n", 3),
            ("web/src/locales/fil/notifications.json", "\"community_pinned\": \"<The text>\",\n", 3),
        ] {
            let text = written(path, |edits| kind(edits, "CommunityPinned"));
            assert_eq!(text.matches(expected).count(), times, "{path}: {text}");
        }
    }
}
