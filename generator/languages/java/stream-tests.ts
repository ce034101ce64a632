import { callPath } from '../../model/call-path.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { typesIn } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import type { Expression } from './layout.ts';
import { assignment, declaration, statement, testHead } from './statements.ts';

/** The tests of a member that streams; every string is finished Java. */
interface StreamTests {
  /** Simple names of the types that they use, except those that all members use. */
  types: ReadonlySet<string>;
  sample: string;
  input: string;
  streamedHead: string;
  streamed: string;
  posted: string;
  refusedHead: string;
  refused: string;
  /** Set for a node: it accepts streamed input. */
  upload: UploadTest | undefined;
}

interface UploadTest {
  head: string;
  inputs: string;
  streamed: string;
  posted: string;
}

/** Returns the tests of a pipeline member. */
export function streamTests(sdk: JavaSdk, member: SdkMember): StreamTests {
  const { names, texts } = sdk;
  const call = names.calls.get(member.alias) ?? '';
  const sent: Expression =
    member.type === 'node'
      ? 'sample.input()'
      : { callee: 'sample.streamInvocation', args: [{ string: member.pin.graph }] };
  const input = declaration(
    texts.ofRoot(member.input).boxed,
    'input',
    { callee: `${texts.rootReader(member.input)}.fromJson`, args: ['sample.input()'] },
    4,
  );
  const upload = uploadTest(sdk, member);
  const streamed = streamedBy(sdk, member, { callee: `client.${call}`, args: ['input'] });
  return {
    types: typesIn([input, streamed, upload?.inputs ?? '']),
    sample: assignment('MemberSample sample', { callee: 'SAMPLES.get', args: [{ string: call }] }, 4),
    input,
    streamedHead: testHead(`${call}IsStreamed`, 2),
    streamed,
    posted: statement({ callee: 'server.assertPosted', args: [{ string: callPath(member) }, sent] }, 6),
    refusedHead: testHead(`${call}IsRefused`, 2),
    refused: statement(
      { callee: 'MemberSample.assertRefused', args: [{ callee: `client.${call}`, args: ['input'] }] },
      6,
    ),
    upload,
  };
}

function uploadTest(sdk: JavaSdk, member: SdkMember): UploadTest | undefined {
  const name = sdk.names.uploads.get(member.alias);
  if (name === undefined) return undefined;
  const { boxed } = sdk.texts.ofRoot(member.input);
  return {
    head: testHead(`${name}IsStreamed`, 2),
    inputs: assignment(`List<${boxed}> inputs`, { callee: 'List.of', args: ['input', 'input'] }, 4),
    streamed: streamedBy(sdk, member, { callee: `client.${name}`, args: ['inputs'] }),
    posted: statement(
      { callee: 'server.assertUploaded', args: [{ string: callPath(member) }, 'sample.input()'] },
      6,
    ),
  };
}

function streamedBy({ texts }: JavaSdk, member: SdkMember, stream: Expression): string {
  const body = texts.rootToJson(member.output, 'output');
  return statement({ callee: 'sample.assertStreamed', args: [stream, { parameter: 'output', body }] }, 6);
}
