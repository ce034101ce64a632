import assert from 'node:assert/strict';
import type {
  MediaTypeObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas30';
import { itSlow } from '../support/fast-run.ts';
import { openApiValidator } from '../support/openapi-validator.ts';
import { type RunningService, request, startService } from '../support/running-service.ts';

describe('the OpenAPI document of the service', () => {
  let service: RunningService;
  let document: OpenAPIObject;
  let operations: OperationObject[];

  before(async () => {
    service = await startService();
    document = (await request(`${service.url}/openapi.json`)).body as OpenAPIObject;
    operations = Object.values(document.paths).flatMap((item) => Object.values(item) as OperationObject[]);
  });

  after(() => service.stop());

  it('contains an example for every request body', () => {
    const silent = operations.filter(({ requestBody }) =>
      Object.values((requestBody as RequestBodyObject | undefined)?.content ?? {}).some(
        (content) => !('example' in content),
      ),
    );
    assert.deepEqual(
      silent.map(({ operationId }) => operationId),
      [],
    );
  });

  itSlow('contains only valid examples', () => {
    let checked = 0;
    const check = (place: string, { schema, example }: MediaTypeObject): void => {
      if (example === undefined || !schema) return;
      checked += 1;
      const accepts = openApiValidator(document, schema);
      assert.ok(accepts(example), `${place}: ${accepts.problems()}, in ${JSON.stringify(example)}`);
    };
    for (const { operationId = '', requestBody, responses } of operations) {
      const bodies = { request: requestBody as RequestBodyObject | undefined, ...responses };
      for (const [name, body] of Object.entries(bodies)) {
        const { content = {} } = (body ?? {}) as ResponseObject;
        for (const media of Object.values(content)) check(`${operationId} ${name}`, media);
      }
    }
    assert.ok(checked > 100, String(checked));
  });

  it('describes every operation, parameter and field', () => {
    const silent: string[] = [];
    for (const { operationId, description, parameters = [] } of operations) {
      if (!description) silent.push(`${operationId}`);
      for (const parameter of parameters as ParameterObject[]) {
        if (!parameter.description) silent.push(`${operationId} ${parameter.in} ${parameter.name}`);
      }
    }
    const walk = (place: string, node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const { properties } = node as SchemaObject;
      const isSchema = typeof properties === 'object' && (node as SchemaObject).type === 'object';
      for (const [name, field] of Object.entries(isSchema ? properties : {})) {
        if (!('description' in field) && !('$ref' in field)) silent.push(`${place} ${name}`);
      }
      for (const [key, value] of Object.entries(node)) {
        if (key !== 'example') walk(`${place}/${key}`, value);
      }
    };
    walk('', { paths: document.paths, schemas: document.components?.schemas });
    assert.deepEqual(silent, []);
  });

  it('describes message drafts as a recursive schema', () => {
    const draft = { $ref: '#/components/schemas/MessageDraft' };
    const accepts = openApiValidator(document, { allOf: [draft] });
    const line = { message_name: 'Line', fields: { sku: 'string' } };
    const taken = [
      { message_name: 'A', fields: { a: 'int64', b: { kind: 'bytes', repeated: true, description: 'b' } } },
      {
        message_name: 'A',
        description: 'a',
        fields: { lines: { kind: 'message', repeated: true, message: line } },
      },
    ];
    const refused = [
      'A',
      { fields: { a: 'string' } },
      { message_name: 'A' },
      { message_name: 'A', fields: { a: 'date' } },
      { message_name: 'A', fields: { a: { kind: 'string', message: line } } },
      { message_name: 'A', fields: { a: { kind: 'message' } } },
      { message_name: 'A', fields: { a: { kind: 'message', message: { message_name: 'B' } } } },
      { message_name: 'A', fields: { a: 'string' }, options: {} },
    ];
    for (const one of taken) assert.ok(accepts(one), JSON.stringify(one));
    for (const one of refused) assert.ok(!accepts(one), JSON.stringify(one));
  });
});
