import { remembering } from '../../specs/remembering.ts';
import type { FileView } from '../language.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import { type CallView, callView } from './calls-view.ts';
import { type Example, exampleFile, exampleOf } from './example-view.ts';
import type { PythonSdk } from './python-sdk.ts';
import { printSnippet, type Snippet, snippetOf } from './snippet.ts';
import { type TestedCall, testedCall } from './test-view.ts';

/** All that the files of an SDK say of one member. */
export interface MemberViews {
  call: CallView;
  snippet: string;
  tested: TestedCall;
  example: FileView;
}

/** By callable member, in their order. */
export const memberViews = remembering(
  (sdk: PythonSdk): ReadonlyMap<SdkMember, MemberViews> =>
    new Map(sdk.callable.map((member) => [member, viewsOf(sdk, member)])),
);

function viewsOf(sdk: PythonSdk, member: SdkMember): MemberViews {
  const { module } = sdk.names;
  const printed = printedMembers.recall(member, sdk.memberWords(member).all, () =>
    printedMember(sdk, member),
  );
  return views.recall(printed, module, () => ({
    call: printed.call,
    snippet: printSnippet(module, printed.snippet),
    tested: printed.tested,
    example: exampleFile(module, printed.example),
  }));
}

/** By the name of the module. */
const views = createMemory<PrintedMember, MemberViews>();

/** What is said of a member in whatever module. */
interface PrintedMember {
  call: CallView;
  snippet: Snippet;
  tested: TestedCall;
  example: Example;
}

const printedMembers = createMemory<SdkMember, PrintedMember>();

function printedMember(sdk: PythonSdk, member: SdkMember): PrintedMember {
  return {
    call: callView(sdk, member),
    snippet: snippetOf(sdk, member),
    tested: testedCall(sdk, member),
    example: exampleOf(sdk, member),
  };
}
