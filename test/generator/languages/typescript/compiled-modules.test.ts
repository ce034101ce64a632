import assert from 'node:assert/strict';
import { SourceMap } from 'node:module';
import { runInNewContext } from 'node:vm';
import { bundledModules } from '../../../../generator/languages/typescript/bundled-modules.ts';
import { compiledModules } from '../../../../generator/languages/typescript/compiled-modules.ts';

const index = {
  path: 'src/index.ts',
  text:
    'import { a } from "./a.ts";\n' +
    'export async function load(): Promise<number> {\n  return a + (await import("./b.ts")).b;\n}\n',
};
const a = { path: 'src/a.ts', text: 'export const a: number = 1;\n' };
const b = { path: 'src/b.ts', text: 'export const b: number = 2;\n' };

describe('compiled TypeScript modules', () => {
  it('import compiled modules, both statically and dynamically', async () => {
    const text = await textOf('dist/esm/index.js', compiledModules([index]));
    assert.match(text, /"\.\/a\.js"/);
    assert.match(text, /"\.\/b\.js"/);
    assert.doesNotMatch(text, /"\.\/[ab]\.ts"/);
  });

  for (const suffix of ['js', 'd.ts'])
    it(`have a source map for .${suffix}`, async () => {
      const files = compiledModules([{ path: 'src/runtime/codec/json.ts', text: `\n\n${a.text}` }]);
      const file = `dist/esm/runtime/codec/json.${suffix}`;
      assert.match(await textOf(file, files), new RegExp(`\n//# sourceMappingURL=json\\.${suffix}\\.map\n$`));
      const { source, line } = originOf(await textOf(`${file}.map`, files), 0);
      assert.deepEqual({ source, line }, { source: '../../../../src/runtime/codec/json.ts', line: 2 });
    });

  it('report the path of a module with a syntax error', async () => {
    await assert.rejects(compiledModules([{ path: 'src/x.ts', text: 'export const = 1;' }]), /src\/x\.ts: /);
  });

  it('require explicit types for exports', async () => {
    const untyped = { path: 'src/x.ts', text: 'export const x = JSON.parse("1");\n' };
    await assert.rejects(compiledModules([untyped]), /src\/x\.ts: .*explicit type annotation/);
  });
});

describe('bundled TypeScript modules', () => {
  it('contain every module, with a source map', async () => {
    const options = { format: 'cjs', sourcemap: 'linked' } as const;
    const files = bundledModules([index, a, b], 'dist/cjs/index.js', options);
    const text = await textOf('dist/cjs/index.js', files);
    const module = { exports: {} as { load?: () => Promise<number> } };
    runInNewContext(text, { module });
    assert.equal(await module.exports.load?.(), 3);
    assert.match(text, /\n\/\/# sourceMappingURL=index\.js\.map\n$/);
    const line = text.split('\n').findIndex((each) => each.includes('async function load'));
    const origin = originOf(await textOf('dist/cjs/index.js.map', files), line);
    assert.deepEqual({ ...origin }, { source: '../../src/index.ts', line: 1 });
  });

  it('report a missing module', async () => {
    await assert.rejects(bundledModules([index, a], 'index.js', { format: 'cjs' }), /src\/b\.ts/);
  });
});

type Files = ReturnType<typeof compiledModules>;

async function textOf(path: string, files: Files): Promise<string> {
  return String((await files).find((file) => file.path === path)?.content);
}

/** Returns the origin of the first column of a line in a source map. Both count from 0. */
function originOf(map: string, line: number): { source: string; line: number } {
  const entry = new SourceMap(JSON.parse(map) as ConstructorParameters<typeof SourceMap>[0]).findEntry(
    line,
    0,
  );
  if (!('originalSource' in entry)) throw new Error(`no origin of line ${line}`);
  return { source: entry.originalSource, line: entry.originalLine };
}
