import assert from 'node:assert/strict';

import { parseTree } from '../source-tree.ts';
import { layers } from './layers.ts';

function imports(from: string, to: string): string[] {
  return layers(parseTree({ [from]: `import type { X } from '${to}';` }));
}

describe('the layer rule', () => {
  it('accepts imports from service to generator to specs', () => {
    assert.deepEqual(imports('service/builds/build.ts', '../../generator/generate-sdk.ts'), []);
    assert.deepEqual(imports('generator/generate-sdk.ts', '../specs/messages/message-model.ts'), []);
    assert.deepEqual(imports('test/service/app.test.ts', '../../service/app.ts'), []);
  });

  it('finds an import against the direction', () => {
    assert.deepEqual(imports('specs/limits.ts', '../service/clock.ts'), [
      'specs/limits.ts imports service/clock.ts: specs may not import service',
    ]);
    assert.equal(imports('generator/language.ts', '../service/clock.ts').length, 1);
    assert.equal(imports('service/app.ts', '../test/support/databases.ts').length, 1);
    assert.equal(
      imports('service/cli/commands/demo.ts', '../../../fixtures/packages/text/handlers.ts').length,
      1,
    );
  });

  it('finds an import of a folder to the right inside service', () => {
    assert.deepEqual(imports('service/store/clients.ts', '../http/bind.ts'), [
      'service/store/clients.ts imports service/http/bind.ts: inside service, http stands right of store',
    ]);
    assert.deepEqual(imports('service/http/bind.ts', '../store/clients.ts'), []);
    assert.deepEqual(imports('service/http/routes/client-routes.ts', '../bind.ts'), []);
  });

  it('finds a folder that is not in the table', () => {
    assert.match(imports('service/extras/x.ts', '../clock.ts').join(), /service\/extras has no place/);
  });

  it('finds an import of a subfolder to the right or on the same level', () => {
    assert.deepEqual(imports('service/engine/journal/fold.ts', '../run/live-run.ts'), [
      'service/engine/journal/fold.ts imports service/engine/run/live-run.ts: inside service/engine, run stands right of journal',
    ]);
    assert.match(
      imports('generator/languages/go/names.ts', '../rust/names.ts').join(),
      /inside generator\/languages, rust stands on the level of go/,
    );
    assert.deepEqual(imports('service/engine/run/live-run.ts', '../journal/fold.ts'), []);
    assert.deepEqual(imports('service/engine/cel/cost/x.ts', '../../text/y.ts'), []);
    assert.deepEqual(imports('service/engine/engine.ts', './run/live-run.ts'), []);
    assert.deepEqual(imports('service/engine/run/live-run.ts', '../outcome.ts'), []);
  });

  it('finds a subfolder that is not in the table', () => {
    assert.deepEqual(imports('service/engine/extras/x.ts', '../outcome.ts'), [
      'service/engine/extras has no place among the sub-folders of service/engine (test/architecture/rules/layers.ts)',
    ]);
  });

  it('handles every form of import', () => {
    for (const text of [
      `export { x } from '../service/clock.ts';`,
      `const x = await import('../service/clock.ts');`,
      `type X = import('../service/clock.ts').Clock;`,
      `import '../service/clock.ts';`,
    ]) {
      assert.equal(layers(parseTree({ 'specs/x.ts': text })).length, 1, text);
    }
  });
});
