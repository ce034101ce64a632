import assert from 'node:assert/strict';
import ts from 'typescript';
import type { SdkPlan } from '../../../generator/language.ts';
import type { SdkModel } from '../../../generator/model/sdk-model.ts';
import { sdkFiles } from '../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../service/builds/load-language.ts';
import { createCodeSampler } from '../../../service/documents/code-samples.ts';
import { packageModel } from '../../../service/documents/describe-package.ts';
import { compileProtos } from '../../../service/messages/compile-protos.ts';
import { readPackageFolder } from '../../../service/nodes/package-folder.ts';
import type { Node } from '../../../service/store/nodes.ts';
import { sharedProgram } from '../../generator/languages/typescript/shared-program.ts';
import { fixturePackageFolder } from '../../support/fixture-containers.ts';

describe('programs in documents', function () {
  this.timeout(300_000);

  it('compile against the SDK of a client called as the package', async () => {
    const model = await ordersModel();
    const samples = await createCodeSampler()('orders', model);
    const { language, templates } = await loadLanguage('typescript');
    const files = await sdkFiles(model, language, templates);
    const fixture = {
      name: 'orders',
      model,
      language: {
        ...language,
        plan: (planned: SdkModel): SdkPlan => ({
          ...language.plan(planned),
          snippet: ({ alias }) =>
            samples.get(alias)?.find(({ lang }) => lang === 'TypeScript')?.source ?? 'missing',
        }),
      },
      files: new Map(
        files.map(({ path, content }) => [
          path,
          typeof content === 'string' ? content : new TextDecoder().decode(content),
        ]),
      ),
      runtime: new Set<string>(templates.runtime.keys()),
    };
    const found = ts.getPreEmitDiagnostics(sharedProgram([fixture]));
    assert.deepEqual(
      found.map(({ file, messageText }) => [file?.fileName, messageText]),
      [],
    );
    assert.ok(model.members.length > 1);
  });

  it('are written once for a key', async () => {
    const model = await ordersModel();
    const samplesOf = createCodeSampler();
    assert.equal(await samplesOf('a', model), await samplesOf('a', model));
    assert.notEqual(await samplesOf('a', model), await samplesOf('b', model));
    const forgetful = createCodeSampler(0);
    assert.notEqual(await forgetful('a', model), await forgetful('a', model));
  });
});

async function ordersModel() {
  const body = await readPackageFolder(fixturePackageFolder('acme-orders'));
  const nodes = body.nodes.map((node, position): Node => ({
    tenantId: 't',
    id: `01K${String(position).padStart(23, '0')}`,
    versionId: 'v',
    position,
    name: node.name,
    mode: node.mode,
    kind: node.kind,
    genericPorts: node.generic,
    inputMessage: node.input ?? null,
    outputMessage: node.output ?? null,
    description: node.description,
    requiredSecrets: [],
  }));
  const owner = {
    tenantId: 't',
    id: 'p',
    handle: 'acme',
    name: 'orders',
    visibility: 'public' as const,
    description: '',
    createdAt: 0,
  };
  const descriptorSet = await compileProtos(body.protos);
  return packageModel({ owner, version: '1.0.0', versionId: 'v', nodes, descriptorSet }, 'go.svc.internal');
}
