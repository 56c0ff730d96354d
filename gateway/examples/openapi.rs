//! Prints the OpenAPI document: `cargo xtask generate` keeps it in `gateway/openapi.json`.

fn main() {
    print!("{}", gateway::api::routes::document_json());
}
