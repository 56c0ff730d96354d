//! A Portia of any size, and what its requests cost: the generator, the report, the plans.
//!
//! `world` draws who is there and what they did, `fill` writes it into every schema through `copy`; `place` is the data
//! folder, `portia` the process that runs on it; `plan` says what is asked, `client` asks, `cpu`, `live` and `report`
//! measure, `explain` looks at what Postgres did. `sources` is a feed and a board to crawl, `ingest` what taking them in
//! costs.

pub mod client;
pub mod copy;
pub mod cpu;
pub mod explain;
pub mod fill;
pub mod ingest;
pub mod live;
pub mod place;
pub mod plan;
pub mod portia;
pub mod report;
pub mod seed;
pub mod size;
pub mod sources;
mod table;
pub mod world;
