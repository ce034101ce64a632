import type { FileView, Language, SdkPlan } from '../../generator/language.ts';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { compileTemplates } from '../../generator/render/compile-templates.ts';
import type { TemplateSet } from '../../generator/render/template-set.ts';

/** Returns the smallest possible language, for tests of code that all languages share. */
export function toyLanguage(overrides: Partial<Language> = {}, ofPlan: Partial<SdkPlan> = {}): Language {
  return {
    id: 'toy',
    archiveSuffix: 'toy',
    plan: (model) => ({ ...toyPlan(model), ...ofPlan }),
    ...overrides,
  };
}

function toyPlan({ client }: SdkModel): SdkPlan {
  return {
    manifest: {
      package: { name: `${client.handle}-${client.slug}`, import: client.slug },
      setup: 'true',
      test: 'true',
      example: ({ mode }) => (mode === 'unary' ? 'cat README.md' : undefined),
    },
    terms: {
      languageName: 'Toy',
      fence: 'toy',
      call: ({ alias, mode }) => (mode === 'unary' ? `call(${JSON.stringify(alias)})` : undefined),
      runCalls: { execution: 'execution(id)', pauses: 'pauses()' },
      typeName: (fullName) => fullName,
      field: (_, { name, type }) => ({ name, type: type.kind }),
      enumValue: (_, { name }) => name,
    },
    files: (): FileView[] => [{ path: 'README.md', template: 'README.md', view: { name: client.name } }],
    runtimePath: (path) => `lib/${path}`,
    snippet: () => 'call it\n',
  };
}

/** Returns its templates. A shared document that is not given consists of its name. */
export function toyTemplates(documents?: ReadonlyMap<string, string>): TemplateSet {
  const names = ['CHANGELOG.md', 'LICENSE', 'REFERENCE.md', 'llms.txt'];
  return compileTemplates({
    sdk: new Map([['README.md', 'Toy of {{name}}\n']]),
    parts: new Map(),
    documents: documents ?? new Map(names.map((name) => [name, `${name}\n`])),
    runtime: new Map([['core.toy', new TextEncoder().encode('core\n')]]),
  });
}
