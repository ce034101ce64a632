import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { sdkFiles } from '../../generator/sdk-files.ts';
import { loadLanguage } from '../../service/languages/load-language.ts';

/** Size of the code that a page loads, in bytes. */
export interface BundleSize {
  minified: number;
  /** Compressed size of the minified code, as servers send it. */
  gzip: number;
}

/** The languages whose archives are bundled. */
type BundledLanguage = 'typescript' | 'typescript-browser';

/**
 * Bundles the parts of an archive that an entry imports, like an application. `entry` is a module next to `src/index.ts`.
 * Modules that are loaded on demand are left out.
 */
export async function pageBundle(
  model: SdkModel,
  entry: string,
  id: BundledLanguage = 'typescript-browser',
): Promise<BundleSize> {
  return sizeOf(await pageScript(model, entry, id));
}

/** Returns the module of `pageBundle`. */
export async function pageScript(
  model: SdkModel,
  entry: string,
  id: BundledLanguage = 'typescript-browser',
): Promise<Uint8Array> {
  return bundled(await archiveEntry(model, entry, id));
}

/** Returns the minified bytes of each source file in `pageBundle`, by its path in the archive. */
export async function pageModules(
  model: SdkModel,
  entry: string,
  id: BundledLanguage = 'typescript-browser',
): Promise<ReadonlyMap<string, number>> {
  const options = await archiveEntry(model, entry, id);
  const { metafile } = await build({ ...options, ...bundling, metafile: true });
  const [output] = Object.values(metafile.outputs);
  return new Map(
    Object.entries(output?.inputs ?? {}).map(([name, { bytesInOutput }]) => [
      name.replace('archive:/', ''),
      bytesInOutput,
    ]),
  );
}

async function archiveEntry(model: SdkModel, entry: string, id: BundledLanguage): Promise<BuildOptions> {
  const { language, templates } = await loadLanguage(id);
  const files = await sdkFiles(model, language, templates);
  const sources = new Map(
    files.map(({ path: file, content }) => [`/${file}`, Buffer.from(content).toString()]),
  );
  sources.set('/src/entry.ts', entry);
  return { entryPoints: ['/src/entry.ts'], plugins: [inMemory(sources)] };
}

/** Bundles and minifies with esbuild for the oldest supported browsers of the language. */
export async function bundleSize(options: BuildOptions): Promise<BundleSize> {
  return sizeOf(await bundled(options));
}

/** Options of an application's bundle for the oldest supported browsers of the language. */
const bundling = { bundle: true, minify: true, format: 'esm', target: 'es2022', write: false } as const;

async function bundled(options: BuildOptions): Promise<Uint8Array> {
  const { outputFiles } = await build({ ...options, ...bundling });
  return outputFiles[0]!.contents;
}

function sizeOf(contents: Uint8Array): BundleSize {
  return { minified: contents.length, gzip: gzipSync(contents, { level: 9 }).length };
}

/** Files of an archive, which declares that its modules have no side effects. */
function inMemory(sources: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'in-memory',
    setup(bundle) {
      bundle.onResolve({ filter: /./ }, ({ path: name, resolveDir, importer, kind }) => {
        if (kind === 'dynamic-import') return { path: name, external: true };
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
