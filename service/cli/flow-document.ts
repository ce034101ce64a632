import { readFile } from 'node:fs/promises';
import { readYaml } from '../nodes/read-yaml.ts';
import { CliError } from './output.ts';

/**
 * Reads a flow from a YAML file. JSON is a subset of YAML.
 *
 * @throws CliError with the file, the line and the column of the first problem
 */
export async function readFlowDocument(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : String(error);
    throw new CliError(`cannot read ${file}: ${reason}`);
  });
  const read = readYaml(text);
  if ('problem' in read) throw new CliError(`${file}:${read.problem}`);
  return read.value;
}
