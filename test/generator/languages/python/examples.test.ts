import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSampler } from '../../../../generator/model/sample-message.ts';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../../service/languages/load-language.ts';
import type { PythonVenv } from '../../../support/python-venv.ts';
import { PYTHON_VENV_TIMEOUT_MS, pythonVenv } from '../../../support/python-venv.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { mypyStrict } from './archive-checks.ts';
import { runTool } from './python-archives.ts';

const roots = [
  ...['Any', 'BoolValue', 'BytesValue', 'DoubleValue', 'Duration', 'Empty', 'FieldMask', 'Int64Value'],
  ...['ListValue', 'StringValue', 'Struct', 'Timestamp', 'Value'],
];

suiteNeeds('python', 'examples of members with well-known types', function () {
  this.timeout(300_000);
  let venv: PythonVenv;
  let root: string;
  const examples: string[] = [];

  before(async function () {
    this.timeout(PYTHON_VENV_TIMEOUT_MS);
    venv = await pythonVenv();
    root = await mkdtemp(path.join(tmpdir(), 'svc-examples-'));
    const model = await loadSdkFixture('well-known');
    const [member] = model.members;
    assert.ok(member);
    const { sample } = createSampler(model.types);
    const members = roots.map((name) => {
      const type = `google.protobuf.${name}`;
      return {
        ...member,
        alias: `echo-${name.toLowerCase()}`,
        input: type,
        output: type,
        sample: sample(type),
      };
    });
    const { language, templates } = await loadLanguage('python');
    for (const { path: own, content } of await sdkFiles({ ...model, members }, language, templates)) {
      await mkdir(path.dirname(path.join(root, own)), { recursive: true });
      await writeFile(path.join(root, own), content);
      if (own.startsWith('examples/')) examples.push(Buffer.from(content).toString());
    }
  });
  after(async () => {
    await rm(root, { recursive: true });
  });

  async function passes(program: string, args: string[]): Promise<void> {
    const { code, output } = await runTool(venv, program, args, { cwd: root });
    assert.equal(code, 0, output);
  }

  it('use public names only', () => {
    assert.equal(examples.length, roots.length);
    for (const example of examples) assert.doesNotMatch(example, /\b_(?!_)\w/);
  });

  it('pass mypy --strict and ruff', async () => {
    await passes('mypy', [...mypyStrict(venv), 'src', 'examples']);
    const config = path.join(import.meta.dirname, 'ruff.toml');
    await passes('ruff', ['check', '--no-cache', '--config', config, 'examples']);
    await passes('ruff', [
      'format',
      '--isolated',
      '--no-cache',
      '--target-version',
      'py310',
      '--diff',
      'examples',
    ]);
  });
});
