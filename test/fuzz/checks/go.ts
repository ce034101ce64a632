import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFiles } from '../../support/cargo.ts';
import { runGo } from '../../support/go-tools.ts';
import { archiveFiles, inFolders, withOneRuntime } from '../archive-folders.ts';
import type { FuzzedArchive, NamesCheck } from '../names-check.ts';

/** gofmt, and go vet over packages, tests and examples of all archives in one workspace, with one runtime. */
export const check: NamesCheck = {
  toolchain: 'go',
  problems: (archives) =>
    inFolders(withOneRuntime(archives), async (root) => {
      const names = archives.map(({ name }) => name);
      const uses = names.map((name) => `\t./${name}\n`).join('');
      await writeFile(path.join(root, 'go.work'), `go 1.24\n\nuse (\n${uses})\n`);
      const format = await runGo('gofmt', ['-s', '-l', ...names], root);
      await writeFiles(root, archiveFiles(withImportsOfOneRuntime(archives)));
      const vet = await runGo('go', ['vet', ...names.map((name) => `./${name}/...`)], root);
      return `${format.output}${vet.code === 0 ? '' : vet.output}`;
    }),
};

function withImportsOfOneRuntime(archives: readonly FuzzedArchive[]): FuzzedArchive[] {
  const [first, ...others] = withOneRuntime(archives);
  if (first === undefined) return [];
  const runtime = `"${moduleOf(first)}/svc"`;
  const pointed = others.map((archive) => {
    const own = `"${moduleOf(archive)}/svc"`;
    const files = Array.from(archive.files, ([file, text]): [string, string] => [
      file,
      file.endsWith('.go') ? text.replace(own, runtime) : text,
    ]);
    return { ...archive, files: new Map(files) };
  });
  return [first, ...pointed];
}

function moduleOf({ files }: FuzzedArchive): string {
  return /^module (\S+)$/m.exec(files.get('go.mod') ?? '')?.[1] ?? '';
}
