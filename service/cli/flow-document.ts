import { readFile } from 'node:fs/promises';
import { graphDocument } from '../../specs/operations/graph-shapes.ts';
import { documentProblems } from '../nodes/document-problems.ts';
import { readYaml } from '../nodes/read-yaml.ts';
import { CliError } from './output.ts';
import { whyUnreadable } from './why-unreadable.ts';

/**
 * Reads a flow from a YAML file. JSON is a subset of YAML.
 *
 * @throws CliError with a line for each problem, which begins with the file and the line
 */
export async function readFlowDocument(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliError(`cannot read ${file}: ${whyUnreadable(error)}`);
  });
  const read = readYaml(text);
  if ('problem' in read) throw new CliError(`${file}:${read.problem}`);
  const problems = documentProblems(file, read, graphDocument);
  if (problems.length > 0) throw new CliError(problems.join('\n'));
  return read.value;
}
