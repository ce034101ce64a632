import assert from 'node:assert/strict';
import { compileProtos } from '../../service/messages/compile/compile-protos.ts';
import { hostileWords } from './hostile-words.ts';
import { protosOf } from './proto-of-model.ts';
import { randomModels } from './random-model.ts';
import { randomCases, itSlow } from '../support/fast-run.ts';

const seed = 31_337;
const count = 40;

describe('random models', function () {
  this.timeout(300_000);

  itSlow('contain types that a package can publish', async () => {
    for (const [index, { types }] of randomModels(randomCases(count), seed, await hostileWords()).entries()) {
      const protos = protosOf(types);
      await assert.doesNotReject(
        compileProtos(protos),
        `seed ${seed + index}:\n${Object.values(protos).join('\n')}`,
      );
    }
  });
});
