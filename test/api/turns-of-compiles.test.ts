import assert from 'node:assert/strict';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { assertTurn, watchTurns } from '../support/turn-watch.ts';

/** Processor time of the main thread in which nothing else is answered. */
const maxTurnMs = 100;

describe('publications and compilations let others be served', () => {
  let service: RunningService;
  let acme: Caller;
  before(async () => {
    service = await startService();
    acme = await service.tenant('acme');
  });
  after(() => service.stop());

  it('while many names of messages are unknown', async function () {
    this.timeout(30_000);
    const messages = Array.from({ length: 3_000 }, (_, n) => `message M${'a'.repeat(60)}${n} {}`);
    const nodes = Array.from({ length: 50 }, (_, n) => ({
      name: `Node${n}`,
      input: `acme.big.v1.M${'b'.repeat(60)}${n}`,
      output: `acme.big.v1.M${'c'.repeat(60)}${n}`,
    }));
    const misspelt = { name: 'Last', input: `acme.big.v1.M${'a'.repeat(59)}1`, output: 'M' };
    const body = {
      name: 'acme/big',
      version: '1.0.0',
      protos: { 'big.proto': `syntax = "proto3"; package acme.big.v1; ${messages.join('\n')}` },
      nodes: [misspelt, ...nodes],
    };
    const watch = watchTurns();
    const answer = await acme.post('/api/v1/packages', body);
    // It took 1,200, as each name was compared with all those of the protos.
    assertTurn(watch.stop(), maxTurnMs);
    assert.equal(answer.status, 400);
    const error = answer.body.error as string;
    assert.ok(error.includes(`1" is not in the protos: did you mean acme.big.v1.M${'a'.repeat(60)}1`), error);
  });
});
