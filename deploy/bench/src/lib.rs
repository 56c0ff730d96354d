//! Data of any size, and the cost of requests on it: the generator, the report, the query plans.
//!
//! `world` generates members and their activity, `fill` writes them into every schema through `copy`. `data_folder` is
//! the data folder, `portia` the process that runs on it, `bare` the server that Portia is compared with. `plan` lists the
//! requests, `client` and `turn` send them, `cpu`, `machine`, `live`, `pictures`, `report` and `compare` measure, `explain` reads the
//! plans of Postgres. `sources` serves a feed and a job board, `ingest`
//! measures a crawl of them, `facts` the consumption of a backlog.

pub mod bare;
pub mod client;
pub mod compare;
pub mod copy;
pub mod cpu;
pub mod data_folder;
pub mod effort;
pub mod explain;
pub mod facts;
pub mod fill;
pub mod ingest;
pub mod live;
pub mod machine;
mod pictures;
pub mod plan;
pub mod portia;
pub mod processes;
pub mod report;
pub mod seed;
pub mod size;
pub mod sources;
mod table;
pub mod turn;
pub mod world;
