//! Reports as text tables.

use std::fmt;

use crate::{
    explain::{ExplainReport, Statement},
    live::Live,
    report::{InstanceReport, Report},
};

/// The width of the column of route names.
const WIDEST: usize = 34;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { processors, seconds, concurrency, .. } = self;
        writeln!(
            f,
            "CPU-ms a request over Portia and Postgres, median of the rounds; {seconds} s a route, {concurrency} \
             requests at once, {processors} processors."
        )?;
        for portia in &self.portias {
            one(f, portia)?;
        }
        if let [small, large] = self.portias.as_slice() {
            growth(f, small, large)?;
        }
        Ok(())
    }
}

fn one(f: &mut fmt::Formatter<'_>, portia: &InstanceReport) -> fmt::Result {
    let InstanceReport { data, idle_cpu_ms, routes, live } = portia;
    writeln!(
        f,
        "\n{}: {} members, {} posts; idle {idle_cpu_ms:.1} CPU-ms a second",
        data.size, data.members, data.posts
    )?;
    writeln!(
        f,
        "  {:<WIDEST$} {:>8} {:>17} {:>9} {:>7} {:>9} {:>9} {:>8}",
        "route", "CPU-ms", "rounds from .. to", "requests", "errors", "p50 ms", "p99 ms", "bytes"
    )?;
    for line in routes {
        let [least, most] = line.cpu_ms_range;
        writeln!(
            f,
            "  {:<WIDEST$} {:>8.3} {:>8.3} {:>8.3} {:>9} {:>7} {:>9.2} {:>9.2} {:>8}",
            line.route, line.cpu_ms, least, most, line.requests, line.errors, line.p50_ms, line.p99_ms, line.bytes
        )?;
    }
    writeln!(f, "  {live}")
}

impl fmt::Display for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { messages, p50_ms, p99_ms, most_ms } = self;
        write!(f, "sent to seen, {messages} messages: p50 {p50_ms:.2} ms, p99 {p99_ms:.2} ms, slowest {most_ms:.2} ms")
    }
}

fn growth(f: &mut fmt::Formatter<'_>, small: &InstanceReport, large: &InstanceReport) -> fmt::Result {
    writeln!(f, "\n{} / {}", large.data.size, small.data.size)?;
    for (one, other) in small.routes.iter().zip(&large.routes) {
        // The names may differ in the number of connections.
        let route = if one.route == other.route {
            one.route.clone()
        } else {
            format!("{} ({})", other.route, one.route.split(", ").last().unwrap_or_default())
        };
        let ratio = if one.cpu_ms > 0.0 { other.cpu_ms / one.cpu_ms } else { 0.0 };
        writeln!(f, "  {route:<WIDEST$} {ratio:>8.2}")?;
    }
    Ok(())
}

impl fmt::Display for ExplainReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let data = &self.data;
        writeln!(f, "Buffers touched by each statement, as executed; {} members, {} posts.", data.members, data.posts)?;
        for route in &self.routes {
            let sum: u64 = route.statements.iter().map(Statement::buffers).sum();
            writeln!(f, "\n  {:<WIDEST$} {sum:>8}", route.route)?;
            for statement in &route.statements {
                let mark = if statement.is_planned_for_values { "planned at each call: " } else { "" };
                writeln!(f, "    {:>8}  {mark}{}", statement.buffers(), statement.scans.join(", "))?;
                writeln!(f, "              {}", statement.summary())?;
            }
        }
        Ok(())
    }
}
