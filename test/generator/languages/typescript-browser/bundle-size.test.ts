import assert from 'node:assert/strict';
import type { FlowMember, SdkModel } from '../../../../generator/model/sdk-model.ts';
import type { MessageModel } from '../../../../specs/messages/message-model.ts';
import { pageBundle } from '../../../support/page-bundle.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

/** Bytes of a minified module, compressed: what a page loads. The goal of one call is 6,000 (docs/decisions/0051-*). */
const CORE_BUDGET = 5_600;
const CALL_BUDGET = 9_200;

suiteNeeds('processes', 'the bundle of a page', function () {
  this.timeout(180_000);

  it('is little: the core with its retries, errors, tokens and the beacon', async () => {
    const { gzip } = await pageBundle(modelOf(20), 'export { connect, Beacon } from "./index.ts";');
    assert.ok(gzip <= CORE_BUDGET, `${gzip} bytes, ${CORE_BUDGET} were allowed`);
  });

  it('is bounded for one call: with the codec, and the wait for the run', async () => {
    const { gzip } = await pageBundle(modelOf(20), 'export { connect, flow7 } from "./index.ts";');
    assert.ok(gzip <= CALL_BUDGET, `${gzip} bytes, ${CALL_BUDGET} were allowed`);
  });

  it('does not grow with calls that it does not make', async () => {
    const one = 'export { connect, flow7 } from "./index.ts";';
    const few = await pageBundle(modelOf(20), one);
    const many = await pageBundle(modelOf(200), one);
    assert.equal(many.minified, few.minified);
  });

  it('grows with calls that it makes, so that the test above can fail', async () => {
    const all = 'export * from "./index.ts";';
    const few = await pageBundle(modelOf(20), all);
    const many = await pageBundle(modelOf(200), all);
    assert.ok(many.gzip > few.gzip + 1_000, `${few.gzip} bytes with 20 members, ${many.gzip} with 200`);
  });
});

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
    order: [],
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
