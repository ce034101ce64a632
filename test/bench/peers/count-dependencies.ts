interface TextFile {
  /** Relative to the package, `/` separated. */
  path: string;
  text: string;
}

/**
 * Returns the number of direct runtime dependencies of an SDK, as its manifest declares them, without those of tests
 * and tools. For Go, it counts the modules that the sources import, because a generator may leave go.mod to `go mod
 * tidy`. Undefined if there is neither a manifest nor a Go source.
 */
export function countDependencies(files: readonly TextFile[]): number | undefined {
  const named = (name: string): string | undefined => files.find(({ path }) => path === name)?.text;
  const packageJson = named('package.json');
  if (packageJson !== undefined) {
    const { dependencies = {} } = JSON.parse(packageJson) as { dependencies?: Record<string, string> };
    return Object.keys(dependencies).length;
  }
  const pyproject = named('pyproject.toml');
  if (pyproject !== undefined) return countPython(pyproject);
  const cargo = named('Cargo.toml');
  if (cargo !== undefined) return entriesOf(cargo, 'dependencies').length;
  const pom = named('pom.xml');
  if (pom !== undefined) return countMaven(pom);
  const projects = files.filter(
    ({ path }) => path.endsWith('.csproj') && !/test|example/i.test(path.slice(path.indexOf('/') + 1)),
  );
  if (projects.length > 0) {
    return projects.flatMap(({ text }) => text.match(/<PackageReference /g) ?? []).length;
  }
  const go = files.filter(({ path }) => path.endsWith('.go') && !path.endsWith('_test.go'));
  return go.length > 0 ? countGo(go, named('go.mod')) : undefined;
}

function countPython(pyproject: string): number {
  const poetry = entriesOf(pyproject, 'tool.poetry.dependencies').filter((line) => !/^python\s*=/.test(line));
  const list = /^dependencies = \[([^]*?)\]$/m.exec(pyproject)?.[1] ?? '';
  return poetry.length + (list.match(/"[^"]+"/g) ?? []).length;
}

function countMaven(pom: string): number {
  // Dependencies of build plugins do not count.
  const own = pom.replaceAll(/<build>[^]*?<\/build>|<profiles>[^]*?<\/profiles>/g, '');
  const blocks = own.match(/<dependency>[^]*?<\/dependency>/g) ?? [];
  return blocks.filter((block) => !/<scope>(test|provided)<\/scope>/.test(block)).length;
}

function countGo(sources: readonly TextFile[], goMod = ''): number {
  const own = /^module (\S+)/m.exec(goMod)?.[1] ?? '\0';
  const modules = new Set<string>();
  for (const { text } of sources) {
    const block = /^import (?:\(([^]*?)^\)|.*$)/m.exec(text)?.[0] ?? '';
    for (const [, imported = ''] of block.matchAll(/"([^"]+)"/g)) {
      const [host = '', ...rest] = imported.split('/');
      // Paths of the standard library have no dot in their first part.
      if (host.includes('.') && !imported.startsWith(own)) modules.add([host, ...rest.slice(0, 2)].join('/'));
    }
  }
  return modules.size;
}

/** Returns the lines `name = ...` of a table of a TOML file. */
function entriesOf(toml: string, table: string): string[] {
  const [, section = ''] = toml.split(`\n[${table}]\n`);
  const own = section.split(/^\[/m)[0] ?? '';
  return own.split('\n').filter((line) => /^[\w-]+\s*=/.test(line));
}
