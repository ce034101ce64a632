import type { FuzzedArchive } from './names-check.ts';
import { withOneRuntime } from './archive-folders.ts';

const runtimePackages = ['core', 'errors', 'internal', 'json'];

/**
 * Returns the sources of all archives for one compilation, in which all use the runtime of the first. The runtime packages of the
 * others are almost empty.
 *
 * @param moreOf returns further sources of an archive, by path in its folder
 */
export function sourcesAroundOneJavaRuntime(
  archives: readonly FuzzedArchive[],
  isCompiled: (file: string) => boolean,
  moreOf: (archive: FuzzedArchive) => { path: string; content: string }[] = () => [],
): { path: string; content: string }[] {
  const [first] = archives;
  if (first === undefined) return [];
  const runtime = packageOf(first);
  return withOneRuntime(archives).flatMap((archive) => {
    const { name, files } = archive;
    const packageName = packageOf(archive);
    const own = new RegExp(
      `\\b${packageName.replaceAll('.', '\\.')}(?=\\.(?:${runtimePackages.join('|')})\\.)`,
      'g',
    );
    const sources = [
      ...Array.from(files, ([path, content]) => ({ path, content })).filter(({ path }) => isCompiled(path)),
      ...moreOf(archive),
    ].map(({ path, content }) => ({ path: `${name}/${path}`, content }));
    const packages = runtimePackages.map((part) => ({
      path: `${name}/packages/${part}/Placeholder.java`,
      content: `package ${packageName}.${part};\n\ninterface Placeholder {}\n`,
    }));
    if (archive.name === first.name) return sources;
    return [
      ...sources.map((source) => ({ ...source, content: source.content.replace(own, runtime) })),
      ...packages,
    ];
  });
}

function packageOf({ files }: FuzzedArchive): string {
  const client = [...files.values()].find((text) => text.includes(' String IDENTITY =')) ?? '';
  return /^package ([\w.]+);$/m.exec(client)?.[1] ?? '';
}
