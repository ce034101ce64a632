import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PythonVenv } from '../../../support/python-venv.ts';
import { PYTHON_VENV_TIMEOUT_MS, pythonVenv } from '../../../support/python-venv.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { importEverything, mypyStrict } from './archive-checks.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';
import { type UnpackedArchives, unpackArchives, unpackModel } from '../../../support/unpacked-archives.ts';
import { runTool } from './python-archives.ts';

const lintConfig = path.join(import.meta.dirname, 'ruff.toml');

suiteNeeds('python', 'the Python archives of all fixtures', function () {
  this.timeout(300_000);
  let venv: PythonVenv;
  let archives: UnpackedArchives;

  before(async function () {
    this.timeout(PYTHON_VENV_TIMEOUT_MS);
    venv = await pythonVenv();
    archives = await unpackArchives('python');
  });
  after(async () => {
    await archives.remove();
  });

  async function passes(program: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
    const { code, output } = await runTool(venv, program, args, { cwd: archives.root, env });
    assert.equal(code, 0, output.slice(0, 4_000));
  }

  /** @param selected a pytest expression, by default all tests. Selected tests run in one process. */
  async function passesOwnTests(name: string, selected?: string): Promise<void> {
    const few = selected === undefined ? [] : ['-n', '0', '-k', selected];
    const { code, output } = await runTool(
      venv,
      'python',
      ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', ...few],
      { cwd: path.join(archives.root, name) },
    );
    // Warnings of the workers follow the failures.
    assert.equal(code, 0, output.slice(0, 8_000));
    assert.match(output, /\d+ passed/);
  }

  it('are formatted by ruff, including READMEs', async () => {
    await passes('ruff', ['format', '--isolated', '--no-cache', '--target-version', 'py310', '--diff', '.']);
  });

  it('pass ruff with all applicable rules', async () => {
    await passes('ruff', ['check', '--no-cache', '--config', lintConfig, '--output-format', 'concise', '.']);
  });

  it('contain no comment that suppresses a check', async () => {
    const { code, output } = await runTool(
      venv,
      'python',
      ['-c', searchSuppressions, ...archives.names.filter((name) => !name.startsWith('hostile'))],
      { cwd: archives.root },
    );
    assert.equal(code, 0, output);
  });

  it('pass mypy --strict, including the snippets of their READMEs', async () => {
    const sources = archives.names.map((name) => `${name}/src`);
    const snippets = await writeSnippets(archives);
    assert.ok(snippets.length > 50, `${snippets.length} snippets`);
    await passes('mypy', [...mypyStrict(venv), ...sources, ...snippets]);
    await passes('mypy', [...mypyStrict(venv), 'basic/src', 'basic/tests', 'basic/examples']);
  });

  it('pass pyright, including tests and examples', async () => {
    const checked = ['basic', 'flows', 'well-known', 'hostile-names'];
    const config = {
      include: checked,
      pythonVersion: '3.10',
      executionEnvironments: checked.map((name) => ({
        root: name,
        extraPaths: [`${name}/src`, `${name}/tests`],
      })),
    };
    await writeFile(path.join(archives.root, 'pyrightconfig.json'), JSON.stringify(config));
    await passes('pyright', ['--pythonpath', venv.python, '--project', 'pyrightconfig.json']);
  });

  it('declare the types of all public names', async () => {
    for (const name of ['basic', 'flows', 'well-known']) {
      const sources = path.join(archives.root, name, 'src');
      const [module = ''] = await readdir(sources);
      await passes('pyright', ['--pythonpath', venv.python, '--verifytypes', module, '--ignoreexternal'], {
        PYTHONPATH: sources,
      });
    }
  });

  it('let type checkers report a misspelled method of the execution of an error, and None as a message', async () => {
    const [module = ''] = await readdir(path.join(archives.root, 'basic', 'src'));
    await writeFile(path.join(archives.root, 'mistakes.py'), mistakes(module));
    const { code, output } = await runTool(venv, 'mypy', [...mypyStrict(venv), 'basic/src', 'mistakes.py'], {
      cwd: archives.root,
    });
    assert.equal(code, 1, output);
    assert.match(output, /"AnyExecution" .*has no attribute "wiat"/);
    assert.match(output, /"tokenize" .*has incompatible type "None"/);
    assert.match(output, /^Found 2 errors /m);
  });

  it('let type checkers report a misspelled enum value and a value of another enum', async () => {
    const [module = ''] = await readdir(path.join(archives.root, 'enums', 'src'));
    await writeFile(path.join(archives.root, 'names.py'), enumNames(module));
    const { code, output } = await runTool(venv, 'mypy', [...mypyStrict(venv), 'enums/src', 'names.py'], {
      cwd: archives.root,
    });
    assert.equal(code, 1, output);
    assert.match(output, /names\.py:7: .*Literal\['STATE_PAYED'\]/);
    assert.match(output, /names\.py:8: .*Literal\['WARN'\]/);
    assert.match(output, /^Found 2 errors /m);
  });

  it('have importable modules, resolvable annotations and unique field names', async () => {
    for (const name of archives.names) {
      await passes('python', ['-c', importEverything, name]);
    }
  });

  it('document every public member of returned types in REFERENCE.md', async () => {
    await passes('python', ['-c', searchReference, 'basic', 'flows']);
  });

  it('mention only existing errors in README.md and REFERENCE.md, and every error in README.md', async () => {
    await passes('python', ['-c', searchErrors, 'basic', 'flows']);
  });

  it('contain no code from untrusted text', async () => {
    await passes('python', ['-c', searchStatements, ...archives.names]);
  });

  it('have valid package metadata', async () => {
    await passes('python', ['-c', readProjects, ...archives.names]);
  });

  for (const name of ['basic', 'well-known']) {
    it(`pass their own tests: ${name}`, async () => {
      await passesOwnTests(name);
    });
  }

  for (const [type, mode] of [
    ['node', 'unary'],
    ['node', 'pipeline'],
    ['flow', 'unary'],
    ['flow', 'pipeline'],
  ] as const) {
    it(`pass tests that pick a member when all are of one kind: ${mode} ${type}`, async () => {
      const { members, ...model } = await loadSdkFixture('conformance');
      const name = `only-${mode}-${type}`;
      const kept = members.filter((member) => member.type === type && member.mode === mode);
      assert.ok(kept.length > 0);
      await unpackModel('python', { ...model, members: kept }, path.join(archives.root, name));
      await passesOwnTests(name, 'call_is_retried or session_of_a_closed or every_member');
    });
  }

  for (const name of ['hostile-names', 'hostile-text', 'maps-oneofs-optional', 'scalars']) {
    it(`call every member: ${name}`, async () => {
      await passesOwnTests(name, 'test_every_member_is_called');
    });
  }
});

