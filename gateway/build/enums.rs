//! Enums: the values in JSON, and the conversions to and from the contract.

use prost_reflect::{EnumDescriptor, EnumValueDescriptor};

use crate::contract::{Contract, WORDS, documentation};

pub(crate) fn render(contract: &Contract, package: &str, each: &EnumDescriptor) -> String {
    let (name, own) = (contract.type_of(each), format!("portia_proto::{package}::{}", each.name()));
    let case = contract.case(each).unwrap_or_default();
    let file = each.parent_file();
    let mut values: Vec<(EnumValueDescriptor, String)> =
        each.values().filter(|value| value.number() != 0).map(|value| (value.clone(), variant(each, &value))).collect();
    // In the order of the file.
    values.sort_by_key(|(value, _)| value.path().to_vec());
    let documentation_of = |value: &EnumValueDescriptor| documentation(&file, value.path(), "    ");
    let renamed = |value: &EnumValueDescriptor| match case {
        WORDS => format!("    #[serde(rename = {:?})]\n", words(each, value).join(" ")),
        _ => String::new(),
    };
    let variants: String = values
        .iter()
        .map(|(value, variant)| format!("{}{}    {variant},\n", documentation_of(value), renamed(value)))
        .collect();
    let case = if case == WORDS { String::new() } else { format!("#[serde(rename_all = {case:?})]\n") };
    let to: String =
        values.iter().map(|(_, variant)| format!("            {name}::{variant} => Self::{variant},\n")).collect();
    let from: String =
        values.iter().map(|(_, variant)| format!("            {own}::{variant} => Some(Self::{variant}),\n")).collect();
    let convenience = contract.unspecified(each).map(|value| {
        format!(
            "impl From<{own}> for {name} {{\n    fn from(value: {own}) -> Self {{\n        \
             Self::of(value).unwrap_or(Self::{})\n    }}\n}}\n",
            variant(each, &value)
        )
    });
    format!(
        "{docs}#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]\n\
         {case}pub enum {name} {{\n{variants}}}\n\
         impl {name} {{\n    /// The value of the contract; `None` when it is unspecified.\n    \
         pub const fn of(value: {own}) -> Option<Self> {{\n        \
         match value {{\n            {own}::Unspecified => None,\n{from}        }}\n    }}\n\n    \
         /// Returns the number for a request; an absent value is unspecified.\n    \
         pub fn requested(value: Option<Self>) -> i32 {{\n        \
         value.map_or({own}::Unspecified, {own}::from).into()\n    }}\n}}\n\
         impl From<{name}> for {own} {{\n    fn from(value: {name}) -> Self {{\n        match value {{\n{to}        }}\n    }}\n}}\n\
         {convenience}\n",
        docs = documentation(&file, each.path(), ""),
        convenience = convenience.unwrap_or_default(),
    )
}

/// `OffTopic` for `COMMUNITY_REASON_OFF_TOPIC`, as prost names it.
pub(crate) fn variant(each: &EnumDescriptor, value: &EnumValueDescriptor) -> String {
    let capitalised = |word: &String| {
        word.chars().take(1).map(|c| c.to_ascii_uppercase()).chain(word.chars().skip(1)).collect::<String>()
    };
    words(each, value).iter().map(capitalised).collect()
}

/// `off` and `topic` for `COMMUNITY_REASON_OFF_TOPIC`.
fn words(each: &EnumDescriptor, value: &EnumValueDescriptor) -> Vec<String> {
    let prefix = each.name().len() + each.name().chars().skip(1).filter(char::is_ascii_uppercase).count() + 1;
    value.name().get(prefix..).unwrap_or_default().split('_').map(str::to_lowercase).collect()
}
