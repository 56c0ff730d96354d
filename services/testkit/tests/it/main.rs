//! What testkit promises its users.
#[cfg(test)]
mod database;
