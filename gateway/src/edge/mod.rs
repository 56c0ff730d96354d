//! The layers around every handler: authentication, limits, headers, sockets. No domain term; never imports `api`.

pub mod answer;
pub mod assets;
pub mod authentication;
pub mod cache;
pub mod coalesce;
pub mod compression;
pub mod extract;
pub mod headers;
pub mod html;
pub mod limits;
pub mod link_previews;
pub mod load;
pub mod long_bodies;
pub mod observed;
pub mod origin;
pub mod pdf;
pub mod problem;
pub mod retry;
pub mod route_attributes;
pub mod security_log;
pub mod server;
pub mod sessions;
pub mod signed_addresses;
pub mod timestamps;
pub mod unread_body;
pub mod upstreams;
