import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { junitJar, runJava } from '../../support/java-tools.ts';
import { inFolders } from '../archive-folders.ts';
import type { NamesCheck } from '../names-check.ts';

/** javac with every warning an error, over sources and tests of all archives in one run. */
export const check: NamesCheck = {
  toolchain: 'java',
  problems: (archives) =>
    inFolders(archives, async (root) => {
      const sources = archives.flatMap(({ name, files }) =>
        [...files.keys()].filter(isCompiled).map((file) => `${name}/${file}`),
      );
      const options = ['-Xlint:all,-processing', '-Werror', '-encoding', 'UTF-8', '-d', 'classes'];
      const args = [...options, '-cp', await junitJar(), ...sources];
      await writeFile(path.join(root, 'arguments'), args.map((arg) => JSON.stringify(arg)).join('\n'));
      const { code, output } = await runJava('javac', ['@arguments'], root);
      return code === 0 ? '' : output;
    }),
};

/** Modules of two archives cannot be one compilation's. */
function isCompiled(file: string): boolean {
  return /^src\/(main|test)\/.*\.java$/.test(file) && !file.endsWith('module-info.java');
}
