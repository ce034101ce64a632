import assert from 'node:assert/strict';
import type { OpenAPIObject } from 'openapi3-ts/oas30';
import { createSampler } from '../../../generator/model/sample-message.ts';
import { invokeNodeByPath } from '../../../specs/operations/nodes.ts';
import { gateStatuses } from '../../../specs/operations/operation.ts';
import type { TypeModel } from '../../../specs/messages/message-model.ts';
import { type DocumentedNode, packageDocument } from '../../../specs/openapi/package-document.ts';
import { openApiValidator } from '../../support/openapi-validator.ts';
import { listSdkFixtures, loadSdkFixture } from '../../support/sdk-fixtures.ts';

describe('the OpenAPI document of a package', function () {
  this.timeout(180_000);

  for (const name of listSdkFixtures()) {
    it(`has complete schemas and valid examples for any names: ${name}`, async () => {
      const document = await documentOf(name);
      for (const reference of referencesOf(document)) {
        assert.ok(isThere(document, reference), `${reference} is not there`);
      }
      for (const [path, { post }] of Object.entries(document.paths as Paths)) {
        const check = (schema: object, example: unknown): void => {
          const takes = openApiValidator(document, schema);
          assert.ok(takes(example), `${path}: ${takes.problems()} in ${JSON.stringify(example)}`);
        };
        const { schema, example } = jsonOf(post.requestBody);
        check(schema, example);
        const answer = post.responses['200']?.content ?? {};
        const stream = answer['text/event-stream'];
        if (!stream) {
          const output = jsonOf(post.responses['200']);
          check(output.schema, output.example);
          continue;
        }
        const lines =
          post.requestBody.content?.['application/x-ndjson'] ?? assert.fail(`${path} takes no lines`);
        check(lines.schema, lines.example);
        check(stream.schema, stream.example);
      }
    });
  }

  it('omits an example that contains a $ref', () => {
    const node = {
      name: 'Echo',
      mode: 'unary',
      description: '',
      input: 'google.protobuf.Struct',
      output: 'google.protobuf.Struct',
      inputSample: { schema: [{ $ref: '#/nothing' }] },
      outputSample: { ref: 'x' },
      codeSamples: [],
    } as const;
    const { paths } = documentWith({ messages: [], enums: [] }, 'free', [node]);
    const [{ post } = assert.fail('there is no path')] = Object.values(paths as Paths);
    assert.ok(!('example' in jsonOf(post.requestBody)));
    assert.deepEqual(jsonOf(post.responses['200']).example, { ref: 'x' });
  });

  it('declares every status of a call', async () => {
    const { paths } = await documentOf('basic');
    const answered = [
      ...Object.keys(invokeNodeByPath.responses).map(Number),
      ...gateStatuses(invokeNodeByPath),
    ];
    const expected = [...new Set(answered)].sort((one, other) => one - other).map(String);
    for (const { post } of Object.values(paths as Paths)) {
      assert.deepEqual(Object.keys(post.responses).sort(), expected);
    }
  });
});

interface Content {
  content?: Record<string, { schema: object; example?: unknown }>;
}

type Paths = Record<string, { post: { requestBody: Content; responses: Record<string, Content> } }>;

function jsonOf(holder: Content | undefined): { schema: object; example?: unknown } {
  return holder?.content?.['application/json'] ?? assert.fail('there is no JSON');
}

/** Makes a package of the nodes of a case. */
async function documentOf(name: string): Promise<OpenAPIObject> {
  const { members, types } = await loadSdkFixture(name);
  const sampler = createSampler(types);
  return documentWith(
    types,
    name,
    members
      .filter(({ type }) => type === 'node')
      .map(({ alias, mode, comment, input, output, sample }) => ({
        name: alias,
        mode,
        description: comment,
        input,
        output,
        inputSample: sample,
        outputSample: sampler.sample(output),
        codeSamples: [],
      })),
  );
}

function documentWith(types: TypeModel, name: string, nodes: readonly DocumentedNode[]): OpenAPIObject {
  return packageDocument({
    baseUrl: 'https://svc.example.com',
    owner: 'acme',
    name,
    version: '1.0.0',
    description: '',
    types,
    generic: [],
    nodes,
  });
}

function referencesOf(document: OpenAPIObject): string[] {
  const found: string[] = [];
  JSON.stringify(document, (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string') found.push(value);
    return value;
  });
  return found;
}

function isThere(document: OpenAPIObject, reference: string): boolean {
  const [root, ...keys] = reference.split('/');
  let place: unknown = document;
  for (const key of keys) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return false;
    place = (place as Record<string, unknown>)[key];
  }
  return root === '#';
}
