//! The transport against a real socket.
#![cfg(test)]

mod transport;
