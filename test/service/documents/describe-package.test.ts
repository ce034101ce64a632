import assert from 'node:assert/strict';
import { listLanguages, loadLanguage } from '../../../service/languages/load-language.ts';
import { createCodeSampler } from '../../../service/documents/code-samples.ts';
import {
  describePackage,
  packageModel,
  type PackageSource,
} from '../../../service/documents/describe-package.ts';
import { compileProtos } from '../../../service/messages/compile/compile-protos.ts';
import type { Node } from '../../../service/store/nodes.ts';
import { packageDocument } from '../../../specs/openapi/package-document.ts';

const source = `syntax = "proto3"; package p;
  message Ask { string text = 1; }
  message Answer { repeated string words = 1; }`;

describe('the description of a package', function () {
  this.timeout(300_000);
  let published: PackageSource;
  const settings = {
    baseUrl: 'https://svc.example.com',
    goModulePrefix: 'go.svc.internal',
    samplesOf: createCodeSampler(),
  };

  before(async () => {
    published = {
      owner: {
        tenantId: 't',
        id: 'p',
        handle: 'acme',
        name: 'text',
        visibility: 'public',
        description: 'Texts.',
        createdAt: 0,
      },
      version: '1.0.0+build.1',
      nodes: [node('Zip'), node('Add'), node('Flow', { mode: 'pipeline' }), openNode('Pick')],
      descriptorSet: await compileProtos({ 'p.proto': source }),
      recipients: [],
    };
  });

  it('lists callable nodes in the order of publication, and generic nodes separately', async () => {
    const described = await describePackage(published, settings);
    assert.deepEqual(
      described.nodes.map(({ name }) => name),
      ['Zip', 'Add', 'Flow'],
    );
    assert.deepEqual(described.generic, ['Pick']);
    const [first] = described.nodes;
    assert.deepEqual(first?.inputSample, { text: 'Two ships left the harbour.' });
    assert.deepEqual(first.outputSample, { words: ['ship'] });
  });

  it('shows the SDK snippet of every language that can call the node', async () => {
    const { nodes } = await describePackage(published, settings);
    const model = packageModel(published, settings.goModulePrefix);
    assert.deepEqual(model.client, { name: 'text', slug: 'text', description: '', handle: 'acme' });
    const zip = model.members.find(({ alias }) => alias === 'Zip') ?? assert.fail('Zip is a member');
    const expected: object[] = [];
    for (const id of await listLanguages()) {
      const { language } = await loadLanguage(id);
      const plan = language.plan(model);
      const lang = plan.terms.languageName;
      const source = plan.snippet(zip);
      if (source !== '') expected.push({ lang, label: lang, source });
    }
    assert.ok(expected.length >= 5);
    assert.deepEqual(nodes[0]?.codeSamples, expected);
  });

  it('produces a document without operations if no node is callable', async () => {
    const described = await describePackage({ ...published, nodes: [openNode('Pick')] }, settings);
    const document = packageDocument(described);
    assert.deepEqual(document.paths, {});
    assert.deepEqual(Object.keys(document.components ?? {}), ['securitySchemes']);
    assert.equal(
      document.info.description,
      'Texts.\n\nGeneric nodes, which are called through an Instance: `Pick`.',
    );
  });

  it('escapes build metadata of versions in paths', async () => {
    const document = packageDocument(await describePackage(published, settings));
    assert.ok('/invocations/v1/nodes/acme/text/1.0.0%2Bbuild.1/Zip' in document.paths);
  });
});

function node(name: string, fields: Partial<Node> = {}): Node {
  return {
    tenantId: 't',
    id: `id of ${name}`,
    versionId: 'v',
    position: 0,
    name,
    mode: 'unary',
    kind: 'standard',
    genericPorts: [],
    inputMessage: 'p.Ask',
    outputMessage: 'p.Answer',
    description: `Does ${name}.`,
    requiredSecrets: [],
    sample: null,
    ...fields,
  };
}

function openNode(name: string): Node {
  return node(name, { kind: 'generic', genericPorts: ['output'], outputMessage: null });
}
