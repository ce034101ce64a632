import type { FileView } from '../language.ts';
import { createSampler } from '../model/sample-message.ts';
import type { JsonValue } from '../model/sdk-model.ts';
import { bareName } from './reserved-names.ts';
import type { RustSdk } from './rust-sdk.ts';
import { callName, callPath } from './rust-sdk.ts';

/** The members as data for the tests that all Rust SDKs share: their names, and what they may be asked and may answer. */
export function testFiles(sdk: RustSdk): FileView[] {
  const sampler = createSampler(sdk.model.types);
  const calls = sdk.callable.map((member) => {
    const name = callName(sdk, member) ?? '';
    const output = sampler.sample(member.output);
    return {
      name,
      sample: {
        path: callPath(member),
        input: member.sample,
        body: member.type === 'flow' ? endedRun(output) : output,
        output,
      },
    };
  });
  const samples = Object.fromEntries(calls.map(({ name, sample }) => [bareName(name), sample]));
  return [
    { path: 'src/tests/members.rs', template: 'src/tests/members.rs', view: { calls } },
    {
      path: 'src/tests/samples.json',
      template: 'src/tests/samples.json',
      view: { samples: JSON.stringify(samples, null, 2) },
    },
  ];
}

/** Answer to a waited run that succeeded. */
function endedRun(output: JsonValue): JsonValue {
  const result = { success: true, output, completed_at: 1 };
  return { accepted: true, execution_id: '0'.repeat(32), result };
}
