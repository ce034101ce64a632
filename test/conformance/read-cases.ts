import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { asFlow } from './as-flow.ts';
import {
  caseFileSchema,
  type ConformanceCase,
  type ExpectedStep,
  type Feature,
  type RoundTrip,
} from './conformance-case.ts';

/** A case with its group, ready to run. */
export interface PlacedCase extends ConformanceCase {
  /** Name of its file: `retry`. */
  group: string;
  /** The features that a language must have to run it. */
  needs: Feature[];
  /** The equivalent case for a language without node calls. */
  withoutNodes?: PlacedCase;
}

const folder = path.join(import.meta.dirname, 'cases');

/** Aliases of the client `conformance` that are flows. */
const FLOWS: Readonly<Record<string, string>> = {
  'echo-twice': '0c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee0',
  return: '1c0ffee01c0ffee01c0ffee01c0ffee01c0ffee01c0ffee01c0ffee01c0ffee0',
  'write-text': '2c0ffee02c0ffee02c0ffee02c0ffee02c0ffee02c0ffee02c0ffee02c0ffee0',
};

/** The alias of a run whose flow is unknown to the program. */
const ANY_FLOW = 'any-flow';

const SPLIT_ACTIONS: ReadonlySet<string> = new Set(['create', 'upload', 'output']);

const PAUSE_ACTIONS: ReadonlySet<string> = new Set(['cancel', 'pauses', 'resume', 'inbox']);

/** Every case by group. Throws if a file is malformed, or if two cases of a group have the same name. */
export function readCases(): PlacedCase[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.sort().flatMap((file) => readGroup(file.slice(0, -'.yaml'.length)));
}

function readGroup(group: string): PlacedCase[] {
  const file = path.join(folder, `${group}.yaml`);
  const parsed = caseFileSchema.safeParse(parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file} is not of the format of cases: ${parsed.error.message}`);
  const { cases = [], roundTrips = [] } = parsed.data;
  const placed = [
    ...cases.map((each) => place(group, each)),
    ...roundTrips.map((each) => place(group, roundTripCase(each))),
  ];
  const names = placed.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${file} has two cases "${twice}"`);
  return placed;
}

function place(group: string, each: ConformanceCase): PlacedCase {
  const flows = asFlow(each);
  const answers = each.answers?.flatMap(({ times = 1, ...answer }) =>
    Array.from({ length: times }, () => answer),
  );
  return {
    ...each,
    ...(answers === undefined ? {} : { answers }),
    group,
    needs: [...new Set([...(each.needs ?? []), ...shownNeeds(each)])],
    ...(flows === undefined ? {} : { withoutNodes: place(group, flows) }),
  };
}

/** The default member of a step. */
export function defaultAlias(action: NonNullable<ExpectedStep['do']>): string {
  if (action === 'stream') return 'write-text';
  if (SPLIT_ACTIONS.has(action)) return 'parse-logs';
  if (action === 'live') return 'continue-text';
  return action === 'call' ? 'echo' : 'echo-twice';
}

function shownNeeds({ env, steps }: ConformanceCase): Feature[] {
  const needs: Feature[] = [];
  if (env !== undefined) needs.push('environment');
  for (const step of steps) {
    const { do: action = 'call', alias = defaultAlias(action), cancelAfterMs } = step;
    if (cancelAfterMs !== undefined) needs.push('cancel');
    if (action === 'stream') needs.push('streams');
    if (PAUSE_ACTIONS.has(action)) needs.push('pauses');
    if (action === 'fork') needs.push('forks');
    if (action === 'follow') needs.push('follow');
    if (SPLIT_ACTIONS.has(action)) needs.push('split');
    if (action === 'live') needs.push('live');
    if (action === 'warm') needs.push('warm');
    else needs.push(alias in FLOWS || alias === ANY_FLOW ? 'flows' : 'nodes');
  }
  return needs;
}

function roundTripCase(each: RoundTrip): ConformanceCase {
  const real = each.notReal === undefined && !each.refused && !each.invalid && echoes(each);
  return { name: each.name, needs: each.needs, real, ...script(each) };
}

/** Whether the scripted response equals the input, like that of an echo node. */
function echoes({ answer, answerText }: RoundTrip): boolean {
  return answer === undefined && answerText === undefined;
}

function script(each: RoundTrip): Pick<ConformanceCase, 'answers' | 'steps' | 'requests'> {
  const { alias = 'echo', input = {}, inputText = JSON.stringify(input), refused, invalid } = each;
  const sends = each.sends ?? input;
  const answerText = each.answerText ?? JSON.stringify(each.answer ?? sends);
  const step: ExpectedStep = { do: 'call', alias, inputText };
  if (refused === true) return { answers: [], steps: [{ ...step, fails: { class: 'value' } }], requests: 0 };
  const answers = [{ base64: Buffer.from(answerText).toString('base64') }];
  if (invalid === true) return { answers, steps: [{ ...step, fails: { class: 'invalid-response' } }] };
  if (each.answerText !== undefined && each.gives === undefined)
    throw new Error(`${each.name}: an answer by its text needs gives`);
  const gives = each.gives ?? each.answer ?? sends;
  return { answers, steps: [{ ...step, gives }], requests: [{ body: sends }] };
}
