//! The proxy on real sockets.
#![cfg(test)]

mod proxy;
