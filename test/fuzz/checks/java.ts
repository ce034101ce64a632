import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { shownPrograms } from '../../generator/languages/java/shown-programs.ts';
import { writeFiles } from '../../support/cargo.ts';
import { annotationsJar, formatterJar, junitJar, runJava } from '../../support/java-tools.ts';
import { copiedFiles, inFolders, withOneRuntime } from '../archive-folders.ts';
import type { FuzzedArchive, NamesCheck } from '../names-check.ts';
import { sourcesAroundOneJavaRuntime } from '../one-java-runtime.ts';

/**
 * google-java-format for the archives without the runtime, and javac with warnings as errors for sources, tests, examples and
 * READMEs of all archives, with one runtime. Each is one process.
 */
export const check: NamesCheck = {
  toolchain: 'java',
  problems: (archives) =>
    inFolders(withOneRuntime(archives), async (root) => {
      const compiled = await compileProblems(root, archives);
      return compiled === '' ? await formatProblems(root, archives) : compiled;
    }),
};

/** Returns the sources that the formatter would change. */
async function formatProblems(root: string, archives: readonly FuzzedArchive[]): Promise<string> {
  const sources = archives.flatMap((archive) => {
    const copied = copiedFiles(archive);
    const own = [...archive.files.keys()].filter((file) => file.endsWith('.java') && !copied.has(file));
    return own.map((file) => `${archive.name}/${file}`);
  });
  await writeFile(path.join(root, 'sources'), sources.join('\n'));
  const options = ['--dry-run', '--set-exit-if-changed', '@sources'];
  const { code, output } = await runJava('java', ['-jar', await formatterJar(), ...options], root);
  return code === 0 ? '' : `google-java-format would change:\n${output}`;
}

async function compileProblems(root: string, archives: readonly FuzzedArchive[]): Promise<string> {
  const sources = sourcesAroundOneJavaRuntime(archives, isCompiled, shownSources);
  await writeFiles(path.join(root, 'compiled'), sources);
  const args = [
    ...['-Xlint:all,-processing', '-Werror', '-encoding', 'UTF-8', '-implicit:none', '-proc:none'],
    ...['-d', 'classes', '-cp', [await junitJar(), await annotationsJar()].join(path.delimiter)],
    ...sources.map((source) => `compiled/${source.path}`),
  ];
  await writeFile(path.join(root, 'arguments'), args.map((arg) => JSON.stringify(arg)).join('\n'));
  const { code, output } = await runJava('javac', ['@arguments'], root);
  return code === 0 ? '' : output;
}

function shownSources({ name, files }: FuzzedArchive): { path: string; content: string }[] {
  return shownPrograms(files).map(({ className, text }, index) => ({
    path: `shown/p${index}/${className}.java`,
    content: `package shown.${name}.p${index};\n\n${text}`,
  }));
}

/** Reports whether a file is compiled. Modules are not, because one compilation cannot contain those of two archives. */
function isCompiled(file: string): boolean {
  return /^src\/(main|test)\/.*\.java$/.test(file) && !file.endsWith('module-info.java');
}
