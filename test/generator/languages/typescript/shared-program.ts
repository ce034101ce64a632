import path from 'node:path';
import ts from 'typescript';
import type { RenderedFixture } from './rendered-fixtures.ts';

const root = '/sdk';
const projectRoot = path.resolve(import.meta.dirname, '../../../..');

/** Returns the path of an archive's file in the program. All archives share one runtime. */
function programPath(fixture: RenderedFixture, file: string): string {
  return fixture.runtime.has(file) ? `${root}/runtime/${file}` : `${root}/${fixture.name}/${file}`;
}

/**
 * Returns one program with the archives of all fixtures and the snippets of their members, with the archives' own compiler options. It
 * is one program because checking the standard library and the runtime takes far longer than checking the generated code.
 */
export function sharedProgram(
  fixtures: readonly RenderedFixture[],
  overrides: ts.CompilerOptions = {},
): ts.Program {
  const sources = new Map(fixtures.flatMap(programFiles));
  sources.set(`${root}/package.json`, '{ "type": "module" }');
  const options = {
    ...archiveOptions(fixtures[0]!),
    ...overrides,
    noEmit: true,
    skipLibCheck: true,
    // Nothing is emitted, and the runtime is not at its path in the archives.
    rewriteRelativeImportExtensions: false,
    allowImportingTsExtensions: true,
  };
  const host = ts.createCompilerHost(options);
  const packages = new Map(fixtures.map((fixture) => [`${fixture.name} ${packageOf(fixture)}`, fixture]));
  return ts.createProgram({
    rootNames: [...sources.keys()].filter((file) => /\.[jt]s$/.test(file)),
    options,
    host: {
      ...host,
      getCurrentDirectory: () => projectRoot,
      directoryExists: (folder) => folder.startsWith(root) || ts.sys.directoryExists(folder),
      fileExists: (file) => sources.has(file) || host.fileExists(file),
      readFile: (file) => sources.get(file) ?? host.readFile(file),
      getSourceFile(file, languageVersion) {
        const text = sources.get(file);
        if (text === undefined) return host.getSourceFile(file, languageVersion);
        return ts.createSourceFile(file, text, languageVersion, true);
      },
      resolveModuleNameLiterals: (literals, containingFile) =>
        literals.map(({ text }) => {
          const file = resolveName(text, containingFile);
          if (file === undefined || !sources.has(file))
            return ts.resolveModuleName(text, containingFile, options, host);
          return {
            resolvedModule: {
              resolvedFileName: file,
              extension: path.extname(file),
              resolvedUsingTsExtension: true,
            },
          };
        }),
    },
  });

  function resolveName(name: string, containingFile: string): string | undefined {
    const [, fixtureName = ''] = containingFile.slice(1).split('/');
    if (!name.startsWith('.')) {
      const fixture = packages.get(`${fixtureName} ${name}`);
      return fixture === undefined ? undefined : programPath(fixture, 'src/index.ts');
    }
    const resolved = path.posix.resolve(path.posix.dirname(containingFile), name);
    // A compiled file has the types of its source.
    const wanted = resolved.replace(/\/dist\/esm\/(.*)\.js$/, '/src/$1.ts');
    if (sources.has(wanted)) return wanted;
    return `${root}/runtime/${wanted.split('/').slice(3).join('/')}`;
  }
}

function programFiles(fixture: RenderedFixture): [string, string][] {
  const { model, language } = fixture;
  const plan = language.plan(model);
  const snippets = model.members.map((member, index): [string, string] => [
    `${root}/${fixture.name}/snippets/snippet-${index}.ts`,
    plan.snippet(member),
  ]);
  const sources = [...fixture.files].filter(([file]) => !file.startsWith('dist/'));
  const files = sources.map(([file, text]): [string, string] => [programPath(fixture, file), text]);
  const parts = readmeParts(fixture).map((text, index): [string, string] => [
    `${root}/${fixture.name}/snippets/part-${index}.ts`,
    text,
  ]);
  // A member that cannot be called has no snippet.
  return [...files, ...snippets.filter(([, text]) => text !== ''), ...parts];
}

/** Returns the snippets of the README that create no client, as modules that declare the names they use. */
function readmeParts(fixture: RenderedFixture): string[] {
  const readme = fixture.files.get('README.md') ?? '';
  const blocks = Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, code = '']) => code);
  const clientClass = /new (\w+)\(/.exec(readme)?.[1] ?? '';
  const client = `import("${packageOf(fixture)}").${clientClass}`;
  return blocks.map((code) => {
    const used = Array.from(code.matchAll(/^const (\w+) =/gm), ([, name = '']) => `void ${name};`);
    if (code.includes(`new ${clientClass}(`)) return [code, ...used].join('\n');
    const [, method] = /client\.(\w+)\(\s*input\b/.exec(code) ?? [];
    const [, streamed] = /client\.(\w+)\(\s*inputs\(\)/.exec(code) ?? [];
    const [, created] = /client\.((?:create|open)\w+)\(\)/.exec(code) ?? [];
    const [, standalone] = /await (\w+)\(\s*connection,\s*input/.exec(code) ?? [];
    const messages =
      streamed === undefined
        ? `Parameters<Awaited<ReturnType<Client[${JSON.stringify(created ?? '')}]>>["upload"]>[0]`
        : `Parameters<Client[${JSON.stringify(streamed)}]>[0]`;
    const given = [
      `type Client = ${client};`,
      'declare const client: Client;',
      'declare const id: string;',
      'declare const isEnough: (output: unknown) => boolean;',
      method !== undefined && `declare const input: Parameters<Client["${method}"]>[0];`,
      standalone !== undefined && `declare const input: Parameters<typeof ${standalone}>[1];`,
      code.includes('session.send(input)') &&
        `declare const input: Parameters<Awaited<ReturnType<Client["${created ?? ''}"]>>["send"]>[0];`,
      // The word may be part of the name of the package or the name of a method.
      /(?<!\.)\bsource\b/.test(code.replace(/".*?"/g, '')) && `declare const source: ${messages};`,
    ];
    return [...given.filter((line) => line !== false), code, ...used, 'export {};', ''].join('\n');
  });
}

function packageOf({ language, model }: RenderedFixture): string {
  return language.plan(model).manifest.package.name;
}

/** Returns the options of `tsconfig.json` in the archive. */
function archiveOptions(fixture: RenderedFixture): ts.CompilerOptions {
  const config = ts.parseConfigFileTextToJson('tsconfig.json', fixture.files.get('tsconfig.json') ?? '');
  const raw = config.config as { compilerOptions: object };
  const { options, errors } = ts.convertCompilerOptionsFromJson(raw.compilerOptions, projectRoot);
  if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, ts.createCompilerHost({})));
  return options;
}
