import assert from 'node:assert/strict';
import { docstring } from '../../../../generator/languages/python/docstrings.ts';
import { printExpression } from '../../../../generator/languages/python/expressions.ts';
import { bytesLiteral, stringLiteral } from '../../../../generator/languages/python/literals.ts';
import fc from 'fast-check';
import type { PythonVenv } from '../../../support/python-venv.ts';
import { PYTHON_VENV_TIMEOUT_MS, pythonVenv } from '../../../support/python-venv.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { runTool } from './python-archives.ts';

describe('Python texts', () => {
  it('use the quotes that need fewer escapes', () => {
    assert.equal(stringLiteral('plain'), '"plain"');
    assert.equal(stringLiteral(`it's`), `"it's"`);
    assert.equal(stringLiteral('say "hi"'), `'say "hi"'`);
    assert.equal(stringLiteral(`it's "it"`), `'it\\'s "it"'`);
    assert.equal(bytesLiteral(Uint8Array.of(0, 34, 65, 255)), `b'\\x00"A\\xff'`);
  });

  it('form one-line docstrings when they fit', () => {
    assert.equal(docstring(['Words.'], 4), '    """Words."""');
    assert.equal(docstring(['', 'Says "hi"'], 0), '"""Says "hi\\""""');
    assert.equal(docstring(['One.', 'Two.'], 0), '"""One.\n\nTwo.\n"""');
    assert.equal(docstring(['One.\nTwo.\n \u3000Three.'], 0), '"""One.\nTwo.\n Three.\n"""');
  });

  it('wrap at spaces and keep their indentation', () => {
    const folded = docstring([`${'word '.repeat(30)}\n    code\n  less`], 4).split('\n');
    assert.ok(folded.every((line) => line.length <= 88));
    assert.deepEqual(folded.slice(-3), ['      code', '    less', '    """']);
  });

  it('print section headings in bold, but not the same words in a sentence', () => {
    const comment = 'Greets.\n\nArgs:\n  name: whose\n  returns:\nSee Also\n--------\nAll of the\nnotes';
    const lines = docstring([comment], 0).split('\n');
    assert.deepEqual(lines.slice(-4), ['--------', 'All of the', 'notes', '"""']);
    assert.deepEqual(lines.slice(2, 6), ['**Args:**', '  name: whose', '  **returns:**', '**See Also**']);
  });

  it('break an expression that exceeds the line', () => {
    const item = { label: 'text=', value: stringLiteral('x'.repeat(90)) };
    const expression = { open: 'Word(', items: [item], close: ')' };
    assert.equal(printExpression(expression, 4, 0, 0), `Word(\n        text="${'x'.repeat(90)}",\n    )`);
  });
});

/** Names that ruff reads as docstring sections in some convention. */
const sections = [
  ...['args', 'arguments', 'attention', 'attributes', 'caution', 'danger', 'error', 'example', 'examples'],
  ...[
    'extended summary',
    'hint',
    'important',
    'keyword args',
    'keyword arguments',
    'methods',
    'note',
    'notes',
  ],
  ...[
    'other args',
    'other arguments',
    'other parameters',
    'other params',
    'parameters',
    'raises',
    'receives',
  ],
  ...['references', 'return', 'returns', 'see also', 'short summary', 'tip', 'todo', 'warning', 'warnings'],
  ...['warns', 'yield', 'yields'],
];

suiteNeeds('python', 'Python texts read by Python', function () {
  this.timeout(180_000);
  let venv: PythonVenv;

  before(async function () {
    this.timeout(PYTHON_VENV_TIMEOUT_MS);
    venv = await pythonVenv();
  });

  const nasty = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '"',
          "'",
          '"""',
          "'''",
          '\\',
          '\n',
          '\r',
          '\t',
          '{',
          '\\u0041',
          '\\N{DASH}',
          '#',
          ' ',
        ),
        fc.constantFrom(
          '\u202e',
          '\u2028',
          '\u0085',
          '\u0000',
          '\u007f',
          '\ufeff',
          '\ud800',
          'é',
          '日',
          '😀',
        ),
        fc.string({ unit: 'binary', maxLength: 3 }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));

  it('evaluate to the original text', async () => {
    const texts = fc.sample(nasty, { numRuns: 2_000, seed: 5 });
    const program = [
      'import json, sys',
      'values = [',
      ...texts.map((text) => `    ${stringLiteral(text)},`),
      ']',
      'sys.stdout.write(json.dumps(values))',
    ].join('\n');
    const { output } = await runTool(venv, 'python', ['-c', 'import sys; exec(sys.argv[1])', program], {
      cwd: '.',
    });
    assert.deepEqual(JSON.parse(output), texts);
  });

  it('stay within their docstring', async () => {
    const texts = fc.sample(nasty, { numRuns: 2_000, seed: 6 });
    const functions = texts.map((text) => `def f():\n${docstring([text, 'End.'], 4)}\n    return 1\n`);
    const check = [
      'import ast, json, sys',
      'for source in json.load(sys.stdin):',
      '    [function] = ast.parse(source).body',
      '    text, last = function.body',
      '    assert ast.get_docstring(function).endswith("End."), source',
      '    assert isinstance(last, ast.Return), source',
    ].join('\n');
    const { code, output } = await runTool(venv, 'python', ['-c', check], {
      cwd: '.',
      input: JSON.stringify(functions),
    });
    assert.equal(code, 0, output);
  });

  it('never form a docstring section that ruff reports', async () => {
    const names = sections
      .flatMap((name) => [name, name.toUpperCase(), name.replace(/^\w/, (letter) => letter.toUpperCase())])
      .flatMap((name) => [name, `${name}:`, `  ${name}:`]);
    const raw = names.map((name) => `    """Has.\n\n    ${name}\n\n\n    what\n    """`);
    assert.deepEqual(await withSections(raw, 'pep257'), raw, 'a name that no rule finds');
    const comments = names.flatMap((name) => [
      `Says so.\n${name}`,
      `Says so.\n\n${name}\n\n\n\n  x: what\n\n${name}\n${name}`,
      `Says so\n${name}\nwhat`,
      `Says so\n${name}\n----\nwhat`,
      `${name}\n\nwhat`,
    ]);
    const docstrings = comments.map((comment) => docstring([comment, 'End.'], 4));
    for (const convention of ['google', 'numpy', 'pep257'])
      assert.deepEqual(await withSections(docstrings, convention), [], convention);
  });

  /** Returns the docstrings in which ruff reports a section. */
  async function withSections(docstrings: readonly string[], convention: string): Promise<string[]> {
    const functions = docstrings.map((text) => `def f(request):\n${text}\n    return request\n`);
    const rules = ['--select', 'D214,D215,D405,D406,D407,D408,D409,D41', '--ignore', 'D415,D418,D419'];
    const convene = ['--config', `lint.pydocstyle.convention = "${convention}"`];
    const { output } = await runTool(
      venv,
      'ruff',
      ['check', '--isolated', '--no-cache', ...rules, ...convene, '--output-format', 'json', '-'],
      { cwd: '.', input: functions.join('') },
    );
    const faults = JSON.parse(output) as { location: { row: number } }[];
    const faulty = new Set<string | undefined>();
    const lines = functions.flatMap((text, index) =>
      text
        .split('\n')
        .slice(1)
        .map(() => docstrings[index]),
    );
    for (const { location } of faults) faulty.add(lines[location.row - 1]);
    return docstrings.filter((text) => faulty.has(text));
  }
});
