import { readFile } from 'node:fs/promises';
import { graphDocument } from '../../specs/operations/graph-shapes.ts';
import { documentProblems } from '../nodes/document-problems.ts';
import { readYaml } from '../nodes/read-yaml.ts';
import { CliError } from './output.ts';

/**
 * Reads a flow from a YAML file. JSON is a subset of YAML.
 *
 * @throws CliError with a line for each problem, which begins with the file and the line
 */
export async function readFlowDocument(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = { ENOENT: 'no such file', EISDIR: 'it is a folder' };
    throw new CliError(`cannot read ${file}: ${reasons[code ?? ''] ?? message}`);
  });
  const read = readYaml(text);
  if ('problem' in read) throw new CliError(`${file}:${read.problem}`);
  const problems = documentProblems(file, read, graphDocument);
  if (problems.length > 0) throw new CliError(problems.join('\n'));
  return read.value;
}
