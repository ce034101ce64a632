import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listLanguages } from '../../../service/languages/load-language.ts';
import { sdkFixturesDir } from '../../support/sdk-fixtures.ts';

/** Titles of the sections that users look for. */
const topics = [
  /^## Install$/,
  /^## First call$/,
  /^## Running flows$/,
  /^### Human decisions$/,
  /^### Forks$/,
  /^## Streams$/,
  /^## Messages$/,
  /^## Options/,
  /^## (Errors|Exceptions|Options, raw responses and errors)$/,
  /^## Tests of your program$/,
  /^## Development$/,
];

const languages = await listLanguages();

/** Names of the failure reason and failed node in a record, and of the failure events. */
const failureNames: Readonly<Record<string, readonly string[]>> = {
  csharp: ['ErrorMessage', 'FailedNodeName', 'NODE_FAILED', 'FLOW_FAILED'],
  go: ['ErrorMessage', 'FailedNodeName', 'svc.EventNodeFailed', 'svc.EventFlowFailed'],
  java: ['errorMessage()', 'failedNodeName()', 'NODE_FAILED', 'FLOW_FAILED'],
  python: ['error_message', 'failed_node_name', 'NODE_FAILED', 'FLOW_FAILED'],
  rust: ['error_message', 'failed_node_name', 'NODE_FAILED', 'FLOW_FAILED'],
  typescript: ['errorMessage', 'failedNodeName', 'NODE_FAILED', 'FLOW_FAILED'],
  'typescript-browser': ['errorMessage', 'failedNodeName', 'NODE_FAILED', 'FLOW_FAILED'],
};

describe('the READMEs', () => {
  for (const id of languages) {
    it(`have a section for each topic in ${id}`, () => {
      const lines = readmeOf('conformance', id).split('\n');
      const missing = topics.filter((topic) => !lines.some((line) => topic.test(line)));
      assert.deepEqual(missing, []);
    });
  }

  for (const id of languages) {
    it(`show how to find out why a run failed in ${id}`, () => {
      const [, section = ''] = readmeOf('conformance', id).split('\n## Running flows\n');
      const [programs, text] = partsOf(section.split('\n### Human decisions\n')[0] ?? '');
      const [reason = '', ...others] = failureNames[id] ?? [];
      assert.ok(programs.includes(reason), reason);
      for (const name of [reason, ...others]) assert.ok(text.includes(`\`${name}\``), name);
    });
  }

  for (const id of languages) {
    it(`explain that idempotency keys apply to flows only in ${id}`, () => {
      const text = readmeOf('conformance', id).replaceAll(/\s+/g, ' ');
      assert.match(text, /at most one run of a flow per idempotency key within five minutes/);
      assert.match(
        text,
        id === 'typescript-browser' ? /Streams ignore the key/ : /nodes and streams ignore the key/,
      );
      assert.doesNotMatch(text, /sent with every attempt/);
    });
  }

  for (const id of languages) {
    it(`explain cancelled calls and runs, and what to check after a 401, in ${id}`, () => {
      const text = readmeOf('conformance', id).replaceAll(/\s+/g, ' ');
      assert.match(
        text,
        /Cancell?ing a call ends the wait, not the run\. If you need to stop the run itself, use the start method/,
      );
      assert.match(text, /its record then has the status `[\w.]*cancell?ed`/i);
      assert.match(text, /the service does not accept the key[;.] check `/i);
    });
  }

  for (const id of languages) {
    it(`use a placeholder for the fields of a decision in ${id}`, () => {
      const [, section = ''] = readmeOf('conformance', id).split('\n### Human decisions\n');
      const [programs] = partsOf(section.split('\n### ')[0] ?? '');
      assert.match(programs, /<field>/);
      assert.doesNotMatch(programs, /approved/);
    });
  }

  for (const [id, kind] of [
    ['go', 'svc.ErrNodeFailed'],
    ['rust', 'NodeFailed'],
    ['csharp', 'NodeFailedException'],
    ['java', 'NodeFailedException'],
    ['python', 'NodeFailedError'],
    ['typescript', 'NodeFailedError'],
  ] as const) {
    it(`explain how to recover from an interrupted upload in ${id}`, () => {
      const [, section = ''] = readmeOf('conformance', id).split('\n### Split streams\n');
      const [, text] = partsOf(section.split('\n### ')[0] ?? '');
      // A stream takes one upload, even if it was cut off.
      assert.match(text, /create another stream and upload all messages to it/);
      assert.ok(text.includes(`\`${kind}\` after the last message`));
    });
  }

  it('show the member that was added first as the first call in TypeScript', () => {
    // `class` is the first in the order of names.
    const [, first = ''] = readmeOf('conformance', 'typescript').split('## First call');
    assert.match(first.split('## Calls')[0] ?? '', /client\.echo\(/);
  });
});

/** Returns the fenced blocks of Markdown and the text around them. */
function partsOf(markdown: string): [blocks: string, text: string] {
  const parts = markdown.split(/^```.*\n/m);
  const of = (remainder: number): string => parts.filter((_, index) => index % 2 === remainder).join('\n');
  return [of(1), of(0)];
}

function readmeOf(fixture: string, language: string): string {
  return readFileSync(path.join(sdkFixturesDir, fixture, 'expected', language, 'README.md'), 'utf8');
}
