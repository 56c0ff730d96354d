//! The comparison as text: the tables of Markdown, which are also read on a terminal.

use std::fmt;

use super::{
    Comparison, Table,
    lines::{Line, Spread, Unit},
};

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { processors, seconds, .. } = self;
        writeln!(
            f,
            "CPU-ms are the processor time of all processes and Postgres for an operation. Medians (minimum-maximum) of the \
             rounds, {seconds} s a row, {processors} processors."
        )?;
        for table in &self.tables {
            let Table { data, lines, processes } = table;
            writeln!(f, "\nSize {}: {} members, {} posts\n", data.size, data.members, data.posts)?;
            write_lines(f, lines, ["bare", "Portia"])?;
            if !processes.is_empty() {
                writeln!(f, "\nEight processes with mutual TLS, size {}\n", data.size)?;
                write_lines(f, processes, ["standalone", "eight"])?;
            }
        }
        if let [small, large, ..] = self.tables.as_slice() {
            writeln!(f, "\nGrowth from {} to {}\n", small.data.size, large.data.size)?;
            write_lines(f, &self.growth, [&small.data.size, &large.data.size])?;
        }
        let refused = self.tables.iter().flat_map(|table| &table.lines).filter(|line| line.portia.is_none()).count();
        if refused > 0 {
            writeln!(
                f,
                "\nIn {refused} rows the machine was too busy in more than half of the rounds: other processes and the \
                 hypervisor took more than a tenth of the processors. These rows have no numbers."
            )?;
        }
        if self.errors > 0 {
            writeln!(f, "\n{} requests failed: these numbers are invalid.", self.errors)?;
        }
        Ok(())
    }
}

fn write_lines(f: &mut fmt::Formatter<'_>, lines: &[Line], [other, portia]: [&str; 2]) -> fmt::Result {
    writeln!(
        f,
        "| {:<32} | {:<10} | {:>20} | {:>20} | {:>20} | {:<12} | {:<4} | {:<11} |",
        "row", "unit", other, portia, "ratio", "goal", "met", "busy rounds"
    )?;
    writeln!(f, "|---|---|--:|--:|--:|---|---|---|")?;
    let show = |spread: Option<Spread>| spread.map_or_else(|| "-".to_owned(), |spread| spread.to_string());
    for line in lines {
        let unit = match line.unit {
            Unit::CpuMs => "CPU-ms",
            Unit::PerSecond => "per second",
            Unit::Ms => "ms",
        };
        let (other, portia, ratio) = (show(line.other), show(line.portia), show(line.ratio));
        let [rounds, busy] = line.rounds;
        let (row, goal, verdict) = (&line.row, &line.goal, line.verdict.to_string());
        writeln!(
            f,
            "| {row:<32} | {unit:<10} | {other:>20} | {portia:>20} | {ratio:>20} | {goal:<12} | {verdict:<4} | {:<11} |",
            format!("{busy} of {rounds}")
        )?;
    }
    Ok(())
}
