import assert from 'node:assert/strict';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import type { FlowMember, SdkModel } from '../../../../generator/model/sdk-model.ts';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import type { MessageModel } from '../../../../specs/messages/message-model.ts';
import { loadLanguage } from '../../../../service/builds/load-language.ts';

/** Bytes of a minified module, compressed: what a page loads. */
const CORE_BUDGET = 5_000;

describe('what a page loads of the SDK for browsers', function () {
  this.timeout(60_000);

  it('is little: the core with its retries, errors, tokens and the beacon', async () => {
    const size = await bundledSize(modelOf(20), 'export { connect, Beacon } from "./index.ts";');
    assert.ok(size <= CORE_BUDGET, `${size} bytes, ${CORE_BUDGET} were allowed`);
  });

  it('does not grow with calls that it does not make', async () => {
    const one = 'export { connect, flow7 } from "./index.ts";';
    const few = await bundledSize(modelOf(20), one);
    const many = await bundledSize(modelOf(200), one);
    assert.ok(Math.abs(many - few) <= 20, `${few} bytes with 20 members, ${many} with 200`);
  });

  it('grows with calls that it makes, so that the test above can fail', async () => {
    const all = 'export * from "./index.ts";';
    const few = await bundledSize(modelOf(20), all);
    const many = await bundledSize(modelOf(200), all);
    assert.ok(many > few + 1_000, `${few} bytes with 20 members, ${many} with 200`);
  });
});

/** Bundles what an archive's sources export, as an application would, and compresses it. */
async function bundledSize(model: SdkModel, entry: string): Promise<number> {
  const { language, templates } = await loadLanguage('typescript-browser');
  const files = await sdkFiles(model, language, templates);
  const sources = new Map(
    files.map(({ path: file, content }) => [`/${file}`, Buffer.from(content).toString()]),
  );
  sources.set('/src/entry.ts', entry);
  const result = await build({
    entryPoints: ['/src/entry.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    plugins: [inMemory(sources)],
    // The archive is no folder here whose package.json says so.
    ignoreAnnotations: false,
  });
  return gzipSync(result.outputFiles[0]!.contents, { level: 9 }).length;
}

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

/** A client of so many flows, each with messages of its own. */
function modelOf(count: number): SdkModel {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return {
    client: { handle: 'acme', slug: 'many', name: 'Many', description: '' },
    version: 1,
    semver: '1.0.0',
    generator: 'svc/0.0.0',
    goModulePrefix: 'go.svc.internal',
    members: numbers.map((number): FlowMember => {
      return {
        type: 'flow',
        alias: `flow-${number}`,
        mode: 'unary',
        pin: { artifact: `artifact ${number}`, graph: `graph-${number}` },
        comment: '',
        input: `many.Question${number}`,
        output: `many.Answer${number}`,
        sample: {},
      };
    }),
    types: {
      messages: numbers.flatMap((number) => [message(`Question${number}`), message(`Answer${number}`)]),
      enums: [],
    },
    changelog: [],
    firstSeen: [],
  };
}

function message(name: string): MessageModel {
  return {
    fullName: `many.${name}`,
    name,
    comment: '',
    deprecated: false,
    oneofs: [],
    fields: ['text', 'topic', 'author'].map((field, index) => ({
      name: field,
      jsonName: field,
      number: index + 1,
      comment: '',
      deprecated: false,
      cardinality: 'single',
      type: { kind: 'scalar', scalar: 'string' },
    })),
  };
}
