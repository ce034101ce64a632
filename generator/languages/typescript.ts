import type { FileView, Language } from '../language.ts';
import { messagesView } from '../typescript/messages-view.ts';
import { planNames } from '../typescript/names.ts';
import { operationsOf } from '../typescript/operations-of.ts';
import { clientView, operationsView } from '../typescript/operations-view.ts';
import { clientHeader, packageName } from '../typescript/package-names.ts';
import { packageView } from '../typescript/package-view.ts';
import { clientTestView, connectView, exampleView, snippetText } from '../typescript/programs.ts';
import { readmeView } from '../typescript/readme-view.ts';
import { typescriptTerms } from '../typescript/terms.ts';

/** TypeScript for Node 20 and later, Deno, Bun and Workers: an npm package without dependencies. */
export const language: Language = {
  id: 'typescript',
  archiveSuffix: 'ts',

  manifest(model) {
    const names = planNames(model);
    const name = packageName(model);
    return {
      package: { name, import: name },
      setup: 'npm ci',
      test: 'npm test',
      example: (member) => {
        const file = names.examples.get(member.alias);
        return file === undefined ? undefined : `node ${examplePath(file)}`;
      },
    };
  },

  runtimePath: (path) => path,

  async files(model) {
    const names = planNames(model);
    const operations = operationsOf(model, names);
    const name = packageName(model);
    return [
      file('README.md', readmeView(model, operations, names, { packageName: name })),
      file('package.json', packageView(model, name, testFiles)),
      file('package-lock.json', packageView(model, name, testFiles)),
      file('src/client.ts', clientView(operations, names.client, model.client)),
      file('src/connect.ts', connectView(clientHeader(model))),
      file('src/index.ts', { className: names.client }),
      file('src/messages.ts', await messagesView(model, names)),
      file('src/operations.ts', operationsView(operations)),
      file('test/client.test.ts', clientTestView(operations, names)),
      ...operations.map((operation): FileView => {
        const path = examplePath(names.examples.get(operation.member.alias) ?? '');
        return { path, template: 'examples/example.js', view: exampleView(operation, names, name, path) };
      }),
    ];
  },

  snippet(model, member) {
    const names = planNames(model);
    const operation = operationsOf(model, names).find(({ member: { alias } }) => alias === member.alias);
    return operation === undefined
      ? ''
      : snippetText(model, operation, names, { packageName: packageName(model) });
  },

  terms: (model) => typescriptTerms(planNames(model)),
};

function file(path: string, view: object): FileView {
  return { path, template: path, view };
}

function examplePath(name: string): string {
  return `examples/${name}.js`;
}

const testFiles = [
  'calls',
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
