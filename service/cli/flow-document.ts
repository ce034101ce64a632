import { readFile } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';
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
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const problems = document.errors.map(
      (error) => `${file}:${lines.linePos(error.pos[0]).line}: ${error.message}`,
    );
    throw new CliError(problems.join('\n'));
  }
  return document.toJS() as unknown;
}
