//! The processor time of Portia's processes without the clients, from /proc of Linux.

use std::{fs, path::Path};

use anyhow::Context as _;

/// The unit of /proc: a hundredth of a second on every supported machine.
const MILLIS_A_TICK: u64 = 10;

/// The processor time of one process, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ticks {
    parent: u32,
    /// User and system time.
    own: u64,
    /// The time of its ended children.
    ended: u64,
}

/// Whether processor times can be measured on this machine.
///
/// # Errors
/// One sentence with the reason why not.
pub fn available() -> anyhow::Result<()> {
    anyhow::ensure!(
        Path::new("/proc/self/stat").exists(),
        "What a request costs is read from /proc, which only Linux has: run this on a Linux machine."
    );
    Ok(())
}

/// Milliseconds of processor time of servers and their Postgres, including all child processes of the latter.
///
/// # Errors
/// When one of them has ended.
pub fn millis(servers: impl IntoIterator<Item = u32>, postgres: u32) -> anyhow::Result<u64> {
    let database = ticks(postgres)?;
    let mut sum = database.own + database.ended;
    for server in servers {
        sum += ticks(server)?.own;
    }
    for entry in fs::read_dir("/proc")? {
        let Some(process) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // An ended child is included in the time of its parent in the next measurement.
        if let Ok(child) = ticks(process)
            && child.parent == postgres
        {
            sum += child.own;
        }
    }
    Ok(sum * MILLIS_A_TICK)
}

/// Milliseconds of processor time of this process.
///
/// # Errors
/// When the machine is not Linux.
pub fn own_millis() -> anyhow::Result<u64> {
    Ok(ticks(std::process::id())?.own * MILLIS_A_TICK)
}

fn ticks(process: u32) -> anyhow::Result<Ticks> {
    let path = format!("/proc/{process}/stat");
    let text = fs::read_to_string(&path).with_context(|| format!("process {process} has ended"))?;
    parse(&text).with_context(|| format!("{path} cannot be read"))
}

/// proc(5): the second field is the program's name in brackets, which may contain any character. After it come the
/// state, the parent, and the times as the fields 14 to 17.
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
    fn used_processor_time_is_counted() {
        let me = std::process::id();
        let before = ticks(me).unwrap().own;
        let mut n = 1_u64;
        while ticks(me).unwrap().own < before + 3 {
            for _ in 0..100_000 {
                n = std::hint::black_box(n.wrapping_mul(31));
            }
        }
        assert!(millis([me], me).unwrap() >= (before + 3) * MILLIS_A_TICK);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn an_ended_process_is_an_error() {
        // Larger than the maximum process id of Linux.
        assert!(millis([u32::MAX], u32::MAX).unwrap_err().to_string().contains("has ended"));
    }
}
