//! What testkit promises its users.
#[cfg(test)]
mod database;
#[cfg(test)]
mod harness;
#[cfg(test)]
mod other_server;
