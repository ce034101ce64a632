import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { createSegmentRouter } from '../../../service/http/segment-router.ts';

describe('the router of the service', () => {
  const router = createSegmentRouter();
  const routes = [
    ['get', '/things/{id}'],
    ['delete', '/things/{id}'],
    ['post', '/things/new'],
    ['get', '/things/latest'],
    ['get', '/other'],
    ['get', '/packages/{name}@{version}'],
  ] as const;
  let server: Server;

  before(async () => {
    for (const [method, path] of routes) {
      router.register({ method, path }, (ctx) => {
        ctx.body = `${method} ${path} ${JSON.stringify(ctx.params)}`;
      });
    }
    const app = new Koa().use(router.routes).use((ctx) => {
      ctx.body = 'passed on';
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
    ['GET', '/other', 'get /other {}'],
    ['GET', '/Other/', 'get /other {}'],
    ['GET', '/packages/a@1.0.0', 'get /packages/{name}@{version} {"name":"a","version":"1.0.0"}'],
    ['GET', '/packages/a%401.0.0', 'get /packages/{name}@{version} {"name":"a","version":"1.0.0"}'],
    ['POST', '/other', 'passed on'],
    ['GET', '/things', 'passed on'],
    ['GET', '/others', 'passed on'],
    ['GET', '/things/7/parts', 'passed on'],
    ['GET', '/', 'passed on'],
    ['GET', '/things%2F7', 'passed on'],
  ];
  for (const [method, path, answer] of served) {
    it(`answers ${method} ${path} by ${answer}`, async () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
      assert.equal(await (await fetch(url, { method })).text(), answer);
    });
  }

  it('knows the methods of a path, of all its routes', () => {
    assert.deepEqual(router.methodsOf('/things/7'), ['DELETE', 'GET', 'HEAD']);
    assert.deepEqual(router.methodsOf('/things/new'), ['DELETE', 'GET', 'HEAD', 'POST']);
    assert.deepEqual(router.methodsOf('/OTHER'), ['GET', 'HEAD']);
    assert.deepEqual(router.methodsOf('/packages/a%401.0.0'), ['GET', 'HEAD']);
    assert.deepEqual(router.methodsOf('/nowhere'), []);
  });
});
