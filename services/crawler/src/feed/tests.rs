//! Tests of feeds: written in the shape of real ones, and of what breaks them.
