import type { FileView, Language, SdkFile, SdkPlan } from '../../language.ts';
import { bundledModules } from './bundled-modules.ts';
import { compiledModules } from './compiled-modules.ts';
import { handlerTypes } from './handler-types.ts';
import { clientHeader, packageName } from './package-names.ts';
import { packageView, runtimeTests } from './package-view.ts';
import { exampleView, memberSnippet } from './programs.ts';
import { readmeView } from './readme-view.ts';
import { file, sourceFiles } from './source-files.ts';
import { sourceModules } from './source-modules.ts';
import { typescriptTerms } from './terms.ts';
import { type TypeScriptSdk, typescriptSdk } from './typescript-sdk.ts';

/** TypeScript for Node 20 and later, Deno, Bun and Workers: an npm package without dependencies. */
export const language: Language = {
  id: 'typescript',
  archiveSuffix: 'ts',

  plan: (model) => planOf(typescriptSdk(model, { packageName: packageName(model) })),
  handlerTypes: async (types) => [await handlerTypes(types)],
};

function planOf(sdk: TypeScriptSdk): SdkPlan {
  const { names, program } = sdk;
  const name = program.packageName;
  return {
    manifest: {
      package: { name, import: name },
      setup: 'npm ci',
      test: 'npm test',
      example: (member) => {
        const example = names.examples.get(member.alias);
        return example === undefined ? undefined : `node ${examplePath(example)}`;
      },
    },
    terms: typescriptTerms(sdk),
    files: () => files(sdk),
    runtimePath: (path) => path,
    compiled,
    snippet: (member) => memberSnippet(sdk, member),
  };
}

/**
 * Options for Node: without `platform`, ES modules could not import the names of a CommonJS module that re-exports this
 * one.
 */
const commonJs = { format: 'cjs', platform: 'node', keepNames: true, sourcemap: 'linked' } as const;

/** Returns ES modules with their declarations, and the same for CommonJS with all modules in one file. */
async function compiled(archive: readonly SdkFile[]): Promise<SdkFile[]> {
  const sources = sourceModules(archive);
  const modules = await compiledModules(sources);
  const declarations = modules.filter(({ path }) => /\.d\.ts(\.map)?$/.test(path));
  return [
    ...modules,
    ...declarations.map(({ path, content }) => ({ path: path.replace('/esm/', '/cjs/'), content })),
    ...(await bundledModules(sources, 'dist/cjs/index.js', commonJs)),
    // The package is otherwise ES modules.
    { path: 'dist/cjs/package.json', content: '{ "type": "commonjs" }\n' },
  ];
}

async function files(sdk: TypeScriptSdk): Promise<FileView[]> {
  const { model, names, operations, program } = sdk;
  const packaged = packageView(model, program.packageName, [
    'calls',
    'live-sessions',
    'split-streams',
    'uploads',
    ...runtimeTests,
  ]);
  return [
    file('README.md', readmeView(sdk)),
    file('package.json', packaged),
    file('package-lock.json', packaged),
    ...(await sourceFiles(sdk, clientHeader(model))),
    ...operations.map((operation): FileView => {
      const path = examplePath(names.examples.get(operation.member.alias) ?? '');
      const view = exampleView(operation, names, program.packageName, path);
      return { path, template: 'examples/example.js', view };
    }),
  ];
}

function examplePath(name: string): string {
  return `examples/${name}.js`;
}
