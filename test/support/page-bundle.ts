import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { sdkFiles } from '../../generator/sdk-files.ts';
import { loadLanguage } from '../../service/languages/load-language.ts';

/** What a page loads, in bytes. */
export interface BundleSize {
  minified: number;
  /** Of the minified one, as servers send it. */
  gzip: number;
}

/**
 * Bundles the parts of a browser archive that an entry imports, as an application does: `entry` is a module next to `src/index.ts`.
 */
export async function pageBundle(model: SdkModel, entry: string): Promise<BundleSize> {
  const { language, templates } = await loadLanguage('typescript-browser');
  const files = await sdkFiles(model, language, templates);
  const sources = new Map(
    files.map(({ path: file, content }) => [`/${file}`, Buffer.from(content).toString()]),
  );
  sources.set('/src/entry.ts', entry);
  return bundleSize({ entryPoints: ['/src/entry.ts'], plugins: [inMemory(sources)] });
}

/** Bundles and minifies by esbuild, for browsers of the language's floor. */
export async function bundleSize(options: BuildOptions): Promise<BundleSize> {
  const { outputFiles } = await build({
    ...options,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const contents = outputFiles[0]!.contents;
  return { minified: contents.length, gzip: gzipSync(contents, { level: 9 }).length };
}

/** Files of an archive, which says itself that its modules have no side effects. */
function inMemory(sources: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'in-memory',
    setup(bundle) {
      bundle.onResolve({ filter: /./ }, ({ path: name, resolveDir, importer }) => {
        const folder = resolveDir === '' || importer !== '' ? path.posix.dirname(importer) : '/';
        const file = path.posix.resolve(folder, name);
        return { path: file, namespace: 'archive', sideEffects: false };
      });
      bundle.onLoad({ filter: /./, namespace: 'archive' }, ({ path: file }) => ({
        contents: sources.get(file) ?? '',
        loader: 'ts',
      }));
    },
  };
}
