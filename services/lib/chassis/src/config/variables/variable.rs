//! A variable of the environment: a row of the list.

/// A variable of the environment.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// The name; `<SERVICE>` stands for the name of each service.
    pub name: &'static str,
    /// The processes that read it: `all`, `processes`, `services` or names, separated by commas. The page explains them.
    pub readers: &'static str,
    /// The type, and the unit of a number.
    pub form: &'static str,
    /// The value without the variable; `required` when a process refuses to start.
    pub default: &'static str,
    /// The part that must stay secret.
    pub secret: Secret,
    /// The effect, in Markdown.
    pub meaning: &'static str,
}

/// The part of a variable that must stay secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secret {
    /// Nothing.
    Nothing,
    /// The value, or a part of it.
    Value,
    /// The content of the file or folder that it names.
    Content,
}

/// A row of the list, without a secret.
pub(super) const fn row(
    name: &'static str,
    readers: &'static str,
    form: &'static str,
    default: &'static str,
    meaning: &'static str,
) -> Variable {
    Variable { name, readers, form, default, secret: Secret::Nothing, meaning }
}

impl Variable {
    /// The same row, with a secret.
    pub(super) const fn with(self, secret: Secret) -> Self {
        Self { secret, ..self }
    }
}
