import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { unzipSync } from 'fflate';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { itSlow } from '../support/fast-run.ts';
import { fixturePackageFolder } from '../support/fixture-containers.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';

const invoice = {
  message_name: 'Invoice',
  description: 'What is owed.',
  fields: {
    number: { kind: 'string', description: 'As printed.' },
    lines: {
      kind: 'message',
      repeated: true,
      description: 'At least one.',
      message: {
        message_name: 'Line',
        description: 'One thing that was sold.',
        fields: { unit_price: { kind: 'double', optional: true } },
      },
    },
  },
};
const comments = [
  'What is owed.',
  'As printed.',
  'At least one.',
  'One thing that was sold.',
  'Checks bills.',
];

describe('SDKs of clients with instances', () => {
  let service: RunningService;
  let acme: Caller;
  let clientId: string;

  const ok = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await acme.post(path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body as Record<string, string>;
  };
  before(async function () {
    this.timeout(180_000);
    service = await startService();
    acme = await service.tenant('acme');
    await ok('/api/v1/packages', await readPackageFolder(fixturePackageFolder('acme-generic')));
    const bound = { generic_package: 'acme/generic', name: 'acme/bills' };
    await ok('/api/v1/instances', {
      ...bound,
      generic_node: 'Validate',
      input: invoice,
      node_description: 'Checks bills.',
    });
    clientId = (await ok('/api/v1/clients', { name: 'Bills' })).id!;
    const members = `/api/v1/clients/${clientId}/members`;
    const build = (languages: string[]) => ok(`/api/v1/clients/${clientId}/build`, { languages });
    await ok(members, { type: 'node', package: 'acme/bills', node_name: 'Validate' });
    await build(['typescript']);
    await built(1, 'typescript');

    // The package grows under a process that has read it.
    await ok('/api/v1/instances', { ...bound, generic_node: 'Mock', output: invoice });
    await ok(members, { type: 'node', package: 'acme/bills', node_name: 'Mock' });
    const flow = await ok('/api/v1/graphs/compile', {
      name: 'Make and check',
      entry: 'make',
      terminal: 'check',
      nodes: [
        { id: 'make', package: 'acme/bills', node_name: 'Mock' },
        { id: 'check', package: 'acme/bills', node_name: 'Validate' },
      ],
      edges: [{ from: 'make', to: 'check' }],
    });
    await ok(members, { type: 'flow', artifact_id: flow.graph_artifact_id });
    await build(['typescript', 'python']);
  });
  after(() => service.stop());

  /** Waits for a build, and gives the path of its version. */
  async function built(version: number, language: string): Promise<string> {
    const path = `/api/v1/clients/${clientId}/versions/${version}`;
    for (;;) {
      const { body } = await acme.get(`${path}?language=${language}`);
      assert.notEqual(body.status, 'failed', body.error as string);
      if (body.status === 'succeeded') return path;
      await pause(50);
    }
  }

  async function sources(language: string): Promise<Map<string, string>> {
    const version = await built(2, language);
    const response = await fetch(`${service.url}${version}/download?language=${language}`, {
      headers: { authorization: `Bearer ${acme.key}` },
    });
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    return new Map(Object.entries(files).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]));
  }

  for (const [language, declarations] of [
    [
      'typescript',
      ['MockRequest', 'interface Invoice', 'interface Line', 'unitPrice?: number', 'lines: Line[]'],
    ],
    [
      'python',
      ['MockRequest', 'class Invoice', 'class Line', 'unit_price: float | None', 'lines: list[Line]'],
    ],
  ] as const) {
    itSlow(`contain the bound messages with their comments in ${language}`, async function () {
      this.timeout(180_000);
      const files = await sources(language);
      const text = [...files].filter(([name]) => name.includes('src/')).map(([, source]) => source);
      for (const wanted of [...declarations, ...comments]) {
        assert.ok(
          text.some((source) => source.includes(wanted)),
          wanted,
        );
      }
    });
  }
});