/** Writes each README snippet as a module, and fragments in a function that declares the names they use. Returns the paths. */
async function writeSnippets({ root, names }: UnpackedArchives): Promise<string[]> {
  const written: string[] = [];
  for (const name of names) {
    const readme = await readFile(path.join(root, name, 'README.md'), 'utf8');
    const [, module = ''] = /^from (?!datetime)(\w+) import/m.exec(readme) ?? [];
    for (const [, code = ''] of readme.matchAll(/^`{3,}python\n(.*?)^`{3,}$/gms)) {
      const file = `snippet_${written.length}.py`;
      const isProgram = /^(?:import|from) /.test(code);
      await writeFile(path.join(root, file), isProgram ? code : partOfProgram(code, module));
      written.push(file);
    }
  }
  return written;
}

function partOfProgram(code: string, module: string): string {
  return `import collections.abc, typing
import ${module}

async def part(
    ${code.includes(' as client:') ? 'made' : 'client'}: ${module}.Client,
    async_client: ${module}.AsyncClient,
    message: typing.Any,
    read_messages: collections.abc.Callable[[], collections.abc.Iterable[typing.Any]],
    execution_id: str,
    stream_id: str,
) -> None:
${code.replaceAll(/^(?=.)/gm, '    ')}
`;
}

/** Returns a program with two mistakes among correct statements. */
function mistakes(module: string): string {
  return `from ${module} import Client, errors

def call(client: Client) -> None:
    client.tokenize()
    client.tokenize(text="a")
    client.tokenize(None)

def pass_on(client: Client, key: "str | None", headers: "dict[str, str] | None") -> None:
    client.tokenize(text="a", idempotency_key=key, headers=headers)

def wait(error: errors.WaitTimedOutError) -> None:
    error.execution.wait(timeout=9)
    error.execution.wiat()

async def decide(error: errors.FlowPausedError) -> None:
    assert error.pause_id is not None
    await error.execution.resume(error.pause_id, {"approved": True})
    async for event in error.execution.events(types="NODE_FAILED"):
        print(event)
`;
}

/** Returns a program with two mistakes in its last lines. */
function enumNames(module: string): string {
  return `from ${module} import Client
from ${module}.messages import State

def call(client: Client, text: str) -> None:
    client.echo(state="STATE_PAID", level="WARNING", cases=["camelCase"], levels={"a": "INFO"})
    client.echo(state=State(text), level=None)
    client.echo(state="STATE_PAYED")
    client.echo(state="WARN")
`;
}

