//! The contract with its comments and the options of the API.

use std::error::Error;

use prost_reflect::{
    DescriptorPool, DynamicMessage, EnumDescriptor, EnumValueDescriptor, ExtensionDescriptor, FieldDescriptor,
    FileDescriptor, MessageDescriptor, MethodDescriptor, Value,
};

/// The packages of the services.
const PACKAGES: [&str; 7] = ["auth", "profile", "social_graph", "feed", "jobs", "news", "messaging"];

/// The case of words with spaces, which serde does not know.
pub(crate) const WORDS: &str = "words";

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

    /// The RPCs of a package with a route.
    pub(crate) fn routes(&self, package: &str) -> Vec<(MethodDescriptor, Route)> {
        let package = full_name(package);
        let services = self.pool.services().filter(|service| service.package_name() == package);
        let methods = services.flat_map(|service| service.methods().collect::<Vec<_>>());
        methods.filter_map(|method| Some((method.clone(), self.route(&method)?))).collect()
    }

    fn route(&self, method: &MethodDescriptor) -> Option<Route> {
        let (options, extension) = (method.options(), self.extension("route"));
        if !options.has_extension(&extension) {
            return None;
        }
        let route = options.get_extension(&extension);
        route.as_message().map(Route::read)
    }

    /// The messages of a package with a JSON type. Those of requests are written with their route.
    pub(crate) fn objects(&self, package: &str) -> impl Iterator<Item = MessageDescriptor> {
        let sent: Vec<String> =
            self.routes(package).iter().map(|(method, _)| method.input().full_name().to_owned()).collect();
        let package = full_name(package);
        self.pool.all_messages().filter(move |each| {
            each.package_name() == package
                && self.object(each).is_some()
                && !sent.iter().any(|name| name == each.full_name())
        })
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

    /// The case of the values of an enum, as serde names it, or [`WORDS`].
    pub(crate) fn case(&self, each: &EnumDescriptor) -> Option<&'static str> {
        let options = each.options();
        let extension = self.extension("values");
        let value = options.has_extension(&extension).then(|| options.get_extension(&extension).as_enum_number())??;
        [(1, "snake_case"), (2, "kebab-case"), (3, WORDS)]
            .into_iter()
            .find_map(|(number, case)| (number == value).then_some(case))
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
            date: self.text("date", &options),
            name: self.text("name", &options),
            hidden: self.is("hidden", &options),
            nullable: self.is("nullable", &options),
            omitted: self.is("omitted", &options),
            opaque: self.is("opaque", &options),
            input: options.get_extension(&self.extension("input")).as_message().map(Input::read).unwrap_or_default(),
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
    pub(crate) date: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) hidden: bool,
    pub(crate) nullable: bool,
    pub(crate) omitted: bool,
    pub(crate) opaque: bool,
    pub(crate) input: Input,
}

/// The rules of a field in a request.
#[derive(Default)]
pub(crate) struct Input {
    pub(crate) format: Option<String>,
    pub(crate) min: Option<i32>,
    pub(crate) max: Option<i32>,
    pub(crate) required: bool,
    pub(crate) inline: bool,
}

impl Input {
    fn read(message: &DynamicMessage) -> Self {
        Self {
            format: text_of(message, "format"),
            min: number_of(message, "min"),
            max: number_of(message, "max"),
            required: is_set(message, "required"),
            inline: is_set(message, "inline"),
        }
    }
}

/// The options of an RPC.
pub(crate) struct Route {
    /// The method of HTTP, as utoipa names it.
    pub(crate) verb: &'static str,
    pub(crate) path: String,
    pub(crate) operation: Option<String>,
    pub(crate) tag: String,
    pub(crate) visitors: bool,
    pub(crate) moderators: bool,
    pub(crate) own: bool,
    pub(crate) limit: Option<String>,
    pub(crate) status: Option<i32>,
    pub(crate) answer: Option<String>,
    pub(crate) side_card: bool,
    pub(crate) object: Option<String>,
    pub(crate) cards: bool,
    pub(crate) partial: bool,
    pub(crate) input: Option<String>,
    pub(crate) changes_card: bool,
    pub(crate) created_at: Option<String>,
}

impl Route {
    fn read(message: &DynamicMessage) -> Self {
        let verbs = ["get", "put", "post", "patch", "delete"];
        let (verb, path) = verbs
            .into_iter()
            .find_map(|verb| Some((verb, text_of(message, verb)?)))
            .unwrap_or_else(|| panic!("a route has no path: {message:?}"));
        Self {
            verb,
            path,
            operation: text_of(message, "operation"),
            tag: text_of(message, "tag").unwrap_or_else(|| panic!("a route has no tag: {message:?}")),
            visitors: is_set(message, "visitors"),
            moderators: is_set(message, "moderators"),
            own: is_set(message, "own"),
            limit: text_of(message, "limit"),
            status: number_of(message, "status"),
            answer: text_of(message, "answer"),
            side_card: is_set(message, "side_card"),
            object: text_of(message, "object"),
            cards: is_set(message, "cards"),
            partial: is_set(message, "partial"),
            input: text_of(message, "input"),
            created_at: text_of(message, "created_at"),
            changes_card: is_set(message, "changes_card"),
        }
    }
}

fn text_of(message: &DynamicMessage, name: &str) -> Option<String> {
    message.get_field_by_name(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

fn number_of(message: &DynamicMessage, name: &str) -> Option<i32> {
    message.get_field_by_name(name)?.as_i32().filter(|number| *number != 0)
}

fn is_set(message: &DynamicMessage, name: &str) -> bool {
    message.get_field_by_name(name).is_some_and(|value| *value == Value::Bool(true))
}

fn full_name(package: &str) -> String {
    format!("portia.{package}.v1")
}

/// The comment at a path of a file as a documentation comment, with this indentation.
pub(crate) fn documentation(file: &FileDescriptor, path: &[i32], indentation: &str) -> String {
    let comment = comment(file, path);
    comment.map(|line| format!("{indentation}///{}{line}\n", if line.starts_with(' ') { "" } else { " " })).collect()
}

/// The lines of the comment at a path of a file.
pub(crate) fn comment<'a>(file: &'a FileDescriptor, path: &[i32]) -> impl Iterator<Item = &'a str> {
    let locations = file.file_descriptor_proto().source_code_info.iter().flat_map(|info| &info.location);
    let mut commented = locations.filter(|location| location.path == path);
    commented.find_map(|location| location.leading_comments.as_deref()).unwrap_or_default().lines()
}
