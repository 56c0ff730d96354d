//! The contract with its comments and the options of the API.

use std::error::Error;

use prost_reflect::{
    DescriptorPool, DynamicMessage, EnumDescriptor, EnumValueDescriptor, ExtensionDescriptor, FieldDescriptor,
    FileDescriptor, MessageDescriptor, Value,
};

/// The packages of the services.
const PACKAGES: [&str; 7] = ["auth", "profile", "social_graph", "feed", "jobs", "news", "messaging"];

pub(crate) struct Contract {
    pool: DescriptorPool,
}

impl Contract {
    /// Compiles the files in `folder`.
    pub(crate) fn compile(folder: &str) -> Result<Self, Box<dyn Error>> {
        let mut compiler = protox::Compiler::new([folder])?;
        compiler.include_source_info(true).include_imports(true);
        for package in PACKAGES {
            compiler.open_file(format!("portia/{package}/v1/{package}.proto"))?;
        }
        // Encoded: decoded by prost, the options would lose their extensions.
        Ok(Self { pool: DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice())? })
    }

    pub(crate) fn packages(&self) -> impl Iterator<Item = &'static str> + use<> {
        PACKAGES.into_iter()
    }

    /// The messages of a package with a JSON type.
    pub(crate) fn objects(&self, package: &str) -> impl Iterator<Item = MessageDescriptor> {
        let package = full_name(package);
        self.pool.all_messages().filter(move |each| each.package_name() == package && self.object(each).is_some())
    }

    /// The enums of a package with a JSON type.
    pub(crate) fn enums(&self, package: &str) -> impl Iterator<Item = EnumDescriptor> {
        let package = full_name(package);
        self.pool.all_enums().filter(move |each| each.package_name() == package && self.case(each).is_some())
    }

    /// The name of the JSON object of a message.
    pub(crate) fn object(&self, message: &MessageDescriptor) -> Option<String> {
        self.text("object", &message.options())
    }

    /// The name of the JSON type of an enum.
    pub(crate) fn type_of(&self, each: &EnumDescriptor) -> String {
        self.text("type", &each.options()).unwrap_or_else(|| each.name().to_owned())
    }

    /// How serde joins the words of the values of an enum.
    pub(crate) fn case(&self, each: &EnumDescriptor) -> Option<&'static str> {
        let options = each.options();
        let extension = self.extension("values");
        let value = options.has_extension(&extension).then(|| options.get_extension(&extension).as_enum_number())??;
        [(1, "snake_case"), (2, "kebab-case")].into_iter().find_map(|(number, case)| (number == value).then_some(case))
    }

    /// The value of an enum that an unspecified one stands for.
    pub(crate) fn unspecified(&self, each: &EnumDescriptor) -> Option<EnumValueDescriptor> {
        each.values().find(|value| self.is("unspecified", &value.options()))
    }

    /// Returns the options of a field.
    pub(crate) fn rules(&self, field: &FieldDescriptor) -> Rules {
        let options = field.options();
        Rules {
            card: self.text("card", &options),
            name: self.text("name", &options),
            hidden: self.is("hidden", &options),
            nullable: self.is("nullable", &options),
            omitted: self.is("omitted", &options),
        }
    }

    fn extension(&self, name: &str) -> ExtensionDescriptor {
        let name = format!("portia.rest.v1.{name}");
        self.pool
            .all_extensions()
            .find(|each| each.full_name() == name)
            .unwrap_or_else(|| panic!("{name} is no option"))
    }

    fn text(&self, name: &str, options: &DynamicMessage) -> Option<String> {
        let extension = self.extension(name);
        options.has_extension(&extension).then(|| options.get_extension(&extension).as_str().map(str::to_owned))?
    }

    fn is(&self, name: &str, options: &DynamicMessage) -> bool {
        *options.get_extension(&self.extension(name)) == Value::Bool(true)
    }
}

/// The options of a field.
pub(crate) struct Rules {
    pub(crate) card: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) hidden: bool,
    pub(crate) nullable: bool,
    pub(crate) omitted: bool,
}

fn full_name(package: &str) -> String {
    format!("portia.{package}.v1")
}

/// The comment at a path of a file as a documentation comment, with this indentation.
pub(crate) fn documentation(file: &FileDescriptor, path: &[i32], indentation: &str) -> String {
    let locations = file.file_descriptor_proto().source_code_info.iter().flat_map(|info| &info.location);
    let comment =
        locations.filter(|location| location.path == path).find_map(|location| location.leading_comments.as_deref());
    let lines = comment.unwrap_or_default().lines();
    lines.map(|line| format!("{indentation}///{}{line}\n", if line.starts_with(' ') { "" } else { " " })).collect()
}
