//! The clock of a process, which a fault moves: libfaketime in the process reads its offset from a file. Timers do not move: the system
//! has another clock for them, and no correction of the time moves that one.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// The seconds for which a process knows the offset without reading the file.
const CACHE_SECONDS: &str = "1";
/// The time after which a process has read the file.
pub(crate) const NOTICED_AFTER: Duration = Duration::from_millis(1_500);

/// The clocks of an installation.
#[derive(Debug)]
pub(crate) struct Clocks {
    /// libfaketime.
    library: PathBuf,
    /// Has a file for each process.
    folder: PathBuf,
}

impl Clocks {
    pub(crate) fn new(library: PathBuf, folder: PathBuf) -> anyhow::Result<Self> {
        fs::create_dir_all(&folder)?;
        Ok(Self { library, folder })
    }

    fn file(&self, process: &str) -> PathBuf {
        self.folder.join(process)
    }

    /// The variables of a process whose clock can be moved.
    pub(crate) fn variables(&self, process: &str) -> anyhow::Result<Vec<(String, String)>> {
        self.set(process, 0)?;
        let text = |path: &Path| path.display().to_string();
        let variables = [
            ("LD_PRELOAD", text(&self.library)),
            ("FAKETIME_TIMESTAMP_FILE", text(&self.file(process))),
            ("FAKETIME_CACHE_DURATION", CACHE_SECONDS.to_owned()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
            // A killed process would leave its segment of shared memory.
            ("FAKETIME_DISABLE_SHM", "1".to_owned()),
        ];
        Ok(variables.map(|(name, value)| (name.to_owned(), value)).to_vec())
    }

    /// Sets the clock of a process ahead by this number of seconds.
    pub(crate) fn set(&self, process: &str, seconds: i64) -> anyhow::Result<()> {
        // Renamed, because the process may read it at any time.
        let unfinished = self.folder.join(format!("{process}.new"));
        fs::write(&unfinished, format!("{seconds:+}\n"))?;
        Ok(fs::rename(unfinished, self.file(process))?)
    }
}
