import type { FileView } from '../../language.ts';
import { createSampler } from '../../model/sample-message.ts';
import type { JsonValue, SdkMember } from '../../model/sdk-model.ts';
import { endedRun } from '../../samples/ended-run.ts';
import { callPath } from '../../model/call-path.ts';
import { callName } from '../../names/call-name.ts';
import { bareName } from './reserved-names.ts';
import type { RustSdk } from './rust-sdk.ts';

/**
 * Returns the members as data for the tests that all Rust SDKs share: their names, and samples of their inputs and
 * outputs.
 */
export function testFiles(sdk: RustSdk): FileView[] {
  const sampler = createSampler(sdk.model.types);
  const samples = sdk.model.members.map((member) => sampleText(sdk, member, sampler.sample(member.output)));
  return [
    {
      path: 'src/tests/members.rs',
      template: 'src/tests/members.rs',
      view: {
        calls: testedMembers(sdk, 'unary'),
        streams: testedMembers(sdk, 'pipeline'),
        uploads: sdk.model.members.flatMap((member) => {
          const name = sdk.names.uploads.get(member.alias);
          return name === undefined ? [] : [{ name, sample: callName(sdk, member) }];
        }),
        sessions: sdk.model.members.flatMap((member) => {
          const session = sdk.names.sessions.get(member.alias);
          return session === undefined ? [] : [{ ...session, sample: callName(sdk, member) }];
        }),
      },
    },
    {
      path: 'src/tests/samples.json',
      template: 'src/tests/samples.json',
      view: { samples: samples.length === 0 ? '{}' : `{\n${samples.join(',\n')}\n}` },
    },
  ];
}

function testedMembers(sdk: RustSdk, mode: SdkMember['mode']): object[] {
  const members = sdk.model.members.filter((member) => member.mode === mode);
  return members.map((member) => ({ name: callName(sdk, member) }));
}

/** Returns the input and output of one member, as a property of a JSON object. */
function sampleText(sdk: RustSdk, member: SdkMember, output: JsonValue): string {
  const sample = {
    path: callPath(member),
    input: member.sample,
    body: member.type === 'flow' ? endedRun(output) : output,
    output,
  };
  const object = JSON.stringify({ [bareName(callName(sdk, member))]: sample }, null, 2);
  return object.slice('{\n'.length, -'\n}'.length);
}
