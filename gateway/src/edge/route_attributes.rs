//! Attributes of routes that the layers outside the handlers need. `api::routes` declares them beside each route.

use http::Method;
use utoipa_axum::router::UtoipaMethodRouter;

/// The declared attributes, by route.
#[derive(Debug, Default)]
pub struct RouteAttributes {
    long_bodies: Vec<(Method, String, usize)>,
    sheddable: Vec<String>,
    coalesced: Vec<String>,
    sign_in_sentences: Vec<(String, &'static str)>,
}

impl RouteAttributes {
    /// Bodies of this method may have up to `bytes`, more than the general limit. Only members may send them.
    pub fn long_body<S>(
        &mut self,
        method: Method,
        bytes: usize,
        route: UtoipaMethodRouter<S>,
    ) -> UtoipaMethodRouter<S> {
        self.long_bodies.extend(paths(&route).map(|path| (method.clone(), path, bytes)));
        route
    }

    /// A list that a page can do without. Its reads are refused when three quarters of the permits are taken.
    pub fn sheddable<S>(&mut self, route: UtoipaMethodRouter<S>) -> UtoipaMethodRouter<S> {
        self.sheddable.extend(paths(&route));
        route
    }

    /// Requests wait for one shared call. They need no permit.
    pub fn coalesced<S>(&mut self, route: UtoipaMethodRouter<S>) -> UtoipaMethodRouter<S> {
        self.coalesced.extend(paths(&route));
        route
    }

    /// Visitors receive this message with 401 instead of the general one.
    pub fn sign_in<S>(&mut self, sentence: &'static str, route: UtoipaMethodRouter<S>) -> UtoipaMethodRouter<S> {
        self.sign_in_sentences.extend(paths(&route).map(|path| (path, sentence)));
        route
    }

    /// The maximum length of a body in bytes, if it differs from the general limit.
    pub fn max_body(&self, method: &Method, route: &str) -> Option<usize> {
        self.long_bodies.iter().find(|(m, path, _)| m == method && path == route).map(|(_, _, bytes)| *bytes)
    }

    /// Whether reads of this route are shed first.
    pub fn is_sheddable(&self, route: &str) -> bool {
        self.sheddable.iter().any(|path| path == route)
    }

    /// Whether requests of this route wait for one shared call.
    pub fn is_coalesced(&self, route: &str) -> bool {
        self.coalesced.iter().any(|path| path == route)
    }

    /// The message for visitors.
    pub fn sign_in_sentence(&self, route: &str) -> &'static str {
        self.sign_in_sentences.iter().find(|(path, _)| path == route).map_or("Sign in required", |(_, text)| text)
    }
}

fn paths<S>((_, paths, _): &UtoipaMethodRouter<S>) -> impl Iterator<Item = String> {
    paths.paths.keys().cloned()
}
