import type { FileView } from '../language.ts';
import { createSampler } from '../model/sample-message.ts';
import type { JsonValue, SdkMember } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import { bareName } from './reserved-names.ts';
import type { RustSdk } from './rust-sdk.ts';
import { callName, callPath } from './rust-sdk.ts';

/** The members as data for the tests that all Rust SDKs share: their names, and what they may be asked and may answer. */
export function testFiles(sdk: RustSdk): FileView[] {
  const samples = sdk.callable.map((member) => sampleText(sdk, member));
  return [
    {
      path: 'src/tests/members.rs',
      template: 'src/tests/members.rs',
      view: { calls: sdk.callable.map((member) => ({ name: callName(sdk, member) ?? '' })) },
    },
    {
      path: 'src/tests/samples.json',
      template: 'src/tests/samples.json',
      view: { samples: samples.length === 0 ? '{}' : `{\n${samples.join(',\n')}\n}` },
    },
  ];
}

/** An output may be of another package version than the member's input: a text is good for the output that it was made of. */
const sampleTexts = createMemory<object, { output: JsonValue; text: string }>();

/** What one member may be asked and may answer, as a property of an object of JSON. */
function sampleText(sdk: RustSdk, member: SdkMember): string {
  const output = createSampler(sdk.model.types).sample(member.output);
  const identity = sdk.printedAs(member);
  const known = sampleTexts.get(identity, '');
  if (known?.output === output) return known.text;
  const sample = {
    path: callPath(member),
    input: member.sample,
    body: member.type === 'flow' ? endedRun(output) : output,
    output,
  };
  const object = JSON.stringify({ [bareName(callName(sdk, member) ?? '')]: sample }, null, 2);
  const text = object.slice('{\n'.length, -'\n}'.length);
  sampleTexts.set(identity, '', { output, text });
  return text;
}

/** Answer to a waited run that succeeded. */
function endedRun(output: JsonValue): JsonValue {
  const result = { success: true, output, completed_at: 1 };
  return { accepted: true, execution_id: '0'.repeat(32), result };
}
