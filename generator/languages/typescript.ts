import type { FileView, Language, LanguageTerms } from '../language.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import { foldLines } from '../text/fold-lines.ts';
import { showInvisible } from '../text/show-invisible.ts';
import { fieldType, oneofType } from '../typescript/field-types.ts';
import { flatType } from '../typescript/layout.ts';
import { messagesView } from '../typescript/messages-view.ts';
import { callableMembers, finalName, planNames, propertiesOf } from '../typescript/names.ts';
import type { TypeScriptNames } from '../typescript/names.ts';
import { operationView, rootView } from '../typescript/operation-texts.ts';
import { clientView, operationsView } from '../typescript/operations-view.ts';
import type { Operation } from '../typescript/operations-view.ts';
import { clientHeader, packageName } from '../typescript/package-names.ts';
import { clientTestView, exampleView, snippetText } from '../typescript/programs.ts';
import { readmeView } from '../typescript/readme-view.ts';
import { stringLiteral } from '../typescript/string-literal.ts';
import { assignment, print } from '../typescript/layout.ts';

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
      file('README.md', readmeView(model, operations, names)),
      file('package.json', packageView(model)),
      file('package-lock.json', packageView(model)),
      file('src/client.ts', clientView(operations, names.client, model.client)),
      file('src/connect.ts', {
        sdk: print([assignment('const sdk', stringLiteral(clientHeader(model))), ';']),
      }),
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
    return operation === undefined ? '' : snippetText(model, operation, names, packageName(model));
  },

  terms: (model) => terms(model),
};

function file(path: string, view: object): FileView {
  return { path, template: path, view };
}

function examplePath(name: string): string {
  return `examples/${name}.js`;
}

function operationsOf(model: SdkModel, names: TypeScriptNames): Operation[] {
  return callableMembers(model).map((member): Operation => {
    const view = operationView(member, names);
    if (member.type === 'node') return { type: member.type, member, view };
    const flowNames = names.flows.get(member.alias);
    if (flowNames === undefined) throw new Error(`no names were planned for flow ${member.alias}`);
    return { type: member.type, member, view, names: flowNames };
  });
}

function terms(model: SdkModel): LanguageTerms {
  const names = planNames(model);
  const typeOf = (fullName: string): string =>
    names.types.get(fullName) ?? flatType(rootView(fullName, names).type);
  return {
    languageName: 'TypeScript',
    fence: 'ts',
    call: ({ alias }) => {
      const name = names.functions.get(alias);
      return name === undefined ? undefined : `client.${name}(input)`;
    },
    furtherCalls: ({ alias }) => {
      const flow = names.flows.get(alias);
      return flow === undefined
        ? []
        : [`client.${flow.start}(input)`, `client.${flow.execution}(id)`, `client.${flow.warm}()`];
    },
    typeName: typeOf,
    field: (message, field) => ({
      name: finalName(propertiesOf(names, message.fullName), field.oneof ?? field.name),
      type: flatType(
        field.oneof === undefined ? fieldType(field, names.types) : oneofType([field], names.types),
      ),
    }),
    enumValue: (_, value) => stringLiteral(value.name),
  };
}

/** Named one by one: runners differ in what they take a folder for. */
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
]
  .map((name) => `build/test/${name}.test.js`)
  .join(' ');

function packageView(model: SdkModel): object {
  const { name, description } = model.client;
  const said = showInvisible(foldLines(description === '' ? name : description));
  return {
    name: JSON.stringify(packageName(model)),
    version: JSON.stringify(model.semver),
    description: JSON.stringify(said),
    testFiles,
  };
}
