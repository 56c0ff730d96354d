//! deploy/manual/configuration.md: each variable is read by the processes of its row, and no other.

use std::collections::BTreeSet;

use crate::repository::{PROCESSES, sources, text, variables};

/// The files of a process with structs of settings.
fn settings_of(process: &str) -> Vec<String> {
    match process {
        "gateway" => ["gateway/src/config.rs", "gateway/src/edge/cache.rs"].map(str::to_owned).into(),
        // They have no settings of their own.
        "profile" => Vec::new(),
        service => vec![format!("services/{service}/src/config.rs")],
    }
}

/// The fields of the structs that are read from the environment.
fn fields(code: &str) -> BTreeSet<String> {
    let structs =
        code.split("#[derive(").skip(1).filter(|rest| rest.split(")]").next().unwrap().contains("Deserialize"));
    let bodies = structs.filter_map(|rest| {
        let (head, body) = rest.split_once('{')?;
        let is_struct = head.contains("struct ");
        is_struct.then(|| body.split("\n}").next().unwrap())
    });
    let lines = bodies.flat_map(str::lines).map(str::trim).filter(|line| !line.starts_with(['/', '#']));
    let names = lines.filter_map(|line| line.strip_prefix("pub ").unwrap_or(line).split_once(": "));
    names.map(|(name, _)| format!("PORTIA_{}", name.to_uppercase())).collect()
}

#[test]
fn every_variable_is_read_by_the_processes_of_its_row() {
    let rows = variables();
    for process in PROCESSES {
        let mut read: BTreeSet<String> = settings_of(process).iter().flat_map(|path| fields(&text(path))).collect();
        let folder = if process == "gateway" { "gateway/src".to_owned() } else { format!("services/{process}/src") };
        if sources(&folder).contains("Pictures::open(") {
            read.insert("PORTIA_PICTURES_URL".to_owned());
        }
        let of_process = rows.iter().filter(|(_, readers)| readers.split(", ").any(|reader| reader == process));
        let documented: BTreeSet<String> = of_process.map(|(name, _)| name.clone()).collect();
        assert_eq!(read, documented, "{process}");
    }
}
