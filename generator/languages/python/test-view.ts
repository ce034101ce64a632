import type { FileView } from '../../language.ts';
import { createSampler } from '../../model/sample-message.ts';
import type { JsonValue, SdkMember } from '../../model/sdk-model.ts';
import { endedRun } from '../../samples/ended-run.ts';
import { callPath } from '../../model/call-path.ts';
import { callName } from '../../names/call-name.ts';
import { call, printBroken, printExpression } from './expressions.ts';
import { importLine } from './import-line.ts';
import { stringLiteral } from './literals.ts';
import { jsonExpression } from './sample-values.ts';
import type { PythonSdk } from './python-sdk.ts';

interface TestedCall {
  /** As an item of a list. */
  sample: string;
  /** Names that it imports from the package. */
  imports: string[];
  /** Names that it imports from the module `datetime`. */
  times: string[];
}

/** Returns `tests/sdk.py`: the members of this SDK as data, for the tests that all Python SDKs share. */
export function testFile(sdk: PythonSdk): FileView {
  const sampler = createSampler(sdk.model.types);
  const tested = (mode: SdkMember['mode']): TestedCall[] =>
    sdk.model.members
      .filter((member) => member.mode === mode)
      .map((member) => testedCall(sdk, member, sampler.sample(member.output)));
  const calls = tested('unary');
  const streams = tested('pipeline');
  const imports = new Set([
    'AsyncClient',
    'Client',
    'errors',
    ...[...calls, ...streams].flatMap((call) => call.imports),
  ]);
  const times = [...calls, ...streams].flatMap((call) => call.times);
  return {
    path: 'tests/sdk.py',
    template: 'tests/sdk.py',
    view: {
      flowImport: importLine(`${sdk.names.module}._flow`, ['Flow']),
      codecImport: importLine(`${sdk.names.module}._protojson`, ['STRUCT']),
      times: times.length > 0 && importLine('datetime', times),
      imports: importLine(sdk.names.module, imports),
      calls: list(calls),
      streams: list(streams),
    },
  };
}

function list(calls: readonly TestedCall[]): string {
  const items = calls.map(({ sample }) => ({ value: sample }));
  return items.length === 0 ? '[]' : printBroken({ open: '[', items, close: ']' }, 0);
}

function testedCall(sdk: PythonSdk, member: SdkMember, json: JsonValue): TestedCall {
  const upload = sdk.names.uploads.get(member.alias);
  const session = sdk.names.sessions.get(member.alias);
  const input = sdk.samples.ofRoot(member.input, member.sample);
  const answer = sdk.samples.ofRoot(member.output, json);
  const sample = call('Sample', [
    { label: 'name=', value: stringLiteral(callName(sdk, member)) },
    { label: 'path=', value: stringLiteral(callPath(member)) },
    ...(upload === undefined ? [] : [{ label: 'upload=', value: stringLiteral(upload) }]),
    ...(session === undefined
      ? []
      : [
          { label: 'create=', value: stringLiteral(session.create) },
          { label: 'find=', value: stringLiteral(session.find) },
          { label: 'open=', value: stringLiteral(session.open) },
        ]),
    { label: 'input=', value: input.expression },
    {
      label: 'output=',
      value: jsonExpression(member.type === 'flow' && member.mode === 'unary' ? endedRun(json) : json),
    },
    { label: 'answer=', value: answer.expression },
  ]);
  return {
    sample: printExpression(sample, 4, 0, ','.length),
    imports: [...input.imports, ...answer.imports],
    times: [...input.times, ...answer.times],
  };
}
