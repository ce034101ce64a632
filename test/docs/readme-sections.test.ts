import assert from 'node:assert/strict';
import path from 'node:path';

import { type BashSession, startBash } from '../support/bash-session.ts';
import {
  type FixtureContainer,
  type FixturePackage,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { readPage } from './page.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

/** The sections of README.md after "Your first node", against the service in this process. */
suiteNeeds('processes', 'the sections of README.md about flows, Instances and app keys', function () {
  this.timeout(120_000);
  let service: RunningService;
  let bash: BashSession;
  let text: string;
  const containers = new Map<string, FixtureContainer>();

  before(async () => {
    ({ text } = await readPage('README.md'));
    service = await startService({});
    const acme = await service.tenant('acme');
    // Of "Your first node".
    assert.equal((await acme.post('/api/v1/clients', { name: 'Hello' })).status, 201);
    for (const [port, name] of [
      ['9002', 'acme-text'],
      ['9003', 'acme-generic'],
      ['9004', 'acme-streams'],
      ['9005', 'acme-orders'],
    ] as [string, FixturePackage][]) {
      containers.set(port, await startFixtureContainer(name));
    }
    const env = { ...process.env, SVC_BASE_URL: service.url, SVC_API_KEY: acme.key };
    bash = startBash({ cwd: projectRoot, env });
    // npx takes seconds to find the launcher; test/readme.test.ts shows that it does.
    await bash.run('npx() { shift; ./service/cli/svc "$@"; }');
  });
  after(async () => {
    bash.close();
    await service.stop();
    for (const container of containers.values()) await container.stop();
  });

  it('compile, run and draw a flow', async () => {
    const [output = '', added = ''] = await run('Your first flow');
    assert.match(output, /"text": "harbour"/);
    assert.match(output, /flowchart/);
    assert.match(added, /describe/);
  });

  it('stream the output of a node, the lines of a file, and a flow', async () => {
    const [tokens = '', entries = '', words = ''] = await run('Streams');
    assert.match(tokens, /data: \{.*"payload":\{"text":"quick"\}.*\n\ndata: .*"text":"brown"/);
    assert.match(tokens, /"is_final":true,"success":true/);
    assert.match(
      entries,
      /^\{"time":"2026-01-31T09:30:00Z".*\n\{"time":"2026-01-31T09:30:01Z".*"message":"disk full"/m,
    );
    assert.match(words, /\{"text":"remove"\}/);
  });

  it('ask a person, and continue with the decision', async () => {
    const [asked = '', decided = ''] = await run('A person decides');
    assert.match(asked, /Approve order BOOK-1 over 26739\.30\?/);
    assert.match(decided, /status +RESUMED\n/);
    assert.match(decided, /status +COMPLETED\n/);
  });

  it('bind a generic node, call it, and preview a mapping', async () => {
    const [bound = '', preview = ''] = await run('A node for your own messages');
    assert.match(bound, /"name":"acme\/invoices"/);
    assert.match(bound, /RULE_SPACE_AROUND_TEXT/);
    assert.deepEqual(JSON.parse(preview), { output: { number: 'No. 7' } });
  });

  it('create an app key', async () => {
    const [minted = ''] = await run('Flows from a browser');
    assert.match(minted, /"key":"svcapp_[0-9a-f]{64}"/);
  });

  it('print the documents of published packages and flows', async () => {
    const [documents = ''] = await run('OpenAPI and JSON Schema');
    assert.match(documents, /"openapi":"3\.0/);
    assert.match(documents, /\}openapi: /);
  });

  // The failure ends bash, so this test is the last one.
  it('report that no pause waits when the decision is repeated', async () => {
    await assert.rejects(
      run('A person decides'),
      /no pause waits for a decision\nsvc: missing required argument 'execution_id'/,
    );
  });

  /** Runs the blocks of a section and returns the output of each. */
  async function run(section: string): Promise<string[]> {
    const start = text.indexOf(`\n## ${section}\n`);
    assert.ok(start >= 0, `README.md has no section ${section}`);
    const content = text.slice(start + 1, text.indexOf('\n## ', start + 1));
    const outputs: string[] = [];
    for (const [, block = ''] of content.matchAll(/^```sh\n(.*?)^```$/gms))
      outputs.push(await bash.run(adapted(block)));
    assert.ok(outputs.length > 0);
    return outputs;
  }

  function adapted(block: string): string {
    return block.replace(
      /grpc:\/\/127\.0\.0\.1:(\d+)/g,
      (_, port: string) => containers.get(port)?.endpoint ?? '',
    );
  }
});
