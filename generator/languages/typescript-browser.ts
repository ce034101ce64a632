import type { FileView, Language } from '../language.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import { messagesView } from '../typescript/messages-view.ts';
import { planNames } from '../typescript/names.ts';
import type { TypeScriptNames } from '../typescript/names.ts';
import { operationsOf } from '../typescript/operations-of.ts';
import { clientView, operationsView } from '../typescript/operations-view.ts';
import { packageView } from '../typescript/package-view.ts';
import { clientTestView, connectView, snippetText } from '../typescript/programs.ts';
import type { ProgramTerms } from '../typescript/programs.ts';
import { typescriptTerms } from '../typescript/terms.ts';
import { examplePageView, exampleView } from '../typescript-browser/example-view.ts';
import { clientHeader, globalName, packageName } from '../typescript-browser/package-names.ts';
import { pageModel } from '../typescript-browser/page-model.ts';
import { readmeView } from '../typescript-browser/readme-view.ts';

/**
 * TypeScript for pages: an npm package without dependencies, as ES modules and as one classic script. It has the runtime of
 * TypeScript, calls flows alone, takes tokens or app keys, and keeps flows warm by a beacon.
 */
export const language: Language = {
  id: 'typescript-browser',
  archiveSuffix: 'browser',
  variantOf: 'typescript',

  manifest(model) {
    const { examples } = namesOf(model);
    const name = packageName(model);
    return {
      package: { name, import: name },
      setup: 'npm ci',
      test: 'npm test',
      example: ({ alias }) => {
        const file = examples.get(alias);
        return file === undefined ? undefined : `node scripts/show-example.js ${file}`;
      },
    };
  },

  runtimePath: (path) => (notForPages.has(path) ? undefined : path),

  async files(model) {
    const names = namesOf(model);
    const operations = operationsOf(pageModel(model), names);
    const packaged = packageView(model, packageName(model), testFiles);
    return [
      file('README.md', readmeView(model, operations, names, programTerms(model))),
      file('package.json', { ...packaged, globalName: globalName(model) }),
      file('package-lock.json', packaged),
      file('src/client.ts', clientView(operations, names.client, model.client)),
      file('src/connect.ts', connectView(clientHeader(model))),
      file('src/index.ts', { className: names.client }),
      file('src/messages.ts', await messagesView(model, names)),
      file('src/operations.ts', operationsView(operations)),
      file('test/client.test.ts', clientTestView(operations, names)),
      ...operations.flatMap((operation): FileView[] => {
        const name = names.examples.get(operation.member.alias) ?? '';
        const path = `examples/${name}`;
        return [
          { path: `${path}.html`, template: 'examples/example.html', view: examplePageView(name) },
          { path: `${path}.js`, template: 'examples/example.js', view: exampleView(operation, names) },
        ];
      }),
    ];
  },

  snippet(model, member) {
    const names = namesOf(model);
    const flows = pageModel(model);
    const operation = operationsOf(flows, names).find(({ member: { alias } }) => alias === member.alias);
    return operation === undefined ? '' : snippetText(model, operation, names, programTerms(model));
  },

  terms: (model) => ({
    ...typescriptTerms(namesOf(model)),
    languageName: 'TypeScript in browsers',
    credentials: 'Key and address are passed to the client as apiKey or token, and baseUrl.',
  }),
};

/** Files of the runtime of TypeScript that pages have no use for. */
const notForPages: ReadonlySet<string> = new Set([
  'scripts/mark-commonjs.js',
  'src/runtime/invoke-node.ts',
  'test/calls.test.ts',
  'tsconfig.cjs.json',
]);

function file(path: string, view: object): FileView {
  return { path, template: path, view };
}

function namesOf(model: SdkModel): TypeScriptNames {
  return planNames(pageModel(model));
}

function programTerms(model: SdkModel): ProgramTerms {
  return {
    packageName: packageName(model),
    options: 'const options = { apiKey: "svcapp_...", baseUrl: "https://svc.example.com" };',
  };
}

const testFiles = [
  'beacon',
  'beacon-state',
  'client',
  'configuration',
  'deadlines',
  'errors',
  'executions',
  'flows',
  'input-types',
  'protojson',
  'redaction',
  'retries',
  'tokens',
];
