import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatterJar, junitJar, runJava } from '../../support/java-tools.ts';
import { inFolders } from '../archive-folders.ts';
import type { FuzzedArchive, NamesCheck } from '../names-check.ts';

/**
 * javac with every warning an error over sources and tests of all archives, and google-java-format over what is their own: one
 * process each.
 */
export const check: NamesCheck = {
  toolchain: 'java',
  problems: (archives) =>
    inFolders(archives, async (root) => {
      const compile = async (options: readonly string[], sources: readonly string[]): Promise<string> => {
        const args = [...options, ...sources].map((arg) => JSON.stringify(arg));
        await writeFile(path.join(root, 'arguments'), args.join('\n'));
        const { code, output } = await runJava('javac', ['@arguments'], root);
        return code === 0 ? '' : output;
      };
      const compiled = await compile(
        ['-Xlint:all,-processing', '-Werror', '-encoding', 'UTF-8', '-d', 'classes', '-cp', await junitJar()],
        archives.flatMap((archive) => sourcesOf(archive).filter(isCompiled)),
      );
      return compiled === '' ? await formatProblems(root, archives) : compiled;
    }),
};

/** The sources that the formatter would change. */
async function formatProblems(root: string, archives: readonly FuzzedArchive[]): Promise<string> {
  const sources = archives.flatMap(ownSourcesOf);
  await writeFile(path.join(root, 'sources'), sources.join('\n'));
  const options = ['--dry-run', '--set-exit-if-changed', '@sources'];
  const { code, output } = await runJava('java', ['-jar', await formatterJar(), ...options], root);
  return code === 0 ? '' : `google-java-format would change:\n${output}`;
}

function sourcesOf({ name, files }: FuzzedArchive): string[] {
  return [...files.keys()].filter((file) => file.endsWith('.java')).map((file) => `${name}/${file}`);
}

/** All but the runtime, whose package is all that differs. */
function ownSourcesOf(archive: FuzzedArchive): string[] {
  const { name, language, model, runtime } = archive;
  const copied = new Set(
    Array.from(runtime, (file) => `${name}/${language.plan(model).runtimePath(file) ?? ''}`),
  );
  return sourcesOf(archive).filter((file) => !copied.has(file));
}

/** Modules of two archives cannot be one compilation's. */
function isCompiled(file: string): boolean {
  return /^\w+\/src\/(main|test)\//.test(file) && !file.endsWith('module-info.java');
}
