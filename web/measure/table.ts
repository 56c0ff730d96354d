// Prints the results of a measurement.

/** The value below which this share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (string | number)[][],
): void {
  const texts = [head, ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'number' ? String(Math.round(cell * 1_000) / 1_000) : cell)),
  );
  const widths = head.map((_, at) => Math.max(...texts.map((row) => row[at]?.length ?? 0)));
  const lines = texts.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  );
  process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`);
}
