import type { FileView } from '../language.ts';
import { createSampler } from '../model/sample-message.ts';
import { jsonOfSample } from '../model/json-of-sample.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import { nodePath } from './client-view.ts';
import { fullNames, typesIn } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { callName } from './java-sdk.ts';
import type { Expression } from './layout.ts';
import { assignment, declaration, methodHead, statement } from './statements.ts';

/** What the tests of members name. */
const memberTypes = 'IOException Map MemberSample ScriptedServer TenantSuspendedException';

/**
 * `ClientTest.java` calls each member, against a server that answers what the member may give, and one that refuses;
 * `samples.json` beside it holds what they may be asked and may give.
 */
export function testFiles(sdk: JavaSdk): FileView[] {
  const { callable, model, place } = sdk;
  const sampler = createSampler(model.types);
  const samples = callable.map((member, index) => {
    const [input, output] = [member.sample, sampler.sample(member.output)].map(jsonOfSample);
    return `"${callName(sdk, member) ?? ''}": {"input":${input},"output":${output}}${index === callable.length - 1 ? '' : ','}`;
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
  const { callable, place } = sdk;
  const members = callable.map((member) => {
    const tests = memberTests.recall(member, sdk.memberWords(member).call, () => testsOf(sdk, member));
    return memberViews.recall(tests, place.clientClass, () => ({ ...tests, clientClass: place.clientClass }));
  });
  const types = typesIn(['ClientOptions ConfigurationException Test', members.length > 0 ? memberTypes : '']);
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
      members,
    },
  };
}

/** The tests of one member, in whatever client; every string is finished Java. */
interface MemberTests {
  /** Simple names of the types that they name, but those that all members do. */
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

/** By the names in them, */
const memberTests = createMemory<SdkMember, MemberTests>();

/** and by the class of the client. */
const memberViews = createMemory<MemberTests, MemberTests & { clientClass: string }>();

function testsOf(sdk: JavaSdk, member: SdkMember): MemberTests {
  const { texts } = sdk;
  const call = callName(sdk, member) ?? '';
  const [answer, path, sent]: [string, string, Expression] =
    member.type === 'node'
      ? ['sample.output()', nodePath(member), 'sample.input()']
      : [
          'sample.ended()',
          '/invocations/v1/flows/invoke',
          { callee: 'sample.invocation', args: [{ string: member.pin.graph }] },
        ];
  const lines = {
    input: declaration(
      texts.ofRoot(member.input).boxed,
      'input',
      { callee: texts.rootFromJson(member.input, '').slice(0, -2), args: ['sample.input()'] },
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
    calledHead: methodHead('void', `${call}IsCalled`, [], 2, ' throws IOException {'),
    refusedHead: methodHead('void', `${call}IsRefused`, [], 2, ' throws IOException {'),
    sample: assignment('MemberSample sample', { callee: 'SAMPLES.get', args: [{ string: call }] }, 4),
    ...lines,
    answer,
    posted: statement({ callee: 'server.assertPosted', args: [{ string: path }, sent] }, 6),
    refused: statement(
      { callee: 'assertThrows', args: ['TenantSuspendedException.class', `() -> client.${call}(input)`] },
      6,
    ),
  };
}
