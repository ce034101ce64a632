import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../support/running-service.ts';

/** Every kind of value at its limits, as ProtoJSON without defaults: the result of an exact round trip. */
export const everything = {
  text: 'quotes " \' ` ${x} \\ and 🚢 שלום',
  flag: true,
  small: -2147483648,
  large: '-9223372036854775808',
  count: 4294967295,
  huge: '18446744073709551615',
  ratio: 0.5,
  exact: 1.7976931348623157e308,
  data: 'AAH+/w==',
  zigzag: '-1',
  fixed: '9007199254740993',
  maybe: '0',
  perhaps: '',
  color: 'COLOR_NEGATIVE',
  colors: ['COLOR_RED', 'COLOR_UNSPECIFIED'],
  numbers: ['9223372036854775807', '0'],
  totals: { __proto__x: '1', constructor: '2', '': '3' },
  byId: { '-9223372036854775808': { text: 'least' } },
  chosenNumber: '0',
  at: '2026-01-31T09:30:00.000000001Z',
  took: '-1.500s',
  free: { nested: { list: [1, 'two', null, true] } },
  anyValue: [null, { a: 'b' }],
  wrapped: '9007199254740993',
  child: { child: { chosenMessage: {} } },
};

/** A flow of two steps that change nothing. */
const echoTwice = {
  name: 'Echo twice',
  entry: 'first',
  terminal: 'second',
  nodes: ['first', 'second'].map((id) => ({ id, package: 'acme/echo', node_name: 'Echo' })),
  edges: [{ from: 'first', to: 'second' }],
};

/** The archive of a client with the node `Echo` and the flow `echo-twice` of the package `acme/echo`, which is published. */
interface DownloadedSdk {
  archive: Uint8Array;
  /** Graph id of the flow. */
  graphId: string;
}

/**
 * Makes the client, builds its archive by the service and downloads it.
 * @param settings more of the client, such as its description.
 */
export async function downloadSdk(
  acme: Caller,
  url: string,
  language: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<DownloadedSdk> {
  const client = await acme.post('/api/v1/clients', { name: `Everything in ${language}`, ...settings });
  assert.equal(client.status, 201, JSON.stringify(client.body));
  const members = `/api/v1/clients/${client.body.id}/members`;
  const member = await acme.post(members, { type: 'node', package: 'acme/echo', node_name: 'Echo' });
  assert.equal(member.status, 201, JSON.stringify(member.body));
  const compiled = await acme.post('/api/v1/graphs/compile', echoTwice);
  const flow = { type: 'flow', artifact_id: compiled.body.graph_artifact_id, alias: 'echo-twice' };
  const flowMember = await acme.post(members, flow);
  assert.equal(flowMember.status, 201, JSON.stringify(flowMember.body));
  await acme.post(`/api/v1/clients/${client.body.id}/build`, { languages: [language] });
  const version = `/api/v1/clients/${client.body.id}/versions/1`;
  for (;;) {
    const { body } = await acme.get(`${version}?language=${language}`);
    assert.notEqual(body.status, 'failed', body.error);
    if (body.status === 'succeeded') break;
    await pause(50);
  }
  const response = await fetch(`${url}${version}/download?language=${language}`, {
    headers: { authorization: `Bearer ${acme.key}` },
  });
  assert.equal(response.status, 200);
  return { archive: new Uint8Array(await response.arrayBuffer()), graphId: compiled.body.graph_id };
}
