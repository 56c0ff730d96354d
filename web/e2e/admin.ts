// Operator commands on the running Portia: roles that only `portia admin` gives.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The program and the data folder of the Portia at PORTIA_URL; `cargo xtask up` uses the defaults. */
const program = process.env.PORTIA_PROGRAM ?? inRepository('target/release/portia');
const data = process.env.PORTIA_DATA ?? inRepository('data');

/** Runs `portia admin`; a refused command fails the test with its output. */
export async function portiaAdmin(...command: string[]): Promise<void> {
  // The program refuses variables that it does not know, such as the tests' variables.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('PORTIA_'));
  const env = Object.fromEntries(own) as NodeJS.ProcessEnv;
  await promisify(execFile)(program, ['admin', ...command, '--data', data], { env });
}
