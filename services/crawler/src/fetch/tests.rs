//! Tests of what may be asked, without asking.
