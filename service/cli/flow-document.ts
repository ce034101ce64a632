import { readFile } from 'node:fs/promises';
import { readYaml } from '../nodes/read-yaml.ts';
import { CliError } from './output.ts';

/**
 * Reads a flow from a YAML or JSON file; JSON is YAML too.
 *
 * @throws CliError naming the file, and the line of each problem
 */
export async function readFlowDocument(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it is not there' : String(error);
    throw new CliError(`${file} cannot be read: ${reason}`);
  });
  const read = readYaml(text);
  if ('problems' in read) throw new CliError(read.problems.map((problem) => `${file}:${problem}`).join('\n'));
  return read.value;
}
