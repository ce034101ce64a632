import type { Language } from '../../../../generator/language.ts';
import type { TypeScriptNames } from '../../../../generator/languages/typescript/names.ts';
import type { SdkModel } from '../../../../generator/model/sdk-model.ts';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../../service/languages/load-language.ts';
import { listSdkFixtures, loadSdkFixture } from '../../../support/sdk-fixtures.ts';

/** The archive of a fixture as text, and its model. */
export interface RenderedFixture {
  name: string;
  model: SdkModel;
  language: Language;
  /** Contents by path in the archive, without compiled files. */
  files: ReadonlyMap<string, string>;
  /** Contents of `dist/` by path in the archive. */
  compiled?: ReadonlyMap<string, string>;
  /** Paths of the files that are the same in every archive. */
  runtime: ReadonlySet<string>;
}

const rendered = new Map<string, Promise<RenderedFixture[]>>();

/**
 * Returns the archive of every fixture in TypeScript or its variant, and an archive per kind of member whose client has no other kind.
 * They are rendered once per process.
 */
export function renderedFixtures(id = 'typescript'): Promise<RenderedFixture[]> {
  const known = rendered.get(id) ?? renderAll(id);
  rendered.set(id, known);
  return known;
}

async function renderAll(id: string): Promise<RenderedFixture[]> {
  const { language, templates } = await loadLanguage(id);
  const runtime = new Set(templates.runtime.keys());
  const models = listSdkFixtures().map(async (name) => ({ name, model: await loadSdkFixture(name) }));
  return Promise.all(
    [...(await Promise.all(models)), ...(await clientsOfOneKind())].map(async ({ name, model }) => {
      const files = await sdkFiles(model, language, templates);
      const texts = files.map(({ path, content }): [string, string] => [
        path,
        typeof content === 'string' ? content : new TextDecoder().decode(content),
      ]);
      const isCompiled = ([path]: [string, string]): boolean => path.startsWith('dist/');
      const sources = texts.filter((file) => !isCompiled(file));
      const compiled = new Map(texts.filter(isCompiled));
      return { name, model, language, files: new Map(sources), compiled, runtime };
    }),
  );
}

/** Returns a client per kind of member. Each needs fewer imports than a client with all kinds. */
async function clientsOfOneKind(): Promise<Pick<RenderedFixture, 'name' | 'model'>[]> {
  const model = await loadSdkFixture('conformance');
  const kinds = Map.groupBy(model.members, ({ type, mode }) => `${mode}-${type}s`);
  return [...kinds].map(([kind, members]) => ({ name: `only-${kind}`, model: { ...model, members } }));
}

/** Returns the files of an archive that differ between clients. */
export function printedFiles({ files, runtime }: RenderedFixture): [path: string, text: string][] {
  return [...files].filter(([path]) => !runtime.has(path) && !path.startsWith('dist/'));
}

/** Returns the files that every archive has, by path. */
export function runtimeFiles({ files, runtime }: RenderedFixture): [path: string, text: string][] {
  return [...files].filter(([path]) => runtime.has(path));
}

/** Returns the names of all functions, which are also the names of the client's methods. */
export function callNames({ functions, flows, streams }: TypeScriptNames): string[] {
  return [
    ...functions.values(),
    ...[...flows.values()].flatMap(({ start, execution, warm }) => [start, execution, warm]),
    ...[...streams.values()]
      .flatMap(({ node, warm }) => [node?.upload, node?.create, node?.stream, node?.open, warm])
      .filter((name) => name !== undefined),
  ];
}
