import { readFile } from 'node:fs/promises';
import { readYaml } from '../nodes/read-yaml.ts';
import { CliError } from './output.ts';

/**
 * Reads a flow from a YAML file. JSON is a subset of YAML.
 *
 * @throws CliError with the file, and the line of each problem
 */
export async function readFlowDocument(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : String(error);
    throw new CliError(`cannot read ${file}: ${reason}`);
  });
  const read = readYaml(text);
  if ('problems' in read) throw new CliError(read.problems.map((problem) => `${file}:${problem}`).join('\n'));
  return read.value;
}
