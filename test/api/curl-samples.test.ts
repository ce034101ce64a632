import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { curlSample } from '../../specs/openapi/curl-sample.ts';
import { type PageScene, startPageScene } from '../support/page-scene.ts';
import { suiteNeeds } from '../support/toolchains.ts';

interface Documented {
  paths: Record<string, { post: { 'x-codeSamples': { label: string; source: string }[] } }>;
}

suiteNeeds('processes', 'the curl commands of API documents', function () {
  this.timeout(120_000);
  let scene: PageScene;

  before(async () => {
    scene = await startPageScene();
  });
  after(() => scene.stop());

  const run = async (command: string): Promise<string> => {
    const env = { ...process.env, SVC_API_KEY: scene.key };
    return (await promisify(execFile)('bash', ['-c', command], { env })).stdout;
  };
  const commandsOf = async (path: string): Promise<string[]> => {
    const answer = await fetch(scene.url + path, { headers: { authorization: `Bearer ${scene.key}` } });
    const { paths } = (await answer.json()) as Documented;
    return Object.values(paths).map(({ post }) => {
      const [first] = post['x-codeSamples'];
      assert.equal(first?.label, 'curl');
      return first.source;
    });
  };

  it('call unary nodes', async () => {
    const [price = ''] = await commandsOf('/api/packages/acme/orders@1.0.0/openapi.json');
    assert.match(await run(price), /"totalCents":/);
  });

  it('stream from pipeline nodes', async () => {
    const commands = await commandsOf('/api/packages/acme/streams@1.0.0/openapi.json');
    const parse = commands.find((command) => command.includes('/ParseLogs'));
    assert.match(await run(parse ?? ''), /^data: \{.*"is_final":true/m);
  });

  it('run flows', async () => {
    const [invoke = ''] = await commandsOf(`/api/graphs/${scene.graphs.describe}/openapi.json`);
    assert.match(await run(invoke), /"success":true/);
  });

  it('send any text unchanged', async () => {
    const text = `It's "quoted": $HOME \`id\` \\ 'twice'`;
    const url = `${scene.url}/invocations/v1/nodes/acme/text/1.0.0/Tokenize`;
    const { source } = curlSample({ url, body: { text }, streams: false });
    const { tokens } = JSON.parse(await run(source)) as { tokens: { text: string; start: number }[] };
    assert.ok(tokens.some((token) => token.text === 'HOME'));
    assert.match(await run(curlSample({ url, body: { [text]: 1 }, streams: false }).source), /\$HOME/);
  });
});
