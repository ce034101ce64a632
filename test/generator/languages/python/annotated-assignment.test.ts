import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AnnotatedAssignment } from '../../../../generator/languages/python/annotated-assignment.ts';
import { printAssignment } from '../../../../generator/languages/python/annotated-assignment.ts';
import type { Expression } from '../../../../generator/languages/python/expressions.ts';
import type { PythonVenv } from '../../../support/python-venv.ts';
import { PYTHON_VENV_TIMEOUT_MS, pythonVenv } from '../../../support/python-venv.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { runTool } from './python-archives.ts';

const json: Expression = {
  open: 'dict[',
  items: [{ value: 'str' }, { value: '_json.JsonValue' }],
  close: ']',
};
const long = 'M'.repeat(80);
const forms: Omit<AnnotatedAssignment, 'name'>[] = [
  { annotation: ['int'], value: '0' },
  { annotation: ['str'], value: '""' },
  { annotation: ['bool'], value: 'False' },
  { annotation: ['State'], value: 'State.STATE_UNSPECIFIED' },
  { annotation: ['State'], value: `State.${long}` },
  { annotation: ['State', '_json.UnknownValue'], value: 'State.STATE_UNSPECIFIED' },
  { annotation: ['State', '_json.UnknownValue'], value: `State.${long}` },
  { annotation: [list('State')], value: `State.${long}` },
  { annotation: ['Word', 'None'], value: 'None' },
  { annotation: [long, 'None'], value: 'None' },
  { annotation: [json, 'None'], value: 'None' },
  { annotation: ['_json.JsonValue', '_json.Unset'], value: '_json.UNSET' },
  { annotation: [list('str')], value: 'field(default_factory=list)' },
  { annotation: [list(long)], value: 'field(default_factory=list)' },
  { annotation: [list(json)], value: 'field(default_factory=list)' },
  { annotation: [map('Word')], value: 'field(default_factory=dict)' },
  { annotation: [map(long)], value: 'field(default_factory=dict)' },
  { annotation: [map(json)], value: 'field(default_factory=dict)' },
];

suiteNeeds('python', 'the layout of dataclass fields', function () {
  this.timeout(300_000);
  let venv: PythonVenv;

  before(async function () {
    this.timeout(PYTHON_VENV_TIMEOUT_MS);
    venv = await pythonVenv();
  });

  it('matches ruff for names of any length', async () => {
    const lengths = Array.from({ length: 110 }, (_, index) => index + 1);
    const statements = forms.flatMap((form) =>
      lengths.map((length) => `    ${printAssignment({ name: 'x'.repeat(length), ...form })}`),
    );
    const source = `class Fields:\n${statements.join('\n')}\n`;
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-layout-'));
    try {
      const file = path.join(folder, 'fields.py');
      await writeFile(file, source);
      const { code, output } = await runTool(
        venv,
        'ruff',
        ['format', '--isolated', '--no-cache', '--target-version', 'py310', file],
        { cwd: folder },
      );
      assert.equal(code, 0, output);
      assert.equal(source, await readFile(file, 'utf8'));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

function list(item: Expression): Expression {
  return { open: 'list[', items: [{ value: item }], close: ']' };
}

function map(item: Expression): Expression {
  return { open: 'dict[', items: [{ value: 'str' }, { value: item }], close: ']' };
}
