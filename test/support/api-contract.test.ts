import assert from 'node:assert/strict';
import type { OpenAPIObject } from 'openapi3-ts/oas30';
import { apiContract, type Exchange } from './api-contract.ts';

const document: OpenAPIObject = {
  openapi: '3.0.3',
  info: { title: 'things', version: '1.0.0' },
  paths: {
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        responses: {
          200: {
            description: 'It.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          204: { description: 'Nothing.' },
        },
      },
    },
    '/things/all': { get: { operationId: 'getAll', responses: { 202: { description: 'All.' } } } },
  },
  components: {
    schemas: {
      Thing: { type: 'object', required: ['id'], properties: { id: { type: 'string', nullable: true } } },
    },
  },
};

describe('the API contract of responses', () => {
  const check = apiContract(document);
  const answer: Exchange = {
    method: 'GET',
    path: '/things/1?x=y',
    status: 200,
    contentType: 'application/json; charset=utf-8',
    text: '{"id": null}',
  };

  it('accepts declared responses', () => {
    check(answer);
    check({ ...answer, status: 204, contentType: null, text: '' });
    check({ ...answer, path: '/things/all', status: 202, text: '' });
    check({ ...answer, path: '/elsewhere', status: 404 });
    check({ ...answer, method: 'DELETE', status: 405 });
    check({ ...answer, method: 'HEAD', text: '' });
  });

  const undeclared: Record<string, [Partial<Exchange>, RegExp]> = {
    status: [{ status: 418 }, /getThing 418 \(GET \/things\/1\): undeclared status/],
    'status of HEAD': [{ method: 'HEAD', status: 418 }, /getThing 418/],
    method: [{ method: 'POST' }, /no operation 200 \(POST/],
    field: [{ text: '{"id": "1", "color": "red"}' }, /getThing 200 .*additional properties/],
    'missing field': [{ text: '{}' }, /required property 'id'/],
    type: [{ text: '{"id": 1}' }, /must be string,null/],
    'media type': [{ contentType: 'text/plain' }, /undeclared media type "text\/plain"/],
    body: [{ status: 204 }, /undeclared body/],
    'status of a path without parameters': [{ path: '/things/all' }, /getAll 200/],
  };
  for (const [what, [change, message]] of Object.entries(undeclared)) {
    it(`refuses an undeclared ${what}`, () => {
      assert.throws(() => check({ ...answer, ...change }), message);
    });
  }
});
