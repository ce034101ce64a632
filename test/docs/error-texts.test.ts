import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { listFiles } from '../architecture/source-tree.ts';
import { type Page, readPage } from './page.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const pages = ['http-api', 'flows', 'node-containers', 'operating'];
/** A text of the service, not a name, a command or JSON. */
const sentence = /[a-z]+ [a-z]+ [a-z]+/;
const command = /^(?:svc |\{|GET |POST )/;
/** Placeholders, numbers that come from limits, and the colon between concatenated texts. */
const variable = /<[^>]*>|\d+|\.\.\.|: /;
/** Shorter fragments could occur anywhere, so they are searched for next to the values that they join. */
const minFragment = 6;

describe('texts quoted in tables of the reference pages', () => {
  let source: string;

  before(async () => {
    const files = ['service', 'specs']
      .flatMap((folder) => listFiles(folder))
      .filter((file) => file.endsWith('.ts'));
    const texts = await Promise.all(files.map((file) => readFile(path.join(projectRoot, file), 'utf8')));
    source = joined(texts.join('\n'));
  });

  for (const name of pages) {
    it(`exist in the service: docs/${name}.md`, async () => {
      const page = await readPage(`docs/${name}.md`);
      const quoted = quotedTexts(page);
      assert.ok(quoted.length > 0);
      const missing = quoted.flatMap((text) => {
        const unknown = [
          ...fragmentsOf(text).filter((fragment) => !source.includes(fragment)),
          ...jointsOf(text).filter(
            (joint) => !source.includes(`}${joint}`) && !source.includes(`${joint}\${`),
          ),
        ];
        return unknown.length > 0 ? [`${text} (${unknown.join(' | ')})`] : [];
      });
      assert.deepEqual(missing, []);
    });
  }
});

function quotedTexts({ rows }: Page): string[] {
  const spans = rows.flat().flatMap((cell) => [...cell.matchAll(/(?<!`)(`{1,2}) ?(.+?) ?\1(?!`)/g)]);
  const texts = spans.map(([, , text = '']) => text);
  return [...new Set(texts)].filter((text) => sentence.test(text) && !command.test(text));
}

/** The parts of a text that do not vary. */
function fragmentsOf(text: string): string[] {
  return text
    .split(variable)
    .map(bare)
    .filter((fragment) => fragment.length >= minFragment);
}

/** The short text between two values, such as ` has `, with the quotes of the values. */
function jointsOf(text: string): string[] {
  const inner = text.split(/<[^>]*>/).slice(1, -1);
  return inner.filter((joint) => /[a-z]/.test(joint) && bare(joint).length < minFragment);
}

function bare(fragment: string): string {
  return fragment.replace(/^["\s:;,()]+|["\s:;,()]+$/g, '');
}

/** Literals after concatenation, with plain quotes. */
function joined(source: string): string {
  return source.replace(/['`] \+\s*['`]/g, '').replace(/\\(['"`])/g, '$1');
}
