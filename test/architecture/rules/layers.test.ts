import assert from 'node:assert/strict';

import { parseTree } from '../source-tree.ts';
import { layers } from './layers.ts';

function imports(from: string, to: string): string[] {
  return layers(parseTree({ [from]: `import type { X } from '${to}';` }));
}

describe('the rule of layers', () => {
  it('lets imports point from service to generator to specs', () => {
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

  it('finds an import of something to the right inside service', () => {
    assert.deepEqual(imports('service/store/clients.ts', '../http/bind.ts'), [
      'service/store/clients.ts imports service/http/bind.ts: inside service, http stands right of store',
    ]);
    assert.deepEqual(imports('service/http/bind.ts', '../store/clients.ts'), []);
    assert.deepEqual(imports('service/http/routes/client-routes.ts', '../bind.ts'), []);
  });

  it('finds a room without a place in the table', () => {
    assert.match(imports('service/extras/x.ts', '../clock.ts').join(), /service\/extras has no place/);
  });

  it('sees imports of any form', () => {
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
