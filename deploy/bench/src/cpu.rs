//! The processor time of Portia's processes, from /proc of Linux, without that of the clients.

use std::{fs, path::Path};

use anyhow::Context as _;

/// What /proc counts in: a hundredth of a second on every machine Portia runs on.
const MILLIS_A_TICK: u64 = 10;

/// What one process has had, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ticks {
    parent: u32,
    /// In its own code and in the kernel's.
    own: u64,
    /// Its children's that have ended.
    ended: u64,
}

/// Whether this machine can be measured.
///
/// # Errors
/// One sentence that says why not.
pub fn available() -> anyhow::Result<()> {
    anyhow::ensure!(
        Path::new("/proc/self/stat").exists(),
        "What a request costs is read from /proc, which only Linux has: run this on a Linux machine."
    );
    Ok(())
}

/// Milliseconds of processor time that a Portia and its Postgres have had, every process of theirs.
///
/// # Errors
/// When one of the two has ended.
pub fn millis(portia: u32, postgres: u32) -> anyhow::Result<u64> {
    let portia = ticks(portia)?.own;
    let server = ticks(postgres)?;
    let mut sum = portia + server.own + server.ended;
    for entry in fs::read_dir("/proc")? {
        let Some(process) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // One that has ended meanwhile is counted with its parent the next time.
        if let Ok(child) = ticks(process)
            && child.parent == postgres
        {
            sum += child.own;
        }
    }
    Ok(sum * MILLIS_A_TICK)
}

fn ticks(process: u32) -> anyhow::Result<Ticks> {
    let path = format!("/proc/{process}/stat");
    let text = fs::read_to_string(&path).with_context(|| format!("process {process} has ended"))?;
    parse(&text).with_context(|| format!("{path} cannot be read"))
}

/// proc(5): the second field is the program's name in brackets, which may contain anything; after it come the state, the
/// parent, and, as the 14th to the 17th field, the times.
fn parse(stat: &str) -> Option<Ticks> {
    let (_, after) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = after.split_whitespace().collect();
    let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    Some(Ticks {
        parent: u32::try_from(number(4)?).ok()?,
        own: number(14)? + number(15)?,
        ended: number(16)? + number(17)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_is_parsed() {
        let stat = "77 (a) R 1 (b) S 42 77 77 0 -1 4194304 100 0 0 0 5 6 7 8 20 0 1 0 1448125";
        assert_eq!(parse(stat), Some(Ticks { parent: 42, own: 11, ended: 15 }));
        assert_eq!(parse("77 (a"), None);
        assert_eq!(parse("77 (a) S 42"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn work_is_seen() {
        let me = std::process::id();
        let before = ticks(me).unwrap().own;
        let mut n = 1_u64;
        while ticks(me).unwrap().own < before + 3 {
            for _ in 0..100_000 {
                n = std::hint::black_box(n.wrapping_mul(31));
            }
        }
        assert!(millis(me, me).unwrap() >= (before + 3) * MILLIS_A_TICK);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_that_is_gone_is_told() {
        // Larger than any process number Linux gives.
        assert!(millis(u32::MAX, u32::MAX).unwrap_err().to_string().contains("has ended"));
    }
}
