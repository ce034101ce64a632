import type { FileView } from '../../language.ts';
import { createSampler } from '../../model/sample-message.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { callPath } from '../../model/call-path.ts';
import { callName } from '../../names/call-name.ts';
import { fullNames, typesIn } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import type { Expression } from './layout.ts';
import { streamTests } from './stream-tests.ts';
import { assignment, declaration, methodHead, statement, testHead } from './statements.ts';

/** Types that the tests of members use. */
const memberTypes = 'IOException Map MemberSample ScriptedServer';

/**
 * `ClientTest.java` calls each member twice, against a server that answers with a sample and one that refuses;
 * `samples.json` contains samples of inputs and outputs.
 */
export function testFiles(sdk: JavaSdk): FileView[] {
  const { model, place } = sdk;
  const sampler = createSampler(model.types);
  const samples = model.members.map((member, index) => {
    const [input, output] = [member.sample, sampler.sample(member.output)].map((sample) =>
      JSON.stringify(sample),
    );
    return `"${callName(sdk, member)}": {"input":${input},"output":${output}}${index === model.members.length - 1 ? '' : ','}`;
  });
  return [
    clientTest(sdk),
    {
      path: `src/test/resources/${place.folder}/samples.json`,
      template: 'samples.json',
      view: { samples },
    },
  ];
}

function clientTest(sdk: JavaSdk): FileView {
  const { model, place } = sdk;
  const members = model.members.map((member) => ({
    ...(member.mode === 'pipeline' ? streamTests(sdk, member) : testsOf(sdk, member)),
    isStream: member.mode === 'pipeline',
    clientClass: place.clientClass,
  }));
  const hasUnary = members.some(({ isStream }) => !isStream);
  const types = typesIn([
    'ClientOptions ConfigurationException Test Timeout',
    members.length > 0 ? memberTypes : '',
    hasUnary ? 'TenantSuspendedException' : '',
  ]);
  for (const member of members) for (const type of member.types) types.add(type);
  return {
    path: `src/test/java/${place.folder}/ClientTest.java`,
    template: 'ClientTest.java',
    view: {
      packageName: place.packageName,
      imports: fullNames(types, place.packageName),
      clientClass: place.clientClass,
      clientHead: methodHead(`private static ${place.clientClass}`, 'clientOf', ['ScriptedServer server'], 2),
      client: assignment(`${place.clientClass} client`, `${place.clientClass}.create(options)`, 4),
      unconfigured: statement(
        {
          callee: 'assertThrows',
          args: ['ConfigurationException.class', `() -> ${place.clientClass}.create(options)`],
        },
        4,
      ),
      hasUnary,
      hasStreams: members.some(({ isStream }) => isStream),
      members,
    },
  };
}

/** The tests of one member; every string is finished Java. */
interface MemberTests {
  /** Simple names of the types that they use, except those that all members use. */
  types: ReadonlySet<string>;
  calledHead: string;
  refusedHead: string;
  sample: string;
  input: string;
  answer: string;
  call: string;
  output: string;
  posted: string;
  refused: string;
}

function testsOf(sdk: JavaSdk, member: SdkMember): MemberTests {
  const { texts } = sdk;
  const call = callName(sdk, member);
  const [answer, sent]: [string, Expression] =
    member.type === 'node'
      ? ['sample.output()', 'sample.input()']
      : ['sample.ended()', { callee: 'sample.invocation', args: [{ string: member.pin.graph }] }];
  const lines = {
    input: declaration(
      texts.ofRoot(member.input).boxed,
      'input',
      { callee: `${texts.rootReader(member.input)}.fromJson`, args: ['sample.input()'] },
      4,
    ),
    call: assignment(
      `${texts.ofRoot(member.output).boxed} output`,
      { callee: `clientOf(server).${call}`, args: ['input'] },
      6,
    ),
    output: statement(
      { callee: 'sample.assertOutput', args: [texts.rootToJson(member.output, 'output')] },
      6,
    ),
  };
  return {
    types: typesIn(Object.values(lines)),
    calledHead: testHead(`${call}IsCalled`, 2),
    refusedHead: testHead(`${call}IsRefused`, 2),
    sample: assignment('MemberSample sample', { callee: 'SAMPLES.get', args: [{ string: call }] }, 4),
    ...lines,
    answer,
    posted: statement({ callee: 'server.assertPosted', args: [{ string: callPath(member) }, sent] }, 6),
    refused: statement(
      { callee: 'assertThrows', args: ['TenantSuspendedException.class', `() -> client.${call}(input)`] },
      6,
    ),
  };
}
