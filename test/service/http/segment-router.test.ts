import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { createSegmentRouter } from '../../../service/http/segment-router.ts';

describe('the router', () => {
  const router = createSegmentRouter();
  const routes = [
    ['get', '/things/{id}'],
    ['delete', '/things/{id}'],
    ['post', '/things/new'],
    ['get', '/things/latest'],
    ['get', '/other'],
    ['get', '/packages/{name}@{version}'],
    ['get', '/packages/{owner}/{name}@{version}/docs'],
  ] as const;
  let server: Server;

  before(async () => {
    for (const [method, path] of routes) {
      router.register({ method, path }, (ctx) => {
        ctx.body = `${method} ${path} ${JSON.stringify(ctx.params)}`;
      });
    }
    const app = new Koa().use(router.routes).use((ctx) => {
      ctx.body = 'not matched';
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.close();
    await once(server, 'close');
  });

  const served: [method: string, path: string, answer: string][] = [
    ['GET', '/things/a%2Fb', 'get /things/{id} {"id":"a/b"}'],
    ['DELETE', '/things/7?now=1', 'delete /things/{id} {"id":"7"}'],
    ['POST', '/things/new', 'post /things/new {}'],
    ['GET', '/things/latest', 'get /things/latest {}'],
    ['GET', '/things/latest/', 'get /things/latest {}'],
    ['GET', '/Things/Latest', 'get /things/latest {}'],
    ['GET', '/other', 'get /other {}'],
    ['GET', '/Other/', 'get /other {}'],
    ['GET', '/packages/a@1.0.0', 'get /packages/{name}@{version} {"name":"a","version":"1.0.0"}'],
    ['GET', '/packages/a%401.0.0', 'get /packages/{name}@{version} {"name":"a","version":"1.0.0"}'],
    [
      'GET',
      '/packages/a/b@1.0.0/docs',
      'get /packages/{owner}/{name}@{version}/docs {"owner":"a","name":"b","version":"1.0.0"}',
    ],
    [
      'GET',
      '/packages/a%2Fb%401.0.0/docs',
      'get /packages/{owner}/{name}@{version}/docs {"owner":"a","name":"b","version":"1.0.0"}',
    ],
    [
      'GET',
      '/packages/a%2fb@1.0.0/docs',
      'get /packages/{owner}/{name}@{version}/docs {"owner":"a","name":"b","version":"1.0.0"}',
    ],
    ['POST', '/other', 'not matched'],
    ['GET', '/things', 'not matched'],
    ['GET', '/others', 'not matched'],
    ['GET', '/things/7/parts', 'not matched'],
    ['GET', '/', 'not matched'],
    ['GET', '/things%2F7', 'not matched'],
  ];
  for (const [method, path, answer] of served) {
    it(`answers ${method} ${path} with ${answer}`, async () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
      assert.equal(await (await fetch(url, { method })).text(), answer);
    });
  }

  it('returns the methods of all routes that match a path', () => {
    assert.deepEqual(router.methodsOf('/things/7'), ['DELETE', 'GET', 'HEAD']);
    assert.deepEqual(router.methodsOf('/things/new'), ['DELETE', 'GET', 'HEAD', 'POST']);
    assert.deepEqual(router.methodsOf('/OTHER'), ['GET', 'HEAD']);
    assert.deepEqual(router.methodsOf('/packages/a%401.0.0'), ['GET', 'HEAD']);
    assert.deepEqual(router.methodsOf('/packages/a%2Fb%401.0.0/docs'), ['GET', 'HEAD']);
    assert.deepEqual(router.methodsOf('/nowhere'), []);
  });
});
