import assert from 'node:assert/strict';
import { firstSeenIn } from '../../../generator/changes/first-seen.ts';
import type { SdkMember } from '../../../generator/model/sdk-model.ts';
import { planMethods } from '../../../generator/names/plan-methods.ts';
import { loadSdkFixture } from '../../support/sdk-fixtures.ts';

const style = (alias: string) => ({
  call: alias,
  start: `start_${alias}`,
  execution: `${alias}_execution`,
  warm: `warm_${alias}`,
});

describe('methods of a client', () => {
  let flow: SdkMember;
  let node: SdkMember;
  before(async () => {
    const { members } = await loadSdkFixture('flows');
    flow = members.find(({ type }) => type === 'flow')!;
    node = members.find(({ type }) => type === 'node')!;
  });

  const plan = (members: SdkMember[], since: Record<string, number> = {}) =>
    planMethods(members, style, {
      rules: { reserved: new Set(['class']) },
      firstSeen: firstSeenIn({
        firstSeen: Object.entries(since).map(([alias, version]) => ({
          version,
          members: [alias],
          types: [],
          parts: [],
        })),
      }),
    });

  it('include one for a node, and three more for a flow', () => {
    const { calls, flows } = plan([
      { ...node, alias: 'read' },
      { ...flow, alias: 'write' },
    ]);
    assert.deepEqual(Object.fromEntries(calls), { read: 'read', write: 'write' });
    assert.deepEqual(Object.fromEntries(flows), {
      write: { start: 'start_write', execution: 'write_execution', warm: 'warm_write' },
    });
  });

  it('include an upload for a pipeline node in a language with streamed input', () => {
    const rules = { reserved: new Set<string>() };
    const firstSeen = firstSeenIn({ firstSeen: [] });
    const streaming = [
      { ...node, alias: 'read', mode: 'pipeline' as const },
      { ...flow, alias: 'write' },
    ];
    const withUpload = (alias: string) => ({ ...style(alias), upload: `upload_${alias}` });
    const { uploads } = planMethods(streaming, withUpload, { rules, firstSeen });
    assert.deepEqual(Object.fromEntries(uploads), { read: 'upload_read' });
    assert.equal(plan(streaming).uploads.size, 0);
  });

  it('include create, find and open for a pipeline node in a language with split streams and live sessions', () => {
    const members = [
      { ...node, alias: 'read', mode: 'pipeline' as const },
      { ...node, alias: 'count', mode: 'unary' as const },
    ];
    const withSessions = (alias: string) => ({
      ...style(alias),
      upload: `upload_${alias}`,
      create: `create_${alias}_stream`,
      find: `${alias}_stream`,
      open: `open_${alias}`,
    });
    const scope = { rules: { reserved: new Set<string>() }, firstSeen: firstSeenIn({ firstSeen: [] }) };
    assert.deepEqual(Object.fromEntries(planMethods(members, withSessions, scope).sessions), {
      read: { create: 'create_read_stream', find: 'read_stream', open: 'open_read' },
    });
    assert.equal(plan(members).sessions.size, 0);
  });

  it('share a scope in which the older member keeps its names', () => {
    const members = [
      { ...flow, alias: 'write' },
      { ...node, alias: 'start_write' },
    ];
    assert.equal(plan(members, { start_write: 2 }).calls.get('start_write'), 'start_write2');
    assert.equal(plan(members, { write: 2 }).flows.get('write')?.start, 'start_write2');
  });

  it('avoid the reserved names of the language', () => {
    assert.equal(plan([{ ...node, alias: 'class' }]).calls.get('class'), 'class_');
  });
});