const searchSuppressions = `
import pathlib, re, sys
found = [
    f"{path}:{number}: {line}"
    for name in sys.argv[1:]
    for path in pathlib.Path(name).rglob("*.py")
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
    if re.search(r"#\\s*(noqa|type:\\s*ignore|pyright:|ruff:|mypy:|fmt:)", line)
]
if found:
    sys.exit("\\n".join(found))
`;

const searchReference = `
import dataclasses, importlib, pathlib, sys
text = "".join(pathlib.Path(name, "REFERENCE.md").read_text("utf-8") for name in sys.argv[1:])
[package] = pathlib.Path(sys.argv[1], "src").iterdir()
sys.path.insert(0, str(package.parent))
sdk = importlib.import_module(package.name)
missing = [name for name in sdk.__all__ if name not in text and name not in ("errors", "messages", "SvcError")]
for name in (
    *("Execution", "ExecutionRecord", "ExecutionEvent", "EventStream", "Pause", "ResumedPause", "RawResponse", "Upload"),
    *("FrameStream", "SplitStream", "Session", "SessionLimits", "Message", "Timestamp", "Duration"),
):
    owner = getattr(sdk, name)
    fields = [field.name for field in dataclasses.fields(owner)] if dataclasses.is_dataclass(owner) else []
    members = {member for member in dir(owner) if not member.startswith("_")} | set(fields)
    missing += [f"{name}.{member}" for member in sorted(members) if member not in text]
if missing:
    sys.exit("\\n".join(missing))
`;

const searchErrors = `
import builtins, importlib, pathlib, re, sys
for name in sys.argv[1:]:
    [package] = pathlib.Path(name, "src").iterdir()
    sys.path.insert(0, str(package.parent))
    errors = importlib.import_module(f"{package.name}.errors")
    readme = pathlib.Path(name, "README.md").read_text("utf-8")
    assert f"All errors of the package are in \`{package.name}.errors\`" in readme
    text = readme + pathlib.Path(name, "REFERENCE.md").read_text("utf-8")
    named = set(re.findall(r"\\b[A-Z][A-Za-z]*Error\\b", text))
    assert len(named) > 20, named
    unknown = [each for each in named if not hasattr(errors, each) and not hasattr(builtins, each)]
    assert not unknown, unknown
    unnamed = [each for each in vars(errors) if each.endswith("Error") and each not in readme]
    assert not unnamed, unnamed
`;

const searchStatements = `
import ast, pathlib, sys, unicodedata
allowed = {
    "messages.py": {ast.Expr, ast.ImportFrom, ast.ClassDef},
    "client.py": {ast.Expr, ast.ImportFrom, ast.ClassDef, ast.If, ast.AnnAssign, ast.Assign},
    "__init__.py": {ast.Expr, ast.ImportFrom, ast.Assign},
    "sdk.py": {ast.Expr, ast.ImportFrom, ast.Assign, ast.ClassDef, ast.AnnAssign},
}
within = {ast.Expr, ast.AnnAssign, ast.Assign, ast.FunctionDef, ast.AsyncFunctionDef}
for name in sys.argv[1:]:
    for path in pathlib.Path(name).rglob("*.py"):
        text = path.read_text("utf-8")
        tree = ast.parse(text)
        if path.name not in allowed or "_protojson" in path.parts:
            continue
        for node in tree.body:
            assert type(node) in allowed[path.name], (path, ast.dump(node))
            if isinstance(node, ast.Expr):
                assert isinstance(node.value, ast.Constant), (path, ast.dump(node))
            if isinstance(node, ast.ClassDef):
                for inner in node.body:
                    assert type(inner) in within, (path, ast.dump(inner))
                    if isinstance(inner, ast.Expr):
                        assert isinstance(inner.value.value, str), (path, ast.dump(inner))
        for character in text:
            # Spaces of other widths and joiners of scripts and emoji are harmless; all else that is invisible is spelled out.
            harmless = character in "\\n\\u200c\\u200d" or unicodedata.category(character) == "Zs"
            assert harmless or character.isprintable(), (path, hex(ord(character)))
`;

const readProjects = `
import pathlib, sys
try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib
for name in sys.argv[1:]:
    project = tomllib.loads(pathlib.Path(name, "pyproject.toml").read_text("utf-8"))["project"]
    assert "\\n" not in project["description"], project
    assert project["requires-python"] == ">=3.10"
    assert project.get("license") in (None, "MIT OR Apache-2.0", "LicenseRef-a.b-c")
    assert all(author["name"] for author in project.get("authors", []))
    [package] = pathlib.Path(name, "src").iterdir()
    assert package.name.isidentifier()
    assert (package / "py.typed").exists()
    assert pathlib.Path(name, "LICENSE").exists()
`;
