//! Reads what others publish, as if they meant harm; knows no business noun.
//!
//! Six modules: what may be asked ([`address`]), asking ([`fetch`]), reading the answer ([`feed`], [`text`]), recognising
//! what is known already ([`canonical`]) and when to ask again ([`pace`]).

pub mod address;
pub mod canonical;
pub mod feed;
pub mod fetch;
pub mod pace;
pub mod text;
