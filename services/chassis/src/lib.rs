//! The frame every process is bolted to; knows no business noun.
