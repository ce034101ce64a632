import { format, getFileInfo } from 'prettier';
import { lineDiff } from '../support/line-diff.ts';
import type { FuzzedArchive } from './names-check.ts';

/** Returns the changes that prettier would make, with its defaults, in the files of archives. */
export async function formatProblems(archives: readonly FuzzedArchive[]): Promise<string> {
  const problems: string[] = [];
  for (const { name, files, runtime } of archives)
    for (const [file, text] of files) {
      if (runtime.has(file)) continue;
      const { inferredParser } = await getFileInfo(file);
      if (inferredParser === null) continue;
      const formatted = await format(text, { filepath: file, parser: inferredParser });
      if (formatted !== text) problems.push(`${name}/${file}\n${lineDiff(text, formatted)}`);
    }
  return problems.map((problem) => `${problem}\n`).join('');
}
