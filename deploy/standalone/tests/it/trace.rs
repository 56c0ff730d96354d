//! One request, one tree: browser, gateway, services and SQL in one trace, over real processes.
