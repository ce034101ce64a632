import assert from 'node:assert/strict';
import { compileSources } from '../../../../generator/languages/typescript/compile-sources.ts';

describe('compiled sources of TypeScript', function () {
  this.timeout(60_000);

  const content =
    'import { a } from "./a.ts";\n' +
    'export async function load(): Promise<number> {\n  return a + (await import("./b.ts")).b;\n}\n';

  for (const format of ['esm', 'cjs'] as const)
    it(`name the compiled modules of ${format}, those that are loaded on demand too`, async () => {
      const files = await compileSources([{ path: 'src/index.ts', content }], format, new Map());
      const module = files.find(({ path }) => path === `dist/${format}/index.js`);
      const text = String(module?.content);
      assert.match(text, /"\.\/a\.js"/);
      assert.match(text, /"\.\/b\.js"/);
      assert.doesNotMatch(text, /"\.\/[ab]\.ts"/);
    });
});
