import { changelogView } from '../../documents/changelog-view.ts';
import type { FileView, Language, SdkPlan } from '../../language.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import { bundledModules } from '../typescript/bundled-modules.ts';
import { compiledModules } from '../typescript/compiled-modules.ts';
import { packageView, runtimeTests } from '../typescript/package-view.ts';
import { memberSnippet } from '../typescript/programs.ts';
import { file, sourceFiles } from '../typescript/source-files.ts';
import { sourceModules } from '../typescript/source-modules.ts';
import { typescriptTerms } from '../typescript/terms.ts';
import { type TypeScriptSdk, typescriptSdk } from '../typescript/typescript-sdk.ts';
import { examplePageView, exampleView } from './example-view.ts';
import { clientHeader, globalName, packageName } from './package-names.ts';
import { pageChangelog } from './page-changelog.ts';
import { readmeView } from './readme-view.ts';

/**
 * TypeScript for pages: an npm package without dependencies, as ES modules and as one classic script. It has the runtime of
 * TypeScript, calls only flows, accepts tokens or app keys, and keeps flows warm with a beacon.
 */
export const language: Language = {
  id: 'typescript-browser',
  archiveSuffix: 'browser',
  variantOf: 'typescript',

  plan: (model) => planOf(pageSdk(model), model),
};

/** Returns the SDK of the members that pages may call: flows, since app keys can reach nothing else. */
function pageSdk(model: SdkModel): TypeScriptSdk {
  const flows = { ...model, members: model.members.filter(({ type }) => type === 'flow') };
  return typescriptSdk(flows, {
    packageName: packageName(model),
    options: 'const options = { apiKey: "svcapp_...", baseUrl: "https://svc.example.com" };',
  });
}

/** @param model the whole client, including nodes. */
function planOf(sdk: TypeScriptSdk, model: SdkModel): SdkPlan {
  const { names, program } = sdk;
  const name = program.packageName;
  return {
    manifest: {
      package: { name, import: name },
      setup: 'npm ci',
      test: 'npm test',
      example: ({ alias }) => {
        const example = names.examples.get(alias);
        return example === undefined ? undefined : `node scripts/show-example.js ${example}`;
      },
    },
    terms: {
      ...typescriptTerms(sdk),
      languageName: 'TypeScript in browsers',
      credentials: 'Key and address are passed to the client as apiKey or token, and baseUrl.',
    },
    files: () => files(sdk, model),
    runtimePath: (path) => (notForPages.has(path) ? undefined : path),
    compiled: async (archive) => {
      const sources = sourceModules(archive);
      const script = { format: 'iife', globalName: globalName(model), minify: true } as const;
      return [
        ...(await compiledModules(sources)),
        // A classic script, which sets one global.
        ...(await bundledModules(sources, 'dist/iife/index.js', script)),
      ];
    },
    snippet: (member) => memberSnippet(sdk, member),
  };
}

async function files(sdk: TypeScriptSdk, model: SdkModel): Promise<FileView[]> {
  const { names, operations, program } = sdk;
  const packaged = packageView(model, program.packageName, [
    'beacon',
    'beacon-state',
    'offline',
    ...runtimeTests,
  ]);
  return [
    file('README.md', readmeView(sdk, model)),
    {
      path: 'CHANGELOG.md',
      template: 'documents/CHANGELOG.md',
      view: changelogView({ ...model, changelog: pageChangelog(model.changelog, model.members) }),
    },
    file('package.json', { ...packaged, globalName: globalName(model) }),
    file('package-lock.json', packaged),
    ...(await sourceFiles(sdk, clientHeader(model))),
    ...operations.flatMap((operation): FileView[] => {
      const name = names.examples.get(operation.member.alias) ?? '';
      const path = `examples/${name}`;
      return [
        { path: `${path}.html`, template: 'examples/example.html', view: examplePageView(name) },
        { path: `${path}.js`, template: 'examples/example.js', view: exampleView(operation, names) },
      ];
    }),
  ];
}

/** Files of the TypeScript runtime that pages do not need. */
const notForPages: ReadonlySet<string> = new Set([
  'src/runtime/input-lines.ts',
  'src/runtime/invoke-node.ts',
  'src/runtime/live-session.ts',
  'src/runtime/split-stream.ts',
  'src/runtime/stream-node.ts',
  'test/calls.test.ts',
  'test/live-sessions.test.ts',
  'test/split-streams.test.ts',
  'test/uploads.test.ts',
]);
