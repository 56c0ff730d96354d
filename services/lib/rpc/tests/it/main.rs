//! The transport against a real socket.
#![cfg(test)]

mod balance;
mod tls;
mod transport;
