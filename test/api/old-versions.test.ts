import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { unzipSync } from 'fflate';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { itSlow } from '../support/fast-run.ts';
import { fixturePackageFolder } from '../support/fixture-containers.ts';
import { textPackage } from '../support/published-text.ts';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';

/** Languages in which the version is built when it is created. */
const atFirst = ['typescript', 'go', 'java'];
/** Languages in which it is first built after all of its sources have changed. */
const added = ['python', 'rust', 'csharp', 'typescript-browser'];

const bill = (description: string) => ({
  message_name: 'Bill',
  description,
  fields: { number: { kind: 'string', description } },
});

eachService('a language added to an old client version', (start) => {
  let service: RunningService;
  let acme: Caller;
  let client: string;
  /** Archives of version 1 before any change, by language. */
  const before1 = new Map<string, Uint8Array>();

  const ok = async (path: string, body: object, method: 'post' | 'put' = 'post'): Promise<{ id: string }> => {
    const answer = await acme[method](path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body as { id: string };
  };
  const node = (node_name: string, alias: string, version = '1.0.0') => ({
    type: 'node',
    package: 'acme/text',
    version,
    node_name,
    alias,
  });
  const letters = async (description: string, nodes: object[]) => {
    const answer = await acme.post('/api/v1/graphs/compile', {
      name: 'Letters',
      description,
      entry: 'only',
      terminal: 'only',
      nodes,
      edges: [],
    });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return { type: 'flow', artifact_id: answer.body.graph_artifact_id as string, alias: 'letters' };
  };
  const bills = { type: 'node', package: 'acme/bills', node_name: 'Validate', alias: 'bills' };

  async function archive(version: number, language: string): Promise<Uint8Array> {
    const path = `${client}/versions/${version}`;
    for (;;) {
      const { body } = await acme.get(`${path}?language=${language}`);
      assert.notEqual(body.status, 'failed', body.error as string);
      if (body.status === 'succeeded') break;
      await pause(50);
    }
    const response = await fetch(`${service.url}${path}/download?language=${language}`, {
      headers: { authorization: `Bearer ${acme.key}` },
    });
    assert.equal(response.status, 200);
    return new Uint8Array(await response.arrayBuffer());
  }

  before(async function () {
    this.timeout(300_000);
    service = await start();
    acme = await service.tenant('acme');
    await ok('/api/v1/packages', textPackage('acme'));
    await ok('/api/v1/packages', await readPackageFolder(fixturePackageFolder('acme-generic')));
    const bound = { generic_package: 'acme/generic', name: 'acme/bills' };
    await ok('/api/v1/instances', { ...bound, generic_node: 'Validate', input: bill('What is owed.') });
    client = `/api/v1/clients/${(await ok('/api/v1/clients', { name: 'Shop', description: 'Old.' })).id}`;
    const flow = await letters('Takes letters.', [
      { id: 'only', package: 'acme/text', node_name: 'Tokenize' },
    ]);
    await ok(
      `${client}/members`,
      { members: [node('Tokenize', 'take_apart'), node('CountWords', 'count'), flow, bills] },
      'put',
    );
    await ok(`${client}/build`, { languages: [...atFirst, ...added] });
    for (const language of [...atFirst, ...added]) before1.set(language, await archive(1, language));
    // Simulates that these have not been requested yet.
    await service.db.knex('client_builds').whereIn('language', added).delete();

    // Messages get fields, and what the aliases stand for becomes something else; another alias would have had a name of old.
    await ok('/api/v1/packages', {
      ...textPackage('acme', { wordFields: 'string Text2 = 3; bool keepCase = 4;' }),
      version: '2.0.0',
    });
    await ok('/api/v1/instances', { ...bound, generic_node: 'Mock', output: bill('In other words.') });
    const later = await letters('Takes more.', [
      { id: 'only', package: 'acme/text', version: '2.0.0', node_name: 'CountWords' },
    ]);
    await ok(client, { name: 'Store', description: 'New.', default_language: 'rust' }, 'put');
    const members = [
      node('CountWords', 'take-apart', '2.0.0'),
      node('Tokenize', 'take_apart', '2.0.0'),
      later,
      bills,
    ];
    await ok(`${client}/members`, { members }, 'put');
    await ok(`${client}/build`, { languages: ['go'] });
    await archive(2, 'go');
  });
  after(() => service.stop());

  itSlow('produces the same bytes as a build at that time', async function () {
    this.timeout(300_000);
    await ok(`${client}/build`, { version: 1, languages: [...added, ...atFirst] });
    for (const language of [...added, ...atFirst]) {
      const again = await archive(1, language);
      assert.ok(Buffer.from(again).equals(before1.get(language)!), language);
    }
  });

  itSlow(
    'has the aliases, comments and releases of its version, unlike a build of a later version',
    async () => {
      const [first, second] = [textsOf(before1.get('go')!), textsOf(await archive(2, 'go'))];
      const all = (texts: Map<string, string>) => [...texts.values()].join('\n');
      assert.match(first.get('CHANGELOG.md')!, /1\.0\.0/);
      assert.doesNotMatch(first.get('CHANGELOG.md')!, /2\.0\.0/);
      assert.match(second.get('CHANGELOG.md')!, /2\.0\.0[^]*1\.0\.0/);
      for (const text of ['Takes letters.', 'What is owed.', 'func (c *Client) Count(', 'acme-shop'])
        assert.ok(all(first).includes(text), text);
      for (const text of ['Takes more.', 'In other words.', 'Text2', '2.0.0', 'acme-store'])
        assert.ok(!all(first).includes(text), text);
      // The name that `take_apart` has stays its own, though `take-apart` comes first.
      const called = (texts: Map<string, string>) =>
        [...all(texts).matchAll(/^\/\/ TakeApart.* calls .*$/gm)].join('\n');
      assert.equal(called(first), '// TakeApart calls the node "Tokenize" of "acme/text", version 1.0.0.');
      assert.equal(
        called(second),
        '// TakeApart2 calls the node "CountWords" of "acme/text", version 2.0.0.\n' +
          '// TakeApart calls the node "Tokenize" of "acme/text", version 2.0.0.',
      );
    },
  );
});

function textsOf(archive: Uint8Array): Map<string, string> {
  return new Map(
    Object.entries(unzipSync(archive)).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]),
  );
}
