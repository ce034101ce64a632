import assert from 'node:assert/strict';

import { parse } from 'yaml';

import { instanceBody } from '../../specs/operations/instances.ts';
import { messageDraftShape } from '../../specs/operations/message-draft.ts';
import { publishBody } from '../../specs/operations/package-shapes.ts';
import { type Page, readPage, rowOf } from './page.ts';

describe('docs/packages.md', () => {
  let page: Page;

  before(async () => {
    page = await readPage('docs/packages.md');
  });

  it('explains every key of a package, a node and an Instance', () => {
    const shapes = [publishBody, publishBody.shape.nodes.element, instanceBody];
    const keys = shapes.flatMap((shape) => Object.keys(shape.shape));
    assert.deepEqual(
      keys.filter((key) => rowOf(page, key) === undefined),
      [],
    );
  });

  // test/api/instances.test.ts tries it.
  it('explains how to bind another message to a generic node', () => {
    const [, section = ''] = page.text.split(/^## Generic nodes and Instances$/m);
    assert.match(
      section.replaceAll(/\s+/g, ' '),
      /another message for the same generic node needs another `name`/,
    );
  });

  it('contains a valid package.yaml', () => {
    const [block] = page.blocks.filter(({ language }) => language === 'yaml');
    const declaration = publishBody.omit({ protos: true }).safeParse(parse(block?.content ?? ''));
    assert.equal(declaration.error, undefined);
    assert.deepEqual(
      Object.keys(publishBody.shape).sort(),
      // Given to the command or in the HTTP body, not in the file.
      [...Object.keys(declaration.data), 'protos', 'token'].sort(),
    );
  });

  it('contains a valid message draft', () => {
    const [block] = page.blocks.filter(({ language }) => language === 'json');
    assert.equal(messageDraftShape.safeParse(JSON.parse(block?.content ?? '')).error, undefined);
  });
});
