//! social-graph
