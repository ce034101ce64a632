import assert from 'node:assert/strict';
import ts from 'typescript';
import type { SdkPlan } from '../../../generator/language.ts';
import type { SdkModel } from '../../../generator/model/sdk-model.ts';
import { sdkFiles } from '../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../service/languages/load-language.ts';
import { createCodeSampler } from '../../../service/documents/code-samples.ts';
import { packageModel } from '../../../service/documents/describe-package.ts';
import { compileProtos } from '../../../service/messages/compile/compile-protos.ts';
import { readPackageFolder } from '../../../service/nodes/package-folder.ts';
import type { Node } from '../../../service/store/nodes.ts';
import { sharedProgram } from '../../generator/languages/typescript/shared-program.ts';
import { fixturePackageFolder } from '../../support/fixture-containers.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

suiteNeeds('typescript', 'code samples', function () {
  this.timeout(300_000);

  it('compile against the SDK of a client named like the package', async () => {
    const model = await ordersModel();
    const samples = await createCodeSampler()(model);
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
    sample: null,
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
  return packageModel({ owner, version: '1.0.0', nodes, descriptorSet, recipients: [] }, 'go.svc.internal');
}
