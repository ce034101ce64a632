import type { FileView } from '../language.ts';
import type { Sampler } from '../model/sample-message.ts';
import { createSampler } from '../model/sample-message.ts';
import type { JsonValue, SdkMember } from '../model/sdk-model.ts';
import { callPath } from './calls-view.ts';
import type { Expression } from './expressions.ts';
import { call, printBroken } from './expressions.ts';
import { importLine } from './import-line.ts';
import { stringLiteral } from './literals.ts';
import { jsonExpression } from './sample-values.ts';
import type { PythonSdk } from './python-sdk.ts';
import { callName } from './python-sdk.ts';

/** `tests/sdk.py`: the members of this SDK as data, for the tests that all Python SDKs share. */
export function testFile(sdk: PythonSdk): FileView {
  const imports = new Set(['AsyncClient', 'Client', 'errors']);
  const sampler = createSampler(sdk.model.types);
  const samples = sdk.callable.map((member) => sampleItem(sdk, member, sampler, imports));
  const items = samples.map((value) => ({ value }));
  return {
    path: 'tests/sdk.py',
    template: 'tests/sdk.py',
    view: {
      flowImport: importLine(`${sdk.names.module}._flow`, ['Flow']),
      codecImport: importLine(`${sdk.names.module}._protojson`, ['STRUCT']),
      imports: importLine(sdk.names.module, imports),
      calls: items.length === 0 ? '[]' : printBroken({ open: '[', items, close: ']' }, 0),
    },
  };
}

function sampleItem(sdk: PythonSdk, member: SdkMember, sampler: Sampler, imports: Set<string>): Expression {
  const input = sdk.samples.ofRoot(member.input, member.sample);
  const json = sampler.sample(member.output);
  const answer = sdk.samples.ofRoot(member.output, json);
  for (const name of [...input.imports, ...answer.imports]) imports.add(name);
  return call('Sample', [
    { label: 'name=', value: stringLiteral(callName(sdk, member) ?? '') },
    { label: 'path=', value: stringLiteral(callPath(member)) },
    { label: 'input=', value: input.expression },
    { label: 'output=', value: jsonExpression(member.type === 'flow' ? endedRun(json) : json) },
    { label: 'answer=', value: answer.expression },
  ]);
}

/** Answer to a waited run that succeeded. */
function endedRun(output: JsonValue): JsonValue {
  const result = { success: true, output, completed_at: 1 };
  return { accepted: true, execution_id: '0'.repeat(32), result };
}
