import assert from 'node:assert/strict';
import { runInProcess } from '../support/run-svc.ts';
import { type ScriptedContainer, startScriptedContainer } from '../support/scripted-container.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const source = `
syntax = "proto3";
package acme.trees.v1;

message Tree {
  Tree only = 1;
  repeated Tree many = 2;
}
`;

/** A message of `levels` levels. Its JSON has as many levels, or twice as many with the repeated field. */
function nested(levels: number, wrap: (inner: object) => object): object {
  let tree: object = {};
  for (let level = 1; level < levels; level += 1) tree = wrap(tree);
  return tree;
}

for (const NODE_ENV of [undefined, 'development', 'production']) {
  suiteNeeds('processes', `svc serve with NODE_ENV=${NODE_ENV ?? ''}`, () => {
    let folder: TemporaryFolder;
    let container: ScriptedContainer;
    let service: ServeProcess;
    let headers: Record<string, string>;

    before(async () => {
      folder = await temporaryFolder({});
      const env = { SVC_DATA_DIR: folder.path, SVC_SYNC: 'off' };
      await runInProcess(['tenant', 'create', 'acme'], env);
      await runInProcess(
        ['tenant', 'limits', 'acme', '--invocation-rps', '1000', '--invocation-burst', '1000'],
        env,
      );
      const key = (await runInProcess(['key', 'create', '--tenant', 'acme'], env)).stdout.trim();
      headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      container = await startScriptedContainer((answer, { input }) => {
        answer.say({ case: 'output', value: input });
        answer.end();
      });
      service = await startServeProcess({ ...env, ...(NODE_ENV !== undefined && { NODE_ENV }) });
      const ports = { input: 'acme.trees.v1.Tree', output: 'acme.trees.v1.Tree' };
      const published = await post('/api/v1/packages', {
        name: 'acme/trees',
        version: '1.0.0',
        protos: { 'acme/trees/v1/trees.proto': source },
        nodes: [{ name: 'Echo', ...ports }],
        endpoint: container.endpoint,
      });
      assert.equal(published.status, 201, await published.clone().text());
    });
    after(async () => {
      await service.kill();
      container.kill();
      await folder.remove();
    });

    function post(path: string, body: object): Promise<Response> {
      return fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    }

    it('echoes messages of 40 to 99 levels without a mismatch', async () => {
      for (const levels of [40, 50, 51, 60, 80, 99]) {
        for (const wrap of [(only: object) => ({ only }), (one: object) => ({ many: [one] })]) {
          const tree = nested(levels, wrap);
          const response = await post('/invocations/v1/nodes/acme/trees/1.0.0/Echo', tree);
          const text = await response.text();
          assert.equal(response.status, 200, `${levels} levels: ${text}`);
          assert.deepEqual(JSON.parse(text), tree);
        }
      }
      assert.equal(await service.stop(), 0);
    });
  });
}
