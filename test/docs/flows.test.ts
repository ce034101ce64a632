import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { parse } from 'yaml';

import { checkSecrets } from '../../service/engine/graph/compile/check-placements.ts';
import { transforms } from '../../service/engine/transforms/all-transforms.ts';
import { graphDocument } from '../../specs/operations/graph-shapes.ts';
import { listFiles } from '../architecture/source-tree.ts';
import { codesOf, type Page, readPage, rowOf } from './page.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

describe('docs/flows.md', () => {
  let page: Page;
  let documented: readonly string[];

  before(async () => {
    page = await readPage('docs/flows.md');
    const [, table = ''] = /^### Diagnostics$(.*?)^###/ms.exec(page.text) ?? [];
    documented = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, code = '']) => code);
  });

  it('explains every diagnostic of the compiler, and no others', async () => {
    const { codes, prefixes } = await codesOfCompiler();
    assert.ok(codes.size > 20);
    assert.deepEqual(
      [...codes].filter((code) => !documented.includes(code)),
      [],
    );
    assert.deepEqual(
      prefixes.filter((prefix) => !documented.some((code) => code.startsWith(prefix))),
      [],
    );
    assert.deepEqual(
      documented.filter((code) => !codes.has(code) && !prefixes.some((prefix) => code.startsWith(prefix))),
      [],
    );
  });

  it('quotes the error text of a missing secret', () => {
    const placement = { placed: { id: '<id>' }, node: { requiredSecrets: ['<name>'] } };
    const [diagnostic] = checkSecrets([placement as never], new Set());
    assert.deepEqual(rowOf(page, 'secret_not_configured')?.slice(1), [`\`${diagnostic?.message}\``]);
  });

  it('explains every transform', () => {
    const explained = page.rows.flatMap(([first = '']) =>
      codesOf(first).map((code) => code.replace(/\(.*/, '')),
    );
    assert.deepEqual(
      [...transforms.keys()].filter((name) => !explained.includes(name)),
      [],
    );
  });

  it('explains every key of a document, a node and an edge', () => {
    const { nodes, edges } = graphDocument.shape;
    const keys = [
      ...Object.keys(graphDocument.shape),
      ...Object.keys(nodes.element.shape),
      ...Object.keys(edges.unwrap().element.shape),
    ];
    assert.deepEqual(
      keys.filter((key) => rowOf(page, key) === undefined),
      [],
    );
  });

  it('explains that a decision replaces the input, like docs/node-containers.md and the templates of handlers', async () => {
    const containers = await readPage('docs/node-containers.md');
    const sections = [
      /^### Pauses$(.*?)^###/ms.exec(page.text)?.[1],
      ...['TypeScript', 'Python', 'Go'].map(
        (language) =>
          new RegExp(`^## Handlers in ${language}$(.*?)(?=^## |$(?![^]))`, 'ms').exec(containers.text)?.[1],
      ),
    ];
    for (const section of sections) assert.match(section ?? '', /decision replaces[^]*#asking-a-human\)/);
    for (const file of ['typescript/package/handlers.ts', 'python/package/nodes.py', 'go/package/nodes.go']) {
      const handlers = await readFile(path.join(projectRoot, 'templates', file), 'utf8');
      const words = handlers.replace(/\s+(?:#|\/\/)?\s*/g, ' ');
      assert.match(words, /the run waits for the decision, which (?:replaces|becomes) the input/);
      assert.match(words, /[Nn]othing of this call is kept[^]*docs\/node-containers\.md, "Asking a human"/);
    }
  });

  it('contains a valid document', () => {
    const [block] = page.blocks.filter(({ language }) => language === 'yaml');
    assert.equal(graphDocument.safeParse(parse(block?.content ?? '')).error, undefined);
  });
});

/** Codes as the sources spell them; concatenated codes are matched by their prefix. */
async function codesOfCompiler(): Promise<{ codes: ReadonlySet<string>; prefixes: string[] }> {
  const sources = await Promise.all(
    listFiles('service/engine/graph').map((file) => readFile(path.join(projectRoot, file), 'utf8')),
  );
  const text = sources.join('\n');
  const found = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, code = '']) => code);
  return {
    codes: new Set([...found(/\bcode: '(\w+)'/g), ...found(/\breport\(\s*'(\w+)'/g)]),
    prefixes: found(/\bcode: `(\w+)\$\{/g),
  };
}
