import type { FileView } from '../language.ts';
import { createSampler } from '../model/sample-message.ts';
import { nodePath } from './client-view.ts';
import { importsOf } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { callName } from './java-sdk.ts';
import { assignment, declaration, methodHead, statement } from './statements.ts';

/** What the tests of members name. */
const memberTypes = 'IOException JsonValue ScriptedServer TenantSuspendedException';

/** `ClientTest.java`: each member is called, against a server that answers what the member may give, and one that refuses. */
export function testFile(sdk: JavaSdk): FileView {
  const { callable, model, place, texts } = sdk;
  const sampler = createSampler(model.types);
  const members = callable.map((member) => {
    const call = callName(sdk, member) ?? '';
    const sample = JSON.stringify(member.sample);
    const answer = JSON.stringify(sampler.sample(member.output));
    const [path, sent, answered] =
      member.type === 'node'
        ? [nodePath(member), sample, answer]
        : [
            '/invocations/v1/flows/invoke',
            `{"graph_id":${JSON.stringify(member.pin.graph)},"input":${sample},"wait":true,"timeout_seconds":50}`,
            `{"execution_id":"0123456789abcdef0123456789abcdef","result":{"success":true,"output":${answer}}}`,
          ];
    const input = declaration(
      texts.ofRoot(member.input).boxed,
      'input',
      { callee: texts.rootFromJson(member.input, '').slice(0, -2), args: [{ string: sample }] },
      4,
    );
    return {
      calledHead: methodHead('void', `${call}IsCalled`, [], 2, ' throws IOException {'),
      refusedHead: methodHead('void', `${call}IsRefused`, [], 2, ' throws IOException {'),
      input,
      answer: assignment('String answer', { string: answered }, 4),
      call: assignment(
        `${texts.ofRoot(member.output).boxed} output`,
        { callee: `clientOf(server).${call}`, args: ['input'] },
        6,
      ),
      output: statement(
        { callee: 'assertJson', args: [{ string: answer }, texts.rootToJson(member.output, 'output')] },
        6,
      ),
      posted: statement({ callee: 'server.assertPosted', args: [{ string: path }, { string: sent }] }, 6),
      refused: statement(
        { callee: 'assertThrows', args: ['TenantSuspendedException.class', `() -> client.${call}(input)`] },
        6,
      ),
    };
  });
  const code = members.flatMap(({ input, call, output }) => [input, call, output]);
  return {
    path: `src/test/java/${place.folder}/ClientTest.java`,
    template: 'ClientTest.java',
    view: {
      packageName: place.packageName,
      imports: importsOf(
        ['ClientOptions ConfigurationException Test', ...(members.length > 0 ? [memberTypes] : []), ...code],
        place.packageName,
      ),
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
